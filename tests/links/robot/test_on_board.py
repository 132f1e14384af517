"""A predictor on the robot: the received state is a start for it, and its prediction agrees with the simulation."""

import pytest
from pytest import approx

from pelagos.links.robot.vehicle import STATE
from pelagos.sim.predictor.prediction import PREDICTED
from pelagos.sim.predictor.predictor import Predictor
from pelagos.sim.predictor.state_input import ROBOT_LINK_KEYS
from tests.links.robot.linked import Client, served, tank_host

ORDERS = {
    "phoenix": {"thrusters": {"port_screw_rpm": 500.0, "bow_lateral_V": 6.0}, "surfaces": {"bow_rudders_deg": 8.0}},
    "bluerov2_heavy": {"thrusters": {"front_port": 0.5, "vertical_rear_port": 0.2}},  # its thrust lags
    "remus100": {"thrusters": {"propeller_rpm": 1200.0}, "surfaces": {"rudder_deg": -6.0}},
    "lrauv_tethys": {"thrusters": {"propeller_rpm": 250.0}, "surfaces": {"rudder_deg": 6.0}},
}


@pytest.mark.parametrize("vehicle", ORDERS)
def test_the_state_of_the_link_is_one_to_predict_from(vehicle):
    tables = {"name": "calm", "vehicle": vehicle, "start": {"depth_m": 6.0, "heading_deg": 30.0}, "duration_s": 60.0}
    orders = ORDERS[vehicle]
    with served(tank_host(tables)) as server, Client(server) as robot:
        robot.hello()
        for n in range(1, 6):
            answer = robot.ask("order", seq=n, **orders)
        came = [robot.ask("order", seq=n)["vehicles"][vehicle]["state"] for n in range(6, 26)]
    now = answer["vehicles"][vehicle]
    state = now["state"] | {"time_s": answer["time_s"]}
    foreseen = Predictor(vehicle).predict(state, orders, 2.0, actuators=now["actuators"])
    for name in ("north_m", "east_m", "depth_m", "heading_deg", "surge_m_s", "yaw_rate_deg_s"):
        # m, deg, s: degrees and rpm to SI and back cost the last digits
        assert foreseen[name][1:] == approx([after[name] for after in came], abs=1e-8), name
    assert came[-1]["surge_m_s"] > 0.01


def test_what_the_link_tells_and_a_log_does_not_is_named_in_full():
    logged = set(STATE) - set(ROBOT_LINK_KEYS)
    assert set(ROBOT_LINK_KEYS) < set(STATE) and not set(ROBOT_LINK_KEYS) & set(PREDICTED)
    Predictor("phoenix").predict({**dict.fromkeys(logged | set(ROBOT_LINK_KEYS), 0.0), "q0": 1.0}, {}, 0.1)
