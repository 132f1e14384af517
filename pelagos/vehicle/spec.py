"""What a vehicle is: a frozen description, SI, SNAME body axes (x forward, y starboard, z down) from the origin O.

A `Vehicle` is made by `load`, filled in by `derive`, turned into engine records by `pack`, and never changes.

Where the numbers of a vehicle come from, and the figures that they must meet.

What a vehicle file may say about its autopilot. All of it is optional: what is left out is computed from the model.

SI and radians. How each default is found, and what each number does, is in docs/control.md.

What a pilot sees by: the cameras and lamps of a vehicle. For looks only: nothing in the water feels them.

A camera sits at `position_b`. Pan turns it about body z, positive to starboard; tilt then about its own y, positive up
(Royer 1985, 4.2.e). At pan = tilt = 0 it looks along body x.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import radians

import numpy as np
from numpy.typing import NDArray

from pelagos.sensors.base import Sensor
from pelagos.tether.spec import Cable


@dataclass(frozen=True)
class Fact:
    """Where one number of the vehicle came from."""

    path: str  # key in the file, such as "body.mass_kg" or "hydro.coefficients.Y_uv"
    value: object  # as written in the file (or as derived)
    unit: str
    source: str = ""
    confidence: str = ""
    note: str = ""
    how: str = ""  # for derived numbers: the formula in words


@dataclass(frozen=True)
class Source:
    """One document or data set a vehicle file cites."""

    key: str
    cite: str
    licence: str = ""


@dataclass(frozen=True)
class Check:
    """A published or closed-form figure that the vehicle must meet."""

    id: str
    kind: str  # measured | published | published-sim | reference-run | datasheet | analytic | operator-calibration
    what: str
    value: float | tuple[float, ...]
    unit: str
    tolerance: float  # relative
    source: str = ""
    note: str = ""
    known: str = ""  # why the figure is known not to be met; empty for all others
    test: str = ""  # name of the automatic procedure (see vehicle/check/checks.py), empty if only documented
    setup: dict[str, object] = field(default_factory=dict)  # parameters of that procedure


# ---- control spec ----------------------------------------------------------------------------------------------------


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


# ---- view spec -------------------------------------------------------------------------------------------------------


Vec3 = tuple[float, float, float]
AHEAD: Vec3 = (1.0, 0.0, 0.0)
FIELD_OF_VIEW_RAD = radians(80.0)  # horizontal, in water: what low-light ROV cameras have
TURN_RATE_RAD_S = radians(30.0)
BEAM_RAD = radians(120.0)


@dataclass(frozen=True)
class Camera:
    """One camera. Limits are (lowest, highest); equal ones mean that it cannot turn that way."""

    name: str
    position_b: Vec3
    pan_rad: float = 0.0  # at rest
    tilt_rad: float = 0.0
    pan_limit_rad: tuple[float, float] = (0.0, 0.0)
    tilt_limit_rad: tuple[float, float] = (0.0, 0.0)
    rate_rad_s: float = TURN_RATE_RAD_S  # of pan and tilt
    fov_rad: float = FIELD_OF_VIEW_RAD  # horizontal, at zoom 1
    zoom_most: float = 1.0  # largest magnification; 1: it cannot zoom


@dataclass(frozen=True)
class Lamp:
    """One lamp, fixed to the frame: it does not turn with the camera."""

    name: str
    position_b: Vec3
    direction_b: Vec3 = AHEAD  # unit: the middle of its beam
    beam_rad: float = BEAM_RAD  # whole angle of the cone
    lumens: float = 1500.0


# ---- spec ------------------------------------------------------------------------------------------------------------


Matrix = NDArray[np.float64]
AXES, VELOCITIES = ("X", "Y", "Z", "K", "M", "N"), ("u", "v", "w", "p", "q", "r")
# the steppers of engine/core/integrate.py; named again here because reading a file must not load the compiler
INTEGRATORS = ("euler", "heun", "rk4", "adaptive", "brutzman_printed", "brutzman_summary", "brutzman_author")
SURFACE_POINTS = {"quadrature": 512, "monte_carlo": 20_000, "submerged": 0}  # unless the file says
SURFACE_METHODS, CONFIDENCES = tuple(SURFACE_POINTS), ("high", "med", "low", "guess", "derived")


@dataclass(frozen=True)
class ReferenceWater:
    """The water the vehicle's numbers hold for. Hydrodynamic forces scale with density from here."""

    density_kg_m3: float
    gravity_m_s2: float
    viscosity_m2_s: float = 1.19e-6


@dataclass(frozen=True)
class Body:
    """Mass properties of the dry vehicle with its flood water, ballast at its initial value excluded."""

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
    The |u| rule (errata B58) has been applied: factors are what the kernel multiplies.
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
    """Strip-wise drag of the hull in oblique flow; quadrature weights are part of the table."""

    x_m: tuple[float, ...]
    height_m: tuple[float, ...]  # side profile: meets v + x r
    breadth_m: tuple[float, ...]  # plan profile: meets w - x q
    weight_m: tuple[float, ...]  # length of hull each station stands for
    cd_y: tuple[float, ...]  # per station, against height
    cd_z: tuple[float, ...]  # per station, against breadth
    flow: str = "coupled"  # coupled: Healey's U_cf; independent: the two planes apart
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
class ControlSurface:
    """A control surface as an actuator: its angle is a state and a letter of the coefficient names."""

    name: str
    symbol: str  # "dr", "ds", "drb", ...
    limit_rad: float
    time_constant_s: float = 0.0
    rate_rad_s: float = float("inf")
    position_b: Vec3 | None = None  # None: always under water
    span_m: float = 0.1


