"""Equations 6.24-6.38: rows hold; a wrong mass, step or sign is found."""

import numpy as np
import pytest

from pelagos.reproduce.brutzman import equations_time
from tests.reproduce.checked import check_part


@pytest.fixture(scope="module")
def findings():
    return equations_time.run(lambda done: None)


def test_rows(findings):
    check_part("brutzman", "time", findings)


def holds(claims, key):
    return next(claim for claim in claims if claim.key == key).holds


def test_a_wrong_mass_breaks_newtons_law(monkeypatch):
    monkeypatch.setattr(equations_time, "SLUG", 1.001 * equations_time.SLUG)
    assert holds(equations_time._newton(), "eq-newton") is False


def test_heun_of_the_whole_state_is_not_the_printed_mixture(monkeypatch):
    """The posture of (6.38) moves by the old velocity: another stepper is found out, though its velocities agree."""
    advance = equations_time.Plant.advance

    def other(self, dt, n, method="rk4", near="look"):
        return advance(self, dt, n, "heun" if method == "brutzman_printed" else method, near)

    monkeypatch.setattr(equations_time.Plant, "advance", other)
    claims = equations_time._steps()
    assert holds(claims, "eq-heun-step") is True
    assert holds(claims, "eq-posture-step") is False


def test_a_current_that_is_not_added_is_found(monkeypatch):
    monkeypatch.setattr(equations_time, "FOOT", 1.0001 * equations_time.FOOT)
    assert holds(equations_time._integrals(), "eq-current") is False


def test_the_shortest_decay_time_is_what_tolerances_say():
    """The largest eigenvalue of d(acceleration)/d(velocity) over the states of the world accelerations."""
    plant, fastest = equations_time.Plant(equations_time.phoenix()), 0.0
    states = zip(equations_time.angles(40, 261, 1.0), equations_time.velocities(40, 262), strict=True)
    for a, nu in states:
        slope = [
            equations_time.acceleration_ft(equations_time.put(plant, a, nu + d))
            - equations_time.acceleration_ft(equations_time.put(plant, a, nu - d))
            for d in 1e-5 * np.eye(6)
        ]
        fastest = max(fastest, float(np.abs(np.linalg.eigvals(np.array(slope).T / 2e-5)).max()))
    assert equations_time.FASTEST_S == pytest.approx(1.0 / fastest, rel=0.05)


def test_the_sketch_is_far_off(findings):
    sketch = next(claim for claim in findings.claims if claim.key == "eq-schematic")
    assert sketch.numbers["ours"] > 0.2  # heave lacks the added mass that turns with the body
