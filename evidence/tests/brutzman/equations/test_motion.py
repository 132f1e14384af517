"""Equations 6.48-6.53: rows hold, and another vehicle, a flipped term or an unmended misprint does not."""

from dataclasses import replace

import numpy as np
import pytest

from evidence.tests.checked import check_part
from pelagos.vehicle.plant import Plant
from pelagos_evidence.brutzman import printed_tables
from pelagos_evidence.brutzman.equations import motion
from pelagos_evidence.brutzman.equations.general import coefficients, vehicle
from pelagos_evidence.brutzman.equations.motion import sample
from pelagos_evidence.brutzman.equations.rows import largest, phoenix
from pelagos_evidence.brutzman.printed import MENDED

pytestmark = pytest.mark.slow  # the module makes its reports or runs every part once


@pytest.fixture(scope="module")
def findings():
    return motion.run(lambda done: None)


@pytest.fixture(scope="module")
def own():
    return sample(Plant(phoenix()), printed_tables.corrected(), MENDED, 480)


def test_rows(findings):
    check_part("brutzman", "equations-of-motion", findings)


def test_the_printed_variant_is_another_vehicle():
    changed = sample(Plant(phoenix("phoenix_printed")), printed_tables.corrected(), MENDED, 480)
    assert largest(changed.ours, changed.printed) > 1e-2


@pytest.mark.parametrize("name", ["X_pr", "Y_wp", "Z_vv", "K_vq", "M_rr", "N_wr"])
def test_no_sign_hides_behind_a_zero(name):
    """One flipped coefficient of the vehicle with every term, none of which Phoenix has."""
    table = coefficients()
    flipped = sample(Plant(vehicle(table | {name: -table[name]})), table, MENDED - {"B58"}, 490)
    axis = "XYZKMN".index(name[0])
    assert largest(flipped.ours[:, axis], flipped.printed[:, axis]) > 1e-4
    others = [i for i in range(6) if i != axis]
    assert largest(flipped.ours[:, others], flipped.printed[:, others]) < 1e-12


@pytest.mark.parametrize("misprint", sorted(MENDED & {"B22", "B40", "B44", "B54", "B58"}))
def test_a_misprint_that_is_not_mended_is_found(own, misprint):
    unmended = sample(Plant(phoenix()), printed_tables.corrected(), MENDED - {misprint}, 480)
    off = np.abs(unmended.printed - own.ours).max()
    if misprint == "B40":  # cancels while the shafts are at equal distances
        assert off < 1e-12
    else:
        assert off > 0.1


def test_energy_of_each_misprint(own):
    changes = motion.misprints(own)
    assert max(changes, key=changes.__getitem__).startswith("B16")
    assert all(change > 1e-3 for change in changes.values())


def test_a_vehicle_without_strips_is_found():
    bare = replace(phoenix(), crossflow=None)
    changed = sample(Plant(bare), printed_tables.corrected(), MENDED, 480)
    assert [largest(changed.ours[:, i], changed.printed[:, i]) > 1e-3 for i in range(6)] == [0, 1, 1, 0, 1, 1]


def test_the_figure_shows_every_misprint(findings):
    (drawing,) = findings.drawings
    assert drawing.name == motion.FIGURE
    assert drawing.width_px > 800
