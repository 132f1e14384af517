"""The buttons of MANUAL_CONTROL: functions with ArduSub's numbers, done when a button goes down.

| number | function |
|---|---|
| 1 | shift: the others then have their second function |
| 2, 3, 4 | arm or disarm, arm, disarm |
| 5 to 9, 11 | mode MANUAL, STABILIZE, ALT_HOLD, POSHOLD, AUTO, GUIDED |
| 13 | mode SURFTRAK |
| 21, 22, 23 | camera to the middle, up, down |
| 31, 32, 33 | lights: next step, brighter, dimmer |
| 41, 42, 43 | gain of the sticks: half or full, more, less |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from pelagos.messages import number

if TYPE_CHECKING:
    from pelagos.console.flight import Flight

BUTTONS = 16
SHIFT, ARM_TOGGLE, ARM, DISARM = 1, 2, 3, 4
MODES = {5: 19, 6: 0, 7: 2, 8: 16, 9: 3, 11: 4, 13: 21}  # function to the number of the mode
CENTRE, UP, DOWN = 21, 22, 23
CYCLE, BRIGHTER, DIMMER = 31, 32, 33
GAIN_TOGGLE, GAIN_MORE, GAIN_LESS = 41, 42, 43
FUNCTIONS = (
    0, SHIFT, ARM_TOGGLE, ARM, DISARM, *MODES, CENTRE, UP, DOWN, CYCLE, BRIGHTER, DIMMER,
    GAIN_TOGGLE, GAIN_MORE, GAIN_LESS,
)  # fmt: skip
# As ArduSub has them at first, without those that are not done here.
USUAL_FUNCTIONS = {
    1: 5, 2: 7, 3: 6, 4: DISARM, 5: SHIFT, 6: ARM, 7: CENTRE, 9: DOWN, 10: UP, 11: GAIN_MORE, 12: GAIN_LESS,
    13: DIMMER, 14: BRIGHTER,
}  # fmt: skip
USUAL_SHIFTED: dict[int, int] = {}
TILT_STEP_DEG = 5.0


class Buttons:
    """Which are down, and what they do.

    Args:
        parameters: BTNn_FUNCTION and BTNn_SFUNCTION, JS_*.
        enter: takes the number of a mode.
    """

    def __init__(self, parameters: Any, enter: Callable[[Flight, int], None]) -> None:
        self._parameters, self._enter = parameters, enter
        self._down = 0
        self._brighter = True  # which way the lights are cycled

    def press(self, flight: Flight, mask: int) -> None:
        """Buttons as they are now, one bit each; those that went down do their function. CommandError of the first."""
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
            flight.order("lights", {"level": self._lights(flight.aim.lights, function)})
        elif function in (GAIN_TOGGLE, GAIN_MORE, GAIN_LESS):
            flight.order("gain", {"factor": self._gain(flight.helm.gain, function)})

    def _camera(self, flight: Flight, function: int) -> Mapping[str, Any]:
        if function == CENTRE:
            return {"centre": True}
        eye = flight.aim.eye
        step = TILT_STEP_DEG if function == UP else -TILT_STEP_DEG
        low, high = (angle * 57.29577951308232 for angle in eye.tilt_limit_rad)
        return {"tilt_deg": min(max(flight.aim.tilt_deg + step, low), high)}  # the camera stops where its mount does

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
        wanted = now + (step if function == GAIN_MORE else -step)
        return number("gain", min(max(wanted, low), max(low, high)))
