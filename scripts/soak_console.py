"""Soak test of the console, with eight pages and one that stops reading: memory, threads and files must not grow.

    python scripts/soak_console.py --minutes 10

The server is `pelagos fly` in a process of its own, recording. The page that stops reading reconnects each time it
is disconnected. The exit code is 0 if nothing grew and the server ended properly, else 1.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from pelagos.console.protocol import unpack_snapshot
from pelagos.sim.log.load import load_log

PAGES = 8  # that read everything
WARM_S = 20.0  # before the first look: kernels are loaded, gains of the autopilot are made
GROWTH_MB = 8.0  # from the middle to the end; a leak of one snapshot of 400 bytes in each tick makes 6 MB in 5 minutes
LOOKS = 40  # measurements of memory, threads and files


@dataclass
class Seen:
    """What the pages saw."""

    snapshots: list[int] = field(default_factory=lambda: [0] * PAGES)
    lateness_ms: list[float] = field(default_factory=list)
    overruns: float = 0.0
    thrown_out: int = 0
    over: bool = False


def looked_at(pid: int) -> dict[str, float]:
    """Memory, threads and open files of a process."""
    status = Path(f"/proc/{pid}/status").read_text()
    number = {key: int(value) for key, value in re.findall(r"^(VmRSS|Threads):\s+(\d+)", status, re.M)}
    return {"rss_mb": number["VmRSS"] / 1024.0, "threads": number["Threads"], "fds": len(os.listdir(f"/proc/{pid}/fd"))}


async def page(number: int, origin: str, token: str, state: Seen) -> None:
    """One page; the first flies about, gently."""
    async with connect(f"ws{origin[4:]}/ws?token={token}&name=page{number}", origin=origin, max_size=None) as socket:
        speaking = asyncio.create_task(speak(socket)) if number == 0 else None
        columns: list[str] = []
        while not state.over:
            got = await socket.recv()
            if isinstance(got, str):
                message = json.loads(got)
                columns = message["columns"] if message["type"] == "hello" else columns
                continue
            state.snapshots[number] += 1
            if number == 0:
                values = unpack_snapshot(got).values
                state.lateness_ms.append(float(values[columns.index("lateness_ms")]))
                state.overruns = float(values[columns.index("overruns")])
        if speaking is not None:
            speaking.cancel()


async def speak(socket: object) -> None:
    """Sticks 40 times a second, and an order now and then."""
    seq = 0
    while True:
        seq += 1
        sticks = {
            "yaw": round(0.3 * math.sin(0.01 * seq), 4),
            "heave": -0.05,
            "surge": round(0.1 * math.sin(0.003 * seq), 4),
        }
        message = {"type": "input", "seq": seq, "t": 1e3 * time.perf_counter(), "sticks": sticks}
        await socket.send(json.dumps(message))  # type: ignore[attr-defined]
        if seq % 40 == 0:
            order = {"type": "order", "name": "lights", "level": (seq // 40 % 10) / 10}
            await socket.send(json.dumps(order))  # type: ignore[attr-defined]
        await asyncio.sleep(0.025)


async def deaf(origin: str, token: str, state: Seen) -> None:
    """A page that never reads, and comes back when it is thrown out."""
    while not state.over:
        try:
            async with connect(
                f"ws{origin[4:]}/ws?token={token}&name=deaf",
                origin=origin,
                max_size=None,
                max_queue=1,
                ping_interval=None,
            ) as socket:
                while not state.over and socket.close_code is None:
                    socket.transport.pause_reading()
                    await asyncio.sleep(0.2)
                    if socket.transport.is_closing() or not _alive(socket):
                        break
            state.thrown_out += not state.over
        except (ConnectionClosed, InvalidHandshake, OSError):
            state.thrown_out += 1
            await asyncio.sleep(0.5)


def _alive(socket: object) -> bool:
    """Whether the other side still has the connection: its end is only noticed by writing."""
    try:
        socket.transport.write(bytes([0x8A, 0x80, 0, 0, 0, 0]))  # type: ignore[attr-defined]  # an empty pong, masked
    except OSError:
        return False
    return True


async def soak(pid: int, origin: str, token: str, seconds: float) -> tuple[list[dict[str, float]], Seen]:
    """Let all pages live for some time; looks at the process, evenly spread."""
    seen = Seen()
    tasks = [asyncio.create_task(page(k, origin, token, seen)) for k in range(PAGES)]
    tasks.append(asyncio.create_task(deaf(origin, token, seen)))
    await asyncio.sleep(WARM_S)
    looks = []
    for _ in range(LOOKS + 1):
        looks.append(looked_at(pid))
        broken = [task for task in tasks if task.done()]
        if broken:
            await asyncio.gather(*broken)
        await asyncio.sleep(seconds / LOOKS)
    seen.over = True
    await asyncio.wait(tasks, timeout=20.0)
    for task in tasks:
        task.cancel()
    return looks, seen


def main() -> int:
    """Run it, print what was seen, judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--minutes", type=float, default=10.0)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "soak.csv")
        command = [sys.executable, "-m", "pelagos", "fly", "--no-browser", "--port", "0", "--record", str(log)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            match = re.match(r"open (http://[^/]+)/\?token=(\S+)", process.stdout.readline())
            assert match, "the console did not start"
            looks, seen = asyncio.run(soak(process.pid, *match.groups(), 60.0 * arguments.minutes))
            process.send_signal(signal.SIGINT)
            code = process.wait(timeout=60.0)
        finally:
            process.kill()
            process.wait()
        samples = len(load_log(log))
    return judged(looks, seen, code, samples, 60.0 * arguments.minutes)


def judged(looks: list[dict[str, float]], state: Seen, code: int, samples: int, seconds: float) -> int:
    """Print the figures; 1 if anything grew."""
    print(f"{'':<8}{'RSS MB':>10}{'threads':>10}{'files':>10}")
    for name, look in (("start", looks[0]), ("middle", looks[len(looks) // 2]), ("end", looks[-1])):
        print(f"{name:<8}{look['rss_mb']:10.1f}{look['threads']:10.0f}{look['fds']:10.0f}")
    late = np.percentile(state.lateness_ms, [50, 99])
    rates = [count / (seconds + WARM_S) for count in state.snapshots]
    print(f"snapshots a second, slowest and fastest page: {min(rates):.1f}, {max(rates):.1f}")
    print(f"overruns {state.overruns:.0f}")
    print(f"lateness of ticks p50 {late[0]:.2f} ms, p99 {late[1]:.1f} ms; recorded {samples} samples; exit code {code}")
    print(f"the page that does not read was thrown out {state.thrown_out} times")
    half = len(looks) // 2
    grown = np.median([sample["rss_mb"] for sample in looks[-5:]]) - np.median(
        [sample["rss_mb"] for sample in looks[half - 2 : half + 3]]
    )
    problems = []
    if grown > GROWTH_MB:
        problems.append(f"memory grew by {grown:.1f} MB in the second half")
    for key in ("threads", "fds"):
        if max(sample[key] for sample in looks[-5:]) > max(sample[key] for sample in looks[:half]):
            problems.append(f"{key} grew")
    if state.thrown_out == 0:
        problems.append("the page that does not read was never thrown out")
    if code != 0:
        problems.append(f"the server ended with code {code}")
    print("; ".join(problems) or "nothing grew")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
