"""Twin and library file against runs of MSS npsauv.m with its three slips corrected (SI)."""

from functools import cache

import numpy as np
import pytest

from pelagos.vehicle.load.vehicle import load_vehicle
from tests.reference.kinematics import jacobian
from tests.reference.oracle import RATES, Table, matrix, relative_error
from tests.reference.textbook import Commands, Textbook

RPM = np.pi / 30.0
SYMBOLS = {"dr": "delta_r", "ds": "delta_s", "dbp": "delta_bp", "dbs": "delta_bs"}


@cache
def twin():
    return Textbook(load_vehicle("npsauv"))


def surfaces(table, prefix=""):
    """Columns of surface angles in the order of the vehicle file."""
    return table[[f"{prefix}{SYMBOLS[item.symbol]}" for item in twin().vehicle.surfaces]]


def test_mass_matrix():
    expected = matrix("npsauv", "mass_matrix.csv")
    np.testing.assert_allclose(twin().mass_matrix(), expected, rtol=1e-10, atol=1e-7)  # printed to 12 digits


def test_accelerations_and_kinematics():
    table = Table("npsauv", "rhs_samples__fixed.csv")
    nu, euler = table[("u", "v", "w", "p", "q", "r")], table[("phi", "theta", "psi")]
    shaft, angles = table["n_rpm"] * RPM, surfaces(table)
    rows = range(len(table))
    accelerations = np.array([twin().acceleration(nu[i], euler[i], 0.0, [shaft[i]], angles[i], []) for i in rows])
    # the program adds 1e-10 to u and to the denominator of the race factor, which is 2e-9 of that factor
    assert relative_error(accelerations, table[RATES]) < 1e-9
    moving = np.array([jacobian(euler[i]) @ nu[i] for i in rows])
    names = ("xdot", "ydot", "zdot", "phidot", "thetadot", "psidot")
    assert relative_error(moving, table[names]) < 1e-13
    assert len(table) == 40


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "surge", "start_rpm", "degrees"),
    [
        ("turn_rudder10_1500rpm", 1.884955592, 1500, {"dr": 10}),
        ("dive_stern5_1500rpm", 1.884955592, 1500, {"ds": 5}),
        ("runup_u0_0p01_1500rpm", 0.01, 0, {}),
    ],
)
def test_first_two_seconds(file, surge, start_rpm, degrees):
    """MSS ran RK4 at 0.01 s through the actuator lag; ours is exact, so they differ by RK4's error in the lag."""
    run = Table("npsauv", f"{file}__fixed.csv")
    command = np.radians([degrees.get(item.symbol, 0.0) for item in twin().vehicle.surfaces])
    start = twin().start([surge, 0, 0, 0, 0, 0])
    start.thrusters[0] = start_rpm * RPM
    state = twin().rk4(start, Commands(np.array([1500 * RPM]), command, np.zeros(0)), 0.01, 200)
    row = int(np.flatnonzero(np.isclose(run["t_s"], 2.0))[0])
    motion = np.concatenate([state.nu, state.position_n, state.euler])
    # one lag of 0.1 s in steps of 0.01 s: RK4 is off by (h/tau)^5/120 = 1e-7 of the transient per step
    np.testing.assert_allclose(motion, run.values[row, 1:13], rtol=2e-6, atol=2e-8)
