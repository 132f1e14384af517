"""The parts of the chapter that are flown, in the order of reading."""

from __future__ import annotations

from pelagos_evidence.brutzman import dis, real_time
from pelagos_evidence.brutzman.motions import integrators, manoeuvres, righting, signs, speeds, variants
from pelagos_evidence.document import Part

PARTS: tuple[Part, ...] = (
    Part(
        "speeds",
        "Speeds: screws, tunnels, coasting",
        "The chapter measures its propulsion by one number, 2 ft/s at 700 rpm, and gives the tunnel thrusters 2 lb "
        "at 24 V. With these its equations can be solved by hand for steady and for starting motions. The vehicle is "
        "flown and held against these solutions, which is said where they stand as published; where L, printed to four "
        "digits, enters, half a digit of it is the tolerance. No figure of a measured run stands in the chapter.",
        speeds.run,
    ),
    Part(
        "righting",
        "Righting and its periods",
        "Weight and buoyancy are equal, and the centre of gravity lies 1.07 in below the centre of buoyancy. The "
        "periods follow from this lever and the mass matrix (6.54), alone and with the motions that it couples. They "
        "are timed on flights without damping, and shown with it.",
        righting.run,
    ),
    Part(
        "signs",
        "The signs of table 6.1",
        "One actuator at a time: each pair of fins at 2 ft/s, each tunnel thruster and each screw from rest. What "
        "counts is which way the vehicle goes, not what a formula says. The equations print the vertical thrusters "
        "against the text; the text is followed.",
        signs.run,
    ),
    Part(
        "manoeuvres",
        "Turns, dives, going astern",
        "The chapter prints no trajectory. Steady turn, dive and reverse are therefore flown and put back into its "
        "equations, written out for the steady state, and what is left over is shown. The whole trajectories agree "
        "with an independent program to 4e-10 of their range ([accuracy](accuracy.md)).",
        manoeuvres.run,
    ),
    Part(
        "integrators",
        "Steps in time, and two kinds of attitude",
        "Velocities are stepped by what the chapter calls Heun's method (6.37), the posture by Euler's with the old "
        "velocities (6.38), or with the new ones (figure 6.5); the author's program averages with the last "
        "acceleration. All of these are kept as named steppers, and their orders are measured against Heun and RK4 "
        "on the whole state. The same minute is then flown with Euler angles and with a quaternion.",
        integrators.run,
    ),
    Part(
        "variants",
        "As printed, as programmed, as corrected",
        "Three files hold the same vehicle: `phoenix_printed` with the printed numbers and signs, mended only where "
        "it could not run; `phoenix_author` with those of the author's program of October 1994; and "
        "`phoenix_published`, with every misprint resolved. They get the same orders.",
        variants.run,
    ),
    Part(
        "dis",
        "Posture reports: ten times a second, or by dead reckoning",
        "Brutzman's virtual world sent the posture of the AUV in every exchange, 10 Hz; the chapter recommends to "
        "send only when what others extrapolate is off by more than a threshold. Two missions of the Phoenix are "
        "flown once each, and every rule watches the same motion. More vehicles are in the table of [DIS](dis.md).",
        dis.run,
    ),
    Part(
        "real-time",
        "Real-time response",
        "Figure 6.5 is a loop between a robot's program and the model: orders in, an interval of the sea, state out. "
        "Here the robot is a client of the [robot link](robot-link.md) with a depth and heading law of its own, and "
        "the loop runs for 10 s by the clock on the wall over a real socket, then once more as fast as it goes with "
        "the same orders. Times of the wall depend on the machine: on one that is busy, which a bare timer beside the "
        "loop shows, they are no verdict. The states do not depend on it.",
        real_time.run,
    ),
)
