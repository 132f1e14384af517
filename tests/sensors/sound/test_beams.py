"""What all sounders have: directions of beams, and settings that no sounder has."""

import math

import numpy as np
import pytest

from pelagos.errors import ScenarioError
from pelagos.sensors.sound.beams import Sounder, pointing


def test_pointing_turns_to_starboard_and_down():
    beams = pointing([0.0, 90.0, 0.0, 180.0], [0.0, 0.0, 90.0, 30.0])
    expected = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [-math.cos(math.pi / 6), 0, 0.5]]
    assert beams == pytest.approx(np.array(expected), abs=1e-15)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("min_range_m", -1.0),
        ("max_range_m", 0.2),
        ("noise_m", -0.1),
        ("scale", 2.0),
        ("resolution_m", math.nan),
        ("beam_dropout", 1.5),
    ],
)
def test_what_no_sounder_has_is_refused(key, value):
    with pytest.raises(ScenarioError, match=key):
        Sounder(**{key: value})
