"""Checks and conversions of the arguments of a simulation: each returns a usable value or raises an error."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from pelagos.checks import choice, known_key, number, numbers, whole
from pelagos.control.base import Controller
from pelagos.engine.core.integrate import METHODS
from pelagos.errors import CommandError, ScenarioError, shown
from pelagos.messages import Actuation, VehicleState
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle
from pelagos.world.current.kinds import check_cover, with_origin
from pelagos.world.load import load_world
from pelagos.world.spec import World

Wrench = Sequence[float] | NDArray[np.float64]
External = Wrench | Callable[[VehicleState], Wrench] | None
HELD_OVERLAP = 0.2  # m, by which a vehicle with a held direction may penetrate an obstacle before the run stops
MAY_OVERLAP = 0.02  # m, by which a vehicle may start inside the seabed, as one that rests on mud
# Keys of `place`, and the largest magnitude of each: wide limits that catch wrong units.
PLACE_RANGE = {
    "north_m": 1e7, "east_m": 1e7, "depth_m": 12000.0,
    "roll_deg": 180.0, "pitch_deg": 90.0, "heading_deg": 360.0,
    "surge_m_s": 1000.0, "sway_m_s": 1000.0, "heave_m_s": 1000.0,
    "roll_rate_deg_s": 36000.0, "pitch_rate_deg_s": 36000.0, "yaw_rate_deg_s": 36000.0,
}  # fmt: skip
# Ranges of arguments that set the amount of work: outside them a run would not end in any useful time, or not begin.
WORK = {
    "seconds": (0.0, 1e10),
    "horizon_s": (0.0, 1e8),
    "every_s": (1e-6, 1e10),
    "step_s": (1e-9, 1e6),
    "control_rate_hz": (1e-6, 1e6),
    "log_rate_hz": (1e-9, 1e6),
    "rate_hz": (1e-3, 1e5),
}
RATES = ("roll_rate_deg_s", "pitch_rate_deg_s", "yaw_rate_deg_s")


class WaterConstants(NamedTuple):
    """Density and gravity of the water, for the tuning of controllers."""

    density_kg_m3: float
    gravity_m_s2: float


def resolve_vehicle(vehicle: object) -> Vehicle:
    """The vehicle itself, or the one of a library name or a file."""
    if isinstance(vehicle, Vehicle):
        return vehicle
    if isinstance(vehicle, str):
        return load_vehicle(vehicle)
    if isinstance(vehicle, os.PathLike):
        return load_vehicle(Path(cast("os.PathLike[str]", vehicle)))
    raise CommandError(key="vehicle", value=vehicle, expected="a Vehicle, a library name or a .toml file")


def resolve_world(world: object) -> World:
    """The world itself, the one of a library name or a file, or for None the default world."""
    if world is None:
        return World()
    if isinstance(world, str | os.PathLike):
        return load_world(cast("str | Path", world))
    if not isinstance(world, World):
        raise CommandError(key="world", value=world, expected="a World, such as World(depth_m=30), or a name or file")
    return world


def resolve_integrator(vehicle: Vehicle, integrator: str | None) -> str:
    """Name of the integrator; default: from the vehicle's file."""
    return choice("integrator", vehicle.integrator if integrator is None else integrator, METHODS)


def make_plant(vehicle: Vehicle, world: World, kinematics: str | None, user_force: object) -> Plant:
    """The plant of a vehicle in the water of a world; default kinematics: from the vehicle's file."""
    attitude = vehicle.kinematics if kinematics is None else kinematics
    if not isinstance(user_force, str | None):
        raise CommandError(key="user_force", value=user_force, expected="text of the form FILE.py:FUNCTION")
    return Plant(
        vehicle,
        density_kg_m3=world.surface_density_kg_m3,
        gravity_m_s2=world.gravity_m_s2,
        density_gradient_kg_m4=world.density_gradient_kg_m4,
        euler_angles=choice("kinematics", attitude, ("quaternion", "euler")) == "euler",
        user_force=user_force,
    )


def check_current_cover(world: World, until_s: float, plant: Plant) -> None:
    """Raise an error if a measured current does not cover the time of a run or the start of the vehicle."""
    for current in with_origin(world.currents, world.origin_lat_deg, world.origin_lon_deg):
        check_cover(current, until_s, [plant.position_n.tolist()])


def check_start(plant: Plant, world: World, time_s: float) -> None:
    """Raise an error if the vehicle starts on land, in the seabed or inside a structure."""
    north, east, _ = plant.position_n.tolist()
    level = float(world.surface_m(north, east, time_s)) if world.surface else -math.inf
    bottom = float(world.bottom_m(north, east))
    if bottom <= level:
        there = f"at the start, north {north:g} m, east {east:g} m"
        message = f"is {level - bottom:.3g} m above the surface {there}"
        where = {"file": world.path or "world", "key": "seabed"}
        raise ScenarioError(message, **where, expected="water: start elsewhere")
    hits = plant.contacts() if plant.may_touch(0.0) else ()
    inside = [hit for hit in hits if hit["gap"] < -MAY_OVERLAP]
    if inside:
        worst = min(inside, key=lambda hit: float(hit["gap"]))
        raise CommandError(
            f"{plant.vehicle.key} at north {north:g} m, east {east:g} m, depth {plant.position_n[2]:g} m is "
            f"{-float(worst['gap']):.3g} m inside {world.named(int(worst['obstacle']))}",
            expected="a place in open water",
        )


