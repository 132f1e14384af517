"""The simulated pilot: the crossover law in numbers, looks and delays, and that a wrong pilot does not hover."""

from __future__ import annotations

import cmath
import math
from dataclasses import replace

import numpy as np
import pytest

from pelagos.control.base import SURGE, SWAY
from pelagos.session.rig import rig
from pelagos.training.targets.hover import Hover
from pelagos.training.targets.pipeline import Pipeline
from pelagos_evidence.royer.pilots import experiments
from pelagos_evidence.royer.pilots.experiments import CASES, HoverGoal, PipeGoal, hover_task, pipe_task
from pelagos_evidence.royer.pilots.pilot import NOVICE, TRAINED, SimulatedPilot


def hover_goal() -> HoverGoal:
    task = hover_task()
    assert isinstance(task.target, Hover)
    return HoverGoal(task.target, task.world_for(), 1.5)


def test_looks_go_round() -> None:
    goal = hover_goal()
    assert SimulatedPilot(TRAINED, goal, "ship up", False, 1).round_s == pytest.approx(1.0)
    assert SimulatedPilot(TRAINED, goal, "ship up", True, 1).round_s == pytest.approx(2.2)  # two readings of 0.6 s
    assert SimulatedPilot(TRAINED, goal, "camera", False, 1).round_s == pytest.approx(
        1.8
    )  # to the other screen and back
    assert SimulatedPilot(TRAINED, goal, "camera", True, 1).round_s == pytest.approx(2.3)  # the spot shows the depth
    way = pipe_task(False).target
    assert isinstance(way, Pipeline)
    assert SimulatedPilot(TRAINED, PipeGoal(way), "camera", True, 1).round_s == pytest.approx(3.0)
    assert SimulatedPilot(NOVICE, goal, "ship up", False, 1).round_s == pytest.approx(1.5)


def test_the_crossover_frequency_leaves_the_margin() -> None:
    pilot = SimulatedPilot(TRAINED, hover_goal(), "ship up", False, 1)
    assert pilot.delay_s(0.5) == pytest.approx(0.2 + 0.1 + 0.125 + 0.5 + 0.125 + 0.5)
    assert pilot.crossover_rad_s(0.5) * pilot.delay_s(0.5) == pytest.approx(math.radians(45.0))
    camera = SimulatedPilot(TRAINED, hover_goal(), "camera", False, 1)
    assert camera.crossover_rad_s(0.5) < pilot.crossover_rad_s(0.5)


def test_the_gains_make_an_integrator_of_the_vehicle() -> None:
    flight = rig(hover_task(), CASES[2].conditions(), seed=1)
    pilot = SimulatedPilot(TRAINED, hover_goal(), "ship up", False, 1)
    pilot.take(flight, np.zeros(6))
    w = pilot.crossover_rad_s(0.5)
    for axis, mass, drag, push in ((SURGE, 650.0, 150.0, 1000.0), (SWAY, 800.0, 200.0, 500.0)):
        law = pilot._axes[axis]
        s = 1j * w
        loop = law.gain * (1.0 + law.lead_s * s) * push / (s * (mass * s + drag))
        assert abs(loop) == pytest.approx(1.0, rel=0.06)  # the drag at 0.05 m/s is 5 % more than its linear part
        assert math.degrees(cmath.phase(loop)) == pytest.approx(-90.0, abs=2.0)


def test_a_novice_differs_in_the_said_direction() -> None:
    assert NOVICE.delay_s > TRAINED.delay_s
    assert NOVICE.eye_noise == pytest.approx(4.0 * TRAINED.eye_noise)  # 6 dB
    assert NOVICE.gain < TRAINED.gain
    assert NOVICE.metre == 0.74
    assert NOVICE.setting == 2.0 * TRAINED.setting


def test_same_seed_same_flight(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experiments, "HOVER_S", 5.0)
    first, again, other = (experiments.hover(CASES[2], seed) for seed in (7, 7, 8))
    assert first.measures == again.measures
    assert first.size_m != other.size_m


def test_a_pilot_who_pushes_the_wrong_way_never_gets_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experiments, "LIMIT_S", 40.0)
    backwards = replace(CASES[2], operator=replace(TRAINED, gain=-1.0))
    flight = experiments.hover(backwards, 1)
    assert flight.ended == "time limit"
    assert math.isnan(flight.size_m)
