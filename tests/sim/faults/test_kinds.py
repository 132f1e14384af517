"""Descriptions of faults: impossible ones are refused, and the gust has its closed form."""

import math

import pytest

from pelagos.errors import ScenarioError
from pelagos.sim.faults.kinds import (
    KINDS,
    CurrentGust,
    FinJammed,
    Leak,
    SensorBias,
    ThrusterLost,
    ThrusterWeak,
    Trigger,
)


def test_kinds_by_their_names():
    assert {name: spec.kind for name, spec in KINDS.items()} == {name: name for name in KINDS}
    assert len(KINDS) == 10


@pytest.mark.parametrize(
    "make",
    [
        lambda: Trigger(),
        lambda: Trigger(at_s=1.0, when="depth_m > 3"),
        lambda: Trigger(at_s=-1.0),
        lambda: Trigger(at_s=math.nan),
        lambda: Trigger(when="nonsense > 3"),
        lambda: Trigger(place_m=(0.0, math.inf)),
        lambda: Trigger(place_m=(0.0, 1.0), radius_m=0.0),
        lambda: ThrusterLost(at_s=1.0, thruster="a", seconds_s=0.0),
        lambda: ThrusterLost(at_s=1.0, thruster="a", seconds_s=math.nan),
        lambda: ThrusterLost(at_s=1.0, thruster="a", name="two words"),
        lambda: ThrusterWeak(at_s=1.0, thruster="a", share=1.5),
        lambda: FinJammed(at_s=1.0, surface="a", angle_deg=91.0),
        lambda: SensorBias(at_s=1.0, sensor="a", bias=math.inf),
        lambda: Leak(at_s=1.0, rate_kg_s=0.0),
        lambda: Leak(at_s=1.0, rate_kg_s=1.0, room_kg=0.0),
        lambda: Leak(at_s=1.0, rate_kg_s=1.0, position_m=(math.inf, 0.0, 0.0)),
        lambda: CurrentGust(at_s=1.0, speed_m_s=21.0),
        lambda: CurrentGust(at_s=1.0, speed_m_s=1.0, rise_s=-1.0),
    ],
)
def test_impossible_ones_are_refused(make):
    with pytest.raises(ScenarioError):
        make()


def test_a_gust_rises_as_a_cosine_stays_and_falls():
    gust = CurrentGust(at_s=0.0, speed_m_s=2.0, to_deg=30.0, down_m_s=0.4, rise_s=4.0, seconds_s=20.0)
    full = (2.0 * math.cos(math.pi / 6), 1.0, 0.4)
    for since, share in ((0.0, 0.0), (1.0, 0.5 - 0.5 * math.cos(math.pi / 4)), (2.0, 0.5), (4.0, 1.0), (10.0, 1.0),
                         (18.0, 0.5), (20.0, 0.0)):  # fmt: skip
        assert gust.velocity_n(since, 20.0 - since) == pytest.approx([share * part for part in full], abs=1e-12)


def test_without_a_rise_it_is_there_at_once():
    gust = CurrentGust(at_s=0.0, speed_m_s=1.0, rise_s=0.0)
    assert gust.velocity_n(1e-6, math.inf) == pytest.approx((1.0, 0.0, 0.0))
