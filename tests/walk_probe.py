"""Runs one walk of docs/architecture.md under a tracer: python walk_probe.py NAME FILE.

The file gets every chain of calls inside the package, one JSON list of function names a line, outermost first.
"""

import json
import sys
import threading
import time

CHAINS = {}


def trace(frame, event, arg):
    if event != "call" or not frame.f_globals.get("__name__", "").startswith("pelagos."):
        return
    chain = []
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if module.startswith("pelagos."):
            chain.append(f"{module[8:]}.{frame.f_code.co_qualname}")
        frame = frame.f_back
    CHAINS.setdefault(tuple(reversed(chain)))


def stick():
    from pelagos.session.flight import Flight
    from tests.console.served import Page, console

    def build():
        return Flight("bluerov2_heavy", start={"depth_m": 5.0})

    with console(build) as server, Page(server) as page:
        page.await_text("hello")
        page.say(type="lease", do="request", role="pilot")
        end = time.monotonic() + 300.0
        while time.monotonic() < end:
            page.stick(surge=0.5)
            page.await_snapshot()
            row = dict(zip(server.sources[0].columns, page.snapshots[-1].values.tolist(), strict=False))
            if row["surge_m_s"] > 1e-3:
                return


def key():
    from pelagos.sim.simulation import Simulation

    sim = Simulation("remus100")
    sim.place(depth_m=5.0, surge_m_s=1.0)
    sim.tick()


def run():
    from pelagos.cli.main import main

    assert main(["run", "first-dive", "--duration", "0.3", "--no-figure"]) == 0


def step():
    import gymnasium

    import pelagos.learn  # noqa: F401

    environment = gymnasium.make("pelagos/StationKeeping-v0")
    environment.reset(seed=1)
    environment.step(environment.action_space.sample())


if __name__ == "__main__":
    threading.setprofile(trace)
    sys.setprofile(trace)
    globals()[sys.argv[1]]()
    sys.setprofile(None)
    threading.setprofile(None)
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        for chain in list(CHAINS):
            file.write(json.dumps(chain) + "\n")
