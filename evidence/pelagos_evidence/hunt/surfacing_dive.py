"""Section IV.B: the dive that surfaces in its turns, with the hybrid and the submerged model, and three depth laws."""

from __future__ import annotations

import math

import numpy as np

from pelagos.guidance.legs.course import Trackline
from pelagos.scenario.read import load_scenario
from pelagos.sim.log.log import Log
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos_evidence.claim import Claim, Proof, contested, no_data, number, statement
from pelagos_evidence.document import Findings, Part, Tell
from pelagos_evidence.hunt.dives import LINES, SURFACING_DIVE, TURNS, coordinates, late_in_turns, late_on_lines
from pelagos_evidence.hunt.surface_runs import trim_claims, trim_figure
from pelagos_evidence.hunt.surfacing_flights import (
    GAIN_DEG_M,
    Flights,
    dive_figure,
    fly_all,
    in_turns,
    laws_figure,
    swing,
)

HERE = "tests/evidence/hunt/test_surfacing_dive.py"
LINES_APART = "Lines 100 m apart (not printed)."
AUTOPILOT = "The document's controller is not printed: our autopilot. " + LINES_APART
LAWS = "Depends on the controller, which is not printed: "
PROOF = Proof(
    code=("pelagos/scenario/library/iver3-surfacing.toml", "pelagos.control.autopilot.surface_limit"),
    tests=(HERE, "tests/control/autopilot/test_surface_limit.py"),
    figures=("hunt-surfacing-dive", "hunt-surfacing-laws"),
)


def run(tell: Tell) -> Findings:
    """Seven flights, see `fly_all`."""
    flights = fly_all(tell)
    claims = (
        *mission_claims(flights),
        *depth_claims(flights),
        *pitch_claims(flights),
        *other_claims(flights),
        *trim_claims(load_vehicle("iver3"), flights),
        *_lost(),
    )
    found = Findings(claims, (dive_figure(flights), laws_figure(flights), trim_figure(load_vehicle("iver3"), flights)))
    tell(1.0)
    return found


def mission_claims(flights: Flights) -> list[Claim]:
    """What was flown."""
    log = flights.hybrid
    fixed = np.isfinite(log["gps_north_m"])
    turns = [int(fixed[log["leg"] == turn].sum()) for turn in TURNS]
    first_line = int(fixed[log["leg"] == LINES[0]].sum())
    on_lines = late_on_lines(log)
    plain = float(np.median(flights.hybrid_plain["depth_m"][late_on_lines(flights.hybrid_plain)]))
    mission = load_scenario(SURFACING_DIVE).vehicles[0].mission
    lengths = [math.dist(leg.from_m, leg.to_m) for leg in mission if isinstance(leg, Trackline)]
    flown = [[float(np.ptp(one["north_m"][one["leg"] == line])) for line in LINES] for one in flights.both]
    return [
        statement(
            "surfacing-four-legs",
            "section IV.B",
            "Four legs of 300 m; hybrid and submerged model on the same waypoints",
            "4 x 300 m, same waypoints",
            f"{len(lengths)} legs of {', '.join(f'{length:g}' for length in lengths)} m, one mission for both; flown "
            f"{min(flown[0]):.1f} to {max(flown[0]):.1f} m (hybrid) and {min(flown[1]):.1f} to {max(flown[1]):.1f} m "
            "(submerged)",
            lengths == [300.0] * 4 and all(abs(one - 300.0) < 5.0 for legs in flown for one in legs),
            tolerance="flown within 5 m",
            why="a leg ends 1 m before its end point and the turns overlap it by some metres",
            assumption=AUTOPILOT,
            proof=PROOF,
        ),
        number(
            "surfacing-leg-depth",
            "section IV.B",
            "Depth on the four 300 m legs, median after settling, hybrid model (a proportional depth law flies at "
            f"{plain:.2f} m)",
            1.2,
            float(np.median(log["depth_m"][on_lines])),
            "m",
            absolute=0.1,
            why="what a standard depth loop holds; no accuracy is printed",
            assumption=AUTOPILOT,
            proof=PROOF,
        ),
        number(
            "surfacing-speed",
            "section IV.B",
            "Advance velocity, mean over the dive, hybrid model",
            1.3,
            float(log["surge_m_s"].mean()),
            "m/s",
            absolute=0.05,
            why="printed to 0.1 m/s",
            assumption=AUTOPILOT,
            proof=PROOF,
        ),
        statement(
            "gps-in-turns",
            "section IV.B",
            "In the turns the vehicle surfaces to obtain a GPS fix",
            "fixes in the turns",
            f"readings with a fix in the turns: {', '.join(map(str, turns))}; on the first leg, under "
            f"water: {first_line}",
            min(turns) > 0 and first_line == 0,
            why="there or not",
            assumption="Antenna on the mast, receiver of the vehicle file.",
            proof=PROOF,
        ),
    ]


