"""What a caller may give a simulation, checked once: the value as the loop needs it, or one sentence."""

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


class Density(NamedTuple):
    """Density and gravity, as the autopilot asks for them."""

    density_kg_m3: float
    gravity_m_s2: float


HELD_OVERLAP = 0.2  # m, how far a vehicle that cannot be stopped may run into something
MAY_OVERLAP = 0.02  # m: a vehicle may start this deep in the mud

# what `place` takes, and the range that catches slips of unit
PLACE_RANGE = {
    "north_m": 1e7, "east_m": 1e7, "depth_m": 12000.0,
    "roll_deg": 180.0, "pitch_deg": 90.0, "heading_deg": 360.0,
    "surge_m_s": 1000.0, "sway_m_s": 1000.0, "heave_m_s": 1000.0,
    "roll_rate_deg_s": 36000.0, "pitch_rate_deg_s": 36000.0, "yaw_rate_deg_s": 36000.0,
}  # fmt: skip


def resolve_vehicle(given: object) -> Vehicle:
    """A Vehicle as it is; a name or a file loaded."""
    if isinstance(given, Vehicle):
        return given
    if isinstance(given, str):
        return load_vehicle(given)
    if isinstance(given, os.PathLike):
        return load_vehicle(Path(cast("os.PathLike[str]", given)))
    raise CommandError(key="vehicle", value=given, expected="a Vehicle, a library name or a .toml file")


def resolve_world(given: object) -> World:
    """The sea, or the still and endless one; a name or a file loaded."""
    if given is None:
        return World()
    if isinstance(given, str | os.PathLike):
        return load_world(cast("str | Path", given))
    if not isinstance(given, World):
        raise CommandError(key="world", value=given, expected="a World, such as World(depth_m=30), or a name or file")
    return given


def resolve_integrator(vehicle: Vehicle, integrator: str | None) -> str:
    """Name of an integrator; the vehicle file's if none is given."""
    return choice("integrator", vehicle.integrator if integrator is None else integrator, METHODS)


def make_plant(vehicle: Vehicle, world: World, kinematics: str | None, user_force: object) -> Plant:
    """The records of a vehicle in the water of a world; the vehicle file's kinematics if none are given."""
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
    """Refuse a run that a measured current does not cover, in time or where the vehicle starts."""
    for current in with_origin(world.currents, world.origin_lat_deg, world.origin_lon_deg):
        check_cover(current, until_s, [plant.position_n.tolist()])


def check_start(plant: Plant, world: World, time_s: float) -> None:
    """Refuse a vehicle that stands in the seabed or in a structure, or over land."""
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
            f"{plant.vehicle.key} at north {north:g} m, east {east:g} m, depth {plant.position_n[2]:g} m stands "
            f"{-float(worst['gap']):.3g} m inside {world.named(int(worst['what']))}",
            expected="a place in the open water",
        )


def check_held_directions(plant: Plant, world: World) -> None:
    """Stop a vehicle whose file holds a direction and that has run into something: no force can stop it there."""
    touch, free = plant.state["touch"], plant.vehicle.free[:3]
    if touch["depth"] > HELD_OVERLAP and not all(free):
        held = ", ".join(name for name, is_free in zip(("surge", "sway", "heave"), free, strict=True) if not is_free)
        raise CommandError(
            f"{plant.vehicle.key} has run {float(touch['depth']):.2g} m into {world.named(int(touch['what']))} at t = "
            f"{plant.time_s:.1f} s; its file holds {held}, so that nothing can stop it"
        )


def check_seed(given: object) -> int:
    """Anything a random generator can start from."""
    return whole("seed", given, 0)


# numbers that set the size of work: beyond these a run would not end, or not begin
WORK = {
    "seconds": (0.0, 1e10),
    "horizon_s": (0.0, 1e8),
    "every_s": (1e-6, 1e10),
    "step_s": (1e-9, 1e6),
    "control_rate_hz": (1e-6, 1e6),
    "log_rate_hz": (1e-9, 1e6),
    "rate_hz": (1e-3, 1e5),
}


