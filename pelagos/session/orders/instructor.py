"""Orders of the instructor: faults, messages, conditions, tasks."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

from pelagos.checks import optional, plain_table, text
from pelagos.errors import CommandError
from pelagos.files.reader import Place, read_kind
from pelagos.session.orders.order import Order, Values, line_of
from pelagos.session.source import unknown
from pelagos.sim.faults.effects import Faults
from pelagos.sim.faults.kinds import KINDS, Leak
from pelagos.training.conditions import Conditions
from pelagos.training.task import TrainingTask

if TYPE_CHECKING:
    from pelagos.session.flight import Flight

LONGEST_MESSAGE = 500  # letters; the console's limit of a message, 4096 bytes, leaves room for it
TRIGGERS = ("at_s", "when", "place_m", "radius_m")  # keys of a scenario's fault that set its begin
VISUAL_CONDITIONS = ("top_view", "camera", "image_delay_s", "frame_limit_hz", "visibility_m")  # do not affect motion


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


def _not_of_scenario(flight: Flight, key: str) -> None:
    if flight.settings.scenario is not None:
        message, name = f"it sets the {key} of this flight", flight.settings.scenario.name
        raise CommandError(message, key="scenario", value=name, expected="a flight without a scenario")


def _faults(flight: Flight) -> Faults:
    if flight.sim.faults is None:
        raise CommandError("fault injection is disabled in this flight")
    return flight.sim.faults


ORDERS = {
    "fault": Order("instructor", _fault, None),
    "clear_faults": Order("instructor", _clear_faults, {"id": optional(text)}),
    "message": Order("instructor", _message, {"text": line_of(LONGEST_MESSAGE)}, ("text",)),
    "conditions": Order("instructor", _conditions, None),
    "task": Order("instructor", _task, {"name": optional(text), "conditions": optional(plain_table)}),
}
