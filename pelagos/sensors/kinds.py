"""The kinds of instruments by the word that a file uses: `kind = "dvl"`."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from pelagos.sensors.base import Sensor

# word of the file -> module of this package and name of the description
_WHERE = {
    "imu": ("imu", "Imu"),
    "depth": ("depth", "Depth"),
    "compass": ("compass", "Compass"),
    "water_speed": ("water_speed", "WaterSpeed"),
    "rpm": ("propulsion", "Tachometer"),
    "planes": ("propulsion", "PlanePosition"),
    "battery": ("battery", "Battery"),
    "gps": ("gps", "Gps"),
    "leak": ("leak", "Leak"),
    "dvl": ("dvl", ""),
    "altimeter": ("altimeter", ""),
    "usbl": ("acoustic_position", ""),
    "lbl": ("acoustic_position", ""),
    "navigation_sonar": ("sonar", ""),
    "multibeam": ("multibeam", ""),
    "imaging_sonar": ("imaging", ""),
}


def _kinds() -> dict[str, type[Sensor]]:
    """Every description of this package, in the order above; a module that is not there is left out."""
    found: dict[str, type[Sensor]] = {}
    for word, (module, _) in _WHERE.items():
        name = f"pelagos.sensors.{module}"
        if find_spec(name) is None:
            continue
        for item in vars(import_module(name)).values():
            if isinstance(item, type) and issubclass(item, Sensor) and vars(item).get("kind") == word:
                found[word] = item
    return found


KINDS: dict[str, type[Sensor]] = _kinds()
