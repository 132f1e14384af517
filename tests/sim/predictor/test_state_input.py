"""State input of a predictor: names of the log, true states, actuators known or assumed; refused states."""

import math

import numpy as np
import pytest
from pytest import approx

from pelagos import frames
from pelagos.errors import CommandError
from pelagos.messages import Estimate
from pelagos.sim.predictor.predictor import Predictor
from pelagos.sim.simulation import Simulation
from pelagos.world.spec import World

TURN = {"propeller_rpm": 1500.0, "rudder_deg": -5.0}
LINE = World(surface=False)


def test_a_line_of_a_log_is_a_state():
    orders = {"front_port": 0.5, "rear_starboard": -0.2, "vertical_rear_port": 0.1}
    sim, predictor = Simulation("bluerov2_heavy"), Predictor("bluerov2_heavy")
    sim.place(depth_m=5.0, heading_deg=20.0)
    sim.thrust(**orders)
    log = sim.run(4.0)
    foreseen = predictor.predict({name: log[name][10] for name in log.columns}, orders, 3.0)
    for name in ("north_m", "depth_m", "heading_deg", "thruster_front_port_N"):
        assert foreseen[name] == approx(log[name][10:], abs=1e-8)  # m, deg, N: degrees and back cost the last digits


def test_an_estimate_names_and_a_quaternion_are_the_same_state():
    angles, nu = (0.1, -0.2, 2.5), np.array([0.5, 0.1, -0.05, 0.01, 0.02, -0.03])
    estimate = Estimate(7.0, np.array([3.0, 4.0, 5.0]), *angles, nu, nu)
    motion = dict(zip(("surge_m_s", "sway_m_s", "heave_m_s"), nu[:3], strict=True))
    rates = dict(zip(("roll_rate_deg_s", "pitch_rate_deg_s", "yaw_rate_deg_s"), np.degrees(nu[3:]), strict=True))
    named = {"time_s": 7.0, "north_m": 3.0, "east_m": 4.0, "depth_m": 5.0, **motion, **rates}
    degrees = dict(zip(("roll_deg", "pitch_deg", "heading_deg"), np.degrees(angles), strict=True))
    turned = dict(zip(("q0", "q1", "q2", "q3"), frames.quaternion_from_euler(*angles), strict=True))
    predictor = Predictor("phoenix")
    first, *others = (
        predictor.predict(state, {}, 2.0) for state in (estimate, {**named, **degrees}, {**named, **turned})
    )
    assert first.time_s[0] == 7.0 and first.time_s[-1] == approx(9.0)
    for other in others:
        for name in first.columns:
            assert other[name] == approx(first[name], abs=1e-9, nan_ok=True), name  # degrees and back


def test_unknown_actuators_stand_where_they_are_ordered_known_ones_come_from_where_they_are():
    predictor, moving = Predictor("lauv"), {"depth_m": 5.0, "surge_m_s": 1.5}
    lag_s = predictor.vehicle.surfaces[0].time_constant_s
    rudder = predictor.vehicle.surfaces[0].name
    shaft = predictor.vehicle.thrusters[0]
    orders = {shaft.name: 0.5 * shaft.maximum, f"{rudder}_deg": -5.0}
    assumed = predictor.predict(moving, orders, 2.0)
    assert assumed[f"surface_{rudder}_deg"] == approx(-5.0)
    assert assumed[f"thruster_{shaft.name}_rpm"] == approx(0.5 * shaft.maximum * 30.0 / math.pi)
    positioned = predictor.predict(moving, orders, 2.0, actuators={f"surface_{rudder}_deg": 0.0})
    assert lag_s > 0.0
    # deg: a first-order lag, which the kernel has exactly
    assert positioned[f"surface_{rudder}_deg"] == approx(-5.0 * (1.0 - np.exp(-positioned.time_s / lag_s)), abs=1e-9)
    assert positioned[f"thruster_{shaft.name}_rpm"] == approx(assumed[f"thruster_{shaft.name}_rpm"])


