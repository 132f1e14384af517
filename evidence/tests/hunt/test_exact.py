"""The exact wet volume against another program of it, and the cloud against the volume it fills."""

import math

import numpy as np
import pytest

from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.spec import Shape
from pelagos_evidence.hunt import exact
from tests.reference import wet_volume

IVER3 = load_vehicle("iver3")
HULL = Shape("cylinder", size_m=(1.9, 0.0735))


@pytest.mark.parametrize(
    ("depth", "roll", "pitch"), [(0.0, 0.3, 0.1), (0.05, 0.0, 0.02), (-0.03, -0.4, -0.2), (0.3, 0, 1.2)]
)
def test_a_cylinder_against_gauss(depth, roll, pitch):
    down = exact.down_of(roll, pitch)
    volume, moment = exact.wet_cylinder(HULL, depth, down)
    whole = exact.cylinder_volume(HULL)
    # midpoints of 20,000 slices leave 1e-7 of the volume where arcs end
    np.testing.assert_allclose(
        [volume / whole, *(moment / whole)], wet_volume.cylinder(1.9, 0.0735, depth, down), atol=2e-7
    )


def test_a_standing_cylinder():
    mast = Shape("cylinder", (0.1, 0.0, -0.2), (0.2, 0.025), axis="z")
    volume, moment = exact.wet_cylinder(mast, 0.15, exact.down_of(0.0, 0.0))
    wet = 0.05 / 0.2  # of its length: from -0.15 to -0.1 m
    assert volume == pytest.approx(wet * exact.cylinder_volume(mast), rel=1e-4)
    np.testing.assert_allclose(moment / volume, [0.1, 0.0, -0.125], atol=1e-4)


def test_the_cloud_fills_both_cylinders():
    points = exact.uniform_cloud(IVER3, 40_000, np.random.default_rng(3))
    assert len(points) == 40_000
    spread = points.std(axis=0) / math.sqrt(len(points))
    assert (np.abs(points.mean(axis=0) - exact.centroid(IVER3)) < 4.0 * spread).all()
    hull, mast = IVER3.shapes
    in_mast = points[:, 2] < hull.center_b[2] - hull.size_m[1]
    assert np.abs(points[in_mast, 0] - mast.center_b[0]).max() <= mast.size_m[1]


def test_the_balance_afloat_carries_the_weight():
    """At the depth found, the dry volume is what 3.53 N of water fill."""
    depth, pitch = exact.afloat(IVER3)
    shift = np.array(IVER3.body.cb_b) - exact.centroid(IVER3)
    down = exact.down_of(0.0, pitch)
    share, _ = exact.wet_share(IVER3, depth + float(shift @ down), down)
    assert (1.0 - share) * IVER3.body.volume_m3 * 9810.0 == pytest.approx(3.53, abs=1e-6)
    assert (depth, math.degrees(pitch)) == pytest.approx((0.1290, 1.2075), abs=1e-3)
