"""Checks of a vehicle's motion: actuation, damping, passivity, step size, trim, glide."""

from dataclasses import replace

import pytest

from pelagos.vehicle.check import behaviour
from pelagos.vehicle.load.vehicle import load_vehicle

ROV, LAUV = load_vehicle("bluerov2_heavy"), load_vehicle("lauv")


def texts(lines, level):
    return [text for line_level, text in lines if line_level == level]


def test_actuation_counts_the_motions_of_thrusters_and_surfaces():
    (ok,) = behaviour.actuation(ROV, 0.5)
    assert ok == ("ok", "thrusters: 8, rank 6; they push surge, sway, heave, roll, pitch, yaw")
    alone = behaviour.actuation(replace(ROV, thrusters=ROV.thrusters[:1]), 0.5)
    assert "rank 1" in alone[0][1] and "nothing pushes it in surge" in texts(alone, "note")[0]
    assert any(
        "surfaces at 1.5 m/s turn it in pitch, yaw" in text for text in texts(behaviour.actuation(LAUV, 1.5), "ok")
    )
    assert not any("surfaces" in text for text in texts(behaviour.actuation(LAUV, 0.0), "ok"))  # no way, no rudder


def test_a_motion_without_damping_is_named():
    assert behaviour.damping(LAUV, 1.5) == []
    bare = replace(LAUV, coefficients=tuple(c for c in LAUV.coefficients if c.axis != 3))
    assert behaviour.damping(bare, 1.5) == [("warn", "no damping in roll: the motion never dies away")]


def test_a_hull_that_feeds_energy_in_is_noticed():
    assert [level for level, _ in behaviour.passivity(LAUV, 1.5)] == ["ok", "ok"]
    driving = replace(LAUV, coefficients=tuple(replace(c, value=-c.value) for c in LAUV.coefficients))
    assert [level for level, _ in behaviour.passivity(driving, 1.5)] == ["warn", "warn"]


@pytest.mark.parametrize(("step_s", "level"), [(0.02, "ok"), (0.5, "warn")])
def test_the_step_is_held_against_the_fastest_rate(step_s, level):
    ((line_level, text),) = behaviour.step_size(replace(LAUV, step_s=step_s))
    assert line_level == level
    assert f"step {step_s:g} s" in text


def test_under_way_says_trim_and_modes():
    lines = behaviour.under_way(LAUV, 1.4)
    assert lines[0][0] == "ok" and lines[0][1].startswith("level flight at 1.4 m/s")
    assert ("ok", "half helm on any surface costs speed") in lines


def test_a_glider_is_looked_at_gliding_and_an_rov_is_not():
    assert any("steady glide" in text for _, text in behaviour.check_behaviour(load_vehicle("slocum")))
    assert not any("glide" in text for _, text in behaviour.check_behaviour(ROV))
