"""Joystick input of a ground station: MANUAL_CONTROL with its buttons, and RC_CHANNELS_OVERRIDE.

    MANUAL_CONTROL   x forward, y and r to starboard, -1000..1000; z 0..1000, 500 at the centre, more is UP
                     s bow up and t starboard side down, -1000..1000, if enabled_extensions has their bits
    channels         1 pitch (bow up), 2 roll, 3 throttle (up), 4 yaw, 5 forward, 6 lateral; 9 lights
                     1500 at the centre, 1100 and 1900 full deflection; values beyond count as full
                     0 releases a channel, 65535 leaves it unchanged (from 9 on 65534 releases)

The web console and the station control the same sticks: the last movement wins. Sticks that the station holds still do
not override those moved at the console. After FS_PILOT_TIMEOUT without a message the sticks return to the centre,
unless the console has moved them since.

Buttons have functions with the numbers of ArduSub, executed when the button is pressed:

| number | function |
|---|---|
| 1 | shift: the other buttons then have their second function |
| 2, 3, 4 | arm or disarm, arm, disarm |
| 5 to 9, 11 | mode MANUAL, STABILIZE, ALT_HOLD, POSHOLD, AUTO, GUIDED |
| 13 | mode SURFTRAK |
| 21, 22, 23 | camera to the centre, up, down |
| 31, 32, 33 | lights: next step, brighter, dimmer |
| 41, 42, 43 | stick gain: toggle half and full, more, less |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from pelagos.checks import LINK, number, whole
from pelagos.errors import MessageError
from pelagos.session.source import Input

if TYPE_CHECKING:
    from pelagos.session.flight import Flight


BUTTONS = 16  # bits of `buttons` in MANUAL_CONTROL
SHIFT, ARM_TOGGLE, ARM, DISARM = 1, 2, 3, 4
MODES = {5: 19, 6: 0, 7: 2, 8: 16, 9: 3, 11: 4, 13: 21}  # function to the number of the mode
CENTRE, UP, DOWN = 21, 22, 23
CYCLE, BRIGHTER, DIMMER = 31, 32, 33
GAIN_TOGGLE, GAIN_MORE, GAIN_LESS = 41, 42, 43
FUNCTIONS = (
    0, SHIFT, ARM_TOGGLE, ARM, DISARM, *MODES, CENTRE, UP, DOWN, CYCLE, BRIGHTER, DIMMER,
    GAIN_TOGGLE, GAIN_MORE, GAIN_LESS,
)  # fmt: skip
# The defaults of ArduSub, without functions that are not supported.
USUAL_FUNCTIONS = {
    1: 5, 2: 7, 3: 6, 4: DISARM, 5: SHIFT, 6: ARM, 7: CENTRE, 9: DOWN, 10: UP, 11: GAIN_MORE, 12: GAIN_LESS,
    13: DIMMER, 14: BRIGHTER,
}  # fmt: skip
USUAL_SHIFTED: dict[int, int] = {}
TILT_STEP_DEG = 5.0  # of the camera for each press of a button
FULL, NONE = 1000, 0x7FFF  # MANUAL_CONTROL: full deflection; an axis that is not used
MIDDLE_US, FULL_US = 1500, 400  # centre and full deflection of a servo pulse
SHORTEST_US, LONGEST_US = 800, 2200  # range of valid pulses
RELEASE, UNCHANGED, RELEASE_HIGH = 0, 0xFFFF, 0xFFFE
CHANNELS = ("pitch", "roll", "heave", "yaw", "surge", "sway")
LIGHTS = 9  # channel of RC_CHANNELS_OVERRIDE
AXES = ("surge", "sway", "heave", "roll", "pitch", "yaw")


class Buttons:
    """Joystick buttons and their functions.

    Args:
        parameters: parameters BTNn_FUNCTION, BTNn_SFUNCTION and JS_*.
        enter: enters a flight mode by its number.
    """

    def __init__(self, parameters: Any, enter: Callable[[Flight, int], None]) -> None:
        self._parameters, self._enter = parameters, enter
        self._down = 0
        self._brighter = True  # direction of the light cycle

    def press(self, flight: Flight, mask: int) -> None:
        """Update the pressed buttons, one bit each, and execute those newly pressed; the first CommandError ends it."""
        new, self._down = mask & ~self._down, mask
        down = [i for i in range(BUTTONS) if mask >> i & 1]
        shift = any(int(self._parameters[f"BTN{i}_FUNCTION"]) == SHIFT for i in down)
        for i in down:
            if new >> i & 1:
                self._do(flight, int(self._parameters[f"BTN{i}_{'S' if shift else ''}FUNCTION"]))

    def _do(self, flight: Flight, function: int) -> None:
        if function in MODES:
            self._enter(flight, MODES[function])
        elif function in (ARM_TOGGLE, ARM, DISARM):
            flight.order("arm", {"on": function == ARM or (function == ARM_TOGGLE and not flight.armed)})
        elif function in (CENTRE, UP, DOWN):
            flight.order("camera", self._camera(flight, function))
        elif function in (CYCLE, BRIGHTER, DIMMER):
            flight.order("lights", {"level": self._lights(flight.camera_mount.lights, function)})
        elif function in (GAIN_TOGGLE, GAIN_MORE, GAIN_LESS):
            flight.order("gain", {"factor": self._gain(flight.helm.gain, function)})

    def _camera(self, flight: Flight, function: int) -> Mapping[str, Any]:
        if function == CENTRE:
            return {"centre": True}
        mount = flight.camera_mount
        step = TILT_STEP_DEG if function == UP else -TILT_STEP_DEG
        low, high = (angle * 57.29577951308232 for angle in mount.camera.tilt_limit_rad)
        return {"tilt_deg": min(max(mount.tilt_deg + step, low), high)}  # the camera stops where its mount does

    def _lights(self, level: float, function: int) -> float:
        step = 1.0 / self._parameters["JS_LIGHTS_STEPS"]
        if function == CYCLE:
            if (self._brighter and level >= 1.0) or (not self._brighter and level <= 0.0):
                self._brighter = not self._brighter
            function = BRIGHTER if self._brighter else DIMMER
        return min(max(level + (step if function == BRIGHTER else -step), 0.0), 1.0)

    def _gain(self, now: float, function: int) -> float:
        if function == GAIN_TOGGLE:
            return 1.0 if now <= 0.5 else 0.5
        low, high = self._parameters["JS_GAIN_MIN"], self._parameters["JS_GAIN_MAX"]
        steps = self._parameters["JS_GAIN_STEPS"]
        step = (high - low) / (steps - 1.0) if steps > 1.0 else 0.0
        gain = now + (step if function == GAIN_MORE else -step)
        return number("gain", min(max(gain, low), max(low, high)))


def manual(message: Any, thrust_gain: float = 1.0) -> dict[str, float]:
    """Return the stick deflections of a MANUAL_CONTROL, -1..1, heave positive down; MessageError if out of range."""
    up = 0.0
    if message.z != NONE:
        up = (whole("MANUAL_CONTROL z", message.z, 0, FULL, context=LINK) - 500) / 500.0
    extra = message.enabled_extensions
    return {
        "surge": _axis("x", message.x),
        "sway": _axis("y", message.y),
        "heave": -min(max(up * thrust_gain, -1.0), 1.0),
        "roll": _axis("t", message.t) if extra & 2 else 0.0,
        "pitch": _axis("s", message.s) if extra & 1 else 0.0,
        "yaw": _axis("r", message.r),
    }


def _axis(name: str, value: int) -> float:
    if value == NONE:
        return 0.0
    return whole(f"MANUAL_CONTROL {name}", value, -FULL, FULL, context=LINK) / FULL


def channel(number: int, pulse: int) -> float | None:
    """Return the deflection of a channel, -1..1, or None if unchanged; MessageError for an invalid pulse."""
    if pulse == UNCHANGED or (number > 8 and pulse == RELEASE):
        return None
    if pulse == RELEASE or (number > 8 and pulse == RELEASE_HIGH):
        return 0.0
    if not SHORTEST_US <= pulse <= LONGEST_US:
        raise MessageError(
            key=f"channel {number}", value=pulse, expected=f"{SHORTEST_US} to {LONGEST_US} us, 0 or 65535"
        )
    return min(max((pulse - MIDDLE_US) / FULL_US, -1.0), 1.0)


class StationSticks:
    """Stick input of the station and its transfer to the flight."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self.reset()

    def reset(self) -> None:
        """Start a new flight with centred sticks."""
        self._axes = dict.fromkeys(AXES, 0.0)
        self._applied: Input | None = None  # last input that the station gave to the flight
        self._received_s: float | None = None

    @property
    def held(self) -> bool:
        """Whether the station is sending stick input."""
        return self._received_s is not None

    def in_control(self, flight: Flight) -> bool:
        """Return whether the present sticks of the flight are those of the station."""
        return self._applied is not None and flight.sticks == self._applied

    def manual(self, flight: Flight, message: Any, thrust_gain: float) -> None:
        """Apply a MANUAL_CONTROL message."""
        self._move(flight, manual(message, thrust_gain))

    def override(self, flight: Flight, message: Any) -> None:
        """Apply an RC_CHANNELS_OVERRIDE message."""
        pulses = [int(getattr(message, f"chan{i}_raw")) for i in range(1, 7)]
        deflections = {name: channel(i, pulse) for i, (name, pulse) in enumerate(zip(CHANNELS, pulses, strict=True), 1)}
        lights = channel(LIGHTS, int(message.chan9_raw))
        axes = {name: value for name, value in deflections.items() if value is not None}
        if "heave" in axes:
            axes["heave"] = -axes["heave"]
        self._move(flight, self._axes | axes)
        if not any(pulses):  # all channels released: the station gives up control, no failsafe
            self._received_s = self._applied = None
        if lights is not None:
            level = 0.5 + 0.5 * lights
            if level != flight.camera_mount.lights:
                flight.order("lights", {"level": level})

    def expire(self, flight: Flight, after_s: float) -> bool:
        """Centre the sticks if no input came for `after_s`; return whether that happened."""
        if self._received_s is None or self._clock() - self._received_s <= after_s:
            return False
        self._received_s = None
        self._axes = dict.fromkeys(AXES, 0.0)
        if self.in_control(flight):
            flight.input(flight.sticks._replace(**self._axes))
        self._applied = None
        return True

    def _move(self, flight: Flight, axes: dict[str, float]) -> None:
        """Pass moved sticks to the flight; the camera input stays unchanged."""
        first = self._received_s is None
        self._received_s = self._clock()
        # Repeated messages with unmoved sticks must not override input from the console; nor must a first, centred one.
        if axes == self._axes and (not first or not any(axes.values())):
            return
        self._axes = dict(axes)
        self._applied = flight.sticks._replace(**axes)
        flight.input(self._applied)
