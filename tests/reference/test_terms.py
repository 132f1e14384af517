"""Each term of the twin against a hand calculation or a law it must obey."""

from dataclasses import replace
from math import exp, pi, sqrt

import numpy as np
import pytest

from pelagos.vehicle.spec import (
    Ballast,
    Body,
    Coefficient,
    ControlSurface,
    Crossflow,
    Fade,
    Fin,
    LiftDrag,
    Race,
    ReferenceWater,
    Supply,
    Thruster,
    Vehicle,
)
from tests.reference import actuators, hull
from tests.reference.kinematics import rotation
from tests.reference.phoenix import FT, hand_built_phoenix
from tests.reference.textbook import Commands, Textbook

RHO, G = 1025.0, 9.81
AHEAD = np.array([2.0, 0.0, 0.0, 0.0, 0.0, 0.0])


def sphere(**parts) -> Vehicle:
    """A neutral 100 kg ball with its CG 2 cm low."""
    body = Body(100.0, 100.0 / RHO, (0.0, 0.0, 0.02), (0.0, 0.0, 0.0), np.diag([4.0, 4.0, 4.0]))
    ball = Vehicle(
        "ball", "ball", "test", "", ReferenceWater(RHO, G), body, 1.0, np.diag([50.0] * 3 + [0.0] * 3), "full"
    )
    return replace(ball, **parts)


# ---- hull -------------------------------------------------------------------------------------------------------


def test_restoring_forms_agree():
    rng = np.random.default_rng(7)
    for _ in range(50):
        cg, cb, (phi, theta, psi) = rng.normal(size=3), rng.normal(size=3), rng.uniform(-1.5, 1.5, 3)
        matrix = hull.restoring(900.0, cg, 880.0, cb, rotation(phi, theta, psi))
        printed = hull.restoring_written_out(900.0, cg, 880.0, cb, phi, theta)
        np.testing.assert_allclose(matrix, printed, atol=1e-11)  # rounding of differences of 900 N m


def test_compressed_hull_loses_buoyancy_with_depth_and_only_there():
    assert hull.buoyancy_of(1000.0, 10.0, 0.1, 5e-10, 200.0) == pytest.approx(1000.0 * (1 - 5e-10 * 2e6), rel=1e-15)
    assert hull.buoyancy_of(1000.0, 10.0, 0.1, 5e-10, -1.0) == 1000.0


def test_polynomial_multiplies_factor_by_factor():
    surfaces = (ControlSurface("rudder", "dr", 1.0),)
    terms = (
        Coefficient("Y_|u|v", 1, ("|u|", "v"), -3.0, -3.0),
        Coefficient("N_u|u|dr", 5, ("u", "|u|", "dr"), 2.0, 2.0),
        Coefficient("K_phi", 3, ("phi",), -7.0, -7.0),
        Coefficient("M_theta", 4, ("theta",), -5.0, -5.0),
    )
    twin = Textbook(sphere(surfaces=surfaces, coefficients=terms))
    wrench = twin.forces([-2.0, 0.5, 0, 0, 0, 0], (0.1, 0.2, 0), 0.0, [], [0.3], [])["coefficients"]
    np.testing.assert_allclose(wrench, [0, -3 * 2 * 0.5, 0, -0.7, -1.0, 2 * -4 * 0.3], rtol=1e-15)


def test_race_factor_is_zero_at_self_propulsion_and_loses_all_when_stopped():
    race = Race(0, 0.012, 0.1124)
    assert hull.race_factor(race, 100.0, 1.2) == pytest.approx(0.0, abs=1e-14)
    assert hull.race_factor(race, 0.0, 1.2) == -1.0
    assert hull.race_factor(race, 100.0, 0.0) == 0.0
    # eta = 2: (sqrt(4 ct + 1) - 1)/(sqrt(ct + 1) - 1) - 1
    expected = (sqrt(4 * 0.1124 + 1) - 1) / (sqrt(1.1124) - 1) - 1
    assert hull.race_factor(race, 200.0, 1.2) == pytest.approx(expected, rel=1e-13)


def test_fade_takes_the_speed_through_the_water_and_the_slip_the_ground():
    nu, nu_r = np.array([0.5, 0.3, 0.0, 0, 0, 0]), np.array([0.0, 0.3, 0.4, 0, 0, 0])
    assert hull.fade_factor(Fade(3.0), nu, nu_r) == pytest.approx(exp(-1.5), rel=1e-15)
    assert hull.fade_factor(Fade(3.0, True), nu, nu_r) == pytest.approx(exp(-3 * sqrt(0.59)), rel=1e-15)
    assert hull.fade_factor(Fade(3.0, True), -nu, nu_r) == 1.0


