"""Guidance: mission legs that turn the state of the vehicle into setpoints for the autopilot."""

from pelagos.guidance.ballast import BallastController, BallastSettings
from pelagos.guidance.base import GUIDE_COLUMNS, Guide, Leg
from pelagos.guidance.legs.bottom import BottomFollow
from pelagos.guidance.legs.course import Lawnmower, Trackline, Waypoints
from pelagos.guidance.legs.curves import Circle, Spiral
from pelagos.guidance.legs.kinds import KINDS
from pelagos.guidance.legs.place import FollowPath, Goto, Hold
from pelagos.guidance.legs.sawtooth import Sawtooth
from pelagos.guidance.legs.simple import Steady, SurfaceFix
from pelagos.guidance.mission import Mission, SetpointController
from pelagos.guidance.steering import CourseLeg

__all__ = [
    "GUIDE_COLUMNS",
    "KINDS",
    "BallastController",
    "BallastSettings",
    "BottomFollow",
    "Circle",
    "CourseLeg",
    "FollowPath",
    "Goto",
    "Guide",
    "Hold",
    "Lawnmower",
    "Leg",
    "Mission",
    "Sawtooth",
    "SetpointController",
    "Spiral",
    "Steady",
    "SurfaceFix",
    "Trackline",
    "Waypoints",
]
