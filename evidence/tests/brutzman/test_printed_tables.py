"""Table 6.2 typed in: counts, the printed formulas, and what the errata make of it."""

import pytest

from pelagos_evidence.brutzman.printed_tables import BREADTH_IN, HEIGHT_IN, PRINTED, STATIONS_IN, corrected
from pelagos_evidence.errata import errata


def value(symbol, group):
    return next(e.value for e in PRINTED if (e.symbol, e.group) == (symbol, group))


def test_counts_of_the_table():
    groups = {group: sum(e.group == group for e in PRINTED) for group in {e.group for e in PRINTED}}
    assert groups == {"body": 12, "places": 12, "surge": 26, "sway": 7, "heave": 7, "roll": 4, "pitch": 8, "yaw": 8}
    assert [e.symbol for e in PRINTED if e.value is None] == ["C_dy"]
    assert {key for e in PRINTED for key in e.errata} <= set(errata())


def test_formulas_of_the_table():
    assert value("M_u|u|dpb", "pitch") == pytest.approx(0.283 * 7.302 * 2.11e-2)
    assert value("N_u|u|drs", "yaw") == pytest.approx(0.377 * 7.302 * 1.18e-2)
    assert value("K_p", "roll") == pytest.approx(-3.526e-4, abs=5e-8)


def test_corrections():
    table = corrected()
    assert table["Y_rdot"] == table["N_vdot"]
    assert (table["Z_wdot"], table["C_dy"], table["C_dz"], table["Z_uw"]) == (-9.34e-2, 0.5, 0.6, -0.7844)
    assert table["M_u|u|dpb"] == pytest.approx(value("M_u|u|dpb", "pitch") / 7.302)
    assert "X_u|u|" not in table
    assert len(STATIONS_IN) == len(HEIGHT_IN) == len(BREADTH_IN) == 15
