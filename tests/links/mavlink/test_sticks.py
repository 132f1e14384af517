"""Sticks in the signs of MAVLink and ArduSub: z up, ours down; time-outs; a page beside the station."""

from types import SimpleNamespace

import pytest

from pelagos.errors import MessageError
from pelagos.links.mavlink.sticks import StationSticks, channel, manual
from pelagos.session.source import CENTRED, Input


def control(x=0, y=0, z=500, r=0, s=0, t=0, extensions=0):
    return SimpleNamespace(x=x, y=y, z=z, r=r, s=s, t=t, enabled_extensions=extensions, buttons=0)


def pulses(**channels):
    told = {f"chan{i}_raw": 65535 for i in range(1, 9)} | {f"chan{i}_raw": 0 for i in range(9, 19)}
    return SimpleNamespace(**(told | {f"{name}_raw": value for name, value in channels.items()}))


class Boat:
    """What sticks need of a flight."""

    def __init__(self):
        self.sticks, self.waits, self.orders = CENTRED, True, []
        self.aim = SimpleNamespace(lights=1.0)

    def input(self, sticks):
        self.sticks = sticks

    def order(self, name, values):
        self.orders.append((name, dict(values)))


def test_manual_control_moves_all_axes_and_z_is_up():
    assert manual(control(1000, -500, 1000, 250)) == {
        "surge": 1.0, "sway": -0.5, "heave": -1.0, "roll": 0.0, "pitch": 0.0, "yaw": 0.25
    }  # fmt: skip
    assert manual(control(z=0))["heave"] == 1.0 and manual(control())["heave"] == 0.0
    both = manual(control(s=500, t=-1000, extensions=3))
    assert (both["pitch"], both["roll"]) == (0.5, -1.0)
    assert manual(control(s=500, t=-1000, extensions=1))["roll"] == 0.0
    assert manual(control(z=750), 2.0)["heave"] == -1.0  # half stick, twice the gain
    assert manual(control(x=32767, z=32767))["surge"] == 0.0  # axes that are not there


@pytest.mark.parametrize("axes", [{"x": 1001}, {"y": -1001}, {"z": -1}, {"z": 1001}, {"r": 20000}])
def test_sticks_out_of_range_are_refused(axes):
    with pytest.raises(MessageError, match="expected"):
        manual(control(**axes))


def test_pulses():
    assert [channel(5, us) for us in (1100, 1300, 1500, 1900, 2000)] == [-1.0, -0.5, 0.0, 1.0, 1.0]
    assert channel(1, 65535) is None and channel(1, 0) == 0.0
    assert channel(9, 0) is None and channel(9, 65534) == 0.0
    for wrong in (1, 799, 2201, 65534):
        with pytest.raises(MessageError, match="expected"):
            channel(3, wrong)


def test_channels_are_in_the_order_of_ardusub_and_keep_what_is_not_told():
    boat, sticks = Boat(), StationSticks(lambda: 0.0)
    sticks.override(boat, pulses(chan1=1900, chan2=1100, chan3=1900, chan4=1700, chan5=1300, chan6=1600))
    assert boat.sticks == Input(surge=-0.5, sway=0.25, heave=-1.0, roll=-1.0, pitch=1.0, yaw=0.5)
    assert boat.waits is False
    sticks.override(boat, pulses(chan3=0))
    assert boat.sticks == Input(surge=-0.5, sway=0.25, heave=0.0, roll=-1.0, pitch=1.0, yaw=0.5)
    sticks.override(boat, pulses(chan9=1300))
    assert boat.orders == [("lights", {"level": 0.25})]
    assert sticks.held
    sticks.override(boat, pulses(**{f"chan{i}": 0 for i in range(1, 7)}))
    assert boat.sticks == CENTRED and not sticks.held  # it has let go: nothing is missed


def test_silence_brings_the_sticks_to_the_middle_once():
    now = SimpleNamespace(s=0.0)
    boat, sticks = Boat(), StationSticks(lambda: now.s)
    assert not sticks.expire(boat, 1.0)
    sticks.manual(boat, control(x=800), 1.0)
    now.s = 0.9
    sticks.manual(boat, control(x=800), 1.0)
    now.s = 1.8
    assert not sticks.expire(boat, 1.0) and boat.sticks.surge == 0.8
    now.s = 2.0
    assert sticks.expire(boat, 1.0) and boat.sticks == CENTRED
    assert not sticks.expire(boat, 1.0)
    sticks.manual(boat, control(x=800), 1.0)
    assert boat.sticks.surge == 0.8  # the same sticks as before, and they act again


def test_whoever_moved_last_has_the_sticks():
    now = SimpleNamespace(s=0.0)
    boat, sticks = Boat(), StationSticks(lambda: now.s)
    boat.input(Input(pan=0.5))
    sticks.manual(boat, control(x=800), 1.0)
    assert boat.sticks == Input(surge=0.8, pan=0.5)  # the camera stays the page's
    boat.input(Input(sway=-1.0))
    sticks.manual(boat, control(x=800), 1.0)
    assert boat.sticks == Input(sway=-1.0)  # held still, the station's do not fight
    now.s = 5.0
    assert sticks.expire(boat, 1.0) and boat.sticks == Input(sway=-1.0)
    sticks.manual(boat, control(x=100), 1.0)
    assert boat.sticks == Input(surge=0.1)


def test_a_centred_stick_does_not_wake_a_flight_that_waits():
    boat, sticks = Boat(), StationSticks(lambda: 0.0)
    sticks.manual(boat, control(), 1.0)
    assert boat.waits and sticks.held
