"""The ready scenarios, flown from their files to their ends: each does what its summary says."""

import math
from functools import cache

import numpy as np
import pytest
from pytest import approx

from pelagos.files.library import SCENARIOS
from pelagos.scenario.read import load_scenario
from pelagos.tether.spec import Status
from pelagos.world.load import load_world

pytestmark = pytest.mark.slow  # whichever test comes first waits for the fixture


@cache
def flown(name):
    return load_scenario(name).run()


def kinds(log):
    return [event.kind for event in log.events]


def off_deg(log, heading_deg):
    """How far the bow is from a heading, 0 to 180 deg."""
    return np.abs((log["heading_deg"] - heading_deg + 180.0) % 360.0 - 180.0)


def away_m(log, north_m, east_m):
    return np.hypot(log["north_m"] - north_m, log["east_m"] - east_m)


@pytest.mark.parametrize("name", sorted(set(SCENARIOS.names()) - {"first-dive", "gavia-notes"}))
def test_a_mission_is_flown_to_its_end(name):
    log = flown(name)
    assert kinds(log)[-1] == "mission_done"
    assert "timeout" not in kinds(log)
    assert log["contact_N"].max() == 0.0
    assert not np.any(np.isnan(log["north_m"]))


def test_the_first_dive():
    log = flown("first-dive")
    late = log.time_s > 50.0
    assert log["depth_m"][late] == approx(5.0, abs=0.1)  # m
    assert off_deg(log, 90.0)[late].max() < 1.0


@pytest.mark.parametrize("name", ["iver3-submerged", "iver3-surfacing"])
def test_the_lines_of_the_iver3_are_straight(name):
    log = flown(name)
    below = 5.0 if name == "iver3-submerged" else 1.2
    for k in range(4):
        on = log["leg"] == 2 * k
        along = log["north_m"][on] if k % 2 == 0 else 300.0 - log["north_m"][on]
        assert along[0] < 5.0 and along[-1] > 295.0  # m: the whole of it
        assert np.abs(log["east_m"][on] - 100.0 * k).max() < 2.0  # m, and so at the turn-in
        assert log["depth_m"][on][-1] == approx(below, abs=0.1)
        assert np.median(log["surge_m_s"][on]) == approx(1.3, abs=0.02)
    way = np.hypot(np.diff(log["north_m"]), np.diff(log["east_m"])).sum()
    # four lines and three half circles of 50 m; 2 %: the turns are a metre or two wide of theirs
    assert way == approx(4 * 300.0 + 3 * math.pi * 50.0, rel=0.02)


def test_the_iver3_turns_at_four_metres():
    log = flown("iver3-submerged")
    for leg in (1, 3, 5):
        assert log["depth_m"][log["leg"] == leg][-1] == approx(4.0, abs=0.1)  # m, before it dives again


def test_the_iver3_floats_as_published_and_gets_its_fixes():
    log = flown("iver3-surfacing")
    for leg in (1, 3, 5):
        turn = log["leg"] == leg
        up = turn & (log["depth_m"] < 0.2)
        assert up.sum() > 0.5 * turn.sum()
        # m: "approximately 0.13"; 0.02: at 1.3 m/s fins and trim move it by a centimetre or so
        assert np.median(log["depth_m"][up]) == approx(0.13, abs=0.02)
        # deg: "it will attempt to reach this depth by pitching upwards"; below, it flies nose down to stay there
        assert log["pitch_deg"][up].mean() > 0.0
        assert np.isfinite(log["gps_north_m"][up]).sum() > 20  # the antenna is dry
    assert np.median(log["pitch_deg"][log["depth_m"] > 1.0]) < -1.0
    assert log["depth_m"].min() > 0.0  # "does not cross the 0 meter boundary"
    under = log["depth_m"] > 1.0
    assert not np.any(np.isfinite(log["gps_north_m"][under]))


