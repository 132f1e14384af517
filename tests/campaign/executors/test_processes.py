"""Worker processes: a dead one is replaced, and the run that killed it is identified."""

import numpy as np
import pytest

from pelagos.campaign.results import Results
from pelagos.campaign.runner import run_campaign
from tests.campaign.tiny import PUSH, tiny

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
    """Four runs on two workers, one of which kills its worker."""
    folder = tmp_path_factory.mktemp("deadly")
    (folder / "mine.py").write_text(DEADLY)
    scenario = {**PUSH, "duration_s": 0.5, "control": {"kind": "python", "class_name": str(folder / "mine.py:Deadly")}}
    campaign = tiny(scenario=scenario, method="grid", runs=None, vary=[DEPTHS])
    return run_campaign(campaign, folder / "out", workers=2)


@pytest.mark.slow
def test_only_the_deadly_run_fails(flown: Results):
    assert flown["status"].tolist() == ["done", "done", "failed", "done"]
    assert flown["message"][2] == "the worker's process ended with exit code 9, twice"
    assert flown["start.depth_m"].tolist() == [5.0, 6.0, 8.0, 7.0]


@pytest.mark.slow
def test_the_summary_counts_the_failed_run(flown: Results):
    assert flown.summary["failed"] == 1 and flown.summary["ended"] == "complete"
    assert flown.summary["failures"] == [{"message": flown["message"][2], "runs": 1}]


@pytest.mark.slow
def test_other_runs_equal_those_of_the_serial_executor(flown: Results, tmp_path):
    depths = [{"key": "start.depth_m", "values": [5.0, 6.0, 7.0]}]
    alone = run_campaign(
        tiny(scenario=flown.campaign.tables, method="grid", runs=None, vary=depths), tmp_path, workers=1
    )
    for name in ("north_m", "slow", "simulated_s"):
        np.testing.assert_array_equal(flown[name][[0, 1, 3]], alone[name])
