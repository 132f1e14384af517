"""Feed mutated input to every reader; report and save each that gives a traceback, a hang or a crash.

    python scripts/fuzz.py                          100000 inputs over all targets, a night's work
    python scripts/fuzz.py --inputs 2000 --seed 7 --targets world scenario
    python scripts/fuzz.py --list

An input is fine if it is accepted or refused with one sentence (a PelagosError without line breaks). Inputs come from
`--seed` alone, so that a run can be repeated; each target runs in a process of its own, started anew after an input
that hangs or crashes it. Inputs that fail are saved in the folder `--out`; the exit code is 1 if there is any.

It is one file because the process of a target runs it too, and because a new reader adds its seeds, its mutations and
its line of TARGETS together.
"""

from __future__ import annotations

import argparse
import io
import json
import math
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
import threading
import traceback
import warnings
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import pelagos
from pelagos.errors import PelagosError

ROOT = Path(pelagos.__file__).parent
SECONDS = 20.0  # an input may take
START = 1800.0  # s a process may take before its first input: compiling on a slow machine
SLOW = ("netcdf", "figure", "run")  # a tenth of the inputs: each takes long
NUMBERS = """nan inf -inf -1 0 -0.0 1 2 3 0.5 10 100 1e3 1e6 1e9 1e12 1e19 1e-3 1e-9 1e-19 1e308 -1e308 5e-324 1e400
360 -90 9223372036854775807 9223372036854775808""".split()
# values that readers often get wrong: not finite, too long, nested too deeply, of another type, paths, markup
NASTY = [
    *NUMBERS,
    *r"""true false "" "x" "nan" "." "~" "/etc/passwd" "/dev/zero" "/tmp" "a\nb" "\u0000" "\u001b[2J" "$\\frac{$" "<b>"
    "remus100" [] [[]] [1] [1,2,3] [nan,nan,nan] [1e308,1e308,1e308] [0,0,0] ["a",1] {} {value=1} {value=nan} {a={b=1}}
    1979-05-27 07:32:00 1_000 0b1""".split(),
    *("9" * 400, "9" * 5000, "0x" + "f" * 400, "[" * 400 + "]" * 400, "[" * 20000, '"' + "A" * 5000 + '"'),
    *("[[1.0,2.0]," * 300, "[" + "1.0," * 3000 + "]", "a." * 3000 + "b", '"' + "x/" * 3000 + '.stl"', '"\U0001f41f"'),
]
NUMBER = re.compile(r"-?\d+\.?\d*(?:e[+-]?\d+)?")


def mutated_toml(r: random.Random, texts: list[str]) -> bytes:
    """A library file with some lines changed, moved, doubled or cut."""
    lines = r.choice(texts).splitlines()
    for _ in range(r.choice((1, 1, 1, 2, 3))):
        if not lines:
            break
        k = r.randrange(len(lines))
        pairs = [n for n, line in enumerate(lines) if "=" in line and not line.lstrip().startswith("#")] or [k]
        how, at = r.random(), r.choice(pairs)
        key, _, value = lines[at].partition("=")
        numbers = list(NUMBER.finditer(value))
        if how < 0.5:
            lines[at] = f"{key}= {r.choice(NASTY)}"
        elif how < 0.65 and numbers:
            match = r.choice(numbers)
            lines[at] = f"{key}={value[: match.start()]}{r.choice(NUMBERS)}{value[match.end() :]}"
        elif how < 0.72:
            lines[at] = f"{r.choice(lines).partition('=')[0]}={value}"
        elif how < 0.78:
            del lines[k : k + r.randrange(1, 8)]
        elif how < 0.85:
            lines[k:k] = r.choice(texts).splitlines()[: r.randrange(1, 8)]
        elif how < 0.92:
            lines.insert(r.randrange(len(lines)), lines.pop(k))
        else:
            lines = mutated_bytes(r, "\n".join(lines).encode()).decode("utf-8", "replace").splitlines()
    return ("\n".join(lines) + "\n").encode("utf-8", "surrogatepass")


