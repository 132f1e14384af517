"""What one PDU says of the Phoenix; a wrong velocity, posture or fin in it is caught."""

from dataclasses import replace

import pytest

from evidence.tests.checked import joined
from pelagos_evidence.brutzman import dis
from pelagos_evidence.brutzman.dis import articulated, entity_state, packet


@pytest.fixture(scope="module")
def told():
    return packet()


def test_the_rows_hold(told):
    assert joined(dis, entity_state(*told))[0].holds and joined(dis, articulated(*told))[0].holds


@pytest.mark.parametrize(
    "wrong",
    [
        {"velocity": (0.5, 0.0, 0.0)},
        {"orientation": (0.0, 0.0, 0.0)},
        {"location": (6378137.0, 0.0, 0.0)},
    ],
)
def test_a_wrong_state_is_caught(told, wrong):
    sim, pdu = told
    assert not joined(dis, entity_state(sim, replace(pdu, **wrong)))[0].holds


def test_an_acceleration_that_is_left_out_is_caught(told):
    sim, pdu = told
    assert not joined(
        dis, entity_state(sim, replace(pdu, reckoning=replace(pdu.reckoning, acceleration=(0.0, 0.0, 0.0))))
    )[0].holds


@pytest.mark.parametrize("which", [0, 7, -1])
def test_a_wrong_propulsor_fin_or_echo_is_caught(told, which):
    sim, pdu = told
    parts = list(pdu.parts)
    parts[which] = replace(parts[which], value=parts[which].value * 1.1 + 0.01)
    assert not joined(dis, articulated(sim, replace(pdu, parts=tuple(parts))))[0].holds
