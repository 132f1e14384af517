"""Skins for drawing are closed, face outward and have nearly the volume of the solid; winding tells inside."""

import math

import numpy as np
import pytest

from pelagos.geometry.mesh import Mesh, enclosed_volume, open_edges, skin, weld, winding


def closed(corners):
    return weld(Mesh(corners.reshape(-1, 3), np.arange(corners.size // 3).reshape(-1, 3)))


@pytest.mark.parametrize(
    ("kind", "half", "volume"),
    [
        ("box", (1.0, 2.0, 3.0), 48.0),
        ("cylinder", (1.0, 0.5, 0.5), 2.0 * math.pi * 0.25),
        ("sphere", (2.0, 2.0, 2.0), 4.0 / 3.0 * math.pi * 8.0),
    ],
)
def test_skin_is_closed_and_faces_outward(kind, half, volume):
    mesh = closed(skin(kind, half, 0.0))
    assert open_edges(mesh) == 0
    # 32 corners around: an inscribed polygon lacks (2 pi/32)^2/6 = 0.64 % of the circle, a sphere as much along too
    assert 0.98 * volume < enclosed_volume(mesh) <= volume * (1 + 1e-12)


def test_plane_looks_into_the_water():
    corners = skin("plane", (0.0, 0.0, 0.0), 10.0)
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert normal == pytest.approx(np.array([[0, 0, -100.0], [0, 0, -100.0]]))  # two halves of 10 x 10 m, doubled
    with pytest.raises(ValueError, match="expected box"):
        skin("mesh", (0, 0, 0), 1.0)


def test_winding_is_one_inside_and_zero_outside():
    corners = skin("box", (1.0, 2.0, 3.0), 0.0)
    points = np.array([(0.9, -1.9, 2.9), (1.1, 0.0, 0.0), (0.0, 0.0, 0.0), (9.0, 9.0, 9.0)])
    assert winding(corners, points) == pytest.approx((1.0, 0.0, 1.0, 0.0), abs=1e-12)