def check_held_directions(plant: Plant, world: World) -> None:
    """Raise an error if a vehicle with a held direction has run into an obstacle: contact forces cannot stop it."""
    touch, free = plant.state["touch"], plant.vehicle.free[:3]
    if touch["depth"] > HELD_OVERLAP and not all(free):
        held = ", ".join(name for name, is_free in zip(("surge", "sway", "heave"), free, strict=True) if not is_free)
        raise CommandError(
            f"{plant.vehicle.key} is inside {world.named(int(touch['obstacle']))}, and its file holds {held}, "
            "so contact forces cannot stop it",
            key=f"overlap_m at t = {plant.time_s:.1f} s",
            value=float(f"{touch['depth']:.2g}"),
            expected=f"at most {HELD_OVERLAP:g}",
        )


def check_seed(seed: object) -> int:
    """A seed for the random generator: a whole number, 0 or above."""
    return whole("seed", seed, 0)


def positive(key: str, value: object) -> float:
    """A finite number above zero, within its range in `WORK`."""
    low, high = WORK.get(key, (0.0, math.inf))
    return number(key, value, low, high, above=low == 0.0)


def ticks_per_sample(log_rate_hz: float | None, rate_hz: float) -> int:
    """Return the number of control intervals from one sample of a log to the next; None: one."""
    if log_rate_hz is None:
        return 1
    # 1e-9: a log rate computed from an interval may exceed the control rate by rounding
    if positive("log_rate_hz", log_rate_hz) > rate_hz * (1.0 + 1e-9):
        raise CommandError(key="log_rate_hz", value=log_rate_hz, expected=f"at most the control rate, {rate_hz:g}")
    return max(1, round(rate_hz / log_rate_hz))


def intervals_in(seconds: float, rate_hz: float) -> int:
    """Return a time as a number of control intervals, at least one."""
    count = round(positive("seconds", seconds) * rate_hz)
    if count == 0:
        raise CommandError(key="seconds", value=seconds, expected=f"at least one control interval, {1.0 / rate_hz:g} s")
    return count


def check_external(external: object) -> Any:
    """The external wrench, a function that returns one, or None."""
    return external if external is None or callable(external) else check_wrench(external)


def wrench_of(external: Any, state: VehicleState) -> NDArray[np.float64]:
    """Value of an external wrench at a state; see `check_external`."""
    if external is None:
        return np.zeros(6)
    return check_wrench(external(state) if callable(external) else external)


def check_wrench(wrench: object) -> NDArray[np.float64]:
    """A wrench of six finite numbers."""
    return numbers("the external wrench", wrench, 6, expected="six finite numbers X Y Z K M N, N and N m")


def check_controller(controller: object) -> Controller:
    """A controller: an object, not a class, with reset() and update(state, dt)."""
    if isinstance(controller, type):
        name = controller.__name__
        raise CommandError(f"{name} is a class", key="controller", expected=f"an object of it: {name}(...)")
    for name in ("reset", "update"):
        if not callable(getattr(controller, name, None)):
            kind = type(controller).__name__
            raise CommandError(
                f"an object of type {kind} has no {name}()", key="controller", expected="reset() and update(state, dt)"
            )
    return cast(Controller, controller)


def logged_values(controller: Any) -> Sequence[float]:
    """Values of a controller's own columns in the log, one for each."""
    values, names = controller.values(), controller.columns
    if isinstance(values, Mapping) or not hasattr(values, "__len__") or len(values) != len(names):
        raise CommandError(
            key=f"the result of {type(controller).__name__}.values()",
            value=values,
            expected=f"{len(names)} numbers, one for each of its columns {', '.join(names)}",
        )
    return values


def check_actuation(actuation: object, controller: object, vehicle: Vehicle) -> Actuation:
    """The actuation a controller returned: for each kind, a command for every actuator or no command at all."""
    if not isinstance(actuation, Actuation):
        key = f"the result of {type(controller).__name__}.update()"
        raise CommandError(key=key, value=actuation, expected="a pelagos.Actuation")
    for name in ("thrusters", "surfaces", "ballast"):
        n, n_actuators = getattr(actuation, name).size, len(getattr(vehicle, name))
        if n not in (0, n_actuators):
            key = f"number of {name} in the result of {type(controller).__name__}.update()"
            raise CommandError(key=key, value=n, expected=f"{n_actuators}, one for each of {vehicle.name}")
    return actuation


def check_place(values: Mapping[str, object]) -> dict[str, float]:
    """The arguments of `place` that are not None, each checked; an error for unknown names."""
    place: dict[str, float] = {}
    for key, value in values.items():
        known_key("place", key, PLACE_RANGE)
        if value is not None:
            place[key] = number(f"place {key}", value, -PLACE_RANGE[key], PLACE_RANGE[key])
    return place


def no_held_rates(vehicle: Vehicle, rates: NDArray[np.float64]) -> None:
    """Raise an error for angular rates, (3,) or (n, 3) in rad/s, about held axes: no force would ever change them."""
    for axis, name in enumerate(RATES):
        turning = np.atleast_2d(rates)[:, axis]
        if not vehicle.free[3 + axis] and turning.any():
            worst = math.degrees(float(turning[np.argmax(np.abs(turning))]))
            held = name.partition("_")[0]
            raise CommandError(key=f"place {name}", value=worst, expected=f"0: the file of {vehicle.name} holds {held}")


def check_saved(saved: object, made_by: Mapping[str, object]) -> Mapping[str, Any]:
    """A state from `Simulation.save`, made by a simulation with the same properties."""
    if not isinstance(saved, Mapping) or not {"plant", "rest", "made_by"} <= set(saved):
        raise CommandError("the state to restore was not made by Simulation.save()")
    restored = cast("Mapping[str, Any]", saved)
    for key, mine in made_by.items():
        other = restored["made_by"].get(key)
        if other != mine:
            raise CommandError(key=f"{key} of the state to restore", value=other, expected=f"{shown(mine)}, as here")
    return restored
