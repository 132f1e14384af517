"""Orders of other programs: route, setpoints, single actuators, sticks, contacts.

| order | values |
|---|---|
| `route` | `legs`, tables as in `[[mission]]` of a scenario, and an initial `speed_m_s`; no legs: no mission |
| `setpoint` | quantities of a `Setpoint`, held by the helm, without a pilot by an autopilot; null releases one |
| `actuators` | `thrusters`, `surfaces`, `ballast`: commands by name and unit; without any the helm takes over |
| `sticks` | surge, sway, heave, roll, pitch, yaw from -1 to 1, for a vehicle without a pilot |
| `rest` | thrusters and surfaces to zero, for a vehicle without a pilot |
| `vehicle` | in these four: the name of a vehicle without a pilot, the first without it |
| `contact` | a body that another program reports: `pelagos.sim.contacts.Contact` |
| `contact_gone` | `key` of a contact |
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from pelagos.checks import ARGUMENT, Context, number, text
from pelagos.control.autopilot.autopilot import Autopilot
from pelagos.control.base import Controller
from pelagos.control.pilot.holds import QUANTITIES
from pelagos.control.pilot.sticks import Pilot
from pelagos.errors import CommandError, PelagosError
from pelagos.files.reader import Place, read_kind
from pelagos.guidance.base import Leg
from pelagos.guidance.legs.kinds import KINDS as LEGS
from pelagos.guidance.mission import Mission
from pelagos.messages import Actuation, Setpoint, VehicleState
from pelagos.scenario.mission_check import check_mission, with_sonars
from pelagos.scenario.spec import ScenarioVehicle, Start
from pelagos.session.authority import Authority, Signal
from pelagos.session.make import schedules_match
from pelagos.session.orders.order import AXES, Order, Values, depth_is_perfect, mission_flies
from pelagos.sim.commands import DirectControl
from pelagos.sim.contacts import Contact
from pelagos.sim.simulation import Simulation

if TYPE_CHECKING:
    from pelagos.session.flight import Flight
    from pelagos.session.session import Session

MOST_LEGS = 1000  # keeps the check of a route, which runs between two ticks, short
SETPOINTS = ("depth_m", "altitude_m", "heading_deg", "north_m", "east_m", "roll_deg", "pitch_deg", "speed_m_s")
ACTUATORS = ("thrusters", "surfaces", "ballast")
SPEED_MARGIN = 1.0 + 1e-6  # the top speed itself may be ordered after a conversion of units


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


def _route(flight: Flight, values: Values) -> None:
    legs, sim = _legs(values["legs"], flight.sim), flight.sim
    if not legs:
        flight.signal(Signal.TAKE_HELM)
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
        flight.hand_over()


def _setpoint(session: Session, values: Values) -> None:
    sim, quantities = session.vehicle_of(values), {name: value for name, value in values.items() if name != "vehicle"}
    if session.piloted:
        _hold_setpoint(cast("Flight", session), quantities)
    else:
        _command_setpoint(sim, quantities)


def _hold_setpoint(flight: Flight, values: Values) -> None:
    """Let the helm hold a setpoint: all of it or nothing."""
    if flight.flies_mission:
        raise mission_flies("setpoint")
    holds = _holds(flight, values)
    flight.signal(Signal.TAKE_HELM)
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
    if any(value is not None for _, value in holds):
        flight.signal(Signal.START)


def _command_setpoint(sim: Simulation, values: Values) -> None:
    """Command a setpoint to the present controller; a mission ends, and its controller continues with the setpoint.

    A controller without setpoints is replaced by an autopilot.
    """
    present: Controller = sim.controller
    controller: Any = present.controller if isinstance(present, Mission) else present
    if not isinstance(getattr(controller, "setpoint", None), Setpoint):
        sim.command(**values)
        return
    sim.controller = controller
    try:
        if isinstance(controller, Autopilot):
            sim.command(**values)
        else:
            controller.command(None, **values)
    except CommandError:
        sim.controller = present
        raise


def _actuators(session: Session, values: Values) -> None:
    sim, commands = session.vehicle_of(values), {group: values.get(group) or {} for group in ACTUATORS}
    if session.piloted:
        _command_flight(cast("Flight", session), commands)
    else:
        sim.control(_direct(sim, sim.controller, commands))


def _command_flight(flight: Flight, commands: Mapping[str, dict[str, Any]]) -> None:
    """Take the actuators from the helm, or give them back without any command."""
    if flight.flies_mission:
        raise mission_flies("actuators")
    if any(commands.values()):
        flight.direct = _direct(flight.sim, flight.direct, commands)
        if flight.authority.steers is Authority.PROGRAM:
            flight.hand_over()
        flight.signal(Signal.COMMAND)
    else:
        flight.signal(Signal.TAKE_HELM)


def _direct(sim: Simulation, present: object, commands: Mapping[str, dict[str, Any]]) -> DirectControl:
    """A controller that holds these commands, and those of the present one to other actuators.

    Without one, thrusters and surfaces start at zero and the ballast as commanded last. It is a copy: a command that is
    refused must change nothing.
    """
    if isinstance(present, DirectControl):
        direct = copy.copy(present)
    else:
        direct = DirectControl(sim.vehicle)
        direct.ballast = sim.plant.command["actuators"]["ballast"][: len(sim.vehicle.ballast)].copy()
    for group, named in commands.items():
        if named:
            direct.command(group, None, named)
    return direct


def _sticks(session: Session, values: Values) -> None:
    sim = session.vehicle_of(values)
    sim.pilot(**{name: value for name, value in values.items() if name != "vehicle"})


def _rest(session: Session, values: Values) -> None:
    sim = session.vehicle_of(values)
    if isinstance(sim.controller, Pilot):
        sim.pilot()
        return
    direct = _direct(sim, sim.controller, {})
    direct.thrusters, direct.surfaces = np.zeros_like(direct.thrusters), np.zeros_like(direct.surfaces)
    sim.control(direct)


def _contact(session: Session, values: Values) -> None:
    session.sim.contacts.put(Contact.of(values))


def _contact_gone(session: Session, values: Values) -> None:
    session.sim.contacts.remove(values["key"])


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
        raise depth_is_perfect("setpoint")
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


def _tables(key: str, value: object, context: Context = ARGUMENT) -> list[Any]:
    if not isinstance(value, list) or len(cast("list[Any]", value)) > MOST_LEGS:
        context.fail(key, value=value, expected=f"a list of at most {MOST_LEGS} tables")
    return cast("list[Any]", value)


def _commands(key: str, value: object, context: Context = ARGUMENT) -> dict[str, Any]:
    if value is not None and not isinstance(value, Mapping):
        context.fail(key, value=value, expected="names with numbers")
    return dict(cast("Mapping[str, Any]", value or {}))


def _unchecked(key: str, value: object, context: Context = ARGUMENT) -> object:
    """Return a value that only the flight can check: its range depends on vehicle and water."""
    return value


ORDERS = {
    "route": Order("program", _route, {"legs": _tables, "speed_m_s": _unchecked}, ("legs",)),
    "setpoint": Order("program", _setpoint, {"vehicle": text, **dict.fromkeys(SETPOINTS, _unchecked)}),
    "actuators": Order("program", _actuators, {"vehicle": text, **dict.fromkeys(ACTUATORS, _commands)}),
    "sticks": Order("program", _sticks, {"vehicle": text, **AXES}),
    "rest": Order("program", _rest, {"vehicle": text}),
    "contact": Order("program", _contact, None),
    "contact_gone": Order("program", _contact_gone, {"key": text}, ("key",)),
}
