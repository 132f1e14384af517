"""Circles and spirals."""

import math

import numpy as np
import pytest

from pelagos.errors import ScenarioError
from pelagos.guidance import Circle, Spiral
from pelagos.guidance.legs.curves import spiral_length
from tests.guidance.kinematic import fly, vehicle_state


def test_length_of_a_spiral_is_the_sum_of_its_chords():
    theta = np.linspace(0.0, 2.0 * math.pi * 3.5, 200001)
    radius = 7.0 + 5.0 * theta / (2.0 * math.pi)
    chords = np.abs(np.diff(radius * np.exp(1j * theta))).sum()
    assert spiral_length(7.0, 5.0, 3.5) == pytest.approx(chords, rel=1e-8)  # chords fall short by (step)^2 / 24
    assert spiral_length(7.0, 0.0, 2.0) == pytest.approx(4.0 * math.pi * 7.0, rel=1e-12)
    assert spiral_length(0.0, 5.0, 2.0) == pytest.approx(
        np.abs(np.diff(5.0 * theta / (2.0 * math.pi) * np.exp(1j * theta)))[theta[1:] <= 4.0 * math.pi].sum(), rel=1e-4
    )


@pytest.mark.parametrize(("side", "sign"), [("starboard", 1.0), ("port", -1.0)])
def test_the_pitch_of_a_spiral(side, sign):
    leg = Spiral(center_m=(5.0, -3.0), spacing_m=8.0, turns=3.0, first_radius_m=20.0, side=side, speed_m_s=1.0,
                 lookahead_m=3.0)  # fmt: skip
    flight = fly(leg, 2000.0, at=(25.0, -3.0, 0.0), heading_deg=sign * 90.0)
    assert flight.over
    north, east = flight.north - 5.0, flight.east + 3.0
    angle = sign * np.unwrap(np.arctan2(east, north))
    radius = np.hypot(north, east)
    assert angle[-1] == pytest.approx(6.0 * math.pi, abs=0.01)  # a tick is 0.1 m at 44 m
    exact = 20.0 + 8.0 * angle / (2.0 * math.pi)
    # a tick of 0.1 m tangentially at 20 m leaves 0.1 * 0.1 / 40 m a tick; that leads to a few mm of offset
    assert np.abs(radius - exact).max() < 0.02
    turn = np.interp([0.0, 2.0 * math.pi, 4.0 * math.pi, 6.0 * math.pi - 0.01], angle, radius)
    assert np.diff(turn) == pytest.approx(8.0, abs=0.05)
    assert flight.guide.values()["along_track_m"] == pytest.approx(leg.length_m, rel=1e-3)


def test_the_sign_of_the_error_is_to_starboard_on_both_sides():
    for side, expected in (("starboard", -2.0), ("port", 2.0)):  # outside a curve to starboard is to port
        guide = Circle(center_m=(0.0, 0.0), radius_m=10.0, side=side, turns=1.0).make(vehicle_state(12.0, 0.0))
        guide.update(vehicle_state(12.0, 0.0), 0.1)
        assert guide.values()["cross_track_m"] == pytest.approx(expected, abs=1e-9)


def test_a_circle_is_joined_from_its_centre_and_from_afar():
    leg = Circle(center_m=(0.0, 0.0), radius_m=30.0, turns=2.0, speed_m_s=1.0, lookahead_m=5.0, acceptance_m=1.0)
    for start in ((0.0, 0.0, 0.0), (-200.0, 40.0, 0.0)):
        flight = fly(leg, 3000.0, at=start)
        assert flight.over
        joined = flight.time > flight.guide._joined_s + 60.0
        assert np.abs(flight.cross[joined]).max() < 0.1  # the double root U / (2 Delta) = 0.1 1/s, 1 m at first
        assert flight.time[-1] - flight.guide._joined_s == pytest.approx(2.0 * 2.0 * math.pi * 30.0, rel=0.02)


def test_a_circle_holds_for_its_time():
    leg = Circle(center_m=(0.0, 0.0), radius_m=10.0, seconds_s=20.0, speed_m_s=1.0)
    flight = fly(leg, 100.0, at=(10.0, 0.0, 0.0), heading_deg=90.0)
    assert flight.time[-1] == pytest.approx(20.0, abs=0.2)


def test_a_spiral_goes_down_with_its_turns():
    leg = Spiral(center_m=(0.0, 0.0), spacing_m=5.0, turns=2.0, first_radius_m=15.0, depth_m=3.0, depth_per_turn_m=4.0)
    assert leg.depths() == (3.0, 11.0)
    flight = fly(leg, 1000.0, at=(15.0, 0.0, 3.0), heading_deg=90.0)
    angle = np.unwrap(np.arctan2(flight.east, flight.north))
    # the depth is that of the tick before: 0.1 m of 94 m a turn
    assert flight.depth[1:] == pytest.approx(3.0 + 4.0 * angle[1:] / (2.0 * math.pi), abs=0.01)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Circle(center_m=(0.0, 0.0), radius_m=10.0), "seconds_s"),
        (lambda: Spiral(center_m=(0.0, 0.0), spacing_m=5.0, turns=2.0, depth_per_turn_m=1.0), "depth_m: is missing"),
        (
            lambda: Spiral(center_m=(0.0, 0.0), spacing_m=5.0, turns=2.0, depth_m=3.0, depth_per_turn_m=-2.0),
            "above the surface",
        ),
    ],
)
def test_what_cannot_be_flown_is_refused(make, message):
    with pytest.raises(ScenarioError, match=message):
        make()
