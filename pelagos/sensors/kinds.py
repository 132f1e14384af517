"""The kinds of sensors by the word that files use for them."""

from __future__ import annotations

from pelagos.sensors.base import Sensor
from pelagos.sensors.battery import Battery
from pelagos.sensors.compass import Compass
from pelagos.sensors.depth import Depth
from pelagos.sensors.gps import Gps
from pelagos.sensors.imu import Imu
from pelagos.sensors.leak import LeakDetector
from pelagos.sensors.propulsion import PlanePosition, Tachometer
from pelagos.sensors.sound.acoustic_position import Lbl, Usbl
from pelagos.sensors.sound.altimeter import Altimeter
from pelagos.sensors.sound.dvl import Dvl
from pelagos.sensors.sound.imaging import ImagingSonar
from pelagos.sensors.sound.multibeam import Multibeam
from pelagos.sensors.sound.navigation_sonar import NavigationSonar
from pelagos.sensors.water_speed import WaterSpeed

_ALL: tuple[type[Sensor], ...] = (
    Imu, Depth, Compass, WaterSpeed, Tachometer, PlanePosition, Battery, Gps, LeakDetector, Dvl, Altimeter, Usbl, Lbl,
    NavigationSonar, Multibeam, ImagingSonar,
)  # fmt: skip

# the value of `kind` in a file (`kind = "dvl"`) and its description
KINDS: dict[str, type[Sensor]] = {spec.kind: spec for spec in _ALL}
