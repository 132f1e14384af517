"""All keys of a vehicle file: kind, dimension, range and meaning. The reader and the JSON Schema use these tables.

A quantity is a key without its unit suffix: `mass` is a quantity, `mass_kg` and `mass_slug` are its spellings.
Quantities of one `group` exclude each other (mass or weight), and one replaces the other when a file `extends`.
`VEHICLE`, at the end, declares a whole file.
"""

from __future__ import annotations

from typing import Any

from pelagos.files.json_schema import Schema, file_schema, section_schema
from pelagos.files.schema import (
    PROVENANCE,
    Key,
    Section,
    flag,
    integer,
    kinds_of,
    listing,
    literal,
    number,
    text,
    vector,
)
from pelagos.sensors.kinds import KINDS
from pelagos.vehicle.spec import INTEGRATORS, SURFACE_METHODS, VELOCITIES, Vec3

PAIRS = tuple[tuple[float, float], ...]
ONE_OR_EACH = float | tuple[float, ...]
SIX = tuple[(float,) * 6]
MOMENTS_OR_TENSOR = Vec3 | tuple[Vec3, Vec3, Vec3]


def _loop_keys() -> tuple[Key, ...]:
    """The keys of [control] that set the gains of each loop: directly, or by natural frequency and damping ratio."""
    keys: list[Key] = []
    for loop, gains in LOOPS.items():
        keys.append(
            number(f"{loop}_frequency", "natural frequency, w", "angular rate", sign="positive", group=f"{loop}_kp")
        )
        if "kd" in gains:
            keys.append(
                number(f"{loop}_damping", "damping ratio, zeta, default 1", sign="positive", group=f"{loop}_kd")
            )
        for gain, unit in gains.items():
            sign = "positive" if gain == "kp" else "nonnegative"
            keys.append(
                number(f"{loop}_{gain}", f"instead of the computed gain, {unit}", sign=sign, group=f"{loop}_{gain}")
            )
    return tuple(keys)


CHECK_KINDS = (
    "measured", "published", "published-sim", "reference-run", "datasheet", "analytic", "operator-calibration",
)  # fmt: skip

DRIVE = ("angular rate", "voltage", "force", "")  # rate, voltage, force, throttle
THRUST_PER_DRIVE2 = ("thrust per rate squared", "thrust per volt squared", "force", "")
TORQUE_PER_DRIVE2 = ("torque per rate squared", "torque per volt squared", "torque", "")
STORE = ("mass", "volume", "length")  # dimension of the setting of a tank, a buoyancy engine, a mass shifter

# the loops of the autopilot and the units of their gains; the speed loop has no derivative gain
LOOPS = {
    "heading": {"kp": "N m/rad", "ki": "N m/(rad s)", "kd": "N m s/rad"},
    "pitch": {"kp": "N m/rad", "ki": "N m/(rad s)", "kd": "N m s/rad"},
    "roll": {"kp": "N m/rad", "ki": "N m/(rad s)", "kd": "N m s/rad"},
    "depth": {"kp": "N/m", "ki": "N/(m s)", "kd": "N s/m"},
    "place": {"kp": "N/m", "ki": "N/(m s)", "kd": "N s/m"},
    "speed": {"kp": "N s/m", "ki": "N/m"},
}

COMPONENT = Section("a piece of the vehicle with its own mass; mass, cg and inertia of the body follow", (
    text("name", "for error messages and lists"),
    number("mass", "its mass", "mass", group="mass"),
    number("weight", "its weight, instead of mass", "force", group="mass"),
    vector("position", "its centre of mass", "length", required=True),
    listing("inertia", "about its own centre, three moments or a tensor", MOMENTS_OR_TENSOR, unit="inertia"),
), many=True)  # fmt: skip

WATER = Section("the water the numbers hold for", (
    number("density", "default 1025 kg/m3", "density", sign="positive"),
    number("gravity", "default 9.80665 m/s2", "acceleration", sign="positive"),
    number("viscosity", "kinematic", "viscosity", sign="positive"),
))  # fmt: skip

