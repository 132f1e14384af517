"""Before the first tick: each run stands and is told as it would be alone."""

import numpy as np

from pelagos.campaign.vectorised.flight import PreparedRun, still
from pelagos.scenario.build import prepare
from tests.campaign.batched_cases import LINE, ORDERS, case


def test_runs_stand_where_they_stand_alone_to_the_bit():
    runs = [
        case(LINE, start__heading_deg=17.0, start__roll_deg=5.0),
        case(LINE, start={"altitude_m": 4.0, "surge_m_s": 1.1, "yaw_rate_deg_s": 3.0}, world__current_m_s=0.4),
    ]
    ready = PreparedRun(runs, [{}, {}])
    for i, scenario in enumerate(runs):
        plant = prepare(scenario).fleet.sims[0].plant
        assert np.array_equal(ready.batch.position_n[i], plant.position_n)
        assert np.array_equal(ready.batch.quaternion[i], plant.quaternion)
        assert np.array_equal(ready.batch.nu[i], plant.nu)
        # turned into the body and back
        assert np.allclose(ready.batch.current_n[i], scenario.world.current_n(0.0), rtol=1e-14, atol=1e-16)
    assert ready.held[:, 0].tolist() == [7.0, 7.0] and ready.mission is not None and not ready.problems


def test_direct_orders_are_read_in_their_units():
    ready = PreparedRun([case(ORDERS), case(ORDERS, control__thrust={"propeller_rpm": 600.0})], [{}, {}])
    told = ready.demand(None)
    assert told.thrusters[:, 0].tolist() == [900.0 * np.pi / 30.0, 600.0 * np.pi / 30.0]
    assert np.isnan(ready.held).all()


def test_a_setpoint_that_may_be_left_out_is_left_out():
    kept = case(LINE, mission=[], control={"roll_deg": 3.0, "depth_m": 4.0, "if_possible": ["roll_deg"]})
    ready = PreparedRun([kept], [{}])
    assert not ready.problems and np.isnan(ready.held[0, 4]) and ready.held[0, 0] == 4.0


def test_the_sea_of_a_batch_has_no_uniform_current():
    world = case(LINE).world
    assert still(world).current_n(0.0).tolist() == [0.0, 0.0, 0.0] and still(world).depth_m == world.depth_m


def test_a_run_that_is_refused_does_not_stand_in_the_way():
    """Also where the origin, at which vehicles begin, lies inside something."""
    block = {"kind": "box", "name": "block", "center_m": [0.0, 0.0, 0.0], "size_m": [4.0, 4.0, 4.0]}
    starts = ({"north_m": 30.0, "depth_m": 7.0}, {"depth_m": 1.0})  # the second is in the block
    runs = [case(LINE, world__structure=[block], start=start) for start in starts]
    ready = PreparedRun(runs, [{}, {}])
    assert list(ready.problems) == [1]
    ready.batch.tick()
    assert ready.batch.alive.all() and ready.batch.position_n[0, 0] > 29.0
