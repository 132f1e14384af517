"""Envelopes keep extremes, headings do not jump, and events are numbered and listed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelagos.analysis.page import styled
from pelagos.analysis.pages.lines import (
    envelope,
    events_of,
    events_to_mark,
    format_panel,
    heading_line,
    held_places,
    mark_events,
    short_way,
    split_unit,
    stacked,
    thinned,
    unwrap_heading,
)
from pelagos.messages import Event
from pelagos.sim.log.log import Log
from tests.analysis.measured import measured_log


@given(st.integers(0, 19_999), st.integers(0, 19_999))
def test_an_envelope_keeps_every_spike_in_its_place(up, down):
    t = np.arange(20_000) * 0.1
    y = np.sin(t)
    y[down] = -50.0
    y[up] = 100.0
    shown_t, shown = envelope(t, y, pixels=500)
    assert len(shown) <= 2 * 500 + 2
    assert shown.max() == 100.0 and shown_t[np.argmax(shown)] == t[up]
    assert up == down or shown_t[np.argmin(shown)] == t[down]
    assert (np.diff(shown_t) > 0.0).all()
    assert shown_t[0] == t[0] and shown_t[-1] == t[-1]


def test_an_envelope_holds_the_range_of_every_stretch():
    """Independent: each stretch by itself."""
    y = np.random.default_rng(1).standard_normal(36_000).cumsum()
    t = np.arange(36_000.0)
    shown_t, shown = envelope(t, y, pixels=1000)
    for start in range(0, 36_000, 36):
        inside = shown[(shown_t >= start) & (shown_t < start + 36)]
        part = y[start : start + 36]
        assert {part.min(), part.max()} <= set(inside.tolist())


def test_short_lines_come_back_as_they_are_and_gaps_stay_gaps():
    t, y = np.arange(100.0), np.arange(100.0) ** 2
    assert envelope(t, y)[1] is y
    long = np.where(np.arange(10_000) // 2_000 == 2, np.nan, 1.0)  # nothing from 4000 to 6000
    shown_t, shown = envelope(np.arange(10_000.0), long, pixels=100)
    gap = np.isnan(shown)
    assert gap.sum() == 20  # one for each of the hundred stretches that is empty
    assert shown_t[gap].min() >= 4_000.0 and shown_t[gap].max() < 6_000.0
    assert len(envelope(np.arange(10_000.0), np.full(10_000, np.nan), pixels=100)[1]) > 0


def test_a_thinned_track_keeps_its_ends_and_corners():
    n = 50_000
    east, north = np.zeros(n), np.linspace(0.0, 1.0, n)
    east[31_234] = 7.0
    x, y = thinned(east, north, most=1000)
    assert len(x) <= 1005
    assert x.max() == 7.0 and (y[0], y[-1]) == (0.0, 1.0)


def test_headings_with_gaps_are_unwrapped_over_them():
    shown = unwrap_heading(np.array([350.0, np.nan, 10.0, 20.0]))
    np.testing.assert_allclose(shown[[0, 2, 3]], [-10.0, 10.0, 20.0])
    assert np.isnan(shown[1]) and np.isnan(unwrap_heading(np.full(3, np.nan))).all()
    np.testing.assert_allclose(short_way(np.array([350.0, -350.0, 180.0, 10.0])), [-10.0, 10.0, -180.0, 10.0])


@pytest.mark.parametrize(("name", "unit"), [("imu_accel_x_m_s2", "m/s²"), ("battery_used_Ah", "A h"), ("x_m", "m")])
def test_units_of_instruments_are_known(name, unit):
    assert split_unit(name)[1] == unit


def test_events_come_from_the_log_or_its_settings_in_order_of_time():
    t = {"time_s": np.arange(3.0)}
    assert [e.text for e in events_of(measured_log(30.0))] == ["leg 1 of 2", "thruster t3 lost", "current gust"]
    tables = [{"time_s": 2, "kind": "b", "text": "later"}, {"time_s": 1.0, "kind": "a"}, {"kind": "no time"}, 7]
    assert [(e.time_s, e.kind) for e in events_of(Log(t, {"events": tables}))] == [(1.0, "a"), (2.0, "b")]
    assert events_of(Log(t, {"events": "none"})) == []


def test_marks_stand_at_their_times_and_close_ones_share_a_number():
    log = measured_log(60.0)
    figure, axes = stacked("x.png", log, "page", (1.0, 1.0))
    mark_events(figure, axes, log)
    for ax in axes:
        assert [line.get_xdata()[0] for line in ax.lines] == [5.0, 20.0, 20.3]
    assert [text.get_text() for text in axes[0].texts] == ["1", "2-3"]  # 0.3 s of a minute is one mark
    listed = figure.get_supxlabel()
    assert listed.splitlines()[1] == "2  20 s  thruster t3 lost"


def test_many_events_are_shown_as_a_count():
    log = measured_log(30.0)
    log.events = [Event(float(k), "leg", f"leg {k}") for k in range(20)]
    figure, axes = stacked("x.png", log, "page", (1.0,))
    mark_events(figure, axes, log)
    assert figure.get_supxlabel().splitlines()[-1] == "and 15 more"


def test_events_outside_the_samples_are_listed_but_not_marked():
    log = measured_log(10.0)
    figure, axes = stacked("x.png", log, "page", (1.0,))
    mark_events(figure, axes, log)
    assert [line.get_xdata()[0] for line in axes[0].lines] == [5.0]
    assert "thruster t3 lost" in figure.get_supxlabel()


def test_of_very_many_events_the_routine_ones_are_not_marked():
    log = measured_log(30.0)
    log.events = [Event(float(k), "fault" if k == 7 else "waypoint", f"{k}") for k in range(20)]
    assert events_to_mark(log) == [7]
    log.events = log.events[:10]
    assert events_to_mark(log) == list(range(10))


def panel(values, unit):
    """One panel with one line, dressed."""
    t = np.arange(float(len(values)))
    log = Log({"time_s": t})
    with styled():
        _, (ax,) = stacked("x.png", log, "page", (1.0,))
        ax.plot(t, values)
        format_panel(ax, "a", unit)
    return ax


def test_a_small_quantity_is_not_drawn_as_a_level_line():
    """A buoyancy engine of -51 to 250 cm3 fills its panel, in cm3."""
    moved = np.linspace(-5.1e-5, 2.5e-4, 50)
    ax = panel(moved, "m³")
    low, high = ax.get_ylim()
    assert high - low < 1.2 * np.ptp(moved)  # 5 % of room on each side
    assert ax.get_title(loc="left") == "a [cm³]"
    assert ax.yaxis.get_major_formatter()(2.5e-4, 0) == "250"
    assert panel(100.0 * moved, "m³").get_title(loc="left") == "a [m³]"  # up to 25 litres
    shift = panel(np.linspace(-1e-4, 1e-4, 50), "m")
    assert shift.get_ylim()[1] < 1.2e-4


@pytest.mark.parametrize(("middle", "unit"), [(0.0, "m"), (100.0, "m"), (-30.0, "deg"), (2.5e-4, "m³")])
def test_rounding_is_drawn_as_a_level_line(middle, unit):
    ax = panel(middle + 1e-7 * middle * np.sin(np.arange(50.0)) + 1e-13 * np.cos(np.arange(50.0)), unit)
    low, high = ax.get_ylim()
    assert high - low > 0.05 * abs(middle) and high - low > 1e-6
    assert 0.5 * (low + high) == pytest.approx(middle, rel=1e-3, abs=1e-9)


@pytest.mark.parametrize("span", [0.0, 0.5, 4.0, 20.0, 33.0, 100.0, 350.0, 2000.0])
def test_ticks_of_a_heading_are_round_angles(span):
    heading = np.mod(np.linspace(170.0, 170.0 + span, 500), 360.0)
    log = Log({"time_s": np.arange(500.0), "heading_deg": heading})
    _, (ax,) = stacked("x.png", log, "page", (1.0,))
    heading_line(ax, log)
    format_panel(ax, "heading", "deg")
    ticks = ax.yaxis.get_ticklocs()
    step = np.diff(ticks)
    assert 3 <= len(ticks) <= 11 and np.allclose(step, step[0])
    usual = (5, 10, 15, 30, 45, 90, 360) if not 0.0 < span < 10.0 else (0.1, 0.2, 0.5, 1, 2)
    assert min(abs(step[0] - turn) for turn in usual) < 1e-9
    np.testing.assert_allclose(ticks / step[0], np.round(ticks / step[0]), atol=1e-9)  # multiples: 170, not 171


def test_a_long_legend_stays_inside_its_panel():
    names = [f"{where} {side}" for where in ("front", "rear", "vertical front", "vertical rear") for side in
             ("starboard", "port")]  # fmt: skip
    log = measured_log(5.0)
    with styled():
        figure, _ = stacked("x.png", log, "page", (1.0,))
        figure.set_size_inches(4.2, 2.8)
        (ax,) = figure.axes
        for name in names:
            ax.plot(log.time_s, log["depth_m"], label=name)
        format_panel(ax, "thrusters", "N", legend=True)
        figure.draw_without_rendering()
        legend, page = ax.get_legend().get_window_extent(), figure.bbox
    assert legend.x1 <= page.x1 and legend.y1 <= page.y1


def test_a_cross_stands_where_a_place_was_held():
    """Held at (3 N, 4 E) for 10 s, then led on by a moving place, then held at (9 N, 1 E)."""
    t = np.arange(0.0, 40.0)
    north = np.where(t < 5.0, np.nan, np.where(t < 15.0, 3.0, np.where(t < 30.0, t, 9.0)))
    log = Log(
        {"time_s": t, "cmd_north_m": north, "cmd_east_m": np.where(t < 5.0, np.nan, np.where(t < 30.0, 4.0, 1.0))}
    )
    _, (ax,) = stacked("x.png", log, "page", (1.0,))
    held_places(ax, log)
    (crosses,) = ax.lines
    assert sorted(zip(crosses.get_ydata(), crosses.get_xdata(), strict=True)) == [(3.0, 4.0), (9.0, 1.0)]
    held_places(ax, measured_log(5.0))
    assert len(ax.lines) == 1  # nothing was held
