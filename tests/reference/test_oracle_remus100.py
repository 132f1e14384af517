"""Twin and library file against runs of MSS remus100.m, its published traits included (SI)."""

from functools import cache

import numpy as np
import pytest

from pelagos.vehicle.load.vehicle import load_vehicle
from tests.reference.oracle import RATES, Table, matrix, relative_error
from tests.reference.textbook import Commands, Textbook

RPM = np.pi / 30.0
SYMBOLS = {"dr": "delta_r", "ds": "delta_s"}


@cache
def twin():
    return Textbook(load_vehicle("remus100_mss"))


def test_mass_matrix():
    expected = matrix("remus100", "mass_matrix.csv")
    np.testing.assert_allclose(twin().mass_matrix(), expected, rtol=1e-10, atol=1e-9)  # printed to 12 digits


def test_accelerations():
    table = Table("remus100", "rhs_samples.csv")
    nu, euler, shaft = table[("u", "v", "w", "p", "q", "r")], table[("phi", "theta", "psi")], table["n_rpm"] * RPM
    angles = table[[SYMBOLS[item.symbol] for item in twin().vehicle.surfaces]]
    accelerations = np.array(
        [twin().acceleration(nu[i], euler[i], 0.0, [shaft[i]], angles[i], []) for i in range(len(table))]
    )
    assert len(table) == 40
    assert relative_error(accelerations, table[RATES]) < 1e-12  # printed to 15 digits


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "surge", "degrees"),
    [
        ("runup_rest_1525rpm", 0.0, {}),
        ("rudder10_1525rpm_u2", 2.0, {"dr": 10}),
        ("stern5_1525rpm_u2", 2.0, {"ds": 5}),
    ],
)
def test_first_two_seconds(file, surge, degrees):
    """MSS ran RK4 at 0.01 s without actuator lag: our lags are set aside by starting at the command."""
    run = Table("remus100", f"{file}__euler.csv")
    command = np.radians([degrees.get(item.symbol, 0.0) for item in twin().vehicle.surfaces])
    start = twin().start([surge, 0, 0, 0, 0, 0])
    start.thrusters[0] = 1525 * RPM
    start.surfaces[:] = command
    state = twin().rk4(start, Commands(np.array([1525 * RPM]), command, np.zeros(0)), 0.01, 200)
    row = int(np.flatnonzero(np.isclose(run["t_s"], 2.0))[0])
    motion = np.concatenate([state.nu, state.position_n, state.euler])
    np.testing.assert_allclose(motion, run.values[row, 1:13], rtol=1e-7, atol=1e-8)
