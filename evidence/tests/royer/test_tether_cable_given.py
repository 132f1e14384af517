"""The printed cable against a closed form, and the cable in space against the one in its plane."""

import math

import numpy as np
import pytest

from pelagos_evidence.royer import tether as cable


def test_without_friction_the_tension_stays_and_the_cotangent_grows_evenly(monkeypatch):
    monkeypatch.setattr(cable, "C_F", 0.0)
    start = math.radians(-23.0)
    _, _, tension, angle = cable.walk_in_plane(426.0, start, 0.0, 150.0, 2000)
    assert tension == pytest.approx(426.0, rel=1e-12)
    drag = 0.5 * 1025.0 * 1.2 * 0.035 * 0.75**2
    grown = -drag * 150.0 / 426.0  # d(cot a)/ds = -(da/ds)/sin^2 a, with da/ds = -drag sin^2 a / T for a < 0
    assert abs(1.0 / math.tan(angle) - 1.0 / math.tan(start)) == pytest.approx(abs(grown), rel=1e-9)


def test_a_cable_in_the_plane_is_the_same_in_space():
    angle = math.radians(-20.0)
    x, y, _, _ = cable.walk_in_plane(200.0, angle, 0.0, 150.0, 400)
    force = 200.0 * np.array([math.cos(angle), 0.0, -math.sin(angle)])  # NED: down is positive
    north, east, down = cable.walk_in_space(force, np.array([0.75, 0.0, 0.0]), 150.0, 400)
    assert (north, east, down) == pytest.approx((x, 0.0, -y), abs=1e-6)


def test_numbers_of_the_part_are_those_of_the_text():
    part = cable.umbilical()
    assert part.diameter_m == cable.DIAMETER_M and part.neutral
    line = cable.plane_line()
    assert line.kn == pytest.approx(0.5 * 1025.0 * 0.035 * 0.75**2 * 1.2)
    assert line.kt / line.kn == pytest.approx(0.05 * math.pi / 1.2)
