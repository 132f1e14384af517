"""Payout by the drum: deployed cable stays in place, lengths add up, and each rate is kept."""

import numpy as np
import pytest

from pelagos.errors import CommandError
from pelagos.tether.spec import Cable, Status
from pelagos.world.seabed.seabed import Seabed
from tests.tether.flown import DT, HEAVY, endless, fly, rigged, stay

LIGHT = Cable(diameter_m=0.02, mass_kg_m=0.34, stiffness_N=1e5, damping_Ns=200.0)
STIFF = Cable(diameter_m=0.02, mass_kg_m=0.5, stiffness_N=1e6)


def test_deployed_cable_does_not_slide_when_more_is_paid_out():
    """A slack, heavy cable hangs in a deep loop; what is paid out at the ship lengthens the leg at the ship only.

    The vehicle's leg moves as the loop's lowest point goes down, but its material does not run along it: the distance
    from the vehicle to a node is that of the cable between them, while 6 m come off the drum.
    """
    line = rigged(HEAVY, endless(), (0.0, 0.0, 0.0), (4.0, 0.0, 0.0), 40.0, elements=40, payout="rate", rate_m_s=0.1)
    before = line.shape_n
    nodes = len(before)
    stay(line, 60.0)
    assert line.length_m == pytest.approx(46.0, abs=1e-9)
    after = line.shape_n
    assert len(after) == nodes + 6
    # its vehicle's leg, 15 nodes from below: stretched by the weight of 3 m more, at most 20 N of 1e5 N over 15 m, and
    # swung inwards a little; sliding with the drum it would have moved by 6 m times 0.6
    assert np.abs(after[-15:, 2] - before[-15:, 2]).max() < 0.05


def test_in_still_water_the_nodes_near_the_vehicle_do_not_move_at_all():
    """A cable that lies on the ground: paying out at the ship leaves the far part untouched."""
    sea = endless(seabed=Seabed(depth_m=10.0, friction=0.6))
    line = rigged(HEAVY, sea, (0.0, 0.0, 0.0), (30.0, 0.0, 9.9), 40.0, elements=40, payout="rate", rate_m_s=0.1)
    stay(line, 20.0)
    before = line.shape_n
    stay(line, 30.0)
    np.testing.assert_allclose(line.shape_n[-15:], before[-15:], atol=1e-4)  # 3 m came off the drum meanwhile


@pytest.mark.slow
def test_lengths_add_up_over_many_splits_joins_and_renewals():
    line = rigged(LIGHT, endless(), (0.0, 0.0, 0.0), (0.0, 0.0, 4.5), 5.0, elements=20, payout="rate", rate_m_s=1.0)
    counts = []

    def check(q):
        lengths = q.nodes["length"][:-1]
        counts.append(int(q.head["n"]))
        assert lengths.sum() == pytest.approx(q.length_m, rel=1e-12)  # rounding of a sum
        assert lengths.min() > 0.0
        assert not q.status & Status.NOT_CONVERGED
        assert np.isfinite(q.shape_n).all()

    fly(line, (0.0, 0.0, 145.0), speed_m_s=0.95, each=check)
    out = line.length_m
    assert out == pytest.approx(5.0 + 1.0 * DT * len(counts), rel=1e-9)
    line.haul(rate_m_s=-1.0)
    fly(line, (0.0, 0.0, 4.5), speed_m_s=1.05, each=check)
    assert 10 <= min(counts) <= max(counts) <= 40  # half to twice the given number
    assert line.length_m == pytest.approx(out - 1.0 * DT * (len(counts) - round((out - 5.0) / DT)), rel=1e-9)


@pytest.mark.parametrize("rate", [0.2, -0.2])
def test_tension_does_not_jump_where_elements_come_or_go(rate):
    """A stiff cable bent by a current. Without making room the joining of two elements at 0.05 rad would cost 300 N."""
    ship, end = (0.0, 0.0, 0.0), (0.0, 0.0, 50.0)
    line = rigged(STIFF, endless(), ship, end, 55.0, elements=30, payout="rate", rate_m_s=rate)
    line.set_current((0.5, 0.0, 0.0))
    line.haul(fixed=True)
    stay(line, 60.0)
    line.haul(rate_m_s=rate)
    stay(line, 2.0)
    rows = []
    stay(line, 15.0, each=lambda q: rows.append((q.head["n"], q.head["tension_b"], q.head["tension_a"])))
    n, at_end, at_ship = np.array(rows).T
    changes = np.nonzero(np.diff(n))[0]
    assert len(changes) > 0
    usual = np.median(np.abs(np.diff(at_end)))  # what the drum changes in a step
    for k in changes:
        # 3 % of the tension: the shape near the ship differs by one node's place
        assert abs(at_end[k + 1] - at_end[k]) < 0.03 * at_end[k] + 10.0 * usual
        assert abs(at_ship[k + 1] - at_ship[k]) < 0.05 * at_ship[k] + 10.0 * usual


