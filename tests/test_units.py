"""Unit suffixes: factors against their definitions, keys taken apart, wrong units refused with the right ones."""

from math import pi

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelagos.units import DIMENSIONS, UNITS, accepted, si_unit, split_key, units_of, wrong_unit

# definitions worked by hand: NIST SP 811 (lb, ft, in), ISO 80000 (kn, kgf)
DEFINED = {
    "ft": 0.3048,
    "in": 0.0254,
    "lb": 0.45359237,
    "lbf": 4.4482216152605,
    "slug": 14.593902937206364,
    "kgf": 9.80665,
    "kn": 0.5144444444444445,
    "slug_ft2": 1.3558179483314004,
    "slug_ft3": 515.3788183931961,
    "rpm": 0.10471975511965977,
    "deg": 0.017453292519943295,
    "ft_s2": 0.3048,
    "L": 1e-3,
    "1_dbar": 1e-4,
    "ft_lbf": 1.3558179483314004,
    "lb_ft": 1.4881639435695537,
}


def to_si(value, suffix):
    return value * UNITS[suffix].factor


@pytest.mark.parametrize(("suffix", "factor"), DEFINED.items())
def test_factor_is_the_definition(suffix, factor):
    assert to_si(1.0, suffix) == pytest.approx(factor, rel=1e-15)  # one or two roundings of a double


def test_thrust_per_rpm_squared_is_the_same_thrust():
    rate_rpm = 700.0
    k = to_si(2e-5, "N_rpm2")
    assert k * to_si(rate_rpm, "rpm") ** 2 == pytest.approx(2e-5 * rate_rpm**2, rel=1e-14)  # four roundings
    assert to_si(1.0, "N_rps2") == pytest.approx(1.0 / (2 * pi) ** 2, rel=1e-15)


@pytest.mark.parametrize(
    ("key", "quantity", "suffix"),
    [
        ("weight_lbf", "weight", "lbf"),
        ("inertia_kg_m2", "inertia", "kg_m2"),
        ("inertia_products_slug_ft2", "inertia_products", "slug_ft2"),
        ("lift_slope_1_rad", "lift_slope", "1_rad"),
        ("thrust_at_maximum_N", "thrust_at_maximum", "N"),
        ("k_N_s2", "k", "N_s2"),
        ("compressibility_1_Pa", "compressibility", "1_Pa"),
        ("tunnel_loss_s2_m2", "tunnel_loss", "s2_m2"),
        ("held_speed_m_s", "held_speed", "m_s"),
        ("rate_cm3_s", "rate", "cm3_s"),
        ("mass_per_length_kg_m", "mass_per_length", "kg_m"),
        ("damping_Ns", "damping", "Ns"),
    ],
)
def test_split_key_takes_the_longest_suffix(key, quantity, suffix):
    assert split_key(key) == (quantity, UNITS[suffix])


@pytest.mark.parametrize("key", ["cd_y", "name", "m", "_kg", "drag_0"])
def test_split_key_without_unit(key):
    assert split_key(key) == (key, None)


def test_wrong_unit_lists_what_is_accepted():
    fields = wrong_unit("mass_m", ("mass",))
    assert fields["message"] == '"m" is a unit of length'
    assert fields["expected"] == "a mass: mass_kg, mass_g, mass_slug or mass_lb"
    assert wrong_unit("mass", ("mass",))["message"] == "the unit is missing"
    assert accepted("maximum", ("voltage", "")) == "maximum_V or maximum"


@given(st.sampled_from(sorted(UNITS)), st.floats(min_value=-1e6, max_value=1e6))
def test_conversion_is_linear_and_goes_back(suffix, value):
    # to_si and division by the same factor round once each
    assert to_si(value, suffix) / UNITS[suffix].factor == pytest.approx(value, rel=4e-16, abs=1e-300)


def test_every_dimension_has_its_si_unit_first():
    for dimension in DIMENSIONS:
        assert si_unit(dimension).factor == 1.0
        assert all(unit.dimension == dimension and unit.factor > 0 for unit in units_of(dimension))


def test_texts_are_readable():
    assert UNITS["m_s2"].text == "m/s2"
    assert not [suffix for suffix, unit in UNITS.items() if "_" in unit.text]
