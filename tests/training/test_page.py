"""The code of docs/training.md runs, its task loads, its tables name what there is."""

import dataclasses
import re
from pathlib import Path

import pytest

from pelagos.files.library import TASKS
from pelagos.training.conditions import Conditions
from pelagos.training.targets.kinds import KINDS
from pelagos.training.task import load_task

PAGE = Path(__file__).parents[2] / "docs" / "training.md"
TEXT = PAGE.read_text()


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.M | re.S)


@pytest.mark.slow
def test_the_code_of_the_page_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in blocks("python"):
        exec(compile(block, "docs/training.md", "exec"), names)
    out = capsys.readouterr().out
    assert "completed" in out and "hover 1" in out
    assert names["result"].score > 60.0  # an autopilot in a current: better than a beginner
    assert names["by_hand"].score < names["result"].score
    assert (tmp_path / "hover.png").stat().st_size > 20_000


def test_the_task_of_the_page_loads(tmp_path):
    (text,) = blocks("toml")
    path = tmp_path / "jetty.toml"
    path.write_text(text)
    task = load_task(path)
    assert task.world_for().structures[-1].name == "buoy"
    assert task.conditions == Conditions(current_m_s=0.2, current_to_deg=180.0)


def rows_after(heading):
    part = TEXT.split(heading, 1)[1]
    return [line.strip("|").split("|") for line in part.splitlines() if line.startswith("| `")]


def test_the_tables_name_every_task_condition_and_key():
    assert [row[0].strip(" `") for row in rows_after("# Training")[:5]] == TASKS.names()
    conditions = [row[0].strip(" `") for row in rows_after("## Conditions")[: len(dataclasses.fields(Conditions))]]
    assert conditions == [item.name for item in dataclasses.fields(Conditions)]
    kinds = {row[0].strip(" `"): row[1] for row in rows_after("## A task of one's own")[:5]}
    for kind, spec in KINDS.items():
        named = set(re.findall(r"`(\w+)`", kinds[kind]))
        assert {item.name for item in dataclasses.fields(spec)} - {"kind"} == named
