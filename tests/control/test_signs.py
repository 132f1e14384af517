"""Ahead, a positive heading error turns to starboard and a positive depth error dives: every vehicle with surfaces.

Whatever the sign of a surface's angle is in its source (a positive stern rudder turns to port on most, errata 1.2), the
reach comes from the forces of the model, so the turn is checked in the motion and not in the angles.
"""

import pytest

from pelagos.control import Autopilot
from pelagos.sim.simulation import Simulation
from pelagos.vehicle.library import list_vehicles
from pelagos.vehicle.load.vehicle import load_vehicle

FLEET = {entry.key: load_vehicle(entry.key) for entry in list_vehicles()}
# with surfaces, and something that pushes it or a speed that is held: a glider's fins steer a glide, which is not here
FINNED = [key for key, vehicle in FLEET.items() if vehicle.surfaces and (vehicle.thrusters or vehicle.held_speed_m_s)]


@pytest.mark.slow
@pytest.mark.parametrize("name", FINNED)
def test_errors_turn_the_right_way_ahead(name):
    vehicle = load_vehicle(name)
    speed = Autopilot(vehicle).schedule.cruise
    assert speed > 0.0
    for quantity, sense in (("heading_deg", 1.0), ("heading_deg", -1.0), ("depth_m", 1.0), ("depth_m", -1.0)):
        sim = Simulation(vehicle)
        pilot = Autopilot(vehicle, sim.water)
        if not pilot.can(quantity):
            continue
        deep = 10.0 + vehicle.length_m
        sim.place(depth_m=deep, surge_m_s=speed)
        sim.control(pilot)
        goal = 30.0 * sense if quantity == "heading_deg" else deep + 4.0 * sense
        pilot.command(**{quantity: goal}, **({"speed_m_s": speed} if pilot.can("speed_m_s") else {}))
        sim.run(8.0)
        state = sim.state()
        moved = state.yaw if quantity == "heading_deg" else float(state.pos_n[2]) - deep
        assert moved * sense > 0.02, (quantity, sense, moved)
