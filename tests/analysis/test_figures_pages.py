"""The code of docs/figures.md and docs/plotter.md runs as printed."""

import re
from pathlib import Path

import pytest

pytest.importorskip("matplotlib")
DOCS = Path(__file__).parents[2] / "docs"


def run(page):
    names = {}
    for block in re.findall(r"^```python\n(.*?)^```", (DOCS / page).read_text(), re.M | re.S):
        exec(compile(block, page, "exec"), names)
    return names


@pytest.mark.slow
def test_figures(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = run("figures.md")
    written = {path.name for path in tmp_path.iterdir()}
    assert {"depth.png", "run-plan.png", "run-plan.svg", "run-speed.svg", "run.html", "fleet.png"} <= written
    assert len(names["files"]) == 4


@pytest.mark.slow
def test_plotter(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = run("plotter.md")
    assert names["files"][:3] == ["data-3-01.png", "data-3-02.png", "data-3.gif"]
    assert sum(title.startswith("beam_") for title in names["table"].titles) == 6


def test_every_page_is_documented():
    from pelagos.analysis.pages.pages import PAGES

    text = (DOCS / "figures.md").read_text()
    assert all(f"| {name} |" in text for name in PAGES)
