"""C: the Phoenix (errata part 1, default set) against closed forms and stated figures, in ft, lbf and deg."""

from dataclasses import replace
from math import asin, degrees, hypot, pi, radians, sqrt, tanh

import numpy as np
import pytest

from pelagos.vehicle.plant import Plant
from tests.analytic.units import FT, LBF, RPM, WRENCH_LBF
from tests.engine.probe import put, still, term, vehicle

PHOENIX = vehicle("phoenix_published")
SCREWS = np.array([700.0 * RPM] * 2 + [0.0] * 4)
M11 = 14.58526
DRAG = 51.72081 * 7.78e-3  # lbf/(ft/s)^2


def only(*axes):
    """The Phoenix with all other degrees of freedom held."""
    return replace(PHOENIX, free=tuple(name in axes for name in "uvwpqr"))


def run(seconds, of=PHOENIX, thrusters=(), surfaces_deg=(), u=0.0, dt=0.02):
    plant = Plant(of)
    plant.place(nu=[u * FT, 0, 0, 0, 0, 0])
    plant.set_actuators(thrusters=thrusters, surfaces=np.radians(surfaces_deg))
    assert plant.advance(dt, round(seconds / dt)) == round(seconds / dt)
    return plant


def test_C1_terminal_speed():
    """Both screws at 700 rpm: 2.000 ft/s exactly; 1.609552 lbf, 0.804776 lbf a screw."""
    forces = put(Plant(PHOENIX), still(PHOENIX, nu=np.array([2 * FT, 0, 0, 0, 0, 0]), thruster_states=SCREWS)).forces()
    assert forces["thrusters"][0] / LBF == pytest.approx(1.609552, abs=5e-7)
    assert forces["coefficients"][0] == pytest.approx(-forces["thrusters"][0], rel=1e-12)
    screw_lbf = term(PHOENIX, "thrusters", thruster_states=SCREWS * [1, 0, 0, 0, 0, 0])[0] / LBF
    assert screw_lbf == pytest.approx(0.804776, abs=5e-7)
    assert run(400.0, thrusters=SCREWS, dt=0.05).nu[0] / FT == pytest.approx(2.0, abs=1e-9)


def test_C2_run_up():
    """u = 2 tanh(t/T), T = M11/(0.402388 * 2); pitch coupling changes u by less than 1e-4."""
    t_scale = M11 / (0.402388 * 2.0)
    assert t_scale == pytest.approx(18.12339, abs=2e-5)  # M11 is quoted to seven digits
    for t, quoted in ((10.0, 1.0036), (30.0, 1.8592), (60.0, 1.99468)):
        exact = 2.0 * tanh(t / t_scale)
        assert exact == pytest.approx(quoted, abs=1e-4)
        assert run(t, only("u"), SCREWS).nu[0] / FT == pytest.approx(exact, abs=1e-6)
        assert run(t, thrusters=SCREWS).nu[0] / FT == pytest.approx(exact, abs=1e-4)
    assert run(60.0, thrusters=SCREWS).position_n[0] / FT == pytest.approx(94.924, abs=5e-4)
    assert run(120.0, thrusters=SCREWS).position_n[0] / FT == pytest.approx(214.876, abs=5e-4)


def test_C3_coast_down():
    """u = u0/(1 + k u0 t/M11)."""
    exact = 2.0 / (1.0 + DRAG * 2.0 * 120.0 / M11)
    assert exact == pytest.approx(0.26242, abs=5e-6)
    assert run(120.0, only("u"), u=2.0).nu[0] / FT == pytest.approx(exact, abs=1e-6)
    assert run(120.0, u=2.0).nu[0] / FT == pytest.approx(0.26242, abs=1e-4)


def test_C4_reverse_is_stable():
    """-700 rpm: -2.000 ft/s, everything else dies out (with signed u it does not, errata B58)."""
    plant = run(600.0, thrusters=-SCREWS, dt=0.05)
    assert plant.nu[0] / FT == pytest.approx(-2.0, abs=1e-6)
    np.testing.assert_allclose(plant.nu[1:], 0.0, atol=1e-6)
    signed = run(600.0, vehicle("phoenix_printed"), -SCREWS, dt=0.05)
    assert abs(signed.nu[2]) / FT > 1.0


