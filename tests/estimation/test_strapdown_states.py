"""Error states: order, and what drawn-once and wandering errors become."""

import math

import numpy as np
import pytest

from pelagos.estimation.strapdown import States


def test_there_are_fifteen_and_then_those_that_are_added():
    states = States()
    assert states.n == 15 and states.names[6] == "attitude x" and states.names[11] == "gyro bias z"
    assert states.add("current", 2, 0.3) == 15
    assert states.add("compass bias", 1, 0.0) == -1  # an instrument without this error needs no state
    assert states.add("compass bias", 1, 0.02) == 17
    assert states.names[15:] == ["current 0", "current 1", "compass bias"]


def test_a_wandering_error_is_gauss_markov_in_its_steady_state():
    states = States()
    states.add("gps", 2, 0.0, wander=2.0, memory_s=300.0)
    sigma, walk, rate = states.arrays()
    assert sigma[15:] == pytest.approx([2.0, 2.0])
    assert rate[15] == pytest.approx(1.0 / 300.0)
    assert walk[15] / (2.0 * rate[15]) == pytest.approx(4.0)  # variance that comes in over what is forgotten


def test_a_wander_on_a_constant_is_a_walk_that_never_forgets_the_constant():
    states = States()
    states.put(9, (3.0, 3.0, 4.0), wander=4.0, memory_s=100.0, walk=0.1)
    sigma, walk, rate = states.arrays()
    assert sigma[9:12] == pytest.approx([5.0, 5.0, math.hypot(4.0, 4.0)])
    assert walk[9] == pytest.approx(2.0 * 16.0 / 100.0 + 0.01)
    assert np.all(rate == 0.0)
