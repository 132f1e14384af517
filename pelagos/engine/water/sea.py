"""Every number of the world and of a hull's shape that the kernel sees.

Both are flat float64 arrays shared by all vehicles of a call: a header, read by name through `as_sea` or `as_hull`,
and after it tables of any length whose places the header gives (`waves_at` is an index into the same array). The world
is written by `world/pack.py`, the hull by `vehicle/pack/hull.py`, and by nothing else.
"""

from __future__ import annotations

from pelagos.engine.core.views import Field, Layout, viewer

NO_BOTTOM, PLANE_BOTTOM, GRID_BOTTOM = 0, 1, 2
BOX, CYLINDER, SPHERE, HALF_SPACE, DISTANCE_GRID, CAPSULE = 0, 1, 2, 3, 4, 5
SEABED = -1  # what a contact or a ray has met when it is no structure
MAX_CONTACTS = 48

WAVE = Layout(
    "Wave",
    (
        Field("amplitude", "m"),
        Field("north", "rad/m, wave number along north; waves run along (north, east)"),
        Field("east", "rad/m"),
        Field("omega", "rad/s"),
        Field("phase", "rad: elevation = a cos(k . x - omega t + phase), positive up"),
        Field("number", "rad/m, length of the wave number"),
        Field("echo", "exp(-2 k d), 0 in deep water"),
    ),
)
HARMONIC = Layout(
    "Harmonic",
    (
        Field("omega", "rad/s"),
        Field("cosine", "m/s, NED, times cos(omega t)", 3),
        Field("sine", "m/s, NED, times sin(omega t)", 3),
    ),
)
KNOT = Layout(
    "Knot",
    (
        Field("depth", "m"),
        Field("value", "m/s, NED, at that depth", 3),
        Field("slope", "1/s, up to the next knot; 0 at the last", 3),
    ),
)
SERIES = Layout(
    "Series",
    (
        Field("start", "s"),
        Field("step", "s"),
        Field("count", "rows of three numbers, m/s NED; held before the first and after the last"),
        Field("at", "where the rows start"),
    ),
)
FLOW_FIELD = Layout(
    "FlowField",
    (
        Field("times", "how many"),
        Field("depths", "how many"),
        Field("norths", "how many"),
        Field("easts", "how many"),
        Field(
            "at", "the four ascending axes one after another (s, m, m, m), then m/s NED as [t, depth, north, east, 3]"
        ),
    ),
)
DENSITY = Layout("DensityKnot", (Field("depth", "m"), Field("value", "kg/m^3"), Field("slope", "kg/m^4 to the next")))
SOLID = Layout(
    "Solid",
    (
        Field("kind", "BOX, CYLINDER, SPHERE, HALF_SPACE or DISTANCE_GRID"),
        Field("center", "m, NED", 3),
        Field("axes", "rotation from the solid's axes to NED, row by row", 9),
        Field("half", "m; box: half lengths; cylinder along x: half length, radius; sphere: radius first", 3),
        Field("bound", "m, radius about the centre that holds it all; huge for a half space"),
        Field("friction", "1, Coulomb"),
        Field("stiffness", "N/m"),
        Field("damping", "N s/m"),
        Field("grid_origin", "m, solid's axes: first node of a distance grid", 3),
        Field("grid_step", "m"),
        Field("grid_count", "nodes along x, y, z", 3),
        Field("grid_at", "where its distances start, [x, y, z], m, negative inside"),
    ),
)
SEA = Layout(
    "Sea",
    (
        Field("surface", "1: there is a free surface, at z = 0 in still water"),
        Field("depth", "m, of the water, for waves; 1e9 if endless"),
        Field(
            "stretch",
            "m, thickness of the layer below the still surface in which the motion is stretched to the moving one",
        ),
        Field("n_waves", "how many"),
        Field("waves_at", "WAVE records"),
        Field("n_harmonics", "how many"),
        Field("harmonics_at", "HARMONIC records"),
        Field("n_knots", "how many"),
        Field("knots_at", "KNOT records, ascending depth: current profile"),
        Field("n_series", "how many"),
        Field("series_at", "SERIES records"),
        Field("n_fields", "how many"),
        Field("fields_at", "FLOW_FIELD records"),
        Field("n_density", "how many"),
        Field("density_at", "DENSITY records, ascending depth: kg/m^3 above the density of the water record"),
        Field("bottom", "NO_BOTTOM, PLANE_BOTTOM or GRID_BOTTOM"),
        Field("plane", "m, 1, 1: z of the bottom at the origin, its increase per m north, per m east", 3),
        Field("grid_origin", "m, north and east of the first node", 2),
        Field("grid_step", "m, along north and east", 2),
        Field("grid_count", "nodes along north and east", 2),
        Field("grid_at", "z of the bottom at the nodes, [north, east]; bilinear, the edge continues outside"),
        Field("highest", "m, smallest z of the bottom anywhere"),
        Field("friction", "1, of the bottom"),
        Field("stiffness", "N/m, of the bottom"),
        Field("damping", "N s/m, of the bottom"),
        Field("n_solids", "how many"),
        Field("solids_at", "SOLID records"),
    ),
)
FORM = Layout(
    "Form",
    (
        Field("kind", "BOX, CYLINDER (along its x), SPHERE (an ellipsoid; half = semi-axes) or CAPSULE"),
        Field("center", "m, body axes", 3),
        Field("axes", "rotation from the form's axes to body axes, row by row", 9),
        Field(
            "half", "m; box: half lengths; cylinder, capsule: half the straight part, radius; ellipsoid: semi-axes", 3
        ),
    ),
)
HULL = Layout(
    "Hull",
    (
        Field("reach", "m, farthest point of the hull from O"),
        Field("n_points", "points of the volume; 0: always fully wet"),
        Field("points_at", "six runs of all points: x, y, z (m, body axes), share, share times size, 1/size"),
        Field("n_pieces", "how many"),
        Field("n_tapers", "how many of them are tapers; they come last"),
        Field("pieces_at", "WET_PIECE records, see wet.py"),
        Field("strands_at", "of each eight strands of tapers xx of C (m^2), then yy, then zz; see wet.py"),
        Field("n_forms", "convex forms of the hull, for contact"),
        Field("forms_at", "FORM records"),
        Field("n_feelers", "points on the hull's skin, for contact"),
        Field("feelers_at", "x, y, z of each, m, body axes"),
    ),
)
CONTACT = Layout(
    "Contact",
    (
        Field("point", "m, NED, on the vehicle", 3),
        Field("normal", "NED, unit, from the obstacle to the vehicle", 3),
        Field("gap", "m, negative when they overlap"),
        Field("friction", "1"),
        Field("stiffness", "N/m"),
        Field("damping", "N s/m"),
        Field("what", "number of the structure, SEABED for the bottom"),
    ),
)

as_sea = viewer(SEA)
as_hull = viewer(HULL)
as_wave = viewer(WAVE)
as_harmonic = viewer(HARMONIC)
as_knot = viewer(KNOT)
as_series = viewer(SERIES)
as_flow_field = viewer(FLOW_FIELD)
as_density = viewer(DENSITY)
as_solid = viewer(SOLID)
as_form = viewer(FORM)
as_contact = viewer(CONTACT)
