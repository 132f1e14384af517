"""The typed-in earlier surge equation and propulsion term by themselves."""

import numpy as np
import pytest

from pelagos_evidence.brutzman.equations.general import coefficients
from pelagos_evidence.brutzman.printed import State, expanded, previous_surge, x_prop
from pelagos_evidence.brutzman.printed_tables import corrected


def test_propulsion_vanishes_at_the_design_point_and_has_the_sign_of_the_excess():
    C = corrected()
    assert x_prop(700.0, 2.0, C) == pytest.approx(0.0, abs=1e-15)
    assert expanded(700.0, 2.0, C) == pytest.approx(0.0, abs=1e-12)
    assert expanded(700.0, 1.0, C) > 0.0 > expanded(700.0, 3.0, C)
    with pytest.raises(ZeroDivisionError):
        x_prop(700.0, 0.0, C)
    assert expanded(700.0, 0.0, C) == pytest.approx(1.609552, abs=1e-5)


def test_the_weight_term_is_the_only_one_that_a_pitched_vehicle_at_rest_feels():
    table = coefficients()
    pitched = State(np.zeros(6), np.array([0.0, 0.3, 0.0]))
    weight = (table["W"] - table["B"]) * np.sin(0.3)
    assert previous_surge(pitched, np.zeros(6), table, frozenset()) == pytest.approx(-weight)
    assert previous_surge(pitched, np.zeros(6), table, frozenset({"B37"})) == pytest.approx(weight)