def test_C6_pure_heave():
    """+24 V on both vertical thrusters, pitch held: sqrt(4/(rho/2 * 0.6 * 9.598507)); free 0.84032 at 60 s."""
    volts = [0, 0, 24.0, 24.0, 0, 0]
    exact = sqrt(4.0 / (0.97 * 0.6 * 9.598507))
    assert exact == pytest.approx(0.846188, abs=5e-7)
    assert run(200.0, only("w"), volts).nu[2] / FT == pytest.approx(exact, abs=1e-6)
    assert run(60.0, thrusters=volts).nu[2] / FT == pytest.approx(0.84032, abs=5e-6)


def test_C7_pure_sway():
    """+24 V on both lateral thrusters, yaw held: sqrt(4/(rho/2 * 0.5 * 5.281285))."""
    exact = sqrt(4.0 / (0.97 * 0.5 * 5.281285))
    assert exact == pytest.approx(1.249653, abs=5e-7)
    assert run(200.0, only("v"), [0, 0, 0, 0, 24.0, 24.0]).nu[1] / FT == pytest.approx(exact, abs=1e-6)


def test_C8_spin():
    """7.68 = 110.35353 r^2 + 1.926032 r + 23.43545 r^2 with sway held 0; free 13.26 deg/s after a minute."""
    volts = [0, 0, 0, 0, 24.0, -24.0]
    square = 110.35353 + 23.43545
    exact = degrees((-1.926032 + sqrt(1.926032**2 + 4 * square * 7.68)) / (2 * square))
    assert exact == pytest.approx(13.32133, abs=5e-6)
    assert degrees(run(200.0, only("r"), volts).nu[5]) == pytest.approx(exact, abs=2e-6)
    assert degrees(run(60.0, thrusters=volts).nu[5]) == pytest.approx(13.26, abs=5e-3)
    terms = put(Plant(PHOENIX), still(PHOENIX, nu=np.array([0, 0, 0, 0, 0, 1.0]))).forces()
    assert terms["coefficients"][5] / WRENCH_LBF[5] == pytest.approx(-110.35353 - 1.926032, abs=1e-5)
    assert terms["crossflow"][5] / WRENCH_LBF[5] == pytest.approx(-23.43545, abs=1e-5)


def test_C10_restoring():
    """z_G W = 38.7875 ft lbf/rad; undamped periods of roll and pitch with and without coupling."""
    h = 1e-5
    slope = term(PHOENIX, "restoring", euler=np.array([h, 0.0, 0.0]))[3] / h / WRENCH_LBF[3]
    assert slope == pytest.approx(-38.7875, rel=1e-6)

    def periods(of):
        plant, stiffness = Plant(of), np.zeros((6, 6))
        for i in (0, 1):
            for sign in (1, -1):
                angles = np.zeros(3)
                angles[i] = sign * h
                stiffness[:, 3 + i] -= sign * put(plant, still(of, euler=angles)).acceleration() / (2 * h)
        squares = np.linalg.eigvals(stiffness).real
        return sorted(2 * pi / sqrt(s) for s in squares if s > 1e-6)

    # central difference of a sine at 1e-5 rad: 2e-11
    assert periods(PHOENIX) == pytest.approx([2.75868, 13.02970], abs=6e-6)
    assert periods(only("p")) == pytest.approx([2.76897], abs=6e-6)
    assert periods(only("q")) == pytest.approx([13.07094], abs=6e-6)


