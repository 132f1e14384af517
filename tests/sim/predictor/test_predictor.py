"""The predictor against the simulation: the same bits from the same state; closed forms from partial states."""

import copy
import math

import numpy as np
import pytest
from pytest import approx

from pelagos.errors import CommandError, DivergedError
from pelagos.sim.predictor.predictor import Predictor
from pelagos.sim.simulation import Simulation
from pelagos.world.current.kinds import GaussMarkov
from pelagos.world.spec import World
from pelagos.world.waves import Waves

TURN = {"propeller_rpm": 1500.0, "rudder_deg": -5.0}
ORDERS = {
    "phoenix": {"port_screw_rpm": 500.0, "starboard_screw_rpm": 400.0, "stern_rudders_deg": 10.0, "bow_lateral_V": 6.0},
    "remus100": TURN,
    "bluerov2_heavy": {"front_port": 0.5, "rear_starboard": -0.2, "vertical_rear_port": 0.1},
    "slocum": {"buoyancy_engine_cm3": -200.0},
}
LINE = World(surface=False)


def pushed(seconds):
    return 0.1 * math.sin(seconds), 0.05 * seconds, 0.0


WORLDS = {
    "still": lambda: World(),
    "stream": lambda: World(current_m_s=0.3, current_to_deg=70.0, depth_m=60.0),
    "waves": lambda: World(waves=Waves(height_m=0.6, period_s=5.0, to_deg=30.0), depth_m=40.0),
    "function": lambda: World(current=pushed),
    "random": lambda: World(currents=(GaussMarkov(speed_m_s=0.2, to_deg=10.0, sigma_m_s=0.1, time_constant_s=20.0),)),
}


def order(sim, orders):
    names = {"thrust": sim.vehicle.thrusters, "deflect": sim.vehicle.surfaces, "ballast": sim.vehicle.ballast}
    for verb, items in names.items():
        mine = {k: v for k, v in orders.items() if any(k.startswith(item.name) for item in items)}
        if mine:
            getattr(sim, verb)(**mine)


def under_way(vehicle, world, seconds=3.7, **how):
    sim = Simulation(vehicle, world, **how)
    sim.place(depth_m=5.0, heading_deg=20.0, **({"surge_m_s": 0.8} if vehicle != "slocum" else {}))
    order(sim, {k: 0.5 * v for k, v in ORDERS[vehicle].items()})
    sim.run(seconds)
    return sim


@pytest.mark.slow
@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("vehicle", ORDERS)
def test_from_a_saved_state_it_is_the_simulation_to_the_last_bit(vehicle, world):
    sim = under_way(vehicle, WORLDS[world]())
    foreseen = Predictor(vehicle, WORLDS[world]()).predict(sim.save(), ORDERS[vehicle], 8.0)
    order(sim, ORDERS[vehicle])
    log = sim.run(8.0)
    assert foreseen.time_s.tolist() == log.time_s.tolist()
    for name in ("north_m", "east_m", "depth_m", "q0", "q1", "q2", "q3", "surge_m_s", "yaw_rate_deg_s"):
        assert np.array_equal(foreseen[name], log[name]), name
    for name in foreseen.columns:  # angles are made from the same quaternion in another way: rounding
        assert foreseen[name] == approx(log[name], abs=1e-9, nan_ok=True), name
    assert np.array_equal(foreseen.instant().row, sim.plant.save()["state"])


@pytest.mark.slow
@pytest.mark.parametrize("how", [{"integrator": "adaptive"}, {"integrator": "euler", "step_s": 0.05},
                                 {"kinematics": "euler", "integrator": "brutzman_printed"}], ids=str)  # fmt: skip
def test_it_equals_the_simulation_by_every_method(how):
    sim = under_way("phoenix", World(), **how)
    foreseen = Predictor("phoenix", World(), **how).predict(sim.save(), ORDERS["phoenix"], 5.0)
    order(sim, ORDERS["phoenix"])
    sim.run(5.0)
    assert np.array_equal(foreseen.instant().row, sim.plant.save()["state"])


