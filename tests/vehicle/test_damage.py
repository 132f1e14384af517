"""A damaged vehicle against closed forms: weight and inertia of the water inside, thrust that is left."""

import numpy as np
import pytest

from pelagos.engine.core.layout import MODEL
from pelagos.vehicle.damage import damaged
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.pack.records import matrices_of
from pelagos.vehicle.plant import Plant


def test_flood_water_adds_its_mass_moment_and_inertia():
    plant = Plant(load_vehicle("bluerov2_heavy"))
    r, m = np.array([0.2, -0.1, 0.05]), 0.8
    wet = damaged(plant, plant.packed, {}, m, r)
    more = wet.mass_matrix - plant.packed.mass_matrix
    S = np.array([[0.0, -r[2], r[1]], [r[2], 0.0, -r[0]], [-r[1], r[0], 0.0]])
    expected = m * np.block([[np.eye(3), -S], [S, -S @ S]])  # a point mass, Fossen 2021 (3.24)
    assert more == pytest.approx(expected, abs=1e-12)
    record = wet.model.view(MODEL.dtype)[0]
    assert record["mass_inverse"].reshape(6, 6) @ wet.mass_matrix == pytest.approx(np.eye(6), abs=1e-12)
    assert matrices_of(wet.model[None].view(MODEL.dtype)[:, 0])[0] == pytest.approx(wet.mass_matrix, abs=1e-12)


def test_a_flooded_vehicle_sinks_with_the_weight_of_the_water():
    plant = Plant(load_vehicle("bluerov2_heavy"))
    before = plant.forces()["restoring"]
    plant.packed = damaged(plant, plant.packed, {}, 0.5, (0.3, 0.0, 0.0))
    more = plant.forces()["restoring"] - before
    g = float(plant.water["gravity"])
    assert more[2] == pytest.approx(0.5 * g, rel=1e-9)
    assert more[4] == pytest.approx(-0.3 * 0.5 * g, rel=1e-9)  # nose down
    assert np.abs(more[[0, 1, 3, 5]]).max() < 1e-9


@pytest.mark.parametrize("key", ["bluerov2_heavy", "remus100", "phoenix", "kaxan", "seagrant1"])
def test_a_weak_thruster_gives_its_share(key):
    """Curves, tables and lags on thrust alike: the wrench of one thruster alone is scaled."""
    vehicle = load_vehicle(key)
    shares = []
    for share in (1.0, 0.25):
        plant = Plant(vehicle)
        plant.packed = damaged(plant, plant.packed, {0: share}, 0.0, (0.0, 0.0, 0.0))
        drive = np.zeros(len(vehicle.thrusters))
        drive[0] = 0.6 * vehicle.thrusters[0].maximum
        plant.set_actuators(thrusters=drive, at_once=True)
        shares.append(plant.forces()["thrusters"])
    assert np.abs(shares[0]).max() > 0.1
    assert shares[1] == pytest.approx(0.25 * shares[0], rel=1e-9, abs=1e-12)


def test_no_damage_changes_nothing():
    plant = Plant(load_vehicle("remus100"))
    assert damaged(plant, plant.packed, {}, 0.0, (0.0, 0.0, 0.0)) is plant.packed


def test_a_tether_that_was_tied_stays_tied():
    plant = Plant(load_vehicle("bluerov2_heavy"))
    plant.attach_tether([0.0, 0.0, 0.0])
    assert damaged(plant, plant.packed, {0: 0.5}, 0.5, (0.0, 0.0, 0.0)).structure.tolist() == (
        plant.packed.structure.tolist()
    )
