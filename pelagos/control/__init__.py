"""Control: autopilots, manual control and what they share, from a vehicle state to actuator commands."""

from pelagos.control.allocation.allocation import Allocation
from pelagos.control.autopilot.autopilot import Autopilot
from pelagos.control.base import Controller
from pelagos.control.pid import PID
from pelagos.control.pilot.helm import Helm
from pelagos.control.pilot.numerical_hold import NumericalHold
from pelagos.control.pilot.sticks import Pilot
from pelagos.control.sliding.controller import SlidingMode

__all__ = ["PID", "Allocation", "Autopilot", "Controller", "Helm", "NumericalHold", "Pilot", "SlidingMode"]
