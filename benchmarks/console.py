"""Latency of the console: from stick to state over real sockets, and lateness of ticks, with one page and with eight.

The pages run in a separate process, as browsers do; the server and the flight share one, as in `pelagos fly`.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from typing import Any

import numpy as np

CLIENTS = (1, 8)  # pages
SECONDS = 6.0  # of a measurement
WARM_S = 1.0  # at the start, not counted
INPUT_HZ = 40.0  # as in link.js of the page
VEHICLE, WORLD = "bluerov2_heavy", "royer_field"
PAGES = "import sys; from benchmarks.console import fly_pages; fly_pages(*sys.argv[1:])"


def measure_console(seconds: float | None = None) -> dict[str, Any]:
    """Measure latency, lateness and overruns by number of pages; only a note without the packages of the console."""
    from pelagos.errors import MissingExtraError

    try:
        from pelagos.console.server import Console
    except MissingExtraError as missing:
        return {"note": str(missing)}
    from pelagos.session.flight import Flight

    start = {"north_m": 40.0, "east_m": -15.0, "depth_m": 97.0, "heading_deg": 180.0}
    console = Console(lambda: Flight(VEHICLE, WORLD, start=start, seed=1))
    console.start()
    try:
        return {str(n): _measured(console, n, SECONDS if seconds is None else seconds) for n in CLIENTS}
    finally:
        console.stop()


def report_console(result: dict[str, Any]) -> list[str]:
    """The figures as lines of text."""
    if "note" in result:
        return [f"console: {result['note']}"]
    titles = ("p50 ms", "p99 ms", "late p50", "late p99", "load %", "snapshots/s", "overruns")
    lines = [f"{'console: stick to state, lateness of ticks':<46}" + "".join(f"{title:>12}" for title in titles)]
    for n, row in result.items():
        keys = ("latency_p50_ms", "latency_p99_ms", "lateness_p50_ms", "lateness_p99_ms", "load_percent")
        figures = "".join(f"{row[key]:12.1f}" for key in keys)
        words = f"{VEHICLE} at 50 Hz, {n} page{'s' if n != '1' else ''}"
        lines.append(f"{words:<46}{figures}{row['snapshots_per_s']:12.1f}{row['overruns']:12d}")
    return lines


def _measured(console: Any, clients: int, seconds: float) -> dict[str, Any]:
    """The figures of pages in another process."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    arguments = [sys.executable, "-c", PAGES, console.address, str(clients), str(seconds)]
    done = subprocess.run(arguments, env=environment, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def fly_pages(address: str, clients: str, seconds: str) -> None:
    """Open pages, the first of them the pilot, and print their figures as JSON; arguments as on a command line."""
    print(json.dumps(asyncio.run(_pages(address, int(clients), float(seconds)))))


async def _pages(address: str, clients: int, seconds: float) -> dict[str, Any]:
    pilot = asyncio.create_task(_page(address, seconds, flies=True))
    await asyncio.sleep(0.2)  # the server seats the first page as pilot
    watchers = [asyncio.create_task(_page(address, seconds, flies=False)) for _ in range(clients - 1)]
    figures = [await page for page in (pilot, *watchers)]
    latency, late = (np.array(figures[0][name] or [np.nan]) for name in ("latency_ms", "lateness_ms"))
    return {
        "latency_p50_ms": float(np.percentile(latency, 50)),
        "latency_p99_ms": float(np.percentile(latency, 99)),
        "lateness_p50_ms": float(np.percentile(late, 50)),
        "lateness_p99_ms": float(np.percentile(late, 99)),
        "load_percent": figures[0]["load_percent"],
        "overruns": figures[0]["overruns"],
        "inputs_seen": len(figures[0]["latency_ms"]),
        "snapshots_per_s": min(page["snapshots"] for page in figures) / seconds,  # of the page that received the fewest
    }


async def _page(address: str, seconds: float, flies: bool) -> dict[str, Any]:
    """Run one page: it records the age of an input when the first snapshot arrives that acknowledges it."""
    from websockets.asyncio.client import connect

    from pelagos.console.protocol import unpack_snapshot
    from pelagos.session.realtime import COLUMNS as TIMING

    origin, _, query = address.partition("/?")
    latency: list[float] = []
    late: list[float] = []
    snapshots, acked, overruns, load = 0, 0, [0.0, 0.0], 0.0
    # the stub has Origin, a NewType of str
    async with connect(f"ws{origin[4:]}/ws?{query}", origin=origin, compression=None, max_size=None) as socket:  # type: ignore[arg-type]
        sending = asyncio.create_task(_send_inputs(socket)) if flies else None
        begin = None
        while begin is None or time.perf_counter() < begin + WARM_S + seconds:
            data = await socket.recv()
            now = time.perf_counter()
            if isinstance(data, str):
                continue
            snapshot = unpack_snapshot(data)
            begin = begin or now
            timing = dict(zip(TIMING, snapshot.values[-len(TIMING) :].tolist(), strict=True))  # the last columns
            if now < begin + WARM_S:
                acked, overruns[0] = snapshot.ack, timing["overruns"]
                continue
            snapshots += 1
            overruns[1], load = timing["overruns"], timing["load_percent"]
            late.append(timing["lateness_ms"])
            if snapshot.ack > acked:
                acked = snapshot.ack
                latency.append(1e3 * now - snapshot.echo_ms)
        if sending is not None:
            sending.cancel()
    counted = {"snapshots": snapshots, "overruns": int(overruns[1] - overruns[0]), "load_percent": load}
    return {"latency_ms": latency, "lateness_ms": late, **counted}


async def _send_inputs(socket: Any) -> None:
    """Send moving sticks at `INPUT_HZ`."""
    seq, due = 0, time.perf_counter()
    while True:
        seq += 1
        sticks = {"yaw": round(0.3 * float(np.sin(0.05 * seq)), 4), "surge": round(0.2 * float(np.cos(0.03 * seq)), 4)}
        t = 1e3 * time.perf_counter()
        await socket.send(json.dumps({"type": "input", "seq": seq, "t": t, "sticks": sticks}))
        due += 1.0 / INPUT_HZ
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
