"""The world as the page draws it: bottom, structures and waves, read from the packed array of the kernel."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.analysis.world.scene import Solid, bottom_extent, header, records, solids
from pelagos.console.scene.text import mesh_text, packed_text
from pelagos.engine.water.sea import SPHERE, WAVE
from pelagos.world.spec import World
from pelagos.world.structure import Structure

Array = NDArray[np.float64]
MOST_NODES = 193 * 193  # of a drawn bottom: limits the size of a hello
MOST_WAVES = 64  # the strongest
MOST_TRIANGLES = 60_000  # of all meshes together
OPEN_SEA_M, NEAREST_M, FARTHEST_M = 200.0, 40.0, 2000.0  # drawn radius: without structures, least, most
MARGIN = 1.25  # beyond the farthest structure
SLOPE_NODES = 33  # of a sloping bottom along each axis


def extent(world: World, sea: Array) -> float:
    """Radius about the origin that the drawing covers, m."""
    reach = [_reach(item, solid) for item, solid in zip(world.structures, solids(sea), strict=True)]
    ends = bottom_extent(sea)
    if ends is not None:
        reach += [math.hypot(n, e) for n in (ends[0][0], ends[1][0]) for e in (ends[0][1], ends[1][1])]
    farthest = max(reach, default=0.0)
    return min(max(MARGIN * farthest, NEAREST_M), FARTHEST_M) if farthest > 0.0 else OPEN_SEA_M


def _reach(item: Structure, solid: Solid) -> float:
    """Largest horizontal distance of a structure from the origin; for a wall, the distance of its face."""
    if solid.is_endless:
        crossing = solid.crossings()
        return float(np.linalg.norm(crossing)) if len(crossing) else 0.0
    if item.kind == "mesh":
        return float(np.max(np.linalg.norm(item.triangles()[..., :2], axis=-1)))
    spread = solid.half[0] if solid.kind == SPHERE else 0.0
    return float(np.max(np.linalg.norm(solid.corners()[:, :2], axis=1))) + spread


def seabed(world: World, sea: Array, extent_m: float, near_m: tuple[float, float]) -> dict[str, Any] | None:
    """The bottom: its depth if it is level, else depths at nodes; None without a bottom.

    A height map keeps its nodes within `FARTHEST_M` of `near_m`, unless they are too many. The bottom is bilinear
    between nodes; beyond the last ones it continues level or along the slope (`outside`).
    """
    if world.bottom is None:
        return None
    plane = world.bottom.plane
    if plane is not None and plane[1] == plane[2] == 0.0:
        return {"kind": "flat", "depth_m": plane[0]}
    if plane is not None:
        half = min(max(2.0 * extent_m, 200.0), FARTHEST_M)
        axes = [np.linspace(at - half, at + half, SLOPE_NODES) for at in near_m]
        return _grid(world, axes, "slope")
    h = header(sea)
    low, step, count = np.array(h["grid_origin"]), np.array(h["grid_step"]), np.array(h["grid_count"]).astype(int)
    axes = [_near(low[i] + step[i] * np.arange(count[i]), near_m[i]) for i in (0, 1)]
    for i in (0, 1):
        if count[i] == 2 and np.ptp(world.bottom.map.z_m, axis=i).max() == 0.0:  # a profile, infinite across
            axes[i] = np.array([near_m[i] - FARTHEST_M, near_m[i] + FARTHEST_M])
    while len(axes[0]) * len(axes[1]) > MOST_NODES:  # thin out the axis with more nodes
        longer = 0 if len(axes[0]) >= len(axes[1]) else 1
        fewer = max(int(MOST_NODES / len(axes[1 - longer])), 193)
        axes[longer] = np.linspace(axes[longer][0], axes[longer][-1], min(fewer, len(axes[longer]) - 1))
    return _grid(world, axes, "level")


def _near(nodes: Array, middle: float) -> Array:
    """The nodes within `FARTHEST_M`, at least two."""
    first = int(np.searchsorted(nodes, middle - FARTHEST_M, side="right")) - 1
    last = int(np.searchsorted(nodes, middle + FARTHEST_M))
    first = min(max(first, 0), len(nodes) - 2)
    return nodes[first : max(last + 1, first + 2)]


def _grid(world: World, axes: list[Array], outside: str) -> dict[str, Any]:
    north, east = axes
    depths = world.bottom_m(north[:, None], east[None, :])
    return {
        "kind": "grid", "north0_m": float(north[0]), "east0_m": float(east[0]),
        "step_north_m": float(north[1] - north[0]), "step_east_m": float(east[1] - east[0]),
        "rows": len(north), "columns": len(east), "depths": packed_text(depths, "<f4"), "outside": outside,
    }  # fmt: skip


def structures(world: World, sea: Array) -> tuple[list[dict[str, Any]], list[str]]:
    """All structures as in the kernel, and notes about those that are drawn simplified."""
    entries: list[dict[str, Any]] = []
    notes: list[str] = []
    left = MOST_TRIANGLES
    for index, (item, solid) in enumerate(zip(world.structures, solids(sea), strict=True)):
        entry: dict[str, Any] = {
            "index": index, "name": world.named(index), "kind": item.kind, "center_n": solid.center.tolist(),
            "axes_n": solid.axes.ravel().tolist(), "half_m": solid.half.tolist(), "colour": item.colour,
        }  # fmt: skip
        if item.kind == "mesh":
            mesh = item.mesh()
            half = np.abs(mesh.vertices).max(axis=0)  # of the box that replaces a mesh with too many triangles
            entry["half_m"] = half.tolist()
            if len(mesh.faces) <= left:
                left -= len(mesh.faces)
                entry["mesh"] = mesh_text(mesh)
            else:
                notes.append(f"{entry['name']} has {len(mesh.faces)} triangles: drawn as a box")
                entry["kind"] = "box"
        entries.append(entry)
    return entries, notes


def waves(sea: Array) -> list[dict[str, float]]:
    """The largest linear waves; their sum is the elevation: a cos(k (n cos to + e sin to) - omega t + phase)."""
    h = header(sea)
    rows = records(sea, WAVE, h["waves_at"], h["n_waves"])
    strongest = np.argsort(-rows["amplitude"], kind="stable")[:MOST_WAVES]
    return [
        {
            "amplitude_m": float(row["amplitude"]), "wave_number_1_m": float(row["number"]),
            "frequency_rad_s": float(row["omega"]), "to_rad": math.atan2(row["east"], row["north"]),
            "phase_rad": float(row["phase"]),
        }
        for row in rows[strongest]
    ]  # fmt: skip
