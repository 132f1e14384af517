"""Twin and library file against an independent port of Brutzman's equations (ft, lbf, slug)."""

from functools import cache

import numpy as np
import pytest

from pelagos.vehicle.load.vehicle import load_vehicle
from tests.reference.oracle import RATES, Table, matrix, relative_error
from tests.reference.phoenix import C_D0, FORCE_TO_LBF, FT, NU_FROM_FT, RPM, SLUG, hand_built_phoenix, prime
from tests.reference.textbook import Commands, Textbook

UNITS = np.array([1.0] * 3 + [FT] * 3)
VOLTS = ("V_bow_vertical", "V_stern_vertical", "V_bow_lateral", "V_stern_lateral")
# The port prints 12 digits; both sides compute in double precision.
PRINTED = 1e-10


@cache
def twin_of(source):
    return Textbook(hand_built_phoenix() if source == "by hand" else load_vehicle("phoenix_published"))


@pytest.fixture(params=["by hand", "library"])
def twin(request):
    return twin_of(request.param)


@cache
def samples():
    """Arguments of `forces` for each row: nu, euler, depth, thrusters, surfaces (drb, drs, dpb, dps), ballast."""
    table = Table("phoenix", "rhs_samples__corrected.csv")
    nu = table[("u", "v", "w", "p", "q", "r")] * NU_FROM_FT
    euler = table[("phi", "theta", "psi")]
    thrusters = np.hstack([table[("n_port_rpm", "n_stbd_rpm")] * RPM, table[VOLTS]])
    rudder, planes = table["delta_rudder"], table["delta_planes"]
    surfaces = np.column_stack([-rudder, rudder, -planes, planes])
    arguments = [(nu[i], euler[i], 0.0, thrusters[i], surfaces[i], np.zeros(0)) for i in range(len(table))]
    return table, arguments


def test_mass_matrix(twin):
    mass = twin.mass_matrix() / (SLUG * np.outer(UNITS, UNITS))
    np.testing.assert_allclose(mass, matrix("phoenix", "mass_matrix__corrected.csv"), rtol=PRINTED, atol=1e-9)


def test_components_one_by_one(twin):
    """The port counts the axial drag -rho/2 L^2 C_d0 u|u| among the actuators, as (6.43) does."""
    table, arguments = samples()
    parts = Table("phoenix", "rhs_components__corrected.csv")
    terms = [twin.forces(*row) for row in arguments]
    drag = np.zeros((len(arguments), 6))
    u = np.array([row[0][0] for row in arguments])
    drag[:, 0] = -prime(2) * C_D0 * u * np.abs(u)

    def stack(name):
        return np.array([term[name] for term in terms])

    ours = {
        "rigidbody": stack("rigid_body"),
        "hydro": stack("coefficients") - drag,
        "crossflow": stack("crossflow"),
        "hydrostatic": stack("restoring"),
        "actuator": stack("thrusters") + drag,
    }
    for name, forces in ours.items():
        expected = parts[[f"{name}_{axis}" for axis in "XYZKMN"]]
        assert relative_error(forces * FORCE_TO_LBF, expected) < PRINTED, name
    np.testing.assert_array_equal(stack("added_mass"), 0.0)
    assert len(table) == 60


def test_right_hand_side_and_accelerations(twin):
    table, arguments = samples()
    total = np.array([sum(twin.forces(*row).values()) for row in arguments]) * FORCE_TO_LBF
    names = ["surge_lb", "sway_lb", "heave_lb", "roll_ftlb", "pitch_ftlb", "yaw_ftlb"]
    assert relative_error(total, table[[f"rhs_{name}" for name in names]]) < PRINTED
    accelerations = np.array([twin.acceleration(*row) for row in arguments]) / NU_FROM_FT
    assert relative_error(accelerations, table[RATES]) < PRINTED


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "start_ft_s", "rpm", "volts", "degrees"),
    [
        ("turn_bow+10_stern-10_700rpm", 2.0, 700, (0, 0, 0, 0), (10, -10, 0, 0)),
        ("dive_bow-5_stern+5_700rpm", 2.0, 700, (0, 0, 0, 0), (0, 0, -5, 5)),
        ("hover_heave_+24V_+24V", 0.0, 0, (24, 24, 0, 0), (0, 0, 0, 0)),
        ("runup_700rpm", 0.0, 700, (0, 0, 0, 0), (0, 0, 0, 0)),
    ],
)
def test_first_two_seconds(file, start_ft_s, rpm, volts, degrees):
    """The port ran RK4 at 0.01 s and prints 10 digits; the same steps must give the same digits."""
    twin = twin_of("library")
    run = Table("phoenix", f"{file}__corrected.csv")
    commands = Commands(np.array([rpm * RPM, rpm * RPM, *volts], float), np.radians(degrees), np.zeros(0))
    state = twin.rk4(twin.start([start_ft_s * FT, 0, 0, 0, 0, 0]), commands, 0.01, 200)
    row = int(np.flatnonzero(np.isclose(run["t_s"], 2.0))[0])
    motion = np.concatenate([state.nu / NU_FROM_FT, state.position_n / FT, state.euler])
    np.testing.assert_allclose(motion, run.values[row, 1:], rtol=1e-8, atol=1e-10)
