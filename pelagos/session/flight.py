"""A flight under a pilot: a simulation, the helm, the camera, what is touched, a task; driven tick by tick.

Everything that acts on it comes through `input` and `order` between two ticks and is kept with the number of the tick,
so that `rerun` flies it again to the same states, bit for bit.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.control.pilot.helm import Helm
from pelagos.control.pilot.numerical_hold import NumericalHold
from pelagos.control.tuning.schedule import Schedule
from pelagos.errors import CommandError, PelagosError
from pelagos.messages import Event, PilotCommand
from pelagos.scenario.spec import Scenario
from pelagos.session.authority import fly_mission, take_helm
from pelagos.session.camera_mount import CameraMount, eyes_of
from pelagos.session.make import (
    RATE_HZ,
    Settings,
    compile_for,
    make,
    make_stages,
    of_a_kind,
    settings_of,
    settings_of_scenario,
)
from pelagos.session.orders import LINK_ORDERS, ORDERS, check_keys, listed
from pelagos.session.record.journal import Journal
from pelagos.session.record.recording import Recordings, new_path
from pelagos.session.snapshot import ElectricPower, Snapshot
from pelagos.session.source import CENTRED, Input, unknown
from pelagos.session.training_task import NO_TASK, Attempt
from pelagos.sim.commands import DirectControl
from pelagos.sim.simulation import Simulation
from pelagos.tether.spec import Tether
from pelagos.training.collisions import Collisions
from pelagos.training.results import ResultStore
from pelagos.training.task import load_task
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World

PULLED = 0.3  # a stick so far out for so many seconds takes the helm from the mission
PULLED_S = 0.3
FAULTY = ("fault", "fault_over")
SINK_M_S = 0.5  # at full heave stick, where depth is held by numbers
USUAL = "bluerov2_heavy"


class Flight:
    """A vehicle flown by hand, by holds of the helm, or by the mission of a scenario.

    Args:
        vehicle: a Vehicle, a library name or a file; if not given that of the task, or a BlueROV2 Heavy.
        world: a World, a library name, a file, or the tables of one; with a task that of the task.
        seed: of every random draw.
        rate_hz: ticks in a second: the helm acts and a sample is recorded so often; 50 if not given.
        tether: True for the cable of the vehicle's file, a mode, or a `Tether`.
        start: where to begin, as `Simulation.place` takes it; None: that of the task, or somewhere in the open.
        sensors: True for all instruments of the vehicle's file; else only its battery is aboard.
        task: name or file of a training task.
        conditions: to fly under, by name; see `pelagos.training.conditions`.
        pilot: who flies, for the results.
        record: file to record to from the start, .csv or .parquet.
        record_dir: folder of recordings that are switched on later.
        results: folder for the results of tasks; that of the user if not given.
        scenario: to be flown by its own mission until the pilot takes over; vehicle, world, seed and all are its own.
    """

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
            own = {"vehicle": vehicle, "world": world, "seed": seed, "tether": tether, "start": start,
                   "sensors": sensors, "task": task, "conditions": conditions}  # fmt: skip
            for name, value in own.items():
                if value:
                    raise CommandError(f"{name} is given beside a scenario, which has its own", expected="one of them")
            settings = settings_of_scenario(scenario, rate_hz=rate_hz)
        else:
            if vehicle is None:
                vehicle = load_task(Path(task) if isinstance(task, os.PathLike) else task).vehicle() if task else USUAL
            settings = settings_of(
                vehicle, world, seed=seed, rate_hz=RATE_HZ if rate_hz is None else rate_hz, tether=tether, start=start,
                sensors=sensors, task="" if task is None else os.fspath(task), conditions=dict(conditions or {}),
            )  # fmt: skip
        self._open(settings, pilot, record_dir, ResultStore(results))
        if record is not None:
            self.record(record)

    @classmethod
    def of(cls, settings: Settings) -> Flight:
        """A flight with settings that are known already, flown by nobody: no result of it is kept."""
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
        self._watched = results is not None
        self._gains: Schedule | None = None  # with the stages of the flight before
        self.recordings = Recordings()
        self.done, self.begun = False, 0
        self._events: list[dict[str, Any]] = []
        compile_for(settings)
        self.begin(settings)

    def begin(self, settings: Settings) -> None:
        """As new, with the same or other settings; sticks in the middle, level held. A recording begins anew too."""
        made = make(settings)  # what cannot be is refused here, and the flight goes on as it was
        sim, conditions = made.sim, made.conditions
        helm = Helm(sim.vehicle, sim.water, sim.interval_s)
        helm.begin(sim.feedback())
        if conditions.depth_control == "autopilot":
            helm.hold("depth", True, sim.feedback())
        attempt = None if made.task is None else Attempt(made, settings.seed)
        recorded = self.recordings.now
        self.recordings.stop(self)
        self.settings = self.begun_with = settings  # the second stays: from it the orders can be flown again
        self.sim, self.prepared, self.conditions = sim, made.prepared, conditions
        self.helm, self.mission, self.attempt = helm, made.mission, attempt
        self._prepare_gains()
        self.flies_mission, self.armed = made.mission is not None, True
        self.direct: DirectControl | None = None  # single actuators, while a link orders them
        self.waits = not self.flies_mission  # in a current a vehicle that nobody flies yet would drift off
        if not self.flies_mission:
            sim.control(helm)
        self.aim = CameraMount(eyes_of(sim.vehicle))
        self.collisions, self.electric = Collisions(), ElectricPower(sim)
        self.ticks, self.journal = 0, Journal()
        north, east, depth = sim.plant.position_n.tolist()
        self.start_m = (north, east)
        self.perfect_depth_m = depth if conditions.depth_control == "perfect" else None
        self._input, self.applied, self._pulled = CENTRED, PilotCommand(), 0
        self._told: list[tuple[Any, int]] = []  # lists of events, and how many of each are told
        self._snapshot = Snapshot(self)
        self.changed = True
        self.begun += 1
        if recorded is not None:
            self.recordings.again(self, recorded)

    # ---- the source ----------------------------------------------------------------------------------------------

    @property
    def rate_hz(self) -> float:
        """Ticks in a simulated second."""
        return self.settings.rate_hz

    @property
    def time_s(self) -> float:
        """Simulated time since the last reset."""
        return self.sim.time_s

    @property
    def sims(self) -> tuple[Simulation, ...]:
        """For links: the vehicle that is flown."""
        return (self.sim,)

    @property
    def sticks(self) -> Input:
        """As they are, whoever moved them last."""
        return self._input

    @property
    def columns(self) -> tuple[str, ...]:
        """Of a snapshot."""
        return self._snapshot.columns

    def input(self, sticks: Input) -> None:
        """Sticks as they are from now on."""
        if sticks != self._input:
            self._input = sticks
            self.waits = self.waits and not any(sticks[:6])  # looking round is not flying
            self.journal.input(self.ticks, sticks)

    def order(self, name: str, values: Mapping[str, Any]) -> None:
        """Do something now; CommandError with a sentence if it cannot be done."""
        do = ORDERS.get(name) or LINK_ORDERS.get(name)
        if do is None:
            raise unknown("there is no order", name, (*ORDERS, *LINK_ORDERS))
        values = listed(values)
        check_keys(name, values)
        journal = self.journal
        try:
            do(self, values)
        except CommandError:
            raise
        except PelagosError as problem:
            raise CommandError(str(problem)) from None
        if journal is self.journal:  # one that begins the flight anew leaves nothing to be flown again
            journal.order(self.ticks, name, values)

    def tick(self) -> None:
        """One interval: sticks and camera move, the simulation advances, what was touched is told."""
        sim, now = self.sim, self._input
        self.aim.move(now.pan, now.tilt, now.zoom, sim.interval_s)
        if self.flies_mission or self.direct is not None:
            self._feel(now)
        self.applied = PilotCommand() if self.flies_mission else self._sticks(now)
        self.helm.move(self.applied, self.aim.pan_rad)
        try:
            sim.tick()
        except Exception:  # whatever it was, the log is ended as one that was cut short
            self.close(complete=False)
            raise
        self.ticks += 1
        sim.evaluate()  # once here, so that what is looked at later does not depend on who looks
        if self.prepared is not None and self.flies_mission and self.armed:
            self._follow_scenario()
        met = self.collisions.update(sim)
        if met is not None:
            self.tell(**met.event())
        if self.attempt is not None and self.attempt.update(self):
            self.attempt.tell_end(self)
        self._pass_on(sim.events)
        self._pass_on(getattr(sim.controller, "events", ()))
        self.recordings.keep(self)

    def state(self) -> NDArray[np.float64]:
        """Values of `columns` now; the next call fills the same array anew."""
        return self._snapshot.values(self)

    def snapshot_into(self, row: NDArray[np.float32]) -> None:
        """The state now; what else is about is told beside it."""
        self._snapshot.into(row, self)

    def take_events(self) -> list[dict[str, Any]]:
        """What happened since the last call."""
        events, self._events = self._events, []
        return events

    def close(self, *, complete: bool = True) -> None:
        """End the recording, and wait until it is on the disk; complete=False if the flight was cut short."""
        self.recordings.stop(self, complete=complete)
        self.recordings.wait()

    # ---- what orders do ------------------------------------------------------------------------------------------

    def record(self, path: str | os.PathLike[str] | None = None) -> None:
        """Begin to record, to a new file of the folder for recordings if none is named."""
        stem = self.settings.task or (self.settings.scenario.name if self.settings.scenario else self.sim.vehicle.key)
        self.recordings.start(self, new_path(self.record_dir, Path(stem).stem) if path is None else Path(path))

    def fly_mission(self, on: bool) -> None:
        """Hand over between the pilot and the mission of the scenario; each begins with what the actuators do now."""
        fly_mission(self, on)

    # ---- what others ask -----------------------------------------------------------------------------------------

    def tell(self, kind: str, text: str, **more: Any) -> None:
        """Something happened now."""
        self.say({"type": "event", "time_s": self.time_s, "kind": kind, "text": text, **more})

    def say(self, event: dict[str, Any]) -> None:
        """Pass a message on to the pages, and an event to the recording."""
        self._events.append(event)
        if event["type"] == "event":
            self.recordings.event(self, event)

    def faults_acting(self) -> list[dict[str, Any]]:
        """What is wrong now: the id by which it can be cleared, in words, and whether it can end."""
        acting = self.sim.faults.acting if self.sim.faults else []
        return [{"id": case.name, "text": str(case), "can_end": case.can_end} for case in acting]

    def damage(self) -> tuple[float, float]:
        """Water inside, kg, and how many faults act."""
        faults = self.sim.faults
        if faults is None:
            return 0.0, 0.0
        return faults.flooded_kg, float(len(faults.acting))

    def score(self) -> tuple[float, ...]:
        """Phase and time of the task, and its score."""
        return NO_TASK if self.attempt is None else self.attempt.score()

    # ---- details -------------------------------------------------------------------------------------------------

    def _prepare_gains(self) -> None:
        """Have the gains of the autopilots worked out before they are needed, if somebody watches."""
        if not self._watched:
            return
        own = getattr(getattr(self.mission, "helm", self.mission), "schedule", None)
        make_stages(self.helm.schedule, self._gains)
        self._gains = self.helm.schedule
        if isinstance(own, Schedule) and of_a_kind(own, self._gains):
            own.learn(self._gains)

    def _feel(self, now: Input) -> None:
        """Whoever pulls the sticks while the mission flies, or a link has the actuators, has the helm."""
        self._pulled = self._pulled + 1 if max(map(abs, now.sticks.axes)) > PULLED else 0
        if self._pulled * self.sim.interval_s > PULLED_S:
            self._pulled = 0
            take_helm(self)
            self.tell("mode", "the pilot has taken the sticks")

    def _sticks(self, now: Input) -> PilotCommand:
        """What reaches the helm: where depth is held by numbers, the heave stick moves the number instead."""
        if self.perfect_depth_m is None:
            return now.sticks
        deeper = self.perfect_depth_m + now.heave * SINK_M_S * self.sim.interval_s
        self.perfect_depth_m = min(max(deeper, 0.0), self.sim.evaluate().around.bottom_m)
        self.sim.hold = NumericalHold(depth_m=self.perfect_depth_m)
        return PilotCommand(now.surge, now.sway, 0.0, now.roll, now.pitch, now.yaw)

    def _follow_scenario(self) -> None:
        """Events of the scenario; at its end the pilot has the helm."""
        assert self.prepared is not None
        self.prepared.each()
        if self.prepared.over():
            self.fly_mission(False)
            self.tell("mode", "the scenario is over; the pilot has the helm")

    def _pass_on(self, events: Sequence[Event]) -> None:
        """Events of the simulation and of who flies it."""
        if not events:
            return
        known = next((k for k, (one, _) in enumerate(self._told) if one is events), None)
        if known is None:
            known = len(self._told)
            self._told.append((events, 0))
        told = self._told[known][1]
        if len(events) > told:
            for event in events[told:]:
                more = {"faults_acting": self.faults_acting()} if event.kind in FAULTY else {}
                self.say({"type": "event", "time_s": event.time_s, "kind": event.kind, "text": event.text, **more})
            self._told[known] = (events, len(events))
