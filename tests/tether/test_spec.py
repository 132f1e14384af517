"""How a tether may be rigged: what is refused, in a sentence; names of the status bits are those of the engine."""

from __future__ import annotations

import dataclasses

import pytest

from pelagos.engine import line as rec
from pelagos.errors import ScenarioError
from pelagos.tether.spec import MODES, PAYOUTS, SHIPS, Status, Tether

WRONG = [
    ({"mode": "dinamic"}, 'dynamic, static, royer; did you mean "dynamic"'),
    ({"payout": "reel"}, "fixed, ratio, rate, tension"),
    ({"ship": 3}, "moored, path, follow"),
    ({"length_m": 0.0}, "a positive number"),
    ({"length_m": -3.0}, "a positive number"),
    ({"length_m": float("nan")}, "a positive number"),
    ({"length_m": float("inf")}, "a finite number"),
    ({"length_m": True}, "a positive number"),
    ({"rate_m_s": float("inf")}, "a finite number"),
    ({"step_s": 0.0}, "a positive number"),
    ({"elements": 1}, "a whole number from 2 to 2000"),
    ({"elements": 20.0}, "a whole number from 2 to 2000"),
    ({"ratio": 0.9}, "1 or more"),
    ({"shortest_m": 10.0, "longest_m": 5.0}, "more than shortest_m, 10"),
    ({"length_m": 0.5}, "from shortest_m, 1, to longest_m, inf"),
    ({"ship": "path"}, "at least two points"),
    ({"ship": "path", "ship_path_m": ((0.0, 0.0), (1.0, float("nan")))}, "at least two points"),
]


@pytest.mark.parametrize(("given", "expected"), WRONG)
def test_what_cannot_be_rigged_gets_a_sentence(given, expected):
    with pytest.raises(ScenarioError, match=expected) as caught:
        Tether(**given)
    assert str(caught.value).startswith("tether: ")
    assert next(reversed(given)) in str(caught.value)


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
