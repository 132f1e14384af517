"""A piloted flight: a simulation with helm, camera, collision counter and training task, advanced tick by tick.

Sticks and orders act between two ticks only, through `input` and `order`. The journal keeps each with its tick number,
so that `pelagos.session.record.rerun` repeats the flight to the same states, bit for bit.

A flight has no locks. One thread owns it and its simulation from construction on: that of the runner
(`pelagos.session.realtime`), or the caller's if there is no runner. Other threads leave their input with the runner, or
in the link that they serve. The one thread that a flight starts finishes the file of a recording
(`pelagos.session.record.recording`) and never touches the simulation.
"""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.control.base import Controller
from pelagos.control.pilot.helm import Helm
from pelagos.control.pilot.numerical_hold import NumericalHold
from pelagos.control.tuning.schedule import Schedule
from pelagos.errors import CommandError, PelagosError
from pelagos.messages import Actuation, Event, PilotCommand
from pelagos.scenario.spec import Scenario
from pelagos.session.authority import Authority, IdleController, Signal
from pelagos.session.camera_mount import CameraMount, cameras_of
from pelagos.session.make import (
    RATE_HZ,
    BuiltFlight,
    Settings,
    compile_for,
    make,
    make_stages,
    resolve_settings,
    schedules_match,
    settings_from_scenario,
)
from pelagos.session.record.journal import Journal
from pelagos.session.record.recording import Recordings, new_path
from pelagos.session.session import Session
from pelagos.session.snapshot import ElectricPower, Snapshot
from pelagos.session.source import CENTRED, Input, plain, to_lists
from pelagos.sim.commands import DirectControl
from pelagos.sim.simulation import Simulation
from pelagos.tether.spec import Tether
from pelagos.training.collisions import Collisions
from pelagos.training.conditions import Conditions
from pelagos.training.observation import Observer
from pelagos.training.results import ResultStore, history
from pelagos.training.task import load_task
from pelagos.training.trial import Trial
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World

# A stick deflected this far for this long takes the helm from the mission: beyond the rest noise of worn gamepads, and
# long enough that a bumped stick does not end a mission.
TAKEOVER_DEFLECTION = 0.3
TAKEOVER_S = 0.3
FAULT_EVENTS = ("fault", "fault_over")
PERFECT_DEPTH_RATE_M_S = 0.5  # at full heave stick, where the depth is prescribed instead of controlled
DEFAULT_VEHICLE = "bluerov2_heavy"
NO_TASK = (0.0, math.nan)  # columns task_phase and task_time_s of a flight without a task


