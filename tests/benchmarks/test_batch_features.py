"""The worlds of the feature benchmark match their names."""

import numpy as np
import pytest

from benchmarks import batch_features as features
from benchmarks.batch_case import case_vehicle
from pelagos.tether.spec import Tether
from tests.benchmarks.test_batch import quick


@pytest.fixture(scope="module")
def worlds():
    with pytest.MonkeyPatch.context() as patch:
        quick(patch)
        return {name: make(case_vehicle()) for name, make in features.WORLDS.items()}


def test_the_one_at_the_surface_is_partly_dry_and_the_one_on_the_bottom_touches_it(worlds):
    assert (worlds["surface, hull breaks it"].view.wet_share < 1.0).all()
    assert (worlds["pressed on the bottom, in contact"].view.touching > 0).all()
    for name in ("deep water without a surface", "surface, hull deep", "jonswap, 64 components, hull deep"):
        assert (worlds[name].view.wet_share == 1.0).all(), name


def test_those_with_parameters_of_their_own_move_apart(worlds):
    batch = worlds["different parameters for each"]
    batch.advance(0.5)
    assert batch.view.alive.all() and np.ptp(batch.view.nu[:, 1]) > 0.0


def test_the_tethered_ones_are_pulled():
    with pytest.MonkeyPatch.context() as patch:
        quick(patch)
        batch = features._towed(Tether(length_m=60.0, elements=20))  # the case itself
        assert (batch.tethers.tension_n > 0.0).all()
