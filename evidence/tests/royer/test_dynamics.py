"""Equations of motion: a wrong equation, lift, no coupling or another drag makes the row fail."""

from dataclasses import replace

import numpy as np
import pytest

from evidence.tests.checked import joined
from pelagos.vehicle.plant import Plant
from pelagos_evidence.claim import ClaimVerdict
from pelagos_evidence.royer import dynamics, printed
from pelagos_evidence.royer.given import body_with, sea_grant


def by_key(rows):
    return {row.key: row for row in rows}


@pytest.fixture
def rng():
    return np.random.default_rng(1)


def test_a_slip_of_sign_is_caught(monkeypatch, rng):
    right = printed.force_on_body
    monkeypatch.setattr(printed, "force_on_body", lambda m, G, nu, rate: right(m, G * (1, 1, -1), nu, rate))
    rows = by_key(joined(dynamics, dynamics.rigid_body_values(rng)))
    assert not rows["body-forces"].holds and not rows["appendix-forces"].holds
    assert rows["body-moments"].holds


def test_the_printed_moments_do_not_pass_for_the_right_ones(monkeypatch, rng):
    right = printed.moment_about_P
    monkeypatch.setattr(printed, "moment_about_P", lambda *a, printed="": right(*a, printed="2.2"))
    rows = by_key(joined(dynamics, dynamics.rigid_body_values(rng)))
    assert not rows["body-moments"].holds and not rows["appendix-moments"].holds


def test_the_slip_of_the_appendix_is_not_laid_to_section_2_2(rng):
    """Section 2.2 prints qu in M_y; only the appendix has qv (R6)."""
    G, nu, rate = dynamics.IN_PLANE, rng.normal(size=6), rng.normal(size=6)
    right, body, appendix = (
        printed.moment_about_P(400.0, np.full(3, 50.0), G, nu, rate, which) for which in ("", "2.2", "A.1")
    )
    assert [k for k in range(3) if body[k] != right[k]] == [0]
    assert [k for k in range(3) if appendix[k] != right[k]] == [0, 1]


@pytest.mark.parametrize(
    ("name", "key"), [("body_rates", "body-rates"), ("angle_rates", "angle-rates")]
)  # fmt: skip
def test_the_printed_rates_do_not_pass(monkeypatch, rng, name, key):
    right = getattr(printed, name)
    monkeypatch.setattr(printed, name, lambda *a, printed=False: right(*a, printed=True))
    rows = by_key(joined(dynamics, dynamics.kinematic_values(rng)))
    assert [row.key for row in rows.values() if not row.holds] == [key]


def test_a_vehicle_with_another_drag_is_caught(monkeypatch, rng):
    vehicle = sea_grant()
    wrong = tuple(replace(c, value=1.1 * c.value) if c.name == "Y_v" else c for c in vehicle.coefficients)
    changed = replace(vehicle, coefficients=wrong)
    monkeypatch.setattr(
        dynamics, "body_with", lambda G: Plant(replace(changed, body=replace(changed.body, cg_b=tuple(G))))
    )
    rows = by_key(joined(dynamics, dynamics.force_values(rng)))
    assert not rows["drag"].holds and rows["tether-moment"].holds and rows["weight"].holds


def test_a_vehicle_with_another_mass_is_caught(monkeypatch, rng):
    vehicle = sea_grant()
    heavy = replace(vehicle, body=replace(vehicle.body, mass_kg=410.0))
    monkeypatch.setattr(dynamics, "body_with", lambda G: Plant(replace(heavy, body=replace(heavy.body, cg_b=tuple(G)))))
    assert not by_key(joined(dynamics, dynamics.mass_values(rng)))["mass-matrix"].holds


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
    drag = next(c for c in coefficients if c.name == "X_u")
    other_body(monkeypatch, coefficients=(*coefficients, replace(drag, name="Z_u", axis=2)))
    assert not by_key(joined(dynamics, dynamics.drag_values()))["no-lift"].holds


def test_another_mass_is_caught(monkeypatch):
    body = sea_grant().body
    other_body(monkeypatch, body=replace(body, mass_kg=420.0))
    assert not by_key(joined(dynamics, dynamics.drag_values()))["cross-coupling"].holds
    assert np.allclose(body_with(dynamics.BELOW).packed.mass_matrix[1, 3], -80.0)
