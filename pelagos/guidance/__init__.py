"""Where to go next: guides turn the motion into setpoints, a mission flies them one after the other."""

from pelagos.guidance.ballast import BallastHelm, BallastOrders
from pelagos.guidance.base import GUIDE_COLUMNS, Guide, Leg
from pelagos.guidance.bottom import BottomFollow
from pelagos.guidance.course import Trackline, Waypoints
from pelagos.guidance.curves import Circle, Spiral
from pelagos.guidance.kinds import KINDS
from pelagos.guidance.lawnmower import Lawnmower
from pelagos.guidance.mission import Helm, Mission
from pelagos.guidance.place import FollowPath, Goto, Hold
from pelagos.guidance.sawtooth import Sawtooth
from pelagos.guidance.simple import Steady, SurfaceFix
from pelagos.guidance.steering import CourseLeg

__all__ = [
    "GUIDE_COLUMNS",
    "KINDS",
    "BallastHelm",
    "BallastOrders",
    "BottomFollow",
    "Circle",
    "CourseLeg",
    "FollowPath",
    "Goto",
    "Guide",
    "Helm",
    "Hold",
    "Lawnmower",
    "Leg",
    "Mission",
    "Sawtooth",
    "Spiral",
    "Steady",
    "SurfaceFix",
    "Trackline",
    "Waypoints",
]
