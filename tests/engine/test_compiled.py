"""The disk cache: found again by a new process, and never stale."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from pelagos.engine import compiled

CALLER = """
from pelagos.engine.compiled import entry
from {package}.term import term

@entry
def call(x):
    return term(x)
"""
TERM = """
from pelagos.engine.compiled import compiled

@compiled
def term(x):
    return {factor} * x
"""
RUN = """
import sys
from pathlib import Path
sys.path.insert(0, {folder!r})
from pelagos.engine import compiled
# the cache folder of an engine whose sources are these files
compiled.CACHE = compiled.cache_root() / compiled.source_hash(Path({folder!r}).rglob("*.py"))
from toy.caller import call
value = call(10.0)
hits = sum(call.stats.cache_hits.values())
print(value, hits)
"""


def run(folder: Path, cache: Path) -> tuple[float, int]:
    environment = {**os.environ, "PELAGOS_CACHE_DIR": str(cache)}
    script = RUN.format(folder=str(folder))
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=True)
    value, hits = done.stdout.split()
    return float(value), int(hits)


def test_cache_notices_an_edit_in_a_callee(tmp_path: Path) -> None:
    """Numba alone would go on serving the old code: the caller's file did not change."""
    toy = tmp_path / "source" / "toy"
    toy.mkdir(parents=True)
    (toy / "__init__.py").write_text("")
    (toy / "caller.py").write_text(CALLER.format(package="toy"))
    (toy / "term.py").write_text(TERM.format(factor=2.0))
    cache = tmp_path / "cache"
    assert run(toy.parent, cache) == (20.0, 0)  # compiled
    assert run(toy.parent, cache) == (20.0, 1)  # found on disk
    (toy / "term.py").write_text(TERM.format(factor=3.0))
    assert run(toy.parent, cache) == (30.0, 0)  # compiled anew


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


def test_the_engine_starts_from_the_disk_cache(tmp_path: Path) -> None:
    """A second process compiles nothing: no file is added to the cache."""
    script = (
        "from pelagos.vehicle.load.vehicle import load_vehicle\n"
        "from pelagos.vehicle.plant import Plant\n"
        "plant = Plant(load_vehicle('phoenix'))\n"
        "plant.advance(0.01, 1); plant.forces()\n"
        "for f in (plant.kernel.advance, plant.kernel.evaluate):\n"
        "    print(sum(f.stats.cache_hits.values()))"
    )
    first = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    files = sorted(compiled.CACHE.rglob("*.nbc"))
    second = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert first.returncode == 0 and second.stdout.split() == ["1", "1"]
    assert sorted(compiled.CACHE.rglob("*.nbc")) == files
