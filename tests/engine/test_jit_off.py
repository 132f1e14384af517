"""The same files as plain Python: forces and a short run without the JIT equal those with it.

The compiler may fuse multiply and add and reorder sums, so the last digits differ: 1e-12 of the largest number of each
term. It is the one test that shows that the physics does not depend on Numba.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pelagos.engine.compiled import JIT
from pelagos.vehicle.plant import Plant
from tests.engine.probe import put, vehicle
from tests.reference.everything import situation

ROOT = Path(__file__).parents[2]
KEYS = ("phoenix", "torpedo", "slocum", "everything")


def figures(key):
    """Forces at three moments and the state after ten steps of RK4, as lists."""
    of, rng = vehicle(key), np.random.default_rng(16)
    plant, found = Plant(of), {}
    for i in range(3):
        forces = put(plant, situation(of, rng)).forces()
        found |= {f"{name} {i}": force.tolist() for name, force in forces.items()}
        found[f"acceleration {i}"] = plant.acceleration().tolist()
    plant.set_actuators(
        thrusters=[0.5 * t.maximum for t in of.thrusters], surfaces=[0.3 * s.limit_rad for s in of.surfaces]
    )
    assert plant.advance(0.02, 10) == 10
    found["velocity"], found["position"] = plant.nu.tolist(), plant.position_n.tolist()
    found["quaternion"] = plant.quaternion.tolist()
    return found


@pytest.fixture(scope="module")
def without_jit():
    """The figures of another interpreter with NUMBA_DISABLE_JIT=1."""
    script = (
        "import json; from tests.engine.test_jit_off import KEYS, figures; "
        "print(json.dumps({key: figures(key) for key in KEYS}))"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.skipif(not JIT, reason="the JIT is off already")
@pytest.mark.parametrize("key", KEYS)
def test_plain_python_gives_the_same_numbers(key, without_jit):
    compiled = figures(key)
    assert compiled.keys() == without_jit[key].keys()
    for name, values in compiled.items():
        size = max(1.0, np.abs(values).max())
        np.testing.assert_allclose(without_jit[key][name], values, rtol=0, atol=1e-12 * size, err_msg=name)
