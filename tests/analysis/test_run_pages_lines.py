"""Lines keep their extremes however long the run; headings do not jump; events are numbered and told."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelagos.analysis.run_pages_lines import (
    envelope,
    events_of,
    mark_events,
    short_way,
    split_unit,
    stacked,
    thinned,
    unwrap_heading,
    worth_a_mark,
)
from pelagos.messages import Event
from pelagos.sim.log import Log
from tests.analysis.measured import measured_log


@given(st.integers(0, 19_999), st.integers(0, 19_999))
def test_an_envelope_keeps_every_spike_in_its_place(up, down):
    t = np.arange(20_000) * 0.1
    y = np.sin(t)
    y[down] = -50.0
    y[up] = 100.0
    seen_t, seen = envelope(t, y, pixels=500)
    assert len(seen) <= 2 * 500 + 2
    assert seen.max() == 100.0 and seen_t[np.argmax(seen)] == t[up]
    assert up == down or seen_t[np.argmin(seen)] == t[down]
    assert (np.diff(seen_t) > 0.0).all()
    assert seen_t[0] == t[0] and seen_t[-1] == t[-1]


def test_an_envelope_holds_the_range_of_every_stretch():
    """Independent: each stretch by itself."""
    y = np.random.default_rng(1).standard_normal(36_000).cumsum()
    t = np.arange(36_000.0)
    seen_t, seen = envelope(t, y, pixels=1000)
    for start in range(0, 36_000, 36):
        inside = seen[(seen_t >= start) & (seen_t < start + 36)]
        part = y[start : start + 36]
        assert {part.min(), part.max()} <= set(inside.tolist())


def test_short_lines_come_back_as_they_are_and_gaps_stay_gaps():
    t, y = np.arange(100.0), np.arange(100.0) ** 2
    assert envelope(t, y)[1] is y
    long = np.where(np.arange(10_000) // 2_000 == 2, np.nan, 1.0)  # nothing from 4000 to 6000
    seen_t, seen = envelope(np.arange(10_000.0), long, pixels=100)
    gap = np.isnan(seen)
    assert gap.sum() == 20  # one for each of the hundred stretches that is empty
    assert seen_t[gap].min() >= 4_000.0 and seen_t[gap].max() < 6_000.0
    assert len(envelope(np.arange(10_000.0), np.full(10_000, np.nan), pixels=100)[1]) > 0


def test_a_thinned_track_keeps_its_ends_and_corners():
    n = 50_000
    east, north = np.zeros(n), np.linspace(0.0, 1.0, n)
    east[31_234] = 7.0
    x, y = thinned(east, north, most=1000)
    assert len(x) <= 1005
    assert x.max() == 7.0 and (y[0], y[-1]) == (0.0, 1.0)


def test_headings_with_gaps_are_unwrapped_over_them():
    seen = unwrap_heading(np.array([350.0, np.nan, 10.0, 20.0]))
    np.testing.assert_allclose(seen[[0, 2, 3]], [-10.0, 10.0, 20.0])
    assert np.isnan(seen[1]) and np.isnan(unwrap_heading(np.full(3, np.nan))).all()
    np.testing.assert_allclose(short_way(np.array([350.0, -350.0, 180.0, 10.0])), [-10.0, 10.0, -180.0, 10.0])


@pytest.mark.parametrize(("name", "unit"), [("imu_accel_x_m_s2", "m/s²"), ("battery_used_Ah", "A h"), ("x_m", "m")])
def test_units_of_instruments_are_known(name, unit):
    assert split_unit(name)[1] == unit


def test_events_come_from_the_log_or_its_settings_in_order_of_time():
    t = {"time_s": np.arange(3.0)}
    assert [e.text for e in events_of(measured_log(30.0))] == ["leg 1 of 2", "thruster t3 lost", "current gust"]
    said = [{"time_s": 2, "kind": "b", "text": "later"}, {"time_s": 1.0, "kind": "a"}, {"kind": "no time"}, 7]
    assert [(e.time_s, e.kind) for e in events_of(Log(t, {"events": said}))] == [(1.0, "a"), (2.0, "b")]
    assert events_of(Log(t, {"events": "none"})) == []


def test_marks_stand_at_their_times_and_close_ones_share_a_number():
    log = measured_log(60.0)
    figure, axes = stacked("x.png", log, "page", (1.0, 1.0))
    mark_events(figure, axes, log)
    for ax in axes:
        assert [line.get_xdata()[0] for line in ax.lines] == [5.0, 20.0, 20.3]
    assert [text.get_text() for text in axes[0].texts] == ["1", "2-3"]  # 0.3 s of a minute is one mark
    told = figure.get_supxlabel()
    assert told.splitlines()[1] == "2  20 s  thruster t3 lost"


def test_many_events_are_told_as_a_number():
    log = measured_log(30.0)
    log.events = [Event(float(k), "leg", f"leg {k}") for k in range(20)]
    figure, axes = stacked("x.png", log, "page", (1.0,))
    mark_events(figure, axes, log)
    assert figure.get_supxlabel().splitlines()[-1] == "and 15 more"


def test_what_happened_outside_the_samples_is_told_but_not_marked():
    log = measured_log(10.0)
    figure, axes = stacked("x.png", log, "page", (1.0,))
    mark_events(figure, axes, log)
    assert [line.get_xdata()[0] for line in axes[0].lines] == [5.0]
    assert "thruster t3 lost" in figure.get_supxlabel()


def test_of_very_many_events_the_routine_ones_are_not_marked():
    log = measured_log(30.0)
    log.events = [Event(float(k), "fault" if k == 7 else "waypoint", f"{k}") for k in range(20)]
    assert worth_a_mark(log) == [7]
    log.events = log.events[:10]
    assert worth_a_mark(log) == list(range(10))
