"""Triggers fire once, in their sequence, for one vehicle and for many."""

import numpy as np
import pytest

from pelagos.scenario.spec import ScenarioEvent
from pelagos.sim.faults.conditions import Condition, ObservedSimulation
from pelagos.sim.faults.kinds import Trigger
from pelagos.sim.faults.triggers import TriggerWatch, WaitingTriggers
from pelagos.sim.simulation import Simulation
from pelagos.world.spec import World


class Runs:
    """Three vehicles at depths 1, 2, 3 m and norths 0, 10, 20 m."""

    def __init__(self, time_s):
        self.time_s = time_s
        self.position_n = np.array([[0.0, 10.0, 20.0], [0.0, 0.0, 0.0], [1.0, 2.0, 3.0]])

    def holds(self, condition: Condition):
        return condition.holds_each(self, 3)


WHENS = [
    Trigger(at_s=2.0), Trigger(at_s=5.0), Trigger(when="depth_m > 1.5"), Trigger(when="depth_m > 9"),
    Trigger(place_m=(12.0, 0.0), radius_m=2.0),
]  # fmt: skip


def test_due_for_each_of_many():
    runs = Runs(2.0)
    due = [np.broadcast_to(TriggerWatch(trigger).due(runs), 3).tolist() for trigger in WHENS]
    assert due == [[True] * 3, [False] * 3, [False, True, True], [False] * 3, [False, True, False]]


@pytest.mark.parametrize("i", range(3))
def test_many_are_due_when_single_vehicles_are(i):
    sim = Simulation("bluerov2_heavy", World(depth_m=40.0))
    sim.place(north_m=10.0 * i, depth_m=1.0 + i)
    for trigger in WHENS[2:]:
        assert bool(TriggerWatch(trigger).due(ObservedSimulation(sim))) == TriggerWatch(trigger).due(Runs(0.0))[i]


def test_each_fires_once_in_the_sequence_of_the_vehicles():
    waiting = WaitingTriggers((i, trigger, f"{i}{k}") for i in range(3) for k, trigger in enumerate(WHENS))
    assert [item for _, item in waiting.due(Runs(0.0))] == ["12", "14", "22"]
    assert waiting.due(Runs(1.0)) == []
    assert [item for _, item in waiting.due(Runs(2.0))] == ["00", "10", "20"]
    assert [i for i, _ in waiting.due(Runs(7.0))] == [0, 1, 2]
    assert waiting  # depth_m > 9 still waits


def test_nothing_waits_at_the_end():
    waiting = WaitingTriggers([(0, event, event) for event in (ScenarioEvent(at_s=1.0, say="a"),)])
    assert waiting and len(waiting.due(Runs(1.0))) == 1 and not waiting
