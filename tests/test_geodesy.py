"""Places on the earth: against pymap3d, against closed forms, and orientations by turning axes one after the other."""

import math

import numpy as np
import pymap3d
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelagos.errors import CommandError
from pelagos.frames import rotation_from_euler
from pelagos.geodesy import (
    DEFAULT_ORIGIN,
    EQUATOR_M,
    POLE_M,
    Origin,
    geocentric,
    geocentric_euler,
    geodetic,
    rotation_eb,
    rotation_en,
)

NM = 1e-8  # m; coordinates of 6e6 m have a last bit of 1e-9 m, and each side rounds a few times
ANGLES = st.floats(-math.pi, math.pi)
LATITUDES, LONGITUDES = st.floats(-90.0, 90.0), st.floats(-180.0, 180.0)


def random_places(n, seed=1):
    rng = np.random.default_rng(seed)
    return zip(rng.uniform(-90, 90, n), rng.uniform(-180, 180, n), rng.uniform(-11000, 10000, n), strict=True)


def test_the_axes_of_the_ellipsoid():
    assert geocentric(0.0, 0.0) == pytest.approx([EQUATOR_M, 0.0, 0.0], abs=NM)
    assert geocentric(0.0, 90.0, 100.0) == pytest.approx([0.0, EQUATOR_M + 100.0, 0.0], abs=NM)
    assert geocentric(-90.0, 12.0, -50.0) == pytest.approx([0.0, 0.0, 50.0 - POLE_M], abs=NM)
    assert POLE_M == pytest.approx(6356752.314245, abs=1e-6)  # as published with WGS 84


def test_geocentric_points_are_those_of_pymap3d():
    for lat, lon, height in random_places(2000):
        assert geocentric(lat, lon, height) == pytest.approx(pymap3d.geodetic2ecef(lat, lon, height), abs=NM)


def test_latitudes_are_those_of_pymap3d():
    for lat, lon, height in random_places(2000, seed=2):
        point = np.array(pymap3d.geodetic2ecef(lat, lon, height))
        place = geodetic(point)
        assert place[0] == pytest.approx(lat, abs=1e-13 + 1e-7 / 111e3)  # 100 nm of ground
        assert (place[1] - lon + 180.0) % 360.0 - 180.0 == pytest.approx(0.0, abs=1e-12)
        assert place[2] == pytest.approx(height, abs=NM)


@given(LATITUDES, LONGITUDES, st.floats(-12000.0, 5e7))
def test_a_place_comes_back_from_the_sea_floor_to_beyond_satellites(lat, lon, height):
    point = geocentric(lat, lon, height)
    back = geocentric(*geodetic(point))
    assert back == pytest.approx(point, abs=1e-7)  # 5e7 m has a last bit of 7e-9 m


@pytest.mark.parametrize("lat", [90.0, -90.0, 0.0, 89.9999999, 1e-12])
def test_poles_and_equator_come_back(lat):
    assert geodetic(geocentric(lat, 30.0, -4000.0))[0] == pytest.approx(lat, abs=1e-12)
    assert geodetic(geocentric(lat, 30.0, -4000.0))[2] == pytest.approx(-4000.0, abs=NM)


def test_points_of_the_plane_are_those_of_pymap3d():
    rng = np.random.default_rng(3)
    for lat, lon, height in random_places(300, seed=4):
        origin = Origin(lat, lon, height)
        ned = rng.uniform(-20e3, 20e3, 3)
        theirs = pymap3d.ned2ecef(*ned, lat, lon, height)
        assert origin.to_geocentric(ned) == pytest.approx(theirs, abs=NM)
        assert origin.to_ned(theirs) == pytest.approx(ned, abs=NM)
        lat1, lon1, height1 = pymap3d.ned2geodetic(*ned, lat, lon, height)
        ours = origin.to_geodetic(ned)
        assert origin.from_geodetic(lat1, lon1, height1) == pytest.approx(ned, abs=1e-6)  # their latitude is iterated
        assert ours[0] == pytest.approx(lat1, abs=1e-11) and ours[2] == pytest.approx(height1, abs=1e-6)


def test_many_points_at_once():
    points = np.random.default_rng(5).uniform(-1000, 1000, (40, 3))
    together = DEFAULT_ORIGIN.to_geocentric(points)
    assert together.shape == (40, 3)
    assert together[7] == pytest.approx(DEFAULT_ORIGIN.to_geocentric(points[7]), abs=NM)
    assert DEFAULT_ORIGIN.to_ned(together) == pytest.approx(points, abs=NM)


def test_the_plane_leaves_sea_level_by_the_square_of_the_distance():
    origin = Origin(0.0, 0.0)  # along the equator the earth is a circle of the equator's radius
    for distance in (1000.0, 10000.0):
        height = origin.to_geodetic([0.0, distance, 0.0])[2]
        assert height == pytest.approx(distance**2 / (2.0 * EQUATOR_M), rel=1e-5)  # the next term is d^2 / 4 R^2


