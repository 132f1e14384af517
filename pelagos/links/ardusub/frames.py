"""The frames of ArduSub: what each of its motors does when it gets more than 1500 microseconds.

ArduSub mixes six demands into each motor with these factors. Its positive demands are: roll to starboard, pitch up, yaw
to starboard, throttle **up**, forward, lateral to starboard. A motor whose positive output would not give a positive
part of the demand has the factor -1. So the factors are at once the signs of the push and the moment of that motor at
positive output; in our axes (x forward, y starboard, z down) the push is

    (forward, lateral, -throttle)   and the moment   (roll, pitch, yaw).

The order is that of the outputs: motor 1 is channel 1 (SERVO1_FUNCTION = 33, Motor1), and so on.

Reference: ArduPilot, libraries/AP_Motors, frames vectored (FRAME_CONFIG 1) and vectored_6dof (2); numbers only.
"""

from __future__ import annotations

from typing import NamedTuple


class Motor(NamedTuple):
    """The factors of one motor."""

    roll: float
    pitch: float
    yaw: float
    throttle: float
    forward: float
    lateral: float

    @property
    def push_b(self) -> tuple[float, float, float]:
        """Signs of the push at positive output, body axes."""
        return self.forward, self.lateral, -self.throttle

    @property
    def moment_b(self) -> tuple[float, float, float]:
        """Signs of the moment at positive output, body axes; 0 where ArduSub does not use it."""
        return self.roll, self.pitch, self.yaw


_HORIZONTAL = (  # front starboard, front port, rear starboard, rear port; ahead and astern by the sign of forward
    Motor(0.0, 0.0, 1.0, 0.0, -1.0, 1.0),
    Motor(0.0, 0.0, -1.0, 0.0, -1.0, -1.0),
    Motor(0.0, 0.0, -1.0, 0.0, 1.0, 1.0),
    Motor(0.0, 0.0, 1.0, 0.0, 1.0, -1.0),
)
FRAMES: dict[str, tuple[Motor, ...]] = {
    "vectored": (
        *_HORIZONTAL,
        Motor(1.0, 0.0, 0.0, -1.0, 0.0, 0.0),
        Motor(-1.0, 0.0, 0.0, -1.0, 0.0, 0.0),
    ),
    "vectored_6dof": (
        *_HORIZONTAL,
        Motor(1.0, -1.0, 0.0, -1.0, 0.0, 0.0),
        Motor(-1.0, -1.0, 0.0, -1.0, 0.0, 0.0),
        Motor(1.0, 1.0, 0.0, -1.0, 0.0, 0.0),
        Motor(-1.0, 1.0, 0.0, -1.0, 0.0, 0.0),
    ),
}
BY_COUNT = {len(motors): name for name, motors in FRAMES.items()}
FRAME_CONFIG = {"vectored": 1, "vectored_6dof": 2}  # the parameter of ArduSub that chooses it
