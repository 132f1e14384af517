"""The same files as plain Python: forces and a short run without the JIT equal those with it.

The compiler may fuse multiply and add and reorder sums, so the last digits differ: 1e-12 of the largest number of each
term. It is the one test that shows that the physics does not depend on Numba.
"""

import numpy as np
import pytest

from pelagos.vehicle.plant import Plant
from tests.engine.probe import put, vehicle
from tests.jit_off import needs_jit, without_jit
from tests.reference.everything import situation

KEYS = ("phoenix", "torpedo", "slocum", "everything")


def figures(key):
    """Forces at three moments and the state after ten steps of RK4, as lists."""
    of, rng = vehicle(key), np.random.default_rng(16)
    plant, values = Plant(of), {}
    for i in range(3):
        forces = put(plant, situation(of, rng)).forces()
        values |= {f"{name} {i}": force.tolist() for name, force in forces.items()}
        values[f"acceleration {i}"] = plant.acceleration().tolist()
    plant.set_actuators(
        thrusters=[0.5 * t.maximum for t in of.thrusters], surfaces=[0.3 * s.limit_rad for s in of.surfaces]
    )
    assert plant.advance(0.02, 10) == 10
    values["velocity"], values["position"] = plant.nu.tolist(), plant.position_n.tolist()
    values["quaternion"] = plant.quaternion.tolist()
    return values


@pytest.fixture(scope="module")
def plain():
    """The figures of all vehicles without the JIT."""
    return without_jit("tests.engine.test_jit_off", "{key: figures(key) for key in KEYS}")


@pytest.mark.slow
@needs_jit
@pytest.mark.parametrize("key", KEYS)
def test_plain_python_gives_the_same_numbers(key, plain):
    compiled = figures(key)
    assert compiled.keys() == plain[key].keys()
    for name, values in compiled.items():
        size = max(1.0, np.abs(values).max())
        np.testing.assert_allclose(plain[key][name], values, rtol=0, atol=1e-12 * size, err_msg=name)