@dataclass(frozen=True)
class Fin:
    """A lifting surface given as geometry. `surface` is the index of the actuator that turns it, -1 if fixed.

    Force on a positive angle of attack (deflection minus inflow angle) is along `normal_b` when going ahead.
    Drag: D = q S (drag_0 + drag_a |a| + drag_aa a^2).
    """

    name: str
    surface: int
    position_b: Vec3
    normal_b: Vec3  # unit, perpendicular to x
    area_m2: float
    lift_slope_1_rad: float
    stall_rad: float = 0.35  # beyond it lift stays (or falls by slope_after); a fin without stall has no limit astern
    slope_after_stall_1_rad: float = 0.0
    drag_0: float = 0.0
    drag_a: float = 0.0
    drag_aa: float = 0.0
    gain: float = 1.0  # deflection of the fin per angle of its actuator
    hull_flow: float = 1.0  # share of the hull's own speed that reaches the fin
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
    direction_b: Vec3  # unit: push on the vehicle for positive thrust
    drive: str  # rate | voltage | force | throttle
    minimum: float
    maximum: float
    dead_low: float = 0.0  # drive between dead_low (<= 0) and dead_high (>= 0) gives nothing
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
    """A shared hydraulic or electric supply: the thrusts it feeds are scaled so that their sum stays below."""

    name: str
    limit_n: float


@dataclass(frozen=True)
class Ballast:
    """Anything that changes mass, volume or their place during a run, driven by one number s.

    Mass mass_kg + mass_per_unit s and volume volume_per_unit s sit at position_b + axis_b s.
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
    """The tether a vehicle can be flown with. It does nothing until a simulation asks for it."""

    cable: Cable
    fairlead_b: Vec3  # where it is fixed
    length_m: float  # between ship and vehicle at the start


@dataclass(frozen=True)
class Race:
    """The slipstream factor "n" of Healey's coefficients: how much the propeller speeds the tail's flow.

    epsilon = -1 + sign(n)/sign(u) (sqrt(ct eta|eta| + 1) - 1) / (sqrt(ct + 1) - 1), eta = advance_m n/u.
    """

    thruster: int
    advance_m: float
    ct: float


@dataclass(frozen=True)
class Fade:
    """Low-speed damping that vanishes under way: the factor "fade" is exp(-rate_s_m U)."""

    rate_s_m: float
    published_slip: bool = False  # MSS remus100 before August 2026: U = sqrt(u + v^2), ahead only


@dataclass(frozen=True)
class Shape:
    """A piece of hull. kind: cylinder, ellipsoid, box, capsule, stations, mesh; sizes by kind."""

    kind: str
    center_b: Vec3 = (0.0, 0.0, 0.0)
    size_m: tuple[float, ...] = ()  # cylinder, capsule: length, radius; ellipsoid: semi-axes; box: lengths
    stations: tuple[tuple[float, float, float], ...] = ()  # x, height, breadth
    file: str = ""
    axis: str = "x"  # cylinder, capsule: the way it lies
    scale: float = 1.0  # mesh: metres per unit of the file


@dataclass(frozen=True)
class FreeSurfaceModel:
    """How the wet part of the hull is found where it breaks the surface; see docs/surface.md."""

    method: str = "quadrature"  # quadrature | monte_carlo | submerged
    points: int = 512  # sections or points of the whole hull
    seed: int = 0


@dataclass(frozen=True)
class Legacy:
    """Traits of a published program that a comparison must copy. Zero or False means none."""

    acceleration_limit: float = 0.0  # clamp on each linear (m/s^2) acceleration
    angular_acceleration_limit: float = 0.0  # rad/s^2
    surge_limit_m_s: float = 0.0
    rigid_body_coriolis: bool = True


@dataclass(frozen=True)
class Vehicle:
    """A vehicle, whole. `print(vehicle)` describes it."""

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
    sensors: tuple[Sensor, ...] = ()  # what it is equipped with; they measure in runs that ask for them
    cameras: tuple[Camera, ...] = ()  # what its pilot sees by; a file without any gets one
    lamps: tuple[Lamp, ...] = ()
    race: Race | None = None
    control: ControlSpec = COMPUTED  # of the autopilot, where the computed gains shall not hold
    shapes: tuple[Shape, ...] = ()
    free_surface: FreeSurfaceModel = FreeSurfaceModel()
    free: tuple[bool, ...] = (True,) * 6  # degrees of freedom the data are valid in; the others are held
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

    def __str__(self) -> str:
        from pelagos.vehicle.describe import describe

        return describe(self)
