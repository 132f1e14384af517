"""From wishes to actuator demands: the autopilot, the pilot's sticks, and what they are made of."""

from pelagos.control.allocation import Allocation
from pelagos.control.autopilot import Autopilot
from pelagos.control.base import Controller
from pelagos.control.helm import Helm
from pelagos.control.numerical_hold import Hold
from pelagos.control.pid import PID
from pelagos.control.pilot import Pilot
from pelagos.control.sliding_mode import SlidingMode

__all__ = ["PID", "Allocation", "Autopilot", "Controller", "Helm", "Hold", "Pilot", "SlidingMode"]
