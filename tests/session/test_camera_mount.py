"""The camera mount: rates, stops, zoom and orders."""

from math import radians

import pytest

from pelagos.errors import CommandError
from pelagos.session.camera_mount import CameraMount, cameras_of
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.spec import Camera

ONE = Camera("main", (0.2, 0.0, 0.0), tilt_rad=radians(-10.0), pan_limit_rad=(radians(-90.0), radians(45.0)),
             tilt_limit_rad=(radians(-60.0), radians(30.0)), rate_rad_s=radians(40.0), zoom_most=4.0)  # fmt: skip
FIXED = Camera("fixed", (0.0, 0.0, 0.3))


def test_full_stick_turns_at_the_rate_of_the_camera_up_to_its_stops():
    aim = CameraMount([ONE])
    for _ in range(50):
        aim.move(1.0, -0.5, 0.0, 0.02)
    # 1 s at 40 deg/s, and at half of it the other way
    assert aim.pan_deg == pytest.approx(40.0) and aim.tilt_deg == pytest.approx(-30.0)
    for _ in range(500):
        aim.move(1.0, -1.0, 0.0, 0.02)
    assert aim.pan_deg == pytest.approx(45.0) and aim.tilt_deg == pytest.approx(-60.0)


def test_the_picture_doubles_each_second_of_zoom():
    aim = CameraMount([ONE])
    for _ in range(50):
        aim.move(0.0, 0.0, 1.0, 0.02)
    assert aim.zoom == pytest.approx(2.0)
    for _ in range(500):
        aim.move(0.0, 0.0, 1.0, 0.02)
    assert aim.zoom == 4.0
    for _ in range(1000):
        aim.move(0.0, 0.0, -1.0, 0.02)
    assert aim.zoom == 1.0


def test_a_fixed_camera_does_not_turn():
    aim = CameraMount([FIXED])
    aim.move(1.0, 1.0, 1.0, 1.0)
    assert (aim.pan_deg, aim.tilt_deg, aim.zoom) == (0.0, 0.0, 1.0)


def test_orders_say_where_to_look():
    aim = CameraMount([ONE, FIXED])
    assert aim.tilt_deg == pytest.approx(-10.0)  # as it is mounted
    aim.order({"pan_deg": 45.0, "tilt_deg": 30, "zoom": 2})
    assert (aim.pan_deg, aim.tilt_deg, aim.zoom) == (pytest.approx(45.0), pytest.approx(30.0), 2.0)
    aim.order({"centre": True})
    assert (aim.pan_deg, aim.tilt_deg, aim.zoom) == (0.0, pytest.approx(-10.0), 1.0)
    aim.order({"index": 1})
    assert aim.index == 1 and aim.camera is FIXED


@pytest.mark.parametrize("bad", [{"pan_deg": 46.0}, {"tilt_deg": -61}, {"zoom": 5.0}, {"zoom": 0.5}, {"index": 2},
                                 {"index": True}, {"pan_deg": "x"}, {"index": 1, "pan_deg": 1.0}])  # fmt: skip
def test_what_the_camera_cannot_do_is_refused_and_changes_nothing(bad):
    aim = CameraMount([ONE, FIXED])
    aim.order({"pan_deg": 10.0})
    with pytest.raises(CommandError, match="expected"):
        aim.order(bad)
    assert aim.index == 0 and aim.pan_deg == pytest.approx(10.0)


def test_every_vehicle_has_an_eye():
    assert cameras_of(load_vehicle("iver3"))
