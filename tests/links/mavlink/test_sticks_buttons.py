"""Buttons do their function when they go down, once."""

import pytest

from pelagos.errors import CommandError
from pelagos.links.mavlink.parameters import Parameters
from pelagos.links.mavlink.sticks import FUNCTIONS, USUAL_FUNCTIONS, Buttons
from pelagos.session.flight import Flight


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
    seen = []
    for _ in range(6):
        tap(buttons, flight, 11)
        seen.append(flight.helm.gain)
    assert seen == pytest.approx([0.75, 1.0, 1.0, 1.0, 1.0, 1.0])  # (1 - 0.25) / 3 a step
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
    assert flight.aim.lights == pytest.approx(1.0 - 1.0 / 8.0)
    for _ in range(3):
        tap(buttons, flight, 14)
    assert flight.aim.lights == 1.0
    p.set("BTN0_FUNCTION", 31)
    tap(buttons, flight, 0)
    assert flight.aim.lights == pytest.approx(0.875)  # from the brightest it can only go down
    tap(buttons, flight, 10)
    assert flight.aim.tilt_deg == pytest.approx(5.0)
    for _ in range(60):
        tap(buttons, flight, 9)
    assert flight.aim.tilt_rad == pytest.approx(flight.aim.eye.tilt_limit_rad[0])
    tap(buttons, flight, 7)
    assert flight.aim.tilt_rad == flight.aim.eye.tilt_rad


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
