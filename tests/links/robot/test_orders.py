"""Commands of a robot compared with the calls of a simulation, bit for bit; refused commands change nothing."""

import copy

import numpy as np
import pytest

from pelagos.control.autopilot.autopilot import Autopilot
from pelagos.control.pilot.sticks import Pilot
from pelagos.errors import CommandError
from pelagos.guidance import Hold
from pelagos.guidance.mission import Mission
from pelagos.links.robot.messages import VehicleCommand
from pelagos.links.robot.orders import apply_commands, stop
from pelagos.session.session import Session
from pelagos.sim.commands import DirectControl
from pelagos.sim.simulation import Simulation
from pelagos.world.spec import World


def simulation(vehicle="phoenix", name="", east_m=0.0):
    sim = Simulation(vehicle, World(depth_m=20.0), name=name)
    sim.place(depth_m=3.0, east_m=east_m)
    return sim


def flown(sim, seconds=3.0):
    """Where it is after some seconds, every bit."""
    for _ in range(round(seconds * 10)):
        sim.tick()
    return sim.plant.motion_row()


ORDERS = {
    "thrusters": ({"port_screw_rpm": 500.0, "bow_vertical_V": 6.0}, lambda sim, values: sim.thrust(**values)),
    "surfaces": ({"bow_rudders_deg": 10.0}, lambda sim, values: sim.deflect(**values)),
    "setpoint": ({"depth_m": 5.0, "heading_deg": 40.0}, lambda sim, values: sim.command(**values)),
    "sticks": ({"surge": 0.5, "yaw": -0.2}, lambda sim, values: sim.pilot(**values)),
}


@pytest.mark.parametrize("way", ORDERS)
def test_an_order_does_what_the_call_does_to_the_last_bit(way):
    values, call = ORDERS[way]
    by_link, by_call = simulation(), simulation()
    assert apply_commands(Session([by_link]), {"": VehicleCommand(**{way: values})}) == [by_link]
    call(by_call, values)
    assert np.array_equal(flown(by_link), flown(by_call))
    assert not np.array_equal(by_link.plant.motion_row(), flown(simulation()))  # and that is something


def test_ballast_is_trimmed():
    sim = Simulation("slocum")
    name = sim.vehicle.ballast[0].name
    apply_commands(Session([sim]), {"": VehicleCommand(ballast={name: sim.vehicle.ballast[0].maximum})})
    assert sim.controller.ballast[0] == sim.vehicle.ballast[0].maximum


def test_what_is_not_named_stays():
    sim = simulation()
    apply_commands(Session([sim]), {"": VehicleCommand(thrusters={"port_screw_rpm": 500.0})})
    apply_commands(
        Session([sim]), {"": VehicleCommand(surfaces={"bow_rudders_deg": 5.0}, thrusters={"bow_lateral_V": 3.0})}
    )
    names = [t.name for t in sim.vehicle.thrusters]
    assert sim.controller.thrusters[names.index("port_screw")] == pytest.approx(500.0 * np.pi / 30.0)
    assert sim.controller.thrusters[names.index("bow_lateral")] == 3.0
    assert apply_commands(Session([sim]), {}) == [] and apply_commands(Session([sim]), {"": VehicleCommand()}) == []


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (VehicleCommand(thrusters={"port_screw_rpm": 5000.0}), "outside its limits"),
        (VehicleCommand(thrusters={"port_screw_rpm": 100.0}, surfaces={"bow_rudders_deg": 80.0}), "outside its limits"),
        (VehicleCommand(thrusters={"port_scrw_rpm": 100.0}), "did you mean"),
        (VehicleCommand(thrusters={"port_screw_V": 1.0}), "is a unit of voltage"),
        (VehicleCommand(setpoint={"depth_m": 25.0}), "the water is 20 m deep"),
        (VehicleCommand(setpoint={"north_m": 1.0}), "east_m: is missing"),
    ],
)
def test_nothing_of_an_order_is_done_if_something_of_it_cannot(command, sentence):
    sim = simulation()
    apply_commands(Session([sim]), {"": VehicleCommand(thrusters={"stern_lateral_V": 2.0})})
    before, held = sim.controller, copy.deepcopy(vars(sim.controller))
    with pytest.raises(CommandError, match=sentence):
        apply_commands(Session([sim]), {"": command})
    assert sim.controller is before
    assert all(np.array_equal(held[name], vars(before)[name]) for name in ("thrusters", "surfaces", "ballast"))


def test_a_refusal_for_one_vehicle_leaves_the_others_alone():
    first, second = simulation(name="one"), simulation("bluerov2_heavy", "two", 20.0)
    first.command(depth_m=4.0)
    with pytest.raises(CommandError, match="the water is"):
        apply_commands(
            Session([first, second]),
            {"one": VehicleCommand(setpoint={"depth_m": 6.0}), "two": VehicleCommand(setpoint={"depth_m": 99.0})},
        )
    assert first.held.depth_m == 4.0
    assert isinstance(second.controller, DirectControl)
    apply_commands(
        Session([first, second]),
        {"one": VehicleCommand(setpoint={"depth_m": 6.0}), "two": VehicleCommand(setpoint={"depth_m": 9.0})},
    )
    assert (first.held.depth_m, second.held.depth_m) == (6.0, 9.0)
    with pytest.raises(CommandError, match="there is no vehicle 'tow'; expected one of one, two; did you mean \"two"):
        apply_commands(Session([first, second]), {"tow": VehicleCommand(sticks={})})


def test_a_setpoint_ends_a_mission_and_its_helm_goes_on():
    sim = simulation()
    helm = Autopilot(sim.vehicle, sim.water)
    mission = Mission(helm, [Hold(depth_m=5.0, heading_deg=0.0, seconds_s=60.0)])
    sim.control(mission)
    sim.tick()
    with pytest.raises(CommandError):
        apply_commands(Session([sim]), {"": VehicleCommand(setpoint={"depth_m": 99.0})})
    assert sim.controller is mission
    apply_commands(Session([sim]), {"": VehicleCommand(setpoint={"depth_m": 7.0})})
    assert sim.controller is helm
    sim.tick()
    assert (sim.held.depth_m, sim.held.heading_deg) == (7.0, 0.0)


def test_a_silent_robot_leaves_actuators_at_rest_and_setpoints_held():
    sim = Simulation("slocum")
    weight = sim.vehicle.ballast[0]
    apply_commands(Session([sim]), {"": VehicleCommand(ballast={weight.name: weight.maximum})})
    assert stop(Session([sim]), sim)
    assert sim.controller.ballast[0] == weight.maximum  # ballast stays
    sim = simulation()
    apply_commands(
        Session([sim]), {"": VehicleCommand(thrusters={"port_screw_rpm": 500.0}, surfaces={"bow_rudders_deg": 5.0})}
    )
    assert stop(Session([sim]), sim)
    assert not sim.controller.thrusters.any() and not sim.controller.surfaces.any()
    apply_commands(Session([sim]), {"": VehicleCommand(sticks={"surge": 1.0})})
    assert stop(Session([sim]), sim)
    assert isinstance(sim.controller, Pilot)
    assert not sim.controller.update(sim.state(), 0.1).thrusters.any()
    apply_commands(Session([sim]), {"": VehicleCommand(setpoint={"depth_m": 5.0})})
    assert not stop(Session([sim]), sim)
    assert sim.held.depth_m == 5.0