def test_phoenix_turns_on_the_spot():
    log = flown("phoenix-hover")
    assert away_m(log, 0.0, 0.0).max() < 0.5  # m
    for leg, heading in ((1, 90.0), (2, 180.0)):
        (hold,) = np.nonzero(log["leg"] == leg)
        assert off_deg(log, heading)[hold[len(hold) // 2 :]].max() < 3.0
    assert log["depth_m"][-1] == approx(4.0, abs=0.1)


def test_phoenix_comes_from_cruise_to_hover():
    log = flown("phoenix-cruise-to-hover")
    late = log.time_s > log.time_s[-1] - 30.0
    assert away_m(log, 45.0, 45.0)[late].max() < 0.5  # m
    assert off_deg(log, 0.0)[late].max() < 3.0
    assert np.abs(log["depth_m"][late] - 4.0).max() < 0.1
    cruise, hover = log["leg"] == 0, log["leg"] == 2
    assert np.median(log["surge_m_s"][cruise]) == approx(0.5, abs=0.1)
    rudders = [name for name in log.columns if name.startswith("surface_") and "rudder" in name]
    tunnels = [name for name in log.columns if name.startswith("thruster_") and "lateral" in name]
    assert max(np.abs(log[name][cruise]).max() for name in rudders) > 5.0  # deg: it steers with rudders
    assert all(np.abs(log[name][hover]).max() > 0.0 for name in tunnels)  # and turns by the tunnels


def test_the_rov_keeps_over_the_pipeline():
    log = flown("rov-pipeline")
    after = log.time_s > 30.0  # s: the current of 0.75 m/s sets it off at the start
    off = (log["north_m"] - log["east_m"]) / np.sqrt(2.0)  # m: square to a pipe to the north-east
    assert np.abs(off).max() < 1.0
    assert np.abs(off[after]).max() < 0.5  # m: half the width of the pipe
    assert np.abs(log["altitude_m"] - 2.5).max() < 0.1
    assert log["east_m"][-1] == approx(59.0, abs=0.5)
    assert off_deg(log, 45.0).max() < 5.0
    assert log["current_north_m_s"] == approx(0.75)


def test_the_rov_hovers_before_the_wellhead():
    log = flown("rov-hover-wellhead")
    hover = log["leg"] == 1
    assert log.time_s[hover][-1] - log.time_s[hover][0] == approx(120.0, abs=0.2)
    assert away_m(log, 35.0, -15.0)[hover].max() < 0.3  # m
    assert np.abs(log["altitude_m"][hover] - 2.5).max() < 0.1
    assert off_deg(log, 180.0)[hover].max() < 3.0


def test_the_rov_keeps_its_place_on_the_tether():
    log = flown("rov-tether-hover")
    off = away_m(log, 0.0, 0.0)
    assert 0.05 < off.max() < 0.5  # m: the current sets it off before the loops have learnt it
    assert off[log.time_s > 60.0].max() < 0.05  # m
    assert np.abs(log["depth_m"] - 20.0).max() < 0.1
    assert log["current_east_m_s"] == approx(0.3)
    assert 1.0 < log["tether_tension_N"].max() < 20.0  # N: it feels the tether


def test_gavia_sees_the_notes_bottom_with_the_notes_sonar():
    log, world = flown("gavia-notes"), load_world("gavia_bottom")
    heard = np.isfinite(log["sonar_range_m"]) & (log["sonar_range_m"] < 50.0)
    assert heard.sum() > 50 and log["altitude_m"].min() == approx(0.8, abs=0.3)  # m: over the mound
    beams = np.tan(np.radians([-5.0, -5.0 / 3.0, 5.0 / 3.0, 5.0]))  # the program's four, down
    for east, depth, ahead in zip(*(log[name][heard] for name in ("east_m", "depth_m", "sonar_range_m")), strict=True):
        there = float(world.bottom_m(0.0, east + ahead))  # counted from the vehicle, as there
        assert np.abs(depth + ahead * beams - there).min() < 0.3  # m: it met the bottom, on one of its lines


def test_gavia_follows_the_bottom():
    log = flown("gavia-terrain")
    off = np.abs(log["altitude_m"] / 10.0 - 1.0)
    assert np.mean(off < 0.3) > 0.85  # most of the run
    assert log["altitude_m"].min() > 0.7 * 10.0  # m: it comes no nearer than that, the mound included
    assert log["altitude_m"].mean() == approx(10.0, rel=0.1)
    bottom = log["depth_m"] + log["altitude_m"]
    assert np.ptp(bottom) > 10.0 and np.ptp(log["depth_m"]) > 0.8 * np.ptp(bottom)  # m: it goes up and down with it
    # m: what a climb of 5 deg at 2 m/s gives in a tick of 0.1 s, and a little for a speed that is not exactly held
    assert np.nanmax(np.abs(np.diff(log["cmd_depth_m"]))) < 1.1 * 0.2 * math.tan(math.radians(5.0))
    assert np.median(log["surge_m_s"]) == approx(2.0, abs=0.05)


def remus_lines(log):
    """For each line: its samples in the area, and how far along the line from the corner it thinks it is, m."""
    for k in range(15):
        line = log["target"] == 2 * k + 1  # 0 is the way to the first line, odd ones the lines
        along = log["est_north_m"] - 20.0 if k % 2 == 0 else 340.0 - log["est_north_m"]
        yield 25.0 * k, line & (log["north_m"] > 60.0) & (log["north_m"] < 300.0), along, log["north_m"][line]


def test_remus_covers_all_lines():
    log = flown("remus-lawnmower")
    for east, inside, along, north in remus_lines(log):
        assert north.min() < 30.0 + 12.0 and north.max() > 330.0 - 12.0  # m: all of it
        assert np.abs(log["east_m"][inside] - east).max() < 12.5  # m: beyond half a spacing a strip would be missed
        # Turned in: the law is a double root at 1 / (2 look-aheads of 12 m), of which 9 % is left after 4 x 24 m.
        settled = inside & (along > 96.0)
        assert np.abs(log["est_east_m"][settled] - east).max() < 2.0  # m: where it thinks it is
    assert np.abs(log["depth_m"] - 10.0).max() < 0.5


def test_remus_knows_how_far_off_it_is():
    log = flown("remus-lawnmower")
    off = away_m(log, log["est_north_m"], log["est_east_m"])
    assert np.all(off < 4.0 * np.hypot(log["est_north_sigma_m"], log["est_east_sigma_m"]))
    for east, inside, _, _ in remus_lines(log):
        assert np.abs(log["est_east_m"][inside] - east).max() < 2.0  # m: the turns do not grow wider
        # m: a few metres; it starts with an error of 1 m a side that nothing can mend
        assert np.abs(log["east_m"][inside] - east).max() < 5.0


def test_remus_crabs_along_its_line():
    log = flown("remus-trackline")
    flying = log["leg"] == 0
    # m: 10 m to port at first; the double root at 1 / (2 look-aheads of 12 m) has left 2 % of it after 150 m or 100 s
    assert np.abs(log["cross_track_m"][flying & (log.time_s > 100.0)]).max() < 0.2
    crab = math.degrees(math.asin(0.2 / 1.5))  # of the velocity triangle; the hull's own drift is not a tenth of it
    assert off_deg(log, 360.0 - crab)[flying][-1] < 0.1 * crab
    assert np.abs(log["depth_m"][log.time_s > 60.0] - 10.0).max() < 0.1


def test_the_tether_stays_whole_and_the_pile_untouched():
    log = flown("bluerov-tether-inspection")
    status = log["tether_status"].astype(int)
    assert not np.any(status & (Status.PARTED | Status.OVERLOAD | Status.NOT_CONVERGED | Status.SNAGGED))
    assert np.nanmax(np.abs(log["tether_wrap_deg"])) == 0.0  # deg: it is never round the pile
    assert away_m(log, 8.0, 0.0).min() > 0.75 + 0.5  # m: the radius of the pile and of the vehicle
    round_it = (log["leg"] >= 1) & (log["leg"] <= 3)
    bearing = np.degrees(np.arctan2(-log["east_m"], 8.0 - log["north_m"]))
    assert off_deg(log, bearing)[round_it].max() < 60.0  # deg: the pile is in the picture of a wide camera
    late = log.time_s > log.time_s[-1] - 30.0
    assert away_m(log, 10.0, -2.5)[late].max() < 0.3
    assert log["tether_ratio"][late] == approx(1.3, rel=0.02)


def test_the_glider_flies_three_yos():
    log = flown("glider-sawtooth")
    depth, t = log["depth_m"], log.time_s
    assert sum("yo" in event.text for event in log.events if event.kind == "turn") == 3
    assert 75.0 < depth.max() < 85.0 and depth.min() > 5.0  # m
    sink = np.gradient(depth, t)
    ahead = np.gradient(log["north_m"], t)
    steady = np.abs(sink) > 0.8 * np.median(np.abs(sink))
    path = np.degrees(np.arctan2(np.abs(sink[steady]), ahead[steady]))
    # Slocum gliders fly at paths of 20 to 40 deg and 0.2 to 0.5 m/s (Graver 2005; Webb et al. 2001)
    assert 20.0 < np.median(path) < 40.0
    assert 0.2 < np.median(np.hypot(sink, ahead)[steady]) < 0.5
    assert np.median(log["pitch_deg"][sink > 0.05]) < -10.0 and np.median(log["pitch_deg"][sink < -0.05]) > 10.0
