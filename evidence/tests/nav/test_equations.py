"""Every equation of the notes against the engine; a wrong sign makes a row fail."""

from dataclasses import replace

import numpy as np
import pytest

from evidence.tests.checked import check_part, joined
from pelagos_evidence.claim import ClaimVerdict
from pelagos_evidence.nav import equations, printed


@pytest.fixture(scope="module")
def findings():
    return equations.run(lambda done: None)


@pytest.mark.slow
def test_rows(findings):
    check_part("nav", "equations", findings)
    cited = {key for claim in findings.claims for key in claim.proof.errata}
    assert {f"N{n}" for n in (1, 5, 6, 7, 8, 9, 10, 15, 16, 17, 18)} <= cited


def test_the_body_hides_nothing():
    body = equations.rig()
    assert np.count_nonzero(body.added) == 36 and np.count_nonzero(body.inertia) == 9
    assert np.all(body.cg != 0.0) and np.all(body.cb != 0.0)
    assert np.linalg.eigvalsh(body.added)[0] > 0.0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "rows", "failed"),
    [
        ({"inertia": np.diag([1.0, 21.0, 22.0])}, equations.coriolis_values, {"coriolis-blocks", "coriolis-momentum"}),
        ({"added": np.eye(6)}, equations.coriolis_values, {"coriolis-added"}),
        ({"cb": np.zeros(3)}, equations.force_values, {"restoring"}),
        ({"quadratic": np.zeros(6)}, equations.force_values, {"damping"}),
        ({"linear": np.zeros(6)}, equations.whole_values, {"dynamic-equation", "velocity-position"}),
        ({"cg": np.zeros(3)}, equations.mass_values, {"mass-matrix"}),
    ],
)
def test_a_wrong_number_is_noticed(change, rows, failed):
    wrong = replace(equations.rig(), **change)
    assert failed <= {claim.key for claim in joined(equations, rows(wrong)) if claim.verdict is ClaimVerdict.FAILED}


def test_the_printed_sign_drives_the_vehicle():
    body = equations.rig()
    nu = np.array([0.0, 0.0, 0.0, 1.0, 1.0, 1.0])
    right, wrong = (printed.coriolis_explicit(body.mass, body.cg, body.inertia, nu, sign) for sign in (1.0, -1.0))
    assert nu @ right @ nu == pytest.approx(0.0, abs=1e-12)
    assert nu @ wrong @ nu == pytest.approx(-2.0 * body.inertia[0, 0], rel=1e-12)  # -2 J_x p q r


def test_the_printed_sums_are_wrong_for_a_diagonal_added_mass_too():
    nu = np.array([1.0, 0.1, 0.2, 0.3, 0.4, 0.5])
    diagonal = np.diag([1.0, 30.0, 30.0, 0.1, 5.0, 5.0])
    off = printed.momenta_printed(diagonal, nu) - printed.momenta(diagonal, nu)
    np.testing.assert_allclose(off, [-3.0 - 6.0, -1.0, 0.0, 0.0, 0.0, 0.0], atol=1e-14)  # Y_v v + Z_w w; X_u u
