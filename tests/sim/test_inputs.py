"""Arguments of a simulation are accepted, or refused with one sentence."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import pelagos
from pelagos.checks import number_text
from pelagos.errors import CommandError
from pelagos.sim import inputs

LIBRARY = Path(pelagos.__file__).parent / "vehicle" / "library"


def refused(order, *arguments) -> str:
    """The sentence an order ends in."""
    with pytest.raises(CommandError) as caught:
        order(*arguments)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.fixture
def sim() -> pelagos.Simulation:
    return pelagos.Simulation("phoenix", pelagos.World(depth_m=30))


MAKING = {
    "negative seed": ({"seed": -1}, "seed is -1; expected a whole number"),
    "broken seed": ({"seed": 1.5}, "seed is 1.5"),
    "seed in words": ({"seed": "x"}, "seed is 'x'"),
    "step in words": ({"step_s": "x"}, "step_s is 'x'; expected a number from 1e-09 to 1e+06"),
    "no rate": ({"control_rate_hz": 0}, "control_rate_hz is 0"),
    "numbered integrator": ({"integrator": 3}, "integrator is 3; expected one of euler"),
    "empty integrator": ({"integrator": ""}, "integrator is ''"),
    "kinematics": ({"kinematics": "eulr"}, 'did you mean "euler"'),
    "force": ({"user_force": 3}, "user_force is 3; expected text"),
    "world": ({"world": 30}, "world is 30; expected a World"),
}


@pytest.mark.parametrize("case", MAKING)
def test_a_simulation_that_cannot_be_made(case: str) -> None:
    value, sentence = MAKING[case]
    assert sentence in refused(lambda: pelagos.Simulation("phoenix", **value))


def test_a_vehicle_by_name_by_file_or_itself() -> None:
    for vehicle in (
        "phoenix",
        LIBRARY / "phoenix.toml",
        str(LIBRARY / "phoenix.toml"),
        pelagos.load_vehicle("phoenix"),
    ):
        assert pelagos.Simulation(vehicle).vehicle.key == "phoenix"
    for vehicle in (3, None, ["phoenix"]):
        assert "expected a Vehicle, a library name or a .toml file" in refused(pelagos.Simulation, vehicle)


ORDERS = {
    "length for an angle": (
        lambda s: s.deflect(bow_rudders_m=0.1),
        '"m" is a unit of length; expected bow_rudders_rad or bow_rudders_deg',
    ),
    "mass for a rate": (lambda s: s.thrust(port_screw_kg=100), '"kg" is a unit of mass; expected port_screw_rad_s'),
    "voltage for a rate": (lambda s: s.thrust(port_screw_V=100), '"V" is a unit of voltage; expected port_screw_rad_s'),
    "rate for a voltage": (lambda s: s.thrust(bow_vertical_rpm=9), "expected bow_vertical_V"),
    "thrust in words": (lambda s: s.thrust("a"), "the command to all thrusters is 'a'"),
    "thrust as text": (lambda s: s.thrust(["1"] * 6), "expected a flat list of numbers"),
    "one thrust as text": (lambda s: s.thrust(port_screw_rpm="9"), "port_screw: the command is '9'"),
    "time in words": (lambda s: s.run("60"), "seconds is '60'; expected a number above 0, at most 1e+10"),
    "no time": (lambda s: s.run(0.01), "seconds is 0.01; expected at least one control interval, 0.1 s"),
    "wrench in words": (lambda s: s.external("abc"), "expected six finite numbers"),
    "wrench too short": (lambda s: s.external([1.0, 2.0]), "expected six finite numbers"),
    "wrench too long": (lambda s: s.external(np.zeros(200)), "expected six finite numbers"),
    "depth in words": (lambda s: s.command(depth_m="5"), "depth_m is '5'"),
    "below the bed": (lambda s: s.command(depth_m=50), "depth_m is 50; the water is 30 m deep"),
    "unknown place": (lambda s: s.place(pos=3), "place has no key 'pos'; expected one of north_m, east_m, depth_m"),
    "misspelt place": (lambda s: s.place(dept_m=3), 'did you mean "depth_m"'),
    "place in words": (lambda s: s.place(depth_m="3"), "place depth_m is '3'; expected a number from"),
    "place nowhere": (lambda s: s.place(north_m=math.nan), "place north_m is nan"),
    "pitch beyond the pole": (lambda s: s.place(pitch_deg=120), "from -90 to 90"),
    "no controller": (lambda s: s.control(object()), "controller: an object of type object has no reset()"),
    "class of controllers": (lambda s: s.control(Idle), "expected an object of it: Idle(...)"),
    "nothing saved": (lambda s: s.restore({}), "was not made by Simulation.save()"),
    "number saved": (lambda s: s.restore(3), "was not made by Simulation.save()"),
}


@pytest.mark.parametrize("case", ORDERS)
def test_an_order_that_cannot_be_followed(case: str, sim: pelagos.Simulation) -> None:
    order, sentence = ORDERS[case]
    before = sim.plant.save()["state"]
    assert sentence in refused(order, sim)
    np.testing.assert_array_equal(sim.plant.save()["state"], before)  # refused as a whole


def test_a_throttle_and_a_ballast_name_their_units() -> None:
    rov, glider = pelagos.Simulation("bluerov2_heavy"), pelagos.Simulation("slocum")
    name = rov.vehicle.thrusters[0].name
    assert f"expected {name}, a number without a unit" in refused(lambda: rov.thrust(**{f"{name}_rpm": 9.0}))
    assert "buoyancy_engine_m3, buoyancy_engine_cm3" in refused(lambda: glider.ballast(buoyancy_engine_kg=0.1))


def test_the_same_order_in_every_unit(sim: pelagos.Simulation) -> None:
    for order in ({"port_screw_rpm": 600.0}, {"port_screw_rps": 10.0}, {"port_screw_deg_s": 3600.0}):
        sim.thrust(**order)
        sim.run(0.1)
        # factors of 2 pi / 60 and the like: a few units in the last place
        assert sim.plant.command["actuators"]["thruster"][:6].max() == pytest.approx(20.0 * math.pi, rel=1e-14)


class Idle:
    """A controller that returns whatever it was given."""

    def __init__(self, answer: object = None) -> None:
        self.answer = answer

    def reset(self) -> None:
        pass

    def update(self, state: pelagos.VehicleState, dt: float) -> object:
        return self.answer


def test_what_a_controller_returns(sim: pelagos.Simulation) -> None:
    sim.control(Idle([0.0] * 6))
    assert "the result of Idle.update() is [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]; expected a pelagos.Actuation" in refused(
        sim.run, 1.0
    )
    sim.control(Idle(pelagos.Actuation([1.0])))
    assert "number of thrusters in the result of Idle.update() is 1; expected 6" in refused(sim.run, 1.0)
    sim.control(Idle(pelagos.Actuation()))
    assert len(sim.run(1.0)) == 11


@pytest.mark.parametrize("values", [[], [1.0], [1.0, 2.0, 3.0], {"a": 1.0, "b": 2.0}, 5.0])
def test_values_of_the_columns_of_a_controller_are_checked(sim: pelagos.Simulation, values: object) -> None:
    idle = Idle(pelagos.Actuation())
    idle.columns, idle.values = ("a", "b"), lambda: values
    sim.control(idle)
    assert "expected 2 numbers, one for each of its columns a, b" in refused(sim.run, 1.0)


def test_a_save_fits_only_a_simulation_of_its_kind(sim: pelagos.Simulation) -> None:
    for other, sentence in (
        (pelagos.Simulation("remus100"), "vehicle of the state to restore is 'remus100'; expected 'phoenix'"),
        (pelagos.Simulation("phoenix", kinematics="euler"), "kinematics of the state to restore is 'euler'"),
        (pelagos.Simulation("phoenix", control_rate_hz=5), "control_rate_hz of the state to restore is 5; expected 10"),
    ):
        assert sentence in refused(sim.restore, other.save())
    twin = pelagos.Simulation("phoenix", integrator="heun")
    twin.run(1.0)
    sim.restore(twin.save())
    assert sim.time_s == 1.0


def test_place_sets_what_is_named_and_keeps_the_rest(sim: pelagos.Simulation) -> None:
    sim.place(north_m=1, east_m=-2, depth_m=3, roll_deg=10, pitch_deg=-20, heading_deg=300)
    sim.place(surge_m_s=1, sway_m_s=0.2, heave_m_s=-0.1, roll_rate_deg_s=1, pitch_rate_deg_s=2, yaw_rate_deg_s=-3)
    log = sim.run(0.1)
    first = {name: log[name][0] for name in log.columns}
    expected = {
        "north_m": 1, "east_m": -2, "depth_m": 3, "roll_deg": 10, "pitch_deg": -20, "heading_deg": 300,
        "surge_m_s": 1, "sway_m_s": 0.2, "heave_m_s": -0.1,
        "roll_rate_deg_s": 1, "pitch_rate_deg_s": 2, "yaw_rate_deg_s": -3,
    }  # fmt: skip
    # angles go through a quaternion and back: rounding times 300
    assert {name: first[name] for name in expected} == pytest.approx(expected, abs=1e-12)
    attitude = sim.plant.quaternion
    sim.place(depth_m=7)
    assert sim.plant.position_n[2] == 7.0
    np.testing.assert_array_equal(sim.plant.quaternion, attitude)
    sim.place(heading_deg=0)
    np.testing.assert_allclose(np.degrees(sim.plant.euler)[2], 0.0, atol=1e-12)


def test_times_are_the_nearest_floats() -> None:
    log = pelagos.Simulation("phoenix").run(1.0)
    assert log.time_s.tolist() == [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]


def test_heading_north_does_not_flip() -> None:
    sim = pelagos.Simulation("phoenix")
    sim.place(heading_deg=-1e-12)
    assert sim.run(0.1)["heading_deg"][0] == 0.0
    sim.place(heading_deg=-1e-6)
    assert sim.run(0.1)["heading_deg"][0] == pytest.approx(360.0 - 1e-6, abs=1e-9)


def test_a_simulation_in_one_line(sim: pelagos.Simulation) -> None:
    sim.run(0.3)
    assert repr(sim) == f"Simulation of phoenix at 0.3 s: {sim.integrator}, step {sim.step_s:g} s, DirectControl"


@pytest.mark.parametrize("key", inputs.WORK)
def test_numbers_that_set_the_size_of_work_have_a_range(key):
    low, high = inputs.WORK[key]
    assert inputs.positive(key, high) == high
    for value in (1.01 * high, 1e300):
        assert f"{key} is {value:g}; expected {number_text(low, high, low == 0.0)}" in refused(
            inputs.positive, key, value
        )
    assert "expected a number" in refused(inputs.positive, key, 10**400)
