"""Orders of the pilot: helm, camera, tether, recording, task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pelagos.checks import Check, choice_of, flag, number_in, optional, plain_value, whole_in
from pelagos.control.base import AXIS_NAMES
from pelagos.errors import CommandError
from pelagos.session.authority import Signal
from pelagos.session.orders.order import (
    AXES,
    COORDINATE_M,
    Order,
    Values,
    depth_is_perfect,
    line_of,
    mission_flies,
)
from pelagos.tether.line import Line

if TYPE_CHECKING:
    from pelagos.session.flight import Flight

LONGEST_PILOT_NAME = 80  # letters, in the table of results
WINCH_KEYS = ("ratio", "rate_m_s", "tension_N", "length_m")
HOLDS = ("depth", "altitude", "heading", "position", "level", "speed", "mission")


def _hold(flight: Flight, values: Values) -> None:
    hold, on = values["hold"], values["on"]
    if hold == "mission":
        flight.fly_mission(on)
    elif flight.flies_mission:
        raise mission_flies(f"hold {hold}")
    elif hold in ("depth", "altitude") and flight.perfect_depth_m is not None:
        raise depth_is_perfect(f"hold {hold}")
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


def _line(flight: Flight) -> Line:
    if flight.sim.tether is None:
        raise CommandError("it has no tether", key="vehicle", value=flight.sim.vehicle.key)
    return flight.sim.tether


def _arm(flight: Flight, values: Values) -> None:
    on, before = values["on"], flight.armed
    flight.signal(Signal.ARM if on else Signal.DISARM)
    if on != before:
        flight.publish_event("order", "armed" if on else "disarmed: thrusters and surfaces at rest")


def _of_the_clock(flight: Flight, values: Values) -> None:
    raise CommandError("pause and time_scale are orders to the clock; this flight has none")


_camera_fields: dict[str, Check] = {
    "pan_deg": number_in(-360.0, 360.0),
    "tilt_deg": number_in(-180.0, 180.0),
    "zoom": number_in(1.0, 100.0),
    "centre": flag,
    "index": whole_in(0, 63),
}
_tether_fields: dict[str, Check] = {
    "ratio": number_in(0.0, 100.0),
    "length_m": number_in(0.0, 1e5),
    "rate_m_s": number_in(-100.0, 100.0),
    "tension_N": number_in(0.0, 1e7),
    "fixed": flag,
}
_ship_fields: dict[str, Check] = {"north_m": COORDINATE_M, "east_m": COORDINATE_M, "follow": flag, "stop": flag}
_hold_fields: dict[str, Check] = {"hold": choice_of(*HOLDS), "on": flag, "value": optional(plain_value)}


# Ranges are wide: they stop nonsense at the server. The functions check values against vehicle, tether and world.
ORDERS = {
    "hold": Order("pilot", _hold, _hold_fields, ("hold", "on")),
    "trim": Order("pilot", _trim, AXES),
    "trim_reset": Order("pilot", _trim_reset, {}),
    "stick_frame": Order("pilot", _stick_frame, {"frame": choice_of("body", "camera", "north")}, ("frame",)),
    "gain": Order("pilot", _gain, {"factor": number_in(0.1, 1.0)}, ("factor",)),
    "camera": Order("pilot", _camera, _camera_fields),
    "lights": Order("pilot", _lights, {"level": number_in(0.0, 1.0)}, ("level",)),
    "tether": Order("pilot", _tether, _tether_fields),
    "ship": Order("pilot", _ship, _ship_fields),
    "arm": Order("pilot", _arm, {"on": flag}, ("on",)),
    "pause": Order("pilot", _of_the_clock, {"on": flag}, ("on",)),
    "time_scale": Order("pilot", _of_the_clock, {"factor": number_in(0.1, 20.0)}, ("factor",)),
    "reset": Order("pilot", _reset, {}),
    "record": Order("pilot", _record, {"on": flag}, ("on",)),
    "task_start": Order("pilot", _task_start, {}),
    "task_abort": Order("pilot", _task_abort, {}),
    "pilot_name": Order("pilot", _pilot_name, {"name": line_of(LONGEST_PILOT_NAME)}, ("name",)),
    "seek": Order("pilot", _seek, {"time_s": number_in(0.0, 1e9)}, ("time_s",)),
}
