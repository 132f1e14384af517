"""Cameras and lamps as made in Python: what is left out is a camera that looks ahead and stays so."""

from dataclasses import FrozenInstanceError
from math import degrees

import pytest

from pelagos.vehicle.spec import Camera, Lamp


def test_a_plain_camera_is_fixed_and_looks_ahead():
    camera = Camera("eye", (0.5, 0.0, 0.0))
    assert (camera.pan_rad, camera.tilt_rad, camera.zoom_most) == (0.0, 0.0, 1.0)
    assert camera.pan_limit_rad == camera.tilt_limit_rad == (0.0, 0.0)
    assert degrees(camera.fov_rad) == pytest.approx(80.0)


def test_a_plain_lamp_shines_ahead():
    lamp = Lamp("lamp", (0.5, 0.0, 0.0))
    assert lamp.direction_b == (1.0, 0.0, 0.0)
    assert 0.0 < degrees(lamp.beam_rad) <= 180.0


def test_they_never_change():
    with pytest.raises(FrozenInstanceError):
        Camera("eye", (0.0, 0.0, 0.0)).fov_rad = 1.0  # type: ignore[misc]
