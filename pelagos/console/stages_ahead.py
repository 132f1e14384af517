"""Gains made ready before they are needed: every stage of the autopilot that a flight can come to.

A stage takes some milliseconds to work out, a good part of an interval of the controls. In a flight that is watched a
few of them in a row would be a jolt, so all are made before it begins, or taken over from the flight before. A stage is
a function of vehicle, water, interval and speed alone: who made it, and when, changes nothing.
"""

from __future__ import annotations

from typing import Any

from pelagos.control.schedule import Schedule

FASTEST = 1.6  # of the top speed: what a current may bring to it


def make_stages(schedule: Schedule, earlier: Schedule | None = None) -> None:
    """Have all stages of a schedule at hand; those that one made earlier for the same vehicle has are taken over."""
    if earlier is not None and of_a_kind(schedule, earlier):
        schedule.learn(earlier)
    speed = 0.0
    while speed <= FASTEST * schedule.top_speed:
        schedule.stage(speed)
        if schedule.step <= 0.0:
            break
        speed = max(speed, schedule.lowest) + schedule.step


def of_a_kind(one: Schedule, other: Schedule) -> bool:
    """Whether the stages of one hold for the other."""
    return _kind(one) == _kind(other)


def _kind(schedule: Schedule) -> tuple[Any, ...]:
    water = schedule.water
    return id(schedule.vehicle), water.density_kg_m3, water.gravity_m_s2, schedule.interval_s