def mutated_bytes(r: random.Random, data: bytes) -> bytes:
    """Bytes set, flipped, cut, doubled, or replaced by numbers that make sizes and coordinates large."""
    b = bytearray(data or b"\0")
    for _ in range(r.choice((1, 1, 2, 3, 8))):
        p, how = r.randrange(len(b) or 1), r.random()
        if how < 0.35:
            b[p : p + 1] = bytes([r.randrange(256)])
        elif how < 0.5:
            b[p : p + 1] = bytes([(b[p] if b else 0) ^ (1 << r.randrange(8))])
        elif how < 0.65:
            del b[p : p + r.randrange(1, 64)]
        elif how < 0.75:
            b[p:p] = b[p : p + r.randrange(1, 64)]
        elif how < 0.85:
            width = r.choice((1, 2, 4, 8))
            b[p : p + width] = r.choice((0, 1, 2**31 - 1, 2**31, 2**63 - 1, 2**64 - 1)).to_bytes(8, "little")[:width]
        elif how < 0.93:
            b[p : p + 8] = struct.pack(r.choice("<>") + "d", r.choice((math.nan, math.inf, 1e308, -1e308, 1e-320)))
        else:
            del b[p:]
    return bytes(b)


def mutated_text(r: random.Random, data: bytes) -> bytes:
    """Words of lines replaced, lines doubled or dropped; sometimes bytes."""
    if r.random() < 0.3:
        return mutated_bytes(r, data)
    words = ("nan inf 1e308 1e400 -1 0 x , 99999999999999999999 1/2/3 0/0 1e-320 0x10 null true {} [] time_s").split()
    lines = data.decode("latin1").split("\n")
    for _ in range(r.choice((1, 1, 2, 4))):
        k = r.randrange(len(lines))
        cells = re.split(r"([ ,:])", lines[k])
        cells[r.randrange(len(cells))] = r.choice(words)
        lines[k] = "".join(cells)
        if r.random() < 0.3:
            lines.insert(k, r.choice([*lines, *META]))
        if r.random() < 0.1 and len(lines) > 1:
            del lines[k]
    return "\n".join(lines).encode("utf-8", "surrogatepass")


# comment lines above the columns of a log that break its metadata and events
META = [
    "# x: " + "[" * 5000, "# x: NaN", "# vehicle: 5", "# versions: 3", "# meta: {}", "# :", "\x00",
    '# event: {"time_s": NaN, "kind": "a", "text": "b"}', "# event: []", "# x: " + "9" * 5000,
    '# event: {"time_s": ' + "9" * 400 + ', "kind": "a", "text": "b"}',
    '# event: {"time_s": 1e300, "kind": "a", "text": ""}',
]  # fmt: skip


def mutated_archive(r: random.Random, data: bytes) -> bytes:
    """A zip archive: its bytes, or those of one member under a sound checksum."""
    if r.random() < 0.3:
        return mutated_bytes(r, data)
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        victim = r.choice(old.namelist())
        for name in old.namelist():
            if name != victim or r.random() < 0.9:
                new.writestr(name, mutated_bytes(r, old.read(name)) if name == victim else old.read(name))
    return out.getvalue()


def toml_target(pattern: str, use: Callable[[Path], object]) -> Callable[[Path], Target]:
    """A target whose seeds are library files."""

    def make(folder: Path) -> Target:
        texts = [path.read_text(encoding="utf-8") for path in sorted(ROOT.glob(pattern))]
        return lambda r: ("x.toml", mutated_toml(r, texts)), use

    return make


Target = tuple[Callable[[random.Random], tuple[str, bytes]], Callable[[Path], object]]


def part(path: Path) -> None:
    """A part is a sensor or a cable."""
    try:
        pelagos.load_sensor(path)
    except PelagosError:
        pelagos.load_cable(path)


def campaign(path: Path) -> None:
    """Read a campaign file."""
    from pelagos.campaign.read import load_campaign

    load_campaign(path)


def task(path: Path) -> None:
    """Read a task for pilots."""
    from pelagos.training.task import load_task

    load_task(path)


def read_log(path: Path) -> None:
    """Read a log, its events and columns."""
    log = pelagos.load_log(path)
    _ = (str(log), repr(log.events), len(log), list(log.columns))


def figure(path: Path) -> None:
    """Draw a log."""
    from pelagos.analysis.plots import plot_mission

    plot_mission(pelagos.load_log(path), path.with_suffix(".png"))


