"""The description of a vehicle: frozen records in SI and SNAME body axes (x forward, y starboard, z down) from O.

`load` reads a `Vehicle` from a file, `derive` computes the numbers that the file leaves out, and `pack` turns it into
records of the engine; it never changes afterwards. The records are, in this order: water, body and hydrodynamics;
actuators; tether and hull shape; gains of the autopilot (docs/control.md); cameras and lamps (display only, no forces);
the provenance of each number and the checks that the vehicle must pass; and `Vehicle`, which holds them all.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import radians

import numpy as np
from numpy.typing import NDArray

from pelagos.sensors.base import Sensor
from pelagos.tether.spec import Cable

Vec3 = tuple[float, float, float]
Matrix = NDArray[np.float64]
AXES, VELOCITIES = ("X", "Y", "Z", "K", "M", "N"), ("u", "v", "w", "p", "q", "r")
MOTIONS = {  # velocities and angles in words
    "u": "surge", "v": "sway", "w": "heave", "p": "roll", "q": "pitch", "r": "yaw", "phi": "roll", "theta": "pitch",
}  # fmt: skip
# The integrators of engine/core/integrate.py, repeated here because reading a file must not load the compiler.
INTEGRATORS = ("euler", "heun", "rk4", "adaptive", "brutzman_printed", "brutzman_summary", "brutzman_author")
SURFACE_POINTS = {"quadrature": 512, "monte_carlo": 20_000, "submerged": 0}  # default points of each method
SURFACE_METHODS = tuple(SURFACE_POINTS)
AHEAD: Vec3 = (1.0, 0.0, 0.0)
FIELD_OF_VIEW_RAD = radians(80.0)  # horizontal, in water: usual for low-light ROV cameras
TURN_RATE_RAD_S = radians(30.0)  # of a camera's pan and tilt, a guess
BEAM_RAD = radians(120.0)  # of a lamp, a guess


@dataclass(frozen=True)
class ReferenceWater:
    """The water for which the vehicle's numbers hold; hydrodynamic forces scale with the density relative to it."""

    density_kg_m3: float
    gravity_m_s2: float
    viscosity_m2_s: float = 1.19e-6


@dataclass(frozen=True)
class Body:
    """Mass properties of the vehicle with its flood water, without its ballast."""

    mass_kg: float
    volume_m3: float
    cg_b: Vec3
    cb_b: Vec3
    inertia_o: Matrix  # 3x3 about O, kg m^2, products with the sign of a tensor: I_xy = -int x y dm
    compressibility_1_pa: float = 0.0  # relative loss of volume per pascal


@dataclass(frozen=True)
class Coefficient:
    """One term of the force polynomial: axis += value * product(factors).

    Factors are "u".."r", "|u|".."|r|", a surface symbol ("dr"), "n" (propeller race), "phi", "theta", "fade" (Fade).
    The loader has applied the |u| rule (errata B58): the kernel multiplies these factors as they are.
    """

    name: str  # as published: "Y_uv"
    axis: int  # 0..5
    factors: tuple[str, ...]
    value: float  # SI at reference density
    published: float  # the number in the file
    of_added_mass: tuple[tuple[int, int, float], ...] = ()  # (row, column, k): the value holds k A[row, column] of each
    named: bool = True  # False for a term of C_A, which stands in no file


@dataclass(frozen=True)
class Crossflow:
    """Cross-flow drag of the hull by strips, with their quadrature weights."""

    x_m: tuple[float, ...]
    height_m: tuple[float, ...]  # side profile, against the flow v + x r
    breadth_m: tuple[float, ...]  # plan profile, against the flow w - x q
    weight_m: tuple[float, ...]  # length of hull of each station
    cd_y: tuple[float, ...]  # per station, against height
    cd_z: tuple[float, ...]  # per station, against breadth
    flow: str = "coupled"  # coupled: Healey's U_cf; independent: the two planes separately
    guard_m_s: float = 0.0  # added to U_cf by some published programs
    curve: tuple[tuple[float, float], ...] = ()  # (cross-flow speed sqrt(v^2 + w^2) m/s, factor on both cd)


