"""Thrusters: laws one by one, place and direction, torque, inflow, tunnel loss, tables, twin."""

from dataclasses import replace
from math import exp

import numpy as np
import pytest

from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Thruster
from tests.engine.probe import EVERY, TWIN, ball, differs_from_twin, still, term, vehicle

SCREW = Thruster("screw", (-1.0, 0.2, 0.1), (1.0, 0.0, 0.0), "rate", -100.0, 100.0, k_forward=0.01, k_reverse=0.007)
AHEAD = np.array([2.0, 0.0, 0.0, 0.0, 0.0, 0.0])


def wrench(thruster, state, nu=AHEAD):
    body = ball(thrusters=(thruster,))
    return term(body, "thrusters", still(body, nu=np.asarray(nu, float), thruster_states=np.array([state])))


@pytest.mark.parametrize("key", EVERY)
def test_equals_the_textbook(key):
    assert differs_from_twin(key, "thrusters") < TWIN


def test_pushes_along_its_axis_from_its_place():
    np.testing.assert_allclose(wrench(SCREW, 100.0), [100.0, 0, 0, 0, 0.1 * 100.0, -0.2 * 100.0], rtol=1e-14)
    leaning = replace(SCREW, direction_b=(0.0, 0.6, 0.8))
    force = 100.0 * np.array([0.0, 0.6, 0.8])
    np.testing.assert_allclose(wrench(leaning, 100.0), [*force, *np.cross(SCREW.position_b, force)], rtol=1e-14)


@pytest.mark.parametrize(
    ("changes", "state", "expected"),
    [
        ({}, 100.0, 100.0),
        ({}, -100.0, -70.0),  # asymmetric: weaker astern
        ({"linear": 0.5}, 100.0, 150.0),
        ({"inflow_forward": 0.1, "wake": 0.25}, 100.0, 100.0 - 0.1 * 100 * 1.5),
        ({"inflow_forward": 0.1, "inflow_reverse": 0.0}, -100.0, -70.0),
        ({"inflow_forward": 0.0, "inflow_reverse": 0.2}, -100.0, -70.0 - 0.2 * 100 * 2),
        ({"inflow_square": -2.0}, 100.0, 100.0 - 2.0 * 4.0),
        ({"inflow_square": -2.0}, 0.0, 0.0),  # a stopped propeller has no drag
        ({"tunnel_loss_s2_m2": 0.3}, 100.0, 100.0 * exp(-0.3 * 4.0)),
        ({"lag_on": "thrust"}, 42.0, 42.0),
        ({"inflow_square": -2.0}, 1.0, 0.0),  # J = 2 is past the 0.07 of no thrust: it idles
        ({"lag_on": "thrust", "inflow_square": -2.0}, 42.0, 42.0),  # no shaft speed, no inflow
        ({"inflow_forward": 0.1, "inflow_from": "speed"}, 100.0, 100.0 - 0.1 * 100 * 2.0),
    ],
)
def test_laws(changes, state, expected):
    assert wrench(replace(SCREW, **changes), state)[0] == pytest.approx(expected, rel=1e-14, abs=1e-14)


def test_inflow_of_a_turning_hull_and_of_the_hull_speed():
    nu = [1.0, 2.0, 2.0, 0.0, 0.5, 0.25]
    axial = wrench(replace(SCREW, inflow_forward=0.1), 100.0, nu)[0]
    assert axial == pytest.approx(100.0 - 0.1 * 100 * (1.0 + 0.5 * 0.1 - 0.25 * 0.2), rel=1e-14)
    whole = wrench(replace(SCREW, inflow_forward=0.1, inflow_from="speed", wake=0.5), 100.0, nu)[0]
    assert whole == pytest.approx(100.0 - 0.1 * 100 * 1.5, rel=1e-14)


