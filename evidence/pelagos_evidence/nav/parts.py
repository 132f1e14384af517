"""The parts of the reproduction of the hand-written notes, in their order."""

from pelagos_evidence.document import Part
from pelagos_evidence.nav import equations, estimates, resistance, three_numbers

PARTS = (
    Part(
        "equations", "Equations of motion",
        "Each printed matrix is transcribed and held against the engine at 300 random states, on a body with every "
        "entry of inertia and added mass filled and its centres off the axis, so that no wrong sign can hide. Both "
        "forms of the rigid body's Coriolis matrix are right but for one sign; that of the added mass lacks a "
        "column, and three of the sums in it are misprinted.",
        equations.run,
    ),
    Part(
        "estimates", "Added mass and inertia from three numbers",
        "A vehicle is made from length, radius and mass of REMUS 100, and one from those of LAUV. The verdict says "
        "whether its numbers are those of the printed formulas. What the estimate is worth stands beside it: the "
        "published number of the real vehicle and the ratio. That is told, not judged, since the notes say "
        "\"approximately\" and give no error.",
        estimates.run,
    ),
    Part(
        "drag", "Drag and the Reynolds number",
        "The drag formula, which number its Reynolds number is, and the graph it refers to. The graph is lost; a "
        "smooth cylinder stands in across the hull, and nothing in the notes stands in ahead. Published damping of "
        "the two vehicles, linear and quadratic together, stands beside the formula.",
        resistance.run,
    ),
    Part(
        "vehicle", "A vehicle from length, radius and mass",
        "What the notes leave open (nose and tail, fins, propeller, centre of gravity) is worked out too, and the "
        "vehicles are flown, and pushed beside the published ones.",
        three_numbers.run,
    ),
)  # fmt: skip
