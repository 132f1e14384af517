"""The orders a flight follows, one function each: they do it or refuse in a sentence (CommandError)."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pelagos.console.snapshot import FRAMES
from pelagos.console.source import unknown
from pelagos.control.base import AXIS_NAMES
from pelagos.control.helm import GAINS
from pelagos.errors import CommandError
from pelagos.messages import number, shown
from pelagos.sim.fault_kinds import KINDS, Leak
from pelagos.sim.faults import Faults
from pelagos.tables import Place, read_kind
from pelagos.tether.line import Line
from pelagos.training.conditions import Conditions
from pelagos.training.task import Task

if TYPE_CHECKING:
    from pelagos.console.flight import Flight

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
        flight.helm.hold(what, on, flight.sim.seen(), values.get("value"))
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
        raise CommandError("the ship is told north_m and east_m, or follow, or stop; expected one of these")
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
    flight.tell("task", f"{flight.attempt.trial.task.words.title}: go")


def _task_abort(flight: Flight, values: Values) -> None:
    if flight.attempt is None:
        raise CommandError("there is no task to abort")
    flight.attempt.trial.abort()
    flight.attempt.tell_end(flight)


def _pilot_name(flight: Flight, values: Values) -> None:
    name = values.get("name")
    if not isinstance(name, str) or len(name) > 80:
        raise CommandError(f"the name of the pilot is {shown(name)}; expected a short text")
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
        raise CommandError(f"task name is {shown(name)}; expected a name, or null for none")
    given = dict(cast("Values", told)) if isinstance(told, Mapping) else {}
    settings = flight.settings
    begun = dataclasses.replace(settings, task=name or "", start=None if name else settings.start, conditions=given)
    flight.begin(begun)
    flight.tell("task", _named(flight.attempt.trial.task, settings.vehicle.key) if flight.attempt else "no task")


def _named(task: Task, vehicle: str) -> str:
    """A task that was taken up; the vehicle stays, whichever the task is made for."""
    meant = task.vehicle().key
    other = (
        "" if meant == vehicle else f", flown with {vehicle}; it is made for {meant}: pelagos fly --task {task.name}"
    )
    return f"task: {task.words.title}{other}"


# ---- details ---------------------------------------------------------------------------------------------------------


def _switch(what: str, values: Values) -> bool:
    on = values.get("on")
    if not isinstance(on, bool):
        raise CommandError(f"{what} on is {shown(on)}; expected true or false")
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
