"""The tensions of section 3.6: a cable of another size, or in another current, does not pass."""

import pytest

from evidence.tests.checked import joined
from pelagos.tether.spec import Cable
from pelagos_evidence.claim import ClaimVerdict
from pelagos_evidence.royer import tether
from pelagos_evidence.royer.tether import TENSIONS


def by_key(rows):
    return {row.key: row for row in rows}


def test_a_thicker_cable_is_caught(monkeypatch):
    monkeypatch.setattr(tether, "umbilical", lambda: Cable(diameter_m=0.045, neutral=True))
    rows = by_key(joined(tether, tether.tension_values()))
    assert not any(rows[f"tension-{printed:.0f}"].holds for _, _, printed in TENSIONS)


def test_another_current_is_caught(monkeypatch):
    monkeypatch.setattr(tether, "SPEED_M_S", 1.0)
    rows = by_key(joined(tether, tether.tension_values()))
    assert not any(rows[f"tension-{printed:.0f}"].holds for _, _, printed in TENSIONS)


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