BODY = Section("mass, buoyancy and their places", (
    number("mass", "with flood water, without [[ballast]]", "mass", sign="positive", group="mass"),
    number("weight", "instead of mass: mass = weight / gravity", "force", sign="positive", group="mass"),
    number("buoyancy", "weight of the displaced water, fully submerged", "force", sign="positive", group="buoyancy"),
    number("volume", "displaced volume", "volume", sign="positive", group="buoyancy"),
    number("net_buoyancy", "buoyancy minus weight", "force", group="buoyancy"),
    flag("neutral", "volume = mass / density", group="buoyancy"),
    vector("cg", "centre of mass, default the origin", "length"),
    vector("cb", "centre of buoyancy, default the origin", "length"),
    listing("inertia", "three moments or the tensor", MOMENTS_OR_TENSOR, unit="inertia"),
    vector("inertia_products", "Ixy, Iyz, Ixz", "inertia"),
    text("products_sign", "integral: Ixy = int x y dm, tensor: minus that", "integral", "tensor"),
    text("inertia_about", "the point the inertia is given about, default cg", "cg", "origin"),
    number("compressibility", "relative loss of volume per pressure", "compressibility", sign="nonnegative"),
    listing("total_mass_matrix_diagonal", "diagonal of body plus added mass, SI", SIX, sign="positive"),
))  # fmt: skip

GEOMETRY = Section("main dimensions; length is the L of prime coefficients", (
    number("length", "overall, the L of prime coefficients", "length", sign="positive"),
    number("diameter", "largest", "length", sign="positive"),
    number("height", "along z", "length", sign="positive"),
    number("breadth", "along y", "length", sign="positive"),
    number("frontal_area", "projected along x", "area", sign="positive"),
    number("side_area", "projected along y", "area", sign="positive"),
    number("plan_area", "projected along z", "area", sign="positive"),
    number("wetted_area", "of the hull", "area", sign="positive"),
))  # fmt: skip

SHAPE = Section("a piece of the hull", (
    text("kind", "", "cylinder", "ellipsoid", "box", "capsule", "stations", "mesh", required=True),
    vector("center", "default the origin", "length"),
    number("length", "cylinder, capsule (overall)", "length", sign="positive"),
    number("radius", "cylinder, capsule", "length", sign="positive"),
    text("axis", "cylinder, capsule: the way it lies, default x", "x", "y", "z"),
    vector("semi_axes", "ellipsoid", "length", sign="positive"),
    vector("size", "box: lengths along x, y, z", "length", sign="positive"),
    listing("stations", "rows of x, height, breadth, x ascending", tuple[Vec3, ...], unit="length"),
    text("file", "mesh: a closed STL or OBJ file beside the vehicle file, in body axes"),
    number("scale", "mesh: metres per unit of the file, default 1", sign="positive"),
), many=True)  # fmt: skip

FREE_SURFACE = Section("how the wet part of a hull that breaks the surface is computed", (
    text("method", "default quadrature; submerged without [[shape]]", *SURFACE_METHODS),
    integer("points", "sections or points, default 512 (monte_carlo 20000)", sign="positive", most=1e6),
    integer("seed", "of the monte_carlo cloud, default 0", sign="nonnegative"),
))  # fmt: skip

_MISPLACED = {f"{axis}_": "unknown key; coefficients go under [hydro.coefficients]" for axis in "XYZKMN"}

ADDED_MASS = Section("added mass, unless it stands as X_udot ... in [hydro.coefficients]", (
    listing("diagonal", "kg and kg m2, positive", SIX, sign="nonnegative", group="form"),
    listing("matrix", "6x6, positive definite, SI", tuple[(SIX,) * 6], group="form"),
    Key("from_hull", "estimate from length and diameter, or by panels from a mesh",
        literal("spheroid", "cylinder", "strips", "mesh"), group="form"),
    listing("total_diagonal", "diagonal of body plus added mass, SI", SIX, sign="positive", group="form"),
    number("roll_factor", "with from_hull: A44 = roll_factor Ixx", sign="nonnegative"),
    flag("symmetrise", "true: the mean of two elements across the diagonal that differ, in place of a refusal"),
), misplaced=_MISPLACED)  # fmt: skip

