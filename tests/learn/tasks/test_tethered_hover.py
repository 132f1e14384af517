"""The tethered task is the vehicle on a tether: the same motion as one `Simulation` with its ship at the same place."""

import numpy as np
import pytest

import pelagos
from pelagos.learn.env import VectorEnvironment
from pelagos.learn.tasks.tethered_hover import AWAY_M, TetheredHover


def test_the_vehicle_moves_as_in_a_simulation_on_the_same_tether():
    envs = VectorEnvironment("TetheredHover", 2, randomise={"current_m_s": 0.5})
    envs.reset(seed=2)
    place, euler, flow = envs.motion.position_n[1].copy(), envs.motion.euler[1].copy(), envs.batch.view.current_n[1]
    north, east, _ = envs.batch.tethers.ship_n[1]
    assert np.hypot(north, east) == pytest.approx(AWAY_M)
    to = float(np.degrees(np.arctan2(flow[1], flow[0])))
    world = pelagos.World(depth_m=40.0, current_m_s=0.5, current_to_deg=to)
    rigged = pelagos.Tether(
        length_m=TetheredHover.tether.length_m, elements=TetheredHover.tether.elements,
        ship_north_m=float(north), ship_east_m=float(east),
    )  # fmt: skip
    sim = pelagos.Simulation("bluerov2_heavy", world, tether=rigged)
    sim.plant.place(position_n=place, euler=euler.tolist())
    for _ in range(30):
        _, _, _, _, infos = envs.step(np.zeros((2, 8), np.float32))
        sim.tick()
    assert np.linalg.norm(sim.plant.position_n - place) > 0.3  # it is carried off
    # the same equations in another order of rounding; the direction of the current goes through degrees and back
    assert envs.batch.view.position_n[1] == pytest.approx(sim.plant.position_n, abs=1e-6)
    assert infos["tether_N"][1] == pytest.approx(float(sim.tether.head["tension_b"]), rel=1e-4)
