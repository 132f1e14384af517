"""Actuators in vehicle files: each law of thrust against its own equation, names that become indices."""

from math import pi, radians

import pytest

from pelagos.files import library
from pelagos.vehicle.load.vehicle import loads
from tests.vehicle.plain import PLAIN as BODY

PLAIN = (
    BODY
    + """[[thrusters]]
name = "screw"
position_m = [-1, 0, 0]
direction = [2, 0, 0]
"""
)
ULP = 1e-14  # a handful of roundings of a double


def thruster(text):
    return loads(PLAIN + text).thrusters[0]


def test_thrust_at_maximum():
    screw = thruster("maximum_rpm = 700\nthrust_at_maximum_lbf = 10\nreverse_thrust_at_minimum_lbf = 5\n")
    top = 700 * 2 * pi / 60
    assert screw.drive == "rate"
    assert (screw.minimum, screw.maximum) == pytest.approx((-top, top), rel=ULP)
    assert screw.k_forward * top**2 == pytest.approx(44.482216152605, rel=ULP)
    assert screw.k_reverse * top**2 == pytest.approx(22.2411080763025, rel=ULP)
    assert screw.direction_b == (1.0, 0.0, 0.0)


def test_voltage_with_dead_band():
    tunnel = thruster("maximum_V = 24\nk_lbf_V2 = {value = 0.003472, note = 'x'}\ndead_band_V = 1.5\n")
    assert (tunnel.drive, tunnel.dead_low, tunnel.dead_high) == ("voltage", -1.5, 1.5)
    assert tunnel.k_reverse == tunnel.k_forward == pytest.approx(0.003472 * 4.4482216152605, rel=ULP)


def test_force_drive_is_linear():
    jet = thruster("maximum_kgf = 2\nminimum_N = 0.0\n")
    assert (jet.drive, jet.linear, jet.k_forward, jet.minimum) == ("force", 1.0, 0.0, 0.0)
    assert jet.maximum == pytest.approx(19.6133, rel=ULP)


def test_table_limits_and_lag():
    screw = thruster('drive = "rate"\ntable = [[-60, -5], [0, 0], [60, 9]]\ntable_unit = "rpm"\n')
    assert screw.table[2] == pytest.approx((2 * pi, 9.0), rel=ULP)
    assert (screw.minimum, screw.maximum) == pytest.approx((-2 * pi, 2 * pi), rel=ULP)
    assert screw.lag_on == "thrust"


def test_propeller_curves_give_the_same_thrust_and_torque():
    """T and Q of the law in rad/s against KT and KQ in rev/s, at n = 20 rev/s, 1.5 m/s."""
    screw = thruster("""
        maximum_rpm = 1525
        [thrusters.propeller]
        diameter_m = 0.14
        kt0 = 0.4566
        kt1 = -0.4173
        kt2 = 0.05
        kq0 = 0.07
        kq1 = -0.0585
        thrust_deduction = 0.1
        wake = 0.056
        torque_scale = 0.1
        hand = -1
    """)
    n, u, d = 20.0, 1.5, 0.14
    s, j = 2 * pi * n, u / (n * d)
    thrust = screw.k_forward * s**2 - screw.inflow_forward * s * u + screw.inflow_square * u**2
    torque = screw.torque_forward * s**2 + screw.torque_inflow * s * u
    assert thrust == pytest.approx(0.9 * 1025 * n**2 * d**4 * (0.4566 - 0.4173 * j + 0.05 * j**2), rel=ULP)
    assert torque == pytest.approx(0.1 * 1025 * n**2 * d**5 * (0.07 - 0.0585 * j), rel=ULP)
    assert screw.wake == 0.056
    assert screw.inflow_reverse == screw.inflow_forward


def test_right_handed_propeller_rolls_the_hull_to_port():
    screw = thruster("maximum_rpm = 100\n[thrusters.propeller]\ndiameter_m = 0.1\nkt0 = 0.4\nkq0 = 0.05\n")
    assert screw.torque_forward < 0.0
    assert screw.torque_reverse == screw.torque_forward


