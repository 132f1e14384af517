"""The vehicle of the batch benchmark: a REMUS with every force term that a torpedo model can have.

Added mass, lift and surge drag are the published coefficients of remus100. Strips at 15 stations replace its cross-flow
coefficients, four fins with stall replace its fin coefficients, a propeller in the wake replaces its fixed thrust.
Servos and shaft have lags, and the water moves.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pelagos.vehicle.load.vehicle import changed_vehicle
from pelagos.vehicle.spec import Vehicle

DT = 0.02  # s
SPEED_M_S = 1.5
CURRENT_N = (0.2, 0.1, 0.0)  # m/s
COMMAND: dict[str, Any] = {"thrusters": [150.0], "surfaces": [0.05, 0.02]}  # rad/s of the shaft, rad
STATIONS = 15  # strips of cross-flow
REPLACED = (
    "Y_v|v|", "Y_r|r|", "Z_w|w|", "Z_q|q|", "M_w|w|", "M_q|q|", "N_v|v|", "N_r|r|",  # by the strips
    "Y_uudr", "Z_uuds", "M_uuds", "N_uudr",  # by the fins
)  # fmt: skip


def case_vehicle() -> Vehicle:
    """Build the vehicle."""
    servo = {"limit_deg": 15.0, "time_constant_s": 0.1}
    changes: dict[str, Any] = {
        "hydro": {"coefficients": dict.fromkeys(REPLACED, 0.0)},
        "crossflow": {"n_stations": STATIONS},
        "control_surfaces": [
            {"name": "rudder", "symbol": "dr", **servo},
            {"name": "stern_planes", "symbol": "ds", **servo},
        ],
        "fins": [
            _fin("upper", "rudder", (0.0, -0.15)),
            _fin("lower", "rudder", (0.0, 0.15)),
            _fin("port", "stern_planes", (-0.15, 0.0)),
            _fin("starboard", "stern_planes", (0.15, 0.0)),
        ],
        "thrusters": [
            {
                "name": "propeller", "position_m": [-0.721, 0.0, 0.0], "direction": [1.0, 0.0, 0.0],
                "drive": "rate", "maximum_rpm": 2000, "time_constant_s": 0.2,
                "propeller": {
                    "diameter_m": 0.14, "kt0": 0.4566, "kt1": -0.4174, "kq0": 0.07, "kq1": -0.0585,
                    "thrust_deduction": 0.1, "wake": 0.056, "torque_scale": 0.1, "hand": -1,
                },
            }
        ],
    }  # fmt: skip
    return changed_vehicle("remus100", changes, "bench_batch", Path())  # no folder: the changes name no files


def _fin(name: str, surface: str, place: tuple[float, float]) -> dict[str, Any]:
    """One of the four fins at the tail, 0.00665 m2 each, on the axis across it."""
    across, down = place
    return {
        "name": name, "surface": surface, "position_m": [-0.638, across, down],
        "normal": [0.0, 1.0, 0.0] if down else [0.0, 0.0, -1.0], "area_m2": 0.00665, "lift_slope_1_rad": 3.12,
        "stall_deg": 25.0, "slope_after_stall_1_rad": -1.0, "drag_0": 0.02, "drag_aa": 1.0,
    }  # fmt: skip
