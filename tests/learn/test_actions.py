"""Actions become the commands that they name; the thrusters give the wrench of an action."""

import numpy as np
import pytest

import pelagos
from pelagos.control.allocation.allocation import Allocation
from pelagos.learn.actions import Actions
from pelagos.messages import Actuations

ROV, TORPEDO = pelagos.load_vehicle("bluerov2_heavy"), pelagos.load_vehicle("remus100")


def test_shares_of_drives_and_angles():
    actions = Actions(TORPEDO, 2, "actuators", 1.0)
    assert actions.names == ("thruster propeller", "surface rudder", "surface stern_planes")
    thrusters, surfaces = actions.commands(np.array([[1.0, -1.0, 0.5], [-0.5, 3.0, 0.0]]))
    full, limit = TORPEDO.thrusters[0].maximum, TORPEDO.surfaces[0].limit_rad
    assert thrusters.tolist() == [[full], [0.5 * TORPEDO.thrusters[0].minimum]]
    assert surfaces.tolist() == [[-limit, 0.5 * TORPEDO.surfaces[1].limit_rad], [limit, 0.0]]  # 3 counts as 1
    # mean squares of (1, -1, 0.5) and (-0.5, 1, 0)
    assert actions.effort() == pytest.approx([2.25 / 3.0, 1.25 / 3.0])


def test_a_wrench_is_given_by_the_thrusters():
    alloc = Allocation(ROV)
    actions = Actions(ROV, 3, "wrench", 1.0)
    assert actions.names == ("surge", "sway", "heave", "roll", "pitch", "yaw")
    wrenches = np.array([[0.3, 0, 0, 0, 0, 0], [0, -0.2, 0.1, 0, 0, 0], [1.0, 1.0, 0, 0, 0, 1.0]])
    drives, _ = actions.commands(wrenches)
    thrusts = np.array([[c.thrust(s) for c, s in zip(alloc.curves, row, strict=True)] for row in drives])
    reach = np.maximum(alloc.b * alloc.high, alloc.b * alloc.low).sum(axis=1)
    got = (thrusts @ alloc.b.T) / reach
    # the inverse curve is a table of 401 rows: half a row is 0.1 % of full thrust, and there are dead bands
    assert got[:2] == pytest.approx(wrenches[:2], abs=0.01)
    assert got[2, 0] == pytest.approx(got[2, 1], abs=0.02) and got[2, 0] < 0.9  # too much: made smaller alike
    assert np.abs(drives).max() <= 1.0


def test_an_assist_comes_first_and_the_sum_stays_inside_the_limits():
    actions = Actions(TORPEDO, 1, "actuators", 0.25)
    full, limit = TORPEDO.thrusters[0].maximum, TORPEDO.surfaces[0].limit_rad
    pilot = Actuations(np.array([[0.9 * full]]), np.array([[0.1 * limit, -limit]]), np.zeros((1, 0)))
    thrusters, surfaces = actions.commands(np.array([[1.0, -1.0, -1.0]]), pilot)
    assert thrusters[0, 0] == full  # 0.9 + 0.25 of it
    assert surfaces[0] == pytest.approx([(0.1 - 0.25) * limit, -limit])


def test_no_wrench_is_no_drive():
    """To the bit: an action of zeros on top of an autopilot is the autopilot."""
    drives, _ = Actions(ROV, 2, "wrench", 1.0).commands(np.zeros((2, 6)))
    assert (drives == 0.0).all()
