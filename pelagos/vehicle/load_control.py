"""The [control] table of a vehicle file: gains and limits of its autopilot, where the computed ones shall not hold."""

from __future__ import annotations

from pelagos.vehicle.control_spec import ControlSpec, LoopGains
from pelagos.vehicle.keys_control import LOOPS
from pelagos.vehicle.read import Table


def control(root: Table) -> ControlSpec:
    """What the file says; None where it is silent."""
    table = root.table("control")
    return ControlSpec(
        **{loop: _gains(table, loop) for loop in LOOPS},
        dive_frequency_rad_s=table.get("dive_frequency"),
        dive_rate_s=table.get("dive_rate"),
        cruise_speed_m_s=table.get("cruise_speed"),
        planes_from_m_s=table.get("planes_from"),
        pitch_limit_rad=table.get("pitch_limit"),
        yaw_rate_limit_rad_s=table.get("yaw_rate_limit"),
        depth_rate_limit_m_s=table.get("depth_rate_limit"),
        place_speed_m_s=table.get("place_speed"),
        altitude_filter_s=table.get("altitude_filter", ControlSpec.altitude_filter_s),
    )


def _gains(table: Table, loop: str) -> LoopGains:
    return LoopGains(
        frequency_rad_s=table.get(f"{loop}_frequency"),
        damping=table.get(f"{loop}_damping"),
        **{gain: table.get(f"{loop}_{gain}") for gain in LOOPS[loop]},
    )
