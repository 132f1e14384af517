"""Section IV.B: the dive that surfaces in its turns, with the hybrid and the submerged model, and three depth laws."""

from __future__ import annotations

import numpy as np

from pelagos.reproduce.claim import Claim, Proof, number, statement, unreproducible
from pelagos.reproduce.document import Findings, Part, Tell
from pelagos.reproduce.hunt.dives import LINES, TURNS, coordinates, late_in_turns, late_on_lines
from pelagos.reproduce.hunt.surfacing_flights import GAIN_DEG_M, Flights, dive_figure, fly_all, in_turns, plain_figure

HERE = "tests/reproduce/hunt/test_surfacing_dive.py"
AUTOPILOT = (
    "The document's controller is not printed: our autopilot, which keeps its integrals when the "
    "hull breaks the surface. Lines 100 m apart."
)
PROOF = Proof(
    code=("pelagos/scenarios/iver3-surfacing.toml", "pelagos.control.afloat"),
    tests=(HERE, "tests/control/test_afloat.py"),
    figures=("hunt-surfacing-dive",),
)


def run(tell: Tell) -> Findings:
    """Seven flights of 1295 s."""
    flights = fly_all(tell)
    claims = (
        *mission_claims(flights),
        *depth_claims(flights),
        *pitch_claims(flights),
        *other_claims(flights),
        law_claim(flights),
        *_lost(),
    )
    found = Findings(claims, (dive_figure(flights), plain_figure(flights)))
    tell(1.0)
    return found