def depth_claims(flights: Flights) -> list[Claim]:
    """0.13 m, never across the surface, and where the submerged model goes."""
    steady, cloud = in_turns(flights.hybrid, "depth_m"), in_turns(flights.cloud, "depth_m")
    plain, unaware = (in_turns(log, "depth_m") for log in (flights.hybrid_plain, flights.hybrid_unaware))
    shallowest = min(float(log["depth_m"].min()) for log in (*flights.hybrids, flights.cloud))
    above = [in_turns(log, "depth_m") for log in flights.submergeds]
    low, high = swing(flights.submerged, "depth_m")
    pitch = float(np.median(flights.submerged["pitch_deg"][late_on_lines(flights.submerged)]))
    on_lines = float(np.median(flights.submerged_plain["depth_m"][late_on_lines(flights.submerged_plain)]))
    return [
        number(
            "surface-depth",
            "section IV.B, figure 5",
            "Steady depth of the centre of mass in the turns, hybrid model, our autopilot (turns: "
            f"{_listed(steady, '.4f')} m; proportional law {_listed(plain, '.3f')} m; autopilot unaware of the surface "
            f"{_listed(unaware, '.3f')} m, swinging)",
            0.13,
            float(np.mean(steady)),
            "m",
            absolute=0.005,
            why="printed to 0.01 m; the two other laws come within 0.013 m",
            assumption=LAWS + "it decides on the pitch, and the pitch on the depth. Hull 1.9 m long; its mast, solved "
            "from 0.13 m at rest (H11), hardly matters under way: see below. " + LINES_APART,
            proof=_with(PROOF, "H11"),
        ),
        number(
            "surface-depth-cloud",
            "section IV.B, figure 5",
            "The same with the document's method, 20,000 points, first turn",
            0.13,
            float(np.mean(cloud)),
            "m",
            absolute=0.01,
            why="printed to 0.01 m; one cloud of this size floats within 4 mm (standard deviation)",
            assumption=AUTOPILOT + " Number of points not printed.",
            proof=_with(PROOF, "H11"),
        ),
        statement(
            "never-above",
            "section IV.B, figure 5",
            "The centre of mass of the hybrid model does not cross the surface",
            "depth above 0 throughout",
            f"least depth {shallowest:.3f} m (three depth laws, and the cloud)",
            shallowest > 0.0,
            why="sign",
            assumption="The document's controller is not printed; true of all three laws flown. " + LINES_APART,
            proof=PROOF,
        ),
        statement(
            "submerged-model-flies",
            "section IV.B, figure 5",
            "The submerged model comes to a steady depth above the surface",
            "steady, depth below 0",
            f"turns: {_listed(above[1], '.3f')} m with a proportional depth law; not with the two others: our "
            f"autopilot {_listed(above[0], '.3f')} m, swinging from {low:.3f} to {high:+.3f} m; autopilot unaware "
            f"of the surface {_listed(above[2], '+.3f')} m",
            max(above[1]) < 0.0 and steadiness(flights.submerged_plain) < 0.01,
            tolerance="below 0, steady within 10 mm",
            why="a law without integral rests above its goal by the pitch of level flight over its gain, whatever the "
            "gain; one with an integral ends at its goal, on either side of it",
            assumption=LAWS + "shown for a depth law without integral. " + LINES_APART,
            proof=_with(PROOF, "H12"),
        ),
        contested(
            "minus-two-decimetres",
            "section IV.B",
            "Steady depth of the submerged model in the turns",
            "-0.2 m",
            "A property of a controller that is not printed (H12). A proportional law rests above its goal by the "
            f"pitch of level flight ({pitch:.1f}°) over its gain, so -0.2 m means {abs(pitch) / 0.2:.0f}° per m; the "
            f"{GAIN_DEG_M:g}° per m flown here were inferred from this very number. As the submerged model does not "
            "know how deep it is, any law that leaves it 0.2 m above its goal in the turns does so on the legs: "
            f"{on_lines:.2f} m instead of 1.2 m.",
            ours=f"mean {np.mean(above[1]):.3f} m with the proportional law, {np.mean(above[0]):.3f} m with our "
            f"autopilot, {np.mean(above[2]):+.3f} m with one unaware of the surface",
            unit="m",
            numbers={"published": -0.2, "ours": float(np.mean(above[0]))},
            proof=_with(PROOF, "H12"),
            off=abs(float(np.mean(above[0])) + 0.2),
            limit=0.05,
            otherwise="not met",
        ),
    ]


