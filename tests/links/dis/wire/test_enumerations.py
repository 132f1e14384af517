"""Enumerations of SISO-REF-010: appearance bits, part classes and metrics."""

import pytest

from pelagos.links.dis.wire.enumerations import (
    OUR_CLASSES,
    OUR_FINS,
    OUR_SONARS,
    OUR_THRUSTERS,
    ArticulationMetric,
    Damage,
    PartClass,
    appearance,
    metric_unit,
)


@pytest.mark.parametrize(
    ("flags", "bits"),
    [
        ({}, 0),
        ({"immobile": True}, 0x00000002),
        ({"damage": Damage.SLIGHT}, 0x00000008),
        ({"damage": Damage.DESTROYED}, 0x00000018),
        ({"lights": True}, 0x00001000),
        ({"frozen": True}, 0x00200000),
        ({"power": True}, 0x00400000),
        ({"deactivated": True}, 0x00800000),
        ({"power": True, "frozen": True, "damage": Damage.MODERATE}, 0x00600010),
    ],
)
def test_bits_of_an_appearance(flags, bits):
    assert appearance(**flags) == bits


@pytest.mark.parametrize("damage", list(Damage))
def test_damage_has_two_bits(damage):
    bits = appearance(damage=damage, power=True, lights=True)
    assert bits & 0b11000 == 8 * damage and bits & ~0b11000 == appearance(power=True, lights=True)  # bits 3 and 4


def test_classes_leave_room_for_a_metric():
    assert all(part % 32 == 0 for part in PartClass) and max(ArticulationMetric) < 32
    assert all(first % 32 == 0 for first in (OUR_THRUSTERS, OUR_FINS, OUR_SONARS))


def test_our_numbers_are_beyond_those_of_the_standard():
    assert OUR_CLASSES > 9792 > max(PartClass)  # 9792, steering wheel, is the last one given out
    assert OUR_THRUSTERS < OUR_FINS < OUR_SONARS


@pytest.mark.parametrize(
    ("metric", "unit"), [(1, "m"), (2, "m/s"), (3, "m"), (9, "m"), (10, "m/s"), (11, "rad"), (16, "rad/s"), (0, "")]
)
def test_units_of_metrics(metric, unit):
    assert metric_unit(metric) == unit
