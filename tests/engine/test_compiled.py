"""The disk cache: a new process reuses it, and it is never stale."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pelagos.engine import compiled
from tests.engine.toy import Toy


@pytest.mark.slow
def test_cache_notices_an_edit_in_a_callee(tmp_path: Path) -> None:
    """Numba alone would go on serving the old code: the caller's file did not change."""
    toy = Toy(tmp_path)
    assert toy.run() == ([20.0], ["one"])
    assert toy.run() == ([20.0], [])
    assert toy.stderr == ""
    toy.write(3.0)
    assert toy.run() == ([30.0], ["one"])


def test_every_engine_source_counts(tmp_path: Path) -> None:
    """Changing one byte of any file of the engine changes the name of the cache folder."""
    sources = sorted(compiled.ENGINE.rglob("*.py"))
    assert len(sources) > 20
    copies = []
    for path in sources:
        copy = tmp_path / path.relative_to(compiled.ENGINE)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
        copies.append(copy)
    before = compiled.source_hash(copies)
    assert before == compiled.source_hash(compiled.ENGINE.rglob("*.py"))
    for copy in copies:
        original = copy.read_bytes()
        copy.write_bytes(original + b"#")
        assert compiled.source_hash(copies) != before
        copy.write_bytes(original)


@pytest.mark.slow
def test_the_engine_starts_from_the_disk_cache() -> None:
    """A second process compiles nothing."""
    script = (
        "from pelagos.engine.waiting import WATCH\n"
        "from pelagos.vehicle.load.vehicle import load_vehicle\n"
        "from pelagos.vehicle.plant import Plant\n"
        "plant = Plant(load_vehicle('phoenix'))\n"
        "plant.advance(0.01, 1); plant.forces()\n"
        "print(len(WATCH.done))"
    )
    command = [sys.executable, "-c", script]
    done = [subprocess.run(command, capture_output=True, text=True, check=True) for _ in range(2)]
    assert done[1].stdout.split() == ["0"]
