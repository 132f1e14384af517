"""The description of a scenario rejects what cannot be run, and computes its duration."""

import math

import pytest

from pelagos.errors import PelagosError
from pelagos.guidance.legs.simple import Steady
from pelagos.scenario.spec import (
    LONGEST_S,
    USUAL_S,
    Control,
    End,
    Scenario,
    ScenarioEvent,
    ScenarioVehicle,
    Setpoints,
    Start,
)
from pelagos.vehicle.load.vehicle import load_vehicle


def test_how_long():
    entry = ScenarioVehicle(name="a", vehicle=load_vehicle("lauv"))
    assert Scenario(vehicles=(entry,)).longest_s == USUAL_S
    assert Scenario(vehicles=(entry,), end=End(when="depth_m > 3")).longest_s == LONGEST_S
    flown = ScenarioVehicle(name="a", vehicle=entry.vehicle, mission=(Steady(seconds_s=3.0),))
    assert Scenario(vehicles=(flown,)).longest_s == LONGEST_S and Scenario(vehicles=(flown,)).has_mission
    assert Scenario(vehicles=(flown,), duration_s=7.0).longest_s == 7.0


@pytest.mark.parametrize(
    "make",
    [
        lambda: Scenario(duration_s=0.0),
        lambda: Scenario(duration_s=math.inf),
        lambda: Scenario(duration_s=math.nan),
        lambda: Scenario(duration_s=0.01),
        lambda: Scenario(control_rate_hz=0.0),
        lambda: Scenario(log_rate_hz=11.0),
        lambda: Scenario(log_rate_hz=0.0),
        lambda: Scenario(speed=0.0),
        lambda: Scenario(step_s=1e-9),
        lambda: Scenario(seed=-1),
        lambda: Start(north_m=math.inf),
        lambda: Start(surge_m_s=1e200),
        lambda: Start(altitude_m=-1.0),
        lambda: Start(heading_deg=361.0),
        lambda: Start(pitch_deg=91.0),
        lambda: Start(yaw_rate_deg_s=math.nan),
        lambda: Control(kind="python"),
        lambda: Control(class_name="a.py:A"),
        lambda: Control(kind="direct", depth_m=3.0),
        lambda: Control(kind="pilot", thrust={"a": 1.0}),
        lambda: Control(kind="direct", sticks={"surge": 1.0}),
        lambda: Control(thrust={"a": 1.0}),
        lambda: Control(dive_volume_m3=1e-4),
        lambda: Control(kind="ballast", dive_volume_m3=math.inf),
        lambda: Control(if_possible=("deep",)),
        lambda: Control(hold=("everything",)),
        lambda: Control(speed_m_s=1000.0),
        lambda: Control(north_m=3.0),
        lambda: Control(depth_m=3.0, altitude_m=3.0),
        lambda: ScenarioEvent(at_s=1.0),
        lambda: ScenarioEvent(at_s=1.0, tether_ratio=1e19),
        lambda: ScenarioEvent(at_s=1.0, tether_rate_m_s=-1e19),
        lambda: ScenarioEvent(say="when?"),
        lambda: ScenarioEvent(at_s=1.0, heading_deg=1e9),
        lambda: End(after_s=-1.0),
        lambda: End(when="nonsense"),
    ],
)
def test_what_cannot_be_run_is_refused(make):
    with pytest.raises(PelagosError) as caught:
        make()
    assert "\n" not in str(caught.value)


def test_accepted_combinations_of_keys():
    assert Control(kind="direct", thrust={"a": 1.0}, hold=("depth", "place")).thrust == {"a": 1.0}
    assert Control(kind="pilot", sticks={"surge": 1.0}).setpoints() == {}
    assert Control(depth_m=0.0, if_possible=("depth_m",)).setpoints() == {"depth_m": 0.0}
    assert Setpoints(depth_m=3.0, speed_m_s=1.0).setpoints() == {"depth_m": 3.0, "speed_m_s": 1.0}
    assert ScenarioEvent(at_s=0.0, stop=True).stop
    assert Start(surge_m_s=-2.0, altitude_m=0.0).altitude_m == 0.0
