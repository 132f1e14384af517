"""Keys that scale the vehicle in the water: vehicle.scale.Y_uv, vehicle.scale.mass, vehicle[1].scale.damping.

A factor changes the vehicle that swims, not what its autopilot knows of it: gains, allocation and trim stay those of
the file. That is what it means not to know a coefficient exactly. `vehicle.scale.NAME` is for all vehicles of a
scenario, `vehicle[1].scale.NAME` for one. NAME is a coefficient (Y_uv) or a family: see `batch.parameters`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pelagos.errors import CommandError
from pelagos.messages import is_number

FACTOR = re.compile(r"vehicle(?:\[(\d+)\]|\.(\d+))?\.scale\.(.+)")
Factors = Mapping[str, float]  # by what is scaled


def split(values: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Keys of the scenario, and factors by their whole key."""
    factors = {key: value for key, value in values.items() if FACTOR.fullmatch(key)}
    return {key: value for key, value in values.items() if key not in factors}, factors


def factors_of(number: int, given: Mapping[str, Any], count: int) -> dict[str, float]:
    """What is scaled of one vehicle, out of `count`."""
    found: dict[str, float] = {}
    for key, value in given.items():
        match = FACTOR.fullmatch(key)
        assert match is not None
        which = match[1] or match[2]
        if which is not None and int(which) >= count:
            raise CommandError(f"{key}: there is no vehicle {which}; the scenario has {count}")
        if not is_number(value):
            raise CommandError(f"{key} = {value}: expected a number")
        if which is None or int(which) == number:
            found[match[3]] = float(value)
    return found
