"""Turns, dives, reverse: no row fails; arms with L and signed u are caught."""

from math import radians

import pytest

from evidence.tests.checked import check_part, joined
from pelagos_evidence.brutzman.motions import manoeuvres
from pelagos_evidence.brutzman.motions.flights import SCREWS, fly, phoenix
from pelagos_evidence.brutzman.motions.variants import signed


@pytest.fixture(scope="module")
def findings():
    return manoeuvres.run(lambda done: None)


@pytest.mark.slow
def test_sound_and_on_the_page(findings):
    check_part("brutzman", "manoeuvres", findings)


def test_the_turn_is_the_known_one(findings):
    """Analytic check C13: another program's steady turn."""
    (row,) = (claim for claim in findings.claims if claim.key == "turn-steady")
    assert row.numbers["u_ft_s"] == pytest.approx(1.86100, abs=5e-5)
    assert row.numbers["r_deg_s"] == pytest.approx(3.31485, abs=5e-4)


def test_printed_arms_leave_a_moment_over():
    turn = fly(
        phoenix("phoenix_printed"), 120.0, rpm=SCREWS, fins_deg=manoeuvres.RUDDERS, surge_ft_s=2.0, every_s=120.0
    )
    u, v, r = turn.nu[-1, [0, 1, 5]]
    assert abs(manoeuvres._steady_turn_residual(u, v, radians(r), radians(10.0))[2]) > 1.0


def test_signed_u_is_caught():
    astern = fly(signed(phoenix()), 120.0, rpm=(-700.0, -700.0))
    assert joined(manoeuvres, manoeuvres._astern(astern))[0].holds is False
