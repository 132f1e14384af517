"""Thrust curves and their inverse, for every kind of drive."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelagos.vehicle.library import list_vehicles
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Thruster
from pelagos.vehicle.thruster_curve import ThrustCurve
from tests.reference.actuators import bollard_thrust, drive_of, thrust_and_torque

AT, ALONG = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0)
TABLE = ((-1.0, -34.5), (-0.6, -14.0), (-0.2, -1.6), (-0.06, 0.0), (0.06, 0.0), (0.2, 2.0), (0.6, 18.0), (1.0, 44.4))
KINDS = {
    "rate": Thruster("rate", AT, ALONG, "rate", -100.0, 150.0, k_forward=2e-3, k_reverse=1.2e-3),
    "voltage": Thruster("volt", AT, ALONG, "voltage", -24.0, 24.0, k_forward=0.0155, k_reverse=0.0155, linear=0.05),
    "force": Thruster("force", AT, ALONG, "force", -300.0, 500.0, linear=1.0),
    "throttle": Thruster("table", AT, ALONG, "throttle", -1.0, 1.0, lag_on="thrust", table=TABLE),
    "half": Thruster("half", AT, ALONG, "throttle", -0.5, 0.5, lag_on="thrust", table=TABLE),
    "band": Thruster("band", AT, ALONG, "voltage", -24.0, 24.0, -4.0, 3.0, k_forward=0.0155, k_reverse=0.0155),
    "one way": Thruster("one way", AT, ALONG, "rate", 0.0, 150.0, k_forward=2e-3),
}


@pytest.mark.parametrize("kind", KINDS)
@given(share=st.floats(-1.0, 1.0))
def test_round_trip(kind, share):
    """thrust(drive(T)) = T wherever the thruster can give T, to rounding."""
    curve = ThrustCurve(KINDS[kind])
    target = share * (curve.high if share > 0 else -curve.low)
    got = curve.thrust(curve.drive(target))
    gap = curve.thrust(KINDS[kind].dead_high), -curve.thrust(KINDS[kind].dead_low)
    inside = 0.0 < abs(target) < gap[0 if target > 0 else 1]
    # In the gap the nearer of nothing and the edge; a ten-thousandth of full thrust counts as nothing.
    allowed = 0.5 * max(gap) if inside else 1e-4 * max(curve.high, -curve.low)
    assert abs(got - target) <= allowed * (1 + 1e-9)


@pytest.mark.parametrize("kind", KINDS)
@given(drive=st.floats(-600, 600))
def test_thrust_is_that_of_the_textbook(kind, drive):
    thruster = KINDS[kind]
    expected = bollard_thrust(thruster, drive_of(thruster, drive))
    # Two roundings of the same interpolation.
    assert ThrustCurve(thruster).thrust(drive) == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@given(thrust=st.floats(-1e4, 1e4), inflow=st.floats(-3, 3))
def test_drive_stays_in_its_limits(kind, thrust, inflow):
    t = KINDS[kind]
    assert t.minimum <= ThrustCurve(t).drive(thrust, inflow) <= t.maximum


def test_limits_of_the_curve():
    assert ThrustCurve(KINDS["rate"]).high == pytest.approx(2e-3 * 150**2, rel=1e-12)
    assert ThrustCurve(KINDS["rate"]).low == pytest.approx(-1.2e-3 * 100**2, rel=1e-12)
    assert ThrustCurve(KINDS["half"]).high == pytest.approx(14.0, rel=1e-12)  # 2 + 16 * 0.3 / 0.4
    assert ThrustCurve(KINDS["one way"]).low == 0.0


def test_table_begins_at_the_edge_of_its_dead_zone():
    curve = ThrustCurve(KINDS["throttle"])
    assert curve.drive(0.0) == 0.0
    assert curve.drive(0.01) == pytest.approx(0.06 + 0.14 * 0.01 / 2.0, rel=1e-12)
    assert curve.drive(-0.8) == pytest.approx(-0.13, rel=1e-12)


def test_a_table_that_dips_takes_the_smaller_drive():
    dipping = replace(KINDS["throttle"], table=((-1.0, -10.0), (0.0, 0.0), (0.5, 20.0), (0.7, 18.0), (1.0, 30.0)))
    curve = ThrustCurve(dipping)
    assert curve.drive(20.0) == pytest.approx(0.5)
    assert curve.high == 30.0


@given(share=st.floats(0.05, 1.0), advance=st.floats(0.0, 2.0), astern=st.booleans())
def test_inflow_is_made_up_for(share, advance, astern):
    t = replace(KINDS["rate"], inflow_forward=0.02, inflow_reverse=0.01, wake=0.1)
    curve = ThrustCurve(t)
    target = share * (curve.low if astern else curve.high)
    inflow = 0.9 * advance
    drive = curve.drive(target, inflow)
    got, _ = thrust_and_torque(t, drive, np.array([advance, 0.0, 0.0, 0.0, 0.0, 0.0]))
    if t.minimum < drive < t.maximum:
        assert got == pytest.approx(target, rel=1e-9)
    else:
        assert abs(got) <= abs(target) * (1 + 1e-9)  # at full drive and still short


def kernel_thrust(plant, i, drive, surge):
    """Thrust of one thruster of a vehicle as the kernel has it: its actuators run to the end, then its forces."""
    vehicle = plant.vehicle
    t = vehicle.thrusters[i]
    command = np.zeros(len(vehicle.thrusters))
    command[i] = drive
    plant.place(nu=(0.0,) * 6)
    plant.set_actuators(thrusters=command, at_once=True)
    # Past its own point and along its own axis, whatever that is; a stopped screw is what the others are.
    plant.place(nu=(*(surge * np.array(t.direction_b)), 0.0, 0.0, 0.0))
    return float(plant.forces()["thrusters"][:3] @ np.array(t.direction_b))


@pytest.mark.slow
@pytest.mark.parametrize("ratio", [1.0, 0.975])
@pytest.mark.parametrize("name", [entry.key for entry in list_vehicles()])
def test_every_thruster_of_the_library_is_that_of_the_kernel(name, ratio):
    """The law here and the law of the kernel, over the whole drive and over inflow both ways; and the inverse."""
    vehicle = load_vehicle(name)
    plant = Plant(vehicle, density_kg_m3=ratio * vehicle.water.density_kg_m3)
    different = {replace(t, name="", position_b=AT): i for i, t in enumerate(vehicle.thrusters)}
    for t, i in different.items():
        curve = ThrustCurve(t, ratio)
        full = max(curve.high, -curve.low)
        for surge in (0.0, -0.7, 0.4, 1.5, 3.0):
            inflow = (1.0 - t.wake) * (abs(surge) if t.inflow_from == "speed" else surge)
            for drive in np.linspace(t.minimum, t.maximum, 41).tolist():
                got = kernel_thrust(plant, i, drive, surge) / math.exp(
                    -t.tunnel_loss_s2_m2 * (surge * t.direction_b[0]) ** 2
                )
                target = curve.thrust(drive, inflow)
                assert got == pytest.approx(target, rel=1e-9, abs=1e-9 * full)  # rounding of sums in another order
                back = curve.thrust(curve.drive(got, inflow), inflow)
                # A screw that windmills pushes against its drive: no drive of the other sign need give the same.
                if got * drive > 0.0 and abs(got) <= (curve.high if got > 0.0 else -curve.low):
                    assert back == pytest.approx(got, rel=1e-9, abs=1.0001e-4 * full)


def test_a_capped_inflow_is_inverted_too():
    """Quadratic K_T(J): beyond the advance of no thrust, and in inflow from behind, u_a is held at cap s."""
    t = replace(KINDS["rate"], minimum=0.0, k_forward=2e-3, inflow_forward=0.03, inflow_square=0.1)
    curve = ThrustCurve(t)
    for inflow in (-4.0, -1.0, 0.5, 3.0):
        for target in (0.5, 3.0, 20.0):
            drive = curve.drive(target, inflow)
            got, _ = thrust_and_torque(t, drive, np.array([inflow, 0.0, 0.0, 0.0, 0.0, 0.0]))
            assert got == pytest.approx(target, rel=1e-9)
