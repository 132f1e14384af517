"""A vehicle and a world as tables for JSON: `vehicle` and `scene` of the message `hello`.

Points of the vehicle are in body axes, those of the world are north, east, down, all in metres; faces of meshes point
outward. Unknown and infinite values are null.
"""

from __future__ import annotations

from math import degrees
from typing import Any

from pelagos.console.scene import world as scene_world
from pelagos.console.scene.solids import creased
from pelagos.console.scene.text import mesh_text
from pelagos.console.scene.vehicle import parts
from pelagos.session.source import plain
from pelagos.vehicle.spec import Camera, Lamp, Vehicle
from pelagos.world.spec import World
from pelagos.world.water import attenuation_1_m, rgb


def vehicle_scene(vehicle: Vehicle) -> dict[str, Any]:
    """Data and drawing of a vehicle for the page, except `axes` and `can`, which depend on the helm."""
    return plain(
        {
            "key": vehicle.key, "name": vehicle.name, "class": vehicle.vehicle_class, "length_m": vehicle.length_m,
            "thrusters": [
                {"name": item.name, "position_m": item.position_b, "direction": item.direction_b}
                for item in vehicle.thrusters
            ],
            "surfaces": [{"name": item.name, "limit_deg": degrees(item.limit_rad)} for item in vehicle.surfaces],
            "depth_rating_m": vehicle.depth_rating_m,
            "has_tether": vehicle.tether is not None,
            "has_battery": any(sensor.kind == "battery" for sensor in vehicle.sensors),
            "fairlead_m": vehicle.tether.fairlead_b if vehicle.tether is not None else None,
            "tether_diameter_m": vehicle.tether.cable.diameter_m if vehicle.tether is not None else None,
            "cameras": [_camera(item) for item in vehicle.cameras],
            "lamps": [_lamp(item) for item in vehicle.lamps],
            "skin": {
                "parts": [
                    {"kind": part.kind, "colour": part.colour, "mesh": mesh_text(creased(part.mesh)), **part.more}
                    for part in parts(vehicle)
                ]
            },
        }
    )  # fmt: skip


def world_scene(
    world: World, *, gravity_m_s2: float | None = None, near_m: tuple[float, float] = (0.0, 0.0)
) -> dict[str, Any]:
    """Drawing of a world for the page.

    `gravity_m_s2` is that of the simulation, on which wave lengths depend; `near_m` (north, east) is the start of the
    vehicle, the middle of the part that is drawn of a large bottom.
    """
    sea = world.packed(gravity_m_s2=gravity_m_s2)
    extent_m = scene_world.extent(world, sea)
    structures, notes = scene_world.structures(world, sea)
    return plain(
        {
            "name": world.name, "depth_m": world.still_depth_m, "surface": world.surface,
            "visibility_m": world.visibility_m, "attenuation_1_m": attenuation_1_m(world.visibility_m),
            "water_colour": rgb(world.water_colour), "waves": scene_world.waves(sea), "structures": structures,
            "seabed": scene_world.seabed(world, sea, extent_m, near_m), "extent_m": extent_m, "notes": notes,
        }
    )  # fmt: skip


def _camera(item: Camera) -> dict[str, Any]:
    return {
        "name": item.name, "position_m": item.position_b, "pan_deg": degrees(item.pan_rad),
        "tilt_deg": degrees(item.tilt_rad), "pan_limit_deg": [degrees(angle) for angle in item.pan_limit_rad],
        "tilt_limit_deg": [degrees(angle) for angle in item.tilt_limit_rad], "rate_deg_s": degrees(item.rate_rad_s),
        "fov_deg": degrees(item.fov_rad), "zoom_most": item.zoom_most,
    }  # fmt: skip


def _lamp(item: Lamp) -> dict[str, Any]:
    return {
        "name": item.name, "position_m": item.position_b, "direction": item.direction_b,
        "beam_deg": degrees(item.beam_rad), "lumens": item.lumens,
    }  # fmt: skip
