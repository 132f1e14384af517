"""Altitude over the seabed from DVL and altimeter readings."""

from __future__ import annotations

import math
from collections.abc import Mapping

from pelagos.messages import Reading
from pelagos.sensors.base import Sensor
from pelagos.sensors.sound.altimeter import Altimeter
from pelagos.sensors.sound.dvl import Dvl

FRESH_S = 2.0  # an older reading belongs to another part of the bottom
DOWN = 0.7  # cosine of the largest angle between an altimeter's axis and down

Row = tuple[float, float, float]  # last row of R_nb: down in body axes


class LatestAltitude:
    """Latest altitude of O from any instrument that points down.

    DVL: height of the instrument itself  altitude = h + (R l)_z
    altimeter: range r along its axis d   altitude = r (R d)_z + (R l)_z, right over a level bottom
    """

    def __init__(self, sensors: Mapping[str, Sensor]) -> None:
        self._where: dict[str, tuple[int, Row, Row | None]] = {}
        for name, sensor in sensors.items():
            x, y, z = sensor.position_m
            if isinstance(sensor, Dvl):
                self._where[name] = (sensor.columns.index("altitude_m"), (x, y, z), None)
            elif isinstance(sensor, Altimeter) and sensor.R_bs[2, 2] > DOWN:
                a, b, c = sensor.R_bs[:, 2].tolist()
                self._where[name] = (sensor.columns.index("altitude_m"), (x, y, z), (a, b, c))
        self.start()

    def start(self) -> None:
        """Discard all readings."""
        self._height_m, self._measured_s = math.nan, -math.inf

    def altitude(self, latest: Mapping[str, Reading], time_s: float, down_b: Row) -> float:
        """Altitude of O now, m; NaN without a recent reading."""
        for name, (column, arm, axis) in self._where.items():
            reading = latest.get(name)
            if reading is None:
                continue
            height = float(reading.values[column])
            if math.isfinite(height) and reading.time_s >= self._measured_s:
                along = 1.0 if axis is None else _dot(axis, down_b)
                self._height_m, self._measured_s = along * height + _dot(arm, down_b), reading.time_s
        return self._height_m if time_s - self._measured_s <= FRESH_S else math.nan


def _dot(a: Row, b: Row) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
