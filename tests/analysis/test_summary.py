"""Summary: the numbers in the text are those of the log."""

import numpy as np
import pytest

from pelagos.analysis.summary import MOST_EVENTS, speed_through_water, summarise
from pelagos.messages import Event
from pelagos.sim.log.log import Log, LogError
from tests.sim.synthetic import synthetic_log


def held(heading, setpoint):
    """Ten seconds of constant heading; everything else at rest."""
    log = synthetic_log(seconds=10.0)
    n = len(log)
    changes = {"heading_deg": np.full(n, heading), "cmd_heading_deg": np.full(n, setpoint), "depth_m": np.full(n, 4.5)}
    return Log({**log.columns, **changes}, log.meta, log.forces)


def numbers(text, label):
    line = next(line for line in text.splitlines() if line.strip().startswith(label))
    return [float(word) for word in line.split(", ", 1)[1].split()[1:]]


def test_depth_shows_setpoint_mean_and_worst():
    assert numbers(summarise(held(90.0, 90.0)), "depth") == [5.0, 4.5, 0.5]


def test_heading_is_compared_the_short_way_round():
    assert numbers(summarise(held(359.0, 1.0)), "heading") == [1.0, -1.0, 2.0]
    assert numbers(summarise(held(2.0, 359.0)), "heading") == [359.0, 362.0, 3.0]


def test_without_a_setpoint_the_mean_stands_alone():
    line = next(line for line in summarise(synthetic_log()).splitlines() if "speed" in line)
    assert line.split()[2] == "-"


def test_a_setpoint_may_come_from_outside_the_log():
    log = held(90.0, 90.0)
    bare = Log({name: column for name, column in log.columns.items() if not name.startswith("cmd_")}, log.meta)
    assert numbers(summarise(bare, {"depth_m": 4.0, "heading_deg": None}), "depth") == [4.0, 4.5, 0.5]
    assert "90.000" in summarise(bare)


def test_speed_through_water_takes_the_current_off():
    """Heading east, level, 0.3 m/s of current to the east: drifting with the water is zero speed."""
    drifting = held(90.0, 90.0)
    flat = {"pitch_deg": np.zeros(len(drifting)), "surge_m_s": np.full(len(drifting), 0.3)}
    log = Log({**drifting.columns, **flat})
    np.testing.assert_allclose(speed_through_water(log), 0.0, atol=1e-15)  # cos(90 deg) is 6e-17
    against = Log({**log.columns, "heading_deg": np.full(len(log), 270.0)})
    np.testing.assert_allclose(speed_through_water(against), 0.6, rtol=1e-12)


def test_forces_appear_with_their_mean():
    log = synthetic_log()
    text = summarise(log)
    assert "restoring" in text
    assert "-2.000" in text
    assert "added_mass" not in text  # zero throughout
    assert max(len(line) for line in text.splitlines()) <= 100


def test_it_says_when_a_vehicle_without_shape_left_the_water():
    log = held(90.0, 90.0)
    assert "left the water" not in summarise(log)
    up = Log({**log.columns, "depth_m": 1.05 - log.time_s}, {**log.meta, "surface": "submerged"})
    assert "left the water at t = 1.2 s: its file gives no hull shape" in summarise(up)
    assert "left the water" not in summarise(Log(up.columns, {**log.meta, "surface": "quadrature"}))


def test_it_says_what_was_touched_and_how_long_it_was_afloat():
    log = held(90.0, 90.0)
    n = len(log.time_s)
    half = np.arange(n) < n // 2
    met = {
        "wet_share": np.where(half, 0.5, 1.0),
        "contact_with": np.where(half, np.nan, -1.0),
        "contact_N": np.where(half, 0.0, 40.0),
    }
    text = summarise(Log({**log.columns, **met}, {**log.meta, "structures": "none"}))
    assert "at the surface 50 % of the time" in text or "at the surface 49 % of the time" in text
    assert f"touched the seabed first at t = {log.time_s[n // 2]:.1f} s, with up to 40 N" in text


