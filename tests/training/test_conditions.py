"""Conditions: ranges with a sentence each, the six sets of the thesis, and what they do to a world."""

import json

import numpy as np
import pytest

from pelagos.errors import CommandError
from pelagos.training.conditions import THESIS, Conditions, named_conditions
from pelagos.world.load import load_world


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("image_delay_s", 2.1, "from 0 to 2"),
        ("image_delay_s", None, "from 0 to 2"),
        ("frame_limit_hz", 0.4, "from 0.5 to 60"),
        ("current_m_s", -0.5, "from 0 to 5"),
        ("current_m_s", "fast", "from 0 to 5"),
        ("visibility_m", 0.0, "from 0.5 to 200"),
        ("top_view", 1, "true or false"),
        ("depth_control", "perfekt", 'did you mean "perfect"'),
        ("current_to_deg", 90.0, "expected current_m_s beside it"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(name, value, message):
    with pytest.raises(CommandError) as caught:
        Conditions(**{name: value})
    assert name in str(caught.value) and message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_pilot_sees_something():
    with pytest.raises(CommandError, match="at least one"):
        Conditions(top_view=False, camera=False)


def test_changes_are_laid_over_others_and_misspelt_ones_are_named():
    base = Conditions(current_m_s=1.0, cable=True)
    assert Conditions.of({"image_delay_s": 1}, base) == Conditions(current_m_s=1.0, cable=True, image_delay_s=1.0)
    with pytest.raises(CommandError, match='did you mean "image_delay_s"'):
        Conditions.of({"image_delay": 1})


def test_the_sets_are_those_of_the_thesis():
    # Royer 7.1.a: none; 1 m/s from the south, no cable; 0.75 m/s from the south and a cable; each also by camera alone
    flows = {name: (item.current_m_s, item.cable) for name, item in THESIS.items() if item.top_view}
    assert flows == {"calm": (0.0, False), "current": (1.0, False), "cable": (0.75, True)}
    for name in flows:
        alone = named_conditions(f"{name}-camera")
        assert not alone.top_view and alone.camera
        assert (alone.current_m_s, alone.cable) == flows[name]
    with pytest.raises(CommandError, match="calm"):
        named_conditions("clam")


def test_a_current_takes_the_place_of_those_of_the_world():
    world = load_world("harbour")  # with a tide and eddies
    place = [[0.0, 0.0, 5.0]]
    assert Conditions().apply(world) is world
    still = Conditions(current_m_s=0.0).apply(world)
    assert np.all(still.water_velocity(place, 100.0) == 0.0)
    east = Conditions(current_m_s=0.5, current_to_deg=90.0).apply(world)
    # m/s: 0.5 cos 90 = 0 north, 0.5 east; exact but for the rounding of the cosine
    assert east.water_velocity(place, 100.0)[0] == pytest.approx([0.0, 0.5, 0.0], abs=1e-15)
    assert east.structures == world.structures


def test_from_the_south_is_the_default_direction():
    flow = Conditions(current_m_s=0.75).apply(load_world("royer_field")).water_velocity([[0.0, 0.0, 50.0]])
    assert flow[0] == pytest.approx([0.75, 0.0, 0.0], abs=1e-15)


def test_visibility_goes_to_the_world():
    assert Conditions(visibility_m=3.0).apply(load_world("royer_field")).visibility_m == 3.0


def test_the_cable_is_as_long_as_in_chapter_3():
    tether = THESIS["cable"].tether()
    assert tether is not None and tether.ratio * 100.0 == 150.0  # m of cable in 100 m of water
    assert tether.ship == "follow"  # 7.1.a: nearly at the vertical of the vehicle
    assert THESIS["current"].tether() is None


def test_described_can_be_read_back_from_json():
    for conditions in (*THESIS.values(), Conditions(depth_control="perfect", image_delay_s=1.2, frame_limit_hz=3)):
        assert Conditions.of(json.loads(json.dumps(conditions.described()))) == conditions


def test_the_sentence_names_what_differs():
    assert Conditions(current_m_s=0.0).sentence() == "no current, no cable"
    hard = Conditions(current_m_s=0.75, cable=True, top_view=False, depth_control="perfect", image_delay_s=0.5)
    assert (
        hard.sentence() == "current 0.75 m/s to 0 deg, cable, camera only, depth control: perfect, picture 0.5 s late"
    )