def test_a_schedule_is_orders_given_one_after_the_other():
    sim, predictor = under_way("remus100", World()), Predictor("remus100")
    steps = [(0.0, TURN), (2.0, {"rudder_deg": 8.0}), (2.3, {"surfaces": {"stern_planes_deg": 2.0}})]
    foreseen = predictor.predict(sim.save(), steps, 5.0)
    order(sim, TURN)
    sim.run(2.0)
    sim.deflect(rudder_deg=8.0)
    sim.run(0.3)
    sim.deflect(stern_planes_deg=2.0)
    sim.run(2.7)
    assert np.array_equal(foreseen.instant().row, sim.plant.save()["state"])


def test_it_starts_again_from_any_state():
    sim, predictor = under_way("remus100", World()), Predictor("remus100")
    whole = predictor.predict(sim.save(), [(0.0, TURN), (4.0, {"rudder_deg": 3.0})], 6.0)
    again = predictor.predict(whole.instant(40), {"rudder_deg": 3.0}, 2.0)  # the propeller keeps its command
    assert np.array_equal(again.instant().row, whole.instant().row)
    assert again.time_s == approx(whole.time_s[40:])
    by_name = predictor.predict(whole.at(40), {**TURN, "rudder_deg": 3.0}, 2.0)
    # m: all that matters has a name in the log; degrees and back cost the last digits
    assert by_name["north_m"][-1] == approx(whole["north_m"][-1], abs=1e-9)


def test_nothing_that_is_given_changes():
    sim, predictor = under_way("phoenix", World()), Predictor("phoenix")
    saved, orders, state = sim.save(), [(0.0, dict(ORDERS["phoenix"]))], sim.state()
    before = copy.deepcopy((saved["plant"], orders, state.pos_n, state.nu))
    first = predictor.predict(saved, orders, 3.0)["north_m"]
    predictor.predict(state, ORDERS["phoenix"], 3.0)
    for part, kept in before[0].items():
        assert np.array_equal(saved["plant"][part], kept)
    assert orders == before[1]
    assert np.array_equal(state.pos_n, before[2]) and np.array_equal(state.nu, before[3])
    assert np.array_equal(predictor.predict(saved, orders, 3.0)["north_m"], first)  # and nothing of it stays behind


def test_many_candidates_are_as_many_predictions():
    predictor, start = Predictor("phoenix", LINE), {"surge_m_s": 0.5}
    ahead = {"port_screw_rpm": 400.0, "starboard_screw_rpm": 400.0}
    candidates = [{**ahead, "stern_rudders_deg": angle} for angle in (-10.0, 0.0, 10.0)]
    together = predictor.predict_many(start, candidates, 6.0, every_s=0.5)
    for prediction, orders in zip(together, candidates, strict=True):
        alone = predictor.predict(start, orders, 6.0, every_s=0.5)
        assert np.array_equal(prediction.instant().row, alone.instant().row)
    turned = [(prediction["heading_deg"][-1] + 180.0) % 360.0 - 180.0 for prediction in together]
    assert abs(turned[0]) > 3.0 and abs(turned[1]) < 1e-6  # deg
    assert turned[2] == approx(-turned[0], rel=1e-6)  # the hull is the same on both sides


def test_it_comes_to_rest_by_the_closed_form():
    # m u' = -(a u + b u|u|): x = (m / b) log(1 + (b u0 / a) (1 - exp(-a t / m))), with the numbers of the file
    predictor, u0, t = Predictor("bluerov2_heavy", LINE), 0.5, 5.0
    foreseen = predictor.predict({"surge_m_s": u0}, {}, t)
    a, b, m = 13.7, 141.0, 13.5 + 6.36
    x = m / b * math.log(1.0 + b * u0 / a * (1.0 - math.exp(-a * t / m)))
    assert foreseen["north_m"][-1] == approx(x, rel=0.01)  # 1 %: it rises and pitches a little meanwhile


