"""Articulated parts of a vehicle: the DIS parameter type of each thruster, control surface and sonar.

| part | rule |
|---|---|
| propellers | thrusters along body x with a known shaft rate: propellers 1 to 4, rotation rate |
| thrusters | all others: numbers private to Pelagos; the drive in the unit of the log column |
| surfaces | by their name: rudder; bow or stern plane, port, starboard or both; else fins private to Pelagos |
| sonars | nearest echo: azimuth, elevation, and the range as extension, 0 m without an echo |

Surface angles keep the sign of the vehicle file. Azimuth is positive to starboard and elevation is positive up, both
from body x. `changes` replaces the parameter types of parts: {"bow_lateral": [65536 + 16], "altimeter": []}.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pelagos.checks import whole
from pelagos.errors import CommandError, one_of
from pelagos.links.dis.wire.enumerations import (
    CLASS_STEP,
    OUR_FINS,
    OUR_SONARS,
    OUR_THRUSTERS,
    ArticulationMetric,
    PartClass,
    metric_unit,
)
from pelagos.links.dis.wire.records import Articulation
from pelagos.sensors.base import Sensor
from pelagos.sensors.sound.altimeter import Altimeter
from pelagos.sensors.sound.beams import pointing
from pelagos.sensors.sound.imaging import ImagingSonar
from pelagos.sensors.sound.multibeam import Multibeam
from pelagos.sensors.sound.navigation_sonar import NavigationSonar
from pelagos.vehicle.spec import ControlSurface, Thruster, Vehicle

Array = NDArray[np.float64]
PROPELLERS = (PartClass.PROPELLER_1, PartClass.PROPELLER_2, PartClass.PROPELLER_3, PartClass.PROPELLER_4)
PLANES = {
    "bow": (PartClass.DIVE_PLANE_BOW_LEFT, PartClass.DIVE_PLANE_BOW_RIGHT),
    "sail": (PartClass.DIVE_PLANE_SAIL_LEFT, PartClass.DIVE_PLANE_SAIL_RIGHT),
    "stern": (PartClass.DIVE_PLANE_STERN_LEFT, PartClass.DIVE_PLANE_STERN_RIGHT),
}
SONAR_METRICS = (ArticulationMetric.AZIMUTH, ArticulationMetric.ELEVATION, ArticulationMetric.EXTENSION)
SONARS = (Altimeter, ImagingSonar, Multibeam, NavigationSonar)
Sonar = Altimeter | ImagingSonar | Multibeam | NavigationSonar
ALONG = 0.9  # smallest cosine of the angle to body x for which a thruster counts as a propeller
DRIVE_UNIT = {"rate": "rad/s", "voltage": "V", "force": "N", "throttle": "of full drive"}
MOST = 255  # records of a PDU: their number is one byte
NO_ECHO = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Channel:
    """One value of a vehicle that is sent as one articulation record.

    part    name of the part on the vehicle
    source  thruster, surface or sonar
    index   position among those in the vehicle file
    kind    parameter type: class + metric
    unit    unit of the value
    item    for a sonar: 0 azimuth, 1 elevation, 2 range
    """

    part: str
    source: str
    index: int
    kind: int
    unit: str
    item: int = 0


def sonars(sensors: Sequence[Sensor]) -> list[tuple[str, Sonar]]:
    """Return the sonars among sensors, with their names."""
    return [(s.name or s.kind, s) for s in sensors if isinstance(s, SONARS)]


def channels(
    vehicle: Vehicle,
    sensors: Sequence[Sensor] | None = None,
    changes: Mapping[str, Sequence[int]] | None = None,
) -> tuple[Channel, ...]:
    """Return all channels of a vehicle in the order of its file: thrusters, surfaces, sonars.

    Args:
        vehicle: the vehicle.
        sensors: sensors fitted in this run; those of the vehicle file if None.
        changes: parameter types by part name, replacing the defaults; an empty list omits the part.
    """
    rows: list[tuple[str, str, int, list[int], str]] = []
    taken: set[int] = set()
    for k, thruster in enumerate(vehicle.thrusters):
        rows.append((thruster.name, "thruster", k, [_thruster(k, thruster, taken)], thruster_unit(thruster)))
    for k, surface in enumerate(vehicle.surfaces):
        rows.append((surface.name, "surface", k, _surface(k, surface, taken), "rad"))
    for k, (name, _) in enumerate(sonars(vehicle.sensors if sensors is None else sensors)):
        first = int(PartClass.GENERIC_ANTENNA) if k == 0 else OUR_SONARS + CLASS_STEP * k
        rows.append((name, "sonar", k, [first + metric for metric in SONAR_METRICS], ""))
    return _checked(rows, dict(changes or {}))


def thruster_unit(thruster: Thruster) -> str:
    """Return the unit of a thruster's state: that of its drive, or N if the lag acts on the thrust."""
    return "N" if thruster.lag_on == "thrust" else DRIVE_UNIT[thruster.drive]


def _thruster(k: int, thruster: Thruster, taken: set[int]) -> int:
    turns = thruster_unit(thruster) == "rad/s"
    metric = ArticulationMetric.ROTATION_RATE if turns else ArticulationMetric.NOT_SPECIFIED
    # The standard has four propellers; further ones are numbered like other thrusters.
    free = [int(p) for p in PROPELLERS if p not in taken]
    if turns and abs(thruster.direction_b[0]) >= ALONG and free:
        taken.add(free[0])
        return free[0] + metric
    return OUR_THRUSTERS + CLASS_STEP * k + metric


