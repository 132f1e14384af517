"""Actuators from command to force: lags exact at any step, dead band, tables, shared supply, rates, ballast."""

from dataclasses import replace
from math import exp

import numpy as np
import pytest

from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Ballast, ControlSurface, Supply, Thruster
from tests.engine.probe import ball, vehicle
from tests.reference.actuators import lag, thruster_targets
from tests.reference.everything import everything

JET = Thruster("jet", (0, 0, 0), (1.0, 0, 0), "throttle", -1.0, 1.0, lag_on="thrust", time_constant_s=0.5, linear=10.0)


def follow(of, seconds, dt=0.05, **commands):
    """Actuators after a time under a held command."""
    plant = Plant(of)
    plant.set_actuators(**commands)
    assert plant.advance(dt, round(seconds / dt)) == round(seconds / dt)
    return plant.state["actuators"]


@pytest.mark.parametrize("dt", [0.01, 0.1, 0.5])
@pytest.mark.parametrize("lag_on", ["thrust", "drive"])
def test_first_order_lag_is_exact_at_any_step(dt, lag_on):
    """G3 and errata R16: P = P0 (1 - exp(-t / 0.5)), whether the thrust lags or the shaft."""
    computed = follow(ball(thrusters=(replace(JET, lag_on=lag_on),)), 1.5, dt, thrusters=[0.8])["thruster"][0]
    full = 8.0 if lag_on == "thrust" else 0.8
    assert computed == pytest.approx(full * (1 - exp(-3.0)), rel=1e-13)


def test_without_a_lag_the_actuator_is_there_at_once():
    quick = ball(thrusters=(replace(JET, time_constant_s=0.0),), surfaces=(ControlSurface("rudder", "dr", 0.4),))
    computed = follow(quick, 0.01, 0.01, thrusters=[0.8], surfaces=[0.3])
    assert computed["thruster"][0] == 8.0
    assert computed["surface"][0] == 0.3


@pytest.mark.parametrize(
    ("command", "expected"),
    [(0.0, 0.0), (0.09, 0.0), (0.1, 0.1), (0.5, 0.5), (-0.19, 0.0), (-0.2, -0.2), (-1.0, -1.0), (0.3, 0.3)],
)
def test_dead_band_is_open_and_may_be_lopsided(command, expected):
    """Nothing strictly between -0.2 and 0.1; at the edges and beyond the command itself, not less the band."""
    dull = replace(JET, time_constant_s=0.0, lag_on="drive", dead_low=-0.2, dead_high=0.1)
    assert follow(ball(thrusters=(dull,)), 0.1, thrusters=[command])["thruster"][0] == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [(-9.0, -30.0), (-1.0, -30.0), (-0.6, -15.0), (0.0, 0.0), (0.55, 22.5), (1.0, 45.0), (9.0, 45.0)],
)
def test_table_is_straight_between_points_and_constant_outside(command, expected):
    table = ((-1.0, -30.0), (-0.2, 0.0), (0.1, 0.0), (1.0, 45.0))
    jet = replace(JET, linear=0.0, time_constant_s=0.0, table=table)
    computed = follow(ball(thrusters=(jet,)), 0.1, thrusters=[command])["thruster"][0]
    assert computed == pytest.approx(expected, rel=1e-14, abs=1e-14)


@pytest.mark.parametrize(
    ("commands", "expected"),
    [
        ([0.5, 0.5, 1.0], [5.0, 5.0, 10.0]),  # 10 N of 12: untouched; the third is not on the pump
        ([1.0, 0.5, 1.0], [8.0, 4.0, 10.0]),  # 15 N asked: both times 12/15
        ([1.0, -1.0, 1.0], [6.0, -6.0, 10.0]),  # sizes add, not signs
        ([0.0, 0.0, 0.0], [0.0, 0.0, 0.0]),
    ],
)
def test_shared_supply(commands, expected):
    """Errata R19: thrusts that share a pump are scaled to its limit together."""
    pumped = replace(JET, time_constant_s=0.0, group=0)
    hydraulic = ball(thrusters=(pumped, pumped, replace(pumped, group=-1)), supplies=(Supply("pump", 12.0),))
    np.testing.assert_allclose(follow(hydraulic, 0.1, thrusters=commands)["thruster"][:3], expected, rtol=1e-14)


