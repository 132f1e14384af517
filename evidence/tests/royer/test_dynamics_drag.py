"""A vehicle with lift, without coupling, or with another drag does not pass."""

from dataclasses import replace

import numpy as np
import pytest

from evidence.tests.checked import joined
from pelagos.vehicle.plant import Plant
from pelagos_evidence.claim import ClaimVerdict
from pelagos_evidence.royer import dynamics
from pelagos_evidence.royer.given import body_with, sea_grant


def by_key(rows):
    return {row.key: row for row in rows}


def other_body(monkeypatch, **changes):
    vehicle = replace(sea_grant(), **changes)
    monkeypatch.setattr(dynamics, "body_with", lambda G: Plant(vehicle))


def test_the_rows_by_hand():
    rows = by_key(joined(dynamics, dynamics.drag_values()))
    assert rows["no-lift"].holds and rows["cross-coupling"].holds and rows["low-speed-drag"].holds
    assert rows["low-speed-drag"].numbers["ours"] == pytest.approx(0.1 / 1.1)
    # full ahead 2.130 m/s: 2.130 / 3.130
    assert rows["square-law"].numbers["ours"] == pytest.approx(0.6805, abs=1e-4)
    assert rows["square-law"].verdict is ClaimVerdict.REFUTED
    # 800 v' - 80 p' = -120, -80 v' + 50 p' = 24: v' = -0.1214
    assert rows["cross-coupling"].numbers["published"] == pytest.approx(-(120 * 50 - 24 * 80) / (800 * 50 - 6400))


def test_another_share_of_the_square_is_caught(monkeypatch):
    coefficients = sea_grant().coefficients
    other_body(monkeypatch, coefficients=tuple(
        replace(c, value=2.0 * c.value) if len(c.factors) == 2 else c for c in coefficients
    ))  # fmt: skip
    assert not by_key(joined(dynamics, dynamics.drag_values()))["low-speed-drag"].holds


def test_a_force_across_the_motion_is_caught(monkeypatch):
    coefficients = sea_grant().coefficients
    one = next(c for c in coefficients if c.name == "X_u")
    other_body(monkeypatch, coefficients=(*coefficients, replace(one, name="Z_u", axis=2)))
    assert not by_key(joined(dynamics, dynamics.drag_values()))["no-lift"].holds


def test_another_mass_is_caught(monkeypatch):
    body = sea_grant().body
    other_body(monkeypatch, body=replace(body, mass_kg=420.0))
    assert not by_key(joined(dynamics, dynamics.drag_values()))["cross-coupling"].holds
    assert np.allclose(body_with(dynamics.BELOW).packed.mass_matrix[1, 3], -80.0)
