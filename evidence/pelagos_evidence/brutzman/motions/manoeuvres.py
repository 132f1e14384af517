"""Turns, dives and going astern with the coefficients of table 6.2: rudders, planes and reversed screws."""

from __future__ import annotations

from math import degrees, hypot, radians
from typing import TYPE_CHECKING

import numpy as np

from pelagos.analysis.page import PALETTE, UNWRITTEN, new_figure, styled
from pelagos_evidence.brutzman.motions import closed_forms as form
from pelagos_evidence.brutzman.motions.flights import SCREWS, PhoenixFlight, fly, phoenix
from pelagos_evidence.document import Drawing, Findings, Progress, drawn
from pelagos_evidence.rows import Rows, Values

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RUDDERS, PLANES = (10.0, -10.0, 0.0, 0.0), (0.0, 0.0, -5.0, 5.0)  # deg, bow and stern against each other
FIGURE = "brutzman-manoeuvres"
METHOD = 1e-6  # ft/s, deg: what RK4 at 0.02 s and the wait for the steady state leave


ROWS = Rows(__file__)


def run(progress: Progress) -> Findings:
    """Fly the manoeuvres."""
    turn = fly(phoenix(), 240.0, rpm=SCREWS, fins_deg=RUDDERS, surge_ft_s=2.0)
    port = fly(phoenix(), 240.0, rpm=SCREWS, fins_deg=tuple(-angle for angle in RUDDERS), surge_ft_s=2.0)
    progress(0.25)
    dive = fly(phoenix(), 400.0, rpm=SCREWS, fins_deg=PLANES, surge_ft_s=2.0)
    rise = fly(phoenix(), 60.0, rpm=SCREWS, fins_deg=tuple(-angle for angle in PLANES), surge_ft_s=2.0)
    progress(0.5)
    astern = fly(phoenix(), 600.0, rpm=(-700.0, -700.0), step_s=0.05)
    progress(0.7)
    values = {**_turn(turn, port), **_dive(dive, rise), **_astern(astern)}
    return Findings(ROWS.claims(values), (_figure(turn, dive, astern),))


def _turn(turn: PhoenixFlight, port: PhoenixFlight) -> Values:
    u, v, _, _, _, r = turn.nu[-1]
    radius = hypot(u, v) / radians(r)
    late = turn.place_ft[turn.at(120.0) :]
    across = 0.5 * max(np.ptp(late[:, 0]), np.ptp(late[:, 1]))
    # what (6.48), (6.49) and (6.53) leave over at the flown steady state, which rolls and pitches a little
    tilt = float(np.abs(turn.euler_deg[-1, :2]).max())
    residual = _steady_turn_residual(float(u), float(v), radians(float(r)), radians(10.0))
    drift = degrees(np.arctan2(-v, u))
    mirrored = float(np.abs(turn.place_ft * [1, -1, 1] - port.place_ft).max())
    return {
        "turn-steady": {
            "value": max(abs(x) for x in residual),
            "u": u,
            "v": v,
            "r": r,
            "residual": residual,
            "tilt": tilt,
        },
        "turn-radius": {"value": abs(across / radius - 1.0), "drift": drift, "radius": radius, "across": across},
        "turn-mirror": mirrored,
    }


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


def _dive(dive: PhoenixFlight, rise: PhoenixFlight) -> Values:
    bow, stern = radians(PLANES[2]), radians(PLANES[3])
    after = dive.at(60.0)
    return {
        "dive-speed": {
            "published": form.speed_with_fins(bow**2 + stern**2),
            "ours": float(dive.nu[-1, 0]),
            "absolute": METHOD,
        },
        "dive-pitch": {
            "published": form.dive_pitch(bow, stern),
            "ours": float(dive.euler_deg[-1, 1]),
            "absolute": form.rounding(lambda length: form.dive_pitch(bow, stern, length)) + METHOD,
        },
        "dive-depth": {
            "holds": dive.place_ft[after, 2] > 1.0 and rise.place_ft[-1, 2] < -1.0,
            "dive_depth_ft": dive.place_ft[after, 2],
            "dive_pitch_deg": dive.euler_deg[after, 1],
            "rise_depth_ft": rise.place_ft[-1, 2],
            "rise_pitch_deg": rise.euler_deg[-1, 1],
        },
    }


def _astern(astern: PhoenixFlight) -> Values:
    others = float(np.abs(astern.nu[-1, 1:]).max())
    return {"reverse": {"ours": float(astern.nu[-1, 0]), "absolute": METHOD, "others": others}}


def _figure(turn: PhoenixFlight, dive: PhoenixFlight, astern: PhoenixFlight) -> Drawing:
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
