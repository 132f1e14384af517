"""A cable swept against a thin bar or a column at 2 and 5 m/s, slack or taut, never comes out on the other side."""

import math

import numpy as np
import pytest

from pelagos.tether.line import Line
from pelagos.tether.spec import Cable, Status, Tether
from pelagos.world.structure import Structure
from tests.tether.flown import endless, fly, stay

CABLE = Cable(diameter_m=0.01, mass_kg_m=0.12, stiffness_N=1e5, damping_Ns=50.0)


def passes(shape_n, towards):
    """How often, with sign, a polyline crosses the half plane that goes out from the east axis along `towards`."""
    along = np.array(towards) / np.linalg.norm(towards)
    beside = np.cross((0.0, 1.0, 0.0), along)
    a, b = shape_n @ along, shape_n @ beside
    before, after = b[:-1] > 0.0, b[1:] > 0.0
    where = np.nonzero(before != after)[0]
    share = b[where] / (b[where] - b[where + 1])
    ahead = a[where] + share * (a[where + 1] - a[where]) > 0.0
    return int(np.sum(np.where(after[where], 1, -1) * ahead))


def bar(radius):
    """A bar along the east axis."""
    return Structure(kind="cylinder", from_m=(0.0, -60.0, 0.0), to_m=(0.0, 60.0, 0.0), radius_m=radius, friction=0.3)


def until_taut(length, above, below, heading):
    """How far to fly until a cable from `above` the bar, over it, to `below` it is stretched by 2 %."""
    far = np.linspace(0.0, 60.0, 6001)
    north, east = far * math.cos(heading), far * math.sin(heading)
    return float(far[np.argmax(np.hypot(above + np.hypot(below, north), east) > 1.02 * length)])


@pytest.mark.slow
@pytest.mark.parametrize("speed", [2.0, 5.0])
@pytest.mark.parametrize("radius", [0.05, 0.5])
@pytest.mark.parametrize("slack", [1.01, 1.2, 1.6])
def test_a_bar_is_never_passed_through(speed, radius, slack):
    """The cable hangs south of the bar; its lower end is flown north until it is stretched over the bar.

    Topology tells: in all steps the cable still passes the bar on its south side; else it has gone through.
    """
    sea, south = endless(bar(radius)), -radius - 0.3
    for element in (0.3, 1.0, 2.5):
        for heading in (0.0, 0.7, 1.2):
            for above, below in ((4.0, 6.0), (10.0, 3.0)):
                length = slack * (above + below)
                line = Line(CABLE, Tether(length_m=length, elements=max(4, int(length / element))), sea=sea)
                end = np.array((south, 0.0, below))
                assert line.settle(end, ship_n=(south, 0.0, -above))
                assert passes(line.shape_n, (-1.0, 0.0, 0.0)) == 1
                far, rows = until_taut(length, above, below, heading), []
                way = far * np.array([math.cos(heading), math.sin(heading), 0.0])
                fly(
                    line, end + way, speed_m_s=speed,
                    each=lambda q, to=rows: to.append((passes(q.shape_n, (-1.0, 0.0, 0.0)), float(q.head["largest"]))),
                )  # fmt: skip
                stay(line, 3.0)  # water holds a cable back that has been swept so fast
                case = (element, heading, above, below)
                assert {count for count, _ in rows} == {1}, case
                assert np.isfinite([pull for _, pull in rows]).all(), case
                assert line.status & Status.SNAGGED, case


@pytest.mark.parametrize("speed", [2.0, 5.0])
@pytest.mark.parametrize("element", [0.3, 1.0])
def test_flown_round_a_bar_and_back_it_is_free_again(speed, element):
    line = Line(CABLE, Tether(length_m=12.0, elements=int(12.0 / element)), sea=endless(bar(0.05)))
    assert line.settle((-0.5, 0.0, 5.0), ship_n=(-0.5, 0.0, -6.0))
    there = [(3.0, 0.0, 5.0), (5.0, 0.0, 0.0), (4.5, 0.0, -3.8)]
    fly(line, *there, speed_m_s=speed)
    fly(line, (4.6, 0.0, -3.9), speed_m_s=0.5)
    assert float(line.head["wrap"]) > 1.5  # rad: up again beyond the bar
    assert line.status & Status.SNAGGED
    fly(line, *reversed(there), (-0.5, 0.0, 5.0), (-6.0, 0.0, 4.0), speed_m_s=speed)
    assert float(line.head["wrap"]) == 0.0
    assert not line.status & Status.SNAGGED
