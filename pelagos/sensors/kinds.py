"""The kinds of instruments by the word that a file uses: `kind = "dvl"`."""

from __future__ import annotations

from pelagos.sensors.acoustic_position import Lbl, Usbl
from pelagos.sensors.altimeter import Altimeter
from pelagos.sensors.base import Sensor
from pelagos.sensors.battery import Battery
from pelagos.sensors.compass import Compass
from pelagos.sensors.depth import Depth
from pelagos.sensors.dvl import Dvl
from pelagos.sensors.gps import Gps
from pelagos.sensors.imaging import ImagingSonar
from pelagos.sensors.imu import Imu
from pelagos.sensors.leak import Leak
from pelagos.sensors.multibeam import Multibeam
from pelagos.sensors.propulsion import PlanePosition, Tachometer
from pelagos.sensors.sonar import NavigationSonar
from pelagos.sensors.water_speed import WaterSpeed

_ALL: tuple[type[Sensor], ...] = (
    Imu, Depth, Compass, WaterSpeed, Tachometer, PlanePosition, Battery, Gps, Leak, Dvl, Altimeter, Usbl, Lbl,
    NavigationSonar, Multibeam, ImagingSonar,
)  # fmt: skip

KINDS: dict[str, type[Sensor]] = {spec.kind: spec for spec in _ALL}
