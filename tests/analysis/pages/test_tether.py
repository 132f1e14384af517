"""What a log says of a tether: shapes as they were recorded, every status with its word, times that add up."""

import numpy as np
import pytest

from pelagos.analysis.pages.tether import WORDS, has_tether, shapes, spans, told, when
from pelagos.analysis.summary import summarise
from pelagos.sim.log.log import Log
from pelagos.sim.tether import POINTS, TETHER_COLUMNS
from pelagos.tether.spec import Status
from tests.sim.synthetic import synthetic_log


def tethered_log(seconds=10.0, status=0):
    """The synthetic dive on a straight cable from a ship at the origin; status may be one for all or one a sample."""
    log = synthetic_log(seconds)
    n = len(log)
    vehicle = np.column_stack([log["north_m"], log["east_m"], log["depth_m"]])
    share = np.linspace(0.0, 1.0, POINTS)
    points = share[np.newaxis, :, np.newaxis] * vehicle[:, np.newaxis, :]
    distance = np.linalg.norm(vehicle, axis=1)
    with np.errstate(divide="ignore"):
        first = {
            "tether_length_m": np.full(n, 30.0), "tether_ratio": 30.0 / distance, "tether_rate_m_s": np.zeros(n),
            "tether_tension_N": 10.0 + log.time_s, "tether_ship_tension_N": 5.0 + 0.5 * log.time_s,
            "tether_status": np.broadcast_to(status, n), "tether_wrap_deg": np.zeros(n),
            "tether_aground_m": np.zeros(n),
        }  # fmt: skip
    columns = dict(zip(TETHER_COLUMNS, [*first.values(), *points.reshape(n, -1).T], strict=True))
    assert set(first) <= set(columns)
    return Log({**log.columns, **columns}, {**log.meta, "water_depth_m": 12.0, "seabed": "flat"}, log.forces)


def test_every_status_has_a_word():
    assert set(WORDS) == {flag for flag in Status if flag}
    assert len(set(WORDS.values())) == len(WORDS)


def test_a_log_without_a_tether_says_nothing():
    assert not has_tether(synthetic_log(1.0))
    assert told(synthetic_log(1.0)) == []
    assert "tether" not in summarise(synthetic_log(1.0))


def test_shapes_are_the_recorded_points():
    log = tethered_log()
    found = shapes(log)
    assert found.shape == (len(log), POINTS, 3)
    np.testing.assert_array_equal(found[:, -1, 2], log["tether_20_depth_m"])
    np.testing.assert_array_equal(found[:, 7, 1], log["tether_07_east_m"])


def test_bits_become_words_and_times():
    time = synthetic_log(10.0).time_s
    status = np.where(time > 4.95, float(Status.SLACK | Status.SNAGGED), float(Status.SNAGGED))
    found = when(tethered_log(status=status))
    assert set(found) == {"slack", "snagged"}
    assert list(spans(time, found["snagged"])) == [pytest.approx((0.0, 10.0))]
    assert list(spans(time, found["slack"])) == [pytest.approx((4.9, 5.1))]  # the interval before its first sample too


def test_separate_times_stay_separate():
    time = np.arange(7.0)
    there = np.array([False, True, False, False, True, True, False])
    assert list(spans(time, there)) == [(0.0, 1.0), (3.0, 2.0)]
    assert list(spans(time, np.zeros(7, dtype=bool))) == []
    assert list(spans(time, np.arange(7) == 0)) == [(0.0, 0.0)]  # at the start: nothing before it


def test_the_summary_tells_tension_status_and_wrap():
    log = tethered_log(status=float(Status.TAUT))
    log.columns["tether_wrap_deg"] = np.linspace(0.0, 95.0, len(log))
    text = summarise(log)
    assert "tether of 30 m: largest tension 20 N at the vehicle, 10 N at the ship, t = 10.0 s" in text
    assert "of the time it was taut 100 %" in text
    assert "turned round a structure by up to 95 deg, 95 deg at the end" in text
    few = tethered_log(status=np.where(np.arange(101) == 50, float(Status.OVERLOAD), 0.0))
    assert "overload below 1 %" in summarise(few)


def test_long_lines_are_broken():
    log = tethered_log(status=float(sum(flag for flag in Status)))
    assert max(len(line) for line in summarise(log).splitlines()) <= 100
    assert all(word in " ".join(" ".join(told(log)).split()) for word in WORDS.values())