@dataclass(frozen=True)
class LiftDrag:
    """Lift, drag, side force and moments of the whole hull in flow axes, per U^2 (Graver 2005 form).

    L = (lift_0 + lift_a alpha) U^2 and so on; alpha = atan2(w, u), beta = asin(v / U), angles in rad.
    """

    lift_0: float = 0.0
    lift_a: float = 0.0
    drag_0: float = 0.0
    drag_aa: float = 0.0
    side_b: float = 0.0
    roll_b: float = 0.0
    roll_p: float = 0.0
    pitch_0: float = 0.0
    pitch_a: float = 0.0
    pitch_q: float = 0.0
    yaw_b: float = 0.0
    yaw_r: float = 0.0
    sideslip: bool = True  # False: only the angle of attack turns the flow axes


@dataclass(frozen=True)
class Race:
    """The slipstream factor "n" of Healey's coefficients: the increase of the flow at the tail by the propeller.

    epsilon = -1 + sign(n)/sign(u) (sqrt(ct eta|eta| + 1) - 1) / (sqrt(ct + 1) - 1), eta = advance_m n/u.
    """

    thruster: int
    advance_m: float
    ct: float


@dataclass(frozen=True)
class Fade:
    """Damping at low speed that vanishes at higher speed: the factor "fade" is exp(-rate_s_m U)."""

    rate_s_m: float
    published_slip: bool = False  # MSS remus100 before August 2026: U = sqrt(u + v^2), ahead only


@dataclass(frozen=True)
class ControlSurface:
    """A control surface as an actuator: its angle is a state, and its symbol a factor of coefficients."""

    name: str
    symbol: str  # "dr", "ds", "drb", ...
    limit_rad: float
    time_constant_s: float = 0.0
    rate_rad_s: float = float("inf")
    position_b: Vec3 | None = None  # None: always under water
    span_m: float = 0.1


@dataclass(frozen=True)
class Fin:
    """A lifting surface by its geometry. `surface` is the index of the actuator that turns it, -1 if fixed.

    A positive angle of attack (deflection minus inflow angle) gives a force along `normal_b` at ahead speed.
    Drag: D = q S (drag_0 + drag_a |a| + drag_aa a^2).
    """

    name: str
    surface: int
    position_b: Vec3
    normal_b: Vec3  # unit, perpendicular to x
    area_m2: float
    lift_slope_1_rad: float
    stall_rad: float = 0.35  # beyond it lift is constant (or falls by slope_after_stall); inf: linear, also astern
    slope_after_stall_1_rad: float = 0.0
    drag_0: float = 0.0
    drag_a: float = 0.0
    drag_aa: float = 0.0
    gain: float = 1.0  # deflection of the fin per angle of its actuator
    hull_flow: float = 1.0  # flow speed at the fin over the speed of the hull
    wash_thruster: int = -1
    wash_m: float = 0.0  # slipstream speed per shaft rate, m/s per rad/s
    wash_momentum: float = 0.0  # slipstream: u|u| grows by this times thrust, (m/s)^2 per N
    span_m: float = 0.1


@dataclass(frozen=True)
class Thruster:
    """A propeller, tunnel thruster or jet.

    Drive units: rate rad/s, voltage V, force N, throttle 1. With s the (lagged) drive and u_a the inflow:
    T = (k s|s| + linear s - inflow |s| u_a + inflow_square u_a|u_a|) exp(-tunnel_loss u^2);
    k and inflow have a forward and a reverse value; a table replaces k and linear.
    """

    name: str
    position_b: Vec3
    direction_b: Vec3  # unit: force on the vehicle for positive thrust
    drive: str  # rate | voltage | force | throttle
    minimum: float
    maximum: float
    dead_low: float = 0.0  # a drive between dead_low (<= 0) and dead_high (>= 0) gives no thrust
    dead_high: float = 0.0
    time_constant_s: float = 0.0
    lag_on: str = "drive"  # drive: shaft speed lags; thrust: the force lags (Royer)
    k_forward: float = 0.0
    k_reverse: float = 0.0
    linear: float = 0.0
    table: tuple[tuple[float, float], ...] = ()  # (drive, thrust N), ascending; needs lag_on = "thrust"
    inflow_forward: float = 0.0
    inflow_reverse: float = 0.0
    inflow_square: float = 0.0
    inflow_from: str = "axial"  # axial: velocity of the point along the axis; speed: |nu_r| of the hull
    wake: float = 0.0  # u_a = (1 - wake) * velocity
    torque_forward: float = 0.0  # reaction on the hull about direction_b, N m per drive^2
    torque_reverse: float = 0.0
    torque_inflow: float = 0.0  # N m per (drive * m/s)
    tunnel_loss_s2_m2: float = 0.0
    group: int = -1  # index of the shared supply
    diameter_m: float = 0.1  # of the propeller
    power_at_maximum_w: float = 0.0  # electric, bollard, full ahead; 0: not known, see vehicle/power.py


