"""Turns, dives and going astern: what the coefficients of table 6.2 make of rudders, planes and reversed screws."""

from __future__ import annotations

from math import degrees, hypot, radians
from typing import TYPE_CHECKING

import numpy as np

from pelagos.analysis.page import PALETTE, UNWRITTEN, new_figure, styled
from pelagos_evidence.brutzman.motions import closed_forms as form
from pelagos_evidence.brutzman.motions.closed_forms import solved
from pelagos_evidence.brutzman.motions.flights import SCREWS, TESTS, Flight, fly, phoenix
from pelagos_evidence.claim import Claim, Proof, number, statement
from pelagos_evidence.document import Drawing, Findings, Tell, drawn

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RUDDERS, PLANES = (10.0, -10.0, 0.0, 0.0), (0.0, 0.0, -5.0, 5.0)
FIGURE = "brutzman-manoeuvres"
METHOD = 1e-6


def run(tell: Tell) -> Findings:
    """Fly them."""
    turn = fly(phoenix(), 240.0, rpm=SCREWS, fins_deg=RUDDERS, surge_ft_s=2.0)
    port = fly(phoenix(), 240.0, rpm=SCREWS, fins_deg=tuple(-angle for angle in RUDDERS), surge_ft_s=2.0)
    tell(0.25)
    dive = fly(phoenix(), 400.0, rpm=SCREWS, fins_deg=PLANES, surge_ft_s=2.0)
    rise = fly(phoenix(), 60.0, rpm=SCREWS, fins_deg=tuple(-angle for angle in PLANES), surge_ft_s=2.0)
    tell(0.5)
    astern = fly(phoenix(), 600.0, rpm=(-700.0, -700.0), step_s=0.05)
    tell(0.7)
    claims = (*_turn(turn, port), *_dive(dive, rise), _astern(astern))
    return Findings(claims, (_figure(turn, dive, astern),))


def _proof(*errata: str) -> Proof:
    return Proof(errata, ("pelagos.engine.core.motion.derivative",), TESTS, (FIGURE,))


def _turn(turn: Flight, port: Flight) -> list[Claim]:
    u, v, _, _, _, r = turn.nu[-1]
    radius = hypot(u, v) / radians(r)
    late = turn.place_ft[turn.at(120.0) :]
    across = 0.5 * max(np.ptp(late[:, 0]), np.ptp(late[:, 1]))
    # what (6.48), (6.49) and (6.53) leave over at the flown steady state, which rolls and pitches a little
    tilt = float(np.abs(turn.euler_deg[-1, :2]).max())
    residual = _steady_turn_residual(float(u), float(v), radians(float(r)), radians(10.0))
    drift = degrees(np.arctan2(-v, u))
    mirrored = float(np.abs(turn.place_ft * [1, -1, 1] - port.place_ft).max())
    return [
        statement(
            "turn-steady",
            "equations 6.48, 6.49, 6.53",
            "Steady turn, bow rudders +10 deg, stern rudders -10 deg, 700 rpm: "
            "surge, sway and yaw are balanced by the equations written out in the horizontal plane",
            "forces and moments sum to zero",
            f"u {u:.4f} ft/s, v {v:.4f} ft/s, r {r:.4f} deg/s leave "
            f"{', '.join(f'{x:+.1e}' for x in residual)} lb, lb, ft lb",
            max(abs(x) for x in residual) < 2e-3,
            tolerance="2e-3 lb and ft lb",
            why="0.1 % of the 1.6 lb of the screws: L printed to four digits, and roll, pitch "
            f"and heave of the flown turn ({tilt:.2f} deg) left out",
            assumption=form.STATIONS_ASSUMED,
            numbers={"u_ft_s": float(u), "v_ft_s": float(v), "r_deg_s": float(r)},
            proof=_proof("B17", "B22", "B23", "B24", "B25"),
        ),
        statement(
            "turn-radius",
            "equations 6.7, 6.22",
            "World velocities are the turned body velocities: the circle over ground has "
            f"the radius V/r of the body velocities (drift angle {drift:.1f} deg, bow inwards)",
            "radius = V/r",
            f"V/r {radius:.3f} ft, track {across:.3f} ft",
            abs(across / radius - 1.0) < 2e-3,
            tolerance="0.2 %",
            why="the track is sampled every 0.5 s, 1.7 deg of the circle, and its extent read off the samples",
            numbers={"track_ft": float(across), "speed_over_rate_ft": float(radius)},
            proof=_proof("B24"),
        ),
        statement(
            "turn-mirror",
            "table 6.1",
            "Rudders the other way turn the other way, by the same path mirrored",
            "mirrored",
            f"largest difference {mirrored:.1e} ft in 240 s",
            mirrored < 1e-9,
            tolerance="1e-9 ft",
            why="the coefficients are those of a hull symmetric in port and starboard: rounding only",
            proof=_proof("B25"),
        ),
    ]


