"""Section IV.B without a controller: the rows and the picture of the steady runs along the surface."""

from __future__ import annotations

import math

import numpy as np

from pelagos.analysis.page import COMMAND, PALETTE, UNWRITTEN, new_figure, styled
from pelagos.reproduce.claim import Claim, Proof, statement
from pelagos.reproduce.document import Drawing, drawn
from pelagos.reproduce.hunt.printed import NOT_PRINTED
from pelagos.reproduce.hunt.surface_trim import (
    LENGTHS_M,
    RESTS_M,
    SteadyRun,
    submerged,
    with_length,
    without_lift,
)
from pelagos.reproduce.hunt.surfacing_flights import LAWS, Flights, in_turns, swing
from pelagos.vehicle.spec import Vehicle

HERE = "tests/reproduce/hunt/test_surface_runs.py"
FIGURE = "hunt-surface-runs"
PROOF = Proof(("H11", "H13"), ("pelagos.reproduce.hunt.surface_trim", "pelagos.engine.wet"), (HERE,), (FIGURE,))
PRINTED_M, ROUNDING_M = 0.13, 0.005
FINS = "Fins of the vehicle file (H13)."


def trim_claims(of: Vehicle, flights: Flights) -> list[Claim]:
    """What holds of every steady level run along the surface at 1.3 m/s, whatever flies the vehicle."""
    run = SteadyRun(of)
    pitches = np.radians(np.linspace(-1.8, 5.0, 18))
    shallowest = min(run.depth(float(pitch)) for pitch in pitches)
    return [
        statement(
            "surface-runs",
            "section IV.B",
            "No steady run along the surface lifts the centre of mass out of the water, whatever the controller: "
            "least depth of level runs at 1.3 m/s with -1.8 to 5° of pitch",
            "depth above 0",
            f"{shallowest:.3f} m",
            shallowest > 0.0,
            why="sign",
            assumption="Hull of 1.9 m (H11). " + FINS,
            numbers={"ours": shallowest},
            unit="m",
            proof=PROOF,
        ),
        depth_and_pitch_claim(of),
        not_circular_claim(of, flights),
        _submerged_pitch(of),
        on_the_curve_claim(run, flights),
    ]


def depth_and_pitch_claim(of: Vehicle) -> Claim:
    """The two statements on the hybrid model, 0.13 m and nose up, belong to one steady run; for any length of hull."""
    hulls = [SteadyRun(with_length(of, length)) for length in LENGTHS_M]
    found = [math.degrees(hull.nose_up_at(PRINTED_M)) for hull in hulls]
    level = [hull.depth(0.0) for hull in hulls]
    most = PRINTED_M - ROUNDING_M
    return statement(
        "depth-and-pitch",
        "section IV.B",
        "Steady depth 0.13 m and positive pitch of the hybrid model belong together, whatever the controller: pitch of "
        f"the nose-up run at 0.13 m for hulls of {_listed(LENGTHS_M, 'g')} m",
        "0.13 m, pitch positive",
        f"{_listed(found, '+.2f')}°; with no pitch it would run at {_listed(level, '.3f')} m (0.13 m is met a second "
        "time with the nose slightly down and the mast going under)",
        all(0.0 < pitch < 5.9 for pitch in found) and max(level) < most,
        tolerance="pitch above 0, level run less deep than 0.125 m",
        why="sign; 0.13 m is printed to 0.01 m",
        assumption="Maker's diameter 0.147 m; mast solved from 0.13 m at rest for each length (H11). " + FINS,
        proof=PROOF,
    )


def not_circular_claim(of: Vehicle, flights: Flights) -> Claim:
    """Under way the nose is out of the water, and the mast, which the rest was solved with, hardly matters."""
    pitch = float(np.mean(in_turns(flights.hybrid, "pitch_deg")))
    length = of.shapes[0].size_m[0]
    depths = [SteadyRun(with_length(of, length, rest)).depth(math.radians(pitch)) for rest in RESTS_M]
    return statement(
        "not-from-the-rest",
        "section IV.B",
        "0.13 m under way is not the 0.13 m at rest from which the mast was solved: depth of the run with "
        f"{pitch:+.2f}° (as our autopilot flies) if the mast is solved from {_listed(RESTS_M, 'g')} m at rest",
        "0.13 m",
        f"{_listed(depths, '.4f')} m",
        all(abs(depth - PRINTED_M) <= ROUNDING_M for depth in depths) and np.ptp(depths) < 0.1 * np.ptp(RESTS_M),
        tolerance="each within 0.005 m; together a tenth of the spread at rest",
        why="printed to 0.01 m",
        assumption="Hull 0.147 m x 1.9 m, righting moment of table I; the pitch is our autopilot's. " + FINS,
        numbers={"published": PRINTED_M, "ours": float(np.mean(depths)), "tolerance": ROUNDING_M},
        unit="m",
        proof=PROOF,
    )


