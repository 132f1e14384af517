"""Text description of a world, table by table, with units and sources."""

from __future__ import annotations

import math
import re
from dataclasses import MISSING, fields
from pathlib import Path
from textwrap import fill
from typing import Any

from pelagos.units import split_key
from pelagos.world.spec import World

WIDTH = 110
MOST_NUMBERS = 6  # longer lists are shortened to first, last and count
UNITS = {"_g_kg": "g/kg", "_n_s_m": "N s/m", "_n_m": "N/m", "_c": "°C", "_h": "h"}  # not among file units
IN_HEAD = ("name", "kind")
ALWAYS = ("to_deg", "preset")  # shown even if they have the default


def describe_world(world: World) -> str:
    """Return a readable text of everything in a world."""
    lines = [f"{world.name}"]
    if world.summary:
        lines += [fill(world.summary, WIDTH, initial_indent="  ", subsequent_indent="  ")]
    deep = world.still_depth_m
    depth = "endless" if math.isinf(deep) else f"{deep:g} m" + (" at the origin" if world.seabed else "")
    lines += ["", _line("depth", depth), _line("surface", "free" if world.surface else "none, water everywhere")]
    lines += [_line("origin", text) for text in _origin(world)]
    lines += [_line("water", _water(world))]
    lines += [_line("visibility", f"{world.visibility_m:g} m, {_colour(world)} (for pictures only)")]
    lines += [_line("waves", _spec(world.waves) if world.waves else "none")]
    flows = [_spec(current) for current in world.currents] + _plain_current(world)
    lines += _block("current", flows or ["none"])
    lines += [_line("seabed", _spec(world.seabed) if world.seabed else "none, apart from the depth")]
    lines += _block("structures", [_spec(item) for item in world.structures] or ["none"])
    lines += ["", "sources and notes"] if world.sources else []
    lines += [fill(note, WIDTH, initial_indent="  ", subsequent_indent="    ") for note in _notes(world)]
    return "\n".join(lines)


def _notes(world: World) -> list[str]:
    """Sources and notes with structures by name; identical ones share a line."""
    places: dict[str, list[str]] = {}
    for note in world.sources:
        match = re.match(r"structure\[(\d+)\](.*?): ", note)
        name = world.named(int(match[1])) + match[2].replace(".", " ") if match else ""
        places.setdefault(note[match.end() :] if match else note, []).extend([name] if name else [])
    return [f"{', '.join(names)}: {text}" if names else text for text, names in places.items()]


def _origin(world: World) -> list[str]:
    lat, lon = world.origin_lat_deg, world.origin_lon_deg
    return [f"{lat:g} deg north, {lon:g} deg east"] if lat is not None and lon is not None else []


def _water(world: World) -> str:
    if world.water is not None:
        surface = f"{_spec(world.water)}; {world.water.surface_density_kg_m3:.6g} kg/m3 at the surface"
        deep = world.still_depth_m
        if not world.water.stratified or not math.isfinite(deep):
            return surface
        return f"{surface}, {float(world.water.density(deep)):.6g} kg/m3 at {deep:g} m"
    if world.density_kg_m3 is None:
        return "as the vehicle's numbers were made for"
    gradient = world.density_gradient_kg_m4
    return f"density {world.density_kg_m3:g} kg/m3" + (f" + {gradient:g} kg/m3 per m" if gradient else "")


def _colour(world: World) -> str:
    return world.water_colour if isinstance(world.water_colour, str) else f"colour {_value(world.water_colour)}"


def _plain_current(world: World) -> list[str]:
    if world.current is not None:
        return ["a function of time"]
    if not (world.current_m_s or world.current_down_m_s):
        return []
    down = f", {world.current_down_m_s:g} m/s down" if world.current_down_m_s else ""
    return [f"uniform: {world.current_m_s:g} m/s to {world.current_to_deg:g} deg{down}"]


def _block(title: str, items: list[str]) -> list[str]:
    return [_line(title if k == 0 else "", item) for k, item in enumerate(items)]


def _line(title: str, text: str) -> str:
    return fill(text, WIDTH, initial_indent=f"  {title:<12}", subsequent_indent=" " * 16)


def _spec(spec: Any) -> str:
    """One line for a description: name and kind, then the values that differ from the defaults."""
    listed = [item for item in fields(spec) if item.name not in IN_HEAD and _is_shown(spec, item)]
    values = ", ".join(f"{_label(item.name)} {_value(getattr(spec, item.name))}{_unit(item.name)}" for item in listed)
    name, kind = getattr(spec, "name", ""), getattr(spec, "kind", "")
    head = ", ".join(part for part in (name, kind) if isinstance(part, str) and part)
    return f"{head}: {values}" if head and values else head or values or "as usual"


def _is_shown(spec: Any, item: Any) -> bool:
    value = getattr(spec, item.name)
    if value is None or value == "" or not item.repr:
        return False
    if item.name in ALWAYS:
        return True
    default = item.default if item.default_factory is MISSING else item.default_factory()
    return default is MISSING or _value(value) != _value(default)


def _label(name: str) -> str:
    ending = next((end for end in UNITS if name.endswith(end)), "")
    return (name.removesuffix(ending) if ending else split_key(name)[0]).replace("_", " ")


def _unit(name: str) -> str:
    ending = next((end for end in UNITS if name.endswith(end)), "")
    unit = split_key(name)[1]
    return f" {UNITS[ending]}" if ending else f" {unit.text}" if unit else ""


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, str) and ("/" in value or "\\" in value):
        return Path(value).name
    if isinstance(value, tuple | list):
        if len(value) > MOST_NUMBERS:
            return f"({_value(value[0])} ... {_value(value[-1])}, {len(value)} in all)"
        return "(" + ", ".join(_value(item) for item in value) + ")"
    shape = getattr(value, "shape", None)
    return f"an array of {' x '.join(str(n) for n in shape)}" if shape is not None else str(value)
