"""Commands over time: unnamed values stay, changes take effect at their time, mistakes get one sentence."""

import numpy as np
import pytest
from pytest import approx

from pelagos.errors import CommandError
from pelagos.messages import Actuation
from pelagos.sim.predictor.command_times import command_times
from pelagos.sim.predictor.prediction import ActuatorCommands
from pelagos.sim.predictor.predictor import Predictor
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.world.spec import World

TURN = {"propeller_rpm": 1500.0, "rudder_deg": -5.0}
LINE = World(surface=False)


def at_rest(vehicle):
    return ActuatorCommands(*(np.zeros(len(items)) for items in (vehicle.thrusters, vehicle.surfaces, vehicle.ballast)))


def test_what_is_not_named_stays_and_commands_say_the_same_in_every_form():
    vehicle = load_vehicle("remus100")
    rate, angle = 1500.0 * np.pi / 30.0, np.radians(-5.0)
    forms = (
        TURN,
        {"thrusters": {"propeller_rpm": 1500.0}, "surfaces": {"rudder_deg": -5.0}},
        {"thrusters": [rate], "surfaces": [angle, 0.0]},
        Actuation(np.array([rate]), np.array([angle, 0.0])),
    )
    for form in forms:
        ((at_s, commands),) = command_times(form, vehicle, at_rest(vehicle))
        assert at_s == 0.0
        assert commands.thrusters == approx([rate]) and commands.surfaces == approx([angle, 0.0])
    first, second, third = command_times(
        [(1.0, TURN), (2.0, {"stern_planes_deg": 2.0})], vehicle, at_rest(vehicle)
    )  # fmt: skip
    assert (first[0], second[0], third[0]) == (0.0, 1.0, 2.0)
    assert not first[1].thrusters.any() and second[1].surfaces == approx([angle, 0.0])
    assert third[1].thrusters == approx([rate]) and third[1].surfaces == approx([angle, np.radians(2.0)])
    before = third[1]
    assert command_times(None, vehicle, before) == [(0.0, before)]


def test_ballast_is_an_order_too():
    vehicle = load_vehicle("slocum")
    names = [b.name for b in vehicle.ballast]
    before = ActuatorCommands(np.zeros(0), np.zeros(0), np.array([b.initial for b in vehicle.ballast]))
    ((_, commands),) = command_times({"buoyancy_engine_cm3": -200.0}, vehicle, before)
    engine = names.index("buoyancy_engine")
    assert commands.ballast[engine] == approx(-200e-6)  # m3
    kept = [i for i in range(len(names)) if i != engine]
    assert commands.ballast[kept] == approx(before.ballast[kept])
    ((_, whole),) = command_times({"ballast": commands.ballast}, vehicle, before)
    assert whole.ballast == approx(commands.ballast)


def test_an_order_between_two_kept_states_comes_when_it_is_due():
    predictor = Predictor("phoenix", LINE)
    ahead = {"port_screw_rpm": 400.0, "starboard_screw_rpm": 400.0}
    steps = [(0.0, ahead), (0.25, {"stern_rudders_deg": -10.0})]
    coarse = predictor.predict({"surge_m_s": 0.5}, steps, 1.0, every_s=1.0)
    fine = predictor.predict({"surge_m_s": 0.5}, steps, 1.0, every_s=0.05)
    assert len(coarse) == 2 and len(fine) == 21
    # fourth order in steps of 0.02 s and less; an order one step late would change it by 3 %
    assert coarse["yaw_rate_deg_s"][-1] == approx(fine["yaw_rate_deg_s"][-1], rel=1e-5)
    turning = np.abs(fine["yaw_rate_deg_s"]) > 1e-6
    assert not turning[fine.time_s < 0.26].any() and turning[fine.time_s > 0.26].all()


BAD_COMMANDS = [
    ({"rudder_deg": 90.0}, "outside its limits"),
    ({"ruder_deg": 5.0}, 'did you mean "rudder"'),
    ({"rudder_rpm": 5.0}, "unit of angular rate"),
    ({"thrusters": [1.0, 2.0]}, "number of values in the command to all thrusters is 2; expected 1"),
    ({"ballast": [1.0]}, "number of values in the command to all ballast is 1; expected 0"),
    ("hard to port", "expected commands by name"),
    ([(0.0, TURN, 1.0)], "expected (seconds from the start, commands)"),
    ([(2.0, TURN), (1.0, TURN)], "the time of a command is 1; expected at least 2 s"),
    ([(-1.0, TURN)], "the time of a command is -1"),
    ([(0.0, "port")], "expected commands by name"),
]


@pytest.mark.parametrize(("commands", "sentence"), BAD_COMMANDS, ids=[sentence for _, sentence in BAD_COMMANDS])
def test_bad_commands_are_one_sentence(commands, sentence):
    with pytest.raises(CommandError) as problem:
        Predictor("remus100").predict({"depth_m": 5.0}, commands)
    assert sentence in str(problem.value) and "\n" not in str(problem.value)