@dataclass(frozen=True)
class Supply:
    """A shared hydraulic or electric supply: thrusts are scaled so that their sum stays below its limit."""

    name: str
    limit_n: float


@dataclass(frozen=True)
class Ballast:
    """An actuator s that changes mass, volume or their position: a tank, a buoyancy engine or a mass shifter.

    The mass mass_kg + mass_per_unit s and the volume volume_per_unit s are at position_b + axis_b s.
    Tank: mass_per_unit = 1. Buoyancy engine: volume_per_unit. Mass shifter: mass_kg and axis_b.
    """

    name: str
    kind: str  # tank | engine | shifter
    unit: str  # kg | m3 | m
    minimum: float
    maximum: float
    initial: float
    rate: float  # units per second
    mass_kg: float = 0.0
    mass_per_unit: float = 0.0
    volume_per_unit: float = 0.0
    position_b: Vec3 = (0.0, 0.0, 0.0)
    axis_b: Vec3 = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class TetherMount:
    """The tether of a vehicle; it acts only in simulations that enable it."""

    cable: Cable
    fairlead_b: Vec3  # point of attachment
    length_m: float  # between ship and vehicle at the start


@dataclass(frozen=True)
class Shape:
    """One body of the hull's shape: a cylinder, ellipsoid, box, capsule, table of stations or mesh."""

    kind: str
    center_b: Vec3 = (0.0, 0.0, 0.0)
    size_m: tuple[float, ...] = ()  # cylinder, capsule: length, radius; ellipsoid: semi-axes; box: lengths
    stations: tuple[tuple[float, float, float], ...] = ()  # x, height, breadth
    file: str = ""
    axis: str = "x"  # cylinder, capsule: body axis along which it lies
    scale: float = 1.0  # mesh: metres per unit of the file


@dataclass(frozen=True)
class FreeSurfaceModel:
    """Method for the wet part of the hull at the free surface; see docs/surface.md."""

    method: str = "quadrature"  # quadrature | monte_carlo | submerged
    points: int = 512  # sections or points of the whole hull
    seed: int = 0


@dataclass(frozen=True)
class Legacy:
    """Properties of a published program that comparisons with it must reproduce; the defaults have none."""

    acceleration_limit: float = 0.0  # clamp on each linear (m/s^2) acceleration
    angular_acceleration_limit: float = 0.0  # rad/s^2
    surge_limit_m_s: float = 0.0
    rigid_body_coriolis: bool = True


@dataclass(frozen=True, kw_only=True)
class LoopGains:
    """Poles or gains of one control loop of the autopilot; None: computed from the model.

    Gains are output per error: N m/rad, N m/(rad s), N m s/rad for angles; N/m, N/(m s), N s/m for depth and place;
    N s/m and N/m (kp, ki) for speed.
    """

    frequency_rad_s: float | None = None
    damping: float | None = None  # ratio; 1 is critical
    kp: float | None = None
    ki: float | None = None
    kd: float | None = None


COMPUTED_GAINS = LoopGains()


@dataclass(frozen=True, kw_only=True)
class ControlSpec:
    """Gains and limits of the autopilot; None: computed from the model.

    `depth` holds the depth by vertical thrust, `dive_*` by pitch and planes.
    """

    heading: LoopGains = COMPUTED_GAINS
    pitch: LoopGains = COMPUTED_GAINS
    roll: LoopGains = COMPUTED_GAINS
    depth: LoopGains = COMPUTED_GAINS
    place: LoopGains = COMPUTED_GAINS
    speed: LoopGains = COMPUTED_GAINS
    dive_frequency_rad_s: float | None = None
    dive_rate_s: float | None = None
    cruise_speed_m_s: float | None = None
    planes_from_m_s: float | None = None
    pitch_limit_rad: float | None = None
    yaw_rate_limit_rad_s: float | None = None
    depth_rate_limit_m_s: float | None = None
    place_speed_m_s: float | None = None
    altitude_filter_s: float = 1.0


COMPUTED_CONTROL = ControlSpec()  # of a file without [control]


