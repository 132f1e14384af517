"""How much memory a long run of many vehicles takes, logged to disk while it runs.

python scripts/batch_memory.py                                   100,000 vehicles for an hour, 20 channels at 1 Hz
python scripts/batch_memory.py --vehicles 2000 --seconds 60      the same, quickly
python scripts/batch_memory.py --path many.parquet               keeps the log; else it is deleted

Prints the memory in use (RSS) as the run goes on, then its peak, the bytes on disk and the wall time. The memory must
not grow with the simulated time: the last line says by how much it did after the first tenth.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from pelagos.batch.batch import Batch
from pelagos.batch.run import DEFAULT_COLUMNS
from pelagos.control.vectorised.autopilot import VectorAutopilot
from pelagos.errors import PelagosError
from pelagos.world.spec import World

VEHICLE = "remus100"
COLUMNS = (
    *DEFAULT_COLUMNS, "q0", "q1", "q2", "q3", "below_surface_m", "thruster_propeller_rpm", "surface_rudder_deg",
    "surface_stern_planes_deg",
)  # fmt: skip
LINES = 20  # of the table
MB = 1e6


def rss_bytes() -> float:
    """Memory in use now; where the system does not tell, the most so far."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return float(pages * resource.getpagesize())
    except OSError:
        return peak_bytes()


def peak_bytes() -> float:
    """The most memory so far."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(most if sys.platform == "darwin" else most * 1024)


class Watch:
    """Called once a simulated second: notes the memory, and prints a line now and then."""

    def __init__(self, seconds: float) -> None:
        self.begin, self.seconds, self.seen = time.perf_counter(), seconds, []
        self._next_s = 0.0
        print(f"{'simulated s':>12}{'wall s':>10}{'RSS MB':>10}")

    def __call__(self, done_s: float) -> None:
        """So much is done."""
        self.seen.append((done_s, rss_bytes()))
        if done_s >= self._next_s:
            wall = time.perf_counter() - self.begin
            print(f"{done_s:12.0f}{wall:10.1f}{self.seen[-1][1] / MB:10.0f}", flush=True)
            self._next_s += self.seconds / LINES

    def growth_bytes(self) -> float:
        """Most memory after the first tenth of the run, less the most within it."""
        early = [rss for done, rss in self.seen if done <= 0.1 * self.seconds] or [self.seen[0][1]]
        return max(rss for _, rss in self.seen) - max(early)


def make_batch(vehicles: int, dtype: str, threads: int | None, step_s: float | None) -> Batch:
    """Vehicles under way on all headings."""
    batch = Batch(VEHICLE, vehicles, World(surface=False), dtype=dtype, threads=threads, step_s=step_s)
    batch.place(depth_m=50.0, surge_m_s=1.5, heading_deg=np.linspace(0.0, 359.0, vehicles))
    batch.set_actuators(thrusters=[150.0], surfaces=[0.0, 0.0])
    return batch


def run(given: argparse.Namespace, path: Path) -> None:
    """Run, watch and tell."""
    batch = make_batch(given.vehicles, given.dtype, given.threads, given.step_s)
    raw = given.vehicles * (given.seconds + 1.0) * len(COLUMNS) * np.dtype(given.dtype).itemsize
    free = shutil.disk_usage(path.parent).free
    if free < raw:
        raise SystemExit(
            f"{path.parent} has {free / MB:.0f} MB free; expected {raw / MB:.0f} MB, a log that does not shrink"
        )
    pilot = None
    if given.autopilot:
        pilot = VectorAutopilot(batch.vehicle, batch.n, interval_s=batch.interval_s)
        pilot.command(depth_m=50.0, heading_deg=np.linspace(0.0, 359.0, batch.n), speed_m_s=1.5)
    print(f"{batch}, {len(COLUMNS)} channels at 1 Hz; memory before the run {rss_bytes() / MB:.0f} MB")
    watch = Watch(given.seconds)
    batch.run(given.seconds, control=pilot, path=path, columns=COLUMNS, log_rate_hz=1.0, progress=watch)
    wall = time.perf_counter() - watch.begin
    disk = sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    steps = batch.n * batch.n_steps * given.seconds * batch.control_rate_hz
    print(f"wall time {wall:.1f} s, {steps / wall / 1e6:.1f} million vehicle-steps per second, log included")
    print(f"on disk {disk / MB:.0f} MB of {raw / MB:.0f} MB of numbers; {int((~batch.alive).sum())} vehicles diverged")
    print(f"peak RSS {peak_bytes() / MB:.0f} MB; grown by {watch.growth_bytes() / MB:.0f} MB after the first tenth")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vehicles", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=3600.0, help="simulated time")
    parser.add_argument("--dtype", choices=("float32", "float64"), default="float32")
    parser.add_argument("--threads", type=int, default=None, help="all cores if not given")
    parser.add_argument("--step-s", type=float, default=None, help="longest step; the vehicle file's if not given")
    parser.add_argument("--autopilot", action="store_true", help="each holds depth, heading and speed at 10 Hz")
    parser.add_argument("--path", type=Path, default=None, help="keep the log in this folder")
    given = parser.parse_args()
    try:
        if given.path is not None:
            run(given, given.path.absolute())
        else:
            with tempfile.TemporaryDirectory() as folder:
                run(given, Path(folder) / "many.parquet")
    except PelagosError as problem:
        raise SystemExit(str(problem)) from None


if __name__ == "__main__":
    main()
