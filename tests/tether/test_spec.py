"""Settings of a tether that are refused, names of the engine's status bits, and mass and weight of a cable by hand."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from pelagos.engine.cable import layout as rec
from pelagos.errors import ScenarioError
from pelagos.tether.spec import MODES, PAYOUTS, SHIPS, Cable, Status, Tether

WRONG = [
    ({"mode": "dinamic"}, 'dynamic, static, royer; did you mean "dynamic"'),
    ({"payout": "reel"}, "fixed, ratio, rate, tension"),
    ({"ship": 3}, "moored, path, follow"),
    ({"length_m": 0.0}, "expected a number from"),
    ({"length_m": -3.0}, "expected a number from"),
    ({"length_m": float("nan")}, "expected a number from"),
    ({"length_m": float("inf")}, "expected a number from"),
    ({"length_m": True}, "expected a number from"),
    ({"rate_m_s": float("inf")}, "expected a number from"),
    ({"step_s": 0.0}, "expected a number from"),
    ({"elements": 1}, "a whole number from 2 to 2000"),
    ({"elements": 20.0}, "a whole number from 2 to 2000"),
    ({"ratio": 0.9}, "expected a number from 1 to 100: the cable must reach"),
    ({"shortest_m": 10.0, "longest_m": 5.0}, "more than shortest_m, 10"),
    ({"length_m": 0.5}, "from shortest_m, 1, to longest_m, inf"),
    ({"ship": "path"}, "at least two points"),
    ({"ship": "path", "ship_path_m": ((0.0, 0.0), (1.0, float("nan")))}, "a finite number"),
    ({"ship": "path", "ship_path_m": ((0.0, 0.0),)}, "at least two points"),
    ({"ship_path_m": (("0", "0"), ("5", "0"))}, "north, east in m"),
    ({"ship_path_m": ((0.0, 0.0, 0.0), (5.0, 0.0, 0.0))}, "north, east in m"),
    ({"ship_path_m": "there"}, "north, east in m"),
    ({"ship_path_m": 3}, "at least two points"),
    ({"cable": 5}, "a Cable, or the name or file of one"),
    ({"cable": Cable}, "a Cable, or the name or file of one"),
    ({"parts": "yes"}, "expected true or false"),
    ({"parts": 1}, "expected true or false"),
    ({"heaves": None}, "expected true or false"),
    ({"fairlead_m": (0.0, 1.0)}, "three finite numbers"),
    ({"fairlead_m": (0.0, 1.0, float("nan"))}, "a finite number"),
    ({"fairlead_m": "aft"}, "three finite numbers"),
    ({"fairlead_m": np.zeros((3, 3))}, "three finite numbers"),
    ({"step_s": 0.11}, "expected a number from 1e-05 to 0.1: the pull on the vehicle is refreshed only that often"),
    ({"step_s": None}, "expected a number from"),
    ({"ratio": None}, "expected a number from"),
    ({"length_m": "long"}, "expected a number from"),
    ({"ship_depth_m": None}, "expected a number from"),
    *(({name: float("inf")}, "expected a number from") for name in (
        "tension_N", "drum_drag_Ns_m", "bottom_stiffness_N_m2", "ship_lag_s", "shortest_m", "step_s", "ratio")),
    ({"ship": "path", "ship_path_m": ((0.0, 0.0), (9.0, 0.0)), "ship_speed_m_s": float("inf")}, "number along a path"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "expected"), WRONG)
def test_what_cannot_be_rigged_gets_a_sentence(given, expected):
    with pytest.raises(ScenarioError, match=expected) as caught:
        Tether(**given)
    assert str(caught.value).startswith("tether: ")
    assert next(reversed(given)) in str(caught.value)


def test_a_limit_may_be_none():
    tether = Tether(drum_speed_m_s=math.inf, longest_m=math.inf, ship="follow", ship_speed_m_s=math.inf)
    assert tether.ship_speed_m_s == math.inf


def test_lists_and_arrays_are_kept_as_tuples():
    """So that two tethers compare, and the log reads the same."""
    tether = Tether(fairlead_m=[0, 0, 1], ship="path", ship_path_m=np.array([[0, 0], [9, 2]]), step_s=0.1)
    assert tether.fairlead_m == (0.0, 0.0, 1.0)
    assert tether.ship_path_m == ((0.0, 0.0), (9.0, 2.0))


def test_status_bits_are_those_of_the_engine():
    for status in Status:
        name = {"MULTI_BRANCH_POSSIBLE": "MULTI_BRANCH"}.get(status.name, status.name)
        assert getattr(rec, name) == status.value


def test_names_stand_in_the_order_of_the_engines_numbers():
    assert [MODES.index(m) for m in ("dynamic", "static", "royer")] == [rec.DYNAMIC, rec.STATIC, rec.ROYER]
    assert [PAYOUTS.index(p) for p in ("fixed", "ratio", "rate", "tension")] == [
        rec.FIXED_LENGTH, rec.RATIO, rec.RATE, rec.TENSION,
    ]  # fmt: skip
    assert [SHIPS.index(s) for s in ("moored", "path", "follow")] == [rec.MOORED, rec.ON_A_PATH, rec.FOLLOWING]


def test_described_holds_every_setting():
    tether = Tether(length_m=12.0, ship="follow")
    assert tether.described() == dataclasses.asdict(tether)


@pytest.mark.parametrize("given", [{"ratio": 1e19}, {"length_m": 1e9}, {"step_s": 1e-12}, {"rate_m_s": -1e19}], ids=str)
def test_values_that_would_take_too_long_are_refused(given):
    with pytest.raises(ScenarioError, match=f"tether: {next(iter(given))} = .*: expected a number from"):
        Tether(**given)


def test_weight_is_mass_less_displaced_water():
    """35 mm displaces 0.98617 kg/m of water of 1025 kg/m^3; 1.5 kg/m then weighs 5.041 N."""
    cable = Cable(diameter_m=0.035, mass_kg_m=1.5)
    displaced = 1025.0 * math.pi / 4.0 * 0.035**2
    assert displaced == pytest.approx(0.98617, abs=1e-5)
    assert cable.weight_in(1025.0, 9.81) == pytest.approx((1.5 - displaced) * 9.81, rel=1e-14)
    assert cable.mass_in(1025.0) == 1.5
    assert Cable(diameter_m=0.035, mass_kg_m=0.5).weight_in(1025.0, 9.81) < 0.0


@pytest.mark.parametrize("density", [998.0, 1025.0, 1040.0])
def test_a_neutral_cable_is_neutral_everywhere(density):
    cable = Cable(diameter_m=0.0076, mass_kg_m=0.043, neutral=True)
    assert cable.weight_in(density, 9.81) == 0.0
    assert cable.mass_in(density) == pytest.approx(density * math.pi / 4.0 * 0.0076**2, rel=1e-14)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("diameter_m", 0.0),
        ("diameter_m", math.nan),
        ("mass_kg_m", -1.0),
        ("mass_kg_m", 0.0),
        ("stiffness_N", 0.0),
        ("stiffness_N", math.inf),
        ("stiffness_N", "soft"),
        ("damping_Ns", -1.0),
        ("normal_drag", math.nan),
        ("tangential_drag", -0.1),
        ("added_mass", math.inf),
        ("breaking_load_N", 0.0),
        ("breaking_load_N", math.nan),
        ("diameter_m", None),
        ("diameter_m", True),
        ("neutral", "yes"),
        ("neutral", None),
    ],
)
def test_what_no_cable_has(key, value):
    with pytest.raises(ScenarioError) as refused:
        Cable(**{"diameter_m": 0.02, "mass_kg_m": 0.4, key: value})
    assert refused.value.key == key
