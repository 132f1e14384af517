"""Equations 6.24-6.38: rows hold; a wrong mass, step or sign is found."""

import numpy as np
import pytest

from evidence.tests.checked import check_part, joined
from pelagos_evidence.brutzman.equations import time


@pytest.fixture(scope="module")
def findings():
    return time.run(lambda done: None)


def test_rows(findings):
    check_part("brutzman", "time", findings)


def holds(claims, key):
    return next(claim for claim in claims if claim.key == key).holds


def test_a_wrong_mass_breaks_newtons_law(monkeypatch):
    monkeypatch.setattr(time, "SLUG", 1.001 * time.SLUG)
    assert holds(joined(time, time._newton()), "eq-newton") is False


def test_heun_of_the_whole_state_is_not_the_printed_mixture(monkeypatch):
    """The posture of (6.38) moves by the old velocity: another stepper is found out, though its velocities agree."""
    advance = time.Plant.advance

    def other(self, dt, n, method="rk4", near="search"):
        return advance(self, dt, n, "heun" if method == "brutzman_printed" else method, near)

    monkeypatch.setattr(time.Plant, "advance", other)
    claims = joined(time, time._steps())
    assert holds(claims, "eq-heun-step") is True
    assert holds(claims, "eq-posture-step") is False


def test_a_current_that_is_not_added_is_found(monkeypatch):
    monkeypatch.setattr(time, "FOOT", 1.0001 * time.FOOT)
    assert holds(joined(time, time._integrals()), "eq-current") is False


def test_the_shortest_decay_time_is_what_tolerances_say():
    """The largest eigenvalue of d(acceleration)/d(velocity) over the states of the world accelerations."""
    plant, fastest = time.Plant(time.phoenix()), 0.0
    states = zip(time.angles(40, 261, 1.0), time.velocities(40, 262), strict=True)
    for a, nu in states:
        slope = [
            time.acceleration_ft(time.put(plant, a, nu + d)) - time.acceleration_ft(time.put(plant, a, nu - d))
            for d in 1e-5 * np.eye(6)
        ]
        fastest = max(fastest, float(np.abs(np.linalg.eigvals(np.array(slope).T / 2e-5)).max()))
    assert time.FASTEST_S == pytest.approx(1.0 / fastest, rel=0.05)


def test_the_sketch_is_far_off(findings):
    sketch = next(claim for claim in findings.claims if claim.key == "eq-schematic")
    assert sketch.numbers["ours"] > 0.2  # heave lacks the added mass that turns with the body
