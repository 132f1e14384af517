"""Propellers and fins that leave the water: the submerged share of their force, which is 1 again once they submerge."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Shape, Thruster
from pelagos.world.spec import World
from tests.engine.probe import ball, terms

CALM = World().packed()
SCREW = Thruster("screw", (-0.5, 0.0, 0.0), (1.0, 0.0, 0.0), "force", -100.0, 100.0, linear=1.0, diameter_m=0.2)
HULL = (Shape("cylinder", size_m=(1.2, 0.15)),)


def thrust(depth, of):
    plant = Plant(of, sea=CALM)
    plant.place(position_n=(0.0, 0.0, depth))
    plant.set_actuators(thrusters=[50.0], at_once=True)
    return plant.forces()["thrusters"][0]


def test_the_share_is_that_of_a_disc():
    """Area of the segment of a circle, to 4 % of the whole."""
    of = ball(shapes=HULL, thrusters=(SCREW,))
    for depth in np.linspace(-0.12, 0.12, 25):
        s = float(np.clip(depth / 0.1, -1.0, 1.0))
        disc = 0.5 + (s * math.sqrt(1.0 - s * s) + math.asin(s)) / math.pi
        assert thrust(depth, of) / 50.0 == pytest.approx(disc, abs=0.04)


def test_without_a_hull_shape_every_part_is_wet():
    assert thrust(-5.0, ball(thrusters=(SCREW,))) == 50.0


def test_shares_are_forgotten_under_water():
    """One call from the surface down equals two with a look in between: no share of the surface stays behind."""
    drag = terms({"X u": -40.0, "Z w": -20.0})
    of = ball(shapes=HULL, thrusters=(SCREW,), coefficients=drag)
    ends = []
    for calls in (1, 4):
        plant = Plant(of, sea=CALM)
        plant.place(position_n=(0.0, 0.0, 0.1), euler=(0.0, -0.5, 0.0), nu=(1.0, 0, 0, 0, 0, 0))
        plant.set_actuators(thrusters=[50.0], at_once=True)
        for _ in range(calls):
            plant.advance(0.02, 400 // calls)
        ends.append(plant.state["nu"].copy())
        assert plant.position_n[2] > 1.0
    np.testing.assert_allclose(ends[0], ends[1], rtol=1e-12, atol=1e-12)
