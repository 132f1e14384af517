"""Table of the kinds of legs by their name in a scenario file."""

from __future__ import annotations

from pelagos.guidance.base import Leg
from pelagos.guidance.legs.bottom import BottomFollow
from pelagos.guidance.legs.course import Lawnmower, Trackline, Waypoints
from pelagos.guidance.legs.curves import Circle, Spiral
from pelagos.guidance.legs.place import FollowPath, Goto, Hold
from pelagos.guidance.legs.sawtooth import Sawtooth
from pelagos.guidance.legs.simple import Steady, SurfaceFix

KINDS: dict[str, type[Leg]] = {
    leg.kind: leg
    for leg in (
        Steady, Waypoints, Trackline, Lawnmower, Spiral, Circle, BottomFollow, SurfaceFix, Sawtooth,
        Hold, Goto, FollowPath,
    )
}  # fmt: skip
