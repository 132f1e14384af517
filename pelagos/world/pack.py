"""Packing of a `World` into the flat array that the kernel reads."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pelagos.world.current.kinds import pack_currents, with_origin
from pelagos.world.seabed.seabed import pack_seabed
from pelagos.world.structure import pack_structures
from pelagos.world.water import pack_water
from pelagos.world.waves import pack_waves
from pelagos.world.writer import SeaWriter

if TYPE_CHECKING:
    from pelagos.world.spec import World


def pack_world(world: World, *, gravity_m_s2: float, until_s: float = 0.0) -> NDArray[np.float64]:
    """Return the packed array; random currents are drawn up to `until_s` and do not depend on its value."""
    writer = SeaWriter()
    writer.header["surface"] = world.surface
    pack_waves(world.waves, writer, depth_m=world.still_depth_m, gravity_m_s2=gravity_m_s2)
    currents = with_origin(world.currents, world.origin_lat_deg, world.origin_lon_deg)
    pack_currents(currents, writer, until_s=until_s)
    if world.water is not None:
        deepest = world.depth_m if math.isfinite(world.depth_m) else None
        pack_water(world.water, writer, depth_m=deepest)
    pack_seabed(world.bottom, writer)
    pack_structures(world.structures, writer)
    return writer.finish()
