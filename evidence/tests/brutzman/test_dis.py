"""DIS: the PDU of the Phoenix and the study of rates; wrong velocities, postures, fins and rules are caught."""

from dataclasses import replace

import pytest

from evidence.tests.checked import check_part, joined
from pelagos.links.dis.publisher import Rule
from pelagos.links.dis.rates import WatchedRule, rules
from pelagos_evidence.brutzman import dis
from pelagos_evidence.brutzman.dis import articulated, entity_state, packet
from pelagos_evidence.claim import ClaimVerdict


@pytest.fixture(scope="module")
def reported():
    return packet()


def test_the_rows_hold(reported):
    assert joined(dis, entity_state(*reported))[0].holds and joined(dis, articulated(*reported))[0].holds


@pytest.mark.parametrize(
    "wrong",
    [
        {"velocity": (0.5, 0.0, 0.0)},
        {"orientation": (0.0, 0.0, 0.0)},
        {"location": (6378137.0, 0.0, 0.0)},
    ],
)
def test_a_wrong_state_is_caught(reported, wrong):
    sim, pdu = reported
    assert not joined(dis, entity_state(sim, replace(pdu, **wrong)))[0].holds


def test_an_acceleration_that_is_left_out_is_caught(reported):
    sim, pdu = reported
    assert not joined(
        dis, entity_state(sim, replace(pdu, reckoning=replace(pdu.reckoning, acceleration=(0.0, 0.0, 0.0))))
    )[0].holds


@pytest.mark.parametrize("which", [0, 7, -1])
def test_a_wrong_propulsor_fin_or_echo_is_caught(reported, which):
    sim, pdu = reported
    parts = list(pdu.parts)
    parts[which] = replace(parts[which], value=parts[which].value * 1.1 + 0.01)
    assert not joined(dis, articulated(sim, replace(pdu, parts=tuple(parts))))[0].holds


@pytest.fixture(scope="module")
def findings():
    return dis.run(lambda done: None)


@pytest.mark.slow
def test_sound_and_on_the_page(findings):
    check_part("brutzman", "dis", findings)
    assert [c.key for c in findings.claims if c.verdict is ClaimVerdict.NO_DATA] == ["world-processing"]


@pytest.mark.slow
def test_rates_are_those_of_the_page_about_dis(findings):
    """docs/dis.md, phoenix-cruise-to-hover at 1 m and 3 deg, algorithm 4."""
    (row,) = (claim for claim in findings.claims if claim.key == "adaptive-phoenix-cruise-to-hover")
    assert row.numbers["adaptive_1_s"] == pytest.approx(0.22, abs=0.015)


def made_up(gap_s, counts):
    """A study in which every rule sent so many reports, so far apart."""
    watched = []
    for rule, count in zip(rules(), counts, strict=True):
        rule_watched = WatchedRule(rule)
        rule_watched.why["angle"], rule_watched.times_s = count, [0.0, gap_s]
        watched.append(rule_watched)
    return {scenario: (100.0, watched) for scenario in dis.SCENARIOS}


def test_wrong_rules_are_caught():
    good = made_up(5.0, [36, 22, 22, 70, 25, 25, 1000])
    assert all(claim.holds for claim in (*joined(dis, dis._rates(good)), *joined(dis, dis._limits(good))))
    failed = [
        claim.key for claim in joined(dis, dis._limits(made_up(5.2, [36, 22, 22, 20, 25, 40, 1000]))) if not claim.holds
    ]
    assert failed == ["keep-alive", "algorithm-choice", "world-or-body"]
    lazy = joined(dis, dis._rates(made_up(5.0, [36, 900, 22, 70, 25, 25, 900])))
    assert not any(claim.holds for claim in lazy)


def test_an_error_far_over_its_threshold_is_caught():
    study = made_up(5.0, [36, 22, 22, 70, 25, 25, 1000])
    study["phoenix-hover"][1][0].worst_m = Rule(2, 1.0).threshold_m + 0.5
    assert [claim.key for claim in joined(dis, dis._limits(study)) if not claim.holds] == ["thresholds-kept"]
