"""The description of an autopilot: silent unless told, frozen, and part of a vehicle."""

from dataclasses import FrozenInstanceError, fields, replace

import pytest

from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.spec import COMPUTED, SILENT, ControlSpec, LoopGains


def test_silence_is_none_everywhere_but_in_the_filter():
    assert all(getattr(SILENT, item.name) is None for item in fields(LoopGains))
    said = {item.name for item in fields(ControlSpec) if getattr(COMPUTED, item.name) not in (None, SILENT)}
    assert said == {"altitude_filter_s"}


def test_a_variant_leaves_the_vehicle_as_it_was():
    vehicle = load_vehicle("lauv")
    other = replace(vehicle, control=replace(vehicle.control, cruise_speed_m_s=1.0))
    assert vehicle.control.cruise_speed_m_s is None and other.control.cruise_speed_m_s == 1.0
    with pytest.raises(FrozenInstanceError):
        setattr(vehicle.control, "cruise_speed_m_s", 2.0)  # noqa: B010
