"""docs/world-files.md knows every key of world files and no other; its examples load and run."""

import re
import runpy
from pathlib import Path

import pytest

from pelagos.world.load import loads_world

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/world-files.md").read_text(encoding="utf-8")


def rows(text):
    return [line for line in text.splitlines() if line.startswith("| `")]


def test_the_tables_are_those_of_the_descriptions():
    """After a change: python scripts/world_keys.py."""
    made = runpy.run_path(str(ROOT / "scripts/world_keys.py"))["tables"]()
    assert rows(PAGE) == rows(made)
    assert len(rows(made)) > 80


def test_the_world_of_the_page_loads():
    (text,) = re.findall(r"^```toml\n(.*?)^```", PAGE, re.M | re.S)
    world = loads_world(text, "page")
    assert len(world.currents) == len(world.structures) == 1
    assert world.sources == ("current[0]: pilot book",)


@pytest.mark.slow
def test_the_code_of_the_page_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S)
    exec(compile(code, "world-files.md", "exec"), {})
    assert capsys.readouterr().out == "10 100.0\n"
    assert (tmp_path / "royer_field.png").exists()
