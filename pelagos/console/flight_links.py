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
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from pelagos.console.hand_over import hand_over, take_helm
from pelagos.console.source import unknown
from pelagos.console.stages_ahead import of_a_kind
from pelagos.control.autopilot import Autopilot
from pelagos.control.holds import QUANTITIES
from pelagos.errors import CommandError, PelagosError
from pelagos.guidance.base import Leg
from pelagos.guidance.kinds import KINDS as LEGS
from pelagos.guidance.mission import Mission
from pelagos.messages import Actuation, Setpoint, Truth, number, shown
from pelagos.sim.mission_check import check_mission, with_sonars
from pelagos.sim.orders import Direct
from pelagos.sim.scenario import Craft, Start
from pelagos.sim.simulation import Simulation
from pelagos.tables import Place, read_kind

if TYPE_CHECKING:
    from pelagos.console.flight import Flight

Values = Mapping[str, Any]
MOST_LEGS = 1000
ACTUATORS = ("thrusters", "surfaces", "ballast")
HOLD_OF = {quantity: hold for hold, quantities in QUANTITIES.items() for quantity in quantities}


class Route(Mission):
    """The mission of a link: a leg that turns out to be impossible ends it, not the flight."""

    def update(self, truth: Truth, dt: float) -> Actuation:
        """As a mission does it; when the helm refuses, what it held before is held on."""
        try:
            return super().update(truth, dt)
        except PelagosError as refusal:
            self.done = True
            self._tell(truth, "refused", f"the route ends in leg {self.index}: {refusal}")
            return self.helm.update(truth, dt)


def _arm(flight: Flight, values: Values) -> None:
    on = values.get("on")
    if not isinstance(on, bool):
        raise CommandError(f"arm on is {shown(on)}; expected true or false")
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
    helm, seen, done = flight.helm, flight.sim.seen(), list[str]()
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
        raise CommandError(f"contact_gone key is {shown(key)}; expected the key of a contact")
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


def direct_from(sim: Simulation) -> Direct:
    """Orders to single actuators: thrusters and surfaces from rest, the ballast from what it was told last."""
    direct = Direct(sim.vehicle)
    direct.ballast = sim.plant.command["demand"]["ballast"][: len(sim.vehicle.ballast)].copy()
    return direct


def tell_direct(direct: Direct, told: Mapping[str, dict[str, Any]]) -> None:
    """Orders by name to a direct controller: all of them or none."""
    before = direct.thrusters, direct.surfaces, direct.ballast
    try:
        direct.thrust(None, told.get("thrusters", {}))
        direct.deflect(None, told.get("surfaces", {}))
        direct.trim(told.get("ballast", {}))
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


def _known(order: str, values: Values, names: tuple[str, ...]) -> None:
    wrong = next((name for name in values if name not in names), None)
    if wrong is not None:
        raise unknown(f"{order} has no", wrong, names)


def _table(kind: str, given: object) -> dict[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise CommandError(f"actuators {kind} is {shown(given)}; expected names with numbers")
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
                    "roll_deg and pitch_deg are held at zero and tilted by the sticks; expected 0 or null"
                )
            holds[what] = None if off else True
        elif what == "position" and not off and (len(given) < 2 or None in given):
            raise CommandError("setpoint north_m and east_m make a place; expected both")
        else:
            holds[what] = None if off else given if what == "position" else given[0]
    if flight.perfect_depth_m is not None and {"depth", "altitude"} & holds.keys():
        raise CommandError("depth is held perfectly under these conditions; it is not the pilot's to change")
    return sorted(holds.items(), key=lambda item: (item[1] is not None, item[0] != "speed"))


def _legs(given: object, sim: Simulation) -> tuple[Leg, ...]:
    """Legs that can be flown here; ScenarioError in the words of a scenario file if not."""
    if not isinstance(given, list) or len(cast("list[Any]", given)) > MOST_LEGS:
        raise CommandError(f"route legs is {shown(given)}; expected a list of at most {MOST_LEGS} tables")
    place = Place("route", Path())
    legs = tuple(read_kind(LEGS, leg, place.within(f"legs[{k}]")) for k, leg in enumerate(cast("list[Any]", given)))
    north, east, depth = sim.plant.position_n.tolist()
    depth = min(max(depth, 0.0), float(sim.world.bottom_m(north, east)), sim.vehicle.depth_rating_m)
    aboard = tuple(sim.sensing.suite.sensors.values()) if sim.sensing else ()
    start = Start(north_m=north, east_m=east, depth_m=depth)
    craft = with_sonars(Craft(name="route", vehicle=sim.vehicle, start=start, mission=legs, sensors=aboard), place)
    check_mission(craft, sim.world, place)
    return craft.mission


def _try(autopilot: Autopilot, legs: tuple[Leg, ...], first: dict[str, float], sim: Simulation) -> None:
    """Ask each leg what it wants at first, and the helm whether it can: refused now, not under way."""
    seen, top = sim.seen(), autopilot.schedule.top_speed * (1.0 + 1e-6)
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
