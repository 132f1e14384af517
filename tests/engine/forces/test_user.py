"""A user's forces: the compiled slot is empty by default, the held wrench acts as given."""

import numpy as np
import pytest

from pelagos.vehicle.plant import Plant
from tests.engine.probe import EVERY, ball, sample


@pytest.mark.parametrize("key", EVERY)
def test_nothing_is_in_the_slots_by_default(key):
    for moment in sample(key):
        np.testing.assert_array_equal(moment.engine["user"], 0.0)
        np.testing.assert_array_equal(moment.engine["external"], 0.0)


def test_a_held_wrench_acts_in_body_axes_on_every_axis():
    plant = Plant(ball())
    plant.place(euler=(0.0, 0.0, 1.0))
    before = plant.acceleration()
    wrench = np.array([15.0, -30.0, 45.0, 1.0, 2.0, -3.0])
    plant.command["external"] = wrench
    np.testing.assert_array_equal(plant.forces()["external"], wrench)
    gained = plant.packed.mass_matrix @ (plant.acceleration() - before)
    np.testing.assert_allclose(gained, wrench, rtol=1e-12)
