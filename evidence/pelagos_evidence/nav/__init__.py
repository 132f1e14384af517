"""The hand-written notes for a simulator of an AUV: equations of motion and formulas for a slender hull."""

from pelagos_evidence.document import Document
from pelagos_evidence.nav.parts import PARTS

CHIEF = (
    "three-numbers-remus100", "three-numbers-lauv", "x-udot-remus100", "x-udot-lauv", "y-vdot-remus100",
    "y-vdot-lauv", "m-qdot-remus100", "m-qdot-lauv", "j-y-remus100", "j-y-lauv", "m-22-remus100", "m-22-lauv",
    "drag-ahead-remus100", "drag-ahead-lauv", "drag-across-remus100", "drag-across-lauv", "coriolis-explicit",
    "coriolis-5-6", "drag-printed",
)  # fmt: skip

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
    parts=PARTS,
    chief=CHIEF,
)
