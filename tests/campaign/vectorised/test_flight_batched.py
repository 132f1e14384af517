"""Each run of a batch has its own end, as it has alone."""

import pytest

from pelagos.campaign.vectorised.engine import run_batched
from tests.campaign.batched_cases import LINE, SAME, case, difference

SHORT = [{"kind": "trackline", "from_m": [0.0, 0.0], "to_m": [40.0, 0.0], "speed_m_s": 1.5}]


@pytest.fixture(scope="module")
def ended():
    """Runs that end by time, condition and mission, and their logs."""
    runs = [
        case(LINE, duration_s=12.0, log_rate_hz=4.0),
        case(LINE, duration_s=40.0, log_rate_hz=4.0, end__when="depth_m > 6 and abs(heading_deg - 180) > 1"),
        case(LINE, duration_s=60.0, log_rate_hz=4.0, mission=SHORT),
        case(LINE, duration_s=60.0, log_rate_hz=4.0, mission=SHORT, end__after_s=3.3),
        case(LINE, duration_s=33.0, log_rate_hz=4.0, mission=SHORT, end__mission_done=False),
    ]
    return runs, run_batched(runs)


def test_runs_end_when_they_do_alone(ended):
    for scenario, log in zip(*ended, strict=True):
        assert difference(scenario.run(), log)[0] < SAME


def test_the_ends_are_different_ones(ended):
    times = [float(log["time_s"][-1]) for log in ended[1]]
    assert times[0] == 12.0 and times[1] < 40.0 and times[2] < 60.0
    assert 3.0 <= times[3] - times[2] <= 3.5 and times[4] >= 32.75
    assert ended[1][1]["depth_m"][-2] <= 6.0 + 0.3


def test_a_mission_that_gets_nowhere_is_ended():
    # a current faster than the vehicle: after 600 s without coming nearer, alone as in a batch
    tables = {key: value for key, value in LINE.items() if key != "duration_s"}
    scenario = case(tables, world__current_m_s=2.5, world__current_to_deg=180.0, log_rate_hz=0.1)
    log = run_batched([scenario, case(tables, mission=SHORT, log_rate_hz=0.1)])[0]
    assert 600.0 <= log["time_s"][-1] < 640.0
    assert "has not come nearer to the next point" in log.events[-1].text and log.events[-1].kind == "stalled"


def test_progress_is_told_once_a_second():
    told = []
    run_batched([case(LINE, duration_s=3.0)], progress=told.append)
    assert told == [1.0, 2.0, 3.0]