def test_C11_planes():
    """Bow -5, stern +5 deg: sin(theta) = M/(z_G W); the quoted 1.98039 ft/s and -2.65996 deg are those of 60 s."""
    now = still(PHOENIX, nu=np.array([2 * FT, 0, 0, 0, 0, 0]), fin_angles=np.radians([0, 0, -5.0, 5.0]))
    moment = put(Plant(PHOENIX), now).forces()["coefficients"][4] / WRENCH_LBF[4]
    assert degrees(asin(moment / 38.7875)) == pytest.approx(-2.7129, abs=5e-5)
    minute = run(60.0, thrusters=SCREWS, surfaces_deg=[0, 0, -5.0, 5.0], u=2.0)
    assert minute.nu[0] / FT == pytest.approx(1.98039, abs=5e-6)
    assert degrees(minute.euler[1]) == pytest.approx(-2.65996, abs=5e-6)
    steady = run(400.0, thrusters=SCREWS, surfaces_deg=[0, 0, -5.0, 5.0], u=2.0, dt=0.05)
    fin_drag = 51.72081 * 1.018e-2 * 2 * radians(5.0) ** 2
    speed = sqrt(1.609552 / (DRAG + fin_drag))
    assert steady.nu[0] / FT == pytest.approx(speed, abs=1e-6)
    pitch = degrees(asin(moment * (speed / 2.0) ** 2 / 38.7875))
    assert degrees(steady.euler[1]) == pytest.approx(pitch, abs=2e-6)


def test_C13_steady_turn():
    """Bow rudders +10, stern rudders -10 deg at 700 rpm."""
    plant = run(400.0, thrusters=SCREWS, surfaces_deg=[10.0, -10.0, 0, 0], u=2.0, dt=0.05)
    u, v, r = plant.nu[0], plant.nu[1], plant.nu[5]
    assert u / FT == pytest.approx(1.86100, abs=5e-6)
    assert degrees(r) == pytest.approx(3.31485, abs=5e-6)
    assert degrees(np.arctan2(-v, u)) == pytest.approx(4.14, abs=5e-3)
    assert hypot(u, v) / r / FT == pytest.approx(32.25, abs=5e-3)


def test_C14_fin_moments():
    """N at u = 2 ft/s and 1 rad: rho/2 L^3 u^2 0.0118 (0.283, -0.377); signs of Table 6.1 for rudders and planes."""
    wrenches = []
    for i in range(4):
        angles = np.zeros(4)
        angles[i] = 1.0
        now = still(PHOENIX, nu=np.array([2 * FT, 0, 0, 0, 0, 0]), fin_angles=angles)
        wrenches.append(put(Plant(PHOENIX), now).forces()["coefficients"] / WRENCH_LBF)
    base = 377.66965 * 4 * 0.0118
    assert wrenches[0][5] == pytest.approx(base * 0.283, rel=1e-7)
    assert wrenches[1][5] == pytest.approx(-base * 0.377, rel=1e-7)
    assert wrenches[2][4] > 0.0  # positive bow planes: nose up
    assert wrenches[2][2] < 0.0
    assert wrenches[3][4] < 0.0  # positive stern planes: nose down


def test_C15_crossflow_geometry():
    """Trapezoid on 15 stations: areas, first and third moments, box volume."""
    strips = PHOENIX.crossflow
    x, dx = np.array(strips.x_m) / FT, np.array(strips.weight_m) / FT
    height, breadth = np.array(strips.height_m) / FT, np.array(strips.breadth_m) / FT
    side, plan = height * dx, breadth * dx
    moments = [side.sum(), plan.sum(), side @ x, plan @ x, side @ np.abs(x) ** 3, plan @ np.abs(x) ** 3]
    np.testing.assert_allclose(moments, [5.281285, 9.598507, 0.962792, -1.545399, 48.32052, 112.63586], rtol=6e-7)
    assert (height * breadth * dx).sum() == pytest.approx(7.0603, abs=5e-5)
    displaced = PHOENIX.body.volume_m3 / FT**3
    assert displaced == pytest.approx(6.9692, abs=1e-4)


def test_C16_crossflow_at_rest_is_zero_without_a_warning():
    np.testing.assert_array_equal(term(PHOENIX, "crossflow"), 0.0)
