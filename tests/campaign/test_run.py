"""A factor does what the same change of the vehicle's file does, and leaves the description alone."""

import numpy as np
import pytest

from pelagos.campaign.run import fly_alone
from pelagos.errors import CommandError
from pelagos.scenario.read import scenario_from
from tests.campaign.tiny import PUSH


def flown(changes=None, factors=None):
    logs = fly_alone(scenario_from(PUSH, changes=changes), [factors or {}])
    return logs["bluerov2_heavy"]


def test_a_coefficient():
    by_file = flown({"vehicle.change.hydro.coefficients": {"X_u": -13.7 * 3.0}})  # -13.7 in the library
    by_factor = flown(factors={"X_u": 3.0})
    assert np.ptp(by_file["surge_m_s"]) > 0.1
    np.testing.assert_allclose(by_factor["surge_m_s"], by_file["surge_m_s"], rtol=1e-12)  # one rounding: factor times
    assert abs(by_factor["surge_m_s"][-1] - flown()["surge_m_s"][-1]) > 1e-3


def test_all_thrust():
    log = flown(factors={"thrust": 0.0})
    assert abs(log["thrusters_X_N"]).max() == 0.0
    assert abs(flown()["thrusters_X_N"]).max() > 5.0


def test_an_unknown_name():
    with pytest.raises(CommandError, match=r'has no such parameter.*did you mean "X_u"'):
        flown(factors={"X_uu": 2.0})
