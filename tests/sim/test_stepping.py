"""Division of a control interval into steps: whole numbers, and the same motion for every division."""

import numpy as np
import pytest

from pelagos.errors import CommandError
from pelagos.sim.simulation import Simulation
from pelagos.sim.stepping import Stepping
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant
from pelagos.world.spec import World


@pytest.mark.parametrize(
    ("longest", "cable", "fastest", "parts", "cables", "steps"),
    [
        (0.02, None, 0.0, 1, 1, 5),
        (0.02, None, 10.0, 1, 1, 5),
        (0.02, None, 50.0, 5, 5, 5),
        (0.02, None, 100.0, 10, 10, 10),
        (0.05, 0.02, 20.0, 2, 6, 6),  # 0.05 s a look: three steps of the cable of at most 0.02 s
        (0.01, 0.02, 0.0, 1, 5, 10),
        (0.03, None, 33.0, 4, 4, 4),
    ],
)
def test_parts_fit_into_each_other(longest, cable, fastest, parts, cables, steps):
    s = Stepping(0.1, longest, cable, fastest)
    assert (s.n_parts, s.n_cable, s.n_steps) == (parts, cables, steps)
    assert s.step_s <= longest * (1 + 1e-9) and s.n_steps * s.step_s == pytest.approx(0.1)


def test_parts_of_an_interval_change_nothing_of_the_motion():
    """RK4 with the same steps in one call or in five: actuators and clock go through the same numbers."""
    whole, parts = (Plant(load_vehicle("remus100")) for _ in range(2))
    for plant in (whole, parts):
        plant.place(position_n=[0.0, 0.0, 10.0], nu=[1.5, 0.0, 0.0, 0.0, 0.0, 0.0])
        plant.set_actuators(thrusters=[100.0], surfaces=np.full(len(plant.vehicle.surfaces), 0.1))
    calls = []
    Stepping(0.1, 0.02, None, 0.0).advance(whole, None, "rk4")
    Stepping(0.1, 0.02, None, 50.0).advance(parts, None, "rk4", lambda k: calls.append((k, float(parts.state["time"]))))
    # the kernel reckons the lag of an actuator from the start of a call: exact exponentials, rounding of a product
    assert parts.nu == pytest.approx(whole.nu, rel=1e-12, abs=1e-14)
    assert parts.position_n == pytest.approx(whole.position_n, rel=1e-14)
    assert [k for k, _ in calls] == [0, 1, 2, 3]
    assert [t for _, t in calls] == pytest.approx([0.02, 0.04, 0.06, 0.08])


def test_a_changing_current_goes_on_through_the_parts():
    """Steady acceleration of the water: five parts must see the same ramp as one interval."""
    whole, parts = (Plant(load_vehicle("bluerov2_heavy")) for _ in range(2))
    for plant in (whole, parts):
        plant.place(position_n=[0.0, 0.0, 10.0])
        plant.water["current"], plant.water["current_dot"] = [0.2, 0.0, 0.0], [0.5, 0.0, 0.0]
    Stepping(0.1, 0.02, None, 0.0).advance(whole, None, "rk4")
    Stepping(0.1, 0.02, None, 50.0).advance(parts, None, "rk4")
    assert parts.nu[0] == pytest.approx(float(whole.nu[0]), rel=1e-9)
    assert abs(whole.nu[0]) > 1e-4


def test_contact_is_reported_over_the_whole_interval():
    """A vehicle that lies on the bottom touches it in every part; the mean force is its weight in water."""
    sim = Simulation("bluerov2_heavy", World(depth_m=5.0))
    sim.place(depth_m=4.8)
    sim.stepping = Stepping(0.1, 0.02, None, 50.0)
    sim.external([0.0, 0.0, 40.0, 0.0, 0.0, 0.0])
    sim.run(8.0)
    net = float(sim.plant.forces()["restoring"][2])
    # at rest: contact carries the push down and the net weight; 2 % for what still rocks
    assert float(np.linalg.norm(sim.plant.state["touch"]["wrench"][:3])) == pytest.approx(40.0 + net, rel=0.02)


def test_more_steps_in_an_interval_than_ctrl_c_should_wait_for_are_refused():
    with pytest.raises(CommandError, match="steps in a control interval of 1000 s is 1000000; expected at most"):
        Stepping(1000.0, 1e-3, None, 0.0)
