"""One metre of cable: mass and weight by hand, and what no cable has."""

import math

import pytest

from pelagos.errors import ScenarioError
from pelagos.tether.spec import Cable


def test_weight_is_mass_less_displaced_water():
    """35 mm displaces 0.98617 kg/m of water of 1025 kg/m^3; 1.5 kg/m then weighs 5.041 N."""
    cable = Cable(diameter_m=0.035, mass_kg_m=1.5)
    displaced = 1025.0 * math.pi / 4.0 * 0.035**2
    assert displaced == pytest.approx(0.98617, abs=1e-5)
    assert cable.weight_in(1025.0, 9.81) == pytest.approx((1.5 - displaced) * 9.81, rel=1e-14)
    assert cable.mass_in(1025.0) == 1.5
    assert Cable(diameter_m=0.035, mass_kg_m=0.5).weight_in(1025.0, 9.81) < 0.0


@pytest.mark.parametrize("density", [998.0, 1025.0, 1040.0])
def test_a_neutral_cable_is_neutral_everywhere(density):
    cable = Cable(diameter_m=0.0076, mass_kg_m=0.043, neutral=True)
    assert cable.weight_in(density, 9.81) == 0.0
    assert cable.mass_in(density) == pytest.approx(density * math.pi / 4.0 * 0.0076**2, rel=1e-14)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("diameter_m", 0.0),
        ("diameter_m", math.nan),
        ("mass_kg_m", -1.0),
        ("mass_kg_m", 0.0),
        ("stiffness_N", 0.0),
        ("stiffness_N", math.inf),
        ("stiffness_N", "soft"),
        ("damping_Ns", -1.0),
        ("normal_drag", math.nan),
        ("tangential_drag", -0.1),
        ("added_mass", math.inf),
        ("breaking_load_N", 0.0),
        ("breaking_load_N", math.nan),
        ("diameter_m", None),
        ("diameter_m", True),
        ("neutral", "yes"),
        ("neutral", None),
    ],
)
def test_what_no_cable_has(key, value):
    with pytest.raises(ScenarioError) as refused:
        Cable(**{"diameter_m": 0.02, "mass_kg_m": 0.4, key: value})
    assert refused.value.key == key
