"""A batch moves vehicles as the scalar kernel does: all of the library, mixed, diverging, reset, saved and restored."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import pelagos
from pelagos.batch.batch import Batch
from pelagos.errors import CommandError
from pelagos.vehicle.library import list_vehicles
from pelagos.world.spec import World
from pelagos.world.waves import Waves
from tests.batch.started import started, turning_batch

KEYS = [entry.key for entry in list_vehicles()]
SECONDS = 2.0


@pytest.mark.parametrize("key", KEYS)
def test_every_vehicle_of_the_library_is_moved_as_by_the_scalar_kernel(key):
    """1e-12 of the size of each number after 100 steps: what rounding leaves; 9 vehicles: a block and one more."""
    batch = started(key, 9)
    begun = batch.groups[0].state.array.copy()
    batch.advance(SECONDS)
    assert batch.view.alive.all()
    group = batch.groups[0]
    after = group.state.rows()
    scale = 1.0 + np.abs(after).max(axis=0)
    for i in (0, 4, 8):
        plant = group.plant_of(np.array([i]))
        plant._state[:] = begun[i // 8, :, i % 8]
        for tick in range(round(SECONDS * 10.0)):
            plant.state["time"] = tick / 10.0
            assert plant.advance(batch.step_s, batch.n_steps) == batch.n_steps
        assert (np.abs(plant._state - after[i]) / scale)[:-10].max() < 1e-12  # the last ten are time and touch
    assert np.abs(after[:, :13] - begun.transpose(0, 2, 1).reshape(-1, begun.shape[1])[:9, :13]).max() > 0.1


@pytest.mark.parametrize("key", ["remus100", "bluerov2_heavy", "gavia", "lrauv_tethys"])
def test_single_precision_keeps_its_digits(key):
    """float32 has 6e-8 of 30 m; two seconds of motion multiply it by some hundreds at most."""
    exact, single = started(key, 17), started(key, 17, dtype="float32")
    for batch in (exact, single):
        batch.advance(SECONDS)
    np.testing.assert_allclose(single.view.position_n, exact.view.position_n, atol=1e-4)
    np.testing.assert_allclose(single.view.nu, exact.view.nu, atol=2e-4)
    assert single.groups[0].state.array.dtype == np.float32


def test_mixed_vehicles_move_as_each_by_itself():
    kinds = ["remus100", "bluerov2_heavy", "remus100", "slocum", "bluerov2_heavy"]
    mixed = Batch(kinds)
    assert [mixed.vehicles[k].key for k in mixed.kind] == kinds
    mixed.place(depth_m=np.arange(10.0, 15.0), surge_m_s=0.5)
    mixed.advance(1.0)
    for key in set(kinds):
        mine = [i for i, other in enumerate(kinds) if other == key]
        alone = Batch(key, len(mine), step_s=mixed.step_s)
        alone.place(depth_m=np.arange(10.0, 15.0)[mine], surge_m_s=0.5)
        alone.advance(1.0)
        np.testing.assert_array_equal(mixed.view.position_n[mine], alone.view.position_n)
        np.testing.assert_array_equal(mixed.view.nu_r[mine], alone.view.nu_r)


def test_a_vehicle_that_diverges_is_reported_by_number_and_stays():
    batch, other = started("bluerov2_heavy", 12), started("bluerov2_heavy", 12)
    batch.set_external([3e4, 0.0, 0.0, 0.0, 0.0, 0.0], where=[5])
    for each in (batch, other):
        each.advance(1.0)
    others = np.arange(12) != 5
    np.testing.assert_array_equal(batch.view.position_n[others], other.view.position_n[others])
    assert not batch.view.alive[5] and batch.view.alive[others].all()
    (failure,) = batch.failures
    assert failure.index == 5 and 0.0 <= failure.time_s < 1.0 and "largest force was coefficients, X" in failure.message
    assert batch.view.time_s[5] == failure.time_s and (batch.view.time_s[others] == 1.0).all()
    where = batch.view.position_n[5].copy()
    batch.set_external(np.zeros(6))
    batch.advance(0.5)
    np.testing.assert_array_equal(batch.view.position_n[5], where)
    assert len(batch.failures) == 1 and np.isfinite(batch.view.nu).all()
    batch.reset([5])
    assert batch.view.alive.all() and batch.view.time_s[5] == 0.0 and not batch.failures
    batch.advance(0.5)
    assert batch.view.time_s[5] == 0.5 and batch.view.time_s[0] == 2.0


def test_selected_vehicles_are_reset_and_all_restored():
    batch = started("remus100", 20)
    batch.advance(1.0)
    saved, place = batch.save(), batch.view.position_n
    batch.reset(np.arange(20) < 3)
    assert (batch.view.position_n[:3] == 0.0).all() and (batch.view.position_n[3:] == place[3:]).all()
    assert (batch.view.time_s == np.where(np.arange(20) < 3, 0.0, 1.0)).all()
    batch.restore(saved)
    batch.advance(1.0)
    once = batch.view.position_n
    batch.restore(saved)
    batch.advance(1.0)
    np.testing.assert_array_equal(batch.view.position_n, once)


def test_vehicles_that_differ_in_gravity_have_their_own_waves():
    """The dispersion of waves depends on gravity: mixed, each is in the waves it is in alone."""
    earth = pelagos.load_vehicle("remus100")
    light = dataclasses.replace(earth, water=dataclasses.replace(earth.water, gravity_m_s2=8.0))
    world = World(waves=Waves(height_m=1.0, period_s=6.0, components=4))
    mixed, alone = Batch([earth, light], world=world), Batch(light, 1, world)
    for batch in (mixed, alone):
        batch.place(depth_m=3.0)
        batch.advance(2.0)
    np.testing.assert_array_equal(mixed.view.position_n[1], alone.view.position_n[0])


def test_a_factor_that_one_vehicle_lacks_changes_none():
    batch = Batch(["remus100", "bluerov2_heavy"])
    before = batch.groups[0].model_rows(np.array([0]))
    with pytest.raises(CommandError, match="bluerov2_heavy has no such parameter"):
        batch.scale("Y_uv", 2.0)
    np.testing.assert_array_equal(batch.groups[0].model_rows(np.array([0])), before)


def test_it_is_part_of_the_package():
    assert pelagos.Batch is Batch and "Batch" in dir(pelagos)


@pytest.mark.parametrize("scaled_before", [False, True])
def test_restore_includes_factors(scaled_before):
    batch = started("remus100", 9)
    if scaled_before:
        batch.scale("Y_uv", 1.5, where=[2])
    saved = batch.save()
    batch.advance(1.0)
    once = batch.view.nu
    batch.scale("damping", np.linspace(0.5, 2.0, 9))
    batch.restore(saved)
    batch.advance(1.0)
    np.testing.assert_array_equal(batch.view.nu, once)
    batch.scale("mass", 1.1)  # what was saved is no part of the batch
    batch.restore(saved)
    batch.advance(1.0)
    np.testing.assert_array_equal(batch.view.nu, once)


def test_a_state_fits_an_equal_batch():
    first, second = turning_batch(), turning_batch()
    first.scale("thrust", 1.2)
    first.advance(1.0)
    second.restore(first.save())
    for batch in (first, second):
        batch.advance(1.0)
    np.testing.assert_array_equal(first.view.position_n, second.view.position_n)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (lambda: 3, "was not made by Batch.save"),
        (dict, "was not made by Batch.save"),
        (lambda: Batch("bluerov2_heavy", 2).save(), r"made by: Batch of 2 \(bluerov2_heavy\)"),
        (lambda: Batch("remus100", 3).save(), "Batch of 3"),
        (lambda: Batch("remus100", 2, dtype="float32").save(), "float32; expected one of this batch: .* float64"),
        (lambda: Batch(["lauv", "remus100"]).save(), r"\(lauv, remus100\)"),
    ],
)
def test_states_of_other_batches_are_refused(wrong, says):
    with pytest.raises(CommandError, match=says):
        Batch("remus100", 2).restore(wrong())