@given(LATITUDES, LONGITUDES)
def test_the_axes_of_a_place_look_north_east_and_down(lat, lon):
    R = rotation_en(lat, lon)
    assert R.T @ R == pytest.approx(np.eye(3), abs=1e-15) and np.linalg.det(R) == pytest.approx(1.0)
    down = (geocentric(lat, lon, -1000.0) - geocentric(lat, lon)) / 1000.0
    assert R[:, 2] == pytest.approx(down, abs=1e-11)
    assert R[2, 1] == 0.0 and R[2, 0] >= 0.0  # east is level; north has a share of the earth's axis


def turned(axis, angle, vectors):
    """Rodrigues' formula: rows of `vectors` turned about a unit axis."""
    k = np.asarray(axis)
    c, s = math.cos(angle), math.sin(angle)
    return vectors * c + np.cross(k, vectors) * s + np.outer(vectors @ k, k) * (1.0 - c)


def axes_of(psi, theta, phi):
    """Body axes in geocentric coordinates as DIS defines the angles: about z, then the new y, then the new x."""
    rows = np.eye(3)
    rows = turned(rows[2], psi, rows)
    rows = turned(rows[1], theta, rows)
    return turned(rows[0], phi, rows)


@given(LATITUDES, LONGITUDES, ANGLES, st.floats(-math.pi / 2, math.pi / 2), ANGLES)
def test_orientation_angles_turn_the_earth_s_axes_into_those_of_the_body(lat, lon, roll, pitch, yaw):
    R_eb = rotation_en(lat, lon) @ rotation_from_euler(roll, pitch, yaw)
    psi, theta, phi = geocentric_euler(R_eb)
    assert axes_of(psi, theta, phi) == pytest.approx(R_eb.T, abs=1e-11)  # below 1e-12 from the pole psi is set to 0
    assert rotation_eb(psi, theta, phi) == pytest.approx(R_eb, abs=1e-11)
    assert abs(theta) <= math.pi / 2 and abs(psi) <= math.pi and abs(phi) <= math.pi


@given(ANGLES, ANGLES, ANGLES)
def test_angles_to_rotation_is_the_turning_of_axes(psi, theta, phi):
    assert rotation_eb(psi, theta, phi).T == pytest.approx(axes_of(psi, theta, phi), abs=1e-14)


@pytest.mark.parametrize(("heading", "theta"), [(0.0, -90.0), (180.0, 90.0)])
@pytest.mark.parametrize("lon", [0.0, 37.0, -121.9, 180.0])
def test_a_level_vehicle_on_the_equator_that_heads_north_is_at_the_pole_of_the_angles(heading, theta, lon):
    R_eb = rotation_en(0.0, lon) @ rotation_from_euler(0.0, 0.0, math.radians(heading))
    angles = geocentric_euler(R_eb)
    assert math.degrees(angles[1]) == pytest.approx(theta, abs=1e-6)  # an arc sine would lose half the digits
    assert rotation_eb(*angles) == pytest.approx(R_eb, abs=1e-11)
    assert angles[0] == 0.0


def test_known_orientations():
    """At 0 N 0 E: north is z, east is y, down is -x of the earth."""
    level_east = rotation_en(0.0, 0.0) @ rotation_from_euler(0.0, 0.0, math.pi / 2)
    assert np.degrees(geocentric_euler(level_east)) == pytest.approx([90.0, 0.0, -90.0], abs=1e-9)
    diving = rotation_en(0.0, 0.0) @ rotation_from_euler(0.0, -math.pi / 2, 0.0)  # nose to the earth's centre
    assert diving[:, 0] == pytest.approx([-1.0, 0.0, 0.0], abs=1e-15)


@pytest.mark.parametrize("point", [(0.0, 0.0, 0.0), (100.0, 0.0, 40e3), (math.nan, 0.0, 6e6), (math.inf, 0.0, 0.0)])
def test_a_point_without_a_latitude_is_refused(point):
    with pytest.raises(CommandError, match="no latitude"):
        geodetic(point)


@pytest.mark.parametrize("values", [(91.0, 0.0), (0.0, 400.0), (math.nan, 0.0), (0.0, 0.0, 1e9), ("36", 0.0)])
def test_an_origin_off_the_earth_is_refused(values):
    with pytest.raises(CommandError, match=r"origin (lat_deg|lon_deg|height_m) is"):
        Origin(*values)


def test_the_default_origin_is_monterey_bay():
    assert (DEFAULT_ORIGIN.lat_deg, DEFAULT_ORIGIN.lon_deg) == (36.8, -121.9)  # Monterey Bay