def sample_log() -> Any:
    """Return a short log with a name that TeX cannot set."""
    n = 8
    names = """time_s north_m east_m depth_m roll_deg pitch_deg heading_deg surge_m_s sway_m_s heave_m_s roll_rate_deg_s
    pitch_rate_deg_s yaw_rate_deg_s altitude_m""".split()
    columns = {name: np.linspace(0.0, 1.0 + k, n) for k, name in enumerate(names)}
    events = [pelagos.Event(0.5, "fault", r"a $\frac{$ leak")]
    return pelagos.Log(columns, {"vehicle": r"$\frac{$", "seed": 1}, events=events)


def binary_target(names: Iterable[str], use: Callable[[Path], object]) -> Callable[[Path], Target]:
    """A target whose seeds are made by `seeds`."""

    def make(folder: Path) -> Target:
        files = [(name, seeds(folder, name)) for name in names]

        def draw(r: random.Random) -> tuple[str, bytes]:
            name, data = r.choice(files)
            how = mutated_text if name.endswith((".csv", ".txt", ".obj", ".json")) else mutated_bytes
            how = mutated_archive if name.endswith(".npz") else how
            return name, how(r, data)

        return draw, use

    return make


def seeds(folder: Path, name: str) -> bytes:
    """A sound file of a kind, made once."""
    path = folder / f"seed-{name}"
    if path.exists():
        return path.read_bytes()
    z = 20.0 + np.random.default_rng(1).random((6, 5))
    kind = path.suffix
    if name == "log.csv":
        sample_log().to_csv(path)
    elif name == "log.npz":
        sample_log().save(path)
    elif name == "log.parquet":
        sample_log().to_parquet(path)
    elif name == "log.mcap":
        from pelagos.links.ros.mcap import convert

        sample_log().to_csv(folder / "x.csv")
        convert(folder / "x.csv", path)
    elif kind == ".json":
        sample_log().to_csv(folder / "x.csv")
        path = folder / "x.json"
        path.write_text(path.read_text())
    elif kind in (".png", ".jpg", ".gif", ".bmp"):
        from PIL import Image

        grey = np.full((40, 30), 255, np.uint8)
        grey[20:23] = 0
        Image.fromarray(grey).save(path)
    elif kind == ".tif":
        import tifffile

        keys = (1, 1, 0, 2, 1024, 0, 1, 2, 1025, 0, 1, 1)
        tie = (0.0, 0.0, 0.0, 10.0, 60.0, 0.0)
        tags = [(33550, "d", 3, (0.001, 0.001, 0.0), True), (33922, "d", 6, tie, True), (34735, "H", 12, keys, True)]
        tifffile.imwrite(path, (-z).astype("f4"), extratags=tags)
    elif kind == ".nc":
        import xarray

        axes = {"lat": 60.0 + 0.001 * np.arange(6), "lon": 10.0 + 0.001 * np.arange(5)}
        data = xarray.Dataset({"elevation": (("lat", "lon"), -z, {"units": "m"})}, coords=axes)
        data.to_netcdf(path, engine="scipy" if "3" in name else "h5netcdf")
    elif kind == ".npy":
        np.save(path, z)
    elif kind in (".csv", ".txt"):
        np.savetxt(path, z if name == "map.csv" else np.column_stack([np.arange(9), np.full(9, 20.0)]), delimiter=",")
    else:
        import trimesh

        trimesh.creation.box((1, 1, 1)).export(path)
    return path.read_bytes()


def load_height_map(path: Path) -> None:
    """Load a seabed grid from a file."""
    georeferenced = path.suffix in (".tif", ".nc")
    extra: dict[str, Any] = {} if georeferenced else {"spacing_m": 1.0}
    extra |= {"shallowest_m": 5.0, "deepest_m": 30.0} if path.suffix == ".png" else {}
    pelagos.World(seabed=pelagos.Seabed(kind="grid", file=str(path), **extra))


def load_profile(path: Path) -> None:
    """Load a seabed profile from a file."""
    pelagos.World(seabed=pelagos.Seabed(kind="profile", file=str(path)))


def load_mesh(path: Path) -> None:
    """Load a structure from a mesh file."""
    pelagos.World(depth_m=30.0, structures=(pelagos.Structure(kind="mesh", file=str(path), center_m=(5, 0, 10)),))


def parse_expression(path: Path) -> None:
    """Parse a condition of a scenario, or else an expression of a campaign."""
    from pelagos.campaign.expressions import Expression
    from pelagos.sim.faults.conditions import Condition

    text = path.read_text(encoding="utf-8")
    try:
        Condition(text)
    except PelagosError:
        Expression(text)


