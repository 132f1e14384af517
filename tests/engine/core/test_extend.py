"""A user's own force inside the kernel."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pelagos.errors import CommandError
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant

FORCE = """
from pelagos.engine.core.algebra import Wrench
from pelagos.engine.compiled import compiled


@compiled
def brake(model, structure, kin, water, actuators):
    zero = 0.0 * kin.depth
    return Wrench(-{factor} * kin.water.x, zero, zero, zero, zero, zero)
"""


@pytest.mark.slow
def test_a_compiled_force_acts_and_follows_its_source(tmp_path: Path) -> None:
    """Its wrench appears under its own name, slows the vehicle, and an edit takes effect at once."""
    file = tmp_path / "brake.py"
    file.write_text(FORCE.format(factor=5.0))
    vehicle = load_vehicle("phoenix")
    with_force = Plant(vehicle, user_force=f"{file}:brake")
    without = Plant(vehicle)
    for plant in (with_force, without):
        plant.place(nu=[0.5, 0.0, 0.0, 0.0, 0.0, 0.0])
    np.testing.assert_allclose(with_force.forces()["user"], [-2.5, 0, 0, 0, 0, 0])
    np.testing.assert_allclose(with_force.forces()["coefficients"], without.forces()["coefficients"], rtol=1e-14)
    difference = with_force.acceleration()[0] - without.acceleration()[0]
    inverse = np.linalg.inv(with_force.packed.mass_matrix)
    assert difference == pytest.approx(-2.5 * inverse[0, 0], rel=1e-9)
    file.write_text(FORCE.format(factor=7.0))
    edited = Plant(vehicle, user_force=f"{file}:brake")
    edited.place(nu=[0.5, 0.0, 0.0, 0.0, 0.0, 0.0])
    assert edited.forces()["user"][0] == pytest.approx(-3.5)


@pytest.mark.slow
def test_an_edit_of_what_a_force_imports_makes_another_kernel(tmp_path: Path) -> None:
    """Otherwise the old kernel's code would be loaded from disk."""
    (tmp_path / "brake.py").write_text("from brake_numbers import FACTOR\n" + FORCE.format(factor="FACTOR"))
    script = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from pelagos.engine.core.extend import kernel_with\n"
        f"print(kernel_with({f'{tmp_path}/brake.py:brake'!r}).advance.__module__)"
    )
    made = []
    for factor in (5.0, 7.0, 5.0):
        (tmp_path / "brake_numbers.py").write_text(f"FACTOR = {factor}\n")
        made.append(subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout)
    assert made[0] == made[2] != made[1]


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("nowhere.py:brake", "a file that exists"),
        ("brake", "expected FILE.py:FUNCTION"),
        ("{file}:brakes", "expected a function of brake.py"),
        ("{file}x:brake", "a file that exists"),
    ],
)
def test_a_wrong_name_gets_a_sentence(tmp_path: Path, argument: str, message: str) -> None:
    file = tmp_path / "brake.py"
    file.write_text(FORCE.format(factor=5.0))
    with pytest.raises(CommandError, match=message):
        Plant(load_vehicle("phoenix"), user_force=argument.format(file=file))