class Flight(Session):
    """A session of one vehicle that a pilot steers by sticks and holds of the helm, or the mission of a scenario.

    Args:
        vehicle: a Vehicle, a library name or a file; default: that of the task, or a BlueROV2 Heavy.
        world: a World, a library name, a file, or the tables of one; a task has its own.
        seed: seed of all random numbers.
        rate_hz: ticks per simulated second, each with an update of the helm and a recorded sample; default: 50.
        tether: True for the cable of the vehicle's file, a mode, or a `Tether`.
        start: start position as `Simulation.place` takes it; default: that of the task, or one in open water.
        sensors: True for all sensors of the vehicle's file; otherwise only its battery is simulated.
        task: name or file of a training task.
        conditions: training conditions by name; see `pelagos.training.conditions`.
        pilot: name of the pilot, stored with the results.
        record: file to record to from the start, .csv or .parquet.
        record_dir: folder for recordings that the order `record` starts.
        results: folder for the results of tasks; default: the folder of the user.
        scenario: a scenario whose mission flies until the pilot takes over; it replaces vehicle, world, seed and the
            other settings above.
    """

    piloted = True

    def __init__(
        self,
        vehicle: Vehicle | str | os.PathLike[str] | None = None,
        world: World | str | os.PathLike[str] | Mapping[str, Any] | None = None,
        *,
        seed: int = 0,
        rate_hz: float | None = None,
        tether: Tether | str | bool | Mapping[str, Any] | None = None,
        start: Mapping[str, float] | None = None,
        sensors: bool = False,
        task: str | os.PathLike[str] | None = None,
        conditions: Mapping[str, Any] | None = None,
        pilot: str = "",
        record: str | os.PathLike[str] | None = None,
        record_dir: str | os.PathLike[str] = ".",
        results: str | os.PathLike[str] | None = None,
        scenario: Scenario | None = None,
    ) -> None:
        if scenario is not None:
            settled = {"vehicle": vehicle, "world": world, "seed": seed, "tether": tether, "start": start,
                       "sensors": sensors, "task": task, "conditions": conditions}  # fmt: skip
            for name, value in settled.items():
                if value:
                    raise CommandError("the scenario sets it already", key=name, expected="one of them")
            settings = settings_from_scenario(scenario, rate_hz=rate_hz)
        else:
            if vehicle is None:
                path = Path(task) if isinstance(task, os.PathLike) else task
                vehicle = load_task(path).vehicle() if path else DEFAULT_VEHICLE
            settings = resolve_settings(
                vehicle, world, seed=seed, rate_hz=RATE_HZ if rate_hz is None else rate_hz, tether=tether, start=start,
                sensors=sensors, task="" if task is None else os.fspath(task), conditions=dict(conditions or {}),
            )  # fmt: skip
        self._open(settings, pilot, record_dir, ResultStore(results))
        if record is not None:
            self.record(record)

    @classmethod
    def of(cls, settings: Settings) -> Flight:
        """A flight from complete settings, without a pilot: it stores no results."""
        flight = object.__new__(cls)
        flight._open(settings)
        return flight

    def _open(
        self,
        settings: Settings,
        pilot: str = "",
        record_dir: str | os.PathLike[str] = ".",
        results: ResultStore | None = None,
    ) -> None:
        self.pilot, self.record_dir, self.results = pilot, record_dir, results
        self._watched = results is not None  # a rerun has no pilot and may compute gains when it needs them
        self._gains: Schedule | None = None  # gain stages of the flight before the last reset
        self.recordings = Recordings()
        self.done = False
        compile_for(settings)  # once: after a reset the kernels are there
        super().__init__()
        self.begin(settings)

    def begin(self, settings: Settings) -> None:
        """Start anew with the same or other settings: sticks centred, level held, a running recording restarted."""
        made = make(settings)  # first, because it may raise: the flight then continues as it was
        sim, conditions = made.sim, made.conditions
        helm = Helm(sim.vehicle, sim.water, sim.interval_s)
        helm.begin(sim.feedback())
        if conditions.depth_control == "autopilot":
            helm.hold("depth", True, sim.feedback())
        attempt = None if made.task is None else Attempt(made, settings.seed)
        # Stopped before the fields below are replaced: it writes the last tick of the old flight to the old journal.
        recorded = self.recordings.current
        self.recordings.stop(self)
        # Orders may change `settings` later; a rerun needs those of tick 0.
        self.settings = self.start_settings = settings
        steers = Authority.WAITING if made.mission is None else Authority.MISSION
        # Before the first stick input time stands still, because a vehicle in a current would drift off.
        self.start((sim,), None, made.prepared, authority=steers)
        self.conditions = conditions
        self.helm, self.mission, self.attempt = helm, made.mission, attempt
        self._prepare_gains()
        self.direct: DirectControl | None = None  # while a link commands single actuators
        if made.mission is None:  # otherwise `make` has installed the mission
            sim.control(helm)
        self.camera_mount = CameraMount(cameras_of(sim.vehicle))
        self.collisions, self.electric = Collisions(), ElectricPower(sim)
        self.journal = Journal()
        north, east, depth = sim.plant.position_n.tolist()
        self.start_m = (north, east)
        self.perfect_depth_m = depth if conditions.depth_control == "perfect" else None
        self._input, self.applied, self._deflected_ticks = CENTRED, PilotCommand(), 0
        self._snapshot = Snapshot(self)  # after simulation and attempt, whose columns it takes
        self.changed = True
        if recorded is not None:
            self.recordings.restart(self, recorded)

    @property
    def armed(self) -> bool:
        """Whether thrusters and surfaces follow who steers."""
        return self.authority.armed

    @property
    def flies_mission(self) -> bool:
        """Whether the mission steers, or steers once the vehicle is armed."""
        return self.authority.steers is Authority.MISSION

    @property
    def sticks(self) -> Input:
        """The sticks in force, from the page or from a link."""
        return self._input

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the values of a snapshot."""
        return self._snapshot.columns

    def input(self, sticks: Input) -> None:
        """Set the sticks from the next tick on."""
        if sticks != self._input:
            self._input = sticks
            if any(sticks[:6]):  # camera input does not start the flight
                self.signal(Signal.START)
            self.journal.input(self.ticks, sticks)

    def order(self, name: str, values: Mapping[str, Any]) -> None:
        """Carry out an order of `session.orders.table` now, and write it to the journal."""
        journal = self.journal
        try:
            super().order(name, values)
        except CommandError:
            raise
        except PelagosError as problem:
            raise problem.at(CommandError) from None
        if journal is self.journal:  # an order that restarted the flight is part of its settings, not of its journal
            journal.order(self.ticks, name, to_lists(values))

    def steer(self) -> None:
        """Move camera and helm by the sticks in force."""
        sticks = self._input
        # The camera first: in the stick frame "camera" the helm turns the sticks by its pan.
        self.camera_mount.move(sticks.pan, sticks.tilt, sticks.zoom, self.sim.interval_s)
        if self.authority.steers is not Authority.PILOT:
            self._check_takeover(sticks)
        # The helm gets the sticks also while a link commands actuators, so that it can take over at once.
        self.applied = PilotCommand() if self.flies_mission else self._to_helm(sticks)
        self.helm.move(self.applied, self.camera_mount.pan_rad)

    def apply_rules(self) -> None:
        """Apply the events of the scenario while its mission flies; at its end the pilot gets the helm."""
        # Once in every tick: the result is cached until the next one, so it does not depend on which of page, links and
        # recording reads the state first, nor on whether any does. A rerun to the last bit needs that.
        self.sim.evaluate()
        if self.rules is None or self.authority.state is not Authority.MISSION:
            return
        super().apply_rules()
        if self.over:
            self.signal(Signal.TAKE_HELM)
            self.publish_event("mode", "the scenario is over; the pilot has the helm")

    def observe(self) -> None:
        """Count collisions, and judge the attempt at a task."""
        collision = self.collisions.update(self.sim)
        if collision is not None:
            self.publish_event(**collision.event())
        if self.attempt is not None and self.attempt.update(self):
            self.attempt.publish_end(self)

    def log_tick(self, events: Sequence[tuple[Simulation, Event]]) -> None:
        """Record a sample after the events of its tick."""
        self.recordings.keep(self)

    def state(self) -> NDArray[np.float64]:
        """Values of `columns` now, in an array that the next call overwrites."""
        return self._snapshot.values(self)

    def snapshot_into(self, row: NDArray[np.float32]) -> None:
        """Write the present state into a row, and publish contacts when a message about them is due."""
        self._snapshot.into(row, self)

    def close_logs(self, *, complete: bool) -> None:
        """Finish the recording and wait until it is on the disk; complete=False if the flight was cut short."""
        self.recordings.stop(self, complete=complete)
        self.recordings.wait()

    def record(self, path: str | os.PathLike[str] | None = None) -> None:
        """Start to record, by default to a new file in the folder for recordings."""
        stem = self.settings.task or (self.settings.scenario.name if self.settings.scenario else self.sim.vehicle.key)
        self.recordings.start(self, new_path(self.record_dir, Path(stem).stem) if path is None else Path(path))

    def fly_mission(self, on: bool) -> None:
        """Give control to the mission, or back to the pilot."""
        if self.mission is None:
            raise CommandError("there is no mission to fly", expected="a flight of a scenario, or a route")
        self.signal(Signal.FLY_MISSION if on else Signal.TAKE_HELM)

    def hold_only(
        self,
        required: Sequence[str],
        optional: Sequence[str],
        *,
        keep: Sequence[str] = (),
        depth_m: float | None = None,
    ) -> None:
        """Enter a mode of a link: end the mission and all other holds but those of `keep`, by orders.

        CommandError if a required hold is impossible; of the optional holds it begins those that are possible.
        """
        if self.flies_mission:
            self.order("hold", {"hold": "mission", "on": False})
        for hold in required:
            if hold == "depth" and self.perfect_depth_m is not None:
                continue  # the conditions of the task already hold the depth
            if hold == "depth" and depth_m is not None:
                self.order("hold", {"hold": hold, "on": True, "value": depth_m})
            elif not self.helm.modes[hold]:
                self.order("hold", {"hold": hold, "on": True})
        for hold, on in self.helm.modes.items():
            if on and hold not in (*required, *optional, *keep):
                with contextlib.suppress(CommandError):  # another hold depends on it
                    self.order("hold", {"hold": hold, "on": False})
        for hold in optional:
            if not self.helm.modes[hold]:
                with contextlib.suppress(CommandError):
                    self.order("hold", {"hold": hold, "on": True})

    def signal(self, signal: Signal) -> None:
        """Make the transition of a signal; another controller starts from the present actuator commands."""
        flew_mission = self.flies_mission
        if not self.authority.apply(signal):
            return
        if flew_mission and not self.flies_mission:
            self.mission = self.active_controller()  # an event of the scenario may have replaced it
        if self.authority.steers is not Authority.PROGRAM:
            self.direct = None
        self.hand_over()

    def active_controller(self) -> Controller:
        """The controller that steers the vehicle, or would steer it if the vehicle were armed."""
        controller = self.sim.controller
        return controller.suspended if isinstance(controller, IdleController) else controller

    def hand_over(self) -> None:
        """Give control to the controller of who steers, without a jump of the actuators."""
        sim = self.sim
        command = sim.plant.command["actuators"]
        thrusters, surfaces = len(sim.vehicle.thrusters), len(sim.vehicle.surfaces)
        # Copies: the next tick overwrites the record of the plant.
        present = Actuation(command["thruster"][:thrusters].copy(), command["surface"][:surfaces].copy())
        controller = self.direct or (self.mission if self.flies_mission else self.helm)
        assert controller is not None
        # A mission steers through an autopilot in its attribute `helm`: that is the part with integrators to preset.
        take_over = getattr(getattr(controller, "helm", controller), "take_over", None)
        if take_over is not None:
            take_over(present, sim.feedback())
        sim.control(controller if self.armed else IdleController(sim.vehicle, controller))

    def publish_event(self, kind: str, text: str, **more: Any) -> None:
        """Publish an event of the present time."""
        self.publish({"type": "event", "time_s": self.time_s, "kind": kind, "text": text, **more})

    def publish(self, message: dict[str, Any]) -> None:
        """Queue a message for `take_events` and for the links; an event goes to the recording too."""
        super().publish(message)
        if message["type"] == "event":
            self.recordings.event(self, message)

    def faults_acting(self) -> list[dict[str, Any]]:
        """Active faults: the id that clears each, its text, and whether it can be cleared."""
        acting = self.sim.faults.acting if self.sim.faults else []
        return [{"id": case.name, "text": str(case), "can_end": case.can_end} for case in acting]

    def damage(self) -> tuple[float, float]:
        """Mass of water inside, kg, and number of active faults."""
        faults = self.sim.faults
        if faults is None:
            return 0.0, 0.0
        return faults.flooded_kg, float(len(faults.acting))

    def score(self) -> tuple[float, ...]:
        """Phase, time and score of the task."""
        return NO_TASK if self.attempt is None else self.attempt.score()

    def _prepare_gains(self) -> None:
        """Compute the gain stages of the autopilots before the first tick, unless the flight is a rerun."""
        if not self._watched:
            return
        schedule = getattr(getattr(self.mission, "helm", self.mission), "schedule", None)
        make_stages(self.helm.schedule, self._gains)
        self._gains = self.helm.schedule
        if isinstance(schedule, Schedule) and schedules_match(schedule, self._gains):
            schedule.learn(self._gains)

    def _check_takeover(self, sticks: Input) -> None:
        """Give the pilot the helm once a stick was deflected for TAKEOVER_S."""
        deflected = max(map(abs, sticks.sticks.axes)) > TAKEOVER_DEFLECTION
        self._deflected_ticks = self._deflected_ticks + 1 if deflected else 0
        if self._deflected_ticks * self.sim.interval_s > TAKEOVER_S:
            self._deflected_ticks = 0
            self.signal(Signal.TAKE_HELM)
            self.publish_event("mode", "the pilot has taken the sticks")

    def _to_helm(self, sticks: Input) -> PilotCommand:
        """The sticks for the helm; under perfect depth control heave moves the prescribed depth instead."""
        if self.perfect_depth_m is None:
            return sticks.sticks
        deeper = self.perfect_depth_m + sticks.heave * PERFECT_DEPTH_RATE_M_S * self.sim.interval_s
        self.perfect_depth_m = min(max(deeper, 0.0), self.sim.evaluate().local_water.bottom_m)
        self.sim.hold = NumericalHold(depth_m=self.perfect_depth_m)
        return PilotCommand(sticks.surge, sticks.sway, 0.0, sticks.roll, sticks.pitch, sticks.yaw)

    def message_of(self, sim: Simulation, event: Event) -> dict[str, Any]:
        """An event as links and pages receive it; one about a fault brings the list of faults."""
        more = {"faults_acting": self.faults_acting()} if event.kind in FAULT_EVENTS else {}
        return super().message_of(sim, event) | more


class Attempt:
    """One attempt at a training task during a flight: observed each tick, scored, and stored at its end."""

    def __init__(self, made: BuiltFlight, seed: int) -> None:
        assert made.task is not None
        sim = made.sim
        self.trial = Trial(made.task, made.conditions, sim.vehicle, sim.world, seed)
        self._observer = Observer(sim, visibility_m=made.conditions.visibility_m)
        self.columns = self.trial.columns
        self._marks = self.trial.marks_version

    def change(self, conditions: Conditions) -> None:
        """Continue under conditions that differ only in what the pilot can see."""
        self.trial.conditions = conditions
        visibility = conditions.visibility_m
        self._observer.visibility_m = self.trial.world.visibility_m if visibility is None else visibility

    def update(self, flight: Flight) -> bool:
        """Observe the state after a tick; True if the attempt has just ended."""
        mount = flight.camera_mount
        self._observer.camera = mount.camera
        state = self._observer.observe(flight.applied, pan_rad=mount.pan_rad, tilt_rad=mount.tilt_rad, zoom=mount.zoom)
        before = self.trial.phase
        self.trial.update(state)
        if self._marks != self.trial.marks_version:
            self._marks, flight.changed = self.trial.marks_version, True
        return before == "running" and self.trial.phase == "over"

    def score(self) -> tuple[float, ...]:
        """Phase, time, and the columns of the judge."""
        return (float(self.trial.phase_code), self.trial.time_s, *self.trial.values())

    def described(self) -> dict[str, Any]:
        """The task as the hello message has it."""
        trial = self.trial
        return trial.task.described() | {"phase": trial.phase, "columns": list(self.columns)}

    def publish_end(self, flight: Flight) -> None:
        """Store the result; publish it as a sentence, and in full with the earlier results of this pilot."""
        trial = self.trial
        result = trial.result(flight.pilot, datetime.now().astimezone().isoformat(timespec="seconds"))
        flight.publish_event("task", f"{trial.task.header.title}: {result.ended}, {result.score:.0f} points")
        attempts = [result]
        if flight.results is not None:
            try:
                flight.results.keep(result)
                attempts = list(flight.results.read(flight.pilot).results)
            except CommandError as problem:
                flight.publish_event("warning", f"the result is not kept: {problem}")
        message = {**result.described(), "history": history(attempts, result)}
        flight.publish({"type": "result", "time_s": flight.time_s, **plain(message)})