def convert_mcap(path: Path) -> None:
    """Convert a damaged MCAP file."""
    from pelagos.links.ros.mcap import convert

    new = path.with_name("new.mcap")
    new.unlink(missing_ok=True)
    convert(path, new)


def derived(folder: Path) -> Target:
    """A vehicle from three numbers of any size, read back."""
    from pelagos.files.writer import to_toml
    from pelagos.vehicle.derive.torpedo import torpedo
    from pelagos.vehicle.load.vehicle import loads

    def draw(r: random.Random) -> tuple[str, bytes]:
        numbers = [10.0 ** r.uniform(-3.0, 4.0) if r.random() < 0.9 else float(r.choice(NUMBERS)) for _ in range(4)]
        return "x.json", json.dumps(numbers).encode()

    def use(path: Path) -> None:
        length, radius, mass, speed = json.loads(path.read_text())
        loads(to_toml(torpedo(length, 0.1 * radius, mass, speed_m_s=speed)), "x.toml")

    return draw, use


def flown(folder: Path) -> Target:
    """Scenarios that are read are flown for half a second: numbers of the size of work are numbers in files too."""
    names = ("first-dive", "rov-tether-hover")
    texts = [(ROOT / "scenario" / "library" / f"{name}.toml").read_text(encoding="utf-8") for name in names]

    def use(path: Path) -> None:
        pelagos.load_scenario(path, {"duration_s": 0.5}).run()

    for name in names:  # compiles what is needed, outside the time of an input
        pelagos.load_scenario(name, {"duration_s": 0.5}).run()
    return lambda r: ("x.toml", mutated_toml(r, texts)), use


WORDS = """depth_m time_s speed_m_s 1 0 -1 1e9 nan True 's' abs min max ( ) , + - * / ** < > == and or not if else
lambda . __class__ [ ] { } abs( := % @ ~ 9**9**9 1j""".split()


def expressions(folder: Path) -> Target:
    """Words of expressions in any order, and some too deep or too long."""
    long = ["(" * 500, "-" * 5000 + "depth_m > 1", "not " * 3000 + "depth_m > 1", "+".join(["depth_m"] * 3000) + "> 1",
            "depth_m > " + "9" * 5000, "\0"]  # fmt: skip

    def draw(r: random.Random) -> tuple[str, bytes]:
        some = " ".join(r.choice(WORDS) for _ in range(r.randrange(1, 14)))
        return "x.txt", (r.choice(long) if r.random() < 0.02 else some).encode()

    return draw, parse_expression


TARGETS: dict[str, Callable[[Path], Target]] = {
    "vehicle": toml_target("vehicle/library/*.toml", pelagos.load_vehicle),
    "part": toml_target("vehicle/parts/*.toml", part),
    "world": toml_target("world/library/*.toml", pelagos.load_world),
    "scenario": toml_target("scenario/library/*.toml", pelagos.load_scenario),
    "campaign": toml_target("campaign/library/*.toml", campaign),
    "task": toml_target("training/tasks/*.toml", task),
    "log": binary_target(("log.csv", "log.npz", "log.parquet", "log.json"), read_log),
    "figure": binary_target(("log.csv",), figure),
    "map": binary_target(("map.png", "map.npy", "map.csv", "map.tif"), load_height_map),
    "netcdf": binary_target(("map3.nc", "map4.nc"), load_height_map),
    "line": binary_target(("line.png", "line.jpg", "line.gif", "line.bmp", "line.txt"), load_profile),
    "mesh": binary_target(("box.stl", "box.obj", "box.glb"), load_mesh),
    "expression": expressions,
    "mcap": binary_target(("log.mcap",), convert_mcap),
    "derive": derived,
    "run": flown,
}


def inputs(target: str, seed: int, folder: Path) -> Iterator[tuple[str, bytes]]:
    """The inputs of a target, always the same for a seed."""
    return drawn(TARGETS[target](folder)[0], target, seed)


def drawn(draw: Callable[[random.Random], tuple[str, bytes]], target: str, seed: int) -> Iterator[tuple[str, bytes]]:
    """What a target draws with a seed."""
    r = random.Random(f"{target} {seed}")
    while True:
        yield draw(r)


