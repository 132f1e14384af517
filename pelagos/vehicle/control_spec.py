"""What a vehicle file may say about its autopilot. All of it is optional: what is left out is computed from the model.

SI and radians. How each default is found, and what each number does, is in docs/control.md.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class LoopGains:
    """One loop: its poles, or its gains one by one. None is computed.

    Gains are output per error: N m/rad, N m/(rad s), N m s/rad for angles; N/m, N/(m s), N s/m for depth and place;
    N s/m and N/m (kp, ki) for speed.
    """

    frequency_rad_s: float | None = None
    damping: float | None = None  # ratio; 1 is critical
    kp: float | None = None
    ki: float | None = None
    kd: float | None = None


SILENT = LoopGains()  # all of it computed


@dataclass(frozen=True, kw_only=True)
class ControlSpec:
    """Gains and limits of the autopilot. Depth is by vertical thrust, dive the same by pitch and planes."""

    heading: LoopGains = SILENT
    pitch: LoopGains = SILENT
    roll: LoopGains = SILENT
    depth: LoopGains = SILENT
    place: LoopGains = SILENT
    speed: LoopGains = SILENT
    dive_frequency_rad_s: float | None = None
    dive_rate_s: float | None = None
    cruise_speed_m_s: float | None = None
    planes_from_m_s: float | None = None
    pitch_limit_rad: float | None = None
    yaw_rate_limit_rad_s: float | None = None
    depth_rate_limit_m_s: float | None = None
    place_speed_m_s: float | None = None
    altitude_filter_s: float = 1.0


COMPUTED = ControlSpec()  # what a vehicle has whose file says nothing