def _surface(k: int, surface: ControlSurface, taken: set[int]) -> list[int]:
    words = surface.name.lower().split("_")
    classes: list[int] = []
    metric = ArticulationMetric.ROTATION
    if any(word.startswith("rudder") for word in words) and "bow" not in words:
        classes, metric = [int(PartClass.RUDDER)], ArticulationMetric.AZIMUTH
    elif any(word.startswith(("plane", "elevator")) for word in words):
        left, right = PLANES[next((place for place in PLANES if place in words), "stern")]
        classes = [] if "starboard" in words else [int(left)]
        classes += [] if "port" in words else [int(right)]
        metric = ArticulationMetric.ELEVATION
    # Each parameter type may occur only once in a PDU.
    if not classes or taken.intersection(classes):
        return [OUR_FINS + CLASS_STEP * k + ArticulationMetric.ROTATION]
    taken.update(classes)
    return [part_class + metric for part_class in classes]


def _checked(
    rows: Sequence[tuple[str, str, int, list[int], str]], changes: dict[str, Sequence[int]]
) -> tuple[Channel, ...]:
    names = [row[0] for row in rows]
    for name in changes:
        if name not in names:
            expected = one_of(names)
            raise CommandError("this vehicle has no articulated part", value=name, expected=expected, names=names)
    by_type: dict[int, Channel] = {}
    for name, source, index, usual, unit in rows:
        kinds = list(changes.get(name, usual))
        if source == "sonar" and len(kinds) not in (0, len(SONAR_METRICS)):
            raise CommandError(
                key=f'number of parameter types of sonar "{name}"',
                value=len(kinds),
                expected="0, or 3: azimuth, elevation, range",
            )
        for item, kind in enumerate(kinds):
            whole(f'parameter type of articulated part "{name}"', kind, 0, 0xFFFFFFFF)
            if kind in by_type:
                raise CommandError(
                    f'articulated part "{by_type[kind].part}" has the same',
                    key=f'parameter type of articulated part "{name}"',
                    value=kind,
                    expected="a different one for each",
                )
            by_type[kind] = Channel(name, source, index, kind, unit or metric_unit(kind & 31), item)
    if len(by_type) > MOST:
        raise CommandError(key="number of articulated parts", value=len(by_type), expected=f"at most {MOST}")
    return tuple(by_type.values())


def echo(sensor: Sonar, values: Array) -> tuple[float, float, float]:
    """Return azimuth and elevation (rad, body axes) and range (m) of the nearest echo; all 0 without one."""
    if isinstance(sensor, ImagingSonar):
        ranges, directions = values[:1], pointing(values[1:2], 0.0)
    elif isinstance(sensor, NavigationSonar):
        ranges, directions = values[: sensor.n_beams], pointing(0.0, sensor.elevations_deg)
        silent = sensor.no_echo == "max_range"
        ranges = np.where(ranges >= sensor.max_range_m, math.nan, ranges) if silent else ranges
    elif isinstance(sensor, Multibeam):
        ranges, directions = values[: sensor.n_beams], sensor.beams_b() @ sensor.R_bs
    else:
        ranges, directions = values[:1], np.array([[0.0, 0.0, 1.0]])
    echoes = np.flatnonzero(np.isfinite(ranges))
    if not echoes.size:
        return NO_ECHO
    nearest_beam = int(echoes[ranges[echoes].argmin()])
    x, y, z = (sensor.R_bs @ directions[nearest_beam]).tolist()
    return math.atan2(y, x), math.atan2(-z, math.hypot(x, y)), float(ranges[nearest_beam])


class ArticulatedParts:
    """Articulation records of one vehicle; keeps the change counter that DIS requires for each part."""

    def __init__(self, channels: Sequence[Channel]) -> None:
        self.channels = tuple(channels)
        # NaN differs from every value, so that the first PDU starts the counter at 0.
        self._sent: list[tuple[float, int]] = [(math.nan, 255)] * len(self.channels)

    def articulations(
        self, thrusters: Array, surfaces: Array, echoes: Mapping[str, tuple[float, float, float]]
    ) -> tuple[Articulation, ...]:
        """Return the records of one PDU. `echoes` has the nearest echo of each sonar that has measured."""
        parts: list[Articulation] = []
        for k, channel in enumerate(self.channels):
            if channel.source == "sonar":
                value = echoes.get(channel.part, NO_ECHO)[channel.item]
            else:
                value = float((thrusters if channel.source == "thruster" else surfaces)[channel.index])
            # Rounded as sent: a change below the resolution of f32 must not count as one.
            value = struct.unpack(">f", struct.pack(">f", value))[0]
            before, change = self._sent[k]
            if value != before:
                change = (change + 1) % 256
                self._sent[k] = (value, change)
            parts.append(Articulation(channel.kind, value, change))
        return tuple(parts)


def table(channels: Sequence[Channel]) -> str:
    """Format channels as a Markdown table."""
    lines = ["| part | class | metric | type | value |", "|---|---|---|---|---|"]
    for channel in channels:
        part_class, metric = channel.kind & ~31, channel.kind & 31
        words = _words(ArticulationMetric(metric)) if metric in ArticulationMetric._value2member_map_ else str(metric)
        class_text = f"{part_class} {_class_words(part_class)}"
        lines.append(
            f"| {channel.source} `{channel.part}` | {class_text} | {metric} {words} | {channel.kind} | {channel.unit} |"
        )
    return "\n".join(lines) + "\n"


def _class_words(part_class: int) -> str:
    if part_class in PartClass._value2member_map_:
        return _words(PartClass(part_class))
    for first, word in ((OUR_SONARS, "sonar"), (OUR_FINS, "fin"), (OUR_THRUSTERS, "thruster")):
        if part_class >= first:
            return f"{word} {(part_class - first) // CLASS_STEP + 1} (ours)"
    return "other"


def _words(name: PartClass | ArticulationMetric) -> str:
    return name.name.lower().replace("_", " ")