HYDRO = Section("the force polynomial", (
    text("nondimensional", "prime: times rho/2 L^k; none: SI", "none", "prime"),
    text("u_rule", "abs: |u| where going astern needs it; signed: as written", "abs", "signed"),
    text("coriolis", "of the added mass", "full", "none", "in_coefficients", "mss_remus100"),
), {
    "coefficients": Section("axis + monomial, such as Y_uv or N_r|r|; \"remove\" deletes an inherited one",
                            each=Key("*", "a coefficient by its published name", removable=True)),
    "fade": Section('the factor "fade" of coefficient names is exp(-rate U)', (
        number("rate", "", "per speed", sign="nonnegative", required=True),
        flag("published_slip", "U = sqrt(u + v^2), as once published"),
    )),
}, misplaced=_MISPLACED)  # fmt: skip

CROSSFLOW = Section("drag of the hull in oblique flow, strip by strip", (
    listing("cd_y", "against sway, one number or one per station", ONE_OR_EACH, sign="nonnegative"),
    listing("cd_z", "against heave, default cd_y", ONE_OR_EACH, sign="nonnegative"),
    listing("x", "stations, ascending", tuple[float, ...], unit="length", group="stations"),
    listing("height", "of the side profile: one number or one per station", ONE_OR_EACH, unit="length",
            sign="nonnegative"),
    listing("breadth", "of the plan profile, default height", ONE_OR_EACH, unit="length", sign="nonnegative"),
    integer("n_stations", "evenly spaced stations instead of x", sign="positive", group="stations"),
    number("from", "x of the first station, default -length/2", "length"),
    number("to", "x of the last station, default +length/2", "length"),
    text("rule", "weight of a station", "trapezoid", "left", "full_ends", "midpoint"),
    text("flow", "coupled: both planes share one speed", "coupled", "independent"),
    number("guard", "added to the cross-flow speed", "speed", sign="nonnegative"),
    number("density", "density of the published program, if it differs", "density", sign="positive"),
    listing("cd_curve", "rows of cross-flow speed m/s and drag coefficient", PAIRS, group="curve"),
    listing("cd_of_reynolds", "rows of Reynolds number and drag coefficient", PAIRS, group="curve"),
    number("reynolds_length", "with cd_of_reynolds", "length", sign="positive"),
))  # fmt: skip

# the dimensional keys of [lift_drag] and the dimensionless ones that replace them, in the same order
_LIFT_K = ("lift_0", "lift_a", "drag_0", "drag_aa", "side_b", "roll_b", "roll_p", "pitch_0", "pitch_a", "pitch_q",
           "yaw_b", "yaw_r")  # fmt: skip
_LIFT_C = ("cl_0", "cl_a", "cd_0", "cd_aa", "cs_b", "croll_b", "croll_p", "cpitch_0", "cpitch_a", "cpitch_q",
           "cyaw_b", "cyaw_r")  # fmt: skip
LIFT_NAMES = dict(zip(_LIFT_C, _LIFT_K, strict=True))

LIFT_DRAG = Section("lift and drag of the whole hull in flow axes", (
    *(number(name, "per U^2, SI", group=name) for name in _LIFT_K),
    *(number(c, "times rho/2 area (moments: times length too)", group=k) for c, k in LIFT_NAMES.items()),
    number("area", "reference area of the c... keys", "area", sign="positive"),
    number("length", "reference length of the moments, default that of [geometry]", "length", sign="positive"),
    flag("sideslip", "default true"),
))  # fmt: skip

SURFACE = Section("a control surface as an actuator", (
    text("name", "default surface_1"),
    text("symbol", 'its letters in coefficient names, such as "dr"', required=True),
    number("limit", "largest angle either way", "angle", sign="positive", required=True),
    number("time_constant", "of the servo", "time", sign="nonnegative"),
    number("rate", "largest", "angular rate", sign="positive"),
    vector("position", "its middle: where it leaves the water its angle loses effect; absent: always wet", "length"),
    number("span", "with position; default 0.1 m", "length", sign="positive"),
), many=True)  # fmt: skip

FIN = Section("a lifting surface given as geometry", (
    text("name", "default fin_1"),
    text("surface", "name of the [[control_surfaces]] entry that turns it; absent: fixed"),
    vector("position", "centre of pressure", "length", required=True),
    vector("normal", "direction of the force of a positive angle", sign="nonzero", required=True),
    number("area", "", "area", sign="positive", required=True),
    number("span", "default the root of the area: over it the fin enters the water", "length", sign="positive"),
    number("lift_slope", "", "per angle", sign="nonnegative", group="slope"),
    number("aspect_ratio", "instead of lift_slope: the slope is estimated", sign="positive", group="slope"),
    number("stall", "", "angle", sign="positive"),
    number("slope_after_stall", "", "per angle"),
    number("drag_0", "", sign="nonnegative"),
    number("drag_a", ""),
    number("drag_aa", ""),
    number("gain", "fin angle per actuator angle"),
    number("hull_flow", "share of the hull's speed at the fin", sign="nonnegative"),
    text("wash_from", "name of the thruster whose slipstream meets it"),
    number("wash", "slipstream speed per shaft rate", "length"),
    number("wash_momentum", "growth of u|u| per thrust"),
), many=True)  # fmt: skip