def test_phoenix_strips_have_their_published_areas():
    """Trapezoid on the 15 stations: side and plan area and the first and third moments, ft."""
    strips = hand_built_phoenix().crossflow
    x, weight = np.array(strips.x_m) / FT, np.array(strips.weight_m) / FT
    side, plan = np.array(strips.height_m) / FT * weight, np.array(strips.breadth_m) / FT * weight
    moments = [side.sum(), plan.sum(), side @ x, plan @ x, side @ abs(x) ** 3, plan @ abs(x) ** 3]
    expected = [5.281285, 9.598507, 0.962792, -1.545399, 48.32052, 112.63586]
    np.testing.assert_allclose(moments, expected, rtol=2e-6)  # quoted to six digits or more


def test_crossflow_of_one_strip():
    strip = Crossflow((2.0,), (0.5,), (0.4,), (1.5,), (1.1,), (0.9,))
    nu = np.array([0.0, 0.1, -0.3, 0.0, 0.1, 0.15])
    a, b = 0.1 + 2 * 0.15, -0.3 - 2 * 0.1
    each = 0.5 * RHO * 1.5 * (1.1 * 0.5 * a * a + 0.9 * 0.4 * b * b) / sqrt(a * a + b * b)
    np.testing.assert_allclose(
        hull.crossflow_drag(strip, RHO, nu), [0, -each * a, -each * b, 0, 2 * each * b, -2 * each * a], rtol=1e-14
    )
    apart = hull.crossflow_drag(replace(strip, flow="independent"), RHO, nu)
    assert apart[1] == pytest.approx(-0.5 * RHO * 1.5 * 1.1 * 0.5 * a * abs(a), rel=1e-14)
    assert apart[2] == pytest.approx(-0.5 * RHO * 1.5 * 0.9 * 0.4 * b * abs(b), rel=1e-14)
    guarded = hull.crossflow_drag(replace(strip, guard_m_s=0.1), RHO, nu)
    speed = sqrt(a * a + b * b)
    assert guarded[1] == pytest.approx(-each * a * speed / (speed + 0.1), rel=1e-14)


def test_crossflow_curve_scales_both_planes_and_jumps_where_two_points_meet():
    strip = Crossflow((0.0,), (1.0,), (1.0,), (1.0,), (1.0,), (1.0,), curve=((1.0, 2.0), (2.0, 4.0), (2.0, 1.0)))
    for speed, factor in ((0.5, 2.0), (1.5, 3.0), (1.999999, 3.999998), (2.0, 1.0), (9.0, 1.0)):
        force = hull.crossflow_drag(strip, RHO, np.array([0.0, speed, 0, 0, 0, 0]))
        assert force[1] == pytest.approx(-0.5 * RHO * factor * speed**2, rel=1e-12)


def test_lift_and_side_force_do_no_work():
    wing = LiftDrag(1.0, 130.0, 2.0, 45.0, 20.0)
    rng = np.random.default_rng(3)
    for velocity in rng.normal(size=(50, 3)):
        force = hull.lift_drag(wing, np.array([*velocity, 0, 0, 0]))[:3]
        alpha, speed = np.arctan2(velocity[2], velocity[0]), np.linalg.norm(velocity)
        assert force @ velocity == pytest.approx(-(2.0 + 45.0 * alpha**2) * speed**3, rel=1e-12)


def test_lift_points_up_for_positive_incidence_and_vanishes_at_rest():
    wing = LiftDrag(lift_a=100.0, pitch_a=-10.0, yaw_r=-3.0)
    force = hull.lift_drag(wing, np.array([1.0, 0.0, 0.1, 0, 0, 0.2]))
    assert force[2] == pytest.approx(-100.0 * np.arctan(0.1) * 1.01 / sqrt(1.01), rel=1e-13)
    assert force[4] == pytest.approx(-10.0 * np.arctan(0.1) * 1.01, rel=1e-13)
    assert force[5] == pytest.approx(-3.0 * 0.2 * 1.01, rel=1e-13)
    np.testing.assert_array_equal(hull.lift_drag(wing, np.zeros(6)), 0.0)


def test_without_sideslip_only_incidence_turns_the_axes():
    force = hull.lift_drag(LiftDrag(drag_0=2.0, side_b=9.0, sideslip=False), np.array([1.0, 0.5, 0.0, 0, 0, 0]))
    np.testing.assert_allclose(force, [-2.0 * 1.25, 0, 0, 0, 0, 0], atol=1e-15)


# ---- fins -------------------------------------------------------------------------------------------------------

STERN_PLANE = Fin("plane", 0, (-1.0, 0.0, 0.0), (0.0, 0.0, -1.0), 0.01, 3.0, stall_rad=0.4)