def judged(use: Callable[[Path], object], path: Path) -> str:
    """What went wrong; empty if an input is accepted or refused in one sentence."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            use(path)
    except PelagosError as problem:
        return "" if str(problem).isprintable() and str(problem) else f"no sentence: {str(problem)!r}"
    except BaseException as problem:
        if isinstance(problem, KeyboardInterrupt):
            raise
        own = [f for f in traceback.extract_tb(problem.__traceback__) if str(ROOT) in f.filename]
        where = f"{Path(own[-1].filename).relative_to(ROOT)}:{own[-1].lineno}" if own else "?"
        return f"{type(problem).__name__} at {where}: {str(problem)[:200]}"
    return ""


def work(target: str, seed: int, first: int, last: int, folder: Path) -> None:
    """The process of a target: one line of JSON for each input, before it is used and after."""
    os.chdir(folder)
    draw, use = TARGETS[target](folder)
    for k, (name, data) in enumerate(drawn(draw, target, seed)):
        if k >= last:
            break
        if k < first:
            continue
        path = folder / f"x{Path(name).suffix}"
        path.write_bytes(data)
        print(json.dumps([k, path.name]), flush=True)
        verdict = judged(use, path)
        if verdict:
            path.replace(folder / f"found-{path.name}")  # the next input gets its name
        print(json.dumps([k, verdict]), flush=True)
        if verdict:
            sys.stdin.readline()  # until it is saved


def fuzz(target: str, count: int, seed: int, out: Path | None = None, seconds: float = SECONDS) -> list[str]:
    """Run a target; returns its failures, one line each. Failures at the same place count once."""
    failures: dict[str, str] = {}
    first = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        while first < count:
            words = [sys.executable, __file__, "--work", target, str(seed), str(first), str(count), scratch]
            process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            assert process.stdin is not None and process.stdout is not None
            at, name, over = first, "", False
            # the first answer waits for imports and compilation, the others for the input alone
            clock = threading.Timer(seconds + START, process.kill)
            clock.start()
            for line in process.stdout:
                clock.cancel()
                clock = threading.Timer(seconds, process.kill)
                clock.start()
                k, verdict = json.loads(line)
                over = not over
                at, name = (k, verdict) if over else (k + 1, name)
                if not over and verdict:
                    _keep(failures, verdict, f"{target} {k}: {verdict}", folder / f"found-{name}", out)
                    process.stdin.write("\n")
                    process.stdin.flush()
            clock.cancel()
            process.stdin.close()
            process.stdout.close()
            code = process.wait()
            if code == 0:
                break
            if not over:
                return [*failures.values(), f"{target}: the process ended with exit code {code} between two inputs"]
            why = f"no answer within {seconds:g} s" if code == -9 else f"crash, exit code {code}"
            _keep(failures, why, f"{target} {at}: {why}", folder / name, out)
            first = at + 1
    return list(failures.values())


def _keep(failures: dict[str, str], verdict: str, line: str, path: Path, out: Path | None) -> None:
    kind = verdict.split(": ")[0]
    if kind in failures:
        return
    failures[kind] = line
    if out is not None and path.exists():
        out.mkdir(parents=True, exist_ok=True)
        kept = out / re.sub(r"[^\w.]+", "-", f"{line.split(':')[0]}{path.suffix}")
        kept.write_bytes(path.read_bytes())
        failures[kind] += f" -> {kept}"


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=100_000, help="over all targets, default 100000")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--targets", nargs="*", choices=[*TARGETS], default=[*TARGETS])
    parser.add_argument("--out", type=Path, default=Path("fuzz-found"), help="folder for inputs that were found")
    parser.add_argument("--list", action="store_true", help="the targets")
    parser.add_argument("--work", nargs=5, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.list:
        print("\n".join(TARGETS))
        return 0
    if given.work:
        target, seed, first, last, folder = given.work
        work(target, int(seed), int(first), int(last), Path(folder))
        return 0
    share = {target: 0.1 if target in SLOW else 1.0 for target in given.targets}
    bad = 0
    for target in given.targets:
        count = math.ceil(given.inputs * share[target] / sum(share.values()))
        failures = fuzz(target, count, given.seed, given.out)
        bad += len(failures)
        print(f"{target}: {count} inputs, {len(failures)} findings", *failures, sep="\n  ", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