PROPELLER = Section("open-water curves KT = kt0 + kt1 J + kt2 J^2, KQ = kq0 + kq1 J", (
    number("diameter", "", "length", sign="positive", required=True),
    number("kt0", "", required=True),
    number("kt1", ""),
    number("kt2", ""),
    number("kq0", ""),
    number("kq1", ""),
    number("thrust_deduction", ""),
    number("wake", ""),
    number("torque_scale", "share of the torque that reaches the hull, default 1"),
    number("hand", "+1 right-handed, -1 left-handed"),
    flag("reverse_without_inflow", "going astern, KT and KQ are kt0 and kq0"),
))  # fmt: skip

THRUSTER = Section("a propeller, tunnel thruster or jet", (
    text("name", "default part or the word thruster and its number: t200_1"),
    text("part", "start from this file of the parts folder"),
    vector("position", "", "length", required=True),
    vector("direction", "push on the vehicle for positive thrust", sign="nonzero", required=True),
    number("diameter", "of the propeller, default 0.1 m: over it the thrust is lost at the surface", "length",
           sign="positive"),
    text("drive", "quantity that the controller sets", "rate", "voltage", "force", "throttle"),
    text("law", "default quadratic; force drive: linear", "quadratic", "linear"),
    number("maximum", "in units of the drive", *DRIVE, sign="positive"),
    number("minimum", "default -maximum", *DRIVE),
    number("dead_band", "symmetric", *DRIVE, sign="nonnegative"),
    number("dead_low", "", *DRIVE),
    number("dead_high", "", *DRIVE, sign="nonnegative"),
    number("thrust_at_maximum", "bollard", "force", sign="positive", group="law"),
    number("reverse_thrust_at_minimum", "bollard, default from the forward law", "force", sign="positive",
           group="reverse"),
    number("k", "thrust per drive squared, both ways", *THRUST_PER_DRIVE2, sign="positive", group="law"),
    number("k_forward", "ahead", *THRUST_PER_DRIVE2, sign="positive", group="law"),
    number("k_reverse", "astern, default k_forward", *THRUST_PER_DRIVE2, sign="nonnegative", group="reverse"),
    number("linear", "thrust per drive", "thrust per rate", "thrust per volt", "force", ""),
    listing("table", "rows of drive and thrust N, drive ascending", PAIRS, group="law"),
    text("table_unit", "unit of the drive in the table", "throttle", "V", "rpm", "rad_s", "rps", "N"),
    number("time_constant", "", "time", sign="nonnegative"),
    text("lag_on", "quantity with the lag", "drive", "thrust"),
    number("inflow_forward", "thrust lost per drive and inflow, SI"),
    number("inflow_reverse", "default inflow_forward"),
    number("inflow_square", "thrust per inflow squared, SI"),
    text("inflow_from", "", "axial", "speed"),
    number("wake", "inflow = (1 - wake) velocity"),
    number("torque", "reaction on the hull per drive squared, both ways", *TORQUE_PER_DRIVE2),
    number("torque_forward", "ahead", *TORQUE_PER_DRIVE2),
    number("torque_reverse", "astern, default torque_forward", *TORQUE_PER_DRIVE2),
    number("torque_inflow", "per drive and inflow, SI"),
    number("tunnel_loss", "thrust falls with exp(-loss u^2)", "per speed squared", sign="nonnegative"),
    text("supply", "name of the [[supplies]] entry that feeds it"),
    number("power_at_maximum", "electric, bollard, full ahead; default from the thrust", "power", sign="positive"),
), {"propeller": PROPELLER}, many=True, starts_from="part")  # fmt: skip

SUPPLY = Section("a shared hydraulic or electric supply", (
    text("name", "", required=True),
    number("limit", "largest sum of thrusts", "force", sign="positive", required=True),
), many=True)  # fmt: skip

