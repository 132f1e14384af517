"""Every number the kernel sees: its name, its unit, who reads it.

Model and Structure come from the vehicle file through `vehicle/pack/records.py`, the only writer. Model holds
quantities (one row per vehicle, so each lane may differ); Structure holds the integers that shape loops and branches
(one row per block of vehicles: all lanes of a block share it). Water is where the vehicle is, Command what it is told,
State what it does, Work scratch space of the kernel.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from pelagos.engine.core.views import Field, Layout, viewer

MAX_THRUSTERS = 12
MAX_SURFACES = 8
MAX_FINS = 8
MAX_BALLAST = 4
MAX_SUPPLIES = 4
MAX_STATIONS = 32
MAX_COEFFICIENTS = 128
MAX_PRODUCTS = 96
MAX_TABLE = 24  # points of a thruster table
MAX_CURVE = 32  # points of a cross-flow drag curve

# Places in the table of factors that coefficient names multiply
FACTOR_ONE = 0
FACTOR_VELOCITY = 1  # u v w p q r
FACTOR_SPEED = 7  # |u| .. |r|
FACTOR_SURFACE = 13
FACTOR_RACE = FACTOR_SURFACE + MAX_SURFACES
FACTOR_PHI = FACTOR_RACE + 1
FACTOR_THETA = FACTOR_RACE + 2
FACTOR_FADE = FACTOR_RACE + 3
FACTOR_PRODUCT = FACTOR_RACE + 4
N_FACTORS = FACTOR_PRODUCT + MAX_PRODUCTS

STATION = Layout(
    "Station",
    (
        Field("x", "m, forward of O"),
        Field("drag_y", "N/(m/s)^2: rho/2 Cd_y height length"),
        Field("drag_z", "N/(m/s)^2: rho/2 Cd_z breadth length"),
    ),
)
POINT = Layout(
    "Point",
    (
        Field("x", "abscissa"),
        Field("y", "ordinate"),
        Field("slope", "dy/dx up to the next point; 0 at the last"),
    ),
)
LIFT_DRAG = Layout(
    "LiftDrag",
    tuple(
        Field(name, meaning)
        for name, meaning in (
            ("lift_0", "kg/m"),
            ("lift_a", "kg/m/rad"),
            ("drag_0", "kg/m"),
            ("drag_aa", "kg/m/rad^2"),
            ("side_b", "kg/m/rad"),
            ("roll_b", "kg/rad"),
            ("roll_p", "kg s/rad"),
            ("pitch_0", "kg"),
            ("pitch_a", "kg/rad"),
            ("pitch_q", "kg s/rad"),
            ("yaw_b", "kg/rad"),
            ("yaw_r", "kg s/rad"),
        )
    ),
)
FIN = Layout(
    "Fin",
    (
        Field("x", "m"),
        Field("y", "m"),
        Field("z", "m"),
        Field("ny", "1, normal"),
        Field("nz", "1, normal"),
        Field("area", "kg/m: rho/2 S"),
        Field("slope", "1/rad"),
        Field("stall", "rad"),
        Field("slope_after", "1/rad"),
        Field("drag_0", "1"),
        Field("drag_a", "1/rad"),
        Field("drag_aa", "1/rad^2"),
        Field("gain", "1"),
        Field("hull_flow", "1"),
        Field("wash", "m: slipstream speed per shaft rate"),
        Field("wash_momentum", "(m/s)^2/N"),
        Field("per_reach", "1/m: one over half its span; 0: always wet"),
    ),
)
THRUSTER = Layout(
    "Thruster",
    (
        Field("x", "m"),
        Field("y", "m"),
        Field("z", "m"),
        Field("ex", "1, push direction"),
        Field("ey", "1"),
        Field("ez", "1"),
        Field("k_forward", "N/drive^2"),
        Field("k_reverse", "N/drive^2"),
        Field("linear", "N/drive"),
        Field("inflow_forward", "N/(drive m/s)"),
        Field("inflow_reverse", "N/(drive m/s)"),
        Field("inflow_square", "N/(m/s)^2"),
        Field("one_minus_wake", "1"),
        Field("torque_forward", "N m/drive^2"),
        Field("torque_reverse", "N m/drive^2"),
        Field("torque_inflow", "N m/(drive m/s)"),
        Field("per_blade", "1/m: one over the radius of the propeller; 0: always wet"),
        Field("inflow_cap", "m/s per drive: inflow at which a propeller with inflow_square gives no more thrust"),
        Field("tunnel_loss", "(s/m)^2"),
        Field("dead_low", "drive"),
        Field("dead_high", "drive"),
        Field("rate", "1/s: one over the time constant; huge if none"),
        Field("table", "drive to N", MAX_TABLE, POINT),
    ),
)
SERVO = Layout(
    "Servo",
    (
        Field("rate", "1/s: one over the time constant"),
        Field("speed", "rad/s, largest"),
        Field("x", "m, where the surface is; for its wet share"),
        Field("y", "m"),
        Field("z", "m"),
        Field("per_reach", "1/m: one over half its span; 0: always wet"),
    ),
)
BALLAST = Layout(
    "Ballast",
    (
        Field("mass", "kg"),
        Field("mass_s", "kg/unit"),
        Field("volume_s", "m^3/unit"),
        Field("x", "m, where s = 0"),
        Field("y", "m"),
        Field("z", "m"),
        Field("ax", "m/unit"),
        Field("ay", "m/unit"),
        Field("az", "m/unit"),
        Field("speed", "unit/s, largest"),
    ),
)
MODEL = Layout(
    "Model",
    (
        Field("mass", "kg"),
        Field("moment", "kg m: mass times CG", 3),
        Field("inertia", "kg m^2 about O: Ixx Iyy Izz and the tensor's Ixy Ixz Iyz", 6),
        Field("volume", "m^3"),
        Field("volume_moment", "m^4: volume times CB", 3),
        Field("compressibility", "1/Pa"),
        Field("added_mass", "kg .. kg m^2, row by row", 36),
        Field("mass_inverse", "inverse of rigid body plus added mass on the free axes, 0 on held ones", 36),
        Field("free", "1 or 0 per degree of freedom", 6),
        Field("coefficients", "SI, sorted by axis", MAX_COEFFICIENTS),
        Field("fade", "s/m"),
        Field("race_advance", "m"),
        Field("race_ct", "1"),
        Field("lift_drag", "flow-axes hull forces", 0, LIFT_DRAG),
        Field("crossflow_guard", "m/s"),
        Field("stations", "cross-flow strips", MAX_STATIONS, STATION),
        Field("curve", "m/s to 1", MAX_CURVE, POINT),
        Field("fins", "lifting surfaces", MAX_FINS, FIN),
        Field("servos", "control surface actuators", MAX_SURFACES, SERVO),
        Field("thrusters", "propellers", MAX_THRUSTERS, THRUSTER),
        Field("supply_limit", "N", MAX_SUPPLIES),
        Field("ballast", "moving or changing mass and volume", MAX_BALLAST, BALLAST),
        Field("acceleration_limit", "m/s^2, legacy; 0 none"),
        Field("angular_limit", "rad/s^2, legacy; 0 none"),
        Field("surge_limit", "m/s, legacy; 0 none"),
    ),
)
STRUCTURE = Layout(
    "Structure",
    (
        Field("n_products", "products of factors to form"),
        Field("product_a", "first factor", MAX_PRODUCTS),
        Field("product_b", "second factor", MAX_PRODUCTS),
        Field("axis_start", "first coefficient of each axis, and the end", 7),
        Field("term_a", "first factor of a coefficient", MAX_COEFFICIENTS),
        Field("term_b", "second factor", MAX_COEFFICIENTS),
        Field("uses_angles", "1 if a name has phi or theta"),
        Field("uses_race", "1 if a name has n"),
        Field("race_thruster", "index"),
        Field("uses_fade", "1 through-water speed, 2 the published slip, 0 not"),
        Field("added_mass_coriolis", "1 or 0"),
        Field("rigid_body_coriolis", "1 or 0"),
        Field("lift_drag", "0 none, 1 in the vertical plane, 2 with sideslip"),
        Field("crossflow", "0 coupled, 1 independent, 2 coupled with a guard"),
        Field("n_stations", ""),
        Field("n_curve", ""),
        Field("n_fins", ""),
        Field("fin_surface", "-1 if fixed", MAX_FINS),
        Field("fin_wash", "thruster, -1 if none", MAX_FINS),
        Field("n_surfaces", ""),
        Field("n_thrusters", ""),
        Field("lag_on_thrust", "1: the thrust is the lagged quantity", MAX_THRUSTERS),
        Field("n_table", "points of the table, 0 if none", MAX_THRUSTERS),
        Field("inflow_speed", "1: inflow is the hull's speed", MAX_THRUSTERS),
        Field("supply", "-1 if none", MAX_THRUSTERS),
        Field("uses_tunnel_loss", "1 if any thruster has one"),
        Field("n_supplies", ""),
        Field("n_ballast", ""),
        Field("n_held", "degrees of freedom that are held"),
        Field("euler_angles", "1: attitude is roll, pitch, yaw"),
        Field("tethered", "1: the pull of the command acts"),
    ),
    kind="i8",
)
ACTUATORS = Layout(
    "Actuators",
    (
        Field("thruster", "drive, or N where the thrust lags", MAX_THRUSTERS),
        Field("surface", "rad", MAX_SURFACES),
        Field("ballast", "unit", MAX_BALLAST),
    ),
)
WATER = Layout(
    "Water",
    (
        Field("density", "kg/m^3 at the surface"),
        Field("density_gradient", "kg/m^3 per m of depth"),
        Field("gravity", "m/s^2"),
        Field("current", "m/s, NED, at the start of the call", 3),
        Field("current_dot", "m/s^2, NED, during the call", 3),
        Field("time", "s, when the call starts"),
    ),
)
PULL = Layout(
    "Pull",
    (
        Field("fairlead", "m, body axes", 3),
        Field("force", "N, NED: pull where it was foreseen", 3),
        Field("place", "m, NED: where the fairlead was foreseen at the end of the tether's step", 3),
        Field("span", "s, from the start of the call to that end"),
        Field("stiffness", "N/m, NED, row by row", 9),
        Field("most", "N, breaking load"),
    ),
)
COMMAND = Layout(
    "Command",
    (
        Field("demand", "actuator demands, held during the call", 0, ACTUATORS),
        Field("external", "N, N m, body axes at O: a user's own wrench", 6),
        Field("pull", "of a tether", 0, PULL),
    ),
)
WET = Layout(
    "WetParts",
    (
        Field("thruster", "1, share under water", MAX_THRUSTERS),
        Field("fin", "1", MAX_FINS),
        Field("surface", "1", MAX_SURFACES),
        Field("partly", "1 if some share may be below 1"),
    ),
)
TOUCH = Layout(
    "Touch",
    (
        Field("wrench", "N, N m, body axes about O: mean over the call (in Work: impulse so far, N s)", 6),
        Field("count", "most contacts at once"),
        Field("depth", "m, deepest overlap"),
        Field("speed", "m/s, fastest approach along a normal that was stopped"),
        Field("what", "number of the structure, -1 the seabed, -2 nothing"),
    ),
)
STATE = Layout(
    "State",
    (
        Field("position", "m, NED", 3),
        Field("attitude", "quaternion scalar first, or roll, pitch, yaw, 0", 4),
        Field("nu", "m/s, rad/s, over ground, body axes", 6),
        Field("nu_dot", "m/s^2, rad/s^2 at the last evaluation", 6),
        Field("actuators", "where they are now", 0, ACTUATORS),
        Field("time", "s"),
        Field("touch", "what the vehicle met during the last call", 0, TOUCH),
    ),
)
TALLY = Layout(
    "Tally",
    (
        Field("alive", "1, or 0 once the vehicle has diverged"),
        Field("steps", "sound steps of the last call"),
    ),
)
SIGHT = Layout(
    "Sight",
    (
        Field("through_water", "m/s, body axes: velocity of O relative to the water", 3),
        Field("current", "m/s, NED: of the water at O", 3),
        Field("below", "m, depth of O below the moving surface"),
        Field("wet_share", "1, of the hull's volume"),
        Field("bottom", "m, depth of the seabed there, infinite without one"),
    ),
)
WORK = Layout(
    "Work",
    (
        Field("target", "what the actuators tend to during the call", 0, ACTUATORS),
        Field("decay", "what is left of the difference after half a step", 0, ACTUATORS),
        Field("start", "actuators at the start of the step", 0, ACTUATORS),
        Field("half", "in its middle", 0, ACTUATORS),
        Field("end", "at its end", 0, ACTUATORS),
        Field("factors", "what coefficient names multiply", N_FACTORS),
        Field("matrix", "mass matrix being solved", 36),
        Field("vector", "right-hand side", 6),
        Field("supply", "N demanded of each supply", MAX_SUPPLIES),
        Field("inverse", "of the mass matrix, for contact", 36),
        Field("touch", "contact so far in the call", 0, TOUCH),
        Field("wet", "how much of each part is under water", 0, WET),
    ),
)


class Case(NamedTuple):
    """Everything a vehicle and its world are, apart from the motion."""

    model: Any
    structure: Any
    water: Any
    command: Any
    work: Any
    sea: Any  # the world's flat array, see `sea.py`
    hull: Any  # the hull's


as_model = viewer(MODEL)
as_structure = viewer(STRUCTURE)
as_water = viewer(WATER)
as_command = viewer(COMMAND)
as_state = viewer(STATE)
as_work = viewer(WORK)
as_tally = viewer(TALLY)
as_sight = viewer(SIGHT)