def steadiness(log: Log) -> float:
    """Greatest change of depth within a turn once settled, m."""
    return max(float(np.ptp(log["depth_m"][late])) for late in late_in_turns(log))


def pitch_claims(flights: Flights) -> list[Claim]:
    """Nose up on the surface, nose down for a model that does not know it."""
    up = [in_turns(log, "pitch_deg") for log in flights.hybrids]
    down = [in_turns(log, "pitch_deg") for log in flights.submergeds]
    low, high = swing(flights.hybrid_unaware, "pitch_deg")
    depth = in_turns(flights.hybrid_plain, "depth_m")
    asked = float(GAIN_DEG_M * np.mean(depth))
    return [
        statement(
            "pitch-hybrid",
            "section IV.B, figure 5",
            "Pitch of the hybrid model is positive along the surface",
            "positive",
            f"turns: {_listed(up[0], '+.2f')}° with our autopilot, {_listed(up[1], '+.2f')}° with a proportional depth "
            f"law; not with an autopilot unaware of the surface: {_listed(up[2], '+.2f')}°, swinging from {low:+.1f} "
            f"to {high:+.1f}°",
            min(*up[0], *up[1]) > 0.0,
            why="sign; two laws of three",
            assumption=LAWS + "holds for laws that do not go on integrating while the hull breaks the surface (our "
            "autopilot is made so, and lets go of the nose-down trim there). " + LINES_APART,
            proof=PROOF,
        ),
        statement(
            "pitch-submerged",
            "section IV.B, figure 5",
            "Pitch of the submerged model is negative in the turns",
            "negative",
            f"turns: {_listed(down[0], '+.2f')}° with our autopilot, {_listed(down[1], '+.2f')}° with a proportional "
            f"depth law, {_listed(down[2], '+.2f')}° with an autopilot unaware of the surface",
            max(max(one) for one in down) < 0.0,
            why="sign",
            assumption="The document's controller is not printed; true of all three laws flown. " + LINES_APART,
            proof=PROOF,
        ),
        statement(
            "pitch-because",
            "section IV.B",
            "It pitches up because the depth asked for, 0 m, cannot be reached",
            "pitch follows the depth that is missing",
            f"proportional law: {np.mean(depth):.3f} m too deep, {asked:+.2f}° asked for, {np.mean(up[1]):+.2f}° flown",
            asked > 0.0 and abs(asked - float(np.mean(up[1]))) < 1.0,
            tolerance="1°",
            why="the pitch loop works against the trim afloat, 1.2° nose up",
            assumption="Proportional depth law of 10° per m.",
            proof=Proof((), ("pelagos_evidence.hunt.dives.ProportionalDepth",), (HERE,), ("hunt-surfacing-laws",)),
        ),
    ]


