"""Tensions of section 3.6: a closed form, the plane against space, and wrong cables or currents caught."""

import math

import numpy as np
import pytest

from evidence.tests.checked import joined
from pelagos.tether.spec import Cable
from pelagos_evidence.claim import ClaimVerdict
from pelagos_evidence.royer import tether
from pelagos_evidence.royer import tether as cable
from pelagos_evidence.royer.tether import TENSIONS


def by_key(rows):
    return {row.key: row for row in rows}


@pytest.mark.slow
def test_a_thicker_cable_is_caught(monkeypatch):
    monkeypatch.setattr(tether, "umbilical", lambda: Cable(diameter_m=0.045, neutral=True))
    rows = by_key(joined(tether, tether.tension_values()))
    assert not any(rows[f"tension-{printed:.0f}"].holds for _, _, printed in TENSIONS)


@pytest.mark.slow
def test_another_current_is_caught(monkeypatch):
    monkeypatch.setattr(tether, "SPEED_M_S", 1.0)
    rows = by_key(joined(tether, tether.tension_values()))
    assert not any(rows[f"tension-{printed:.0f}"].holds for _, _, printed in TENSIONS)


@pytest.mark.slow
def test_the_other_end_with_the_signs_as_printed_does_not_fit():
    """Either reading of the row is one cable; a third one is off by more than the tolerance in three rows of four."""
    fits = []
    for x, y, printed in TENSIONS:
        cable, turned = tether.thesis_cable(-x, abs(y), 20_000), tether.thesis_cable(x, abs(y), 20_000)
        assert cable.tension_ship_N == pytest.approx(turned.tension_vehicle_N, rel=2e-3)
        fits.append(abs(cable.tension_vehicle_N / printed - 1.0) < 0.1)
    assert fits == [True, False, False, False]


def test_another_scheme_than_the_printed_equations_is_caught(monkeypatch):
    right = tether.printed_rates
    monkeypatch.setattr(tether, "printed_rates", lambda T, a, w, V: (right(T, a, w, V)[0], -right(T, a, w, V)[1]))
    assert not by_key(joined(tether, tether.equation_values()))["cable-equations"].holds


@pytest.mark.parametrize(("x", "depth", "continuum"), [(0.0, 100.0, 426.3), (-70.0, 70.0, 328.7), (-95.0, 10.0, 197.8)])
def test_the_general_tether_by_the_reference_values(x, depth, continuum):
    # tests/data/tether/results.csv has the same cables by another solver
    assert tether.general_tension(x, depth) == pytest.approx(continuum, rel=0.002)


def test_the_reading_of_figure_6_4_by_hand():
    row = joined(tether, tether._reading())[0]
    least, most = row.numbers["least"], row.numbers["most"]
    assert 87.7 < least < most and row.verdict is ClaimVerdict.NOT_MET
    # tension goes as the square of the current: 0.75 sqrt(87.7 / 182) = 0.52
    assert f"{0.75 * (87.7 / least) ** 0.5:.2f} m/s" in row.why


def test_the_pull_is_symmetric_below_the_ship():
    cable = tether.thesis_cable(0.0, 100.0, steps=5000)
    assert cable.tension_ship_N == pytest.approx(cable.tension_vehicle_N, rel=1e-3)
    assert cable.force_vehicle_n[2] < 0.0 < cable.force_vehicle_n[0]


def test_the_step_is_worse_elsewhere():
    worse, total = tether._general_step()
    assert total == 80 and 20 < worse < 40


def test_without_friction_the_tension_stays_and_the_cotangent_grows_evenly(monkeypatch):
    monkeypatch.setattr(cable, "C_F", 0.0)
    start = math.radians(-23.0)
    _, _, tension, angle = cable.walk_in_plane(426.0, start, 0.0, 150.0, 2000)
    assert tension == pytest.approx(426.0, rel=1e-12)
    drag = 0.5 * 1025.0 * 1.2 * 0.035 * 0.75**2
    grown = -drag * 150.0 / 426.0  # d(cot a)/ds = -(da/ds)/sin^2 a, with da/ds = -drag sin^2 a / T for a < 0
    assert abs(1.0 / math.tan(angle) - 1.0 / math.tan(start)) == pytest.approx(abs(grown), rel=1e-9)


def test_a_cable_in_the_plane_is_the_same_in_space():
    angle = math.radians(-20.0)
    x, y, _, _ = cable.walk_in_plane(200.0, angle, 0.0, 150.0, 400)
    force = 200.0 * np.array([math.cos(angle), 0.0, -math.sin(angle)])  # NED: down is positive
    north, east, down = cable.walk_in_space(force, np.array([0.75, 0.0, 0.0]), 150.0, 400)
    assert (north, east, down) == pytest.approx((x, 0.0, -y), abs=1e-6)


def test_numbers_of_the_part_are_those_of_the_text():
    part = cable.umbilical()
    assert part.diameter_m == cable.DIAMETER_M and part.neutral
    line = cable.plane_line()
    assert line.kn == pytest.approx(0.5 * 1025.0 * 0.035 * 0.75**2 * 1.2)
    assert line.kt / line.kn == pytest.approx(0.05 * math.pi / 1.2)
