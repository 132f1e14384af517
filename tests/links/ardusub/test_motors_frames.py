"""The frames: factors that make sense for a body in space, and the same as those the fake autopilot mixes with."""

import numpy as np
import pytest

from pelagos.links.ardusub.motors import BY_COUNT, FRAMES
from tests.links.ardusub.fake_autopilot import MIX


@pytest.mark.parametrize("frame", FRAMES)
def test_the_factors_are_those_of_the_mixer(frame):
    assert [tuple(motor) for motor in FRAMES[frame]] == [tuple(map(float, row)) for row in MIX[frame]]
    assert BY_COUNT[len(FRAMES[frame])] == frame


@pytest.mark.parametrize("frame", FRAMES)
def test_each_demand_moves_its_own_axis_only(frame):
    """The mixer's columns are orthogonal: what one demand does to all motors does nothing along another axis."""
    table = np.array(FRAMES[frame])
    product = table.T @ table
    assert np.array_equal(product, np.diag(np.diag(product)))
    driven = np.diag(product) > 0.0  # roll, pitch, yaw, throttle, forward, lateral
    assert driven.tolist() == [True, frame == "vectored_6dof", True, True, True, True]


@pytest.mark.parametrize("frame", FRAMES)
def test_a_motor_has_a_place_where_its_push_turns_as_it_says(frame):
    """Some corner (+-1, +-1) of the vehicle gives each motor the moment of its factors, and each corner only one."""
    places = {}
    for number, motor in enumerate(FRAMES[frame], start=1):
        fits = []
        for x in (1.0, 0.0, -1.0):
            for y in (1.0, -1.0):
                moment = np.cross([x, y, 0.0], motor.push_b)
                named = np.array(motor.moment_b) != 0.0
                if np.array_equal(np.sign(moment)[named], np.array(motor.moment_b)[named]):
                    fits.append((x, y))
        assert fits
        places[number] = fits
    assert (1.0, 1.0) in places[1] and (1.0, -1.0) in places[2]  # front starboard, front port
    assert (-1.0, 1.0) in places[3] and (-1.0, -1.0) in places[4]  # rear
    if frame == "vectored_6dof":
        assert [places[k] for k in (5, 6, 7, 8)] == [[(1.0, 1.0)], [(1.0, -1.0)], [(-1.0, 1.0)], [(-1.0, -1.0)]]
