"""The published polynomial: each factor, the twin, passivity ahead and astern."""

from dataclasses import replace
from math import exp, sqrt

import numpy as np
import pytest

from pelagos.vehicle.spec import ControlSurface, Fade, Race, Thruster
from tests.engine.probe import (
    EVERY,
    LIBRARY,
    TWIN,
    ball,
    differs_from_twin,
    plant_of,
    put,
    still,
    term,
    terms,
    vehicle,
    velocities,
)

NU = np.array([-2.0, 0.5, -0.3, 0.2, -0.4, 0.6])

# Sets whose coefficients alone may give energy, and why
NOT_PASSIVE = {
    "phoenix_author": "signed u (errata B58)",
    "phoenix_printed": "signed u (errata B58)",
    "npsauv": "the set holds inertial terms (X_wq, Y_wp, ...) whose partners are in the strips",
}


def powers(key, ahead):
    """nu . tau of the coefficients over the sum of its parts' sizes, for 200 velocities of one sign of u."""
    of, plant = vehicle(key), plant_of(key)
    computed = []
    for nu in velocities(of, 200, 6, ahead):
        parts = nu * put(plant, still(of, nu=nu)).forces()["coefficients"]
        computed.append(parts.sum() / max(np.abs(parts).sum(), 1e-300))
    return np.array(computed)


@pytest.mark.parametrize("key", EVERY)
def test_equals_the_textbook(key):
    assert differs_from_twin(key, "coefficients") < TWIN


@pytest.mark.parametrize(
    ("factors", "product"),
    [
        ("u", -2.0),
        ("u |u|", -4.0),
        ("|u| v", 1.0),
        ("p |p|", 0.04),
        ("w q", 0.12),
        ("u |u| dr", -4.0 * 0.3),
        ("u |u| dr dr", -4.0 * 0.09),
        ("u |u| dr dr dr r", -4.0 * 0.027 * 0.6),
        ("phi", 0.4),
        ("theta", -0.7),
        ("theta v v", -0.7 * 0.25),
    ],
)
@pytest.mark.parametrize("axis", range(6))
def test_a_term_is_its_value_times_its_factors(axis, factors, product):
    single = ball(
        coefficients=terms({f"{'XYZKMN'[axis]} {factors}": -3.0}), surfaces=(ControlSurface("rudder", "dr", 1.0),)
    )
    now = still(single, nu=NU, fin_angles=np.array([0.3]), euler=np.array([0.4, -0.7, 2.0]))
    expected = np.zeros(6)
    expected[axis] = -3.0 * product
    np.testing.assert_allclose(term(single, "coefficients", now), expected, rtol=1e-14)


def test_terms_of_one_axis_add_up_in_any_order():
    table = {"N r |r|": -9.0, "X u |u|": -6.0, "N r": -2.0, "Y |u| v": -30.0, "N |u| v": 4.0}
    turned = dict(reversed(table.items()))
    expected = [24.0, -30.0, 0, 0, 0, -9.0 * 0.36 - 1.2 + 4.0]
    for given in (table, turned):
        np.testing.assert_allclose(term(ball(coefficients=terms(given)), "coefficients", nu=NU), expected, rtol=1e-14)


def test_velocity_is_that_through_the_water():
    adrift = still(ball(), nu=np.array([1.0, 0, 0, 0, 0, 0]), current_n=np.array([1.0, 0, 0]))
    drag = ball(coefficients=terms({"X u |u|": -6.0}))
    np.testing.assert_array_equal(term(drag, "coefficients", adrift), 0.0)


def test_fade_vanishes_under_way():
    faded = ball(coefficients=terms({"X u fade": -9.0}), fade=Fade(3.0))
    nu = np.array([0.3, 0.4, 0.0, 0, 0, 0])
    assert term(faded, "coefficients", nu=nu)[0] == pytest.approx(-9.0 * 0.3 * exp(-1.5), rel=1e-14)
    slip = replace(faded, fade=Fade(3.0, published_slip=True))
    assert term(slip, "coefficients", nu=nu)[0] == pytest.approx(-9.0 * 0.3 * exp(-3 * sqrt(0.46)), rel=1e-14)
    assert term(slip, "coefficients", nu=-nu)[0] == pytest.approx(9.0 * 0.3 * exp(0.0), rel=1e-14)


@pytest.mark.parametrize(
    ("shaft", "u", "epsilon"),
    [
        (100.0, 1.2, 0.0),  # self-propulsion: eta = 1
        (0.0, 1.2, -1.0),  # stopped
        (100.0, 0.0, 0.0),  # not defined at rest
        (200.0, 1.2, (sqrt(4 * 0.1124 + 1) - 1) / (sqrt(1.1124) - 1) - 1),
        (-100.0, -1.2, 0.0),  # astern at self-propulsion
    ],
)
def test_race_factor(shaft, u, epsilon):
    screw = Thruster("screw", (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), "rate", -300.0, 300.0)
    raced = ball(coefficients=terms({"M n": 7.0}), thrusters=(screw,), race=Race(0, 0.012, 0.1124))
    now = still(raced, nu=np.array([u, 0, 0, 0, 0, 0]), thruster_states=np.array([shaft]))
    assert term(raced, "coefficients", now)[4] == pytest.approx(7.0 * epsilon, rel=1e-13, abs=1e-14)


@pytest.mark.parametrize("ahead", [1, -1])
@pytest.mark.parametrize("key", [key for key in LIBRARY if key not in NOT_PASSIVE])
def test_damping_never_gives_energy(key, ahead):
    """A6 for the coefficients alone, both signs of u. Sets without coefficients have exactly no power."""
    computed = powers(key, ahead)
    assert computed.max() < 0.0 if vehicle(key).coefficients else computed.max() == 0.0


@pytest.mark.parametrize("key", ["phoenix_author", "phoenix_printed"])
def test_signed_u_gives_energy_astern_and_only_there(key):
    """Errata B58: with u instead of |u| lift pushes along when going astern."""
    assert powers(key, 1).max() < 0.0
    assert powers(key, -1).max() > 0.5  # nearly all of the power has the wrong sign at some velocities


def test_the_known_exception_is_still_one():
    assert max(powers("npsauv", 1).max(), powers("npsauv", -1).max()) > 0.1


def test_a_square_without_its_sign_drives_half_of_the_motions():
    """Errata H4: D v v as printed for the Iver3 instead of D |v| v."""
    printed = ball(coefficients=terms({"Y v v": -244.0}))
    assert term(printed, "coefficients", nu=[0, 0.5, 0, 0, 0, 0])[1] < 0.0
    assert term(printed, "coefficients", nu=[0, -0.5, 0, 0, 0, 0])[1] * -0.5 > 0.0