def _submerged_pitch(of: Vehicle) -> Claim:
    model = submerged(of)
    with_planes, bare = SteadyRun(model), SteadyRun(without_lift(model))
    below, no_lift = math.degrees(with_planes.submerged_pitch()), math.degrees(bare.submerged_pitch())
    left = abs(with_planes.sinking(-0.2, math.radians(below)))
    return statement(
        "submerged-pitch",
        "section IV.B",
        "The submerged model needs negative pitch for level flight also above the surface, whatever the controller: "
        "pitch of level flight at 1.3 m/s",
        "negative",
        f"{below:.2f}° at any depth ({no_lift:.2f}° if the stern planes gave no lift); at -0.2 m it leaves "
        f"{left:.0e} N",
        below < 0.0 and no_lift < 0.0 and left < 1e-6,
        tolerance="below 0; 1e-6 N",
        why="sign, also for the least favourable fins; the force does not depend on the depth",
        assumption="C(v) from the whole M (H6). " + FINS,
        proof=Proof(("H6", "H13"), PROOF.code, PROOF.tests, PROOF.figures),
    )


def on_the_curve_claim(run: SteadyRun, flights: Flights) -> Claim:
    """Flown steady states against statics."""
    off = [
        depth - run.depth(math.radians(pitch))
        for log in (flights.hybrid, flights.hybrid_plain)
        for depth, pitch in zip(in_turns(log, "depth_m"), in_turns(log, "pitch_deg"), strict=True)
    ]
    worst = float(np.abs(off).max())
    return statement(
        "flown-on-the-curve",
        "equations 5, 7",
        "The simulated dives end where the forces balance: depth flown in the turns (our autopilot, proportional law) "
        "against the level run of the same pitch",
        f"0 ({NOT_PRINTED})",
        f"{1e3 * worst:.2f} mm off at most, {len(off)} turns",
        worst < 1e-3,
        tolerance="1 mm",
        why="a tenth of the printed digit; the curve is that of a straight run, the turns have a radius of 50 m and "
        "the propeller's torque rolls the vehicle by 0.8°",
        numbers={"ours": worst, "tolerance": 1e-3},
        unit="m",
        proof=PROOF,
    )


def trim_figure(of: Vehicle, flights: Flights) -> Drawing:
    """Depth of the steady runs over their pitch, for several lengths of hull, and what was flown."""
    pitches = np.linspace(-1.2, 4.0, 27)
    with styled():
        figure = new_figure(UNWRITTEN, (9.0, 4.2), None)
        axes = figure.add_subplot()
        printed_m = (PRINTED_M - ROUNDING_M, PRINTED_M + ROUNDING_M)
        axes.axhspan(*printed_m, color=COMMAND, alpha=0.25, lw=0, label="0.13 m as printed")
        for i, length in enumerate(LENGTHS_M):
            run = SteadyRun(of if length == of.shapes[0].size_m[0] else with_length(of, length))
            depths = [run.depth(math.radians(float(pitch))) for pitch in pitches]
            bold = run.plant.vehicle is of
            axes.plot(
                pitches, depths, "-" if bold else ":", color=PALETTE[0] if bold else PALETTE[(4, 6, 0, 7)[i]],
                lw=2.0 if bold else 1.3, label=f"steady runs, hull of {length:g} m",
            )  # fmt: skip
        for log, marker, law in zip(flights.hybrids, "osx", LAWS, strict=True):
            depth, pitch = in_turns(log, "depth_m"), in_turns(log, "pitch_deg")
            axes.plot(pitch, depth, marker, color=PALETTE[1], ms=6, label="flown: " + law)
        low, high = swing(flights.hybrid_unaware, "pitch_deg")
        middle = float(np.mean(in_turns(flights.hybrid_unaware, "depth_m")))
        axes.plot([low, high], [middle, middle], color=PALETTE[1], lw=1.0)
        axes.axvline(0.0, color=COMMAND, lw=0.8)
        axes.set(xlabel="pitch, deg", ylabel="depth of the centre of mass, m", xlim=(-1.2, 4.0), ylim=(0.16, 0.1))
        axes.legend(loc="upper right")
    caption = (
        "Every steady level run of the hybrid model at 1.3 m/s: the pitch decides on the depth, and a controller only "
        "picks a point of the curve. Nose up, 0.13 m goes with about 2° for all lengths of hull; without pitch the "
        "hull runs just awash; nose down the mast goes under. Points: the turns as flown; the bar is the swing of the "
        "autopilot that is unaware of the surface, which does not settle."
    )
    return drawn(figure, FIGURE, caption, dpi=100)


def _listed(values: tuple[float, ...] | list[float], form: str) -> str:
    return ", ".join(f"{value:{form}}" for value in values)
