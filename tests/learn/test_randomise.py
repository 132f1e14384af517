"""Domain randomisation: draws are in range, belong to one environment, and end with their episode."""

from pathlib import Path

import numpy as np
import pytest

from pelagos.batch.batch import Batch
from pelagos.learn.env import VectorEnvironment
from pelagos.learn.randomise import Draws
from pelagos.vehicle.load.vehicle import changed_vehicle

N = 64


def test_currents_and_factors_are_drawn_in_their_ranges():
    envs = VectorEnvironment("StationKeeping", N, randomise={"current_m_s": (0.1, 0.5), "damping": (0.5, 2.0)})
    envs.reset(seed=0)
    speed = np.linalg.norm(envs.batch.view.current_n, axis=1)
    assert speed.min() >= 0.1 and speed.max() <= 0.5 and np.ptp(speed) > 0.3  # 64 draws fill most of the range
    assert np.linalg.norm(envs.batch.view.current_n.mean(axis=0)) < 0.15  # from all sides
    plain = VectorEnvironment("StationKeeping", N, randomise={})
    plain.reset(seed=0)
    assert not plain.batch.view.current_n.any()


def test_a_factor_acts_and_does_not_outlive_its_episode():
    """Half the thrust is half the first acceleration; after a reset without faults it is whole again, bit for bit."""
    ahead = np.array([[0.5, 0.0, 0.0, 0.0, 0.0, 0.0]], np.float32)

    def gained(envs):
        envs.reset(seed=3)
        envs.step(ahead)
        return envs.batch.view.nu[0, :3].copy()

    weak = VectorEnvironment("StationKeeping", 1, action="wrench", randomise={"thrust": 0.5})
    whole = gained(VectorEnvironment("StationKeeping", 1, action="wrench", randomise={}))
    half = gained(weak)
    # drag of one tenth of a second is small against the push; heave is buoyancy and not thrust
    assert half[:2] == pytest.approx(0.5 * whole[:2], rel=0.1, abs=1e-3)
    assert np.array_equal(gained(weak), half)  # factors are set anew, they do not multiply up
    assert np.linalg.norm(whole[:2]) > 0.01


def test_a_coefficient_is_the_number_of_the_file():
    """Also where the file's number holds a part of the added mass: N_uv of remus100, -24 and -34.57 of it."""
    envs = VectorEnvironment("DepthHeading", 2, randomise={"N_uv": 1.2})
    envs.reset(seed=0)
    changed = changed_vehicle("remus100", {"hydro": {"coefficients": {"N_uv": -24.0 * 1.2}}}, "changed", Path())
    expected = Batch(changed, 2, world=envs.batch.world).groups[0].model_rows(np.arange(2))
    models = envs.batch.groups[0].model_rows(np.arange(2))
    np.testing.assert_allclose(models, expected, rtol=1e-12)


def test_noise_is_that_of_the_fields_and_new_at_every_step():
    calm = VectorEnvironment("StationKeeping", N, randomise={})
    noisy = VectorEnvironment("StationKeeping", N, randomise={"noise": 2.0})
    zero = np.zeros((N, 8), np.float32)
    errors = []
    for envs in (calm, noisy):
        rows = [envs.reset(seed=1)[0], *(envs.step(zero)[0] for _ in range(9))]
        errors.append(np.array(rows))
    errors = (errors[1] - errors[0]).reshape(-1, len(noisy.fields))
    scales = np.array([field.scale for field in noisy.fields.all])
    # 640 numbers: their deviation is known to 2.8 %; four of these. What is held to a limit is not among them.
    assert errors.std(axis=0) * scales == pytest.approx(2.0 * noisy.fields.noise, rel=0.12, abs=1e-6)
    assert not np.isclose(errors[0], errors[N])[noisy.fields.noise > 0.0].any()


def test_numbers_belong_to_seed_episode_name_and_step():
    seeds, first = np.arange(5), np.zeros(5, np.int64)
    draws = Draws(seeds, first)
    a = draws.uniforms("a", 4)
    assert np.array_equal(a[3:], Draws(seeds[3:], first[3:]).uniforms("a", 4))
    others = Draws(seeds, first + 1), Draws(seeds + 5, first), Draws(seeds, first, first + 1)
    assert all(not np.isclose(other.uniforms("a", 4), a).any() for other in others)
    assert not np.isclose(draws.uniforms("b", 4), a).any()
    many = Draws(np.arange(4000), np.zeros(4000, np.int64))
    assert set(many.below("c", 3).tolist()) == {0, 1, 2}
    # the mean of 4000 normal numbers has a deviation of 0.016: four of these
    assert abs(many.normals("d", 1).mean()) < 0.064
