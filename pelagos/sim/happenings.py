"""Events of a scenario at work on one simulation: each happens once, when its trigger says so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pelagos.errors import CommandError
from pelagos.guidance.mission import Mission
from pelagos.messages import Event, Setpoint
from pelagos.sim.faults import Watch
from pelagos.sim.scenario import Control, Happening
from pelagos.sim.simulation import Simulation


class Happenings:
    """The events of one vehicle. `stop` is true once one of them has ended the run."""

    def __init__(self, happenings: Sequence[Happening]) -> None:
        self._waiting = [(Watch(item), item) for item in happenings]
        self.stop = False

    def update(self, sim: Simulation) -> None:
        """Do what is due."""
        if not self._waiting:
            return
        due = [pair for pair in self._waiting if pair[0].due(sim)]
        for pair in due:
            self._waiting.remove(pair)
            self._do(sim, pair[1])

    def _do(self, sim: Simulation, item: Happening) -> None:
        said: list[str] = [item.say] if item.say else []
        setpoints = item.setpoints()
        if setpoints:
            command(sim, setpoints)
            said.append(", ".join(f"{name} {value:g}" for name, value in setpoints.items()))
        told = give_orders(sim, item)
        if told:
            said.append(told)
        if item.tether_rate_m_s is not None or item.tether_ratio is not None:
            if sim.tether is None:
                raise CommandError(f"an event hauls the tether of {sim.name}, which has none; expected a [tether]")
            sim.tether.haul(rate_m_s=item.tether_rate_m_s, ratio=item.tether_ratio)
            said.append("the drum is told anew")
        if item.next_leg and isinstance(sim.controller, Mission):
            sim.controller.skip(sim.truth())
            said.append("on to the next leg")
        if item.stop:
            self.stop = True
            said.append("the run is stopped")
        sim.events.append(Event(sim.time_s, "event", "; ".join(said) or "nothing is done", sim.name))


def give_orders(sim: Simulation, item: Control | Happening) -> str:
    """Orders to single actuators and sticks, as a table has them; returns them in words."""
    ways: Any = (
        (item.thrust, sim.thrust), (item.deflect, sim.deflect), (item.trim, sim.trim), (item.sticks, sim.pilot),
    )  # fmt: skip
    for orders, order in ways:
        if orders:
            order(**orders)
    told = {**item.thrust, **item.deflect, **item.trim, **item.sticks}
    return ", ".join(f"{name} {value:g}" for name, value in told.items())


def command(sim: Simulation, setpoints: dict[str, float]) -> None:
    """Tell whoever holds setpoints on board; where nobody does, an autopilot takes over."""
    helm: Any = sim.controller.helm if isinstance(sim.controller, Mission) else sim.controller
    if isinstance(getattr(helm, "setpoint", None), Setpoint):
        helm.command(None, **setpoints)
    else:
        sim.command(**setpoints)