BALLAST = Section("a tank, buoyancy engine or mass shifter", (
    text("name", "default kind and number: tank_1"),
    text("kind", "driven by kg, m3, m", "tank", "engine", "shifter", required=True),
    number("minimum", "default 0", *STORE),
    number("maximum", "", *STORE, required=True),
    number("initial", "default 0 (or the nearest limit)", *STORE),
    number("rate", "largest change per second", "mass flow", "volume flow", "speed", sign="positive"),
    number("mass", "shifter: the mass that moves", "mass", sign="nonnegative"),
    vector("position", "at drive 0", "length"),
    vector("axis", "shifter: the way it moves, default forward", sign="nonzero"),
), many=True)  # fmt: skip

CABLE = (
    text("name", "full name"),
    text("summary", "one line"),
    number("diameter", "of the outside", "length", sign="positive"),
    number("mass_per_length", "in air; not used where neutral", "mass per length", sign="positive"),
    flag("neutral", "weighs nothing in whatever water it is in"),
    number("stiffness", "EA: pull per strain, default 1e6 N", "force", sign="positive"),
    number("damping", "pull per rate of strain, default 0", "damping", sign="nonnegative"),
    number("normal_drag", "across, on the diameter, default 1.2", sign="nonnegative"),
    number("tangential_drag", "along, on pi times the diameter, default 0.05", sign="nonnegative"),
    number("added_mass", "across, per mass of displaced water, default 1", sign="nonnegative"),
    number("breaking_load", "default: it never parts", "force", sign="positive"),
)  # fmt: skip

TETHER = Section("the tether of the vehicle; used only in runs with a tether", (
    text("part", "start from this cable of the parts folder"),
    vector("fairlead", "where it is fixed on the vehicle", "length"),
    number("length", "between ship and vehicle at the start, default 100 m", "length", sign="positive"),
    *CABLE,
))  # fmt: skip

# read with the part that a row starts from: see `load.sensors`
SENSOR = kinds_of(KINDS, "an instrument: part or kind, and the keys of the kind", many=True, starts_from="part",
                  later=True)  # fmt: skip

CAMERA = Section("a camera of the pilot; without one the vehicle gets one at its nose, looking ahead", (
    text("name", "default camera_1"),
    vector("position", "of its lens", "length", required=True),
    number("pan", "at rest, positive to starboard, default 0", "angle"),
    number("tilt", "at rest, positive up, default 0", "angle"),
    listing("pan_limit", "lowest and highest pan; absent: it cannot pan", tuple[float, float], unit="angle"),
    listing("tilt_limit", "lowest and highest tilt; absent: it cannot tilt", tuple[float, float], unit="angle"),
    number("rate", "of pan and tilt, default 30 deg/s", "angular rate", sign="positive"),
    number("fov", "horizontal angle of view in water at zoom 1, default 80 deg", "angle", sign="positive"),
    number("zoom_most", "largest magnification, 1 or more; default 1: no zoom", sign="positive"),
), many=True)  # fmt: skip

LAMP = Section("a lamp, fixed to the frame; without one the vehicle gets one above its camera", (
    text("name", "default lamp_1"),
    vector("position", "", "length", required=True),
    vector("direction", "the middle of its beam, default ahead", sign="nonzero"),
    number("beam", "whole angle of the cone of light, default 120 deg", "angle", sign="positive"),
    number("lumens", "luminous flux at full power, lm", sign="positive", required=True),
), many=True)  # fmt: skip

RACE = Section('the slipstream factor "n" of coefficient names', (
    text("thruster", "name of the propeller", required=True),
    number("advance", "eta = advance n / u", "length", required=True),
    number("ct", "", required=True),
))  # fmt: skip

MOTION = Section("which motions the data are valid in, and how to step", (
    Key("free", "degrees of freedom that move, default all", tuple[literal(*VELOCITIES), ...]),
    number("held_speed", "surge speed when u is held", "speed"),
    text("integrator", "default rk4; brutzman_... are published steppers", *INTEGRATORS),
    number("step", "", "time", sign="positive"),
    text("kinematics", "", "quaternion", "euler"),
))  # fmt: skip