def _steady_turn_residual(u: float, v: float, r: float, angle: float) -> tuple[float, float, float]:
    """(6.48), (6.49), (6.53) with w = p = q = 0, level, rates zero: what is left, lb, lb, ft lb. Evidence only."""
    half, length = 0.5 * form.RHO, form.L
    cross = v + form.STATIONS * r
    strips = half * form.C_DY * form.HEIGHTS * cross * np.abs(cross)
    m, x_g = form.MASS, form.X_G
    surge = (
        m * (v * r + x_g * r * r) + form.drag() * (4.0 - u * u) + half * length**2 * u * u * form.X_FIN * 2 * angle**2
    )
    sway = -m * u * r + half * length**2 * -1.07e-1 * u * v - float(np.trapezoid(strips, form.STATIONS))
    yaw = (
        -m * x_g * u * r
        + half * length**5 * form.N_RR * (r * abs(r) + r * radians(1.0))
        + half * length**4 * -3.90e-3 * u * r
        + half * length**3 * u * u * 1.18e-2 * sum(form.ARMS) * angle
        - float(np.trapezoid(strips * form.STATIONS, form.STATIONS))
    )
    return surge, sway, yaw


def _dive(dive: Flight, rise: Flight) -> list[Claim]:
    bow, stern = radians(PLANES[2]), radians(PLANES[3])
    after = dive.at(60.0)
    return [
        solved(
            number(
                "dive-speed",
                "equation 6.48",
                "Steady speed with bow planes -5 deg, stern planes +5 deg at 700 rpm: the planes' "
                "drag X_dd delta^2 joins that of the hull",
                form.speed_with_fins(bow**2 + stern**2),
                float(dive.nu[-1, 0]),
                "ft/s",
                absolute=METHOD,
                why="exact: L cancels, and heave and pitch rate die out",
                proof=_proof(),
            )
        ),
        solved(
            number(
                "dive-pitch",
                "equation 6.52",
                "Steady pitch in that dive: z_G W sin(theta) = moment of the planes",
                form.dive_pitch(bow, stern),
                float(dive.euler_deg[-1, 1]),
                "deg",
                absolute=form.rounding(lambda length: form.dive_pitch(bow, stern, length)) + METHOD,
                why="half the last printed digit of L (7.302 ft), and 1e-6 for the integration",
                assumption="Arms 0.283 and 0.377 of the planes without the second factor L of table 6.2 (see the "
                "variants).",
                proof=_proof("B24", "B25"),
            )
        ),
        statement(
            "dive-depth",
            "table 6.1, delta_pb, delta_ps",
            "Bow planes down and stern planes opposite dive the vehicle, the other way they raise it",
            "deeper; shallower",
            f"after 60 s: depth {dive.place_ft[after, 2]:+.2f} ft at {dive.euler_deg[after, 1]:+.2f} deg; the other "
            f"way {rise.place_ft[-1, 2]:+.2f} ft at {rise.euler_deg[-1, 1]:+.2f} deg",
            dive.place_ft[after, 2] > 1.0 and rise.place_ft[-1, 2] < -1.0,
            tolerance="the sign",
            why="the document prints no depth for this",
            numbers={"depth_ft": float(dive.place_ft[after, 2])},
            proof=_proof("B21", "B33"),
        ),
    ]


def _astern(astern: Flight) -> Claim:
    others = float(np.abs(astern.nu[-1, 1:]).max())
    return number(
        "reverse",
        "equations 6.42, 6.43",
        "Both screws at -700 rpm from rest, all motions free, after 600 s: the signed "
        f"squares of (6.42) give the same speed astern; all other velocities are below {others:.0e} ft/s, deg/s",
        -2.0,
        float(astern.nu[-1, 0]),
        "ft/s",
        absolute=METHOD,
        why="(6.43) is odd in n and u; RK4 to the steady state",
        assumption="|u| in place of u in the lift and damping terms Y_uv, Z_uw, Z_uq, M_uq, N_ur, as the author "
        "wrote for K_|u|p; with u they drive the vehicle when it goes astern (see the variants).",
        proof=_proof("B39", "B58"),
    )


def _figure(turn: Flight, dive: Flight, astern: Flight) -> Drawing:
    with styled():
        figure: Figure = new_figure(UNWRITTEN, (9.0, 3.5), None)
        plan, side, back = figure.subplots(1, 3)
        plan.plot(turn.place_ft[:, 1], turn.place_ft[:, 0], color=PALETTE[0])
        plan.plot(0.0, 0.0, "o", color=PALETTE[0], markersize=4)
        plan.set(title="turn, rudders +10 / -10 deg", xlabel="east [ft]", ylabel="north [ft]", aspect="equal")
        minute = dive.at(120.0) + 1
        side.plot(dive.time_s[:minute], dive.place_ft[:minute, 2], color=PALETTE[1])
        side.invert_yaxis()
        side.set(title="dive, planes -5 / +5 deg", xlabel="time [s]", ylabel="depth [ft]", xlim=(0.0, 120.0))
        minute = astern.at(120.0) + 1
        back.plot(astern.time_s[:minute], astern.nu[:minute, 0], color=PALETTE[2])
        back.set(title="screws at -700 rpm", xlabel="time [s]", ylabel="surge u [ft/s]", xlim=(0.0, 120.0))
        return drawn(
            figure,
            FIGURE,
            "The Phoenix (misprints resolved) at 700 rpm: plan of the turn from 2 ft/s, depth in the dive from "
            "2 ft/s, and the speed astern from rest.",
        )
