"""The free surface as a limit of depth control: a vehicle that is commanded above its floating depth stays afloat.

With H the height of the top of the largest hull piece above the origin, h the height of that piece, and T the height of
the top of the highest piece (a mast): a depth setpoint less than H would lift the hull out of the water. It cannot be
reached, because buoyancy vanishes with the submerged volume. From where the highest piece is about to emerge, at depths
less than T + h, the integrals of depth and pitch are frozen; charged there, they would spoil the next dive. The trim
pitch of level flight, nose down for a light vehicle, applies under water only: it is removed between T + h and T, and
the vehicle lies at the surface with its nose up towards the setpoint. Body axes, m, level. Vehicles without shapes
never break the surface and have no such limit.
"""

from __future__ import annotations

from typing import NamedTuple

from pelagos.engine.laws import also_compiled
from pelagos.vehicle.spec import Shape, Vehicle


class SurfaceLimit(NamedTuple):
    """The depths at which the hull of one vehicle emerges, m."""

    hull_top_m: float  # H
    from_m: float  # T + h
    height_m: float  # h


def limit_of(vehicle: Vehicle) -> SurfaceLimit:
    """Compute the limit from the shapes of a vehicle."""
    pieces = [_piece(shape) for shape in vehicle.shapes if shape.kind != "mesh"]
    _, height, top = max(pieces, default=(0.0, 0.0, 0.0))  # the largest
    highest = max((piece_top for _, _, piece_top in pieces), default=0.0)
    return SurfaceLimit(float(top), float(highest + height), float(height))


@also_compiled
def share(target_m: float, depth_m: float, limit: SurfaceLimit) -> float:
    """How far the surface limits the vehicle: 0 on the way to a depth, up to 1 where it floats below it."""
    if target_m < depth_m < limit.from_m and target_m < limit.hull_top_m:
        return min((limit.from_m - depth_m) / limit.height_m, 1.0)
    return 0.0


def _piece(shape: Shape) -> tuple[float, float, float]:
    """Size (volume of the bounding box, m3), height and top above the origin, m."""
    if shape.kind == "stations":
        xs = [x for x, _, _ in shape.stations]
        length, height = max(xs) - min(xs), max(h for _, h, _ in shape.stations)
        breadth = max(b for _, _, b in shape.stations)
    elif shape.kind in ("cylinder", "capsule"):
        along, across = shape.size_m[0], 2.0 * shape.size_m[1]
        length, breadth, height = (along if shape.axis == axis else across for axis in "xyz")
    else:
        scale = 2.0 if shape.kind == "ellipsoid" else 1.0
        length, breadth, height = (scale * size for size in shape.size_m)
    return length * breadth * height, height, 0.5 * height - shape.center_b[2]
