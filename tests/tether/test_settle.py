"""Cold starts of usual setups: the ship at the surface above the vehicle, and a structure in between."""

from __future__ import annotations

import numpy as np
import pytest

from pelagos.tether.line import Line
from pelagos.tether.spec import Cable, Status, Tether
from pelagos.world.spec import World
from pelagos.world.structure import Structure

THIN = Cable(diameter_m=0.0076, neutral=True, stiffness_N=1e5)
HEAVY = Cable(diameter_m=0.03, mass_kg_m=2.0, stiffness_N=1e7)
SHIP, END = (0.0, 0.0, 0.0), (20.0, 0.0, 30.0)


@pytest.mark.parametrize("mode", ["dynamic", "static"])
@pytest.mark.parametrize("current", [0.05, 0.3, 1.0])
@pytest.mark.parametrize("vehicle", [(0.0, 0.0, 5.0), (-0.23, 0.0, 30.0), (20.0, 0.0, 5.0)])
def test_a_ship_at_the_surface_is_no_obstacle(mode, current, vehicle):
    """A neutral cable that leaves the ship along the surface floats there: it weighs something as soon as it rises."""
    line = Line(THIN, Tether(length_m=35.0, mode=mode), sea=World(depth_m=60.0).packed(), current_n=(0.0, current, 0.0))
    assert line.settle(vehicle, SHIP)
    assert not line.status & Status.NOT_CONVERGED
    wet = Line(THIN, Tether(length_m=35.0), sea=World(surface=False).packed(), current_n=(0.0, current, 0.0))
    wet.settle(vehicle, SHIP)
    # at most half an element hangs dry, 0.16 N of weight; without a surface nothing does
    np.testing.assert_allclose(line.force_on_vehicle_n, wet.force_on_vehicle_n, atol=0.2 + 0.02 * wet.head["largest"])


def test_half_out_of_the_water_it_hangs_by_its_weight():
    """A neutral cable from 10 m above the sea straight down to 10 m below, just not taut: the ship holds the dry half.

    10 m of 0.0465 kg/m are 4.56 N; the current of 1 cm/s that shapes the rest weighs nothing beside it.
    """
    line = Line(THIN, Tether(length_m=20.5), sea=World(depth_m=60.0).packed(), current_n=(0.01, 0.0, 0.0))
    line.settle((0.0, 0.0, 10.0), (0.0, 0.0, -10.0))
    dry = 10.0 * THIN.mass_in(1025.0) * 9.81
    assert line.force_on_ship_n[2] == pytest.approx(dry, rel=0.05)
    assert abs(line.force_on_vehicle_n[2]) < 0.1 * dry


def test_a_cable_is_laid_over_what_is_in_its_way():
    """A box where the free catenary would hang: it lies on top, and stays there when time goes on."""
    box = Structure(kind="box", center_m=(10.0, 0.0, 42.0), size_m=(8.0, 8.0, 16.0))
    line = Line(HEAVY, Tether(length_m=60.0), sea=World(surface=False, structures=(box,)).packed())
    assert line.settle(END, SHIP)
    assert line.status & Status.SNAGGED and not line.status & Status.NOT_CONVERGED
    for _ in range(500):
        line.step(0.02, np.array(END), np.zeros(3))
        line.follow(0.02, np.array(END))
    shape = line.shape_n
    inside = (np.abs(shape - (10.0, 0.0, 42.0)) < np.array([4.0, 4.0, 8.0]) - 0.02).all(axis=1)
    assert not inside.any()
    over = shape[(shape[:, 0] > 6.5) & (shape[:, 0] < 13.5)]
    assert len(over) > 3 and (over[:, 2] < 34.0).all()  # its top
    assert line.head["largest"] < 1000.0  # 60 m weigh 752 N


def test_a_pull_round_a_structure_is_not_called_unloaded():
    """Neutral, still water, drawn taut round a column although the chord is short."""
    column = Structure(kind="cylinder", from_m=(0.0, 0.0, -50.0), to_m=(0.0, 0.0, 50.0), radius_m=1.0, friction=0.3)
    line = Line(THIN, Tether(length_m=14.0, elements=40), sea=World(surface=False, structures=(column,)).packed())
    ship, end, velocity = (-5.0, -1.5, 0.0), np.array([-5.0, 1.5, 0.0]), np.array([-0.5, 0.0, 0.0])
    line.settle((5.0, -1.5, 0.0), ship)
    for corner in ((5.0, 1.5, 0.0), tuple(end)):  # round the far side and back
        start = line.shape_n[-1]
        way = np.array(corner) - start
        steps = max(1, round(float(np.linalg.norm(way)) / 0.02))
        for k in range(steps):
            line.step(0.02, start + k / steps * way, way / (0.02 * steps))
            line.follow(0.02, start + (k + 1) / steps * way)
    for k in range(200):
        line.step(0.02, end + k * 0.02 * velocity, velocity)
        line.follow(0.02, end + (k + 1) * 0.02 * velocity)
        if line.head["largest"] > 100.0:
            break
    assert line.head["largest"] > 100.0
    assert line.status & Status.SNAGGED and not line.status & Status.UNLOADED


def test_status_in_words():
    assert str(Status.OK) == "ok"
    assert str(Status.TAUT | Status.NOT_CONVERGED) == "taut, not converged"
