"""What the pictures show: faces in order and in fifteen greys, corners where the console has them."""

import numpy as np
import pytest

from pelagos_evidence.royer import picture
from pelagos_evidence.royer.picture import console_pixels, in_camera


@pytest.mark.parametrize("look", [look for _, look in picture.VIEWS])
def test_every_view_shows_something_within_the_picture(look):
    faces, corners = picture.faces(look)
    assert faces and len(corners) >= 4
    distances = [away for away, _, _ in faces]
    assert distances == sorted(distances, reverse=True)
    for _, flat, grey in faces:
        assert np.abs(flat).max() <= picture.B + 1e-9
        assert 1 <= grey <= picture.GREYS


def test_the_eye_is_where_camera_coordinates_are_zero():
    for _, look in picture.VIEWS:
        np.testing.assert_allclose(in_camera(look, picture._eye(look)[None]), 0.0, atol=1e-9)


def test_unclipped_corners_are_those_of_the_console():
    _, look = picture.VIEWS[1]  # the cube, whole in the picture
    faces, _ = picture.faces(look)
    nearest = faces[-1][1]
    corners = np.array(
        [(north, east, down) for north in (27.5, 32.5) for east in (-17.5, -12.5) for down in (95.0, 100.0)]
    )
    pixels = console_pixels(look, corners) / (0.5 * look.width) - 1.0
    for point in nearest:
        assert np.hypot(*(picture.B * pixels - point).T).min() < 1e-9


def test_a_face_farther_away_is_darker():
    _, look = picture.VIEWS[2]
    faces, _ = picture.faces(look)
    assert np.mean([grey for _, _, grey in faces[:4]]) < np.mean([grey for _, _, grey in faces[-4:]])
