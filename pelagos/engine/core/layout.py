"""Records of the kernel: every number of vehicle, water, command and state with its name and unit.

Model and Structure come from the vehicle file through `vehicle/pack/records.py`, the only writer. Model holds
quantities (one row per vehicle, so each lane may differ); Structure holds the integers that shape loops and branches
(one row per block of vehicles: all lanes of a block share it). Water holds the conditions at the vehicle, Command the
inputs of a call, State the motion, Work scratch space of the kernel.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from pelagos.engine.core.views import Layout, LayoutField, viewer

# Capacities: records have a fixed size, so that a block of vehicles is one array. A larger one lengthens every record.
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
FACTOR_SPEED = FACTOR_VELOCITY + 6  # |u| .. |r|
FACTOR_SURFACE = FACTOR_SPEED + 6  # angles of the control surfaces
FACTOR_RACE = FACTOR_SURFACE + MAX_SURFACES
FACTOR_PHI = FACTOR_RACE + 1
FACTOR_THETA = FACTOR_RACE + 2
FACTOR_FADE = FACTOR_RACE + 3
FACTOR_PRODUCT = FACTOR_RACE + 4
N_FACTORS = FACTOR_PRODUCT + MAX_PRODUCTS

STATION = Layout(
    "Station",
    (
        LayoutField("x", "m, forward of O"),
        LayoutField("drag_y", "N/(m/s)^2: rho/2 Cd_y height length"),
        LayoutField("drag_z", "N/(m/s)^2: rho/2 Cd_z breadth length"),
    ),
)
POINT = Layout(
    "Point",
    (
        LayoutField("x", "abscissa"),
        LayoutField("y", "ordinate"),
        LayoutField("slope", "dy/dx up to the next point; 0 at the last"),
    ),
)
LIFT_DRAG = Layout(
    "LiftDrag",
    tuple(
        LayoutField(name, meaning)
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
        LayoutField("x", "m"),
        LayoutField("y", "m"),
        LayoutField("z", "m"),
        LayoutField("ny", "1, normal"),
        LayoutField("nz", "1, normal"),
        LayoutField("area", "kg/m: rho/2 S"),
        LayoutField("slope", "1/rad"),
        LayoutField("stall", "rad"),
        LayoutField("slope_after", "1/rad"),
        LayoutField("drag_0", "1"),
        LayoutField("drag_a", "1/rad"),
        LayoutField("drag_aa", "1/rad^2"),
        LayoutField("gain", "1"),
        LayoutField("hull_flow", "1"),
        LayoutField("wash", "m: slipstream speed per shaft rate"),
        LayoutField("wash_momentum", "(m/s)^2/N"),
        LayoutField("per_reach", "1/m: one over half its span; 0: always wet"),
    ),
)
THRUSTER = Layout(
    "Thruster",
    (
        LayoutField("x", "m"),
        LayoutField("y", "m"),
        LayoutField("z", "m"),
        LayoutField("ex", "1, push direction"),
        LayoutField("ey", "1"),
        LayoutField("ez", "1"),
        LayoutField("k_forward", "N/drive^2"),
        LayoutField("k_reverse", "N/drive^2"),
        LayoutField("linear", "N/drive"),
        LayoutField("inflow_forward", "N/(drive m/s)"),
        LayoutField("inflow_reverse", "N/(drive m/s)"),
        LayoutField("inflow_square", "N/(m/s)^2"),
        LayoutField("one_minus_wake", "1"),
        LayoutField("torque_forward", "N m/drive^2"),
        LayoutField("torque_reverse", "N m/drive^2"),
        LayoutField("torque_inflow", "N m/(drive m/s)"),
        LayoutField("per_blade", "1/m: one over the radius of the propeller; 0: always wet"),
        LayoutField("inflow_cap", "m/s per drive: inflow at which a propeller with inflow_square gives no more thrust"),
        LayoutField("tunnel_loss", "(s/m)^2"),
        LayoutField("lowest", "drive, limit of the command"),
        LayoutField("highest", "drive"),
        LayoutField("dead_low", "drive"),
        LayoutField("dead_high", "drive"),
        LayoutField("rate", "1/s: one over the time constant; huge if none"),
        LayoutField("table", "drive to N", MAX_TABLE, POINT),
    ),
)
SERVO = Layout(
    "Servo",
    (
        LayoutField("rate", "1/s: one over the time constant"),
        LayoutField("limit", "rad, either side"),
        LayoutField("speed", "rad/s, largest"),
        LayoutField("x", "m, where the surface is; for its wet share"),
        LayoutField("y", "m"),
        LayoutField("z", "m"),
        LayoutField("per_reach", "1/m: one over half its span; 0: always wet"),
    ),
)
BALLAST = Layout(
    "Ballast",
    (
        LayoutField("mass", "kg"),
        LayoutField("mass_s", "kg/unit"),
        LayoutField("volume_s", "m^3/unit"),
        LayoutField("x", "m, where s = 0"),
        LayoutField("y", "m"),
        LayoutField("z", "m"),
        LayoutField("ax", "m/unit"),
        LayoutField("ay", "m/unit"),
        LayoutField("az", "m/unit"),
        LayoutField("lowest", "unit, limit of the command"),
        LayoutField("highest", "unit"),
        LayoutField("speed", "unit/s, largest"),
    ),
)
MODEL = Layout(
    "Model",
    (
        LayoutField("mass", "kg"),
        LayoutField("moment", "kg m: mass times CG", 3),
        LayoutField("inertia", "kg m^2 about O: Ixx Iyy Izz and the tensor's Ixy Ixz Iyz", 6),
        LayoutField("volume", "m^3"),
        LayoutField("volume_moment", "m^4: volume times CB", 3),
        LayoutField("compressibility", "1/Pa"),
        LayoutField("added_mass", "kg .. kg m^2, row by row", 36),
        LayoutField("mass_inverse", "inverse of rigid body plus added mass on the free axes, 0 on held ones", 36),
        LayoutField("free", "1 or 0 per degree of freedom", 6),
        LayoutField("coefficients", "SI, sorted by axis", MAX_COEFFICIENTS),
        LayoutField("fade", "s/m"),
        LayoutField("race_advance", "m"),
        LayoutField("race_ct", "1"),
        LayoutField("lift_drag", "flow-axes hull forces", 0, LIFT_DRAG),
        LayoutField("crossflow_guard", "m/s"),
        LayoutField("stations", "cross-flow strips", MAX_STATIONS, STATION),
        LayoutField("curve", "m/s to 1", MAX_CURVE, POINT),
        LayoutField("fins", "lifting surfaces", MAX_FINS, FIN),
        LayoutField("servos", "control surface actuators", MAX_SURFACES, SERVO),
        LayoutField("thrusters", "propellers", MAX_THRUSTERS, THRUSTER),
        LayoutField("supply_limit", "N", MAX_SUPPLIES),
        LayoutField("ballast", "moving or changing mass and volume", MAX_BALLAST, BALLAST),
        LayoutField("acceleration_limit", "m/s^2, legacy; 0 none"),
        LayoutField("angular_limit", "rad/s^2, legacy; 0 none"),
        LayoutField("surge_limit", "m/s, legacy; 0 none"),
    ),
)
STRUCTURE = Layout(
    "Structure",
    (
        LayoutField("n_products", "products of factors to form"),
        LayoutField("product_a", "first factor", MAX_PRODUCTS),
        LayoutField("product_b", "second factor", MAX_PRODUCTS),
        LayoutField("axis_start", "first coefficient of each axis, and the end", 7),
        LayoutField("term_a", "first factor of a coefficient", MAX_COEFFICIENTS),
        LayoutField("term_b", "second factor", MAX_COEFFICIENTS),
        LayoutField("uses_angles", "1 if a name has phi or theta"),
        LayoutField("uses_race", "1 if a name has n"),
        LayoutField("race_thruster", "index"),
        LayoutField("uses_fade", "1 through-water speed, 2 the published slip, 0 not"),
        LayoutField("added_mass_coriolis", "1 or 0"),
        LayoutField("rigid_body_coriolis", "1 or 0"),
        LayoutField("lift_drag", "0 none, 1 in the vertical plane, 2 with sideslip"),
        LayoutField("crossflow", "0 coupled, 1 independent, 2 coupled with a guard"),
        LayoutField("n_stations", ""),
        LayoutField("n_curve", ""),
        LayoutField("n_fins", ""),
        LayoutField("fin_surface", "-1 if fixed", MAX_FINS),
        LayoutField("fin_wash", "thruster, -1 if none", MAX_FINS),
        LayoutField("n_surfaces", ""),
        LayoutField("n_thrusters", ""),
        LayoutField("lag_on_thrust", "1: the thrust is the lagged quantity", MAX_THRUSTERS),
        LayoutField("n_table", "points of the table, 0 if none", MAX_THRUSTERS),
        LayoutField("inflow_speed", "1: inflow is the hull's speed", MAX_THRUSTERS),
        LayoutField("supply", "-1 if none", MAX_THRUSTERS),
        LayoutField("uses_tunnel_loss", "1 if any thruster has one"),
        LayoutField("n_supplies", ""),
        LayoutField("n_ballast", ""),
        LayoutField("n_held", "degrees of freedom that are held"),
        LayoutField("euler_angles", "1: attitude is roll, pitch, yaw"),
        LayoutField("tethered", "1: the pull of the command acts"),
    ),
    kind="i8",
)
ACTUATORS = Layout(
    "Actuators",
    (
        LayoutField("thruster", "drive, or N where the thrust lags", MAX_THRUSTERS),
        LayoutField("surface", "rad", MAX_SURFACES),
        LayoutField("ballast", "unit", MAX_BALLAST),
    ),
)
WATER = Layout(
    "Water",
    (
        LayoutField("density", "kg/m^3 at the surface"),
        LayoutField("density_gradient", "kg/m^3 per m of depth"),
        LayoutField("gravity", "m/s^2"),
        LayoutField("current", "m/s, NED, at the start of the call", 3),
        LayoutField("current_dot", "m/s^2, NED, during the call", 3),
        LayoutField("time", "s, when the call starts"),
    ),
)
PULL = Layout(
    "Pull",
    (
        LayoutField("fairlead", "m, body axes", 3),
        LayoutField("force", "N, NED: pull at the predicted place", 3),
        LayoutField("place", "m, NED: predicted place of the fairlead at the end of the tether's step", 3),
        LayoutField("span", "s, from the start of the call to that end"),
        LayoutField("stiffness", "N/m, NED, row by row", 9),
        LayoutField("most", "N, breaking load"),
    ),
)
COMMAND = Layout(
    "Command",
    (
        LayoutField("actuators", "commands, held during the call", 0, ACTUATORS),
        LayoutField("external", "N, N m, body axes at O: wrench set by the user", 6),
        LayoutField("pull", "of a tether", 0, PULL),
    ),
)
WET = Layout(
    "WetParts",
    (
        LayoutField("thruster", "1, share under water", MAX_THRUSTERS),
        LayoutField("fin", "1", MAX_FINS),
        LayoutField("surface", "1", MAX_SURFACES),
        LayoutField("partly", "1 if some share may be below 1"),
    ),
)
TOUCH = Layout(
    "Touch",
    (
        LayoutField("wrench", "N, N m, body axes about O: mean over the call (in Work: impulse so far, N s)", 6),
        LayoutField("count", "most contacts at once"),
        LayoutField("depth", "m, deepest overlap"),
        LayoutField("speed", "m/s, fastest approach along a normal that was stopped"),
        LayoutField("obstacle", "number of the structure, -1 the seabed, -2 nothing"),
    ),
)
STATE = Layout(
    "State",
    (
        LayoutField("position", "m, NED", 3),
        LayoutField("attitude", "quaternion scalar first, or roll, pitch, yaw, 0", 4),
        LayoutField("nu", "m/s, rad/s, over ground, body axes", 6),
        LayoutField("nu_dot", "m/s^2, rad/s^2 at the last evaluation", 6),
        LayoutField("actuators", "where they are now", 0, ACTUATORS),
        LayoutField("time", "s"),
        LayoutField("touch", "contact during the last call", 0, TOUCH),
    ),
)
TALLY = Layout(
    "Tally",
    (
        LayoutField("alive", "1, or 0 once the vehicle has diverged"),
        LayoutField("steps", "valid steps of the last call"),
    ),
)
SURROUNDINGS = Layout(
    "Surroundings",
    (
        LayoutField("through_water", "m/s, body axes: velocity of O relative to the water", 3),
        LayoutField("current", "m/s, NED: of the water at O", 3),
        LayoutField("below", "m, depth of O below the moving surface"),
        LayoutField("wet_share", "1, of the hull's volume"),
        LayoutField("bottom", "m, depth of the seabed there, infinite without one"),
    ),
)
WORK = Layout(
    "Work",
    (
        LayoutField("target", "where the actuators move to during the call", 0, ACTUATORS),
        LayoutField("decay", "share of the distance to the target that remains after half a step", 0, ACTUATORS),
        LayoutField("start", "actuators at the start of the step", 0, ACTUATORS),
        LayoutField("half", "in its middle", 0, ACTUATORS),
        LayoutField("end", "at its end", 0, ACTUATORS),
        LayoutField("factors", "factors of the coefficients", N_FACTORS),
        LayoutField("matrix", "mass matrix being solved", 36),
        LayoutField("vector", "right-hand side", 6),
        LayoutField("supply", "N, load of each supply before it is limited", MAX_SUPPLIES),
        LayoutField("inverse", "of the mass matrix, for contact", 36),
        LayoutField("touch", "contact so far in the call", 0, TOUCH),
        LayoutField("wet", "how much of each part is under water", 0, WET),
    ),
)


class StepRecords(NamedTuple):
    """Records of a step, all that it needs but the motion: vehicle, water, command, scratch space, world and hull."""

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
as_surroundings = viewer(SURROUNDINGS)