def test_ratio_follows_the_distance_and_the_pilot():
    line = rigged(LIGHT, endless(), (0.0, 0.0, 0.0), (3.0, 0.0, 10.0), 11.0, payout="ratio", ratio=1.3)
    fly(line, (20.0, 0.0, 15.0), speed_m_s=1.0)
    before_last = np.array([20.0, 0.0, 15.0]) - np.array([17.0, 0.0, 5.0]) / np.hypot(17.0, 5.0) * DT
    # of the place at the start of the last step: the drum is one step behind
    assert line.length_m == pytest.approx(1.3 * np.linalg.norm(before_last), rel=1e-3)
    line.haul(ratio=1.6)
    stay(line, 0.1)
    assert line.length_m == pytest.approx(1.6 * 25.0, rel=1e-9)


def test_the_drum_has_a_speed_a_shortest_and_a_longest_length():
    line = rigged(
        LIGHT, endless(), (0.0, 0.0, 0.0), (0.0, 0.0, 8.0), 9.0,
        payout="ratio", ratio=1.2, drum_speed_m_s=0.5, shortest_m=8.5, longest_m=12.0,
    )  # fmt: skip
    line.haul(ratio=2.0)
    stay(line, 2.0)
    assert line.length_m == pytest.approx(1.2 * 8.0 + 2.0 * 0.5, rel=1e-9)
    stay(line, 10.0)
    assert line.length_m == pytest.approx(12.0, rel=1e-9)
    with pytest.raises(CommandError, match=r"rate_m_s is -3; expected -0\.5 to 0\.5: the drum is no faster"):
        line.haul(rate_m_s=-3.0)
    line.haul(rate_m_s=-0.5)
    stay(line, 1.0)
    assert line.length_m == pytest.approx(11.5, rel=1e-9)
    stay(line, 10.0)
    assert line.length_m == pytest.approx(8.5, rel=1e-9)
    line.haul(fixed=True)
    stay(line, 1.0)
    assert line.length_m == pytest.approx(8.5, rel=1e-9)


@pytest.mark.parametrize("stiffness, elements", [(1e5, 33), (1e6, 33), (1e6, 8)])
def test_a_tension_winch_keeps_its_tension_while_it_can_follow(stiffness, elements):
    cable = Cable(diameter_m=0.02, mass_kg_m=0.34, stiffness_N=stiffness, damping_Ns=200.0)
    line = rigged(
        cable, endless(), (0.0, 0.0, 0.0), (9.0, 0.0, 0.0), 10.0,
        elements=elements, payout="tension", tension_N=100.0, drum_drag_Ns_m=5.0, drum_speed_m_s=1.0,
    )  # fmt: skip
    stay(line, 20.0)
    assert float(line.head["tension_a"]) == pytest.approx(100.0, rel=0.002)  # still creeping in by some mm/s
    pulls = []
    fly(line, (17.0, 0.0, 0.0), speed_m_s=0.4, each=lambda q: pulls.append(float(q.head["tension_a"])))
    np.testing.assert_allclose(pulls[100:], 102.0, rtol=0.01)  # T_set + drag x speed; a new element: below 1 %
    assert float(line.head["length_rate"]) == pytest.approx(0.4, rel=0.02)
    fly(line, (19.0, 0.0, 0.0), speed_m_s=1.5, each=lambda q: pulls.append(float(q.head["tension_a"])))
    assert float(line.head["length_rate"]) == pytest.approx(1.0, rel=1e-9)  # as fast as it turns
    assert pulls[-1] > 300.0


def test_a_tension_winch_takes_slack_in_at_its_full_speed():
    line = rigged(
        LIGHT, endless(), (0.0, 0.0, 0.0), (9.0, 0.0, 0.0), 14.0,
        elements=30, payout="tension", tension_N=100.0, drum_drag_Ns_m=5.0, drum_speed_m_s=1.0,
    )  # fmt: skip
    stay(line, 2.0)
    assert float(line.head["length_rate"]) == pytest.approx(-1.0, rel=1e-9)
    assert line.length_m == pytest.approx(12.0, abs=0.05)
    stay(line, 60.0)
    assert float(line.head["tension_a"]) == pytest.approx(100.0, rel=0.01)
    assert line.length_m == pytest.approx(9.0, abs=0.02)


def test_a_static_tension_winch_settles_at_its_tension():
    line = rigged(
        LIGHT, endless(), (0.0, 0.0, 0.0), (9.0, 0.0, 0.0), 9.5, mode="static",
        elements=20, payout="tension", tension_N=50.0, drum_drag_Ns_m=5.0, drum_speed_m_s=1.0,
    )  # fmt: skip
    stay(line, 60.0)
    assert float(line.head["tension_a"]) == pytest.approx(50.0, rel=0.02)


def test_orders_to_the_drum_are_one_at_a_time():
    line = rigged(LIGHT, endless(), (0.0, 0.0, 0.0), (9.0, 0.0, 0.0), 10.0)
    with pytest.raises(CommandError, match="command to haul is 'ratio, fixed'; expected one of"):
        line.haul(ratio=1.2, fixed=True)
    with pytest.raises(CommandError, match="command to haul is None"):
        line.haul()
