"""Conditions of a training task: views, current, tether, depth control, image delay and visibility.

The thesis (Royer 1985, 7.1.a and 7.1.b) has six sets: no current and no cable; a current of 1 m/s from the south; a
current of 0.75 m/s from the south and a cable whose ship stays nearly above the vehicle; each with top view and camera,
or with the camera alone. Its depth control (7.2) resets the depth numerically: "perfect" here. The delay of its
pictures was 0.5 to 1.2 s and their rate 1 to 4 Hz (6.1.b, 6.2, 7.3): here `image_delay_s` and `frame_limit_hz`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

from pelagos.checks import choice, flag, number
from pelagos.errors import CommandError, one_of
from pelagos.tether.spec import Tether
from pelagos.world.current.kinds import Uniform

if TYPE_CHECKING:
    from pelagos.world.spec import World

DepthControl = Literal["off", "autopilot", "perfect"]
DEPTH_CONTROLS: tuple[str, ...] = get_args(DepthControl)
# Optional numbers and their ranges. A current above 5 m/s is probably in another unit.
RANGES = {
    "current_m_s": (0.0, 5.0),
    "current_to_deg": (-360.0, 360.0),
    "frame_limit_hz": (0.5, 60.0),
    "visibility_m": (0.5, 200.0),
}
LONGEST_DELAY_S = 2.0


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """The conditions under which a pilot flies a task.

    top_view         whether the pilot has the view from above
    camera           whether the pilot has the camera's picture
    current_m_s      speed of a uniform current; None: the currents of the world
    current_to_deg   where it flows to, clockwise from north; None: 0, from the south
    cable            whether the vehicle hangs on its tether
    depth_control    off; autopilot: by the thrusters; perfect: numerically, as in Royer's program
    image_delay_s    delay of the picture, 0 to 2 s
    frame_limit_hz   most pictures per second, 0.5 to 60; None: no limit
    visibility_m     range of sight in the water; None: that of the world
    """

    top_view: bool = True
    camera: bool = True
    current_m_s: float | None = None
    current_to_deg: float | None = None
    cable: bool = False
    depth_control: DepthControl = "off"
    image_delay_s: float = 0.0
    frame_limit_hz: float | None = None
    visibility_m: float | None = None

    def __post_init__(self) -> None:
        """Validate the values and turn whole numbers into floats."""
        for name in ("top_view", "camera", "cable"):
            flag(name, getattr(self, name))
        floats = {
            name: number(name, getattr(self, name), low, high)
            for name, (low, high) in RANGES.items()
            if getattr(self, name) is not None
        }
        floats["image_delay_s"] = number("image_delay_s", self.image_delay_s, 0.0, LONGEST_DELAY_S)
        for name, value in floats.items():
            object.__setattr__(self, name, value)  # part of construction; no attribute changes later
        choice("depth_control", self.depth_control, DEPTH_CONTROLS)
        if self.current_to_deg is not None and self.current_m_s is None:
            raise CommandError(key="current_to_deg", value=self.current_to_deg, expected="current_m_s beside it")
        if not (self.top_view or self.camera):
            raise CommandError("top_view and camera are both off", expected="at least one of them on")

    @classmethod
    def of(cls, values: Mapping[str, Any], base: Conditions | None = None) -> Conditions:
        """Make conditions from names and values, such as those of a message; the rest comes from `base`."""
        known = tuple(item.name for item in fields(cls))
        for name in values:
            if name not in known:
                raise CommandError("there is no condition", value=name, expected=one_of(known), names=known)
        return replace(base or cls(), **values)

    def apply(self, world: World) -> World:
        """The world under these conditions: with this current and visibility, if they are set."""
        changes: dict[str, Any] = {}
        if self.current_m_s is not None:
            flow = Uniform(speed_m_s=self.current_m_s, to_deg=self.current_to_deg or 0.0)
            # The world has a current in several forms; all of them give way.
            changes = {"current": None, "current_m_s": 0.0, "current_to_deg": 0.0, "current_down_m_s": 0.0}
            changes["currents"] = (flow,) if self.current_m_s > 0.0 else ()
        if self.visibility_m is not None:
            changes["visibility_m"] = self.visibility_m
        return replace(world, **changes) if changes else world

    def tether(self) -> Tether | None:
        """The tether, if there is a cable: ship nearly above the vehicle (7.1.a), length by a ratio (6.2).

        The ratio is that of chapter 3, 150 m of cable in 100 m of water.
        """
        return Tether(payout="ratio", ratio=1.5, ship="follow") if self.cable else None

    def described(self) -> dict[str, Any]:
        """The conditions as a table for JSON."""
        return asdict(self)

    def sentence(self) -> str:
        """The conditions in words, defaults left out: "current 0.75 m/s to 0 deg, cable, camera only"."""
        parts: list[str] = []
        if self.current_m_s is not None:
            still = self.current_m_s == 0.0
            parts.append(
                "no current" if still else f"current {self.current_m_s:g} m/s to {self.current_to_deg or 0:g} deg"
            )
        parts.append("cable" if self.cable else "no cable")
        if not (self.top_view and self.camera):
            parts.append("camera only" if self.camera else "top view only")
        if self.depth_control != "off":
            parts.append(f"depth control: {self.depth_control}")
        if self.image_delay_s > 0.0:
            parts.append(f"picture {self.image_delay_s:g} s late")
        if self.frame_limit_hz is not None:
            parts.append(f"{self.frame_limit_hz:g} pictures a second")
        if self.visibility_m is not None:
            parts.append(f"visibility {self.visibility_m:g} m")
        return ", ".join(parts)


def _sets() -> dict[str, Conditions]:
    flows = {
        "calm": Conditions(current_m_s=0.0),
        "current": Conditions(current_m_s=1.0, current_to_deg=0.0),
        "cable": Conditions(current_m_s=0.75, current_to_deg=0.0, cable=True),
    }
    return flows | {f"{name}-camera": replace(flow, top_view=False) for name, flow in flows.items()}


THESIS: Mapping[str, Conditions] = _sets()  # the six sets of 7.1.a by name


def named_conditions(name: str) -> Conditions:
    """A set of the thesis by name: calm, current, cable; calm-camera, current-camera, cable-camera."""
    if name not in THESIS:
        raise CommandError("there are no conditions", value=name, expected=one_of(THESIS), names=THESIS)
    return THESIS[name]
