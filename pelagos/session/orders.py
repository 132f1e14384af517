"""The orders that links give a flight: arming, routes, setpoints, single actuators, contacts.

A page does not send them. They go through `Flight.order` like every other and stand in the journal, so that a flight
with links flies again to the same states.

| order | values |
|---|---|
| `arm` | `on`; off: thrusters and surfaces rest whatever sticks, holds or mission want, which are remembered |
| `route` | `legs`, tables as a scenario has them in `[[mission]]`, and `speed_m_s` to begin with; no legs: no mission |
| `setpoint` | quantities of a `Setpoint`, held by the helm where it can; null lets go of one |
| `actuators` | `thrusters`, `surfaces`, `ballast`: orders by name and unit; none of them: back to the helm |
| `contact` | what another program says of one of its bodies: `pelagos.sim.contacts.Contact` |
| `contact_gone` | `key` of a contact |

The orders a flight follows, one function each: they do it or refuse in a sentence (CommandError).
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
from pelagos.control.pilot.helm import GAINS
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
from pelagos.session.make import of_a_kind
from pelagos.session.order_fields import INSTRUCTOR, PILOT
from pelagos.session.snapshot import FRAMES
from pelagos.session.source import unknown
from pelagos.sim.commands import DirectControl
from pelagos.sim.faults.effects import Faults
from pelagos.sim.faults.kinds import KINDS, Leak
from pelagos.sim.simulation import Simulation
from pelagos.tether.line import Line
from pelagos.training.conditions import Conditions
from pelagos.training.task import TrainingTask

if TYPE_CHECKING:
    from pelagos.session.flight import Flight


Values = Mapping[str, Any]
HAULS = ("ratio", "rate_m_s", "tension_N", "length_m")
TRIGGERS = ("at_s", "when", "place_m", "radius_m")
HOLDS = ("depth", "altitude", "heading", "position", "level", "speed", "mission")
FOR_THE_EYE = ("top_view", "camera", "image_delay_s", "frame_limit_hz", "visibility_m")  # conditions that move nothing


# ---- of the pilot ----------------------------------------------------------------------------------------------------


def _hold(flight: Flight, values: Values) -> None:
    what, on = values.get("what"), _switch("hold", values)
    if not isinstance(what, str) or what not in HOLDS:
        raise unknown("there is no hold", what, HOLDS)
    if what == "mission":
        flight.fly_mission(on)
    elif flight.flies_mission:
        raise CommandError(f"the mission has the helm; take it before holding {what}: hold mission off")
    elif what in ("depth", "altitude") and flight.perfect_depth_m is not None:
        raise CommandError(f"depth is held perfectly under these conditions; {what} hold is not the pilot's to change")
    else:
        flight.helm.hold(what, on, flight.sim.feedback(), values.get("value"))
    flight.tell("mode", f"{what} hold {'on' if on else 'off'}")


def _trim(flight: Flight, values: Values) -> None:
    flight.helm.trim(**dict(values))


def _trim_reset(flight: Flight, values: Values) -> None:
    flight.helm.trim(**dict.fromkeys(AXIS_NAMES, 0.0))


def _stick_frame(flight: Flight, values: Values) -> None:
    frame = values.get("frame")
    if not isinstance(frame, str) or frame not in FRAMES:
        raise unknown("there is no stick frame", frame, FRAMES)
    flight.helm.frame = frame


def _gain(flight: Flight, values: Values) -> None:
    flight.helm.gain = number("gain factor", values.get("factor"), *GAINS)
    flight.tell("order", f"pilot gain {flight.helm.gain:.0%}")


def _camera(flight: Flight, values: Values) -> None:
    flight.aim.order(values)


def _lights(flight: Flight, values: Values) -> None:
    flight.aim.lights = number("lights level", values.get("level"), 0.0, 1.0)


def _tether(flight: Flight, values: Values) -> None:
    line = _line(flight)
    told = {name: values[name] for name in HAULS if values.get(name) is not None}
    line.haul(**told, fixed=bool(values.get("fixed", False)))
    said = ", ".join(f"{name} {value:g}" for name, value in told.items())
    flight.tell("order", f"tether: {said or 'fixed'}")


def _ship(flight: Flight, values: Values) -> None:
    line = _line(flight)
    there = [values[name] for name in ("north_m", "east_m") if values.get(name) is not None]
    told = [len(there) == 2, bool(values.get("follow")), bool(values.get("stop"))]
    if sum(told) != 1 or len(there) == 1:
        raise CommandError("the ship is told north_m and east_m, or follow, or stop", expected="one of these")
    if told[0]:
        flight.sim.move_ship(north_m=there[0], east_m=there[1])  # it knows what is in the way
        flight.tell("order", f"ship: to north {there[0]:g} m, east {there[1]:g} m")
    elif told[1]:
        line.ship_follows()
        flight.tell("order", "ship: follows the vehicle")
    else:
        line.stop_ship()
        flight.tell("order", "ship: stops")


def _record(flight: Flight, values: Values) -> None:
    if _switch("record", values):
        flight.record()
    elif flight.recordings.now is None:
        raise CommandError("nothing is being recorded")
    else:
        flight.recordings.stop(flight)


def _reset(flight: Flight, values: Values) -> None:
    flight.begin(flight.settings)
    flight.tell("reset", "the flight begins anew")


def _task_start(flight: Flight, values: Values) -> None:
    if flight.attempt is None:
        raise CommandError("there is no task to start; choose one first")
    if flight.attempt.trial.phase == "running":
        raise CommandError(f"the task {flight.attempt.trial.task.name} is already running; abort it first")
    if flight.ticks > 0:  # every attempt begins at the same place, in the same water
        flight.begin(flight.settings)
        flight.journal.order(0, "task_start", {})
    flight.attempt.trial.start()
    flight.tell("task", f"{flight.attempt.trial.task.header.title}: go")


def _task_abort(flight: Flight, values: Values) -> None:
    if flight.attempt is None:
        raise CommandError("there is no task to abort")
    flight.attempt.trial.abort()
    flight.attempt.tell_end(flight)


def _pilot_name(flight: Flight, values: Values) -> None:
    name = values.get("name")
    if not isinstance(name, str) or len(name) > 80:
        raise CommandError(key="the name of the pilot", value=name, expected="a short text")
    flight.pilot = name.strip()


def _seek(flight: Flight, values: Values) -> None:
    raise CommandError("this is a live flight, which cannot be wound; seek is for a replay")


# ---- of the instructor -----------------------------------------------------------------------------------------------


def _fault(flight: Flight, values: Values) -> None:
    told = {name: value for name, value in values.items() if value is not None}
    trigger = next((name for name in TRIGGERS if name in told), None)
    if trigger is not None:
        raise CommandError(f"a fault comes at once; it takes no {trigger}")
    _faults(flight).inject(read_kind(KINDS, {**told, "at_s": 0.0}, Place("fault", Path())))


def _clear_faults(flight: Flight, values: Values) -> None:
    """All, or the one of an id; what cannot be mended, and water that is inside, is told."""
    faults, name = _faults(flight), values.get("id")
    chosen = [case for case in faults.acting if name is None or case.name == name]
    if name is not None and not chosen:
        raise unknown("no fault acts with the id", name, tuple(case.name for case in faults.acting))
    faults.clear(flight.time_s, name)
    ended = [str(case) for case in chosen if case.can_end]
    if ended or name is None:
        flight.tell("order", f"cleared: {', '.join(ended)}" if ended else "no fault acts that could be cleared")
    for case in chosen:
        if not case.can_end:
            flight.tell("warning", f"{case} stays: a reset rigs a new one")
    if faults.flooded_kg > 0.0 and (name is None or any(isinstance(case.fault, Leak) for case in chosen)):
        flight.tell("warning", f"{faults.flooded_kg:.2g} kg of water stay inside until a reset")


def _message(flight: Flight, values: Values) -> None:
    text = values.get("text")
    if not isinstance(text, str) or not text.strip() or len(text) > 500:
        raise CommandError("a message needs a text of at most 500 letters")
    flight.tell("message", text.strip())


def _conditions(flight: Flight, values: Values) -> None:
    """Those for the eye change at once; what runs, pulls or holds begins the flight anew."""
    before = flight.conditions
    new = Conditions.of(dict(values), before)
    changed = {name: value for name, value in vars(new).items() if value != getattr(before, name)}
    if not changed:
        return
    _not_of_scenario(flight, "conditions")
    settings = flight.settings.with_conditions(**changed)
    if all(name in FOR_THE_EYE for name in changed):
        flight.settings, flight.conditions, flight.changed = settings, new, True
        if flight.attempt is not None:
            flight.attempt.change(new)
    else:
        flight.begin(settings)
    flight.tell("order", f"conditions: {new.sentence()}")


def _task(flight: Flight, values: Values) -> None:
    _not_of_scenario(flight, "task")
    name, told = values.get("name"), values.get("conditions")
    if name is not None and not isinstance(name, str):
        raise CommandError(key="task name", value=name, expected="a name, or null for none")
    if told is not None and not isinstance(told, Mapping):
        raise CommandError(key="task conditions", value=told, expected="names with values, or null for none")
    given = dict(cast("Values", told or {}))
    settings = flight.settings
    begun = dataclasses.replace(settings, task=name or "", start=None if name else settings.start, conditions=given)
    flight.begin(begun)
    flight.tell("task", _named(flight.attempt.trial.task, settings.vehicle.key) if flight.attempt else "no task")


def _named(task: TrainingTask, vehicle: str) -> str:
    """A task that was taken up; the vehicle stays, whichever the task is made for."""
    meant = task.vehicle().key
    other = (
        "" if meant == vehicle else f", flown with {vehicle}; it is made for {meant}: pelagos fly --task {task.name}"
    )
    return f"task: {task.header.title}{other}"


# ---- details ---------------------------------------------------------------------------------------------------------


def _switch(what: str, values: Values) -> bool:
    on = values.get("on")
    if not isinstance(on, bool):
        raise CommandError(key=f"{what} on", value=on, expected="true or false")
    return on


def _line(flight: Flight) -> Line:
    if flight.sim.tether is None:
        raise CommandError(f"{flight.sim.vehicle.key} flies without a tether")
    return flight.sim.tether


def _not_of_scenario(flight: Flight, what: str) -> None:
    if flight.settings.scenario is not None:
        raise CommandError(f"a scenario is flown, {flight.settings.scenario.name}; its {what} is not to be changed")


def _faults(flight: Flight) -> Faults:
    if flight.sim.faults is None:
        raise CommandError("nothing can go wrong in this flight")
    return flight.sim.faults


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
}


# ---- flight links ----------------------------------------------------------------------------------------------------


MOST_LEGS = 1000
ACTUATORS = ("thrusters", "surfaces", "ballast")
HOLD_OF = {quantity: hold for hold, quantities in QUANTITIES.items() for quantity in quantities}


class Route(Mission):
    """The mission of a link: a leg that turns out to be impossible ends it, not the flight."""

    def update(self, state: VehicleState, dt: float) -> Actuation:
        """As a mission does it; when the helm refuses, what it held before is held on."""
        try:
            return super().update(state, dt)
        except PelagosError as refusal:
            self.done = True
            self._record(state, "refused", f"the route ends in leg {self.index}: {refusal}")
            return self.helm.update(state, dt)


def _arm(flight: Flight, values: Values) -> None:
    on = values.get("on")
    if not isinstance(on, bool):
        raise CommandError(key="arm on", value=on, expected="true or false")
    if on != flight.armed:
        flight.armed = on
        hand_over(flight)
        flight.tell("order", "armed" if on else "disarmed: thrusters and surfaces at rest")
    flight.waits = flight.waits and not on


def _route(flight: Flight, values: Values) -> None:
    _known("route", values, ("legs", "speed_m_s"))
    legs, sim = _legs(values.get("legs"), flight.sim), flight.sim
    flew = flight.flies_mission
    if not legs:
        take_helm(flight)
        flight.mission, flight.changed = None, True
        return
    autopilot = Autopilot(sim.vehicle, sim.water, sim.interval_s)
    if of_a_kind(autopilot.schedule, flight.helm.schedule):
        autopilot.schedule.learn(flight.helm.schedule)
    first: dict[str, float] = {}
    if values.get("speed_m_s") is not None:
        top = autopilot.schedule.top_speed * (1.0 + 1e-6)
        first["speed_m_s"] = number("route speed_m_s", values["speed_m_s"], -top, top)
    _try(autopilot, legs, first, sim)
    autopilot.command(Setpoint(**first))
    flight.mission, flight.changed = Route(autopilot, legs), True
    if flew:
        hand_over(flight)


def _setpoint(flight: Flight, values: Values) -> None:
    _known("setpoint", values, tuple(HOLD_OF))
    if flight.flies_mission:
        raise CommandError("the mission has the helm; take it before a setpoint: hold mission off")
    wish = _holds(flight, values)
    if flight.direct is not None:
        take_helm(flight)
    helm, seen, done = flight.helm, flight.sim.feedback(), list[str]()
    before = {what: _held(helm.setpoint, what) for what in QUANTITIES} | {"level": helm.modes["level"] or None}
    try:
        for what, value in wish:
            if value is not None or helm.modes[what]:
                done.append(what)
                helm.hold(what, value is not None, seen, None if value is True else value)
    except CommandError:
        for what in reversed(done):  # all of it or nothing
            was = before[what]
            helm.hold(what, was is not None, seen, None if was is True else was)
        raise
    flight.waits = flight.waits and all(value is None for _, value in wish)


def _actuators(flight: Flight, values: Values) -> None:
    _known("actuators", values, ACTUATORS)
    if flight.flies_mission:
        raise CommandError("the mission has the helm; take it before orders to actuators: hold mission off")
    told = {kind: _table(kind, values.get(kind)) for kind in ACTUATORS}
    if not any(told.values()):
        take_helm(flight)
        return
    direct = flight.direct or direct_from(flight.sim)
    tell_direct(direct, told)
    flight.waits = False
    if flight.direct is None:
        flight.direct = direct
        hand_over(flight)


def put_contact(sim: Simulation, values: Values) -> None:
    """Let a body of another program be where it says."""
    from pelagos.sim.contacts import Contact

    sim.contacts.put(Contact.of(values))


def remove_contact(sim: Simulation, values: Values) -> None:
    """Let it go."""
    _known("contact_gone", values, ("key",))
    key = values.get("key")
    if not isinstance(key, str):
        raise CommandError(key="contact_gone key", value=key, expected="the key of a contact")
    sim.contacts.remove(key)


LINK_ORDERS: dict[str, Callable[[Flight, Values], None]] = {
    "arm": _arm,
    "route": _route,
    "setpoint": _setpoint,
    "actuators": _actuators,
    "contact": lambda flight, values: put_contact(flight.sim, values),
    "contact_gone": lambda flight, values: remove_contact(flight.sim, values),
}


# ---- details ---------------------------------------------------------------------------------------------------------


def direct_from(sim: Simulation) -> DirectControl:
    """Orders to single actuators: thrusters and surfaces from rest, the ballast from what it was told last."""
    direct = DirectControl(sim.vehicle)
    direct.ballast = sim.plant.command["demand"]["ballast"][: len(sim.vehicle.ballast)].copy()
    return direct


def tell_direct(direct: DirectControl, told: Mapping[str, dict[str, Any]]) -> None:
    """Orders by name to a direct controller: all of them or none."""
    before = direct.thrusters, direct.surfaces, direct.ballast
    try:
        direct.thrust(None, told.get("thrusters", {}))
        direct.deflect(None, told.get("surfaces", {}))
        direct.set_ballast(told.get("ballast", {}))
    except CommandError:
        direct.thrusters, direct.surfaces, direct.ballast = before
        raise


def listed(value: Any) -> Any:
    """Arrays and their numbers as lists and numbers, which the journal can write and read back; NaN stays, and is
    refused by whoever needs a number."""
    if isinstance(value, Mapping):
        return {name: listed(one) for name, one in cast("Values", value).items()}
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, list | tuple):
        return [listed(one) for one in cast("list[Any]", value)]
    return value


def check_keys(order: str, values: Values) -> None:
    """Refuse keys that an order of a page does not have; those of links and the loose ones look for themselves."""
    fields = PILOT.get(order, INSTRUCTOR.get(order))
    if fields is not None:
        _known(order, values, tuple(fields))


def _known(order: str, values: Values, names: tuple[str, ...]) -> None:
    wrong = next((name for name in values if name not in names), None)
    if wrong is not None:
        raise unknown(f"{order} has no", wrong, names)


def _table(kind: str, given: object) -> dict[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise CommandError(key=f"actuators {kind}", value=given, expected="names with numbers")
    return dict(cast("Values", given))


def _held(held: Setpoint, what: str) -> Any:
    """The value of a hold, as `Helm.hold` takes it; None: it is off."""
    values = [getattr(held, name) for name in QUANTITIES[what]]
    return None if values[0] is None else values if len(values) > 1 else values[0]


def _holds(flight: Flight, values: Values) -> list[tuple[str, Any]]:
    """Holds and their values, None to let go, True for level; first what ends, then the speed, which others need."""
    wish = {what: [values[name] for name in names if name in values] for what, names in QUANTITIES.items()}
    holds: dict[str, Any] = {}
    for what, given in wish.items():
        if not given:
            continue
        off = all(value is None for value in given)
        if what == "level":
            if not off and any(value not in (0, 0.0) for value in given):
                raise CommandError(
                    "roll_deg and pitch_deg are held at zero and tilted by the sticks", expected="0 or null"
                )
            holds[what] = None if off else True
        elif what == "position" and not off and (len(given) < 2 or None in given):
            raise CommandError("setpoint north_m and east_m make a place", expected="both")
        else:
            holds[what] = None if off else given if what == "position" else given[0]
    if flight.perfect_depth_m is not None and {"depth", "altitude"} & holds.keys():
        raise CommandError("depth is held perfectly under these conditions; it is not the pilot's to change")
    return sorted(holds.items(), key=lambda item: (item[1] is not None, item[0] != "speed"))


def _legs(given: object, sim: Simulation) -> tuple[Leg, ...]:
    """Legs that can be flown here; ScenarioError in the words of a scenario file if not."""
    if not isinstance(given, list) or len(cast("list[Any]", given)) > MOST_LEGS:
        raise CommandError(key="route legs", value=given, expected=f"a list of at most {MOST_LEGS} tables")
    place = Place("route", Path())
    legs = tuple(read_kind(LEGS, leg, place.within(f"legs[{k}]")) for k, leg in enumerate(cast("list[Any]", given)))
    north, east, depth = sim.plant.position_n.tolist()
    depth = min(max(depth, 0.0), float(sim.world.bottom_m(north, east)), sim.vehicle.depth_rating_m)
    aboard = tuple(sim.sensing.suite.sensors.values()) if sim.sensing else ()
    start = Start(north_m=north, east_m=east, depth_m=depth)
    craft = with_sonars(
        ScenarioVehicle(name="route", vehicle=sim.vehicle, start=start, mission=legs, sensors=aboard), place
    )
    check_mission(craft, sim.world, place)
    return craft.mission


def _try(autopilot: Autopilot, legs: tuple[Leg, ...], first: dict[str, float], sim: Simulation) -> None:
    """Ask each leg what it wants at first, and the helm whether it can: refused now, not under way."""
    seen, top = sim.feedback(), autopilot.schedule.top_speed * (1.0 + 1e-6)
    for k, leg in enumerate(legs):
        for key in ("speed_m_s", "ground_speed_m_s"):
            if getattr(leg, key, None) is not None:
                number(f"route legs[{k}].{key}", getattr(leg, key), -top, top)
        wish = leg.make(seen).update(seen, sim.interval_s)
        if wish is None:
            continue
        try:
            speed = first.get("speed_m_s") if wish.speed_m_s is None else wish.speed_m_s
            autopilot.command(Setpoint(**{**vars(wish), "speed_m_s": speed}))
        except CommandError as refusal:
            raise CommandError(f"route legs[{k}], {leg.kind}: {refusal}") from None
