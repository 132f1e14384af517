"""Eigenvalues against closed forms, and their description in words."""

from itertools import pairwise
from math import inf, log, pi, sqrt

import numpy as np
from pytest import approx

from pelagos.vehicle.load.vehicle import load_vehicle, loads
from pelagos.vehicle.modes import Mode, free_states, linearise, modes, verdict
from pelagos.vehicle.plant import Plant

PENDULUM = """
name = "Ball"
class = "test body"
[water]
gravity_m_s2 = 10.0
[body]
mass_kg = 10.0
neutral = true
cg_m = [0.0, 0.0, 0.0]
cb_m = [0.0, 0.0, -0.1]
inertia_kg_m2 = [2.0, 3.0, 4.0]
[geometry]
length_m = 1.0
[hydro.coefficients]
X_u = -5.0
Y_v = -2.0
Z_w = -1.0
K_p = -0.5
N_r = -8.0
"""


def test_a_ball_with_a_keel_has_the_modes_of_its_textbook():
    vehicle = loads(PENDULUM)
    listed = {mode.motion: mode for mode in modes(Plant(vehicle))}
    # first-order decays m/d and I/d; roll: 2 s^2 + 0.5 s + 10 = 0 (k = 10 kg 10 m/s2 0.1 m); pitch undamped
    assert listed["surge"].time_constant_s == approx(2.0, rel=1e-6)
    assert listed["sway"].time_constant_s == approx(5.0, rel=1e-6)
    assert listed["yaw"].time_constant_s == approx(0.5, rel=1e-6)
    assert listed["roll"].eigenvalue == approx(complex(-0.125, sqrt(5.0 - 0.125**2)), rel=1e-6)
    assert listed["pitch"].period_s == approx(2.0 * pi * sqrt(0.3), rel=1e-6)
    assert listed["roll"].damping_ratio == approx(0.125 / sqrt(5.0), rel=1e-6)


def test_iver3_is_unstable_as_its_table_says():
    plant = Plant(load_vehicle("iver3"))
    plant.place(nu=[1.3, 0, 0, 0, 0, 0])
    values = np.linalg.eigvals(linearise(plant, ("v", "r")))
    assert sorted(values.real) == approx([-0.46936, 0.46936], abs=2e-5)  # digits of the closed form


def test_linearising_leaves_the_plant_where_it_was():
    plant = Plant(load_vehicle("lauv"))
    plant.place(nu=[1.0, 0.1, 0, 0, 0.02, 0], euler=(0.1, -0.2, 1.0))
    before = plant.acceleration()
    linearise(plant)
    assert plant.acceleration() == approx(before, abs=1e-14)


def test_held_motions_are_no_states():
    assert free_states((True, True, False, False, False, True)) == ("u", "v", "r")
    assert free_states((False, False, True, False, True, False)) == ("w", "q", "theta")
    assert linearise(Plant(load_vehicle("dsrv"))).shape == (3, 3)


def test_words():
    assert Mode(0.46 + 0j, "sway-yaw").words == "sway-yaw: unstable, doubles in 1.5 s; needs its autopilot"
    assert Mode(-0.5 + 0j, "surge").words == "surge: stable, time constant 2 s"
    assert Mode(complex(0.0, 2.0 * pi), "roll").words == "roll: swings with a period of 1 s, undamped if small"
    assert "damping ratio 0.5" in Mode(complex(-0.5, sqrt(0.75)), "pitch").words
    assert Mode(0j, "yaw").words == "yaw: neutral"
    grows = Mode(complex(0.1, 1.0), "pitch")
    assert grows.unstable
    assert grows.doubling_s == approx(10.0 * log(2.0))
    assert "doubles in 6.9 s, swings with a period of 6.28 s" in grows.words
    assert Mode(0j, "yaw").doubling_s == inf


def test_the_verdict_gathers_what_is_quiet():
    listed = [Mode(0.5 + 0j, "sway-yaw"), Mode(-1 + 0j, "surge"), Mode(-2 + 0j, "heave"), Mode(0j, "yaw")]
    assert verdict(listed) == [
        "sway-yaw: unstable, doubles in 1.4 s; needs its autopilot",
        "stable with the time constants surge 1 s, heave 0.5 s",
        "yaw: neutral, no linear damping and no righting",
    ]


def test_the_least_stable_comes_first():
    plant = Plant(load_vehicle("lrauv_tethys"))
    plant.place(nu=[1.0, 0, 0, 0, 0, 0])
    listed = modes(plant)
    assert listed[0].motion == "sway-yaw"
    assert listed[0].eigenvalue.real == approx(0.16, abs=0.005)  # "about +0.16 1/s" in the file's flag
    assert all(a.eigenvalue.real >= b.eigenvalue.real for a, b in pairwise(listed) if not b.neutral)
