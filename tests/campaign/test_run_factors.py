"""Which vehicle a factor is for."""

import pytest

from pelagos.campaign.run import factors_of, split
from pelagos.errors import CommandError

GIVEN = {"vehicle.scale.mass": 1.1, "vehicle[1].scale.Y_uv": 0.9, "vehicle.0.scale.thruster:bow": 0.5}


def test_factors_are_told_from_keys_of_the_scenario():
    keys, factors = split({"world.current_m_s": 0.1, "vehicle.change.body.mass_kg": 14.0, **GIVEN})
    assert list(keys) == ["world.current_m_s", "vehicle.change.body.mass_kg"] and factors == GIVEN


def test_all_vehicles_or_one():
    assert factors_of(0, GIVEN, 2) == {"mass": 1.1, "thruster:bow": 0.5}
    assert factors_of(1, GIVEN, 2) == {"mass": 1.1, "Y_uv": 0.9}


def test_a_vehicle_that_is_not_there():
    with pytest.raises(CommandError, match="there is no vehicle 1; the scenario has 1"):
        factors_of(0, GIVEN, 1)
    with pytest.raises(CommandError, match=r"vehicle.scale.mass = much: expected a number"):
        factors_of(0, {"vehicle.scale.mass": "much"}, 1)
