"""What the report says against what the layout is."""

from dataclasses import replace

import numpy as np
import pytest

from pelagos.control.allocation.allocation import Allocation
from pelagos.vehicle.library import list_vehicles
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.spec import Thruster


def screw(name: str, y: float) -> Thruster:
    return Thruster(name, (0.0, y, 0.1), (1.0, 0.0, 0.0), "force", -100.0, 100.0, linear=1.0)


def test_the_report_says_what_comes_with_what(rov):
    twin = replace(rov, thrusters=(screw("port", -0.2), screw("starboard", 0.2)))
    text = Allocation(twin).report()
    # r x d = (0, z, -y) = (0, 0.1, +-0.2): 0.1 N m of pitch with each newton of surge.
    assert "pitch  not commanded: it comes with +0.1 N m per N of surge" in text
    assert "2 thrusters, rank 2 of 6" in text


@pytest.mark.parametrize("name", [entry.key for entry in list_vehicles()])
def test_the_report_of_every_vehicle(name):
    allocation = Allocation(load_vehicle(name))
    text = allocation.report()
    assert text.count(" not commanded: ") == (6 - allocation.rank if allocation.n else 0)
    # Rank by the claims of axes and rank by singular values are two ways to count the same; 0.02 is the share that
    # must be new, and singular values are smaller than the new part of a row by at most the square root of six.
    rows = allocation.b / np.array([1, 1, 1, *[np.abs(allocation.b[3:]).max(initial=1e-9)] * 3])[:, None]
    sizes = np.linalg.svd(rows, compute_uv=False) if allocation.n else np.zeros(1)
    assert allocation.rank == np.sum(sizes > 0.02 / 6**0.5 * max(sizes[0], 1e-9))


def test_a_pump_is_named_with_what_it_feeds():
    text = Allocation(load_vehicle("seagrant1_pump")).report()
    assert "pump: port, starboard share 653 N" in text


def test_no_thrusters(glider):
    assert Allocation(glider).report() == "no thrusters: no axis is commanded by thrust"
