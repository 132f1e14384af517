"""Metadata, columns and samples of a simulation for its log."""

import numpy as np
import pytest

import pelagos
from pelagos.messages import Setpoint
from pelagos.sim.faults.effects import Faults
from pelagos.sim.faults.kinds import Leak
from pelagos.sim.metadata import meta_of
from pelagos.sim.simulation import Simulation


def test_world_and_method_are_spelled_out():
    world = pelagos.World(
        depth_m=20.0,
        waves=pelagos.Waves(kind="regular", height_m=0.5, period_s=6.0),
        structures=(pelagos.Structure(kind="sphere", name="float", center_m=(9.0, 9.0, 9.0), radius_m=1.0),),
    )
    meta = meta_of(pelagos.Simulation("remus100", world, seed=4))
    assert meta["seed"] == 4 and meta["vehicle"] == "remus100"
    assert meta["surface"] == "quadrature" and "height_m=0.5" in meta["waves"]
    assert meta["seabed"] == "flat" and meta["water_depth_m"] == 20.0 and meta["structures"] == "float"


def test_endless_and_without_surface():
    meta = meta_of(pelagos.Simulation("npsauv", pelagos.World(surface=False)))
    assert meta["surface"] == "none" and meta["water_depth_m"] == "endless" and meta["seabed"] == "none"
    assert meta_of(pelagos.Simulation("npsauv"))["surface"] == "submerged"


class Counts:
    """A controller with columns of its own."""

    columns = ("count", "twice")

    def __init__(self):
        self.n = 0

    def reset(self):
        self.n = 0

    def update(self, state, dt):
        self.n += 1
        return pelagos.Actuation()

    def values(self):
        return [float(self.n), 2.0 * self.n]


def everything():
    sim = Simulation("bluerov2_heavy", pelagos.World(depth_m=30.0), sensors=True, tether=True)
    sim.place(depth_m=10.0)
    sim.faults = Faults([Leak(at_s=0.0, rate_kg_s=0.1)], sim.vehicle)
    sim.control(Counts())
    return sim


def test_parts_stand_in_order_and_each_has_its_values():
    sim = everything()
    log = sim.run(1.0)
    names = list(log.columns)
    places = [names.index(n) for n in ("time_s", "tether_length_m", "depth_depth_m", "fault_leak", "count")]
    assert places == sorted(places)
    np.testing.assert_array_equal(log["count"], np.arange(11))
    np.testing.assert_array_equal(log["twice"], 2.0 * np.arange(11))
    # 0.1 kg/s from the start; the water that is in at a tick came before it
    np.testing.assert_allclose(np.diff(log["flooded_kg"][1:]), 0.01, atol=1e-9)
    assert len(set(names)) == len(names)


def test_a_sample_is_as_long_as_the_columns_and_says_now():
    sim = everything()
    sim.tick()
    row, forces = sim.sample()
    assert row.shape == (len(sim.columns()),) and forces.shape == (len(sim.terms()), 6)
    named = dict(zip(sim.columns(), row, strict=True))
    assert named["time_s"] == sim.time_s and named["depth_m"] == sim.plant.position_n[2]
    assert named["tether_length_m"] == sim.tether.length_m


def test_absent_parts_have_no_columns():
    sim = Simulation("lauv")
    names = sim.columns()
    assert not any(name.startswith(("tether", "fault", "est_", "imu")) for name in names)


def test_what_is_held():
    sim = Simulation("bluerov2_heavy")
    assert sim.held == Setpoint()
    sim.command(depth_m=3.0)
    assert sim.held.depth_m == 3.0
    odd = Counts()
    odd.setpoint = "north"
    sim.control(odd)
    assert sim.held == Setpoint()


def test_the_meta_data_name_vehicle_seed_and_step():
    meta = Simulation("lauv", seed=9, step_s=0.01).meta()
    assert (meta["vehicle"], meta["seed"], meta["step_s"]) == ("lauv", 9, pytest.approx(0.01))
