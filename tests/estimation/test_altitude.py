"""Altitude from instruments that sit away from the origin and tilt with the vehicle."""

import math

import numpy as np
import pytest

from pelagos.estimation.altitude import LatestAltitude
from pelagos.messages import Reading
from pelagos.sensors.sound.altimeter import Altimeter
from pelagos.sensors.sound.dvl import Dvl

LEVEL = (0.0, 0.0, 1.0)


def reading(sensor, name, time_s, height):
    values = np.full(len(sensor.columns), np.nan)
    values[sensor.columns.index("altitude_m")] = height
    return {name: Reading(name, time_s, time_s, values)}


def test_a_log_under_the_keel_is_nearer_to_the_bottom_than_the_origin():
    log = Dvl(position_m=(0.5, 0.0, 0.3))
    heard = LatestAltitude({"dvl": log})
    assert heard.altitude(reading(log, "dvl", 1.0, 10.0), 1.0, LEVEL) == pytest.approx(10.3)
    nose_up = (-math.sin(0.2), 0.0, math.cos(0.2))  # the bow rises: an instrument ahead is higher
    assert heard.altitude(reading(log, "dvl", 2.0, 10.0), 2.0, nose_up) == pytest.approx(
        10.0 + 0.3 * math.cos(0.2) - 0.5 * math.sin(0.2)
    )


def test_the_range_of_a_tilted_altimeter_is_not_a_height():
    sounder = Altimeter(beam_width_deg=0.0)
    heard = LatestAltitude({"altimeter": sounder})
    down_b = (-math.sin(0.3), 0.0, math.cos(0.3))
    computed = heard.altitude(reading(sounder, "altimeter", 1.0, 10.0 / math.cos(0.3)), 1.0, down_b)
    assert computed == pytest.approx(10.0)


def test_an_old_height_and_one_that_looks_ahead_are_none():
    down, ahead = Altimeter(), Altimeter(orientation_deg=(0.0, 90.0, 0.0))
    heard = LatestAltitude({"down": down, "ahead": ahead})
    assert math.isnan(heard.altitude(reading(ahead, "ahead", 0.0, 5.0), 0.0, LEVEL))
    assert heard.altitude(reading(down, "down", 0.0, 5.0), 0.0, LEVEL) == 5.0
    assert heard.altitude({}, 1.9, LEVEL) == 5.0
    assert math.isnan(heard.altitude({}, 2.1, LEVEL))
