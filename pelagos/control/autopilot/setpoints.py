"""Checks whether a vehicle can hold a setpoint, and which control loops that takes.

A `HoldPlan` lists the loops of a setpoint and how depth is held. A setpoint that the vehicle cannot hold raises
CommandError with the reason when it is commanded, not later.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from pelagos.control.base import AXIS_NAMES, HEAVE, PITCH, ROLL, SURGE, SWAY, YAW
from pelagos.control.tuning.gains import NO_DIVE, SAMPLING_S, grows
from pelagos.control.tuning.schedule import Schedule
from pelagos.errors import CommandError, one_of
from pelagos.messages import QUANTITIES, Setpoint, release_vertical

PLACE = ("north_m", "east_m")
RATES_HZ = (0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0)  # tried for the lowest stable rate that an error names


@dataclass(frozen=True)
class HoldPlan:
    """The control loops that hold a setpoint."""

    speed: float | None = None  # ahead, m/s; None: not held
    by_planes: bool = False  # depth is held through pitch
    loops: frozenset[str] = frozenset()  # of surge, place, heave, dive, yaw; pitch and roll run wherever they can


def changed(held: Setpoint, changes: dict[str, float | None]) -> Setpoint:
    """Change some quantities of a setpoint; depth and altitude replace each other, a place is released whole."""
    for name in changes:
        if name not in QUANTITIES:
            raise CommandError(
                "the autopilot has no setpoint", value=name, expected=one_of(QUANTITIES), names=QUANTITIES
            )
    values = {**vars(held), **changes}
    release_vertical(values, changes)
    if any(name in changes and changes[name] is None for name in PLACE):
        values |= {name: changes.get(name) for name in PLACE}
    return Setpoint(**values)


def plan(s: Schedule, setpoint: Setpoint, skip_rate_check: bool = False) -> HoldPlan:
    """Find the loops that hold a setpoint; CommandError if the vehicle cannot hold it.

    `skip_rate_check` is for controllers whose heading and dive laws are other than the PID loops: these loops may be
    unstable at a control rate at which the other laws are stable.
    """
    vehicle, thrust = s.vehicle, s.allocation.axes
    place = setpoint.north_m is not None
    _check_speed(s, setpoint, place)
    if place:
        _check_place(s, setpoint)
    turns = (
        ("heading_deg", setpoint.heading_deg, YAW),
        ("pitch_deg", setpoint.pitch_deg, PITCH),
        ("roll_deg", setpoint.roll_deg, ROLL),
    )
    for key, value, axis in turns:
        if value is not None and not vehicle.free[axis]:
            raise _refusal(s, setpoint, key, f"its model holds {AXIS_NAMES[axis]} fixed")
        if value is not None and axis not in thrust and not steered(s, axis):
            why = f"no thruster and no control surface gives it a {AXIS_NAMES[axis]} moment"
            raise _refusal(s, setpoint, key, why)
    speed = None if place else setpoint.speed_m_s
    vertical = "depth_m" if setpoint.depth_m is not None else "altitude_m" if setpoint.altitude_m is not None else ""
    by_planes = bool(vertical) and _by_planes(s, setpoint, vertical, speed)
    by_way = [key for key, value, axis in turns if value is not None and axis not in thrust]
    if by_planes:
        by_way.append(vertical)
    if by_way and place:
        raise _refusal(s, setpoint, by_way[0], "it steers with its fins, which need way", held=" at a place")
    if by_way and speed is None:
        speed = s.cruise if vehicle.free[SURGE] else None
    if by_way and speed is not None and speed < s.lowest:
        why, expected = "it steers with its fins, which need way", _fast_enough(s, by_planes)
        raise _refusal(s, setpoint, by_way[0], why, expected, f" at {speed:.3g} m/s")
    if by_planes:
        _check_depth_speed(s, setpoint, vertical, speed)
    if vertical and not by_planes and speed is not None and abs(speed) > s.steady_speed:
        why = "nothing holds its pitch, and at this speed the oncoming water turns it over"
        expected = f"a speed_m_s of at most {_rounded(s.steady_speed, math.floor):.3g}"
        raise _refusal(s, setpoint, vertical, why, expected, f" at {speed:g} m/s")
    used = {
        "surge": speed is not None and s.surge.works,
        "place": place,
        "heave": bool(vertical) and not by_planes,
        "dive": by_planes,
        "yaw": setpoint.heading_deg is not None,
    }
    hold_plan = HoldPlan(speed, by_planes, frozenset(name for name, on in used.items() if on))
    # The gains are tuned to be stable at the default interval; only longer ones need the check.
    if not skip_rate_check and s.interval_s > SAMPLING_S:
        _check_rate(s, hold_plan)
    return hold_plan


def _check_depth_speed(s: Schedule, setpoint: Setpoint, vertical: str, speed: float | None) -> None:
    """Refuse a speed at which the planes of a vehicle that depends on them cannot hold depth (or altitude)."""
    at = s.top_speed if not s.vehicle.free[SURGE] else s.cruise if speed is None else speed
    if s.needs_planes and not s.planes_hold(at):
        raise _refusal(s, setpoint, vertical, s.planes_fail(at), _fast_enough(s, True), f" at {at:.3g} m/s")


def least_speed(s: Schedule, by_planes: bool) -> float:
    """Least speed ahead, m/s, at which a vehicle that steers with fins can be controlled; infinite if there is none."""
    return max(s.lowest, s.planes_hold_from) if by_planes and s.needs_planes else s.lowest


def _fast_enough(s: Schedule, by_planes: bool) -> str:
    """Describe the speeds at which fins can control the vehicle."""
    least = least_speed(s, by_planes)
    if math.isinf(least):
        return "another setpoint: no speed up to its top speed is enough"
    return f"a speed_m_s of at least {_rounded(least, math.ceil):.3g}"


def _rounded(speed: float, to_whole: Callable[[float], int]) -> float:
    """Round a speed to three digits: up (math.ceil) or down (math.floor), so that the result is allowed."""
    if speed <= 0.0:
        return 0.0
    scale = 10.0 ** (2 - math.floor(math.log10(speed)))
    slack = 1e-9 if to_whole is math.floor else -1e-9  # three digits already, but for rounding errors
    return to_whole(speed * scale + slack) / scale


def _check_rate(s: Schedule, hold_plan: HoldPlan) -> None:
    """Refuse a control rate at which a sampled loop is unstable, and name the lowest stable one."""
    angle = _unstable(s, hold_plan)
    if angle:
        rates = [rate for rate in RATES_HZ if rate * s.interval_s > 1.0]
        stable = (r for r in rates if not _unstable(Schedule(s.vehicle, s.water, 1.0 / r), hold_plan))
        lowest, rate = next(stable, RATES_HZ[-1]), 1.0 / s.interval_s
        message = f"at {rate:.3g} Hz the {angle} loop of {s.vehicle.name} is unstable, so it cannot hold this setpoint"
        raise CommandError(message, key="control_rate_hz", value=rate, expected=f"a rate of at least {lowest:g} Hz")


def _unstable(s: Schedule, hold_plan: HoldPlan) -> str:
    """The angle that is unstable under its loop at the control rate; empty if none is."""
    stage = s.stage(s.top_speed if not s.vehicle.free[SURGE] else hold_plan.speed or 0.0)
    if "yaw" in hold_plan.loops and grows(stage.lateral, stage.yaw):
        return "heading"
    if grows(stage.vertical, stage.pitch, stage.dive if hold_plan.by_planes else NO_DIVE):
        return "pitch"
    return ""


def _check_speed(s: Schedule, setpoint: Setpoint, place: bool) -> None:
    if setpoint.speed_m_s is None:
        return
    if not s.vehicle.free[SURGE]:
        why = f"its surge is held at {s.vehicle.held_speed_m_s:g} m/s by its model"
        raise _refusal(s, setpoint, "speed_m_s", why)
    if not s.surge.works:
        raise _refusal(s, setpoint, "speed_m_s", "it has no thruster that pushes ahead")
    if place and setpoint.speed_m_s <= 0.0:
        why = "speed_m_s is then the greatest speed on the way there"
        raise _refusal(s, setpoint, "speed_m_s", why, "a number above 0", " with a place")


def _check_place(s: Schedule, setpoint: Setpoint) -> None:
    fixed = [AXIS_NAMES[axis] for axis in (SURGE, SWAY) if not s.vehicle.free[axis]]
    if fixed:
        why = f"its model holds {fixed[0]} fixed"
    elif SURGE not in s.allocation.axes:
        why = "it has no thruster that pushes ahead and astern"
    elif SWAY not in s.allocation.axes:
        why = "it has no thruster that pushes sideways; circle round it instead"
    elif not s.place[0].works:
        why = "its thrusters push one way only"
    else:
        return
    raise _refusal(s, setpoint, "north_m", why)


def _by_planes(s: Schedule, setpoint: Setpoint, vertical: str, speed: float | None) -> bool:
    """Whether depth (or altitude) is held through pitch."""
    if not s.vehicle.free[HEAVE]:
        raise _refusal(s, setpoint, vertical, "its model holds heave fixed")
    lift, planes = s.heave.works, steered(s, PITCH)
    if not lift and not planes:
        ballast = "; its ballast is not driven by this autopilot" if s.vehicle.ballast else ""
        why = f"it has no thruster that lifts it and no plane that pitches it{ballast}"
        raise _refusal(s, setpoint, vertical, why)
    fast = speed is not None and abs(speed) >= s.planes_from
    by_planes = planes and (not lift or fast)
    if by_planes and setpoint.pitch_deg is not None:
        why = f"it holds {_word(vertical)} through its pitch"
        raise _refusal(s, setpoint, "pitch_deg", why, "one of the two", f" and {_word(vertical)} at once")
    return by_planes


def steered(s: Schedule, axis: int) -> bool:
    """Whether control surfaces turn the vehicle about an axis, under way."""
    return s.top_speed > 0.0 and axis in s.stage(s.cruise).mix.axes


def _word(key: str) -> str:
    return "a place" if key in PLACE else key.partition("_")[0]


def _refusal(s: Schedule, setpoint: Setpoint, key: str, why: str, expected: str = "", held: str = "") -> CommandError:
    """Make the error for a quantity of a setpoint that the vehicle cannot hold; `held` follows its name."""
    message = f"{s.vehicle.name} cannot hold {_word(key)}{held}: {why}"
    return CommandError(message, key=key, value=getattr(setpoint, key), expected=expected)
