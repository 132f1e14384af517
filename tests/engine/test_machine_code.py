"""Machine code on disk: damaged files are rebuilt, failed writes are reported, and all processes get the same bits."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine.toy import CALL, Toy

ALL = "import toy.caller as c\nvalues = [c.one(10.0), c.two(10.0), c.three(10.0)]"


@pytest.mark.slow
def test_damaged_files_are_made_again(tmp_path: Path) -> None:
    """Truncated, altered, or another entry's file: detected before any of it is loaded."""
    toy = Toy(tmp_path)
    assert toy.run(ALL) == ([20.0, 21.0, 22.0], ["one", "two", "three"])
    whole = {path: path.read_bytes() for path in toy.files()}
    for path, data in whole.items():
        if ".one" in path.name:
            path.write_bytes(data[: len(data) // 2])
        elif ".two" in path.name:
            path.write_bytes(data[: len(data) // 2] + bytes(255 - x for x in data[len(data) // 2 :]))
        else:
            path.write_bytes(next(whole[other] for other in whole if ".one" in other.name))
    assert toy.run(ALL) == ([20.0, 21.0, 22.0], ["one", "two", "three"])
    assert toy.run(ALL) == ([20.0, 21.0, 22.0], [])
    assert sorted(whole) == toy.files()
    for path in whole:
        path.write_bytes(b"")
    assert toy.run(CALL) == ([20.0], ["one"])


@pytest.mark.slow
def test_a_cache_that_cannot_be_written_is_reported_and_nothing_is_kept_elsewhere(tmp_path: Path) -> None:
    """An edit takes effect at once, and no cache is written beside the sources."""
    toy = Toy(tmp_path)
    toy.cache.write_text("a file where the folder should be")
    assert toy.run(ALL)[0] == [20.0, 21.0, 22.0]
    warnings = [line for line in toy.stderr.splitlines() if "not kept" in line]
    assert len(warnings) == 1 and str(toy.cache) in warnings[0] and "PELAGOS_CACHE_DIR" in warnings[0]
    assert toy.left_in_sources() == []
    toy.write(3.0)
    assert toy.run() == ([30.0], ["one"])


@pytest.mark.slow
def test_without_a_home_directory_and_another_process_it_still_runs(tmp_path: Path) -> None:
    """Each is reported once, in a separate sentence."""
    nowhere = (
        "import os, pwd, sys\n"
        "def nobody(*_): raise KeyError('no such user')\n"
        "pwd.getpwuid = nobody\n"
        "for name in ('HOME', 'XDG_CACHE_HOME', 'PELAGOS_CACHE_DIR'): os.environ.pop(name, None)\n"
        "sys.executable = ''\n"
    )
    toy = Toy(tmp_path)
    assert toy.run(nowhere + ALL) == ([20.0, 21.0, 22.0], ["one", "two", "three"])
    assert toy.stderr.count("there is no home directory") == 1
    assert toy.stderr.count("the engine is compiled inside this process (there is no Python to start)") == 1
    assert "may differ in the last bits" in toy.stderr
    assert toy.left_in_sources() == []


@pytest.mark.slow
def test_the_process_that_compiles_gets_the_same_bits_as_later_ones(tmp_path: Path) -> None:
    """With the pressure head under waves, whose sums the compiler regroups wherever they are inlined."""
    script = (
        "import sys, numpy as np\n"
        "from pelagos.engine.water.waves import sample_wave_head\n"
        "from pelagos.world.load import load_world\n"
        "rng = np.random.default_rng(3)\n"
        "points, times, out = rng.uniform(0.0, 10.0, (500, 3)), rng.uniform(0.0, 100.0, 500), np.zeros(500)\n"
        "sample_wave_head(load_world('open_ocean').packed(), points, times, out)\n"
        "sys.stdout.buffer.write(out.tobytes())\n"
    )
    environment = Toy(tmp_path).environment()
    runs = [
        subprocess.run(
            [sys.executable, "-c", "import sys\n" + script], capture_output=True, env=environment, check=True
        )
        for _ in range(2)
    ]
    first, second = (hashlib.sha256(run.stdout).hexdigest() for run in runs)
    assert len(runs[0].stdout) == 500 * 8
    assert first == second
