"""A log played like a flight: every sample at its time, what lies between them interpolated, forward or from anywhere.

Time begins with the first sample of the log. At the time of a sample the row is that sample; between two it goes in a
straight line, angles the short way round, quaternions on the unit sphere, and what counts or names goes in steps.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.console.playback_columns import CIRCULAR, COMPASS, QUATERNION, STEPS, replay_columns, replay_table
from pelagos.console.playback_scene import known_of
from pelagos.console.scene import vehicle_scene, world_scene
from pelagos.console.source import Input, plain
from pelagos.errors import CommandError
from pelagos.messages import number
from pelagos.sim.load_log import load_log
from pelagos.sim.log import LogError

RATE_HZ = 50.0
HAIR_S = 1e-9  # a tick that close to a sample is at its time


class Playback:
    """A log as a source. LogError with a sentence if the file is none.

    Args:
        path: the log: CSV, Parquet, .npz, of a run or of a recorded flight.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.log = log = load_log(path)
        times = log.time_s
        if not len(log):
            raise LogError(f"{path}: has no samples")
        if not (np.isfinite(times).all() and (np.diff(times) >= 0.0).all()):
            raise LogError(f"{path}: its times do not go forward")
        self.known = known = known_of(log, self.path)
        self.columns = replay_columns(log, known.vehicle)
        try:
            self._table = replay_table(log, known.vehicle, self.columns, known.world.surface_density_kg_m3)
        except LogError as problem:
            raise LogError(f"{path}: {problem}") from None
        self._start_s = float(times[0])
        self._times = times - self._start_s
        self.duration_s = float(self._times[-1])
        at = {name: k for k, name in enumerate(self.columns)}
        self._circular = np.array([at[name] for name in CIRCULAR if name in at])
        self._compass = np.array([at[name] for name in COMPASS])
        self._quaternion = np.array([at[name] for name in QUATERNION])
        steps = [k for name, k in at.items() if name in STEPS or (name.startswith("hold_") and name not in CIRCULAR)]
        self._steps, self._age = np.array(steps), at["crash_age_s"]
        happened = [event for event in log.events if event.kind != "record"]  # nothing is being recorded now
        self._happened = sorted(
            ({"type": "event", "time_s": e.time_s - self._start_s, "kind": e.kind, "text": e.text} for e in happened),
            key=lambda event: event["time_s"],
        )
        self._events = [self._warning(note) for note in known.notes]
        if not log.complete:
            self._events.append(self._warning("the log was cut short: it plays as far as it goes"))
        self.rate_hz = RATE_HZ
        self.changed, self.waits, self.begun = True, False, 0
        self._seek(0.0)

    # ---- the source ----------------------------------------------------------------------------------------------

    @property
    def time_s(self) -> float:
        """Since the first sample."""
        return min(self._from_s + self._ticks / RATE_HZ, self.duration_s)

    @property
    def done(self) -> bool:
        """Whether the end is reached."""
        return self.time_s >= self.duration_s

    def hello(self) -> dict[str, Any]:
        """What a page needs besides snapshots."""
        known, log = self.known, self.log
        near = float(log["north_m"][0]), float(log["east_m"][0])
        gravity = log.meta.get("gravity_m_s2")
        gravity_m_s2 = gravity if isinstance(gravity, float) else None
        tethered = "tether_length_m" in log.columns
        said = {
            "mode": "replay",
            "vehicle": vehicle_scene(known.vehicle) | {"axes": [], "can": [], "has_tether": tethered},
            "scene": world_scene(known.world, gravity_m_s2=gravity_m_s2, near_m=near),
            "marks": known.task.marks(known.world) if known.task else [],
            "vehicle_marks": known.task.target.vehicle_marks(known.vehicle) if known.task else [],
            "waypoints": known.waypoints,
            "task": known.task.described() if known.task else None,
            "tasks": [],
            "conditions": known.conditions.described() | {"cable": tethered},
            "faults": [],
            "settings": {"seed": log.meta.get("seed"), "tether": tethered, "file": self.path.name},
            "pilot_name": str(log.meta.get("pilot", "")),
            "recording": None,
            "duration_s": self.duration_s,
            "start_s": self._start_s,
            "complete": log.complete,
            "events": self._happened,
        }
        return plain(said)

    def input(self, sticks: Input) -> None:
        """Sticks move nothing here."""

    def order(self, name: str, values: Mapping[str, Any]) -> None:
        """seek {time_s}; reset goes back to the beginning. Nothing else can be told a log."""
        if name == "seek":
            self._seek(number("seek time_s", values.get("time_s"), 0.0, max(self.duration_s, HAIR_S)))
        elif name == "reset":
            self._seek(0.0)
        else:
            raise CommandError(f"this is a replay: the order {name} is for a flight")

    def tick(self) -> None:
        """One interval on, up to the end; what happened in it is told."""
        if self.done:
            return
        self._ticks += 1
        now = self.time_s
        while self._next < len(self._happened) and self._happened[self._next]["time_s"] <= now + HAIR_S:
            self._events.append(self._happened[self._next])
            self._next += 1

    def snapshot_into(self, row: NDArray[np.float32]) -> None:
        """The state at the time of the log."""
        row[: len(self.columns)] = self.state()

    def state(self) -> NDArray[np.float64]:
        """Values of `columns` now."""
        now, times = self.time_s, self._times
        k = int(np.searchsorted(times, now + HAIR_S, side="right")) - 1
        here = self._table[k].copy()
        if k + 1 >= len(times) or now - times[k] <= HAIR_S:
            return here
        share = (now - times[k]) / (times[k + 1] - times[k])
        there = self._table[k + 1]
        with np.errstate(invalid="ignore"):  # the ratio of a tether is infinite where ship and vehicle meet
            gap = there - here
        turn = gap[self._circular]
        gap[self._circular] = (turn + 180.0) % 360.0 - 180.0
        q, p = here[self._quaternion], there[self._quaternion]
        gap[self._quaternion] = (p if q @ p >= 0.0 else -p) - q  # q and -q are one attitude
        gap[self._steps] = 0.0
        made = here + share * np.where(np.isfinite(gap), gap, 0.0)
        made[self._age] = here[self._age] + now - times[k]
        made[self._quaternion] /= np.linalg.norm(made[self._quaternion])
        made[self._circular] = (made[self._circular] + 180.0) % 360.0 - 180.0
        made[self._compass] %= 360.0
        return made

    def take_events(self) -> list[dict[str, Any]]:
        """What happened since the last call."""
        events, self._events = self._events, []
        return events

    def close(self) -> None:
        """Nothing is open."""

    # ---- details -------------------------------------------------------------------------------------------------

    def _seek(self, time_s: float) -> None:
        """Go to a time; what happened on the way is not told."""
        self._from_s, self._ticks = time_s, 0
        self.begun += 1
        self._next = sum(1 for event in self._happened if event["time_s"] < time_s - HAIR_S)

    def _warning(self, text: str) -> dict[str, Any]:
        return {"type": "event", "time_s": 0.0, "kind": "warning", "text": text}