def fin_force(fin, nu, delta=0.0, shaft_rate=0.0, thrust=0.0):
    return actuators.fin_wrench(fin, RHO, np.array([delta]), np.asarray(nu, float), shaft_rate, thrust)


def test_fin_lift_ahead_and_astern():
    size = 0.5 * RHO * 0.01 * 4.0 * 3.0 * 0.1
    # the floor of 1e-9 m/s under the speed takes 5e-10 of the angle
    np.testing.assert_allclose(fin_force(STERN_PLANE, AHEAD, 0.1), [0, 0, -size, 0, -size, 0], rtol=1e-9)
    np.testing.assert_allclose(fin_force(STERN_PLANE, -AHEAD, 0.1), [0, 0, size, 0, size, 0], rtol=1e-9)


def test_fixed_fin_damps_pitch_both_ways():
    fixed = replace(STERN_PLANE, surface=-1)
    for u in (2.0, -2.0):
        nu = np.array([u, 0, 0, 0, 0.1, 0])
        lift = 4.0 * 3.0 * 0.05  # along the normal: u^2 C_L
        assert fin_force(fixed, nu)[4] == pytest.approx(-0.5 * RHO * 0.01 * lift, rel=1e-8)


def test_fin_stalls_and_never_lifts_backwards():
    fin = replace(STERN_PLANE, slope_after_stall_1_rad=-2.0)
    assert actuators.lift_coefficient(fin, 0.4) == pytest.approx(1.2)
    assert actuators.lift_coefficient(fin, -0.7) == pytest.approx(-0.6)
    assert actuators.lift_coefficient(fin, 1.5) == 0.0


def test_fin_drag_and_wash():
    fin = replace(STERN_PLANE, drag_0=0.01, drag_a=0.2, drag_aa=1.0, hull_flow=0.0, wash_thruster=0, wash_m=0.04)
    drag = fin_force(fin, np.zeros(6), 0.1, shaft_rate=50.0)[0]
    assert drag == pytest.approx(-0.5 * RHO * 0.01 * 4.0 * (0.01 + 0.02 + 0.01), rel=1e-8)
    momentum = replace(fin, wash_m=0.0, wash_momentum=0.1, hull_flow=1.0)
    lift = fin_force(momentum, AHEAD, 0.1, thrust=50.0)[2]
    assert lift == pytest.approx(-0.5 * RHO * 0.01 * (4.0 + 5.0) * 0.3, rel=1e-8)


# ---- thrusters, ballast, lags -----------------------------------------------------------------------------------

SCREW = Thruster("screw", (-1.0, 0.2, 0.1), (1.0, 0.0, 0.0), "rate", -100.0, 100.0, k_forward=0.01, k_reverse=0.007)


def test_thruster_pushes_along_its_axis_from_its_place():
    np.testing.assert_allclose(
        Textbook(sphere(thrusters=(SCREW,))).forces(np.zeros(6), (0, 0, 0), 0.0, [100.0], [], [])["thrusters"],
        [100.0, 0, 0, 0, 0.1 * 100.0, -0.2 * 100.0],
        rtol=1e-14,
    )


@pytest.mark.parametrize(
    ("changes", "state", "expected"),
    [
        ({}, -100.0, -70.0),
        ({"inflow_forward": 0.1, "wake": 0.25}, 100.0, 100.0 - 0.1 * 100 * 1.5),
        ({"inflow_forward": 0.1, "inflow_reverse": 0.0}, -100.0, -70.0),
        ({"inflow_square": -2.0}, 100.0, 100.0 - 2.0 * 4.0),
        ({"inflow_square": -2.0}, 0.0, 0.0),
        ({"tunnel_loss_s2_m2": 0.3}, 100.0, 100.0 * exp(-1.2)),
        ({"linear": 0.5}, 100.0, 150.0),
        ({"lag_on": "thrust"}, 42.0, 42.0),
    ],
)
def test_thrust_laws(changes, state, expected):
    thrust, _ = actuators.thrust_and_torque(replace(SCREW, **changes), state, AHEAD)
    assert thrust == pytest.approx(expected, rel=1e-14)


def test_torque_with_inflow_ahead_only():
    screw = replace(SCREW, torque_forward=1e-3, torque_reverse=2e-3, torque_inflow=-0.01)
    assert actuators.thrust_and_torque(screw, 100.0, AHEAD)[1] == pytest.approx(10.0 - 0.01 * 100 * 2, rel=1e-14)
    assert actuators.thrust_and_torque(screw, -100.0, AHEAD)[1] == pytest.approx(-20.0, rel=1e-14)