def test_propeller_curve_in_advance_ratio():
    """K_T = 0.44 - 0.41 J of a propeller of 0.14 m at 13 rev/s in 1.5 m/s: rho n^2 D^4 K_T, zero at J = 0.44/0.41."""
    rho, d, n, turn = 1025.0, 0.14, 13.0, 2 * np.pi
    screw = replace(SCREW, k_forward=rho * d**4 * 0.44 / turn**2, inflow_forward=rho * d**3 * 0.41 / turn)
    j = 1.5 / (n * d)
    thrust = wrench(screw, n * turn, [1.5, 0, 0, 0, 0, 0])[0]
    assert thrust == pytest.approx(rho * n**2 * d**4 * (0.44 - 0.41 * j), rel=1e-12)
    windmill = n * d * 0.44 / 0.41
    assert wrench(screw, n * turn, [windmill, 0, 0, 0, 0, 0])[0] == pytest.approx(0.0, abs=1e-11)


def test_reaction_torque():
    """Q = q s|s| + h |s| u_a about the axis, h ahead only; a pusher on a tilted axis twists about it."""
    screw = replace(SCREW, position_b=(0, 0, 0), torque_forward=1e-3, torque_reverse=2e-3, torque_inflow=-0.01)
    assert wrench(screw, 100.0)[3] == pytest.approx(10.0 - 0.01 * 100 * 2, rel=1e-14)
    assert wrench(screw, -100.0)[3] == pytest.approx(-20.0, rel=1e-14)
    leaning = replace(screw, direction_b=(0.0, 0.6, 0.8), torque_inflow=0.0)
    np.testing.assert_allclose(wrench(leaning, 100.0)[3:], [0, 6.0, 8.0], rtol=1e-14)


def test_counter_rotating_pair_has_no_torque():
    left = replace(SCREW, position_b=(0, 0, 0), torque_forward=1e-3)
    pair = ball(thrusters=(left, replace(left, torque_forward=-1e-3)))
    force = term(pair, "thrusters", thruster_states=np.array([80.0, 80.0]))
    np.testing.assert_allclose(force, [2 * 64.0, 0, 0, 0, 0, 0], rtol=1e-14)


def test_t200_meets_every_point_of_its_table():
    """Maker's bollard figures exactly at the points, straight lines between, nothing in the dead zone."""
    rov = load_vehicle("bluerov2_heavy")
    thruster = replace(rov.thrusters[0], position_b=(0.0, 0.0, 0.0), direction_b=(1.0, 0.0, 0.0))
    plant = Plant(ball(thrusters=(thruster,), water=rov.water))
    assert len(thruster.table) > 10

    def thrust(drive):
        plant.set_actuators(thrusters=[drive], at_once=True)
        return plant.forces()["thrusters"][0]

    for drive, newton in thruster.table:
        # the table is kept as a line from each point on: exact at the point
        assert thrust(drive) == pytest.approx(newton, rel=1e-14, abs=1e-14)
    for (a, low), (b, high) in zip(thruster.table, thruster.table[1:], strict=False):
        assert thrust(0.5 * (a + b)) == pytest.approx(0.5 * (low + high), rel=1e-12, abs=1e-12)
    assert thrust(0.0) == 0.0
    assert thrust(1.0) > -thrust(-1.0) > 0.0


def test_commanded_newtons_do_not_depend_on_the_water_but_propellers_do():
    rate, newtons = SCREW, replace(SCREW, drive="force", k_forward=0.0, k_reverse=0.0, linear=1.0)
    for thruster, factor in ((rate, 1.1), (newtons, 1.0)):
        body = ball(thrusters=(thruster,))
        plants = [Plant(body), Plant(body, density_kg_m3=1.1 * body.water.density_kg_m3)]
        for plant in plants:
            plant.set_actuators(thrusters=[50.0], at_once=True)
        single, other = (plant.forces()["thrusters"][0] for plant in plants)
        assert other == pytest.approx(factor * single, rel=1e-14)


def test_phoenix_vertical_thrusters_push_down_and_pitch_by_their_arm():
    """Errata B44-B46: Z = +F, M = -x F; only this pair is one force at a place."""
    of = vehicle("phoenix")
    bow = [t.name for t in of.thrusters].index("bow_vertical")
    states = np.zeros(len(of.thrusters))
    states[bow] = 24.0
    computed = term(of, "thrusters", thruster_states=states)
    assert computed[2] > 0.0
    assert computed[4] == pytest.approx(-of.thrusters[bow].position_b[0] * computed[2], rel=1e-14)
