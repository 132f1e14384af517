"""Publishing rules on one flight: number, reasons and times of PDUs, and errors of receivers."""

import numpy as np
import pytest

from pelagos.links.dis.publisher import EntityMotion, Rule
from pelagos.links.dis.rates import ALGORITHMS, FIXED_HZ, THRESHOLDS, WatchedRule, fly, rules

ZERO = np.zeros(3)
LEVEL = np.array([1.0, 0.0, 0.0, 0.0])


def moving(t, acceleration):
    """Straight ahead from 1 m/s."""
    place, speed = t + 0.5 * acceleration * t * t, 1.0 + acceleration * t
    ahead = np.array([1.0, 0.0, 0.0])
    return EntityMotion(place * ahead, LEVEL, speed * ahead, ZERO, acceleration * ahead)


def watched(rule, acceleration, seconds=60.0):
    watched_rule = WatchedRule(rule)
    for k in range(round(seconds / 0.1) + 1):
        watched_rule.update(moving(0.1 * k, acceleration), 0.1 * k, 0.1)
    return watched_rule


def test_a_steady_motion_needs_heartbeats_only():
    watched_rule = watched(Rule(2, 1.0, 3.0), 0.0)
    assert watched_rule.why == {"first": 1, "heartbeat": 12} and watched_rule.sent == 13
    assert np.diff(watched_rule.times_s) == pytest.approx(5.0)
    assert watched_rule.worst_m < 1e-9


def test_an_acceleration_costs_reports_where_it_is_not_told():
    """Off by a t^2 / 2 = 0.05 m after 1 s at 0.1 m/s^2: the first look beyond is at 1.1 s."""
    assert np.diff(watched(Rule(2, 0.05, 3.0), 0.1).times_s) == pytest.approx(1.1, abs=0.11)
    assert watched(Rule(4, 0.05, 3.0), 0.1).why["position"] == 0


def test_the_fixed_rate():
    assert watched(Rule(fixed_hz=10.0), 0.1).sent == 601


def test_rules_in_the_order_of_the_table():
    made = rules()
    assert [(rule.threshold_m, rule.threshold_deg, rule.algorithm) for rule in made[:-1]] == [
        (*pair, algorithm) for pair in THRESHOLDS for algorithm in ALGORITHMS
    ]
    assert made[-1].fixed_hz == FIXED_HZ


def test_a_flight_is_watched_by_all_and_its_motions_kept():
    motions = []
    seconds, all_of_them = fly("phoenix-hover", 3.0, motions=motions)
    assert seconds == pytest.approx(3.0) and len(motions) == 30
    assert all_of_them[-1].sent == 31 and len(all_of_them) == len(rules())