LEGACY = Section("traits of a published program that a comparison reproduces", (
    number("acceleration_limit", "clamp on each linear acceleration", "acceleration", sign="nonnegative"),
    number("angular_acceleration_limit", "", "angular acceleration", sign="nonnegative"),
    number("surge_limit", "", "speed", sign="nonnegative"),
    flag("rigid_body_coriolis", "default true"),
))  # fmt: skip

CONTROL = Section("gains and limits of the autopilot, instead of those computed from the model", (
    *_loop_keys(),
    number("dive_frequency", "depth by pitch: natural frequency, w_z", "angular rate", sign="positive"),
    number("dive_rate", "depth by pitch: t_z, derivative time of the depth loop", "time", sign="nonnegative"),
    number("cruise_speed", "used where the vehicle needs way and has no speed setpoint", "speed", sign="positive"),
    number("planes_from", "speed from which planes hold depth where thrusters could", "speed", sign="positive"),
    number("pitch_limit", "largest pitch setpoint to change depth, default 25 deg", "angle", sign="positive"),
    number("yaw_rate_limit", "largest yaw rate setpoint, default 30 deg/s", "angular rate", sign="positive"),
    number("depth_rate_limit", "largest vertical speed by thrusters, default 1.5 m/s", "speed", sign="positive"),
    number("place_speed", "on the way to a place to keep, without a speed setpoint", "speed", sign="positive"),
    number("altitude_filter", "time constant of the filter of the altitude hold, default 1 s", "time",
           sign="positive"),
))  # fmt: skip

CHECK = Section("a figure the vehicle must meet", (
    text("id", "", required=True),
    text("kind", "", *CHECK_KINDS, required=True),
    text("quantity", "", required=True),
    Key("value", "one number or a list", ONE_OR_EACH, required=True),
    text("unit", ""),
    number("tolerance", "relative", sign="nonnegative"),
    text("known", "why the figure is known not to be met; then a warning instead of a failure"),
    *PROVENANCE,
    text("test", "name of the automatic procedure"),
    Key("setup", "its parameters", Any),
), many=True, sourced=False)  # fmt: skip

FLAG = Section("a trap or disagreement worth reading", (text("text", "", required=True), *PROVENANCE),
               many=True, sourced=False)  # fmt: skip

SOURCES = Section("the documents cited", each=Section("one document", (
    text("cite", "", required=True), text("licence", ""), text("via", "where it was read"), text("kind", ""),
    text("note", ""),
), sourced=False), sourced=False)  # fmt: skip

VEHICLE = Section("a vehicle", (
    text("name", "the full name", required=True),
    text("class", "a short word for the kind of vehicle", required=True),
    text("summary", "one line"),
    text("extends", "start from this library vehicle or file"),
    number("depth_rating", "deepest it may go; missions below it are refused", "length", sign="positive"),
), {
    "sources": SOURCES, "water": WATER, "body": BODY, "component": COMPONENT, "geometry": GEOMETRY, "shape": SHAPE,
    "free_surface": FREE_SURFACE, "added_mass": ADDED_MASS, "hydro": HYDRO, "crossflow": CROSSFLOW,
    "lift_drag": LIFT_DRAG, "control_surfaces": SURFACE, "fins": FIN, "thrusters": THRUSTER, "supplies": SUPPLY,
    "ballast": BALLAST, "tether": TETHER, "sensor": SENSOR, "camera": CAMERA, "lamp": LAMP, "race": RACE,
    "motion": MOTION, "legacy": LEGACY, "control": CONTROL, "check": CHECK, "flag": FLAG,
}, sourced=False, starts_from="extends", misplaced=_MISPLACED)  # fmt: skip


def vehicle_schema() -> Schema:
    """Return the JSON Schema of a vehicle file."""
    return file_schema("Pelagos vehicle file", section_schema(VEHICLE))


# instruments are parts too, but their keys are the fields of pelagos/sensors
PART_KINDS = ("thruster", "cable")
_OF_PART = {"sources": SOURCES, "check": CHECK, "flag": FLAG}
_KIND = text("kind", "default thruster", *PART_KINDS)
PART = Section("a thruster shared between vehicles", (*THRUSTER.keys, _KIND, text("summary", "one line")),
               {**THRUSTER.tables, **_OF_PART})  # fmt: skip
CABLE_PART = Section("a cable shared between vehicles", (*CABLE, _KIND), _OF_PART)
