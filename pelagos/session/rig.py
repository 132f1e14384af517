"""A training task prepared to be flown by a program: simulation, helm, observer and trial, and the loop over ticks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pelagos.control.pilot.helm import Helm
from pelagos.control.pilot.numerical_hold import NumericalHold
from pelagos.messages import PilotCommand
from pelagos.session.authority import Authority
from pelagos.session.session import Session
from pelagos.sim.simulation import Simulation
from pelagos.training.conditions import Conditions
from pelagos.training.observation import Observation, Observer
from pelagos.training.results import Result
from pelagos.training.task import TrainingTask
from pelagos.training.trial import Trial
from pelagos.vehicle.spec import Vehicle

Act = Callable[["TrialRig", Observation], None]  # called before each interval: the pilot


@dataclass
class TrialRig:
    """A training task with everything that is needed to fly it.

    Fly by `helm.move(sticks)` and `helm.hold(...)`, or let an autopilot do it with `simulation.command(...)`.
    `pan_rad`, `tilt_rad` and `zoom` aim the camera; None: as it is mounted.
    """

    simulation: Simulation
    helm: Helm
    observer: Observer
    trial: Trial
    pan_rad: float | None = None
    tilt_rad: float | None = None
    zoom: float = 1.0

    def observe(self) -> Observation:
        """The present observation for the judge."""
        by_hand = self.simulation.controller is self.helm
        sticks = PilotCommand(*self.helm.values()[:6]) if by_hand else PilotCommand()
        return self.observer.observe(sticks, pan_rad=self.pan_rad, tilt_rad=self.tilt_rad, zoom=self.zoom)

    def __post_init__(self) -> None:
        """Make the session of the simulation."""
        self.session = Session((self.simulation,), authority=Authority.PILOT)

    def tick(self) -> Observation:
        """Advance one control interval and score it."""
        self.session.tick()
        observation = self.observe()
        self.trial.update(observation)
        return observation

    def fly(self, act: Act | None = None, *, pilot: str = "", date: str = "") -> Result:
        """Start the trial and fly it to its end; `act`, the pilot, is called before each interval."""
        self.trial.start()
        observation = self.observe()
        while self.trial.phase == "running":
            if act is not None:
                act(self, observation)
            observation = self.tick()
        return self.trial.result(pilot, date)


def rig(
    task: TrainingTask,
    conditions: Conditions | None = None,
    *,
    vehicle: Vehicle | None = None,
    seed: int = 0,
    control_rate_hz: float = 10.0,
) -> TrialRig:
    """Prepare a task at its start, under conditions (default: those of the task), with centred sticks.

    Depth control holds the depth of the start: "autopilot" by the helm, "perfect" numerically.
    """
    chosen = conditions or task.conditions
    vehicle = vehicle or task.vehicle()
    world = task.world_for(chosen, seed)
    start = task.start
    simulation = Simulation(
        vehicle,
        world,
        seed=seed,
        control_rate_hz=control_rate_hz,
        tether=chosen.tether(),
        hold=NumericalHold(depth_m=start.depth_m) if chosen.depth_control == "perfect" else None,
    )
    simulation.place(north_m=start.north_m, east_m=start.east_m, depth_m=start.depth_m, heading_deg=start.heading_deg)
    helm = Helm(vehicle, simulation.water, simulation.interval_s)
    if chosen.depth_control == "autopilot":
        helm.hold("depth", True, simulation.state(), start.depth_m)
    simulation.control(helm)
    return TrialRig(simulation, helm, Observer(simulation), Trial(task, chosen, vehicle, world, seed))
