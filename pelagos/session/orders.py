"""Orders of a flight, one function each: it carries out the order, or raises CommandError and changes nothing.

`pelagos.session.order_fields` lists their keys and checks each value before the function runs. Those of links to other
programs, which a page cannot send except `arm`:

| order | values |
|---|---|
| `arm` | `on`; off: thrusters and surfaces rest, while sticks, holds and mission keep their state |
| `route` | `legs`, tables as in `[[mission]]` of a scenario, and an initial `speed_m_s`; no legs: no mission |
| `setpoint` | quantities of a `Setpoint`, held by the helm if it can; null releases one |
| `actuators` | `thrusters`, `surfaces`, `ballast`: commands by name and unit; without any the helm takes over |
| `contact` | a body that another program reports: `pelagos.sim.contacts.Contact` |
| `contact_gone` | `key` of a contact |

All of them go through `Flight.order`, in the thread that owns the flight and between two ticks, and into its journal:
a rerun repeats them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from pelagos.checks import number
from pelagos.control.autopilot.autopilot import Autopilot
from pelagos.control.base import AXIS_NAMES
from pelagos.control.pilot.holds import QUANTITIES
from pelagos.errors import CommandError, PelagosError
from pelagos.files.reader import Place, read_kind
from pelagos.guidance.base import Leg
from pelagos.guidance.legs.kinds import KINDS as LEGS
from pelagos.guidance.mission import Mission
from pelagos.messages import Actuation, Setpoint, VehicleState
from pelagos.scenario.mission_check import check_mission, with_sonars
from pelagos.scenario.spec import ScenarioVehicle, Start
from pelagos.session.authority import hand_over, take_helm
from pelagos.session.make import schedules_match
from pelagos.session.source import unknown
from pelagos.sim.commands import DirectControl
from pelagos.sim.contacts import Contact
from pelagos.sim.faults.effects import Faults
from pelagos.sim.faults.kinds import KINDS, Leak
from pelagos.sim.simulation import Simulation
from pelagos.tether.line import Line
from pelagos.training.conditions import Conditions
from pelagos.training.task import TrainingTask

if TYPE_CHECKING:
    from pelagos.session.flight import Flight

Values = Mapping[str, Any]
WINCH_KEYS = ("ratio", "rate_m_s", "tension_N", "length_m")
TRIGGERS = ("at_s", "when", "place_m", "radius_m")  # keys of a scenario's fault that set its begin
VISUAL_CONDITIONS = ("top_view", "camera", "image_delay_s", "frame_limit_hz", "visibility_m")  # do not affect motion
SPEED_MARGIN = 1.0 + 1e-6  # the top speed itself may be ordered after a conversion of units


def _hold(flight: Flight, values: Values) -> None:
    hold, on = values["hold"], values["on"]
    if hold == "mission":
        flight.fly_mission(on)
    elif flight.flies_mission:
        raise _mission_flies(f"hold {hold}")
    elif hold in ("depth", "altitude") and flight.perfect_depth_m is not None:
        raise _depth_is_perfect(f"hold {hold}")
    else:
        flight.helm.hold(hold, on, flight.sim.feedback(), values.get("value"))
    flight.publish_event("mode", f"{hold} hold {'on' if on else 'off'}")


def _trim(flight: Flight, values: Values) -> None:
    flight.helm.trim(**dict(values))


def _trim_reset(flight: Flight, values: Values) -> None:
    flight.helm.trim(**dict.fromkeys(AXIS_NAMES, 0.0))


def _stick_frame(flight: Flight, values: Values) -> None:
    flight.helm.frame = values["frame"]


def _gain(flight: Flight, values: Values) -> None:
    flight.helm.gain = values["factor"]
    flight.publish_event("order", f"pilot gain {flight.helm.gain:.0%}")


def _camera(flight: Flight, values: Values) -> None:
    flight.camera_mount.order(values)


def _lights(flight: Flight, values: Values) -> None:
    flight.camera_mount.lights = values["level"]


def _tether(flight: Flight, values: Values) -> None:
    line = _line(flight)
    settings = {name: values[name] for name in WINCH_KEYS if name in values}
    line.haul(**settings, fixed=values.get("fixed", False))
    text = ", ".join(f"{name} {value:g}" for name, value in settings.items())
    flight.publish_event("order", f"tether: {text or 'fixed'}")


def _ship(flight: Flight, values: Values) -> None:
    line = _line(flight)
    place = [values[name] for name in ("north_m", "east_m") if name in values]
    sail, follow, stop = len(place) == 2, values.get("follow", False), values.get("stop", False)
    if sail + follow + stop != 1 or len(place) == 1:
        raise CommandError(key="ship", expected="north_m and east_m, or follow, or stop")
    if sail:
        # The simulation, not the line: it alone can check the way for structures.
        flight.sim.move_ship(north_m=place[0], east_m=place[1])
        flight.publish_event("order", f"ship: to north {place[0]:g} m, east {place[1]:g} m")
    elif follow:
        line.ship_follows()
        flight.publish_event("order", "ship: follows the vehicle")
    else:
        line.stop_ship()
        flight.publish_event("order", "ship: stops")


def _record(flight: Flight, values: Values) -> None:
    if values["on"]:
        flight.record()
    elif flight.recordings.current is None:
        raise CommandError("nothing is being recorded")
    else:
        flight.recordings.stop(flight)


def _reset(flight: Flight, values: Values) -> None:
    flight.begin(flight.settings)
    flight.publish_event("reset", "the flight begins anew")


def _task_start(flight: Flight, values: Values) -> None:
    if flight.attempt is None:
        raise CommandError("there is no task to start; choose one first")
    if flight.attempt.trial.phase == "running":
        name = flight.attempt.trial.task.name
        raise CommandError("it is already running", key="task", value=name, expected="an order task_abort first")
    if flight.ticks > 0:  # every attempt begins at the same place, in the same water
        flight.begin(flight.settings)
        flight.journal.order(0, "task_start", {})  # `Flight.order` writes to the old journal only
    flight.attempt.trial.start()
    flight.publish_event("task", f"{flight.attempt.trial.task.header.title}: go")


def _task_abort(flight: Flight, values: Values) -> None:
    if flight.attempt is None:
        raise CommandError("there is no task to abort")
    flight.attempt.trial.abort()
    flight.attempt.publish_end(flight)


def _pilot_name(flight: Flight, values: Values) -> None:
    flight.pilot = values["name"].strip()


def _seek(flight: Flight, values: Values) -> None:
    raise CommandError("seek needs a replay; this is a live flight")


def _fault(flight: Flight, values: Values) -> None:
    table = {name: value for name, value in values.items() if value is not None}
    trigger = next((name for name in TRIGGERS if name in table), None)
    if trigger is not None:
        message = "an ordered fault begins at once"
        raise CommandError(message, key=f"fault {trigger}", value=table[trigger], expected="a fault without it")
    # Time 0 is past: the fault begins with the next tick.
    _faults(flight).inject(read_kind(KINDS, {**table, "at_s": 0.0}, Place("fault", Path())))


def _clear_faults(flight: Flight, values: Values) -> None:
    """Clear all faults, or the one of an id; warn of faults that cannot be cleared and of water inside."""
    faults, name = _faults(flight), values.get("id")
    chosen = [case for case in faults.acting if name is None or case.name == name]
    if name is not None and not chosen:
        raise unknown("no fault acts with the id", name, tuple(case.name for case in faults.acting))
    faults.clear(flight.time_s, name)
    ended = [str(case) for case in chosen if case.can_end]
    if ended or name is None:
        text = f"cleared: {', '.join(ended)}" if ended else "no fault acts that could be cleared"
        flight.publish_event("order", text)
    for case in chosen:
        if not case.can_end:
            flight.publish_event("warning", f"{case} stays: a reset rigs a new one")
    if faults.flooded_kg > 0.0 and (name is None or any(isinstance(case.fault, Leak) for case in chosen)):
        flight.publish_event("warning", f"{faults.flooded_kg:.2g} kg of water stay inside until a reset")


def _message(flight: Flight, values: Values) -> None:
    text = values["text"].strip()
    if not text:
        raise CommandError(key="message text", value=values["text"], expected="a text that is not blank")
    flight.publish_event("message", text)


def _conditions(flight: Flight, values: Values) -> None:
    """Change visual conditions at once; any other condition restarts the flight."""
    before = flight.conditions
    new = Conditions.of(dict(values), before)
    changed = {name: value for name, value in vars(new).items() if value != getattr(before, name)}
    if not changed:
        return
    _not_of_scenario(flight, "conditions")
    settings = flight.settings.with_conditions(**changed)
    if all(name in VISUAL_CONDITIONS for name in changed):
        # `start_settings` stays: a rerun starts from it and repeats this order.
        flight.settings, flight.conditions, flight.changed = settings, new, True
        if flight.attempt is not None:
            flight.attempt.change(new)
    else:
        flight.begin(settings)
    flight.publish_event("order", f"conditions: {new.sentence()}")


def _task(flight: Flight, values: Values) -> None:
    _not_of_scenario(flight, "task")
    name, conditions = values.get("name"), values.get("conditions") or {}
    settings = flight.settings
    start = None if name else settings.start  # a task has a start of its own
    flight.begin(dataclasses.replace(settings, task=name or "", start=start, conditions=conditions))
    text = _task_text(flight.attempt.trial.task, settings.vehicle.key) if flight.attempt else "no task"
    flight.publish_event("task", text)


def _task_text(task: TrainingTask, vehicle: str) -> str:
    """The title of a task, with a note if the flight keeps a vehicle that the task is not made for."""
    intended = task.vehicle().key
    note = f", flown with {vehicle}; it is made for {intended}: pelagos fly --task {task.name}"
    return f"task: {task.header.title}{'' if intended == vehicle else note}"


def _mission_flies(key: str) -> CommandError:
    return CommandError("the mission has the helm", key=key, expected="an order to switch hold mission off first")


def _depth_is_perfect(key: str) -> CommandError:
    message = "these conditions hold depth perfectly"
    return CommandError(message, key=key, expected="another hold than depth or altitude")


def _line(flight: Flight) -> Line:
    if flight.sim.tether is None:
        raise CommandError("it has no tether", key="vehicle", value=flight.sim.vehicle.key)
    return flight.sim.tether


def _not_of_scenario(flight: Flight, key: str) -> None:
    if flight.settings.scenario is not None:
        message, name = f"it sets the {key} of this flight", flight.settings.scenario.name
        raise CommandError(message, key="scenario", value=name, expected="a flight without a scenario")


def _faults(flight: Flight) -> Faults:
    if flight.sim.faults is None:
        raise CommandError("fault injection is disabled in this flight")
    return flight.sim.faults


class Route(Mission):
    """A mission that a link sent: a leg that turns out to be impossible ends the route, not the flight."""

    def update(self, state: VehicleState, dt: float) -> Actuation:
        """The actuation of the present leg; if the autopilot refuses a setpoint, it keeps the one before."""
        try:
            return super().update(state, dt)
        except PelagosError as refusal:
            self.done = True
            self._record(state, "refused", f"the route ends in leg {self.index}: {refusal}")
            return self.controller.update(state, dt)


def _arm(flight: Flight, values: Values) -> None:
    on = values["on"]
    if on != flight.armed:
        flight.armed = on
        hand_over(flight)
        flight.publish_event("order", "armed" if on else "disarmed: thrusters and surfaces at rest")
    flight.waits = flight.waits and not on


def _route(flight: Flight, values: Values) -> None:
    legs, sim = _legs(values["legs"], flight.sim), flight.sim
    if not legs:
        take_helm(flight)
        flight.mission, flight.changed = None, True
        return
    autopilot = Autopilot(sim.vehicle, sim.water, sim.interval_s)
    if schedules_match(autopilot.schedule, flight.helm.schedule):  # saves milliseconds per stage between two ticks
        autopilot.schedule.learn(flight.helm.schedule)
    speed_m_s: float | None = None
    if values.get("speed_m_s") is not None:
        top = autopilot.schedule.top_speed * SPEED_MARGIN
        speed_m_s = number("route speed_m_s", values["speed_m_s"], -top, top)
    _check_legs(autopilot, legs, speed_m_s, sim)
    autopilot.command(Setpoint(speed_m_s=speed_m_s))
    flight.mission, flight.changed = Route(autopilot, legs), True
    if flight.flies_mission:
        hand_over(flight)


def _setpoint(flight: Flight, values: Values) -> None:
    if flight.flies_mission:
        raise _mission_flies("setpoint")
    holds = _holds(flight, values)
    if flight.direct is not None:
        take_helm(flight)
    helm, state, done = flight.helm, flight.sim.feedback(), list[str]()
    before = {hold: _held(helm.setpoint, hold) for hold in QUANTITIES} | {"level": helm.modes["level"] or None}
    try:
        for hold, value in holds:
            if value is not None or helm.modes[hold]:
                done.append(hold)
                helm.hold(hold, value is not None, state, None if value is True else value)
    except CommandError:
        # All or nothing: undo in reverse, because a later hold may depend on an earlier one.
        for hold in reversed(done):
            value = before[hold]
            helm.hold(hold, value is not None, state, None if value is True else value)
        raise
    flight.waits = flight.waits and all(value is None for _, value in holds)


def _actuators(flight: Flight, values: Values) -> None:
    if flight.flies_mission:
        raise _mission_flies("actuators")
    if not any(values.values()):
        take_helm(flight)
        return
    direct = flight.direct or direct_control_of(flight.sim)
    command_actuators(direct, values)
    flight.waits = False
    if flight.direct is None:  # only now: refused commands must not take the helm from the pilot
        flight.direct = direct
        hand_over(flight)


def put_contact(sim: Simulation, values: Values) -> None:
    """Add or update a contact that another program reports."""
    sim.contacts.put(Contact.of(values))


def remove_contact(sim: Simulation, values: Values) -> None:
    """Remove a contact."""
    sim.contacts.remove(values["key"])


ORDERS: dict[str, Callable[[Flight, Values], None]] = {
    "hold": _hold,
    "trim": _trim,
    "trim_reset": _trim_reset,
    "stick_frame": _stick_frame,
    "gain": _gain,
    "camera": _camera,
    "lights": _lights,
    "tether": _tether,
    "ship": _ship,
    "record": _record,
    "reset": _reset,
    "task_start": _task_start,
    "task_abort": _task_abort,
    "pilot_name": _pilot_name,
    "seek": _seek,
    "fault": _fault,
    "clear_faults": _clear_faults,
    "message": _message,
    "conditions": _conditions,
    "task": _task,
    "arm": _arm,
    "route": _route,
    "setpoint": _setpoint,
    "actuators": _actuators,
    "contact": lambda flight, values: put_contact(flight.sim, values),
    "contact_gone": lambda flight, values: remove_contact(flight.sim, values),
}


def direct_control_of(sim: Simulation) -> DirectControl:
    """A controller for commands to single actuators: thrusters and surfaces at zero, ballast as commanded last."""
    direct = DirectControl(sim.vehicle)
    direct.ballast = sim.plant.command["actuators"]["ballast"][: len(sim.vehicle.ballast)].copy()
    return direct


def command_actuators(direct: DirectControl, commands: Mapping[str, dict[str, Any]]) -> None:
    """Give a direct controller commands by kind and name of actuator: all of them or none."""
    before = direct.thrusters, direct.surfaces, direct.ballast
    try:
        direct.thrust(None, commands.get("thrusters", {}))
        direct.deflect(None, commands.get("surfaces", {}))
        direct.set_ballast(commands.get("ballast", {}))
    except CommandError:
        direct.thrusters, direct.surfaces, direct.ballast = before
        raise


def to_lists(value: Any) -> Any:
    """A value with lists and numbers in place of NumPy arrays and scalars, so that the journal can write it.

    NaN stays: the check of the value it stands for refuses it.
    """
    if isinstance(value, Mapping):
        return {name: to_lists(item) for name, item in cast("Values", value).items()}
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, list | tuple):
        return [to_lists(item) for item in cast("list[Any]", value)]
    return value


def _held(setpoint: Setpoint, hold: str) -> Any:
    """The value of a hold as `Helm.hold` takes it; None if it is off."""
    values = [getattr(setpoint, name) for name in QUANTITIES[hold]]
    return None if values[0] is None else values if len(values) > 1 else values[0]


def _holds(flight: Flight, values: Values) -> list[tuple[str, Any]]:
    """Holds of a setpoint and their values in the order to set them; None switches one off, True is for level."""
    holds: dict[str, Any] = {}
    for hold, names in QUANTITIES.items():
        parts = [values[name] for name in names if name in values]
        if not parts:
            continue
        off = all(value is None for value in parts)
        if hold == "level":
            if not off and any(value not in (0, 0.0) for value in parts):
                message = "roll and pitch are held at zero and tilted by the sticks"
                raise CommandError(message, key="setpoint roll_deg and pitch_deg", value=parts, expected="0 or null")
            holds[hold] = None if off else True
        elif hold == "position" and not off and (len(parts) < 2 or None in parts):
            raise CommandError(key="setpoint north_m and east_m", value=parts, expected="both")
        else:
            holds[hold] = None if off else parts if hold == "position" else parts[0]
    if flight.perfect_depth_m is not None and {"depth", "altitude"} & holds.keys():
        raise _depth_is_perfect("setpoint")
    # First the holds that end, then the speed: a hold by control surfaces would otherwise choose a speed itself.
    return sorted(holds.items(), key=lambda item: (item[1] is not None, item[0] != "speed"))


def _legs(tables: list[Any], sim: Simulation) -> tuple[Leg, ...]:
    """Legs that the vehicle can fly from here; ScenarioError, as of a scenario file, for others."""
    place = Place("route", Path())
    legs = tuple(read_kind(LEGS, leg, place.within(f"legs[{k}]")) for k, leg in enumerate(tables))
    north, east, depth = sim.plant.position_n.tolist()
    # A vehicle that touches the seabed or breaks the surface may be a little beyond both; a start may not.
    depth = min(max(depth, 0.0), float(sim.world.bottom_m(north, east)), sim.vehicle.depth_rating_m)
    sensors = tuple(sim.sensing.suite.sensors.values()) if sim.sensing else ()
    start = Start(north_m=north, east_m=east, depth_m=depth)
    vehicle = with_sonars(
        ScenarioVehicle(name="route", vehicle=sim.vehicle, start=start, mission=legs, sensors=sensors), place
    )
    check_mission(vehicle, sim.world, place)
    return vehicle.mission


def _check_legs(autopilot: Autopilot, legs: tuple[Leg, ...], speed_m_s: float | None, sim: Simulation) -> None:
    """Give the autopilot the first setpoint of each leg: it refuses an impossible one now instead of under way."""
    state, top = sim.feedback(), autopilot.schedule.top_speed * SPEED_MARGIN
    for k, leg in enumerate(legs):
        for key in ("speed_m_s", "ground_speed_m_s"):
            if getattr(leg, key, None) is not None:
                number(f"route legs[{k}].{key}", getattr(leg, key), -top, top)
        setpoint = leg.make(state).update(state, sim.interval_s)
        if setpoint is None:
            continue
        try:
            speed = speed_m_s if setpoint.speed_m_s is None else setpoint.speed_m_s
            autopilot.command(Setpoint(**{**vars(setpoint), "speed_m_s": speed}))
        except CommandError as refusal:
            raise refusal.at(file=f"route legs[{k}], {leg.kind}") from None
