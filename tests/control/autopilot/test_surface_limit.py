"""Near the surface: depths at which the hull leaves the water, and the integrals of a vehicle commanded there."""

import numpy as np
import pytest

from pelagos.control import Autopilot
from pelagos.control.autopilot.surface_limit import limit_of, share
from pelagos.sim.simulation import Simulation
from pelagos.vehicle.load.vehicle import load_vehicle


def test_the_hull_of_the_iver3_and_its_mast():
    """Cylinder of 0.147 m with its axis 0.0369 m above the origin; mast of 0.203 m about -0.2119 m."""
    afloat = limit_of(load_vehicle("iver3"))
    assert afloat.hull_top_m == pytest.approx(0.0369 + 0.0735, abs=1e-9)
    assert afloat.from_m == pytest.approx(0.2119 + 0.5 * 0.203 + 0.147, abs=1e-9)
    assert share(0.0, 1.0, afloat) == 0.0  # under way up
    assert share(0.2, 0.3, afloat) == 0.0  # the hull would be under water there: a depth to hold
    assert share(0.0, 0.13, afloat) == 1.0
    assert share(0.0, afloat.from_m - 0.5 * 0.147, afloat) == pytest.approx(0.5)


def test_a_box_and_a_vehicle_without_shapes(torpedo):
    assert limit_of(load_vehicle("bluerov2_heavy")).hull_top_m == pytest.approx(0.19)
    assert share(0.0, 0.01, limit_of(torpedo)) == 0.0


def test_the_iver3_lies_at_the_surface_and_has_learnt_nothing_there():
    """It floats with its centre of mass 0.13 m deep (Hunt & Whitcomb) and cannot reach 0 m."""
    sim = Simulation("iver3")
    sim.place(depth_m=0.4, surge_m_s=1.3)
    pilot = Autopilot(sim.vehicle, sim.water)
    pilot.command(depth_m=0.0, heading_deg=0.0, speed_m_s=1.3)
    sim.control(pilot)
    sim.run(30.0)
    before = pilot._dive.integral
    log = sim.run(60.0)
    assert pilot._dive.integral == before  # kept, to the bit
    depth = np.asarray(log["depth_m"])
    # 0.02 m: at 1.3 m/s fins and trim move it by a centimetre or so; it does not porpoise
    assert depth.mean() == pytest.approx(0.13, abs=0.02) and np.ptp(depth) < 0.02
    assert np.asarray(log["pitch_deg"]).mean() > 0.0  # nose up towards its setpoint


def test_lift_by_thrusters_keeps_its_integral_at_the_surface():
    sim = Simulation("bluerov2_heavy")
    sim.place(depth_m=0.5)
    pilot = Autopilot(sim.vehicle, sim.water)
    pilot.command(depth_m=0.0, heading_deg=0.0)
    sim.control(pilot)
    sim.run(10.0)
    before = pilot._heave.integral
    log = sim.run(20.0)
    assert 0.0 < log["depth_m"][-1] < 0.5
    assert pilot._heave.integral == before