def test_another_vehicle_that_was_touched_is_no_seabed():
    log = held(90.0, 90.0)
    n = len(log)
    met = {"contact_with": np.where(np.arange(n) == 7, -3.0, np.nan), "contact_N": np.full(n, 250.0)}
    text = summarise(Log({**log.columns, **met}, log.meta))
    assert f"touched another vehicle first at t = {log.time_s[7]:.1f} s, with up to 250 N" in text
    assert "seabed" not in text


def test_a_place_and_an_altitude_have_lines_of_their_own_where_they_are_held():
    """3 m north and 4 m east of the place: 5 m off; a fifth of the samples 10 m off: (4 x 5 + 10) / 5 = 6 m."""
    log = held(90.0, 90.0)
    assert "altitude" not in summarise(log) and "place" not in summarise(log)
    n = len(log)
    far = np.arange(n) % 5 == 0
    kept = log.time_s >= log.time_s[-1] / 2.0  # the tail of ten seconds
    share = float(far[kept].mean())
    columns = {
        "north_m": np.where(far, 16.0, 13.0),
        "east_m": np.where(far, 28.0, 24.0),
        "cmd_north_m": np.full(n, 10.0),
        "cmd_east_m": np.full(n, 20.0),
        "cmd_altitude_m": np.full(n, 3.0),
        "altitude_m": np.where(far, 3.5, 3.0),
        "cmd_speed_m_s": np.full(n, np.nan),
    }
    text = summarise(Log({**log.columns, **columns}, log.meta))
    assert numbers(text, "off its place") == pytest.approx([0.0, 5.0 + 5.0 * share, 10.0], abs=1e-3)
    assert numbers(text, "altitude") == pytest.approx([3.0, 3.0 + 0.5 * share, 0.5], abs=1e-3)
    speed = next(line for line in text.splitlines() if "speed, m/s" in line)
    assert speed.split()[2] == "-" and speed.split()[-1] == "-"
    blind = Log({**log.columns, **columns, "altitude_m": np.full(n, np.nan)}, log.meta)
    assert next(line for line in summarise(blind).splitlines() if "altitude" in line).split()[2:] == ["3.000", "-", "-"]


def test_an_event_cannot_write_to_the_terminal():
    log = synthetic_log(seconds=10.0)
    event = Event(0.5, "fault", "red \x1b[31m\nline")
    assert r"red \x1b[31m\nline" in summarise(Log(log.columns, log.meta, events=[event]))


def test_events_are_listed_and_long_lists_shortened():
    log = held(90.0, 90.0)
    events = [
        Event(1.0, "leg", "leg 0, hold, begins"),
        Event(2.0, "collision", "a and b collided at 2.4 m/s"),
        Event(3.0, "fault", "leak begins"),
        Event(4.0, "timeout", "leg 0, hold, ran out of time"),
        Event(5.0, "mission_done", "the last leg is over"),
    ]
    text = summarise(Log(log.columns, log.meta, events=events))
    for event in events[1:]:
        assert f"  t = {event.time_s:.1f} s: {event.text}" in text.splitlines()
    assert "begins" not in text.replace("leak begins", "") and " more" not in text
    many = [Event(0.1 * k, "fault", f"fault number {k} begins") for k in range(30)]
    lines = summarise(Log(log.columns, log.meta, events=many)).splitlines()
    assert sum("fault number" in line for line in lines) == MOST_EVENTS - 1
    assert f"  and {30 - (MOST_EVENTS - 1)} more" in lines


def test_a_mean_heading_of_north_is_zero():
    log = held(360.0 - 1e-7, np.nan)
    line = next(line for line in summarise(log).splitlines() if "heading" in line)
    assert line.split()[3] == "0.000"


def test_an_empty_log_is_refused():
    with pytest.raises(LogError, match="the log is empty"):
        summarise(Log({"time_s": np.zeros(0)}))
