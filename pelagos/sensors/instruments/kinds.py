"""The instrument of each kind of sensor."""

from __future__ import annotations

from typing import Any

from pelagos.sensors.instruments.acoustic_position import LblInstrument, UsblInstrument
from pelagos.sensors.instruments.base import Instrument
from pelagos.sensors.instruments.battery import BatteryInstrument
from pelagos.sensors.instruments.dvl import DvlInstrument
from pelagos.sensors.instruments.imaging import ImagingSonarInstrument
from pelagos.sensors.instruments.imu import ImuInstrument
from pelagos.sensors.instruments.motion import (
    CompassInstrument,
    DepthInstrument,
    GpsInstrument,
    LeakInstrument,
    PlanePositionInstrument,
    TachometerInstrument,
    WaterSpeedInstrument,
)
from pelagos.sensors.instruments.sounders import AltimeterInstrument, MultibeamInstrument, NavigationSonarInstrument

INSTRUMENTS: dict[str, type[Instrument[Any]]] = {
    "imu": ImuInstrument, "depth": DepthInstrument, "compass": CompassInstrument, "water_speed": WaterSpeedInstrument,
    "rpm": TachometerInstrument, "planes": PlanePositionInstrument, "battery": BatteryInstrument, "gps": GpsInstrument,
    "leak": LeakInstrument, "dvl": DvlInstrument, "altimeter": AltimeterInstrument, "usbl": UsblInstrument,
    "lbl": LblInstrument, "navigation_sonar": NavigationSonarInstrument, "multibeam": MultibeamInstrument,
    "imaging_sonar": ImagingSonarInstrument,
}  # fmt: skip
