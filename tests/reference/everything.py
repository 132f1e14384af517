"""A vehicle with one part of every kind, and random states, for term-by-term comparisons.

The numbers are invented, asymmetric on purpose, and of the size of a 60 kg AUV.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pelagos.vehicle.spec import (
    AXES,
    Ballast,
    Body,
    Coefficient,
    ControlSurface,
    Crossflow,
    Fade,
    Fin,
    LiftDrag,
    Race,
    ReferenceWater,
    Supply,
    Thruster,
    Vehicle,
)

from .kinematics import Array

COEFFICIENTS = (
    ("X_u|u|", "u |u|", -6.0),
    ("X_ufade", "u fade", -9.0),
    ("X_wq", "w q", -20.0),
    ("Y_|u|v", "|u| v", -30.0),
    ("Y_pq", "p q", 1.5),
    ("Y_u|u|dr", "u |u| dr", 12.0),
    ("Z_uqn", "u q n", -3.0),
    ("Z_w|w|", "w |w|", -80.0),
    ("K_p", "p", -2.0),
    ("K_phi", "phi", -0.7),
    ("M_theta", "theta", -1.1),
    ("M_u|u|dsn", "u |u| ds n", -4.0),
    ("N_r|r|", "r |r|", -9.0),
    ("N_u|u|drdr", "u |u| dr dr", 0.4),
)


def _added_mass() -> Array:
    added = np.diag([3.0, 55.0, 60.0, 0.4, 9.0, 8.0])
    for i, j, value in ((0, 4, 0.3), (1, 3, -0.5), (1, 5, 2.0), (2, 4, -1.5), (3, 5, 0.1)):
        added[i, j] = added[j, i] = value
    return added


def _thrusters() -> tuple[Thruster, ...]:
    tilt = np.array([0.0, 0.6, 0.8])
    table = ((-1.0, -30.0), (-0.2, 0.0), (0.1, 0.0), (1.0, 45.0))
    common = {"drive": "throttle", "minimum": -1.0, "maximum": 1.0, "lag_on": "thrust", "time_constant_s": 0.4}
    screw = Thruster(
        "screw",
        (-0.9, 0.02, -0.01),
        (1.0, 0.0, 0.0),
        "rate",
        -160.0,
        160.0,
        time_constant_s=0.3,
        k_forward=2.5e-3,
        k_reverse=1.6e-3,
        inflow_forward=6e-2,
        inflow_reverse=2e-2,
        inflow_square=-0.4,
        inflow_from="speed",
        wake=0.1,
        torque_forward=-5e-5,
        torque_reverse=-4e-5,
        torque_inflow=9e-4,
    )
    tunnel = Thruster(
        "tunnel",
        (0.5, 0.0, 0.05),
        (float(tilt[0]), float(tilt[1]), float(tilt[2])),
        "voltage",
        -24.0,
        24.0,
        dead_low=-2.0,
        dead_high=1.5,
        k_forward=0.02,
        k_reverse=0.018,
        linear=0.1,
        inflow_forward=0.05,
        inflow_reverse=0.05,
        wake=0.2,
        tunnel_loss_s2_m2=0.3,
    )
    jets = tuple(
        Thruster(name, (0.1, y, 0.0), (0.0, 0.0, 1.0), table=table, inflow_square=-1.0, group=0, **common)
        for name, y in (("port jet", -0.2), ("starboard jet", 0.2))
    )
    return (screw, tunnel, *jets)


def everything() -> Vehicle:
    """Every field of the description in use."""
    return Vehicle(
        key="everything",
        name="Everything",
        vehicle_class="test body",
        summary="one of each part",
        water=ReferenceWater(1025.0, 9.81),
        body=Body(
            mass_kg=60.0,
            volume_m3=0.0612,
            cg_b=(0.01, -0.004, 0.03),
            cb_b=(0.005, 0.002, -0.01),
            inertia_o=np.array([[0.8, -0.02, 0.05], [-0.02, 12.0, 0.01], [0.05, 0.01, 12.3]]),
            compressibility_1_pa=4e-10,
        ),
        length_m=2.0,
        added_mass=_added_mass(),
        coriolis="full",
        coefficients=tuple(
            Coefficient(name, AXES.index(name[0]), tuple(factors.split()), value, value)
            for name, factors, value in COEFFICIENTS
        ),
        fade=Fade(3.0),
        crossflow=Crossflow(
            x_m=(-0.8, -0.3, 0.4, 0.9),
            height_m=(0.1, 0.2, 0.2, 0.05),
            breadth_m=(0.12, 0.22, 0.25, 0.04),
            weight_m=(0.3, 0.6, 0.6, 0.3),
            cd_y=(1.1, 1.0, 0.9, 0.7),
            cd_z=(1.0, 1.2, 0.8, 0.6),
            curve=((0.1, 1.2), (0.4, 1.0), (0.4, 0.7), (1.0, 0.5)),
        ),
        lift_drag=LiftDrag(1.0, 40.0, 1.5, 20.0, -15.0, -0.5, -2.0, 0.2, -8.0, -6.0, 5.0, -7.0),
        surfaces=(
            ControlSurface("rudder", "dr", 0.35, time_constant_s=0.1),
            ControlSurface("stern planes", "ds", 0.3, time_constant_s=0.15, rate_rad_s=1.0),
        ),
        fins=(
            Fin("upper rudder", 0, (-0.8, 0.0, -0.12), (0.0, 1.0, 0.0), 8e-3, 3.1, 0.35, -0.5, 0.01, 0.02, 0.9),
            Fin(
                "port plane",
                1,
                (-0.8, -0.12, 0.0),
                (0.0, 0.0, -1.0),
                7e-3,
                2.8,
                0.4,
                gain=0.9,
                hull_flow=0.85,
                wash_thruster=0,
                wash_m=0.01,
                wash_momentum=0.05,
            ),
            Fin("fixed keel", -1, (0.2, 0.01, 0.15), (0.0, 0.8, 0.6), 5e-3, 2.0, 0.5, drag_0=0.02),
        ),
        thrusters=_thrusters(),
        supplies=(Supply("pump", 50.0),),
        ballast=(
            Ballast("tank", "tank", "kg", 0.0, 3.0, 1.5, 0.1, mass_per_unit=1.0, position_b=(0.3, 0.01, 0.02)),
            Ballast("engine", "engine", "m3", -3e-4, 3e-4, 0.0, 5e-6, volume_per_unit=1.0, position_b=(0.7, 0.0, 0.0)),
            Ballast("shifter", "shifter", "m", -0.05, 0.05, 0.0, 5e-3, mass_kg=9.0, axis_b=(1.0, 0.0, 0.1)),
        ),
        race=Race(0, 0.012, 0.1),
    )


@dataclass(frozen=True)
class Situation:
    """Arguments of `Textbook.forces`."""

    nu: Array
    euler: Array
    depth: float
    thruster_states: Array
    fin_angles: Array
    ballast: Array
    current_n: Array
    current_dot_n: Array

    def arguments(self) -> tuple[Array, Array, float, Array, Array, Array, Array, Array]:
        """In the order of `Textbook.forces` and `Textbook.acceleration`."""
        return (
            self.nu,
            self.euler,
            self.depth,
            self.thruster_states,
            self.fin_angles,
            self.ballast,
            self.current_n,
            self.current_dot_n,
        )


def situation(vehicle: Vehicle, rng: np.random.Generator) -> Situation:
    """A random moment of a vehicle: any attitude short of the poles, ahead or astern, actuators within limits."""
    states = [
        rng.uniform(-40.0, 40.0) if t.lag_on == "thrust" else rng.uniform(t.minimum, t.maximum)
        for t in vehicle.thrusters
    ]
    return Situation(
        nu=rng.normal(size=6) * [1.5, 0.5, 0.5, 0.3, 0.3, 0.3],
        euler=rng.uniform(-1.0, 1.0, 3) * [3.0, 1.4, 3.0],
        depth=rng.uniform(0.0, 200.0),
        thruster_states=np.array(states),
        fin_angles=np.array([rng.uniform(-s.limit_rad, s.limit_rad) for s in vehicle.surfaces]),
        ballast=np.array([rng.uniform(b.minimum, b.maximum) for b in vehicle.ballast]),
        current_n=rng.normal(size=3) * 0.3,
        current_dot_n=rng.normal(size=3) * 0.05,
    )
