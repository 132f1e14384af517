"""The parts of the chapter that hold its equations and tables against the engine; the flown motions are the rest."""

from __future__ import annotations

from pelagos_evidence.brutzman import tables
from pelagos_evidence.brutzman.equations import (
    kinematics,
    mass,
    motion,
    propulsion,
    quaternions,
    rotations,
    statements,
    time,
)
from pelagos_evidence.document import Part

PARTS: tuple[Part, ...] = (
    Part(
        "kinematics",
        "Kinematics, equations 6.1-6.23",
        "Rotation matrix, rates of the Euler angles and their inverses, typed in as printed, against one explicit step "
        "of the engine at random attitudes and velocities. Correct as printed; conventions are on [their "
        "page](conventions.md).",
        kinematics.run,
    ),
    Part(
        "time",
        "From forces to postures, equations 6.24-6.38",
        "Newton's law in both frames, the integrals, and the document's steps in time. Equations 6.29 and 6.30 are a "
        "sketch that cannot be computed. The steppers of the print and of the author's program are kept by name for "
        "comparison; what they cost in accuracy is shown in the part on integrators.",
        time.run,
    ),
    Part(
        "propulsion",
        "Propellers, thrusters and cross-flow, equations 6.39-6.47",
        "The earlier surge equation is taken apart into thrust and drag; thrusters and the speed of the cross-flow are "
        "added. Each is typed in and compared with the force terms of the engine one by one ([forces](forces.md)).",
        propulsion.run,
    ),
    Part(
        "equations-of-motion",
        "The six equations of motion, 6.48-6.53",
        "The right-hand sides are typed in once more, feet and pounds, each misprint a switch, and compared with the "
        "sum of the engine's forces: with the numbers of Table 6.2, and with every coefficient non-zero, so that no "
        "sign can hide behind a zero. The figure shows what each misprint does when it is left alone "
        "([errata](errata.md)).",
        motion.run,
    ),
    Part(
        "mass",
        "Mass matrix and inertia, equations 6.54-6.60",
        "Every entry of the mass matrix, whether it can be one, and moments of inertia as weighted sums. With the "
        "printed Y_rdot the matrix is not positive definite, and the vehicle file is refused.",
        mass.run,
    ),
    Part(
        "quaternions",
        "Quaternions, equations 6.61-6.68",
        "Euler parameters, their product and rates, and the angles taken from them. The printed product has wrong "
        "signs, and the printed formulas for yaw and roll fail at 180 deg; the mended forms are what the engine uses.",
        quaternions.run,
    ),
    Part(
        "rotations",
        "Euler angles against quaternions, section E",
        "What the text says of both: where Euler angles fail, that quaternions do not, that they must be normalised, "
        "and what an update costs. Two sentences have it the wrong way round.",
        rotations.run,
    ),
    Part(
        "tables",
        "Tables 6.1 and 6.2",
        "Every variable and every coefficient, as printed and as in the vehicle file `phoenix` ([vehicle "
        "files](vehicle-files.md)). A value that differs from print has a row of its own with the reason.",
        tables.run,
    ),
    Part(
        "statements",
        "Statements in the text",
        "Sentences of sections B, C, D and H that a count, a number or a short run can check. What the document leaves "
        "to later work has no row, because it claims nothing; it is found on the pages on [tethers](tether.md), "
        "[waves](waves.md), [collisions](contact.md), [currents](currents.md), [sensors](sensors.md) and [the "
        "predictor](predictor.md).",
        statements.run,
    ),
)
