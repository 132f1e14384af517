"""The Gavia notes: dynamic model, bottom and navigation sonar, plotter."""

from pelagos_evidence.document import Document
from pelagos_evidence.gavia.parts import PARTS

CHIEF = (
    "steps", "settled-speed", "mass-numbers", "stable", "our-set-stable", "inputs-z", "thrust-formula", "picture",
    "picture-jpeg", "sonar-nearest", "sonar-run", "plotter-case-1", "plotter-case-2",
    "plotter-case-3", "plotter-follow",
)  # fmt: skip

DOCUMENT = Document(
    key="gavia",
    short="Gavia notes",
    citation="Dynamic model, bottom and navigation sonar model, and plotter of a Gavia AUV (project notes, 2014). The "
    "model follows J. Estrela da Silva, B. Terra, R. Martins, J. Borges de Sousa, Modeling and Simulation of the LAUV "
    "Autonomous Underwater Vehicle, 2007.",
    about="Notes on a C++ test bench for obstacle avoidance: a state-space model of the Gavia, a bottom drawn by hand, "
    "a sonar that looks ahead and a plotter. They print matrices of symbols and example programs but hardly a number, "
    "and their figures are lost in the scan. Numbers are therefore those of the public program they describe, and each "
    "row says so. Two things cannot be kept: the mass matrix of that program is not positive definite, and matrices "
    "filled once are not a vehicle that turns.",
    parts=PARTS,
    chief=CHIEF,
)
