"""Brutzman 1994, chapter VI: every equation and table beside the engine, and the motions they describe, flown."""

from __future__ import annotations

from pelagos_evidence.brutzman.equations.parts import PARTS as EQUATIONS
from pelagos_evidence.brutzman.motions.parts import PARTS as MOTIONS
from pelagos_evidence.document import Document

CHIEF = (
    "eq-verbatim", "terminal-speed", "run-up-30s", "hover-yaw", "hover-yaw-measured", "heave", "sway", "roll-period",
    "pitch-period", "sign-bow-rudders", "sign-stern-planes", "turn-steady", "dive-pitch", "reverse",
    "reverse-printed", "fin-arms-printed", "euler-or-quaternion", "order-heun", "order-printed",
    "adaptive-phoenix-cruise-to-hover", "deadlines",
)  # fmt: skip

DOCUMENT = Document(
    key="brutzman",
    short="Brutzman 1994",
    citation=(
        "D. P. Brutzman, A Virtual World for an Autonomous Underwater Vehicle, PhD dissertation, Naval Postgraduate "
        "School, Monterey, California, December 1994, chapter VI."
    ),
    about=(
        "The chapter gives a real-time hydrodynamics model of a submerged vehicle in six degrees of freedom, 68 "
        "numbered equations, and the coefficients of the NPS AUV II *Phoenix*. The equations are typed in here once "
        "more as printed, in feet, pounds and seconds, and held against the engine at random states; then the vehicle "
        "is flown. The print has misprints, some of which make the model diverge: each row names those that bear on "
        "it. The vehicle files are `phoenix_published` (misprints resolved), `phoenix_printed` and `phoenix_author`; "
        "`phoenix`, which people fly, has its yaw drag from the measured spin."
    ),
    parts=(*EQUATIONS, *MOTIONS),
    chief=CHIEF,
)
