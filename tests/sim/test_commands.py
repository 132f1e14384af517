"""Commands: actuators by name and unit within limits; each kind of command selects its controller; place."""

import math

import numpy as np
import pytest

import pelagos
from pelagos.control.autopilot.autopilot import Autopilot
from pelagos.control.pilot.sticks import Pilot
from pelagos.errors import CommandError
from pelagos.sim.commands import DirectControl
from pelagos.sim.simulation import Simulation
from pelagos.vehicle.load.vehicle import load_vehicle

LAUV, SLOCUM, PHOENIX = (load_vehicle(key) for key in ("lauv", "slocum", "phoenix"))


def test_it_starts_at_zero_with_the_ballast_of_the_file():
    held = DirectControl(SLOCUM).update(None, 0.1)  # type: ignore[arg-type]
    assert held.ballast.tolist() == [item.initial for item in SLOCUM.ballast]
    assert held.surfaces.size == 0


def test_names_take_any_unit_of_their_drive_and_plain_numbers_are_si():
    direct = DirectControl(PHOENIX)
    name = PHOENIX.thrusters[0].name
    direct.command("thrusters", None, {f"{name}_rpm": 300.0})
    assert direct.thrusters[0] == pytest.approx(10.0 * math.pi, rel=1e-12)
    direct.command("thrusters", None, {name: 5.0})
    assert direct.thrusters[0] == 5.0
    direct.command("surfaces", None, {f"{PHOENIX.surfaces[1].name}_deg": 10.0})
    assert direct.surfaces.tolist() == pytest.approx([0.0, math.radians(10.0), 0.0, 0.0])


def test_all_at_once_in_the_order_of_the_file():
    direct = DirectControl(PHOENIX)
    direct.command("surfaces", [0.1, 0.0, -0.1, 0.2], {})
    assert direct.surfaces.tolist() == [0.1, 0.0, -0.1, 0.2]
    with pytest.raises(CommandError, match="number of values in the command to all surfaces is 2; expected 4"):
        direct.command("surfaces", [0.1, 0.0], {})
    direct.reset()
    assert not direct.surfaces.any()


def test_returned_arrays_are_copies():
    direct = DirectControl(PHOENIX)
    direct.update(None, 0.1).surfaces[:] = 1.0  # type: ignore[arg-type]
    assert not direct.surfaces.any()


@pytest.mark.parametrize(
    ("order", "sentence"),
    [
        ({"propellor_rpm": 100.0}, 'did you mean "propeller"'),
        ({"propeller_deg": 1.0}, "is a unit of angle"),
        ({"propeller_rpm": 1e6}, "outside its limits"),
        ({"propeller_rpm": math.nan}, "finite number"),
        (
            {"propeller_rpm": 100.0, "propeller": 10.0},
            'has two commands, the second as "propeller"; expected one command',
        ),
    ],
)
def test_a_bad_order_is_one_sentence_and_changes_nothing(order, sentence):
    direct = DirectControl(LAUV)
    with pytest.raises(CommandError) as error:
        direct.command("thrusters", None, order)
    assert sentence in str(error.value) and "\n" not in str(error.value)
    assert not direct.thrusters.any()


def test_ballast_is_trimmed_by_name():
    direct = DirectControl(SLOCUM)
    engine = next(i for i, item in enumerate(SLOCUM.ballast) if item.kind == "engine")
    direct.command("ballast", None, {f"{SLOCUM.ballast[engine].name}_cm3": 100.0})
    assert direct.ballast[engine] == pytest.approx(1e-4, rel=1e-12)
    with pytest.raises(CommandError, match="outside its limits"):
        direct.command("ballast", None, {f"{SLOCUM.ballast[engine].name}_L": 10.0})
    assert np.isfinite(direct.ballast).all()


@pytest.fixture
def sim():
    made = Simulation("bluerov2_heavy", pelagos.World(depth_m=30.0))
    made.place(depth_m=5.0)
    return made


def test_each_order_brings_its_controller(sim):
    assert isinstance(sim.controller, DirectControl)
    sim.command(depth_m=4.0)
    assert isinstance(sim.controller, Autopilot)
    sim.pilot(surge=0.5)
    assert isinstance(sim.controller, Pilot)


def test_an_order_to_one_actuator_leaves_the_others_to_the_controller():
    sim = Simulation("remus100")
    sim.place(depth_m=10.0, surge_m_s=1.5)
    sim.command(depth_m=10.0, heading_deg=0.0, speed_m_s=1.5)
    sim.run(20.0)
    sim.deflect(rudder_deg=5.0)
    saved = sim.save()
    log = sim.run(10.0)
    assert isinstance(sim.controller, Autopilot)
    assert (log["cmd_surface_rudder_deg"][1:] == 5.0).all()
    assert log["cmd_thruster_propeller_rpm"][-1] > 1000.0
    sim.restore(saved)
    np.testing.assert_array_equal(sim.run(10.0).table(), log.table())
    sim.deflect(rudder_deg=None)  # the autopilot has it back, and turns north again
    assert math.cos(math.radians(sim.run(60.0)["heading_deg"][-1])) > 0.999
    sim.deflect(rudder_deg=5.0)
    sim.control(DirectControl(sim.vehicle))  # has all of them
    assert sim.run(1.0)["cmd_surface_rudder_deg"][-1] == 0.0
    with pytest.raises(CommandError, match="the command to rudder is None"):
        sim.deflect(rudder=None)


