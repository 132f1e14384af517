"""Records of the world and of a hull's shape: every number with its name and unit.

Both are flat float64 arrays shared by all vehicles of a call: a header, read by name through `as_sea` or `as_hull`,
and after it tables of any length at the indices in the header (`waves_at` is an index into the same array). Only
`world/pack.py` writes the world, only `vehicle/pack/hull.py` the hull.
"""

from __future__ import annotations

from pelagos.engine.core.views import Layout, LayoutField, viewer

# values of `bottom` and of `kind`
NO_BOTTOM, PLANE_BOTTOM, GRID_BOTTOM = 0, 1, 2
BOX, CYLINDER, SPHERE, HALF_SPACE, DISTANCE_GRID, CAPSULE = 0, 1, 2, 3, 4, 5
SEABED = -1  # number of the obstacle in a contact or ray hit with the bottom; structures count from 0
MAX_CONTACTS = 48  # of one vehicle: the Gauss-Seidel sweeps grow with their number

WAVE = Layout(
    "Wave",
    (
        LayoutField("amplitude", "m"),
        LayoutField("north", "rad/m, wave number along north; waves run along (north, east)"),
        LayoutField("east", "rad/m"),
        LayoutField("omega", "rad/s"),
        LayoutField("phase", "rad: elevation = a cos(k . x - omega t + phase), positive up"),
        LayoutField("number", "rad/m, length of the wave number"),
        LayoutField("echo", "exp(-2 k d), 0 in deep water: reflection of the motion at the bottom"),
    ),
)
HARMONIC = Layout(
    "Harmonic",
    (
        LayoutField("omega", "rad/s"),
        LayoutField("cosine", "m/s, NED, times cos(omega t)", 3),
        LayoutField("sine", "m/s, NED, times sin(omega t)", 3),
    ),
)
KNOT = Layout(
    "Knot",
    (
        LayoutField("depth", "m"),
        LayoutField("value", "m/s, NED, at that depth", 3),
        LayoutField("slope", "1/s, up to the next knot; 0 at the last", 3),
    ),
)
SERIES = Layout(
    "Series",
    (
        LayoutField("start", "s"),
        LayoutField("step", "s"),
        LayoutField("count", "rows of three numbers, m/s NED; held before the first and after the last"),
        LayoutField("at", "where the rows start"),
    ),
)
FLOW_FIELD = Layout(
    "FlowField",
    (
        LayoutField("times", "how many"),
        LayoutField("depths", "how many"),
        LayoutField("norths", "how many"),
        LayoutField("easts", "how many"),
        LayoutField(
            "at", "the four ascending axes one after another (s, m, m, m), then m/s NED as [t, depth, north, east, 3]"
        ),
    ),
)
DENSITY = Layout(
    "DensityKnot",
    (LayoutField("depth", "m"), LayoutField("value", "kg/m^3"), LayoutField("slope", "kg/m^4 to the next")),
)
SHAPE = Layout(
    "Shape",  # what solids of the world (NED) and forms of a hull (body axes) have in common
    (
        LayoutField("kind", "BOX, CYLINDER (along its x), SPHERE, CAPSULE (hull) or HALF_SPACE, DISTANCE_GRID (world)"),
        LayoutField("center", "m", 3),
        LayoutField("axes", "rotation from the shape's axes to the frame of the record, row by row", 9),
        LayoutField(
            "half",
            "m; box: half lengths; cylinder, capsule: half the straight part, radius; sphere of the world: radius "
            "first; of a hull, an ellipsoid: semi-axes",
            3,
        ),
    ),
)
SOLID = Layout(
    "Solid",
    (
        *SHAPE.fields,
        LayoutField("bound", "m, radius about the centre that holds it all; huge for a half space"),
        LayoutField("friction", "1, Coulomb"),
        LayoutField("stiffness", "N/m"),
        LayoutField("damping", "N s/m"),
        LayoutField("grid_origin", "m, solid's axes: first node of a distance grid", 3),
        LayoutField("grid_step", "m"),
        LayoutField("grid_count", "nodes along x, y, z", 3),
        LayoutField("grid_at", "where its distances start, [x, y, z], m, negative inside"),
    ),
)
SEA = Layout(
    "Sea",
    (
        LayoutField("surface", "1: there is a free surface, at z = 0 in still water"),
        LayoutField("depth", "m, of the water, for waves; 1e9 if endless"),
        LayoutField(
            "stretch",
            "m, thickness of the layer below the still surface in which the motion is stretched to the moving one",
        ),
        LayoutField("n_waves", "how many"),
        LayoutField("waves_at", "WAVE records"),
        LayoutField("n_harmonics", "how many"),
        LayoutField("harmonics_at", "HARMONIC records"),
        LayoutField("n_knots", "how many"),
        LayoutField("knots_at", "KNOT records, ascending depth: current profile"),
        LayoutField("n_series", "how many"),
        LayoutField("series_at", "SERIES records"),
        LayoutField("n_fields", "how many"),
        LayoutField("fields_at", "FLOW_FIELD records"),
        LayoutField("n_density", "how many"),
        LayoutField("density_at", "DENSITY records, ascending depth: kg/m^3 above the density of the water record"),
        LayoutField("bottom", "NO_BOTTOM, PLANE_BOTTOM or GRID_BOTTOM"),
        LayoutField("plane", "m, 1, 1: z of the bottom at the origin, its increase per m north, per m east", 3),
        LayoutField("grid_origin", "m, north and east of the first node", 2),
        LayoutField("grid_step", "m, along north and east", 2),
        LayoutField("grid_count", "nodes along north and east", 2),
        LayoutField("grid_at", "z of the bottom at the nodes, [north, east]; bilinear, the edge continues outside"),
        LayoutField("highest", "m, smallest z of the bottom anywhere"),
        LayoutField("friction", "1, of the bottom"),
        LayoutField("stiffness", "N/m, of the bottom"),
        LayoutField("damping", "N s/m, of the bottom"),
        LayoutField("n_solids", "how many"),
        LayoutField("solids_at", "SOLID records"),
    ),
)
FORM = Layout("Form", SHAPE.fields)
HULL = Layout(
    "Hull",
    (
        LayoutField("reach", "m, farthest point of the hull from O"),
        LayoutField("n_points", "points of the volume; 0: always fully wet"),
        LayoutField("points_at", "six runs of all points: x, y, z (m, body axes), share, share times size, 1/size"),
        LayoutField("n_pieces", "how many"),
        LayoutField("n_tapers", "how many of them are tapers; they come last"),
        LayoutField("pieces_at", "WET_PIECE records, see wet.py"),
        LayoutField("strands_at", "of each eight strands of tapers xx of C (m^2), then yy, then zz; see wet.py"),
        LayoutField("n_forms", "convex forms of the hull, for contact"),
        LayoutField("forms_at", "FORM records"),
        LayoutField("n_feelers", "points on the hull's surface, for contact"),
        LayoutField("feelers_at", "x, y, z of each, m, body axes"),
    ),
)
CONTACT = Layout(
    "Contact",
    (
        LayoutField("point", "m, NED, on the vehicle", 3),
        LayoutField("normal", "NED, unit, from the obstacle to the vehicle", 3),
        LayoutField("gap", "m, negative when they overlap"),
        LayoutField("friction", "1"),
        LayoutField("stiffness", "N/m"),
        LayoutField("damping", "N s/m"),
        LayoutField("obstacle", "number of the structure, SEABED for the bottom"),
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
as_shape = viewer(SHAPE)
as_solid = viewer(SOLID)
as_form = viewer(FORM)
as_contact = viewer(CONTACT)
