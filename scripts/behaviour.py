"""Record what Pelagos computes, as hashes, and compare two recordings.

python scripts/behaviour.py before.json                          record everything (about five minutes)
python scripts/behaviour.py after.json --against before.json     record, compare, exit 1 if anything differs
python scripts/behaviour.py after.json --only scenario batch     some of the groups

Use it around a change that must not change results: record before, compare after, on the same machine, with the same
versions of NumPy and Numba. The hashes are of raw float64 values and differ between processors, so none are stored in
the repository. Groups:

scenario    every column, every force and the events of the log of each ready scenario
flight      the two recorded console flights of tests/data/flights, flown again from their commands
batch       states of 64 vehicles with tolerances and autopilots, in float64 and float32
campaign    the results of a small vectorised campaign and of a small one with a tether
reproduce   the numbers of every claim of `pelagos reproduce`, except measured times
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

import pelagos
from pelagos.campaign.results import load_results
from pelagos.control.vectorised.autopilot import VectorAutopilot
from pelagos.errors import PelagosError
from pelagos.files.library import SCENARIOS
from pelagos.scenario.read import load_scenario
from pelagos.session.record.rerun import rerun
from pelagos.session.scenario_run import run_scenario
from pelagos.sim.log.log import Log

FLIGHTS = Path(__file__).parents[1] / "tests" / "data" / "flights"
CAMPAIGNS = {"remus-trackline": 64, "rov-tether-hover": 4}  # name -> runs
# Columns of a campaign, and claims, that hold wall-clock times: different in every run; which version flew it.
WALL_COLUMNS = ("wall_s", "made_with")
WALL_CLAIMS = (
    "higher-order-cost", "world-processing", "exchange-rate", "model-time", "deadlines", "response", "time-scale",
    "cost",
)  # fmt: skip

SHOWN = 8  # items of a run that the comparison names
Hashes = dict[str, str]  # item -> hash


def hashed(value: Any) -> str:
    """A short hash: of the bytes of an array, or of the JSON text of anything else."""
    if isinstance(value, np.ndarray) and value.dtype != object:
        data = str(value.dtype).encode() + str(value.shape).encode() + np.ascontiguousarray(value).tobytes()
    else:
        data = json.dumps(value, sort_keys=True, default=str).encode()
    return hashlib.sha256(data).hexdigest()[:16]


def log_hashes(name: str, log: Log) -> Hashes:
    """One hash a column, forces included, and one of the times and kinds of the events."""
    hashes = {f"{name} {column}": hashed(log[column]) for column in log.names}
    hashes[f"{name} events"] = hashed([(event.time_s, event.kind) for event in log.events])
    return hashes


def motion_hashes(name: str, batch: pelagos.Batch) -> Hashes:
    """Place, attitude and velocity of every vehicle."""
    return {f"{name} {what}": hashed(getattr(batch.view, what)) for what in ("position_n", "quaternion", "nu")}


def scenarios() -> Hashes:
    """The logs of all ready scenarios."""
    hashes: Hashes = {}
    for name in SCENARIOS.names():
        progress(name)
        for vehicle, log in run_scenario(load_scenario(name, {"output.forces": True})).logs.items():
            hashes |= log_hashes(f"{name}/{vehicle}", log)
    return hashes


def flights() -> Hashes:
    """The recorded console flights, flown again."""
    hashes: Hashes = {}
    for path in sorted(FLIGHTS.glob("*.orders.jsonl")):
        progress(path.name)
        hashes |= log_hashes(path.name.partition(".")[0], rerun(path))
    return hashes


def batches() -> Hashes:
    """A batch by open-loop commands in both precisions, and one under autopilots in a current."""
    hashes: Hashes = {}
    n = 64
    for dtype in ("float64", "float32"):
        progress(dtype)
        batch = pelagos.Batch("remus100", n=n, dtype=dtype)
        factors = np.random.default_rng(1).uniform(0.8, 1.2, n)
        batch.scale("Y_uv", factors)
        batch.place(depth_m=10.0, surge_m_s=1.5)
        batch.actuators.set(thrusters=[0.75 * batch.vehicle.thrusters[0].maximum], surfaces=[-np.radians(5.0), 0.0])
        batch.advance(20.0)
        hashes |= motion_hashes(dtype, batch)
    progress("autopilot")
    sea = pelagos.World(depth_m=30.0, current_m_s=0.2, current_to_deg=60.0)
    batch = pelagos.Batch("bluerov2_heavy", n=n, world=sea)
    batch.place(depth_m=2.0)
    pilot = VectorAutopilot(batch.vehicle, n, interval_s=batch.interval_s)
    pilot.command(depth_m=np.linspace(3.0, 9.0, n), heading_deg=90.0)
    batch.run(20.0, control=pilot)
    return hashes | motion_hashes("autopilot", batch)


def campaigns() -> Hashes:
    """Two small campaigns: every column of their results."""
    hashes: Hashes = {}
    for name, runs in CAMPAIGNS.items():
        progress(name)
        with tempfile.TemporaryDirectory() as folder:
            run_command("campaign", name, "--runs", str(runs), "--out", f"{folder}/out")
            table = load_results(f"{folder}/out").table
        for column, values in table.items():
            if column not in WALL_COLUMNS:
                hashes[f"{name} {column}"] = hashed(values if values.dtype != object else values.tolist())
    return hashes


def reproduction() -> Hashes:
    """The numbers and the verdict of every claim."""
    progress("five documents")
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "r.json")
        run_command("reproduce", "--out", str(report.with_suffix(".html")), "--json", str(report))
        documents = json.loads(report.read_text(encoding="utf-8"))["documents"]
    return {
        f"{document['key']} {claim['key']}": hashed([claim["numbers"], claim["ours"], claim["verdict"]])
        for document in documents
        for part in document["parts"]
        for claim in part["claims"]
        if claim["key"] not in WALL_CLAIMS
    }


GROUPS: dict[str, Callable[[], Hashes]] = {
    "scenario": scenarios,
    "flight": flights,
    "batch": batches,
    "campaign": campaigns,
    "reproduce": reproduction,
}


def run_command(*words: str) -> None:
    """Run `pelagos` in a process of its own and stop with its message if it fails."""
    done = subprocess.run([sys.executable, "-m", "pelagos", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"pelagos {' '.join(words)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")


def progress(text: str) -> None:
    """One line on the screen for each thing that takes seconds."""
    print(f"  {text}", file=sys.stderr, flush=True)


def compare(before: dict[str, Hashes], after: dict[str, Hashes], groups: Iterable[str]) -> bool:
    """Print what differs between two recordings, group by group; True if nothing does."""
    same = True
    for group in groups:
        old, new = before.get(group, {}), after[group]
        differing = [name for name in old if name in new and old[name] != new[name]]
        gone, added = [name for name in old if name not in new], [name for name in new if name not in old]
        print(f"{group}: {len(new)} items, {len(differing)} differ, {len(gone)} missing, {len(added)} new")
        for kind, names in (("differs", differing), ("missing", gone), ("new", added)):
            items: dict[str, list[str]] = {}
            for name in names:
                run, _, item = name.partition(" ")
                items.setdefault(run, []).append(item)
            for run, some in items.items():
                more = f" and {len(some) - SHOWN} more" if len(some) > SHOWN else ""
                print(f"  {kind:8} {run}: {', '.join(some[:SHOWN])}{more}")
        same = same and not (differing or gone or added)
    return same


def main() -> int:
    """Record, and compare if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="where the recording goes (JSON)")
    parser.add_argument("--against", type=Path, metavar="FILE", help="an earlier recording to compare with")
    parser.add_argument(
        "--only", nargs="+", choices=GROUPS, default=list(GROUPS), metavar="GROUP", help="the groups to record"
    )
    arguments = parser.parse_args()
    recorded: dict[str, Hashes] = {}
    try:
        before = json.loads(arguments.against.read_text(encoding="utf-8")) if arguments.against else None
        for group in arguments.only:
            print(group, file=sys.stderr, flush=True)
            recorded[group] = GROUPS[group]()
        arguments.file.write_text(json.dumps(recorded, indent=1), encoding="utf-8")
    except (PelagosError, OSError, ValueError) as problem:
        raise SystemExit(f"behaviour: {problem}") from None
    print(f"{arguments.file}: {sum(map(len, recorded.values()))} hashes")
    return 0 if before is None or compare(before, recorded, arguments.only) else 1


if __name__ == "__main__":
    raise SystemExit(main())
