"""Royer's test against the general detector: the same answer on 10,000 poses, many of them almost touching."""

import math

import numpy as np
import pytest

from pelagos.engine.contact.solids import detect
from pelagos.engine.water.sea import CONTACT, MAX_CONTACTS
from pelagos.errors import ScenarioError
from pelagos.geometry.forms import Form
from pelagos.world.royer import royer_collides
from pelagos.world.structure import Structure, pack_structures
from pelagos.world.writer import SeaWriter
from tests.engine.contact_scene import heading, hull_of

SIZE = (3.0, 1.6, 0.8)
HULL = hull_of(Form("box", (0.0, 0.0, 0.0), (1.5, 0.8, 0.4)))
FIELD = {
    "wellhead": Structure(kind="box", name="wellhead", center_m=(3.0, -2.0, 10.0), size_m=(2, 2, 2), heading_deg=20.0),
    "column": Structure(kind="cylinder", name="column", from_m=(1.0, 2.0, 0.0), to_m=(1.0, 2.0, 12.0), diameter_m=1.0),
    "bar": Structure(kind="cylinder", name="bar", from_m=(-6.0, -3.0, 5.0), to_m=(6.0, 2.0, 5.0), radius_m=0.3),
    "pipeline": Structure(
        kind="cylinder", name="pipeline", from_m=(0.0, -20.0, 9.0), to_m=(0.0, 20.0, 9.0), radius_m=0.4
    ),
    "stump": Structure(kind="cylinder", name="stump", from_m=(0.0, 0.0, 9.0), to_m=(0.5, 0.0, 9.0), radius_m=0.6),
    "buoy": Structure(kind="sphere", name="buoy", center_m=(0.0, 0.0, 4.0), radius_m=0.7),
}
POSES = 2000  # of each: 12,000 in all


def packed(structure):
    writer = SeaWriter()
    pack_structures([structure], writer)
    return writer.finish()


def gap_of(sea, position, angle):
    """Signed room between the box and the structure by the general detector; 1 m if it is more than that."""
    contacts = np.zeros((MAX_CONTACTS, CONTACT.size))
    n = detect(sea, HULL, np.asarray(position), heading(angle), 1.0, contacts)
    return contacts[:n, 6].min() if n else 1.0


def poses(structure, sea, count, rng):
    """Half at random around the structure, half moved along a random line to within 1e-8 .. 1e-2 m of touching."""
    middle = structure.center_n()
    spread = structure.half_m()[1] + 1.2
    while count > 0:
        angle = rng.uniform(-math.pi, math.pi)
        start = middle + rng.uniform(-1, 1, 3) * (spread, spread, spread - 0.6)
        if structure.kind == "cylinder":
            start += structure.axes_n()[:, 0] * structure.half_m()[0] * rng.uniform(-1.1, 1.1)
        yield start, angle
        count -= 1
        if gap_of(sea, start, angle) >= 0.0:
            continue
        away = rng.normal(size=3)
        away *= rng.choice([0.0, 1.0], 3, p=[0.3, 0.7])
        if not np.any(away):
            continue
        low, high = 0.0, 50.0 / np.linalg.norm(away)
        for _ in range(80):
            half = 0.5 * (low + high)
            low, high = (half, high) if gap_of(sea, start + half * away, angle) < 0.0 else (low, half)
        offset = rng.choice([-1.0, 1.0]) * 10.0 ** rng.uniform(-8, -2)
        yield start + (low + offset) * away, angle
        count -= 1


@pytest.mark.slow
@pytest.mark.parametrize("name", FIELD)
def test_same_answer_as_the_general_detector(name):
    structure, rng = FIELD[name], np.random.default_rng(1985)
    sea = packed(structure)
    hits, close, crossed = 0, 0, 0
    for position, angle in poses(structure, sea, POSES, rng):
        gap = gap_of(sea, position, angle)
        if abs(gap) < 1e-9:  # both round differently
            continue
        says = royer_collides(structure, SIZE, position, angle)
        assert says == (gap < 0.0), (position, angle, gap)
        hits += says
        close += abs(gap) < 1e-3
        crossed += says and not royer_collides(structure, SIZE, position, angle, crossing=False)
    assert hits > POSES / 10 and close > POSES / 10
    # only long elements can pass between the corners of the vehicle
    assert crossed == 0 if name in ("wellhead", "column", "buoy") else crossed > 0


def test_areas_and_altitude_by_hand():
    cube = Structure(kind="box", name="cube", center_m=(0.0, 0.0, 10.0), size_m=(2.0, 2.0, 2.0))
    assert not royer_collides(cube, SIZE, (0.0, 0.0, 8.59), 0.0)  # above: 1 + 0.4 m
    assert royer_collides(cube, SIZE, (0.0, 0.0, 8.61), 0.0)
    assert not royer_collides(cube, SIZE, (2.71, 0.0, 10.0), math.radians(61.9))  # area 1 is 1 + 1.7 m away
    assert royer_collides(cube, SIZE, (1.79, 0.0, 10.0), math.pi / 2)  # area 3: 1 + 0.8 m
    assert not royer_collides(cube, SIZE, (1.81, 0.0, 10.0), math.pi / 2)
    assert royer_collides(cube, SIZE, (2.49, 0.0, 10.0), 0.0)  # 1 + 1.5 m ahead
    assert not royer_collides(cube, SIZE, (2.51, 0.0, 10.0), 0.0)


def test_his_steps_alone_miss_a_bar_across_the_bow():
    bar = Structure(kind="cylinder", name="bar", from_m=(1.2, -9.0, 5.0), to_m=(1.2, 9.0, 5.0), radius_m=0.05)
    assert royer_collides(bar, SIZE, (0.0, 0.0, 5.0), 0.0)
    assert not royer_collides(bar, SIZE, (0.0, 0.0, 5.0), 0.0, crossing=False)


@pytest.mark.parametrize(
    ("structure", "expected"),
    [
        (Structure(kind="plane", name="floor", point_m=(0, 0, 9), normal=(0, 0, -1)), "a box, a cylinder or a sphere"),
        (
            Structure(kind="box", name="rock", center_m=(0, 0, 0), size_m=(1, 1, 1), roll_deg=5.0),
            "without pitch and roll",
        ),
        (Structure(kind="cylinder", name="leg", from_m=(0, 0, 0), to_m=(1, 0, 9), radius_m=1.0), "upright or a level"),
    ],
)
def test_other_structures_get_a_sentence(structure, expected):
    with pytest.raises(
        ScenarioError,
        match=f"structure.{structure.name}: Royer's test does not support this structure; expected .*{expected}",
    ):
        royer_collides(structure, SIZE, (0.0, 0.0, 5.0), 0.0)
