"""All ten actuators of table 6.1; the printed and the programmed signs are caught."""

import pytest

from evidence.tests.checked import check_part, joined
from pelagos_evidence.brutzman.motions import signs
from pelagos_evidence.brutzman.motions.flights import phoenix


@pytest.fixture(scope="module")
def findings():
    return signs.run(lambda done: None)


def test_sound_and_on_the_page(findings):
    check_part("brutzman", "signs", findings)


def test_every_actuator_has_its_row(findings):
    vehicle = phoenix()
    names = {item.name.replace("_", "-") for item in (*vehicle.thrusters, *vehicle.surfaces)}
    assert {claim.key for claim in findings.claims} == {f"sign-{name}" for name in names} | {"fins-opposed"}


@pytest.mark.parametrize(
    ("variant", "wrong"),
    [
        ("phoenix_printed", {"sign-bow-vertical", "sign-stern-vertical"}),
        ("phoenix_author", {"sign-bow-vertical", "sign-stern-vertical", "sign-bow-lateral", "sign-stern-lateral"}),
    ],
)
def test_wrong_signs_are_caught(variant, wrong):
    vehicle = phoenix(variant)
    assert {sign.key for sign in signs.SIGNS if not joined(signs, signs.row(sign, vehicle))[0].holds} == wrong