def positive(key: str, value: object) -> float:
    """A finite number above zero, in its range of `WORK`."""
    low, high = WORK.get(key, (0.0, math.inf))
    return number(key, value, low, high, above=low == 0.0)


def check_external(given: object) -> Any:
    """A wrench, a function that gives one, or None."""
    return given if given is None or callable(given) else check_wrench(given)


def wrench_of(external: Any, state: VehicleState) -> NDArray[np.float64]:
    """The wrench of an external force that `check_external` accepted, now."""
    if external is None:
        return np.zeros(6)
    return check_wrench(external(state) if callable(external) else external)


def check_wrench(given: object) -> NDArray[np.float64]:
    """Six finite numbers."""
    return numbers("the external wrench", given, 6, expected="six finite numbers X Y Z K M N, N and N m")


def check_controller(given: object) -> Controller:
    """An object, not a class, with reset() and update(truth, dt)."""
    if isinstance(given, type):
        raise CommandError(
            f"controller is the class {given.__name__}", expected=f"an object of it: {given.__name__}(...)"
        )
    for name in ("reset", "update"):
        if not callable(getattr(given, name, None)):
            what = type(given).__name__
            raise CommandError(
                f"controller is of type {what} and has no {name}()", expected="reset() and update(truth, dt)"
            )
    return cast(Controller, given)


def logged_values(controller: Any) -> Sequence[float]:
    """What a controller says for the log: a number for each of its columns."""
    values, names = controller.values(), controller.columns
    if isinstance(values, Mapping) or not hasattr(values, "__len__") or len(values) != len(names):
        raise CommandError(
            f"{type(controller).__name__}.values returned {shown(values)}",
            expected=f"{len(names)} numbers, one for each of its columns {', '.join(names)}",
        )
    return values


def check_actuation(given: object, controller: object, vehicle: Vehicle) -> Actuation:
    """What a controller returned: an Actuation with a demand for each actuator, or none for all of a kind."""
    who = f"{type(controller).__name__}.update"
    if not isinstance(given, Actuation):
        raise CommandError(f"{who} returned {type(given).__name__}", expected="a pelagos.Actuation")
    for name in ("thrusters", "surfaces", "ballast"):
        n, there = getattr(given, name).size, len(getattr(vehicle, name))
        if n not in (0, there):
            raise CommandError(f"{who} returned {n} {name}; {vehicle.name} has {there}")
    return given


def check_place(given: Mapping[str, object]) -> dict[str, float]:
    """The values of `place` that are not None; names that do not exist are refused."""
    place: dict[str, float] = {}
    for key, value in given.items():
        known_key("place", key, PLACE_RANGE)
        if value is not None:
            place[key] = number(f"place {key}", value, -PLACE_RANGE[key], PLACE_RANGE[key])
    return place


RATES = ("roll_rate_deg_s", "pitch_rate_deg_s", "yaw_rate_deg_s")


def no_held_rates(vehicle: Vehicle, rates: NDArray[np.float64]) -> None:
    """Refuse rates of turn, (3,) or (n, 3) in rad/s, that the vehicle's file holds: nothing would ever change them."""
    for axis, name in enumerate(RATES):
        turning = np.atleast_2d(rates)[:, axis]
        if not vehicle.free[3 + axis] and turning.any():
            worst = math.degrees(float(turning[np.argmax(np.abs(turning))]))
            held = name.partition("_")[0]
            raise CommandError(key=f"place {name}", value=worst, expected=f"0: the file of {vehicle.name} holds {held}")


def check_saved(given: object, made_by: Mapping[str, object]) -> Mapping[str, Any]:
    """What `save` returned, made by a simulation like this one."""
    if not isinstance(given, Mapping) or not {"plant", "rest", "made_by"} <= set(given):
        raise CommandError("what shall be restored was not made by Simulation.save()")
    saved = cast("Mapping[str, Any]", given)
    for key, mine in made_by.items():
        other = saved["made_by"].get(key)
        if other != mine:
            raise CommandError(f"what shall be restored was saved with {key} {other!r}; this simulation has {mine!r}")
    return saved