def test_inflow_of_a_turning_hull_and_of_the_hull_speed():
    nu = np.array([1.0, 2.0, 2.0, 0.0, 0.5, 0.25])
    assert actuators.inflow_speed(SCREW, nu) == pytest.approx(1.0 + 0.5 * 0.1 - 0.25 * 0.2)
    assert actuators.inflow_speed(replace(SCREW, inflow_from="speed", wake=0.5), nu) == pytest.approx(1.5)


def test_targets_dead_band_table_and_shared_supply():
    table = ((-1.0, -20.0), (0.0, 0.0), (1.0, 40.0))
    pump = replace(SCREW, minimum=-1, maximum=1, dead_low=-0.1, dead_high=0.1, table=table, lag_on="thrust", group=0)
    commands = [(0.05, 0.5), (1.0, -1.0), (9.0, 0.1)]
    targets = [actuators.thruster_targets((pump, pump), (Supply("pump", 30.0),), command) for command in commands]
    np.testing.assert_allclose(targets, [[0.0, 20.0], [20.0, -10.0], [40.0 * 30 / 44, 4.0 * 30 / 44]], rtol=1e-14)


def test_ballast_changes_mass_weight_and_balance():
    tank = Ballast("tank", "tank", "kg", 0, 5, 0, 0.1, mass_per_unit=1.0, position_b=(0.5, 0.0, 0.0))
    engine = Ballast("engine", "engine", "m3", -1e-3, 1e-3, 0, 1e-5, volume_per_unit=1.0, position_b=(0.4, 0, 0))
    shifter = Ballast("shifter", "shifter", "m", -0.1, 0.1, 0, 0.01, mass_kg=10.0, axis_b=(1.0, 0, 0))
    twin = Textbook(sphere(ballast=(tank, engine, shifter)))
    setting = np.array([2.0, 1e-3, 0.05])
    rigid = twin.mass_properties(setting)
    assert rigid.mass == pytest.approx(112.0)
    assert rigid.inertia_o[1, 1] == pytest.approx(4.0 + 2.0 * 0.25 + 10.0 * 0.05**2)
    force = twin.forces(np.zeros(6), (0, 0, 0), 0.0, [], [], setting)["restoring"]
    assert force[2] == pytest.approx((12.0 - RHO * 1e-3) * G)
    assert force[4] == pytest.approx(-(2.0 * 0.5 + 10.0 * 0.05 - RHO * 1e-3 * 0.4) * G)


def test_lag_is_exact_and_composes():
    assert actuators.lag(0.0, 1.0, 0.5, 0.5) == pytest.approx(1 - exp(-1), rel=1e-15)
    assert actuators.lag(0.0, 1.0, 0.01, 0.0) == 1.0
    whole = actuators.lag(0.0, 1.0, 0.9, 0.2, 2.0)
    parts = 0.0
    for _ in range(9):
        parts = actuators.lag(parts, 1.0, 0.1, 0.2, 2.0)
    assert parts == pytest.approx(whole, rel=1e-14)
    # 2/s until 0.4 away (0.3 s), then 0.4 exp(-0.6/0.2)
    assert whole == pytest.approx(1.0 - 0.4 * exp(-3.0), rel=1e-14)
    assert actuators.lag(0.0, -1.0, 0.25, 0.0, 2.0) == -0.5


def test_surge_with_a_lagged_thrust_follows_its_closed_form():
    """100 kg + 50 kg, thrust 10 (1 - exp(-t/tau)) N, no drag: u = 10/150 (t - tau (1 - exp(-t/tau)))."""
    pusher = replace(SCREW, position_b=(0, 0, 0.02), k_forward=10.0, maximum=1.0, lag_on="thrust", time_constant_s=0.5)
    vehicle = sphere(thrusters=(pusher,), free=(True, False, False, False, False, False))
    twin = Textbook(vehicle)
    end = twin.rk4(twin.start(), Commands(np.array([1.0]), np.zeros(0), np.zeros(0)), 0.05, 40)
    assert end.nu[0] == pytest.approx(10 / 150 * (2.0 - 0.5 * (1 - exp(-4))), rel=1e-6)  # RK4 on an exponential
    assert end.thrusters[0] == pytest.approx(10.0 * (1 - exp(-4)), rel=1e-13)


def test_pendulum_period_of_roll():
    """Small roll about O with sway held: 2 pi sqrt(I_x / (m g z_G))."""
    twin = Textbook(sphere(free=(False, False, False, True, False, False)))
    period = 2 * pi * sqrt(4.0 / (100.0 * G * 0.02))
    end = twin.rk4(twin.start(euler=(1e-3, 0, 0)), Commands(*[np.zeros(0)] * 3), period / 400, 100)
    assert end.euler[0] == pytest.approx(0.0, abs=1e-8)  # a quarter period; amplitude effect is 1e-3^3
    assert end.nu[3] == pytest.approx(-1e-3 * 2 * pi / period, rel=1e-6)
