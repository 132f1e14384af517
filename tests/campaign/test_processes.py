"""Workers on this machine: one that dies is replaced, and the run that killed it is found."""

import os
import signal
import time

import pytest

from pelagos.campaign.check import job_of
from pelagos.campaign.plan import make_plan
from pelagos.campaign.processes import Processes
from pelagos.campaign.results import Results
from pelagos.campaign.runner import run_campaign
from tests.campaign.tiny import PUSH, same, tiny

DEADLY = """
import os

class Deadly:
    columns = ()
    def __init__(self, vehicle):
        self.vehicle = vehicle
    def reset(self):
        pass
    def update(self, seen, dt):
        from pelagos.messages import Actuation
        import numpy as np
        print("a run may print")
        if seen.pos_n[2] > 7.5 and seen.time_s > 0.15:
            os._exit(9)
        return Actuation(np.zeros(8), np.zeros(0))
"""
DEPTHS = {"key": "start.depth_m", "values": [5.0, 6.0, 8.0, 7.0]}


@pytest.fixture(scope="module")
def flown(tmp_path_factory):
    """Four runs on two workers, one of which kills its worker; the same without it."""
    folder = tmp_path_factory.mktemp("deadly")
    (folder / "mine.py").write_text(DEADLY)
    scenario = {**PUSH, "duration_s": 0.5, "control": {"kind": "python", "class_name": str(folder / "mine.py:Deadly")}}
    campaign = tiny(scenario=scenario, method="grid", runs=None, vary=[DEPTHS])
    return run_campaign(campaign, folder / "out", workers=2)


def test_only_the_deadly_run_fails(flown: Results):
    assert flown["status"].tolist() == ["done", "done", "failed", "done"]
    assert flown["message"][2] == "the worker's process ended with exit code 9, twice"
    assert flown["start.depth_m"].tolist() == [5.0, 6.0, 8.0, 7.0]
    assert abs(flown["north_m"][[0, 1, 3]]).max() < 1.0


def test_it_is_summed_up(flown: Results):
    assert flown.summary["failed"] == 1 and flown.summary["ended"] == "complete"
    assert flown.summary["failures"] == [{"message": flown["message"][2], "runs": 1}]


def test_a_killed_worker_loses_nothing():
    """SIGKILL to a worker while it works: its piece comes back, the next worker flies it."""
    campaign = tiny(runs=6)
    plan = make_plan(campaign)
    with Processes(job_of(campaign), 1) as hands:
        hands.give(tuple(plan.run(k) for k in range(6)))
        while not hands._running:
            time.sleep(0.01)
        os.kill(next(iter(hands._running)).pid, signal.SIGKILL)
        piece, came, why = hands.take()
        hands.give(piece)
        _, rows, _ = hands.take()
    assert came is None and why == "the worker's process ended with exit code -9"
    assert rows is not None and [row["status"] for row in rows] == ["done"] * 6
    assert not hands._running  # nobody is left behind


def test_one_process_and_several_give_the_same_rows(tmp_path):
    campaign = tiny(runs=7)
    one = run_campaign(campaign, tmp_path / "one", workers=1)
    three = run_campaign(campaign, tmp_path / "three", workers=2)
    same(one.table, three.table)
    assert len(one) == 7 and one.failed == 0
