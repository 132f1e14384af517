"""The hand-written notes for a simulator of an AUV: equations of motion and formulas for a slender hull."""

from pelagos.reproduce.document import Document, Part
from pelagos.reproduce.nav import equations, estimates, resistance, three_numbers

DOCUMENT = Document(
    key="nav",
    short="NAV notes",
    citation="NAV simulator, hand-written notes on the dynamic equation of an AUV and the estimation of its "
    "coefficients (undated). The equations are those of T. I. Fossen, Guidance and Control of Ocean Vehicles, Wiley "
    "1994.",
    about="A few pages that lead from forces to acceleration, velocity and position, and from length, radius and mass "
    "to the numbers this needs. They print no results; what can be checked are the equations, several of them with "
    "slips of the pen, and the formulas. The formulas are set beside two vehicles whose coefficients are published, so "
    "that the reader sees what an estimate is worth.",
    parts=(
        Part(
            "equations", "Equations of motion",
            "Each printed matrix is transcribed and held against the engine at 300 random states, on a body with every "
            "entry of inertia and added mass filled and its centres off the axis, so that no wrong sign can hide. Both "
            "forms of the Coriolis matrix are right but for one sign.",
            equations.run,
        ),
        Part(
            "estimates", "Added mass and inertia from three numbers",
            "The cylinder formulas beside the published coefficients of REMUS 100 and LAUV. Any limit is a choice, "
            "since the notes give no error: a row counts as reproduced within a factor of two, and the ratio tells the "
            "rest.",
            estimates.run,
        ),
        Part(
            "drag", "Drag and the Reynolds number",
            "The drag formula, which number its Reynolds number is, and the graph it refers to. The graph is lost; a "
            "smooth cylinder stands in.",
            resistance.run,
        ),
        Part(
            "vehicle", "A vehicle from length, radius and mass",
            "What the notes leave open (nose and tail, fins, propeller, centre of gravity) is worked out too, and the "
            "vehicles are flown, and pushed beside the published ones.",
            three_numbers.run,
        ),
    ),
)  # fmt: skip
