"""Where a vehicle that is asked up to the surface stops by itself: it floats, and no trim is to blame.

With H how far the largest piece of hull stands above the origin, h its height, and T how far the highest piece (a mast)
stands above it: a depth asked for that is less than H would lift the hull out of the water. It cannot be reached, the
buoyancy goes with the hull that is out. From where the highest piece is about to come out, at depths less than T + h,
the integrals of depth and pitch then keep what they have learnt; charged there, they would spoil the next dive. The
pitch of level flight, nose down for a light vehicle, belongs under water as well: it is let go between T + h and T, and
the vehicle lies at the surface with its nose up towards the depth asked for. Body axes, m, level. Vehicles without
shapes never break the surface, and nothing is kept.
"""

from __future__ import annotations

from pelagos.engine.laws import also_compiled
from pelagos.vehicle.spec import Shape, Vehicle


class SurfaceLimit:
    """The surface as the depth loops of one vehicle meet it."""

    def __init__(self, vehicle: Vehicle) -> None:
        pieces = [_piece(shape) for shape in vehicle.shapes if shape.kind != "mesh"]
        _, height, top = max(pieces, default=(0.0, 0.0, 0.0))
        self.hull_top_m = top
        self.from_m = max((one[2] for one in pieces), default=0.0) + height
        self.height_m = height

    def share(self, target_m: float, depth_m: float) -> float:
        """0 under way to a depth, m; up to 1 where it is the surface that keeps the vehicle from going up there."""
        return share(target_m, depth_m, self.hull_top_m, self.from_m, self.height_m)


@also_compiled
def share(target_m: float, depth_m: float, hull_top_m: float, from_m: float, height_m: float) -> float:
    """0 under way to a depth; up to 1 where the surface keeps the vehicle from going up there."""
    if target_m < depth_m < from_m and target_m < hull_top_m:
        return min((from_m - depth_m) / height_m, 1.0)
    return 0.0


def _piece(shape: Shape) -> tuple[float, float, float]:
    """Size (m3, of the box round it), height and how far it stands above the origin, m."""
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