def other_claims(flights: Flights) -> list[Claim]:
    """x, y, roll and heading do not care."""
    a, b = coordinates(flights.submerged), coordinates(flights.hybrid)
    n = min(a.shape[1], b.shape[1])
    off = np.abs(a[:, :n] - b[:, :n]).max(axis=1)
    rows = (
        ("x", 0, "m", 3.0, "1 % of 300 m: the width of a line in figure 5"),
        ("y", 1, "m", 3.0, "1 % of 300 m: the width of a line in figure 5"),
        ("roll", 3, "deg", 1.0, "well below the several degrees that the document calls a discrepancy"),
        ("heading", 5, "deg", 3.6, "1 % of a turn"),
    )
    return [
        statement(
            f"similar-{name}",
            "section IV.B, figure 5",
            f"Both models predict similar {name}",
            "similar",
            f"differ by at most {off[k]:.2g} {unit}",
            bool(off[k] < limit),
            tolerance=f"{limit:g} {unit}",
            why=why,
            assumption=AUTOPILOT,
            numbers={"ours": float(off[k]), "tolerance": limit},
            unit=unit,
            proof=PROOF,
        )
        for name, k, unit, limit, why in rows
    ]


def _lost() -> list[Claim]:
    """What only the measured curves of figure 5 could tell."""
    lost = (
        "The measured curves stand in figure 5 only, which is not in the scan, and no data are "
        "published with the document."
    )
    return [
        no_data(
            "measured-depth",
            "section IV.B, figure 5",
            "0.13 m is consistent with the depths of the real vehicle when surfaced",
            "consistent",
            lost,
        ),
        no_data(
            "measured-pitch",
            "section IV.B, figure 5",
            "Positive pitch on the surface is consistent with the measured pitch",
            "consistent",
            lost,
        ),
        no_data(
            "measured-roll",
            "section IV.B, figure 5",
            "Simulated roll differs by several degrees from the measured roll, and is still reasonably accurate",
            "several degrees",
            lost,
        ),
        no_data(
            "same-waypoints",
            "section IV.B",
            "The simulated dive uses the waypoints of the experiment of 21 November 2019",
            "same waypoints",
            "The waypoints of the experiment are not printed. Both models fly one mission here: see the first row.",
        ),
    ]


def _listed(values: list[float], form: str) -> str:
    return ", ".join(f"{value:{form}}" for value in values)


def _with(proof: Proof, *errata: str) -> Proof:
    return Proof(errata, proof.code, proof.tests, proof.figures)


PART = Part(
    "surfacing-dive",
    "Section IV.B: a dive with turns on the surface",
    "Four legs of 300 m at 1.2 m depth and 1.3 m/s; in the turns the depth asked for is 0 m, and "
    "the vehicle surfaces for a GPS fix. The document compares hybrid model, submerged model and "
    "the real vehicle; its measured curves are not available, and its controller is not printed. "
    "Depth and pitch at the surface depend on the controller, so the mission is flown with three: "
    "[our autopilot](control.md), which stops integrating where the hull breaks the surface; a plain "
    "proportional depth law; and an autopilot that goes on integrating. Each row says which of them "
    "meets the document's statement. None meets all: the autopilot is the one that comes to 0.13 m, "
    "the proportional law the one whose submerged model rests above the surface. What no controller "
    "can change is shown last: the steady runs along the surface, depth against pitch.",
    run,
)
