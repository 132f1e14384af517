"""Attitude through the engine: both kinematics are one motion, turns close, the poles are no obstacle."""

from math import pi

import numpy as np
import pytest

from pelagos import frames
from pelagos.vehicle.plant import Plant
from tests.engine.probe import ball
from tests.reference import kinematics as kin


def spin(omega, seconds, start=(0.0, 0.0, 0.0), dt=0.01, **options):
    """A ball that keeps turning at a constant rate: no gravity, equal inertias, O at its centre."""
    body = ball().body
    sphere = ball(
        body=type(body)(100.0, body.volume_m3, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), np.diag([4.0, 4.0, 4.0])),
        added_mass=np.zeros((6, 6)),
    )
    plant = Plant(sphere, **options)
    plant.place(euler=start, nu=[0, 0, 0, *omega])
    assert plant.advance(dt, round(seconds / dt)) == round(seconds / dt)
    np.testing.assert_allclose(plant.nu[3:], omega, atol=1e-13)  # nothing turns it
    return plant


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_whole_turn_comes_back(axis):
    """About any axis, also through both poles of pitch. RK4 at 0.01 s and 1 rad/s: 2 pi (0.5 h)^4 / 120 * ..."""
    omega = np.eye(3)[axis]
    plant = spin(omega, 2 * pi, start=(0.2, 0.1, 0.4), dt=2 * pi / 628)
    expected = frames.quaternion_from_euler(0.2, 0.1, 0.4)
    assert frames.angle_between(plant.quaternion, expected) < 1e-9
    assert np.linalg.norm(plant.quaternion) == pytest.approx(1.0, abs=1e-15)


def test_a_turn_about_a_slanted_axis_is_rodrigues_formula():
    omega = np.array([0.3, -0.5, 0.4])
    angle, axis = np.linalg.norm(omega) * 4.0, omega / np.linalg.norm(omega)
    s = kin.skew(axis)
    expected = kin.rotation(0.2, 0.1, 0.4) @ (np.eye(3) + np.sin(angle) * s + (1 - np.cos(angle)) * s @ s)
    plant = spin(omega, 4.0, start=(0.2, 0.1, 0.4))
    np.testing.assert_allclose(frames.rotation_from_quaternion(plant.quaternion), expected, atol=1e-11)  # RK4, h 0.01


def test_quaternion_and_euler_angles_are_one_motion():
    start, omega = (0.2, 0.1, 0.4), np.array([0.3, -0.2, 0.4])
    single, other = spin(omega, 3.0, start), spin(omega, 3.0, start, euler_angles=True)
    assert frames.angle_between(single.quaternion, other.quaternion) < 1e-9  # two RK4 of 4th order at 0.01 s
    np.testing.assert_allclose(single.euler, other.euler, atol=1e-9)


def test_nose_up_through_the_pole():
    """Pitching up at 0.5 rad/s from level: after 5 s the vehicle lies on its back, heading turned by 180 deg."""
    phi, theta, psi = spin([0.0, 0.5, 0.0], 5.0).euler
    assert theta == pytest.approx(pi - 2.5, abs=1e-10)
    assert abs(phi) == pytest.approx(pi, abs=1e-10)
    assert abs(psi) == pytest.approx(pi, abs=1e-10)
