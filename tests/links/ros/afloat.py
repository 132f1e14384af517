"""Simulations for tests of links, and helpers that wait for another thread."""

import time

from pelagos.sim.simulation import Simulation


class Afloat:
    """Simulations in step, as links see them."""

    events = ()  # for tests whose ticks come from another thread

    def __init__(self, *sims):
        self.sims = sims

    @property
    def time_s(self):
        return self.sims[0].time_s

    def tick(self, *links, events=()):
        for sim in self.sims:
            sim.tick()
        for link in links:
            link.after(self, events)


def rov(**options):
    """A BlueROV2 Heavy with all its instruments, under way with a turn, near the bottom."""
    sim = Simulation("bluerov2_heavy", "royer_field", **{"sensors": True, "control_rate_hz": 50.0, **options})
    sim.place(north_m=-30.0, east_m=5.0, depth_m=80.0, heading_deg=30.0, pitch_deg=10.0, roll_deg=-5.0)
    sim.pilot(surge=0.6, sway=0.3, yaw=0.2)
    return sim


def wait_for(happened, limit_s=60.0):
    """Wait until something holds; a machine may stall for seconds."""
    end = time.monotonic() + limit_s
    while not happened():
        if time.monotonic() > end:
            raise AssertionError(f"it did not happen in {limit_s} s")
        time.sleep(0.01)


def is_cut(line):
    """Whether the other end of a socket, which has said nothing, has closed it."""
    line.setblocking(False)
    try:
        return line.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True
