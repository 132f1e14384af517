"""Answers of a mass on a spring, x_ddot + 2 zeta w x_dot + w^2 x = 0, against their closed forms."""

import math

import numpy as np
import pytest

from pelagos.control.tuning.gains import Steps, least_damping, least_dampings, step_answer

W = 0.8


def spring(zeta, w=W):
    return np.array([[0.0, 1.0], [-(w**2), -2.0 * zeta * w]])


@pytest.mark.parametrize("zeta", [0.1, 0.45, 0.7, 0.99])
def test_the_damping_of_a_spring_is_its_own(zeta):
    assert least_damping(spring(zeta)) == pytest.approx(zeta, rel=1e-9)


def test_what_grows_has_a_negative_damping_and_several_are_as_one():
    several = np.array([spring(0.3), spring(-0.2), spring(0.6, 2.0)])
    assert least_dampings(several) == pytest.approx([0.3, -0.2, 0.6], rel=1e-9)


@pytest.mark.parametrize("zeta", [0.2, 0.45, 0.7])
def test_a_spring_let_go_overshoots_by_the_closed_form(zeta):
    over, _ = step_answer(spring(zeta), 0, W)
    # 600 instants over 60 / w are 0.1 / w apart: half of that off the trough changes it by 0.13 %
    assert over == pytest.approx(math.exp(-math.pi * zeta / math.sqrt(1.0 - zeta**2)), rel=3e-3)


def test_it_is_settled_when_a_simple_decay_has_come_to_a_twentieth():
    _, settled = step_answer(np.array([[-W]]), 0, W)
    assert settled == pytest.approx(math.log(20.0) / W, abs=0.11 / W)  # the instants are 0.1 / w apart
    assert step_answer(spring(0.0005), 0, W)[1] == math.inf


def test_what_is_worse_than_asked_for_is_left_early_and_never_called_settled():
    steps = Steps(np.array([spring(0.2), spring(0.9)]), 0)
    assert steps.answer(0, W, most=0.05)[1] == math.inf
    assert steps.answer(1, W, most=0.05) == step_answer(spring(0.9), 0, W)
