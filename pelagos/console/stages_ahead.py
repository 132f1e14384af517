"""Gains made ready before they are needed: the autopilot's stage for a speed takes up to half a second to work out.

In a flight that is watched such a pause is a jolt, so a thread works all of them out on a schedule of its own and hands
them over one by one. A stage is a function of vehicle, water, interval and speed alone: who made it changes nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any

from pelagos.control.schedule import Schedule

FASTEST = 1.6  # of the top speed: what a current may bring to it


class StagesAhead:
    """Works out the stages of schedules of one vehicle, from the slow to the fast, until all are there or `stop`."""

    def __init__(self, schedule: Schedule) -> None:
        self._twin = Schedule(schedule.vehicle, schedule.water, schedule.interval_s)
        self._lock = threading.Lock()
        self._pupils: list[Schedule] = []
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="pelagos-stages", daemon=True)
        self._twin.stage(0.0)  # here: the first tick needs it, and would work it out beside the thread
        self.serve([schedule])
        self._thread.start()

    def fits(self, schedule: Schedule) -> bool:
        """Whether the stages hold for another schedule."""
        return _kind(schedule) == _kind(self._twin)

    def serve(self, schedules: Iterable[Schedule]) -> None:
        """Hand all stages to these from now on, and to no others."""
        with self._lock:
            self._pupils = list(schedules)
            self._hand_over()

    def wait(self) -> None:
        """Until all are there."""
        self._thread.join()

    def stop(self) -> None:
        """Work no more."""
        self._stop.set()
        self._thread.join()

    def _work(self) -> None:
        twin, speed = self._twin, 0.0
        while not self._stop.is_set() and speed <= FASTEST * twin.top_speed:
            twin.stage(speed)
            with self._lock:
                self._hand_over()
            if twin.step <= 0.0:
                break
            speed = max(speed, twin.lowest) + twin.step

    def _hand_over(self) -> None:
        for pupil in self._pupils:
            pupil.learn(self._twin)


def _kind(schedule: Schedule) -> tuple[Any, ...]:
    water = schedule.water
    return id(schedule.vehicle), water.density_kg_m3, water.gravity_m_s2, schedule.interval_s
