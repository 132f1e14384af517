"""Targets in all frames, against geometry by hand and pymap3d."""

import math
from types import SimpleNamespace

import numpy as np
import pymap3d
import pymavlink.dialects.v20.ardupilotmega as mavlink
import pytest

from pelagos.errors import CommandError, MessageError
from pelagos.geodesy import Origin
from pelagos.links.mavlink.guided import global_target, item_target, local_target
from pelagos.links.mavlink.mission import Item
from pelagos.links.mavlink.modes import GUIDED
from tests.links.mavlink.deck import Deck

ORIGIN = Origin(36.8, -121.9)
PLACE, PLACE_YAW, YAW_ONLY, DEPTH_ONLY, VELOCITY = 0xDF8, 0x9F8, 0x9FF, 0xDFB, 0xDC7


def flight(north=10.0, east=20.0, depth=5.0, yaw_deg=90.0):
    state = SimpleNamespace(pos_n=np.array([north, east, depth]), yaw=math.radians(yaw_deg))
    return SimpleNamespace(sim=SimpleNamespace(feedback=lambda: state))


def local(x, y, z, frame=1, mask=PLACE, yaw=0.0):
    return mavlink.MAVLink_set_position_target_local_ned_message(
        0, 1, 1, frame, mask, x, y, z, 0, 0, 0, 0, 0, 0, yaw, 0
    )


def test_a_place_in_ned_is_taken_as_it_is():
    assert local_target(local(1, -2, 3), flight()) == {"north_m": 1, "east_m": -2, "depth_m": 3}
    wish = local_target(local(1, -2, 3, mask=PLACE_YAW, yaw=-math.pi / 2), flight())
    assert wish["heading_deg"] == pytest.approx(270.0)


def test_offsets_start_at_the_vehicle_and_those_of_the_body_turn_with_it():
    assert local_target(local(1, -2, 3, frame=7), flight()) == {"north_m": 11, "east_m": 18, "depth_m": 8}
    for frame in (8, 9, 12):
        wish = local_target(local(1, -2, 3, frame=frame, mask=PLACE_YAW, yaw=math.radians(30)), flight())
        # heading east: ahead is east, starboard is south
        assert (wish["north_m"], wish["east_m"]) == pytest.approx((10 + 2, 20 + 1))
        assert wish["heading_deg"] == pytest.approx(120.0)


def test_a_depth_or_a_yaw_alone():
    assert local_target(local(0, 0, 4, mask=DEPTH_ONLY), flight()) == {"depth_m": 4}
    assert local_target(local(0, 0, 0, mask=YAW_ONLY, yaw=1.0), flight()) == {"heading_deg": math.degrees(1.0)}


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (local(1, 2, -3), "above the water"),
        (local(1, 2, 3, frame=99), "coordinate frame of the target is 99"),
        (local(1, 2, 3, mask=PLACE | 1), "x and y of the target: expected both"),
        (local(0, 0, 0, mask=VELOCITY), "velocity targets are not supported"),
    ],
)
def test_what_cannot_be_flown_is_refused(message, reason):
    with pytest.raises(CommandError, match=reason):
        local_target(message, flight())


def test_numbers_that_are_none_are_refused_only_where_they_count():
    with pytest.raises(MessageError):
        local_target(local(math.nan, 2, 3), flight())
    with pytest.raises(MessageError):
        local_target(local(0, 0, 0, mask=YAW_ONLY, yaw=math.inf), flight())
    assert local_target(local(math.nan, math.nan, 3, mask=DEPTH_ONLY), flight()) == {"depth_m": 3}


def test_a_place_on_earth():
    lat, lon, _ = pymap3d.ned2geodetic(25.0, -60.0, 0.0, ORIGIN.lat_deg, ORIGIN.lon_deg, 0.0)
    x, y = round(lat * 1e7), round(lon * 1e7)
    message = mavlink.MAVLink_set_position_target_global_int_message(
        0, 1, 1, 6, PLACE_YAW, x, y, -7.0, 0, 0, 0, 0, 0, 0, math.pi, 0
    )
    wish = global_target(message, ORIGIN)
    assert (wish["north_m"], wish["east_m"]) == pytest.approx((25.0, -60.0), abs=0.02)  # 1e-7 deg are 11 mm
    assert (wish["depth_m"], wish["altitude_m"], wish["heading_deg"]) == (7.0, None, pytest.approx(180.0))
    over = item_target(Item(0, 10, 192, (0.0, 0.0, 0.0, 0.0), x, y, 2.0), ORIGIN, -90.0)
    assert (over["altitude_m"], over["depth_m"], over["heading_deg"]) == (2.0, None, 270.0)
    with pytest.raises(MessageError, match="above the water"):
        item_target(Item(0, 6, 192, (0.0, 0.0, 0.0, 0.0), x, y, 2.0), ORIGIN)
    with pytest.raises(CommandError, match="coordinate frame of the target is 1; expected one of 0, 3"):
        item_target(Item(0, 1, 192, (0.0, 0.0, 0.0, 0.0), x, y, -2.0), ORIGIN)


def test_what_is_out_of_reach_is_refused_with_a_sentence_and_the_old_place_is_held():
    with Deck(world={"depth_m": 30.0}) as deck:
        assert deck.command(176, 1, GUIDED) == 0
        deck.arrives(("set_position_target_local_ned", 0, 1, 1, 1, PLACE, 1.0, 2.0, 8.0, *[0.0] * 8))
        held = deck.flight.helm.setpoint
        assert (held.north_m, held.east_m, held.depth_m) == (1.0, 2.0, 8.0)
        rest = [0.0] * 8
        for n, (name, frame, place, reason) in enumerate((
            ("local_ned", 1, (1.0, 2.0, 35.0), "less than 30, the depth of the bottom"),
            ("local_ned", 1, (3e5, 2.0, 8.0), "from the origin (km) is 300; expected at most"),
            ("local_ned", 7, (0.0, 0.0, -50.0), "above the water"),
            ("global_int", 6, (368000000, -1219000000, 5.0), "above the water"),
            ("global_int", 6, (368000000, -1219000000, -2000.0), "at most 100, the depth rating"),
            ("global_int", 11, (368000000, -1219000000, 40.0), "the depth of the bottom"),
            ("global_int", 6, (0, 0, -5.0), "from the origin (km)"),
        )):  # fmt: skip
            deck.turn(100)  # the budget of texts fills up
            deck.station.texts.clear()
            deck.arrives((f"set_position_target_{name}", n, 1, 1, frame, PLACE, *place, *rest))
            deck.until(lambda reason=reason: any(reason in text for text in deck.texts()), reason)
            assert deck.flight.helm.setpoint == held
        assert deck.mode == GUIDED
