"""Memory that a long run of a large batch takes while it logs to disk.

    python -m benchmarks.batch_memory                                   100,000 vehicles, one hour, 20 channels at 1 Hz
    python -m benchmarks.batch_memory --vehicles 2000 --seconds 60      a quick run
    python -m benchmarks.batch_memory --path many.parquet               keeps the log; else it is deleted

Prints the memory in use (RSS) as the run proceeds, then its peak, the bytes on disk and the wall time. The memory must
not grow with the simulated time: the last line gives the growth after the first tenth.
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
LINES = 20  # of the printed table
MB = 1e6  # bytes


def rss_bytes() -> float:
    """Memory in use now; the peak so far on systems without /proc."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return float(pages * resource.getpagesize())
    except OSError:
        return peak_bytes()


def peak_bytes() -> float:
    """Peak memory so far."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(peak if sys.platform == "darwin" else peak * 1024)  # macOS counts bytes, Linux kilobytes


class MemoryProgress:
    """Progress callback of a run: records the memory once a simulated second and prints a line now and then."""

    def __init__(self, seconds: float) -> None:
        self.begin, self.seconds = time.perf_counter(), seconds
        self.samples: list[tuple[float, float]] = []  # simulated time, RSS
        self._next_s = 0.0
        print(f"{'simulated s':>12}{'wall s':>10}{'RSS MB':>10}")

    def __call__(self, done_s: float) -> None:
        """Record the memory after `done_s` of simulated time."""
        rss = rss_bytes()
        self.samples.append((done_s, rss))
        if done_s >= self._next_s:
            wall = time.perf_counter() - self.begin
            print(f"{done_s:12.0f}{wall:10.1f}{rss / MB:10.0f}", flush=True)
            self._next_s += self.seconds / LINES

    def growth_bytes(self) -> float:
        """Peak over the whole run less the peak within its first tenth."""
        early = [rss for done_s, rss in self.samples if done_s <= 0.1 * self.seconds] or [self.samples[0][1]]
        return max(rss for _, rss in self.samples) - max(early)


def make_batch(vehicles: int, dtype: str, threads: int | None, step_s: float | None) -> Batch:
    """A batch under way on all headings."""
    batch = Batch(VEHICLE, vehicles, World(surface=False), dtype=dtype, threads=threads, step_s=step_s)
    batch.place(depth_m=50.0, surge_m_s=1.5, heading_deg=np.linspace(0.0, 359.0, vehicles))
    batch.actuators.set(thrusters=[150.0], surfaces=[0.0, 0.0])
    return batch


def run(options: argparse.Namespace, path: Path) -> MemoryProgress:
    """Run the batch, log it to `path` and print memory, disk space and wall time."""
    batch = make_batch(options.vehicles, options.dtype, options.threads, options.step_s)
    raw = options.vehicles * (options.seconds + 1.0) * len(COLUMNS) * np.dtype(options.dtype).itemsize
    free = shutil.disk_usage(path.parent).free
    if free < raw:
        raise SystemExit(f"{path.parent} has {free / MB:.0f} MB free; expected {raw / MB:.0f} MB, the log uncompressed")
    autopilot = None
    if options.autopilot:
        autopilot = VectorAutopilot(batch.vehicle, batch.n, interval_s=batch.interval_s)
        autopilot.command(depth_m=50.0, heading_deg=np.linspace(0.0, 359.0, batch.n), speed_m_s=1.5)
    print(f"{batch}, {len(COLUMNS)} channels at 1 Hz; memory before the run {rss_bytes() / MB:.0f} MB")
    progress = MemoryProgress(options.seconds)
    batch.run(options.seconds, control=autopilot, path=path, columns=COLUMNS, log_rate_hz=1.0, progress=progress)
    wall = time.perf_counter() - progress.begin
    disk = sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    steps = batch.n * batch.n_steps * options.seconds * batch.control_rate_hz
    print(f"wall time {wall:.1f} s, {steps / wall / 1e6:.1f} million vehicle-steps per second, log included")
    lost = int((~batch.view.alive).sum())
    print(f"on disk {disk / MB:.0f} MB of {raw / MB:.0f} MB of numbers; {lost} vehicles diverged")
    print(f"peak RSS {peak_bytes() / MB:.0f} MB; grown by {progress.growth_bytes() / MB:.0f} MB after the first tenth")
    return progress


def main(arguments: list[str] | None = None) -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.batch_memory",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--vehicles", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=3600.0, help="simulated time")
    parser.add_argument("--dtype", choices=("float32", "float64"), default="float32")
    parser.add_argument("--threads", type=int, default=None, help="default: all cores")
    parser.add_argument("--step-s", type=float, default=None, help="longest step (default: that of the vehicle file)")
    parser.add_argument("--autopilot", action="store_true", help="each holds depth, heading and speed at 10 Hz")
    parser.add_argument("--path", type=Path, default=None, help="keep the log in this folder")
    options = parser.parse_args(arguments)
    try:
        if options.path is not None:
            run(options, options.path.absolute())
        else:
            with tempfile.TemporaryDirectory() as folder:
                run(options, Path(folder) / "many.parquet")
    except PelagosError as problem:
        raise SystemExit(str(problem)) from None


if __name__ == "__main__":
    main()