def mission_claims(flights: Flights) -> list[Claim]:
    """What was flown."""
    log = flights.hybrid
    fixed = np.isfinite(log["gps_north_m"])
    turns = [int(fixed[log["leg"] == turn].sum()) for turn in TURNS]
    first_line = int(fixed[log["leg"] == LINES[0]].sum())
    on_lines = late_on_lines(log)
    return [
        number(
            "surfacing-leg-depth",
            "section IV.B",
            "Depth on the four 300 m legs, median after settling, hybrid model",
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
    steady, above = in_turns(flights.hybrid, "depth_m"), in_turns(flights.submerged, "depth_m")
    cloud, plain = in_turns(flights.cloud, "depth_m"), in_turns(flights.submerged_plain, "depth_m")
    shallowest = min(float(log["depth_m"].min()) for log in (flights.hybrid, flights.cloud, flights.hybrid_plain))
    pitch = float(np.median(flights.submerged.columns["pitch_deg"][late_on_lines(flights.submerged)]))
    return [
        number(
            "surface-depth",
            "section IV.B, figure 5",
            f"Steady depth of the centre of mass in the turns, hybrid model (turns: {_listed(steady, '.4f')} m)",
            0.13,
            float(np.mean(steady)),
            "m",
            absolute=0.005,
            why="printed to 0.01 m",
            assumption=AUTOPILOT + " Hull and mast were solved from the state at rest (H11).",
            proof=_with(PROOF, "H11"),
        ),
        number(
            "surface-depth-cloud",
            "section IV.B, figure 5",
            f"The same with the document's method, 20,000 points (turns: {_listed(cloud, '.4f')} m)",
            0.13,
            float(np.mean(cloud)),
            "m",
            absolute=0.01,
            why="printed to 0.01 m; one cloud of this size floats within 4 mm (standard deviation)",
            assumption=AUTOPILOT + " Hull and mast were solved from the state at rest (H11).",
            proof=_with(PROOF, "H11"),
        ),
        statement(
            "never-above",
            "section IV.B, figure 5",
            "The centre of mass of the hybrid model does not cross the surface",
            "depth above 0 throughout",
            f"least depth {shallowest:.3f} m (sections, cloud, and both depth laws)",
            shallowest > 0.0,
            why="sign",
            assumption=AUTOPILOT,
            proof=PROOF,
        ),
        statement(
            "submerged-model-flies",
            "section IV.B, figure 5",
            "The submerged model comes to a steady depth above the surface",
            "depth below 0",
            f"turns: {_listed(above, '.3f')} m with our autopilot, {_listed(plain, '.3f')} m with a "
            "proportional depth law",
            max(*above, *plain) < 0.0,
            why="sign",
            assumption=AUTOPILOT,
            proof=_with(PROOF, "H12"),
        ),
        unreproducible(
            "minus-two-decimetres",
            "section IV.B",
            "Steady depth of the submerged model in the turns",
            "-0.2 m",
            "A property of a controller that is not printed (H12). An integrating depth loop ends near 0. "
            f"A proportional law rests above its goal by the pitch of level flight ({pitch:.1f}°) over its "
            f"gain, so -0.2 m means {abs(pitch) / 0.2:.0f}° per m; flown with {GAIN_DEG_M:g}° per m, a "
            "gain inferred from this number, the other statements of the section hold as well.",
            ours=f"mean {np.mean(above):.3f} m with our autopilot, {np.mean(plain):.3f} m with the proportional law",
            unit="m",
            numbers={"published": -0.2, "ours": float(np.mean(above))},
            proof=_with(PROOF, "H12"),
        ),
    ]


def pitch_claims(flights: Flights) -> list[Claim]:
    """Nose up on the surface, nose down for a model that does not know it."""
    up, down = in_turns(flights.hybrid, "pitch_deg"), in_turns(flights.submerged, "pitch_deg")
    plain_up, plain_down = in_turns(flights.hybrid_plain, "pitch_deg"), in_turns(flights.submerged_plain, "pitch_deg")
    depth = in_turns(flights.hybrid_plain, "depth_m")
    asked = float(GAIN_DEG_M * np.mean(depth))
    return [
        statement(
            "pitch-hybrid",
            "section IV.B, figure 5",
            "Pitch of the hybrid model is positive along the surface",
            "positive",
            f"turns: {_listed(up, '+.2f')}° with our autopilot, {_listed(plain_up, '+.2f')}° with a "
            "proportional depth law",
            min(*up, *plain_up) > 0.0,
            why="sign",
            assumption=AUTOPILOT,
            proof=PROOF,
        ),
        statement(
            "pitch-submerged",
            "section IV.B, figure 5",
            "Pitch of the submerged model is negative in the turns",
            "negative",
            f"turns: {_listed(down, '+.2f')}° with our autopilot, {_listed(plain_down, '+.2f')}° with a "
            "proportional depth law",
            max(*down, *plain_down) < 0.0,
            why="sign",
            assumption=AUTOPILOT,
            proof=PROOF,
        ),
        statement(
            "pitch-because",
            "section IV.B",
            "It pitches up because the depth asked for, 0 m, cannot be reached",
            "pitch follows the depth that is missing",
            f"proportional law: {np.mean(depth):.3f} m too deep, {asked:+.2f}° asked for, "
            f"{np.mean(plain_up):+.2f}° flown",
            asked > 0.0 and abs(asked - float(np.mean(plain_up))) < 1.0,
            tolerance="1°",
            why="the pitch loop works against the trim afloat, 1.2° nose up",
            assumption="Proportional depth law of 10° per m.",
            proof=Proof((), ("pelagos.reproduce.hunt.dives.ProportionalDepth",), (HERE,), ("hunt-surfacing-plain",)),
        ),
    ]


def law_claim(flights: Flights) -> Claim:
    """Where the statements of the section stop to hold: they are of model and controller together."""
    depth, pitch = in_turns(flights.hybrid_unaware, "depth_m"), in_turns(flights.hybrid_unaware, "pitch_deg")
    swing = max(
        float(np.abs(flights.hybrid_unaware["pitch_deg"][late]).max()) for late in late_in_turns(flights.hybrid_unaware)
    )
    above = in_turns(flights.submerged_unaware, "depth_m")
    return unreproducible(
        "any-controller",
        "section IV.B",
        "The statements on depth and pitch at the surface, for any controller",
        "stated for one controller",
        "They are properties of model and controller together. A depth loop that goes on integrating "
        "while the hull breaks the surface winds up: the hybrid model then porpoises and its pitch "
        "changes sign, and the submerged one ends at the depth asked for, on either side of 0.",
        ours=f"autopilot unaware of the surface: hybrid {_listed(depth, '.3f')} m, pitch "
        f"{_listed(pitch, '+.2f')}° swinging up to {swing:.1f}°; submerged {_listed(above, '+.3f')} m",
        proof=Proof(("H12",), ("pelagos.control.afloat",), (HERE,)),
    )


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
        unreproducible(
            "measured-depth",
            "section IV.B, figure 5",
            "0.13 m is consistent with the depths of the real vehicle when surfaced",
            "consistent",
            lost,
        ),
        unreproducible(
            "measured-pitch",
            "section IV.B, figure 5",
            "Positive pitch on the surface is consistent with the measured pitch",
            "consistent",
            lost,
        ),
        unreproducible(
            "measured-roll",
            "section IV.B, figure 5",
            "Simulated roll differs by several degrees from the measured roll",
            "several degrees",
            lost,
        ),
        unreproducible(
            "same-waypoints",
            "section IV.B",
            "The simulated dive uses the waypoints of the experiment of 21 November 2019",
            "same waypoints",
            "The waypoints are not printed. Here both models fly the same waypoints, four lines of 300 m, 100 m apart.",
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
    "We fly the mission with [our autopilot](control.md) and, to see what the controller does to "
    "the result, with a plain proportional depth law and with an autopilot that is unaware of the "
    "surface.",
    run,
)
