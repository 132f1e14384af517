"""Equations 6.39-6.47: rows hold; the author's variant, with other thrusters, does not."""

from dataclasses import replace

import pytest

from evidence.tests.checked import check_part, joined
from pelagos_evidence.brutzman import printed
from pelagos_evidence.brutzman.equations import propulsion
from pelagos_evidence.brutzman.equations.rows import phoenix


@pytest.fixture(scope="module")
def findings():
    return propulsion.run(lambda done: None)


def test_rows(findings):
    check_part("brutzman", "propulsion", findings)


def test_thrusters_of_the_authors_program_are_found(monkeypatch):
    monkeypatch.setattr(propulsion, "phoenix", lambda: phoenix("phoenix_author"))
    claims = {claim.key: claim.holds for claim in joined(propulsion, propulsion._thrusters())}
    assert claims["eq-thruster-force"] is False
    assert claims["eq-thruster-moment"] is False
    assert claims["table-thruster-full"] is True  # as strong, only the other way


def test_strips_by_left_rectangles_are_found(monkeypatch):
    monkeypatch.setattr(propulsion, "phoenix", lambda: phoenix("phoenix_author"))
    claims = {claim.key: claim.holds for claim in joined(propulsion, propulsion._crossflow())}
    assert claims["eq-crossflow-speed"] is False


def test_a_vehicle_without_skin_friction_is_not_damped_in_roll(monkeypatch):
    bare = replace(phoenix(), coefficients=tuple(c for c in phoenix().coefficients if "p" not in c.name))
    monkeypatch.setattr(propulsion, "phoenix", lambda: bare)
    claims = {claim.key: claim for claim in joined(propulsion, propulsion._damping())}
    assert claims["eq-hover-damping"].holds is False


def test_strips_at_hover_by_hand(findings):
    """Pure yaw: rho/2 C_dy times the integral of h |x|^3, times r^2; 23.43545 ft lb at 1 rad/s."""
    row = next(claim for claim in findings.claims if claim.key == "eq-hover-strips")
    assert row.numbers["yaw"] == pytest.approx(-23.43545 * 0.1**2, rel=1e-5)
    assert row.numbers["roll"] == 0.0


def test_a_term_left_out_of_the_earlier_equation_is_found(monkeypatch):
    typed = printed.previous_surge
    for name in ("X_uvdrs", "X_uwdpb", "X_rr"):
        monkeypatch.setattr(printed, "previous_surge", lambda s, r, c, m, name=name: typed(s, r, c | {name: 0.0}, m))
        claims = {claim.key: claim.holds for claim in joined(propulsion, propulsion._previous())}
        assert claims == {"eq-previous-surge": False, "eq-previous-surge-weight": False}, name


def test_two_printed_propellers_lack_the_drag_once_more(findings):
    """At 2 ft/s and 700 rpm thrust is drag, rho/2 L^2 C_d0 4 = 1.6096 lb: the print counts it twice."""
    row = next(claim for claim in findings.claims if claim.key == "eq-one-propeller-sum")
    assert row.numbers["published"] == pytest.approx(-1.609552, abs=1e-5)
    assert row.numbers["ours"] == pytest.approx(0.0, abs=1e-9)
