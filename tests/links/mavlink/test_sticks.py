"""Signs and timeouts of stick input, the web console beside the station, and functions of buttons."""

from types import SimpleNamespace

import pytest

from pelagos.errors import CommandError, MessageError
from pelagos.links.mavlink.parameters import Parameters
from pelagos.links.mavlink.sticks import FUNCTIONS, USUAL_FUNCTIONS, Buttons, StationSticks, channel, manual
from pelagos.session.flight import Flight
from pelagos.session.source import CENTRED, Input


def control(x=0, y=0, z=500, r=0, s=0, t=0, extensions=0):
    return SimpleNamespace(x=x, y=y, z=z, r=r, s=s, t=t, enabled_extensions=extensions, buttons=0)


def pulses(**channels):
    unchanged = {f"chan{i}_raw": 65535 for i in range(1, 9)} | {f"chan{i}_raw": 0 for i in range(9, 19)}
    return SimpleNamespace(**(unchanged | {f"{name}_raw": value for name, value in channels.items()}))


class Boat:
    """What sticks need of a flight."""

    def __init__(self):
        self.sticks, self.waits, self.orders = CENTRED, True, []
        self.camera_mount = SimpleNamespace(lights=1.0)

    def input(self, sticks):
        self.sticks = sticks
        self.waits = self.waits and not any(sticks[:6])

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


@pytest.fixture(scope="module")
def flight():
    made = Flight("bluerov2_heavy", start={"depth_m": 5.0})
    yield made
    made.close()


@pytest.fixture
def made(flight):
    flight.order("reset", {})
    parameters, entered = Parameters(), []
    return Buttons(parameters, lambda flight, number: entered.append(number)), parameters, entered


def bit(button):
    return 1 << button


def tap(buttons, flight, button, shift=0):
    buttons.press(flight, shift)
    buttons.press(flight, bit(button) | shift)
    buttons.press(flight, 0)


def test_the_usual_buttons_arm_and_change_modes(made, flight):
    buttons, _, entered = made
    tap(buttons, flight, 4)
    assert not flight.armed
    tap(buttons, flight, 6)
    assert flight.armed
    for button in (1, 2, 3):
        tap(buttons, flight, button)
    assert entered == [19, 2, 0]  # manual, depth hold, stabilise: as ArduSub has them at first


def test_a_button_that_is_held_does_it_once(made, flight):
    buttons, _, entered = made
    for _ in range(5):
        buttons.press(flight, bit(2))
    assert entered == [2]


def test_gain_goes_up_and_down_in_steps_within_its_limits(made, flight):
    buttons, p, _ = made
    flight.order("gain", {"factor": 0.5})
    gains = []
    for _ in range(6):
        tap(buttons, flight, 11)
        gains.append(flight.helm.gain)
    assert gains == pytest.approx([0.75, 1.0, 1.0, 1.0, 1.0, 1.0])  # (1 - 0.25) / 3 a step
    for _ in range(6):
        tap(buttons, flight, 12)
    assert flight.helm.gain == pytest.approx(p["JS_GAIN_MIN"])
    p.set("BTN0_FUNCTION", 41)
    tap(buttons, flight, 0)
    assert flight.helm.gain == 1.0
    tap(buttons, flight, 0)
    assert flight.helm.gain == 0.5


def test_lights_and_camera(made, flight):
    buttons, p, _ = made
    tap(buttons, flight, 13)
    assert flight.camera_mount.lights == pytest.approx(1.0 - 1.0 / 8.0)
    for _ in range(3):
        tap(buttons, flight, 14)
    assert flight.camera_mount.lights == 1.0
    p.set("BTN0_FUNCTION", 31)
    tap(buttons, flight, 0)
    assert flight.camera_mount.lights == pytest.approx(0.875)  # from the brightest it can only go down
    tap(buttons, flight, 10)
    assert flight.camera_mount.tilt_deg == pytest.approx(5.0)
    for _ in range(60):
        tap(buttons, flight, 9)
    assert flight.camera_mount.tilt_rad == pytest.approx(flight.camera_mount.camera.tilt_limit_rad[0])
    tap(buttons, flight, 7)
    assert flight.camera_mount.tilt_rad == flight.camera_mount.camera.tilt_rad


def test_with_the_shift_button_held_another_function_counts(made, flight):
    buttons, p, entered = made
    p.set("BTN2_SFUNCTION", 8)
    tap(buttons, flight, 2, shift=bit(5))
    tap(buttons, flight, 3, shift=bit(5))  # has none
    assert entered == [16]


def test_only_functions_that_do_something_can_be_chosen():
    p = Parameters()
    assert set(USUAL_FUNCTIONS.values()) <= set(FUNCTIONS)
    for function in FUNCTIONS:
        p.set("BTN15_SFUNCTION", function)
    with pytest.raises(CommandError, match="expected"):
        p.set("BTN15_SFUNCTION", 12)  # ACRO of ArduSub