def test_a_drifting_vehicle_follows_the_given_current():
    predictor = Predictor("bluerov2_heavy", LINE)
    foreseen = predictor.predict({"surge_m_s": 0.0, "sway_m_s": 0.25}, {}, 10.0, current_n=(0.0, 0.25, 0.0))
    # m: it moves with the water, so that no force acts but a little buoyancy; 10 s at 0.25 m/s
    assert foreseen["east_m"][-1] == approx(2.5, abs=0.02)
    assert foreseen["north_m"][-1] == approx(0.0, abs=0.02)
    sim = Simulation("bluerov2_heavy", World(current_m_s=0.3, current_to_deg=120.0))
    sim.place(depth_m=5.0, heading_deg=33.0, pitch_deg=10.0)
    flow = Predictor.current_of(sim.state())
    assert flow == approx([0.3 * math.cos(math.radians(120.0)), 0.3 * math.sin(math.radians(120.0)), 0.0], abs=1e-12)


def test_it_foresees_a_collision_and_the_altitude():
    predictor = Predictor("bluerov2_heavy", World(depth_m=10.0))
    verticals = [t for t in predictor.vehicle.thrusters if t.name.startswith("vertical")]
    orders = {t.name: 0.6 * math.copysign(1.0, t.direction_b[2]) for t in verticals}
    foreseen = predictor.predict({"depth_m": 9.0}, orders, 8.0)
    assert foreseen["altitude_m"] == approx(10.0 - foreseen["depth_m"])
    assert foreseen["contact_N"][0] == 0.0 and np.isnan(foreseen["contact_with"][0])
    assert foreseen["contact_N"][-1] > 10.0  # N: it is pushed against the bottom
    assert foreseen["contact_with"][-1] == -1.0  # the seabed


def test_bad_settings_are_one_sentence():
    predictor, state = Predictor("remus100"), {"depth_m": 5.0}
    for bad, sentence in (
        ({"horizon_s": 0.0}, "horizon_s is 0"),
        ({"every_s": -1.0}, "every_s is -1"),
        (
            {"horizon_s": 1e7, "every_s": 1e-3},
            "one every 0.001 s for 1e+07 s is 1e+10; expected at most",
        ),
        ({"current_n": (1.0, 2.0)}, "current_n is (1.0, 2.0); expected 3 numbers"),
        ({"actuators": {"surface_fin_deg": 1.0}}, "the state has no key 'surface_fin_deg'"),
    ):
        with pytest.raises(CommandError) as problem:
            predictor.predict(state, TURN, **bad)
        assert sentence in str(problem.value)
    for bad in ({"integrator": "rk5"}, {"step_s": 0.0}, {"kinematics": "matrix"}, {"user_force": 3}):
        with pytest.raises(CommandError):
            Predictor("remus100", **bad)
    other = under_way("phoenix", World()).save()
    with pytest.raises(CommandError, match="vehicle of the state is 'phoenix'; expected 'remus100'"):
        predictor.predict(other, TURN)
    with pytest.raises(CommandError, match=r"no column 'heading'.*did you mean .heading_deg"):
        predictor.predict(state, TURN, 0.2)["heading"]
    towed = Simulation("bluerov2_heavy", World(depth_m=50.0), tether=True)
    towed.place(depth_m=10.0)
    with pytest.raises(CommandError, match="saved with a tether"):
        Predictor("bluerov2_heavy").predict(towed.save())


def test_a_diverging_motion_is_reported():
    with pytest.raises(DivergedError, match=r"diverged at .*try a smaller one"):
        Predictor("remus100", step_s=5.0, integrator="euler").predict({"depth_m": 50.0, "surge_m_s": 250.0}, TURN, 60.0,
                                                                      every_s=5.0)  # fmt: skip
