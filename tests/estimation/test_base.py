"""Settings of the navigator: refused values, gravity and multiplied noise."""

import pytest

from pelagos.errors import ScenarioError
from pelagos.estimation.base import Navigation
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.world.spec import World
from tests.estimation.trip import FOUR


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("use", "guess", 'navigation: use = "guess": expected one of estimate, truth'),
        ("mode", "modle", 'did you mean "model"'),
        ("position_sigma_m", -1.0, "expected a number from 0 to 1e"),
        ("heading_sigma_deg", float("nan"), "expected a number"),
        ("aiding_noise", 0.0, "from 1e-06 to"),
        ("gate", 95.0, "from 0.5 to 1"),
        ("gate", True, "from 0.5 to 1"),
    ],
)
def test_bad_settings_get_a_sentence(key, value, sentence):
    with pytest.raises(ScenarioError, match=sentence):
        Navigation(**{key: value})


def test_gravity_is_that_of_the_world_and_else_of_the_vehicle():
    vehicle = load_vehicle("remus100")
    for world, gravity in ((World(gravity_m_s2=9.79), 9.79), (World(), vehicle.water.gravity_m_s2)):
        assert Navigation().make(FOUR, vehicle, world)._inertial.settings[0] == gravity


def test_noise_is_multiplied_as_asked():
    plain, more = Navigation().make(FOUR), Navigation(inertial_noise=2.0, aiding_noise=3.0).make(FOUR)
    assert more._inertial.settings[1:3] == pytest.approx(4.0 * plain._inertial.settings[1:3])  # densities are squares
    assert more._aids["depth"]._measured.sigma[0] == pytest.approx(3.0 * plain._aids["depth"]._measured.sigma[0])
    assert Navigation(gate=1.0).make(FOUR)._gates[3] == float("inf")