def test_orders_of_one_kind_add_up(sim):
    sim.command(depth_m=4.0)
    autopilot = sim.controller
    sim.command(heading_deg=30.0)
    assert sim.controller is autopilot
    assert (autopilot.setpoint.depth_m, autopilot.setpoint.heading_deg) == (4.0, 30.0)
    sim.command(depth_m=None)
    assert autopilot.setpoint.depth_m is None
    sim.control(DirectControl(sim.vehicle))
    sim.thrust(front_port=0.1)
    sim.thrust(rear_port=0.2)
    assert sorted(sim.controller.thrusters[sim.controller.thrusters > 0.0]) == [0.1, 0.2]


def test_a_depth_below_the_bottom_changes_nothing(sim):
    with pytest.raises(CommandError, match="depth_m is 40; the water is 30 m deep here"):
        sim.command(depth_m=40.0)
    assert isinstance(sim.controller, DirectControl)


def test_a_refused_order_leaves_the_controller(sim):
    with pytest.raises(CommandError):
        sim.thrust(propeller=1.0)
    with pytest.raises(CommandError):
        sim.pilot(surge=2.0)
    assert isinstance(sim.controller, DirectControl) and not sim.controller.thrusters.any()


def test_place_sets_what_is_named_and_leaves_the_rest(sim):
    sim.place(north_m=3.0, heading_deg=40.0, surge_m_s=0.5, yaw_rate_deg_s=2.0)
    sim.place(east_m=-1.0)
    np.testing.assert_array_equal(sim.plant.position_n, [3.0, -1.0, 5.0])
    assert math.degrees(sim.plant.euler[2]) == pytest.approx(40.0)
    assert sim.plant.nu[0] == 0.5 and math.degrees(sim.plant.nu[5]) == pytest.approx(2.0)


def test_an_attitude_that_is_not_named_keeps_every_bit(sim):
    sim.place(roll_deg=10.0, pitch_deg=20.0, heading_deg=30.0)
    before = sim.plant.quaternion.copy()
    sim.place(depth_m=6.0)
    np.testing.assert_array_equal(sim.plant.quaternion, before)


def test_place_refuses_what_it_does_not_know(sim):
    with pytest.raises(CommandError, match="did you mean"):
        sim.place(dept_m=3.0)
    with pytest.raises(CommandError, match="place north_m is inf"):
        sim.place(north_m=math.inf)


def test_an_external_force_moves_a_neutral_vehicle_as_newton_says():
    """Without drag yet, at the first instant: (m + added mass) dv = F dt for a push along x."""
    sim = Simulation("bluerov2_heavy", control_rate_hz=1000.0, step_s=1e-3)
    sim.place(depth_m=20.0)
    free = sim.plant.nu.copy()
    sim.tick()
    drift = sim.plant.nu - free
    pushed = Simulation("bluerov2_heavy", control_rate_hz=1000.0, step_s=1e-3)
    pushed.place(depth_m=20.0)
    pushed.external([10.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    pushed.tick()
    expected = np.linalg.solve(pushed.plant.packed.mass_matrix, [10.0, 0.0, 0.0, 0.0, 0.0, 0.0]) * 1e-3
    # linear drag within the first millisecond: 1e-3 s times its rate, some 0.2 per second
    np.testing.assert_allclose(pushed.plant.nu - drift, expected, rtol=1e-3, atol=1e-9)


def test_an_external_force_may_be_a_function_of_the_truth(sim):
    depths = []
    sim.external(lambda state: depths.append(state.pos_n[2]) or np.zeros(6))
    sim.run(0.3)
    assert len(depths) == 3 and depths[0] == 5.0
    sim.external([1.0, 2.0, 3.0, 0.0, 0.0, 0.0])
    with pytest.raises(CommandError, match="expected six finite numbers"):
        sim.external([1.0, math.nan])


def test_water_is_that_of_the_world():
    sim = Simulation("lauv", pelagos.World(gravity_m_s2=9.78))
    assert sim.water.gravity_m_s2 == 9.78


@pytest.mark.parametrize(
    "key, rate, free",
    [
        ("delphin2", "pitch_rate_deg_s", "yaw_rate_deg_s"),
        ("slocum", "yaw_rate_deg_s", "pitch_rate_deg_s"),
        ("dsrv", "roll_rate_deg_s", "pitch_rate_deg_s"),
    ],
)
def test_rates_that_the_file_holds_are_refused(key, rate, free):
    """Nothing would ever change them; rates that are free are taken."""
    for made in (Simulation(key), pelagos.Batch(key, 3)):
        with pytest.raises(CommandError, match=f"place {rate} is -5; expected 0: the file of .* holds"):
            made.place(depth_m=10.0, **{rate: -5.0})
        made.place(depth_m=10.0, **{free: -5.0, rate: 0.0})


def test_a_place_out_of_this_world_is_refused(sim):
    for name, value in (("depth_m", 1e300), ("north_m", 1e9), ("surge_m_s", 1e5), ("yaw_rate_deg_s", 1e6)):
        with pytest.raises(CommandError, match=f"place {name} is .*; expected a number from"):
            sim.place(**{name: value})
