"""What a caller may give a batch."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pelagos.batch.batch import Batch
from pelagos.errors import CommandError


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (lambda: Batch("remus100"), "n is None"),
        (lambda: Batch(["remus100"], 2), "1 vehicles and n is 2"),
        (lambda: Batch("remus100", 2, dtype="float16"), "dtype is 'float16'; expected one of float64, float32"),
        (lambda: Batch("remus100", 2, integrator="adaptive"), "expected one of euler, heun, rk4"),
        (lambda: Batch("remus100", 2, threads=0), "threads is 0"),
        (lambda: Batch("remus100", 2).place(dept_m=3.0), 'did you mean "depth_m"'),
        (lambda: Batch("remus100", 2).place(depth_m=[1.0, 2.0, 3.0]), "expected one number or 2"),
        (lambda: Batch("remus100", 2).place(depth_m=[1.0, math.nan]), "place depth_m of vehicle 1 is not finite"),
        (lambda: Batch("remus100", 2).set_actuators(thrusters=[1.0, 2.0]), "shape (2,); expected (1,) or (2, 1)"),
        (lambda: Batch("remus100", 2).set_actuators(thrusters=[[1.0], [math.inf]]), "of vehicle 1"),
        (lambda: Batch("remus100", 2).reset([2]), "0 to 1"),
        (lambda: Batch("remus100", 2).set_motion(quaternion=[2.0, 0.0, 0.0, 0.0]), "expected unit quaternions"),
        (lambda: Batch(["remus100", "lauv"]).vehicle, "2 kinds of vehicle"),
        (lambda: Batch("remus100", 2).read("nus", np.zeros((2, 6))), 'did you mean "nu"'),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_a_sentence(wrong, says):
    with pytest.raises(CommandError) as caught:
        wrong()
    assert says in str(caught.value) and "\n" not in str(caught.value)
