"""The instrument of each kind of sensor."""

from __future__ import annotations

from typing import Any

from pelagos.sensors.instruments.acoustic_position import LblSystem, UsblSystem
from pelagos.sensors.instruments.base import Instrument
from pelagos.sensors.instruments.battery import BatteryPack
from pelagos.sensors.instruments.dvl import DopplerLog
from pelagos.sensors.instruments.imaging import SonarImage
from pelagos.sensors.instruments.imu import ImuTriads
from pelagos.sensors.instruments.motion import (
    BilgeProbe,
    CompassCard,
    DepthGauge,
    GpsReceiver,
    PlaneAngles,
    SpeedWheel,
    Tachometers,
)
from pelagos.sensors.instruments.sounders import EchoSounder, MultibeamSwath, SonarFan

INSTRUMENTS: dict[str, type[Instrument[Any]]] = {
    "imu": ImuTriads, "depth": DepthGauge, "compass": CompassCard, "water_speed": SpeedWheel, "rpm": Tachometers,
    "planes": PlaneAngles, "battery": BatteryPack, "gps": GpsReceiver, "leak": BilgeProbe, "dvl": DopplerLog,
    "altimeter": EchoSounder, "usbl": UsblSystem, "lbl": LblSystem, "navigation_sonar": SonarFan,
    "multibeam": MultibeamSwath, "imaging_sonar": SonarImage,
}  # fmt: skip
