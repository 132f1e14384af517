"""Build the simulations of a scenario.

`prepare` makes the simulations, with controllers and first setpoints, and refuses setpoints that a vehicle cannot hold.
`Prepared` applies the events and decides on the end of the run.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pelagos.control.autopilot.autopilot import Autopilot
from pelagos.control.autopilot.setpoints import plan
from pelagos.control.pilot.numerical_hold import NumericalHold
from pelagos.errors import ABSENT, CommandError, ScenarioError
from pelagos.guidance.ballast import BallastController, BallastSettings
from pelagos.guidance.mission import Mission
from pelagos.messages import Setpoint
from pelagos.scenario.python_controller import load_controller
from pelagos.scenario.rules import RunEnd, ScenarioEvents, StallMonitor, command_actuators
from pelagos.scenario.spec import Control, Scenario, ScenarioVehicle, Setpoints, Start
from pelagos.sim.faults.effects import Faults
from pelagos.sim.fleet import Fleet
from pelagos.sim.simulation import Simulation
from pelagos.world.spec import World

VERTICAL = ("depth_m", "altitude_m")


@dataclass
class Prepared:
    """Simulations of a scenario before their first tick."""

    scenario: Scenario
    fleet: Fleet
    notes: list[str] = field(default_factory=list[str])
    events: list[ScenarioEvents] = field(default_factory=list[ScenarioEvents])

    def __post_init__(self) -> None:
        """Parse the end condition; monitor missions only in runs without a duration, which could last for ever."""
        self._end = RunEnd(self.scenario.end)
        self._monitors = [StallMonitor() for _ in self.fleet.sims] if self.scenario.duration_s is None else []

    def begin(self) -> None:
        """Apply the events that are due at the start."""
        for sim, events in zip(self.fleet.sims, self.events, strict=True):
            events.update(sim)

    def update(self) -> None:
        """Apply the events that are due after a control interval, and end missions that make no progress."""
        for sim, events in zip(self.fleet.sims, self.events, strict=True):
            events.update(sim)
        for sim, monitor in zip(self.fleet.sims, self._monitors, strict=False):
            if isinstance(sim.controller, Mission):
                stalled = monitor.update(sim.controller, sim.time_s, sim.plant.position_n, sim.name)
                sim.events.extend([stalled] if stalled else [])

    def over(self) -> bool:
        """Whether an event, a stalled mission, the end condition or the end of all missions ends the run."""
        if self.stopped or any(m.message for m in self._monitors):
            return True
        sims = self.fleet.sims
        missions = [sim.controller for sim in sims if isinstance(sim.controller, Mission)]
        done = bool(missions) and all(mission.done for mission in missions)
        return self._end.missions_over(done, sims[0].time_s)

    @property
    def stopped(self) -> bool:
        """Whether an event or the end condition ends the run, whatever the missions do."""
        return any(events.stop for events in self.events) or self._end.condition_holds(self.fleet.sims)

    def all_notes(self) -> tuple[str, ...]:
        """Return the notes of the preparation and those of stalled missions."""
        return (*self.notes, *(monitor.message for monitor in self._monitors if monitor.message))


def prepare(scenario: Scenario, alter: Callable[[Simulation, int], None] | None = None) -> Prepared:
    """Build the simulations of a scenario with tethers, controllers and first setpoints; see `session.scenario_run`."""
    notes: list[str] = []
    sims = [build_simulation(scenario, entry, k) for k, entry in enumerate(scenario.vehicles)]
    for k, sim in enumerate(sims):
        if alter is not None:
            alter(sim, k)
    ready = Prepared(scenario, Fleet(sims), notes)
    for sim, entry in zip(sims, scenario.vehicles, strict=True):
        _set_controller(sim, entry, scenario, notes)
        ready.events.append(ScenarioEvents(entry.events))
    ready.fleet.begin()
    return ready


def build_simulation(scenario: Scenario, entry: ScenarioVehicle, number: int) -> Simulation:
    """Build the simulation of one vehicle at its start, without a controller."""
    navigator: Any = None
    if entry.navigation is not None and entry.sensors:
        navigator = entry.navigation.make(entry.sensors, entry.vehicle, scenario.world, scenario.seed + number)
    sim = Simulation(
        entry.vehicle, scenario.world, seed=scenario.seed + number, name=entry.name,
        integrator=scenario.integrator, step_s=scenario.step_s, kinematics=scenario.kinematics,
        control_rate_hz=scenario.control_rate_hz, tether=entry.tether,
        sensors=entry.sensors or None, navigator=navigator,
    )  # fmt: skip
    place_at_start(sim, entry.start, scenario.world)
    if entry.control.hold:
        sim.hold = NumericalHold.here(sim.plant, entry.control.hold)
    if entry.faults:
        names = sim.sensing.suite.names if sim.sensing else ()
        sim.faults = Faults(entry.faults, entry.vehicle, names, entry.tether is not None)
    return sim


def place_at_start(sim: Simulation, start: Start, world: World) -> None:
    """Place a vehicle at its start; an altitude counts from the bottom of the world."""
    place = {name: getattr(start, name) for name in start.__dataclass_fields__ if name != "altitude_m"}
    if start.altitude_m is not None:
        place["depth_m"] = float(world.bottom_m(start.north_m, start.east_m)) - start.altitude_m
    sim.place(**place)


def _set_controller(sim: Simulation, entry: ScenarioVehicle, scenario: Scenario, notes: list[str]) -> None:
    """Set the controller of a simulation, its first commands and its mission."""
    control = entry.control
    if control.kind in ("direct", "pilot"):
        command_actuators(sim, control)
    elif control.kind == "python":
        sim.control(load_controller(control.class_name, entry.vehicle, scenario.path))
    else:
        controller = _setpoint_controller(control, entry, sim)
        command_first_setpoints(controller, entry, scenario, notes)
        sim.control(Mission(controller, entry.mission) if entry.mission else controller)
    _check_events(sim, entry, scenario)


def command_first_setpoints(controller: Any, entry: ScenarioVehicle, scenario: Scenario, notes: list[str]) -> None:
    """Command the setpoints of [control]; refuse those that the controller cannot hold, and legs that are too fast."""
    for name, value in _grouped(entry.control.setpoints()):
        try:
            _check_speed(controller, value.get("speed_m_s"))
            controller.command(None, **value)
        except CommandError as refusal:
            if name not in entry.control.if_possible:
                raise _in_file(refusal, entry, scenario, "control", value, name) from None
            notes.append(f"{name.split('_')[0]} is not held: {refusal}")
    _check_legs(controller, entry, scenario)


def _check_legs(controller: Any, entry: ScenarioVehicle, scenario: Scenario) -> None:
    """Refuse legs at a speed that the vehicle cannot reach, or too slow for its planes to hold depth or altitude."""
    held: Setpoint = controller.setpoint
    speed, vertical = held.speed_m_s, next((name for name in VERTICAL if getattr(held, name) is not None), "")
    pilot = getattr(controller, "autopilot", controller)
    for k, leg in enumerate(entry.mission):
        for key in ("speed_m_s", "ground_speed_m_s"):
            with _key_of_file(entry, scenario, f"mission[{k}]", (key,)):
                _check_speed(controller, getattr(leg, key, None), key)
            speed = speed if getattr(leg, key, None) is None else getattr(leg, key)
        vertical = "depth_m" if leg.depths() else "altitude_m" if leg.altitude_m is not None else vertical
        if vertical and isinstance(pilot, Autopilot) and pilot.schedule.needs_planes:
            with _key_of_file(entry, scenario, f"mission[{k}]", ()):
                plan(pilot.schedule, Setpoint(**{vertical: 1.0, "speed_m_s": speed}), pilot.skip_rate_check)


def _check_events(sim: Simulation, entry: ScenarioVehicle, scenario: Scenario) -> None:
    """Refuse setpoints of events before the run."""
    control = entry.control
    if (
        not any(event.setpoints() for event in entry.events) or control.kind == "python"
    ):  # a second object of the user's class may have side effects
        return
    controller = _setpoint_controller(Control() if control.kind in ("direct", "pilot") else control, entry, sim)
    check_event_setpoints(controller, entry, scenario)


def check_event_setpoints(controller: Any, entry: ScenarioVehicle, scenario: Scenario) -> None:
    """Command the setpoints of [control] and of the events in order to a controller that moves nothing."""
    with_setpoints = [(k, event) for k, event in enumerate(entry.events) if event.setpoints()]
    for _, value in _grouped(entry.control.setpoints()):
        with contextlib.suppress(CommandError):  # a setpoint of `if_possible`, already noted
            controller.command(None, **value)
    for k, event in sorted(with_setpoints, key=lambda item: math.inf if item[1].at_s is None else item[1].at_s):
        with _key_of_file(entry, scenario, f"event[{k}]", event.setpoints()):
            _check_speed(controller, event.speed_m_s)
            controller.command(None, **event.setpoints())


@contextlib.contextmanager
def _key_of_file(entry: ScenarioVehicle, scenario: Scenario, table: str, keys: Collection[str]) -> Iterator[None]:
    """Turn an error of a controller into an error of a table of the scenario file that has these keys."""
    try:
        yield
    except CommandError as refusal:
        raise _in_file(refusal, entry, scenario, table, keys) from None


def _in_file(
    refusal: CommandError, entry: ScenarioVehicle, scenario: Scenario, table: str, keys: Collection[str], key: str = ""
) -> ScenarioError:
    """Make the error of a key of a table: the refused one if the table has it or lacks it, otherwise `key`."""
    refused = refusal.key
    missing = refusal.value is ABSENT and refused in Setpoints.__dataclass_fields__
    value = refusal.value if refused in keys else ABSENT  # other values stand in other tables
    path = ".".join(filter(None, (table, refused if refused in keys or missing else key)))
    if len(scenario.vehicles) > 1:
        path = f"vehicle[{scenario.vehicles.index(entry)}].{path}"
    return refusal.at(ScenarioError, file=Path(scenario.path).name or "scenario", key=path, value=value)


def _check_speed(controller: Any, speed_m_s: float | None, key: str = "speed_m_s") -> None:
    """Refuse a speed that the thrusters cannot reach."""
    if isinstance(controller, Autopilot) and speed_m_s is not None:
        top, name = controller.schedule.top_speed, controller.vehicle.name
        if abs(speed_m_s) > top * (1.0 + 1e-6):  # the top speed itself, printed and typed again, is not refused
            message = f"{name} cannot hold this speed"
            raise CommandError(message, key=key, value=speed_m_s, expected=f"at most {top:.3g} m/s")


def _setpoint_controller(control: Control, entry: ScenarioVehicle, sim: Simulation) -> Any:
    """Return the controller that holds the setpoints."""
    if control.kind == "sliding_mode":
        from pelagos.control.sliding.controller import SlidingMode

        return SlidingMode(entry.vehicle, sim.water, sim.interval_s)
    if control.kind == "ballast":
        names = ("dive_volume_m3", "climb_volume_m3", "dive_shift_m", "climb_shift_m")
        settings = BallastSettings(**{name: getattr(control, name) for name in names})
        return BallastController(entry.vehicle, settings, sim.water.density_kg_m3)
    return Autopilot(entry.vehicle, sim.water, sim.interval_s)


def _grouped(setpoints: dict[str, float]) -> list[tuple[str, dict[str, float]]]:
    """Return setpoints one by one in the order of commands: speed first, because planes need way; a place as a pair."""
    place = {name: setpoints[name] for name in ("north_m", "east_m") if name in setpoints}
    single = [(name, {name: value}) for name, value in setpoints.items() if name not in place]
    first = [item for item in single if item[0] == "speed_m_s"]
    return first + [item for item in single if item[0] != "speed_m_s"] + ([("north_m", place)] if place else [])
