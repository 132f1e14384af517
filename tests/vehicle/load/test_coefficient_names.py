"""Coefficient names: factors, powers of L, units, the |u| rule, and errors of unreadable names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelagos.vehicle.load.coefficient_names import (
    CoefficientNameError,
    apply_u_rule,
    parse_name,
    prime_power,
    si_unit,
    surfaces_in,
    vocabulary,
)
from pelagos.vehicle.spec import AXES

SYMBOLS = ("dr", "ds", "dpb", "drb")


@pytest.mark.parametrize(
    ("name", "axis", "factors"),
    [
        ("Y_uv", 1, ("u", "v")),
        ("N_r|r|", 5, ("r", "|r|")),
        ("Z_|u|w", 2, ("|u|", "w")),
        ("Z_uuds", 2, ("u", "u", "ds")),
        ("X_u|u|dpbdpb", 0, ("u", "|u|", "dpb", "dpb")),
        ("X_uqdsn", 0, ("u", "q", "ds", "n")),
        ("K_phi", 3, ("phi",)),
        ("K_pphi", 3, ("p", "phi")),
        ("M_theta", 4, ("theta",)),
        ("X_ufade", 0, ("u", "fade")),
        ("Y_uudrb", 1, ("u", "u", "drb")),
    ],
)
def test_factors(name, axis, factors):
    term = parse_name(name, SYMBOLS)
    assert (term.axis, term.factors, term.derivative) == (axis, factors, -1)


@pytest.mark.parametrize(
    ("name", "element"), [("X_udot", (0, 0)), ("Y_rdot", (1, 5)), ("M_wdot", (4, 2)), ("K_pdot", (3, 3))]
)
def test_derivatives_are_elements_of_the_added_mass(name, element):
    term = parse_name(name)
    assert (term.axis, term.derivative) == element


# powers of L as Healey and Lienard 1993 and Brutzman 1994 (Table 6.2) print them
@pytest.mark.parametrize(
    ("name", "power"),
    [
        ("X_udot", 3), ("Y_rdot", 4), ("N_vdot", 4), ("K_pdot", 5), ("M_qdot", 5), ("Y_uv", 2), ("Y_ur", 3),
        ("N_uv", 3), ("N_ur", 4), ("X_qq", 4), ("X_wq", 3), ("K_p|p|", 5), ("K_p", 5), ("Y_v", 2), ("N_r", 5),
        ("Z_uuds", 2), ("M_uuds", 3), ("X_uqds", 3), ("X_u|u|", 2), ("K_qr", 5),
    ],
)  # fmt: skip
def test_prime_power(name, power):
    assert prime_power(parse_name(name, SYMBOLS)) == power


@pytest.mark.parametrize(
    ("name", "unit"),
    [("X_u|u|", "kg/m"), ("N_r|r|", "kg m2"), ("K_p", "kg m2/s"), ("X_u", "kg/s"), ("Y_rdot", "kg m"),
     ("K_phi", "kg m2/s2"), ("Y_uuv", "kg s/m2"), ("N_uv", "kg")],
)  # fmt: skip
def test_si_unit(name, unit):
    assert si_unit(parse_name(name)) == unit


@pytest.mark.parametrize(
    ("name", "factors"),
    [
        ("Y_uv", ("|u|", "v")),
        ("Z_uuds", ("u", "|u|", "ds")),
        ("X_uudrdr", ("u", "|u|", "dr", "dr")),
        ("X_uqds", ("|u|", "q", "ds")),
        ("Y_uuuv", ("u", "u", "|u|", "v")),
        ("Y_uuv", ("u", "u", "v")),
        ("X_uu", ("u", "u")),
        ("X_u", ("u",)),
        ("X_ufade", ("u", "fade")),
        ("Z_u", ("u",)),
        ("K_|u|p", ("|u|", "p")),
        ("Z_u|u|ds", ("u", "|u|", "ds")),
        ("X_wq", ("w", "q")),
    ],
)
def test_u_rule(name, factors):
    term = parse_name(name, SYMBOLS)
    assert apply_u_rule(term, "abs") == factors
    assert apply_u_rule(term, "signed") == term.factors


@pytest.mark.parametrize(
    ("name", "suggestion"),
    [
        ("yuv", "Y_uv"), ("Yuv", "Y_uv"), ("Y_v|v", "Y_v|v|"), ("N_uudz", "N_uuds"), ("X_udt", "X_udot"),
        ("X_Udot", "X_udot"), ("Y_uv2", "Y_uv"), ("y_uv", "Y_uv"), ("foo", ""),
    ],
)  # fmt: skip
def test_unreadable_names_get_the_nearest_one(name, suggestion):
    with pytest.raises(CoefficientNameError) as caught:
        parse_name(name, SYMBOLS)
    assert caught.value.suggestion == suggestion


@pytest.mark.parametrize(
    ("name", "square", "suggestion"), [("Xuu", "X_uu", "X_u|u|"), ("nrr", "N_rr", "N_r|r|"), ("Mww", "M_ww", "M_w|w|")]
)
def test_a_square_that_needs_a_sign_is_suggested_with_it(name, square, suggestion):
    with pytest.raises(CoefficientNameError, match=f'"{square}" pushes the same way') as caught:
        parse_name(name)
    assert caught.value.suggestion == suggestion


def test_a_square_that_needs_none_is_suggested_as_it_is():
    with pytest.raises(CoefficientNameError) as caught:
        parse_name("Xvv")
    assert caught.value.suggestion == "X_vv" and "same way" not in str(caught.value)


def test_acceleration_stands_alone():
    with pytest.raises(CoefficientNameError, match="an acceleration stands alone"):
        parse_name("X_uudot")


@given(st.sampled_from(AXES), st.lists(st.sampled_from(vocabulary(SYMBOLS)), min_size=1, max_size=4))
def test_reading_what_was_written(axis, factors):
    monomial = "".join(factors)
    term = parse_name(f"{axis}_{monomial}", SYMBOLS)
    assert "".join(term.factors) == monomial  # the longest match may join letters, but loses none


@given(st.lists(st.sampled_from(("u", "v", "r", "ds")), min_size=1, max_size=4), st.sampled_from(AXES))
def test_u_rule_changes_nothing_ahead(factors, axis):
    term = parse_name(f"{axis}_{''.join(factors)}", SYMBOLS)
    ruled = apply_u_rule(term, "abs")
    assert [factor.strip("|") for factor in ruled] == [factor.strip("|") for factor in term.factors]


@given(st.sampled_from(("v", "w", "q", "r")), st.sampled_from(AXES))
def test_u_rule_makes_lift_terms_even_in_u(other, axis):
    """A damping term must not change sign when the vehicle goes astern (errata B58)."""
    ruled = apply_u_rule(parse_name(f"{axis}_u{other}"), "abs")
    assert ruled.count("u") % 2 == 0


def test_surfaces_in():
    assert surfaces_in(parse_name("X_uqdsn", SYMBOLS)) == ("ds",)
