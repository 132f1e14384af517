"""Dives: all points are counted, points stay in place, a law without integral; the figure of six coordinates."""

from dataclasses import replace

import numpy as np
import pytest

from pelagos.control.autopilot.autopilot import Autopilot
from pelagos.engine.water.sea import HULL
from pelagos.messages import Setpoint
from pelagos.sim.simulation import Simulation
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import FreeSurfaceModel
from pelagos.world.spec import World
from pelagos_evidence.hunt import dives

IVER3 = load_vehicle("iver3")
CLOUD = replace(IVER3, free_surface=FreeSurfaceModel("monte_carlo", 2000))


def test_counted_points_are_really_asked():
    """A point taken out of a deep hull is missed only if every point is asked."""
    shares = []
    for counted in (False, True):
        plant = Plant(CLOUD, sea=World().packed())
        if counted:
            dives.count_every_point(plant.hull)
        head = plant.hull[: HULL.size].view(HULL.dtype)[0]
        first, n = int(head["points_at"]), int(head["n_points"])
        plant.hull[first + 3 * n] = 0.0  # its share of the volume
        plant.place(position_n=(0.0, 0.0, 5.0))
        shares.append(plant.local_water().wet_share)
    assert shares[0] == 1.0
    assert shares[1] == pytest.approx(1.0 - 1.0 / 2000.0, abs=2e-4)  # hull and mast have points of different volume
    assert shares[1] < 0.9999


def test_moving_the_points_moves_the_centre_of_buoyancy():
    plant = Plant(CLOUD, sea=World().packed())
    dives.count_every_point(plant.hull)
    plant.place(position_n=(0.0, 0.0, 5.0))
    before = plant.forces()["restoring"][4]
    dives.move_points(plant.hull, np.array([0.01, 0.0, 0.0]))
    buoyancy = IVER3.body.mass_kg * 9.81 + 3.53
    assert plant.forces()["restoring"][4] - before == pytest.approx(0.01 * buoyancy, rel=1e-9)


def test_raw_mean_is_off_by_chance():
    off = dives.raw_mean(IVER3, 2000) - np.array(IVER3.body.cb_b)
    assert 0.0 < np.abs(off[0]) < 5.0 * 0.55 / np.sqrt(2000.0)


def test_the_proportional_law_asks_for_pitch_in_proportion():
    sim = Simulation(IVER3)
    sim.place(depth_m=2.0, surge_m_s=1.3)
    autopilot = Autopilot(IVER3, sim.water)
    law = dives.ProportionalDepth(autopilot, 10.0)
    law.command(Setpoint(depth_m=1.5, heading_deg=0.0, speed_m_s=1.3))
    law.update(sim.state(), 0.05)
    assert autopilot.setpoint.pitch_deg == pytest.approx(5.0) and autopilot.setpoint.depth_m is None
    assert law.command(depth_m=50.0).heading_deg == 0.0  # what is not said stays
    law.update(sim.state(), 0.05)
    assert autopilot.setpoint.pitch_deg == -dives.PITCH_LIMIT_DEG
    law.reset()


@pytest.mark.parametrize("with_differences", [False, True])
def test_six_panels_and_six_more_for_differences(with_differences, monkeypatch):
    figures = []
    monkeypatch.setattr(dives, "drawn", lambda figure, name, caption, dpi: figures.append(figure))
    minutes, flight = np.linspace(0.0, 5.0, 20), np.random.default_rng(0).normal(size=(6, 20))
    off = {"off": 1e-13 * flight} if with_differences else None
    dives.dive_drawing("hunt-x", "", minutes, {"one": flight}, turns=[(1.0, 2.0)], differences=off)
    labels = [axes.get_ylabel() for axes in figures[0].axes]
    assert set(dives.NAMES) <= set(labels)
    assert set(labels) == set(dives.NAMES) | (set(dives.DELTAS) if with_differences else set())
    depth = figures[0].axes[labels.index("z (depth), m")]
    assert depth.yaxis_inverted()
    np.testing.assert_array_equal(depth.lines[0].get_ydata(), flight[2, :: dives.EVERY])
