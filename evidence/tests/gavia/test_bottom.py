"""The drawn bottom, read back."""

from dataclasses import replace

import numpy as np
import pytest

from evidence.tests.checked import check_part, joined
from pelagos.world.seabed.profile import BottomProfile
from pelagos_evidence.claim import ClaimVerdict
from pelagos_evidence.gavia import bottom


@pytest.fixture(scope="module")
def reading(tmp_path_factory):
    return bottom.read_picture(tmp_path_factory.mktemp("bottom"))


def test_rows(reading):
    check_part(
        "gavia", "bottom", bottom.Findings(tuple(joined(bottom, bottom.values(reading))), (bottom.figure(reading),))
    )


def test_the_exact_test_for_black_loses_columns(reading):
    assert 0 < len(reading.black) < bottom.WIDTH
    assert reading.first_line.split()[0] == "0"


def test_a_shifted_reading_is_noticed(reading):
    moved = BottomProfile(reading.jpeg.distance_m, np.roll(reading.jpeg.depth_m, 5))
    rows = {
        claim.key: claim.verdict for claim in joined(bottom, bottom.values(replace(reading, jpeg=moved, exact=moved)))
    }
    assert rows["picture-exact"] is rows["picture-jpeg"] is rows["bottom-file"] is ClaimVerdict.FAILED