def test_actuators_that_are_assumed_cost_their_lag():
    """At a steady speed the true turn follows as much later as the rudder lags."""
    predictor = Predictor("lauv", LINE)
    rudder, shaft = predictor.vehicle.surfaces[0], predictor.vehicle.thrusters[0]
    ahead_only = {shaft.name: 0.5 * shaft.maximum, f"{rudder.name}_deg": 0.0}
    steady = {"surge_m_s": predictor.predict({"surge_m_s": 1.0}, ahead_only, 120.0)["surge_m_s"][-1]}
    orders = {**ahead_only, f"{rudder.name}_deg": -1.0}
    guess = predictor.predict(steady, orders, 40.0)
    exact = predictor.predict(steady, orders, 40.0, actuators={f"surface_{rudder.name}_deg": 0.0})
    ahead = abs(guess["heading_deg"][-1] - exact["heading_deg"][-1])
    once_turning = abs(exact["yaw_rate_deg_s"][-1])
    # deg; the speed, and with it the rate of turn, still changes by some 1e-3
    assert ahead == approx(rudder.time_constant_s * once_turning, rel=5e-3)


BAD_STATES = [
    (5.0, "the state is 5"),
    ({"surge_m_s": 1.0}, "no depth_m"),
    ({"depth_m": 5.0, "surge": 1.0}, '"surge_m_s"'),
    ({"depth_m": math.nan}, "state depth_m is nan"),
    ({"depth_m": 5.0, "pitch_deg": 95.0}, "from -90 to 90"),
    ({"depth_m": 5.0, "q0": 1.0}, "state q1: is missing; expected a quaternion"),
    ({"depth_m": 5.0, "q0": 1.0, "q1": 1.0, "q2": 0.0, "q3": 0.0}, "unit quaternion"),
    ({"depth_m": 5.0, "surface_ruder_deg": 1.0}, '"surface_rudder_deg"'),
]


@pytest.mark.parametrize(("state", "sentence"), BAD_STATES, ids=[sentence for _, sentence in BAD_STATES])
def test_a_bad_state_is_one_sentence(state, sentence):
    with pytest.raises(CommandError) as problem:
        Predictor("remus100").predict(state, TURN)
    assert sentence in str(problem.value) and "\n" not in str(problem.value)


def test_a_state_that_cannot_be_is_refused():
    shallow = Predictor("remus100", World(depth_m=20.0))
    for state, sentence in (
        ({"depth_m": 25.0}, "state depth_m is 25; the water is 20 m deep"),
        ({"depth_m": 1e300}, r"state depth_m is 1e\+300; expected a number from"),
        ({"depth_m": 5.0, "surface_rudder_deg": 500.0}, "surface_rudder_deg is 500; expected -15 to 15"),
        ({"depth_m": 5.0, "thruster_propeller_rpm": -9e9}, "thruster_propeller_rpm is -9e"),
    ):
        with pytest.raises(CommandError, match=sentence):
            shallow.predict(state, TURN, 1.0)
    with pytest.raises(CommandError, match="surface_rudder_deg is -16; expected -15 to 15"):
        shallow.predict({"depth_m": 5.0}, TURN, 1.0, actuators={"surfaces": {"rudder_deg": -16.0}})
    sim = Simulation("remus100")
    sim.place(depth_m=25.0)
    far = Estimate(0.0, np.array([0.0, 0.0, 1e300]), 0.0, 0.0, 0.0, np.zeros(6), np.zeros(6))
    for state, sentence in ((sim.save(), "20 m deep"), (sim.state(), "20 m deep"), (far, "expected a number from")):
        with pytest.raises(CommandError, match=sentence):
            shallow.predict(state, TURN, 1.0)
    shallow.predict({"depth_m": 19.0, "surface_rudder_deg": 15.0}, TURN, 1.0)
