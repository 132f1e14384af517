"""Lift of fins and hulls: limits of the slope, signs, arms, and loss of energy."""

import math

import numpy as np
import pytest

from pelagos.errors import PelagosError
from pelagos.vehicle.derive import lift
from pelagos.vehicle.derive.hull import lamb_factors


def test_fin_lift_slope_limits_and_published_value():
    assert lift.fin_lift_slope(2.21, rule="hoerner") == pytest.approx(3.12, abs=0.005)  # Prestero 2001, printed
    assert lift.fin_lift_slope(1e6) == pytest.approx(0.9 * 2 * math.pi, rel=1e-5)  # a section with 90 % of theory
    # Whicker and Fehlner tend to 0.9 2 pi a/3.8 = 1.49 a for tiny fins, near the slender wing's pi a/2.
    assert lift.fin_lift_slope(1e-6) / 1e-6 == pytest.approx(0.9 * 2 * math.pi / 3.8, rel=1e-5)
    assert lift.fin_lift_slope(2.0, sweep_rad=0.6) < lift.fin_lift_slope(2.0)
    with pytest.raises(PelagosError, match='fin: rule = "lamb": expected one of whicker-fehlner, hoerner'):
        lift.fin_lift_slope(1.0, rule="lamb")


def test_fin_signs_and_arms():
    rudder, how = lift.fin_coefficients("rudder", area_m2=0.02, lift_slope_1_rad=3.0, x_m=-0.8, density_kg_m3=1000.0)
    assert rudder == pytest.approx(
        {"Y_uudr": 30.0, "N_uudr": -24.0, "Y_uv": -30.0, "N_uv": 24.0, "Y_ur": 24.0, "N_ur": -19.2}
    )
    planes, _ = lift.fin_coefficients(
        "planes", area_m2=0.02, lift_slope_1_rad=3.0, x_m=-0.8, density_kg_m3=1000.0, arm_m=0.1, efficiency=0.5
    )
    assert planes == pytest.approx(
        {"Z_uuds": -15.0, "M_uuds": -12.0, "Z_uw": -15.0, "M_uw": -12.0, "Z_uq": -12.0, "M_uq": -9.6, "K_up": -0.15}
    )
    assert "x = -0.8 m" in how
    with pytest.raises(PelagosError, match='plane = "elevator": expected one of rudder, planes'):
        lift.fin_coefficients("elevator", area_m2=1.0, lift_slope_1_rad=1.0, x_m=0.0, density_kg_m3=1.0)


def test_tail_fins_take_energy_out():
    """Y v + N r <= 0 for every v, r when undeflected: the force is -F (v + x r) at x."""
    pair, _ = lift.fin_coefficients("rudder", area_m2=0.02, lift_slope_1_rad=3.0, x_m=-0.8, density_kg_m3=1000.0)
    power = np.array([[pair["Y_uv"], pair["Y_ur"]], [pair["N_uv"], pair["N_ur"]]])
    assert np.max(np.linalg.eigvalsh(0.5 * (power + power.T))) <= 1e-12


def test_body_lift_of_a_blunt_cylinder_leaves_at_the_base():
    hull, _ = lift.body_lift(4.0, 0.4, 1000.0, stations=[(-2.0, 0.4, 0.4), (2.0, 0.4, 0.4)])
    k1, k2, _ = lamb_factors(2.0, 0.2)
    assert hull["Y_uv"] == pytest.approx(-1000.0 * (k2 - k1) * math.pi * 0.04, rel=1e-9)
    assert hull["N_uv"] == pytest.approx(-2.0 * hull["Y_uv"], rel=1e-9)
    with pytest.raises(PelagosError, match="needs stations"):
        lift.body_lift(4.0, 0.4, 1000.0, rule="datcom")
