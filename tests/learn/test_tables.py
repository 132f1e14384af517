"""The page on learning: its code runs, its tables are those of the tasks."""

import pytest

import pelagos.learn
from pelagos.learn.env import VectorEnvironment
from pelagos.learn.registration import EPISODE_STEPS
from pelagos.learn.tables import describe, field_table, task_table
from tests.docs_text import read, run_python

PAGE = "docs/learning.md"


def test_the_tables_are_those_of_the_tasks():
    lines = read(PAGE).splitlines()
    for table in (task_table(), field_table()):
        first = lines.index(table[0])
        assert lines[first : first + len(table)] == table  # python scripts/learning_tables.py writes them anew


@pytest.mark.slow
def test_the_code_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    left = run_python(PAGE)
    assert left["picture"].shape == (340, 720, 3)
    assert (left["rewards"] > 0.0).all() and left["envs"].single_observation_space.shape == (9,)


def test_a_description_has_every_number_and_the_reward():
    for task in EPISODE_STEPS:
        text = describe(task)
        assert f"pelagos/{task}-v0" in text and "randomised: " in text
    text = describe("Docking")
    assert "reward = 0.6 / (1 + (d / 1 m)^2)" in text and " 13  touching" in text
    names = VectorEnvironment("DepthHeading").actions.names
    assert f"actions: {', '.join(names)}\n" in describe("DepthHeading")


def test_what_the_package_offers_is_that_also_the_second_time():
    assert pelagos.learn.describe("Docking") == pelagos.learn.describe("Docking") == describe("Docking")