@dataclass(frozen=True)
class Camera:
    """One camera for the pilot's view.

    Pan turns it about body z, positive to starboard; tilt then about its y axis, positive up (Royer 1985, 4.2.e). At
    pan = tilt = 0 it points along body x. Limits are (lowest, highest); equal limits fix the axis.
    """

    name: str
    position_b: Vec3
    pan_rad: float = 0.0  # at rest
    tilt_rad: float = 0.0
    pan_limit_rad: tuple[float, float] = (0.0, 0.0)
    tilt_limit_rad: tuple[float, float] = (0.0, 0.0)
    rate_rad_s: float = TURN_RATE_RAD_S  # of pan and tilt
    fov_rad: float = FIELD_OF_VIEW_RAD  # horizontal, at zoom 1
    zoom_most: float = 1.0  # largest magnification; 1: no zoom


@dataclass(frozen=True)
class Lamp:
    """One lamp for the pilot's view, fixed to the frame: it does not turn with the camera."""

    name: str
    position_b: Vec3
    direction_b: Vec3 = AHEAD  # unit: the middle of its beam
    beam_rad: float = BEAM_RAD  # whole angle of the cone
    lumens: float = 1500.0


@dataclass(frozen=True)
class Fact:
    """Provenance of one number of the vehicle."""

    path: str  # key in the file, such as "body.mass_kg" or "hydro.coefficients.Y_uv"
    value: object  # as written in the file (or as derived)
    unit: str
    source: str = ""
    confidence: str = ""
    note: str = ""
    how: str = ""  # for derived numbers: the formula in words


@dataclass(frozen=True)
class Source:
    """One document or data set that a vehicle file cites."""

    key: str
    cite: str
    licence: str = ""


@dataclass(frozen=True)
class Check:
    """A published or closed-form figure that the vehicle must meet."""

    id: str
    kind: str  # measured | published | published-sim | reference-run | datasheet | analytic | operator-calibration
    quantity: str  # in words
    value: float | tuple[float, ...]
    unit: str
    tolerance: float  # relative
    source: str = ""
    note: str = ""
    known: str = ""  # reason, if the vehicle is known not to meet the figure
    test: str = ""  # name of the automatic procedure (vehicle/check/procedures.py), empty if only documented
    setup: dict[str, object] = field(default_factory=dict)  # parameters of that procedure


@dataclass(frozen=True)
class Vehicle:
    """Complete description of a vehicle. `print(vehicle)` prints it as text."""

    key: str
    name: str
    vehicle_class: str
    summary: str
    water: ReferenceWater
    body: Body
    length_m: float
    added_mass: Matrix  # 6x6, symmetric, positive: kinetic energy of the water, kg .. kg m^2
    coriolis: str  # full | none: the added-mass Coriolis part, errata B59
    coefficients: tuple[Coefficient, ...] = ()
    fade: Fade | None = None
    crossflow: Crossflow | None = None
    lift_drag: LiftDrag | None = None
    surfaces: tuple[ControlSurface, ...] = ()
    fins: tuple[Fin, ...] = ()
    thrusters: tuple[Thruster, ...] = ()
    supplies: tuple[Supply, ...] = ()
    ballast: tuple[Ballast, ...] = ()
    tether: TetherMount | None = None
    sensors: tuple[Sensor, ...] = ()  # simulated only in runs that enable them
    cameras: tuple[Camera, ...] = ()  # a file without any gets one
    lamps: tuple[Lamp, ...] = ()
    race: Race | None = None
    control: ControlSpec = COMPUTED_CONTROL  # of the autopilot, in place of computed gains
    shapes: tuple[Shape, ...] = ()
    free_surface: FreeSurfaceModel = FreeSurfaceModel()
    free: tuple[bool, ...] = (True,) * 6  # degrees of freedom for which the data are valid; the others are held
    held_speed_m_s: float = 0.0  # surge speed of a vehicle whose surge is held
    legacy: Legacy = Legacy()
    integrator: str = "rk4"
    step_s: float = 0.02
    kinematics: str = "quaternion"
    depth_rating_m: float = float("inf")  # missions deeper than this are refused
    facts: tuple[Fact, ...] = ()
    sources: tuple[Source, ...] = ()
    checks: tuple[Check, ...] = ()
    flags: tuple[str, ...] = ()  # disagreements, traps and limits worth reading
    path: str = field(default="", compare=False)

    @property
    def ballast_at_start(self) -> np.ndarray:
        """Ballast commands that keep the initial ballast."""
        return np.array([item.initial for item in self.ballast], dtype=np.float64)

    def __str__(self) -> str:
        from pelagos.vehicle.describe import describe

        return describe(self)
