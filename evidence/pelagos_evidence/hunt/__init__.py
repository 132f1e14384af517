"""Hunt and Whitcomb: a hybrid model of a vehicle submerged or at the surface; equations, table, cloud, both dives."""

from __future__ import annotations

from pelagos_evidence.document import Document
from pelagos_evidence.hunt import cloud, equations, rest, submerged_dive, surfacing_dive, table

CHIEF = (
    "difference-8", "difference-10", "difference-12", "difference-sections", "four-legs", "leg-depth",
    "advance-speed", "surfacing-four-legs", "surface-depth", "surface-depth-cloud", "not-from-the-rest",
    "never-above", "submerged-model-flies", "minus-two-decimetres", "pitch-hybrid", "pitch-submerged",
    "depth-and-pitch", "rest-depth", "hull-awash", "wet-share-rate", "quadrature-beside-it", "same-waypoints",
)  # fmt: skip

DOCUMENT = Document(
    key="hunt",
    short="Hunt & Whitcomb",
    citation=(
        "J. E. Hunt and L. L. Whitcomb, A Hybrid Dynamical Model for Robotic Underwater Vehicles when "
        "Submerged or Surfaced: Approach and Preliminary Evaluation, Johns Hopkins University, "
        "Baltimore."
    ),
    about=(
        "The document extends the usual equation of motion of a submerged vehicle to the free "
        "surface: the displaced volume and its centre are those of the part that is under water, "
        "estimated by counting random points. It gives an identified model of the Iver3 AUV and two "
        "simulated dives. Hull dimensions, actuator model, controller, number of points and the "
        "measured curves are not printed; each row says what was assumed. The vehicle file is "
        "`iver3`; the method is described in [the free surface](surface.md)."
    ),
    parts=(equations.PART, table.PART, cloud.PART, rest.PART, submerged_dive.PART, surfacing_dive.PART),
    chief=CHIEF,
)
