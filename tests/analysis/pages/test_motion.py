"""The pages of motion draw the columns of the log, depth downwards, with units."""

import numpy as np
import pytest

from pelagos.analysis.page import styled
from pelagos.analysis.pages.motion import (
    distance_over_ground_m,
    draw_attitude,
    draw_depth,
    draw_guidance,
    draw_speed,
    velocity_through_water,
)
from pelagos.frames import rotation_from_euler
from pelagos.messages import Event
from pelagos.sim.log.log import Log
from tests.analysis.measured import measured_log

pytest.importorskip("matplotlib")


@pytest.fixture(autouse=True)
def our_look():
    with styled():
        yield


def named(figure):
    return {ax.get_title(loc="left"): ax for ax in figure.axes}


def lines(ax):
    return {line.get_label(): np.asarray(line.get_ydata()) for line in ax.lines}


def test_the_section_draws_the_bottom_under_the_way():
    log = measured_log()
    ax = named(draw_depth(log, "x.png"))["section along the track [m]"]
    drawn = lines(ax)
    np.testing.assert_array_equal(drawn["vehicle"], log["depth_m"])
    np.testing.assert_array_equal(drawn["bottom"], log["depth_m"] + log["altitude_m"])
    np.testing.assert_allclose(drawn["surface"], 0.0, atol=1e-12)  # depth minus itself
    np.testing.assert_array_equal(ax.lines[0].get_xdata(), distance_over_ground_m(log))
    assert ax.get_ylim()[0] > 13.0 > 0.0 > ax.get_ylim()[1]  # the bottom at 12 +- 1 m is below, the surface above
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("way over ground [m]", "depth [m]")


def test_a_vehicle_that_stays_gets_a_section_over_time_and_the_depth_of_a_deep_bottom():
    log = measured_log()
    for name in ("north_m", "east_m"):
        log.columns[name] = np.zeros(len(log))
    log.columns["altitude_m"] = np.full(len(log), 400.0)
    ax = named(draw_depth(log, "x.png"))["section over time [m]"]
    assert "bottom" not in lines(ax)
    assert not ax.texts and "or deeper: not drawn" in ax.get_xlabel()  # beside the data, not on it
    np.testing.assert_array_equal(ax.lines[0].get_xdata(), log.time_s)


def test_depth_and_altitude_lie_beside_their_setpoints():
    log = measured_log()
    log.columns["cmd_altitude_m"] = np.full(len(log), 15.0)
    drawn = named(draw_depth(log, "x.png"))
    assert drawn["depth [m]"].get_ylim()[0] > drawn["depth [m]"].get_ylim()[1]
    np.testing.assert_array_equal(lines(drawn["depth [m]"])["setpoint"], log["cmd_depth_m"])
    np.testing.assert_array_equal(lines(drawn["altitude over the bottom [m]"])["setpoint"], log["cmd_altitude_m"])


def test_the_way_is_the_sum_of_the_steps():
    log = Log({"time_s": np.arange(3.0), "north_m": np.array([0.0, 3.0, 3.0]), "east_m": np.array([0.0, 4.0, 5.0])})
    np.testing.assert_allclose(distance_over_ground_m(log), [0.0, 5.0, 6.0])


def test_attitude_is_drawn_without_jumps():
    log = measured_log()
    drawn = named(draw_attitude(log, "x.png"))
    heading = lines(drawn["heading, clockwise from north [deg]"])
    first, setpoint = next(iter(heading.values())), heading["setpoint"]
    assert np.abs(np.diff(first)).max() < 90.0  # the log jumps by 360 at north
    np.testing.assert_allclose(np.mod(first, 360.0), np.mod(log["heading_deg"], 360.0), atol=1e-9)
    np.testing.assert_allclose(np.mod(setpoint, 360.0), 90.0, atol=1e-9)
    assert np.abs(setpoint - first).max() <= 180.0
    assert {"roll", "pitch"} <= set(lines(drawn["roll (starboard down) and pitch (nose up) [deg]"]))


def test_speed_through_the_water_agrees_with_rotation_matrices():
    log = measured_log()
    log.columns["roll_deg"] = np.linspace(-50.0, 50.0, len(log))
    log.columns["pitch_deg"] = np.linspace(40.0, -60.0, len(log))
    log.columns["current_down_m_s"] = np.full(len(log), 0.1)
    velocity = velocity_through_water(log)
    for k in (0, 123, 400):
        angles = np.radians([log[name][k] for name in ("roll_deg", "pitch_deg", "heading_deg")])
        flow = np.array([log[f"current_{axis}_m_s"][k] for axis in ("north", "east", "down")])
        body = np.array([log[f"{axis}_m_s"][k] for axis in ("surge", "sway", "heave")])
        np.testing.assert_allclose(velocity[k], body - rotation_from_euler(*angles).T @ flow, atol=1e-12)  # rounding


def test_speeds_are_drawn_over_ground_and_through_water():
    log = measured_log()
    drawn = named(draw_speed(log, "x.png"))
    np.testing.assert_array_equal(lines(drawn["over ground, body axes [m/s]"])["sway"], log["sway_m_s"])
    np.testing.assert_array_equal(
        lines(drawn["through the water, body axes [m/s]"])["surge"], velocity_through_water(log)[:, 0]
    )
    still = Log({name: column for name, column in log.columns.items() if not name.startswith("current_")})
    assert set(named(draw_speed(still, "x.png"))) == {"speed [m/s]", "over ground, body axes [m/s]"}


def test_guidance_shows_how_far_off_the_track_and_the_goal():
    log = measured_log()
    drawn = named(draw_guidance(log, "x.png"))
    assert set(drawn) == {
        "off the track, to starboard [m]",
        "distance to the goal [m]",
        "number of the leg and its target",
    }
    away = lines(drawn["distance to the goal [m]"])
    expected = np.hypot(log["goal_north_m"] - log["north_m"], log["goal_east_m"] - log["east_m"])
    np.testing.assert_array_equal(next(iter(away.values())), expected)


def test_after_the_last_leg_no_number_is_drawn():
    log = measured_log(30.0)
    log.columns["leg"] = np.where(log.time_s < 10.0, 0.0, np.where(log.time_s < 25.0, 1.0, 2.0))  # two legs
    log.events.append(Event(25.0, "mission_done", "the last leg is over"))
    drawn = lines(named(draw_guidance(log, "x.png"))["number of the leg and its target"])["leg"]
    assert np.nanmax(drawn) == 1.0
    np.testing.assert_array_equal(np.isnan(drawn), log.time_s >= 25.0)
