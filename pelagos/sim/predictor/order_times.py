"""Orders to actuators over time: held, or changed at given times; names and units as `Simulation.thrust` takes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from pelagos.checks import number
from pelagos.errors import CommandError, one_of
from pelagos.messages import Actuation
from pelagos.sim.commands import DirectControl
from pelagos.sim.predictor.prediction import Demands
from pelagos.vehicle.spec import Vehicle

Orders = Mapping[str, Any] | Actuation | None
OrderTimes = Orders | Sequence[tuple[float, Orders]]
KINDS = ("thrusters", "surfaces", "ballast")


def order_times(given: OrderTimes, vehicle: Vehicle, before: Demands) -> list[tuple[float, Demands]]:
    """(seconds from the start, demands of all actuators), the first at 0; what is not named stays as it was."""
    if given is None or isinstance(given, Mapping | Actuation):
        return [(0.0, demanded(given, vehicle, before))]
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise CommandError(key="orders", value=given, expected=EXPECTED)
    steps: list[tuple[float, Demands]] = [(0.0, before)]
    for entry in given:
        if isinstance(entry, str) or not isinstance(entry, Sequence) or len(entry) != 2:
            raise CommandError(key="an entry of the orders", value=entry, expected="(seconds from the start, orders)")
        at_s = number("the time of an order", entry[0], 0.0)
        last_s, last = steps[-1]
        if at_s < last_s:
            raise CommandError(f"an order at {at_s:g} s follows one at {last_s:g} s", expected="them in order of time")
        if at_s == last_s:
            steps.pop()
        steps.append((at_s, demanded(entry[1], vehicle, last)))
    return steps


EXPECTED = (
    "orders by name such as rudder_deg, an Actuation, or a list of (seconds from the start, orders); none: as they are"
)


def demanded(given: object, vehicle: Vehicle, before: Demands) -> Demands:
    """Demands of all actuators after one order."""
    if given is None:
        return before
    direct = DirectControl(vehicle)
    direct.thrusters, direct.surfaces, direct.ballast = before.thrusters, before.surfaces, before.ballast
    if isinstance(given, Actuation):
        whole = {kind: getattr(given, kind) for kind in KINDS if getattr(given, kind).size}
        named: dict[str, dict[str, Any]] = {kind: {} for kind in KINDS}
    elif isinstance(given, Mapping):
        whole, named = _sorted(cast("Mapping[str, Any]", given), vehicle)
    else:
        raise CommandError(key="orders", value=given, expected=EXPECTED)
    if "thrusters" in whole or named["thrusters"]:
        direct.thrust(whole.get("thrusters"), named["thrusters"])
    if "surfaces" in whole or named["surfaces"]:
        direct.deflect(whole.get("surfaces"), named["surfaces"])
    if "ballast" in whole:
        if len(whole["ballast"]) != len(vehicle.ballast):
            had, got = len(vehicle.ballast), len(whole["ballast"])
            raise CommandError(f"{vehicle.name} has {had} ballast, {got} values were given")
        named["ballast"] = {b.name: v for b, v in zip(vehicle.ballast, whole["ballast"], strict=True)}
    if named["ballast"]:
        direct.set_ballast(named["ballast"])
    return Demands(direct.thrusters, direct.surfaces, direct.ballast)


def _sorted(given: Mapping[str, Any], vehicle: Vehicle) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Orders by kind: all of a kind in a row, or named ones; {"rudder_deg": 5} and {"surfaces": {"rudder_deg": 5}}."""
    names = {kind: [item.name for item in getattr(vehicle, kind)] for kind in KINDS}
    whole: dict[str, Any] = {}
    named: dict[str, dict[str, Any]] = {kind: {} for kind in KINDS}
    for key, value in given.items():
        if key in KINDS:
            if isinstance(value, Mapping):
                named[key].update(cast("Mapping[str, Any]", value))
            else:
                whole[key] = value
            continue
        kind = next(
            (kind for kind in KINDS for name in names[kind] if key == name or str(key).startswith(name + "_")), None
        )
        if kind is None:
            every = [name for kind in KINDS for name in names[kind]]
            raise CommandError("there is no actuator", value=key, expected=one_of(every), names=every)
        named[kind][key] = value
    return whole, named