def test_part_is_the_start_and_the_entry_overrides(tmp_path, monkeypatch):
    monkeypatch.setattr(library, "PARTS", library.Library(tmp_path, "part"))
    (tmp_path / "unit.toml").write_text(
        'summary = "a unit"\ndrive = "throttle"\nthrust_at_maximum_N = { value = 50, source = "MAKER" }\n'
        'time_constant_s = 0.1\n[sources.MAKER]\ncite = "data sheet"\n'
    )
    vehicle = loads(PLAIN + 'part = "unit"\ntime_constant_s = 0.2\nsource = "drawing no 7"\n')
    assert vehicle.thrusters[0].k_forward == 50.0
    assert vehicle.thrusters[0].time_constant_s == 0.2
    facts = {fact.path: fact.source for fact in vehicle.facts}
    assert facts["thrusters[0].thrust_at_maximum_N"] == "MAKER"
    assert facts["thrusters[0].time_constant_s"] == "drawing no 7"
    assert vehicle.sources[0].cite == "data sheet"
    whole = loads(PLAIN + 'part = "unit"\nk_N = 7.0\n')
    assert whole.thrusters[0].k_forward == 7.0  # replaces the thrust of the part


def test_names_become_indices():
    vehicle = loads(
        PLAIN
        + """
        maximum_N = 100
        supply = "pump"
        [[supplies]]
        name = "spare"
        limit_N = 1
        [[supplies]]
        name = "pump"
        limit_N = 653
        [[control_surfaces]]
        name = "planes"
        symbol = "ds"
        limit_deg = 20
        [[control_surfaces]]
        name = "rudder"
        symbol = "dr"
        limit_deg = 15
        rate_deg_s = 60
        [[fins]]
        name = "upper"
        surface = "rudder"
        position_m = [-0.9, 0, -0.1]
        normal = [0, 2, 0]
        area_cm2 = 66.5
        lift_slope_1_deg = 0.05
        stall_deg = 15
        wash_from = "screw"
        wash_m = 0.02
        [[fins]]
        name = "skeg"
        position_m = [-0.9, 0, 0.1]
        normal = [0, 1, 0]
        area_m2 = 0.01
        aspect_ratio = 2.0
        [race]
        thruster = "screw"
        advance_m = 0.012
        ct = 0.1124
        [hydro.coefficients]
        Z_uqn = -1.0
    """
    )
    assert vehicle.thrusters[0].group == 1
    upper, skeg = vehicle.fins
    assert (upper.surface, upper.wash_thruster, upper.normal_b) == (1, 0, (0.0, 1.0, 0.0))
    assert upper.area_m2 == pytest.approx(6.65e-3, rel=ULP)
    assert upper.lift_slope_1_rad == pytest.approx(0.05 * 180 / pi, rel=ULP)
    assert upper.stall_rad == pytest.approx(radians(15), rel=ULP)
    assert skeg.surface == -1
    assert 2.0 < skeg.lift_slope_1_rad < 2 * pi  # an estimate below that of an endless wing
    assert vehicle.surfaces[1].rate_rad_s == pytest.approx(radians(60), rel=ULP)
    assert vehicle.race.thruster == 0
    assert vehicle.coefficients[0].factors == ("|u|", "q", "n")


def test_ballast_of_each_kind():
    tank, engine, shifter = loads(
        PLAIN
        + """
        maximum_N = 1
        [[ballast]]
        name = "tank"
        kind = "tank"
        maximum_lb = 10
        position_m = [0.1, 0, 0]
        [[ballast]]
        name = "bladder"
        kind = "engine"
        minimum_cm3 = -250
        maximum_cm3 = 250
        initial_cm3 = 100
        rate_cm3_s = 12
        [[ballast]]
        name = "battery"
        kind = "shifter"
        minimum_mm = -50
        maximum_mm = 50
        mass_kg = 9
        axis = [0, 0, 3]
    """
    ).ballast
    assert (tank.unit, tank.mass_per_unit, tank.volume_per_unit, tank.minimum) == ("kg", 1.0, 0.0, 0.0)
    assert tank.maximum == pytest.approx(4.5359237, rel=ULP)
    assert (engine.unit, engine.volume_per_unit) == ("m3", 1.0)
    assert (engine.initial, engine.rate) == pytest.approx((1e-4, 1.2e-5), rel=ULP)
    assert (shifter.unit, shifter.mass_kg, shifter.axis_b) == ("m", 9.0, (0.0, 0.0, 1.0))
    assert shifter.minimum == pytest.approx(-0.05, rel=ULP)
