"""A description asked for in the wrong way answers with a sentence."""

import inspect

import pytest

import pelagos
from pelagos.errors import ScenarioError
from pelagos.world.current.kinds import KINDS


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: pelagos.Waves(hight_m=1.0), r'waves.hight_m = 1.0: no such key; .*; did you mean "height_m"\?'),
        (lambda: pelagos.Uniform(speed=1.0), r'current.speed = 1.0: no such key; .*did you mean "speed_m_s"\?'),
        (lambda: pelagos.World(depth=9), r'world: depth = 9: no such key; .*did you mean "depth_m"\?'),
        (lambda: pelagos.Structure(name="a"), "structure.kind: is missing"),
        (lambda: pelagos.Seabed("flat"), r"seabed: .*flat.* has no name; write it as in Seabed\(depth_m=30.0\)"),
        (lambda: pelagos.Water(presett="sea"), r'water.presett = "sea".*did you mean "preset"\?'),
    ],
)
def test_one_sentence(make, sentence):
    with pytest.raises(ScenarioError, match=sentence):
        make()


def test_signatures_stay_those_of_the_dataclasses():
    for cls in (pelagos.World, pelagos.Waves, pelagos.Seabed, *KINDS.values()):
        names = list(inspect.signature(cls).parameters)
        assert names and "given" not in names and names[0] in cls.__dataclass_fields__
