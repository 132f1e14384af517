"""Steady states: the solver, attitude at rest, level flight, glides."""

from dataclasses import replace

import numpy as np
import pytest
from pytest import approx

from pelagos.vehicle.load.vehicle import load_vehicle, loads
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.trim import STILL, glide, level, rest_attitude, righting_lever, solve, top_speed, working_speed

BODY = """
name = "Box"
class = "ROV"
[body]
mass_kg = 10.0
neutral = true
cg_m = {cg}
cb_m = [0.0, 0.0, -0.02]
inertia_kg_m2 = [1.0, 1.0, 1.0]
[geometry]
length_m = 1.0
[added_mass]
diagonal = [1.0, 1.0, 1.0, 0.1, 0.1, 0.1]
[hydro.coefficients]
"X_u|u|" = -10.0
"""


def test_newton_finds_the_root_and_says_what_is_left():
    x, left = solve(lambda x: np.array([x[0] ** 2 - 4.0, x[0] * x[1] - 6.0]), [1.0, 1.0], [1.0, 1.0])
    assert x == approx([2.0, 3.0], abs=1e-9)
    assert np.abs(left).max() < STILL
    _, left = solve(lambda x: np.array([x[0] ** 2 + 1.0]), [0.5], [1.0])  # no real root: the least value is 1
    assert abs(left[0]) >= 1.0


def test_newton_shares_between_equal_unknowns():
    x, _ = solve(lambda x: np.array([x.sum() - 4.0]), [0.0] * 4, [1.0] * 4)
    assert x == approx([1.0] * 4, abs=1e-9)  # the least answer of many


def test_at_rest_the_centre_of_mass_hangs_under_the_centre_of_buoyancy():
    vehicle = loads(BODY.format(cg=[0.01, 0.005, 0.03]))
    attitude = rest_attitude(vehicle)
    assert attitude is not None
    roll, pitch = attitude
    # closed form: the line from CB to CG, (0.01, 0.005, 0.05), points down
    assert roll == approx(np.arctan2(0.005, 0.05), abs=1e-12)
    assert pitch == approx(-np.arcsin(0.01 / np.linalg.norm([0.01, 0.005, 0.05])), abs=1e-12)
    plant = Plant(vehicle)
    plant.place(euler=(roll, pitch, 0.0))
    assert np.abs(plant.forces()["restoring"][3:]).max() < 1e-12 * 98.0  # rounding of a weight of 98 N


def test_a_top_heavy_vehicle_has_no_attitude_at_rest():
    assert rest_attitude(loads(BODY.format(cg=[0.0, 0.0, -0.05]))) is None


def test_the_righting_lever_counts_ballast():
    slocum = load_vehicle("slocum")
    # 70.1 kg whose centre lies 5 mm under the centre of buoyancy, by the note in the file
    assert righting_lever(slocum)[2] == approx(70.1 * 9.81 * 0.005, rel=2e-3)
    up = replace(slocum.ballast[1], position_b=(0.0, 0.0, -0.1))
    lighter = replace(slocum, ballast=(slocum.ballast[0], up))
    assert righting_lever(lighter)[2] - righting_lever(slocum)[2] == approx(-9.0 * 9.81 * 0.1, rel=1e-12)


def test_top_speed_is_where_thrust_meets_drag():
    # seagrant1: 1000 N against 150 u + 150 u^2, closed form 2.129956 m/s; 300 s leave no trace of the start
    assert top_speed(load_vehicle("seagrant1")) == approx(2.1299556, abs=1e-6)
    assert top_speed(load_vehicle("slocum")) == 0.0  # nothing pushes
    assert working_speed(load_vehicle("dsrv")) == 4.11  # held


@pytest.mark.parametrize(
    "name", ["lauv", "remus100", "npsauv", "gavia", "bluerov2_heavy", "kaxan", "seagrant1_pump", "dsrv"]
)
def test_level_flight_is_steady(name):
    vehicle = load_vehicle(name)
    trim = level(vehicle, working_speed(vehicle))
    assert trim.converged
    assert trim.beyond == ()
    plant = Plant(vehicle)
    trim.apply(plant)
    assert np.abs(plant.acceleration()).max() < 10.0 * STILL
    plant.advance(vehicle.step_s, 50)
    # one second later it is still there, unless it is unstable: roots reach 1/s, so errors grow e-fold at most
    assert plant.nu == approx(trim.nu, abs=1e-6)
    assert abs(plant.position_n[2]) < 1e-6


def test_a_speed_beyond_the_propeller_is_said():
    lauv = load_vehicle("lauv")
    trim = level(lauv, 1.5 * top_speed(lauv))
    assert trim.converged
    assert "% of full drive" in trim.beyond[0]


def test_a_rover_without_surfaces_stays_level_and_pushes():
    heavy = load_vehicle("bluerov2_heavy")
    trim = level(heavy, 0.5)
    # drag of the file: 13.7 u + 141 u^2; net weight 0.982 N carried by the vertical thrusters
    assert trim.thrust_n == approx(13.7 * 0.5 + 141.0 * 0.25, rel=1e-3)
    assert trim.external[2] == approx(-0.982, abs=2e-3)
    assert abs(trim.euler[1]) < 1e-3


def test_a_glide_balances_and_stays():
    slocum = load_vehicle("slocum")
    plant = Plant(slocum)
    plant.set_actuators(ballast=[slocum.ballast[0].minimum, 0.0], at_once=True)
    u, w, pitch, converged = glide(plant)
    assert converged
    assert pitch < 0.0 < u
    assert np.abs(plant.acceleration()).max() < STILL
    # path angle by lift and drag: tan(path) = -D/L with a = atan2(w, u), coefficients of the file
    a = np.arctan2(w, u)
    assert np.tan(pitch - a) == approx(-(0.15 + 10.5 * a * a) / (7.534 * a), rel=1e-6)
    plant.advance(0.02, 1000)
    assert plant.nu[[0, 2]] == approx([u, w], abs=1e-3)  # compression of the hull slows it by a little
