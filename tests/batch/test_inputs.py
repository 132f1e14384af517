"""Wrong arguments of a batch get one sentence."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pelagos.batch.batch import Batch
from pelagos.errors import CommandError


def two():
    return Batch("remus100", 2)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: Batch("remus100"), "n is None"),
        (lambda: Batch("remus100", 10**12), "n is 1000000000000; expected a whole number from 1 to 10000000"),
        (lambda: Batch("remus100", 10**400), "expected a whole number from 1 to 10000000"),
        (lambda: Batch(["remus100"], 2), "n is 2; expected 1, the number of vehicles, or None"),
        (lambda: Batch([]), "number of vehicles is 0; expected a whole number, 1 or above"),
        (lambda: Batch("remus100", 2, dtype="float16"), "dtype is 'float16'; expected one of float64, float32"),
        (lambda: Batch("remus100", 2, integrator="adaptive"), "expected one of euler, heun, rk4"),
        (lambda: Batch("remus100", 2, threads=0), "threads is 0"),
        (lambda: two().place(dept_m=3.0), 'did you mean "depth_m"'),
        (lambda: two().place(depth_m=[1.0, 2.0, 3.0]), "expected one number or 2"),
        (lambda: two().place(depth_m=[1.0, math.nan]), "depth_m of vehicle 1 is nan; expected a fin"),
        (lambda: two().actuators.set(thrusters=[1.0, 2.0]), "thrusters is [1.0, 2.0]; expected numbers of shape (1,)"),
        (lambda: two().actuators.set(thrusters=[[1.0], [math.inf]]), "thrusters[0] of vehicle 1 is inf"),
        (lambda: two().reset([2]), "0 to 1"),
        (lambda: two().set_motion(quaternion=[2.0, 0.0, 0.0, 0.0]), "expected unit quaternions"),
        (lambda: Batch(["remus100", "lauv"]).vehicle, "number of vehicle types in the batch is 2; expected 1"),
        (lambda: two().view.read("nus", np.zeros((2, 6))), "no quantity 'nus'; expected one of posi"),
        (lambda: two().set_motion(nu=[[0.0] * 6, [math.inf] * 6]), "nu[0] of vehicle 1 is inf; expected a fin"),
        (lambda: Batch("remus100", 3.0), "n is 3; expected a whole number from 1 to 10000000, without a dec"),
        (lambda: Batch("remus100", "two"), "n is 'two'; expected a whole number"),
        (lambda: Batch("remus100", math.nan), "n is nan"),
        (lambda: Batch("remus100", 2, threads="all"), "threads is 'all'"),
        (lambda: Batch(None, 2), "vehicle is None"),
        (lambda: Batch([["remus100"]]), "vehicle is ['remus100']"),
        (lambda: two().reset([1, 1]), "where is [1, 1]; vehicle 1 occurs more than once"),
        (lambda: two().reset([[0, 1]]), "where is [[0, 1]]; expected numbers of vehicles"),
        (lambda: two().reset([[0], [0, 1]]), "where is [[0], [0, 1]]"),
        (lambda: two().place(depth_m="5"), "place depth_m is '5'"),
        (lambda: two().place([1], depth_m=math.nan), "depth_m of vehicle 1 is nan; expected a fin"),
        (lambda: two().set_motion(position_n=5.0), "position_n is 5; expected numbers of shape (3,) or"),
        (lambda: two().set_motion(quaternion=[1, 0, 0, 0], euler=[0, 0, 1]), "expected one of them"),
        (lambda: two().set_external(np.ones((2, 1))), "shape of external is (2, 1); expected numbers of shape (6,)"),
        (lambda: two().actuators.set(thrusters=["fast"]), "thrusters is ['fast']; expected numbers"),
        (lambda: two().actuators.set(thrusters=[[1.0], [2.0, 3.0]]), "expected numbers of shape (1,)"),
        (lambda: two().actuators.command(None), "actuations is None; expected a pelagos.messages.Actuations"),
        (lambda: two().scale(3, 1.0), "scale 3: remus100 has no such parameter"),
        (lambda: two().scale([], 1.0), "scale []: remus100 has no such parameter"),
        (lambda: two().view.read("nu", np.zeros((2, 7))), "array for nu is (2, 7); expected (2, 6)"),
        (lambda: two().view.read("euler", np.zeros((5, 2, 3))), "(5, 2, 3); expected (2, 3)"),
        (lambda: two().view.read("below_m", np.zeros(2, np.int64)), "dtype of the array for below_m is 'int"),
        (lambda: two().view.read("nu", [1.0]), "is [1.0]; expected an array of floats of shape (2, 6)"),
    ],
)  # fmt: skip
def test_a_wrong_argument_gets_one_sentence(wrong, message):
    with pytest.raises(CommandError) as caught:
        wrong()
    assert message in str(caught.value) and "\n" not in str(caught.value)
