"""What one line of the log holds: names with units, and their values at an instant."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pelagos.messages import Setpoint
from pelagos.sim.orders import LOG_UNIT
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World

MOTION_COLUMNS = (
    "time_s", "north_m", "east_m", "depth_m", "roll_deg", "pitch_deg", "heading_deg", "q0", "q1", "q2", "q3",
    "surge_m_s", "sway_m_s", "heave_m_s", "roll_rate_deg_s", "pitch_rate_deg_s", "yaw_rate_deg_s",
    "current_north_m_s", "current_east_m_s", "current_down_m_s",
    "below_surface_m", "altitude_m", "wet_share", "contact_N", "contact_with",
)  # fmt: skip
SETPOINT_COLUMNS = ("cmd_depth_m", "cmd_heading_deg", "cmd_speed_m_s", "cmd_pitch_deg", "cmd_roll_deg")


def columns(vehicle: Vehicle) -> tuple[str, ...]:
    """Names of the log's columns: motion, setpoints, where each actuator is, what it was told."""
    actual = [
        *(f"thruster_{t.name}_{'N' if t.lag_on == 'thrust' else LOG_UNIT[t.drive][0]}" for t in vehicle.thrusters),
        *(f"surface_{s.name}_deg" for s in vehicle.surfaces),
        *(f"ballast_{b.name}_{b.unit}" for b in vehicle.ballast),
    ]
    demand = [
        *(f"cmd_thruster_{t.name}_{LOG_UNIT[t.drive][0]}" for t in vehicle.thrusters),
        *(f"cmd_surface_{s.name}_deg" for s in vehicle.surfaces),
        *(f"cmd_ballast_{b.name}_{b.unit}" for b in vehicle.ballast),
    ]
    return (*MOTION_COLUMNS, *SETPOINT_COLUMNS, *actual, *demand)


def compass(yaw_deg: float) -> float:
    """Heading from 0 up to 360 deg; a hair below north is north, so that rounding does not make it flip."""
    heading = yaw_deg % 360.0
    return 0.0 if heading > 360.0 - 1e-9 else heading


def sample(
    plant: Plant, world: World, time_s: float, held: Setpoint
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Values of the columns now, and the wrench of each force term. NaN where no setpoint is held.

    `current` is all motion of the water at the vehicle, waves included; `contact_with` is the number of the structure
    touched during the last control interval, -1 for the seabed, NaN for nothing; `altitude_m` is NaN without a bottom.
    """
    vehicle = plant.vehicle
    euler = np.degrees(plant.euler)
    actuators, demand = plant.state["actuators"], plant.command["demand"]
    per = np.array([LOG_UNIT[t.drive][1] for t in vehicle.thrusters])
    actual_per = np.array([1.0 if t.lag_on == "thrust" else LOG_UNIT[t.drive][1] for t in vehicle.thrusters])
    nt, ns, nb = len(vehicle.thrusters), len(vehicle.surfaces), len(vehicle.ballast)
    (forces, around), touch = plant.look(), plant.state["touch"]
    altitude = around.bottom_m - float(plant.position_n[2])
    wanted = (held.depth_m, held.heading_deg, held.speed_m_s, held.pitch_deg, held.roll_deg)
    values = np.concatenate(
        [
            [time_s],
            plant.position_n,
            [euler[0], euler[1], compass(float(euler[2]))],
            plant.quaternion,
            plant.nu[:3],
            np.degrees(plant.nu[3:]),
            around.velocity_n,
            [around.below_m if world.surface else math.nan, altitude if math.isfinite(altitude) else math.nan],
            [around.wet_share, float(np.linalg.norm(touch["wrench"][:3]))],
            [float(touch["what"]) if touch["count"] > 0 else math.nan],
            [math.nan if value is None else value for value in wanted],
            actuators["thruster"][:nt] * actual_per,
            np.degrees(actuators["surface"][:ns]),
            actuators["ballast"][:nb],
            demand["thruster"][:nt] * per,
            np.degrees(demand["surface"][:ns]),
            demand["ballast"][:nb],
        ]
    )
    return values, forces