def test_sea_grant_pump_gives_the_stated_limit():
    """R19: 500 N each asked, 653 N in all delivered after the lag."""
    computed = follow(vehicle("seagrant1_pump"), 30.0, thrusters=[500.0, 500.0])["thruster"]
    assert computed[0] == computed[1]
    assert computed[0] + computed[1] == pytest.approx(653.0, rel=1e-12)


def test_servo_with_a_rate_limit():
    """1 rad/s binds at first; the lag alone afterwards. The one step in which the limit stops binding costs the
    curvature of one step: 0.01 s of a 0.1 s lag, some 1e-3 of the travel."""
    surface = ControlSurface("rudder", "dr", 0.5, time_constant_s=0.1, rate_rad_s=1.0)
    finned = ball(surfaces=(surface,))
    early = follow(finned, 0.2, 0.01, surfaces=[0.4])["surface"][0]
    assert early == pytest.approx(0.2, rel=1e-12)
    late = follow(finned, 0.6, 0.01, surfaces=[0.4])["surface"][0]
    assert late == pytest.approx(lag(0.0, 0.4, 0.6, 0.1, 1.0), abs=1e-3 * 0.4)
    pure = ball(surfaces=(replace(surface, time_constant_s=0.0),))
    assert follow(pure, 0.25, 0.05, surfaces=[-0.4])["surface"][0] == pytest.approx(-0.25, rel=1e-12)
    assert follow(pure, 1.0, 0.05, surfaces=[-0.4])["surface"][0] == pytest.approx(-0.4, rel=1e-12)


def test_ballast_moves_at_its_rate_and_stops_at_the_command():
    tank = Ballast("tank", "tank", "kg", 0.0, 3.0, 1.0, 0.1, mass_per_unit=1.0)
    wet = ball(ballast=(tank,))
    assert follow(wet, 5.0, ballast=[2.0])["ballast"][0] == pytest.approx(1.5, rel=1e-12)
    assert follow(wet, 15.0, ballast=[2.0])["ballast"][0] == pytest.approx(2.0, rel=1e-12)
    assert follow(wet, 5.0, ballast=[0.0])["ballast"][0] == pytest.approx(0.5, rel=1e-12)


def test_all_at_once_equals_the_textbook_targets():
    """Every kind of thruster, random commands within limits: dead band, curve, table, supply."""
    of = everything()
    plant, rng = Plant(of), np.random.default_rng(14)
    for _ in range(50):
        commands = [rng.uniform(t.minimum, t.maximum) for t in of.thrusters]
        plant.set_actuators(thrusters=commands, at_once=True)
        expected = thruster_targets(of.thrusters, of.supplies, commands)
        np.testing.assert_allclose(plant.state["actuators"]["thruster"][:4], expected, rtol=1e-12, atol=1e-13)


def test_the_lag_is_seen_inside_a_step():
    """Thrust 10 (1 - exp(-t / 0.5)) N on 150 kg, one long step: RK4 sees the thrust at start, middle and end."""
    pushed = ball(thrusters=(JET,), free=(True, False, False, False, False, False))
    plant = Plant(pushed)
    plant.set_actuators(thrusters=[1.0])
    plant.advance(0.1, 1)
    t, tau = 0.1, 0.5
    exact = 10.0 / 150.0 * (t - tau * (1 - exp(-t / tau)))
    simpson = 10.0 / 150.0 * t * (4 * (1 - exp(-t / 2 / tau)) + (1 - exp(-t / tau))) / 6
    assert plant.nu[0] == pytest.approx(simpson, rel=1e-12)  # a pure integral by RK4 is Simpson's rule
    assert plant.nu[0] == pytest.approx(exact, rel=1e-4)
