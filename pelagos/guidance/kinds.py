"""The kinds of legs, by the name that stands in a scenario file."""

from __future__ import annotations

from pelagos.guidance.base import Leg
from pelagos.guidance.bottom import BottomFollow
from pelagos.guidance.course import Trackline, Waypoints
from pelagos.guidance.curves import Circle, Spiral
from pelagos.guidance.lawnmower import Lawnmower
from pelagos.guidance.place import FollowPath, Goto, Hold
from pelagos.guidance.sawtooth import Sawtooth
from pelagos.guidance.simple import Steady, SurfaceFix

KINDS: dict[str, type[Leg]] = {
    leg.kind: leg
    for leg in (
        Steady, Waypoints, Trackline, Lawnmower, Spiral, Circle, BottomFollow, SurfaceFix, Sawtooth,
        Hold, Goto, FollowPath,
    )
}  # fmt: skip
