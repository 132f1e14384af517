"""The autopilot on library vehicles, in the real simulation."""

import numpy as np
import pytest

from pelagos.control import Autopilot
from pelagos.errors import CommandError
from pelagos.sim.simulation import Simulation
from pelagos.vehicle.library import list_vehicles
from pelagos.vehicle.load import load_vehicle
from pelagos.world.spec import World

QUANTITIES = ("depth_m", "heading_deg", "speed_m_s", "pitch_deg", "roll_deg")


def test_bluerov2_heavy_in_a_current():
    sim = Simulation(load_vehicle("bluerov2_heavy"), World(depth_m=30, current_m_s=0.3, current_to_deg=90), seed=1)
    sim.command(depth_m=5.0, heading_deg=90.0)
    log = sim.run(60)
    late = np.asarray(log["time_s"]) > 30.0
    assert np.all(np.abs(np.asarray(log["depth_m"])[late] - 5.0) < 0.05)
    assert np.all(np.abs(np.asarray(log["heading_deg"])[late] - 90.0) < 1.0)
    assert np.max(log["depth_m"]) < 5.25  # overshoot below 5 %


# Reach 5 m and east in 60 s: half a metre and 3 degrees at the end, overshoot below 10 % of the 5 m step.
@pytest.mark.parametrize("name", ["bluerov2", "remus100", "remus100_mss", "lauv", "eca_a9", "phoenix", "rexrov"])
def test_dive_and_turn(name):
    sim = Simulation(load_vehicle(name))
    sim.command(depth_m=5.0, heading_deg=90.0)
    log = sim.run(60)
    assert log["depth_m"][-1] == pytest.approx(5.0, abs=0.25)
    assert log["heading_deg"][-1] == pytest.approx(90.0, abs=3.0)
    assert np.max(log["depth_m"]) < 5.5
    assert np.max(log["heading_deg"]) < 99.0 or np.min(log["heading_deg"][1:]) > 351.0


@pytest.mark.parametrize("name", [entry.key for entry in list_vehicles()])
def test_every_vehicle_obeys_or_says_why_not(name):
    pilot = Autopilot(load_vehicle(name))
    for quantity in QUANTITIES:
        if pilot.can(quantity):
            continue
        with pytest.raises(CommandError) as error:
            Autopilot(pilot.vehicle).command(**{quantity: 0.5})
        assert "cannot hold" in str(error.value) and str(error.value).endswith(".")
