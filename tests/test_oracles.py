"""Whole trajectories against independent programs: Phoenix, npsauv, remus100_mss, 60 s and more.

The reference files are described in tests/data/README.md. They are stored with ten digits; tolerances say what
integrator and storage allow.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant

DATA = Path(__file__).parent / "data"
FT = 0.3048
RPM = math.pi / 30.0
DEG = math.pi / 180.0
DT = 0.01  # the reference programs' step


def read(name: str) -> np.ndarray:
    """A CSV file with named columns."""
    return np.genfromtxt(DATA / name, delimiter=",", names=True)


def follow(plant: Plant, table: np.ndarray, length: float, unit: str, speed: str) -> float:
    """Advance to each row and return the largest difference, relative to the range of each column."""
    velocity = [f"{k}_{speed}" for k in "uvw"] + [f"{k}_radps" for k in "pqr"]
    names = [f"{k}_{unit}" for k in "xyz"] + velocity
    published = np.stack([table[name] for name in names], axis=1)
    scale = np.array([length] * 6 + [1.0] * 3)
    ours = np.empty_like(published)
    time = 0.0
    for i, row_time in enumerate(table["t_s"]):
        n = round((row_time - time) / DT)
        assert plant.advance(DT, n) == n
        time = row_time
        ours[i] = np.concatenate([plant.position_n, plant.nu]) / scale
    reach = np.maximum(np.abs(published).max(axis=0), 1e-3)
    return float((np.abs(ours - published) / reach).max())


PHOENIX = {
    "runup_700rpm": ([700 * RPM] * 2, [0.0] * 4, 0.0),
    "turn_bow+10_stern-10_700rpm": ([700 * RPM] * 2, [10 * DEG, -10 * DEG, 0.0, 0.0], 2.0),
    "dive_bow-5_stern+5_700rpm": ([700 * RPM] * 2, [0.0, 0.0, -5 * DEG, 5 * DEG], 2.0),
    "hover_heave_+24V_+24V": ([0.0, 0.0, 24.0, 24.0], [0.0] * 4, 0.0),
}


@pytest.mark.parametrize("run", PHOENIX)
def test_phoenix_trajectories(run: str) -> None:
    """1e-6 over 60 s: an independent port of (6.48)-(6.54) with the errata, RK4 at the same step."""
    thrusters, surfaces, u = PHOENIX[run]
    plant = Plant(load_vehicle("phoenix_published"))
    plant.place(nu=[u * FT, 0.0, 0.0, 0.0, 0.0, 0.0])
    plant.set_actuators(thrusters=thrusters, surfaces=surfaces)
    assert follow(plant, read(f"phoenix/{run}__corrected.csv"), FT, "ft", "fps") < 1e-6


NPSAUV = {
    "turn_rudder10_1500rpm": (1.884955592, 1500.0, [10 * DEG, 0.0, 0.0, 0.0]),
    "dive_stern5_1500rpm": (1.884955592, 1500.0, [0.0, 5 * DEG, 0.0, 0.0]),
    "runup_u0_0p01_1500rpm": (0.01, 0.0, [0.0] * 4),
}


@pytest.mark.parametrize("run", NPSAUV)
def test_npsauv_trajectories(run: str) -> None:
    """1e-6 (MSS npsauv with its three slips corrected). Its lag is integrated by RK4, ours is exact: 1e-8 apart."""
    u, rpm, surfaces = NPSAUV[run]
    plant = Plant(load_vehicle("npsauv"))
    plant.place(nu=[u, 0.0, 0.0, 0.0, 0.0, 0.0])
    plant.state["actuators"]["thruster"][0] = rpm * RPM
    plant.set_actuators(thrusters=[1500.0 * RPM], surfaces=surfaces)
    assert follow(plant, read(f"npsauv/{run}__fixed.csv"), 1.0, "m", "mps") < 1e-6


REMUS = {
    "runup_rest_1525rpm": (0.0, [0.0, 0.0]),
    "rudder10_1525rpm_u2": (2.0, [10 * DEG, 0.0]),
    "stern5_1525rpm_u2": (2.0, [0.0, 5 * DEG]),
}


@pytest.mark.parametrize("run", REMUS)
def test_remus100_mss_trajectories(run: str) -> None:
    """1e-6 (MSS remus100 at commit 736a3d1, with its published slips switched on in the vehicle file)."""
    u, surfaces = REMUS[run]
    plant = Plant(load_vehicle("remus100_mss"))
    plant.place(nu=[u, 0.0, 0.0, 0.0, 0.0, 0.0])
    plant.set_actuators(thrusters=[1525.0 * RPM], surfaces=surfaces)
    assert follow(plant, read(f"remus100/{run}__euler.csv"), 1.0, "m", "mps") < 1e-6


def test_remus100_mss_is_not_its_program_in_a_current_and_says_so() -> None:
    """MSS before 26 August 2026 straight ahead: thrust at Va = 0.944 U, U over ground, against drag of u_r^2."""
    rho, d, n, area = 1026.0, 0.14, 1525.0 / 60.0, np.pi * (1.0096 * 0.095) ** 2
    a = 0.5 * rho * 0.42 * area
    b = 0.9 * rho * d**3 * n * 0.944 * (0.4566 - 0.1798) / 0.6632
    most = 0.9 * rho * d**4 * 0.4566 * n * n

    def theirs(current: float) -> float:
        return float(max(np.roots([a, b, b * current - most])))

    def ours(current: float) -> float:
        plant = Plant(load_vehicle("remus100_mss"))
        plant.water["current"] = [current, 0.0, 0.0]
        plant.place(nu=[2.5 + current, 0.0, 0.0, 0.0, 0.0, 0.0])
        plant.set_actuators(thrusters=[1525.0 * RPM])
        plant.advance(0.01, 6000)
        return float(plant.nu[0]) - current

    assert ours(0.0) == pytest.approx(theirs(0.0), rel=1e-3)  # low-speed damping, left out on the right
    assert ours(0.5) == pytest.approx(ours(0.0), rel=2e-4)  # which fades with the speed over ground, a published slip
    (flag,) = (text for text in load_vehicle("remus100_mss").flags if "over ground" in text)
    assert f"{theirs(0.5):.2f} m/s through the water, this file at {ours(0.5):.2f}" in flag


def test_phoenix_right_hand_sides() -> None:
    """60 random states: accelerations to 1e-9 relative."""
    plant = Plant(load_vehicle("phoenix_published"))
    drives = ("V_bow_vertical", "V_stern_vertical", "V_bow_lateral", "V_stern_lateral")
    worst = 0.0
    for row in read("phoenix/rhs_samples__corrected.csv"):
        nu = [row[k] * FT for k in "uvw"] + [row[k] for k in "pqr"]
        plant.reset()
        plant.place(nu=nu, euler=(row["phi"], row["theta"], row["psi"]))
        rudder, planes = row["delta_rudder"], row["delta_planes"]
        screws = [row["n_port_rpm"] * RPM, row["n_stbd_rpm"] * RPM]
        plant.set_actuators(
            thrusters=[*screws, *(row[k] for k in drives)], surfaces=[-rudder, rudder, -planes, planes], at_once=True
        )
        ours = plant.acceleration() / np.array([FT] * 3 + [1.0] * 3)
        published = np.array([row[f"{k}dot"] for k in "uvwpqr"])
        worst = max(worst, float(np.abs(ours - published).max() / np.abs(published).max()))
    assert worst < 1e-9
