"""The depth controller of a glider."""

import numpy as np
import pytest

from pelagos.errors import CommandError, ScenarioError
from pelagos.guidance import BallastController, BallastSettings
from pelagos.guidance.ballast import neutral_volume
from pelagos.messages import Setpoint
from pelagos.sim.simulation import Simulation
from pelagos.vehicle.load.vehicle import load_vehicle
from tests.guidance.kinematic import vehicle_state


@pytest.fixture(scope="module")
def slocum():
    return load_vehicle("slocum")


def test_neutral_is_where_the_file_says(slocum):
    """70.10 kg against 70 kg displaced in water of 1004 kg/m3: 0.10 / 1004 m3 short."""
    assert neutral_volume(slocum, slocum.ballast[0], 1004.0) == pytest.approx(0.10 / 1004.0, rel=1e-6)


def test_a_neutral_glider_stays(slocum):
    sim = Simulation(slocum)
    sim.place(depth_m=1.0)
    sim.control(BallastController(slocum, density_kg_m3=sim.water.density_kg_m3))
    log = sim.run(120)
    # it sinks while the engine is pumped to neutral; the rest is compression, 5e-10 1/Pa: 3 mN a metre
    assert abs(np.asarray(log["heave_m_s"])[-1]) < 0.02


def test_the_way_is_chosen_once_and_ends_at_the_depth(slocum):
    controller = BallastController(slocum)
    level = controller.update(vehicle_state(depth=10.0), 1.0).ballast
    controller.command(Setpoint(depth_m=40.0))
    down = controller.update(vehicle_state(depth=10.0), 1.0).ballast
    assert down[0] < level[0] and down[1] > level[1]  # heavier, weight ahead
    assert controller.update(vehicle_state(depth=40.5), 1.0).ballast == pytest.approx(level)
    controller.command(Setpoint(depth_m=5.0))
    up = controller.update(vehicle_state(depth=40.0), 1.0).ballast
    assert up[0] - level[0] == pytest.approx(level[0] - down[0], rel=1e-9)  # as light as it was heavy
    assert up[0] == pytest.approx(slocum.ballast[0].maximum, rel=1e-9)  # all there is
    assert up[1] == pytest.approx(-down[1])


def test_orders_are_used_as_given(slocum):
    controller = BallastController(
        slocum, BallastSettings(dive_volume_m3=-5e-5, climb_volume_m3=2e-4, dive_shift_m=0.02)
    )
    controller.command(Setpoint(depth_m=40.0))
    assert controller.update(vehicle_state(), 1.0).ballast == pytest.approx([-5e-5, 0.02])


def test_what_it_cannot_do_is_refused(slocum):
    with pytest.raises(CommandError, match="cannot hold heading_deg"):
        BallastController(slocum).command(Setpoint(depth_m=3.0, heading_deg=3.0))
    with pytest.raises(CommandError, match=r"depth_m is .*; a whole setpoint is given too"):
        BallastController(slocum).command(Setpoint(depth_m=3.0), depth_m=4.0)
    for wrong in ({"speed_m_s": 1.0}, {"dept_m": 3.0}, {"dept_m": None}):
        with pytest.raises(CommandError, match=f"cannot hold {next(iter(wrong))}: its ballast"):
            BallastController(slocum).command(**wrong)
    assert BallastController(slocum).command(depth_m=4.0, speed_m_s=None) == Setpoint(depth_m=4.0)
    with pytest.raises(CommandError, match=r"engine of .* is 'bladder'; expected one of buoyancy_engine"):
        BallastController(slocum, BallastSettings(engine="bladder"))
    with pytest.raises(CommandError, match="expected one with a buoyancy engine"):
        BallastController(load_vehicle("remus100"))
    with pytest.raises(ScenarioError, match="range of buoyancy_engine"):
        BallastController(slocum, BallastSettings(dive_volume_m3=-1.0))
    with pytest.raises(CommandError, match=r"density_kg_m3 is .*; .* cannot be trimmed neutral in this water$"):
        BallastController(slocum, density_kg_m3=1030.0)
