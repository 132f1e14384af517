"""Speeds by screws and tunnel thrusters: terminal, run-up, coasting, heave, sway, yaw on the spot."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from pelagos.analysis.page import PALETTE, UNWRITTEN, new_figure, styled
from pelagos_evidence.brutzman.motions import closed_forms as form
from pelagos_evidence.brutzman.motions.flights import SCREWS, PhoenixFlight, fly, held, phoenix
from pelagos_evidence.document import Drawing, Findings, Progress, drawn
from pelagos_evidence.rows import Rows, Values

if TYPE_CHECKING:
    from matplotlib.figure import Figure

METHOD = 1e-6  # ft/s, deg/s: what RK4 at 0.02 s and the wait for the steady state leave
FIGURE = "brutzman-speeds"


ROWS = Rows(__file__)


def run(progress: Progress) -> Findings:
    """Fly all runs of this part."""
    vehicle = phoenix()
    values = _screws(progress)
    run_up, alone = fly(vehicle, 120.0, rpm=SCREWS), fly(held(vehicle, "u"), 120.0, rpm=SCREWS)
    coast = fly(held(vehicle, "u"), 120.0, surge_ft_s=2.0)
    values |= {**_run_up(run_up, alone), **_coast(coast)}
    progress(0.6)
    values |= _hover()
    return Findings(ROWS.claims(values), (_figure(alone, coast),))


def _screws(progress: Progress) -> Values:
    vehicle = phoenix()
    steady = fly(vehicle, 400.0, rpm=SCREWS, every_s=400.0)
    progress(0.2)
    revolutions = (175.0, 350.0, 525.0)
    speeds = [float(fly(vehicle, 1600.0, rpm=(n, n), step_s=0.05, every_s=1600.0).nu[-1, 0]) for n in revolutions]
    off = max(abs(speed - form.SPEED_PER_RPM * n) for n, speed in zip(revolutions, speeds, strict=True))
    uneven = fly(vehicle, 20.0, rpm=(700.0, 500.0), surge_ft_s=2.0)
    even = fly(vehicle, 60.0, rpm=SCREWS, surge_ft_s=2.0)
    drift = float(np.abs(even.euler_deg[:, 2]).max())
    return {
        "terminal-speed": {"ours": float(steady.nu[-1, 0]), "absolute": METHOD},
        "speed-by-rpm": {"value": off, "speeds": speeds},
        "uneven-screws": {
            "holds": drift < 1e-9 and uneven.euler_deg[-1, 2] > 1.0,
            "drift": drift,
            "heading": uneven.euler_deg[-1, 2],
        },
    }


def _run_up(free: PhoenixFlight, alone: PhoenixFlight) -> Values:
    exact = np.array([form.run_up_speed(t) for t in alone.time_s])
    claims: Values = {}
    for t in (10.0, 30.0, 60.0):
        claims[f"run-up-{t:g}s"] = {
            "published": form.run_up_speed(t),
            "ours": float(alone.nu[alone.at(t), 0]),
            "absolute": form.rounding(lambda length, t=t: form.run_up_speed(t, length)) + METHOD,
            "t": t,
        }
    # (6.48) and (6.52) couple surge and pitch by m z_G: the part of M11 that pitch takes over is (m z_G)^2/(M11 M55)
    inertia = form.I_Y - 0.5 * form.RHO * form.L**5 * form.M_QDOT
    share = (form.MASS * form.Z_G) ** 2 / (form.surge_mass() * inertia)
    worst = float(np.abs(free.nu[:, 0] - exact).max())
    claims["run-up-free"] = {
        "published": form.run_up_speed(30.0),
        "ours": float(free.nu[free.at(30.0), 0]),
        "absolute": 2.0 * share,
        "worst": worst,
        "share": 100 * share,
    }
    for t in (60.0, 120.0):
        claims[f"run-up-distance-{t:g}s"] = {
            "published": form.run_up_distance(t),
            "ours": float(alone.place_ft[alone.at(t), 0]),
            "absolute": form.rounding(lambda length, t=t: form.run_up_distance(t, length)) + 1e-5,
            "t": t,
        }
    # the net push falls with the signed square of the speed: from the flown accelerations
    push = form.surge_mass() * np.gradient(alone.nu[:, 0], alone.time_s, edge_order=2)
    law = form.drag() * (4.0 - alone.nu[:, 0] ** 2)
    off = float(np.abs(push - law)[1:-1].max() / law[0])
    claims["net-push"] = {"value": off, "off": 100 * off}
    return claims


def _coast(alone: PhoenixFlight) -> Values:
    return {
        f"coast-{t:g}s": {
            "published": form.coast_speed(t),
            "ours": float(alone.nu[alone.at(t), 0]),
            "absolute": form.rounding(lambda length, t=t: form.coast_speed(t, 2.0, length)) + METHOD,
            "t": t,
        }
        for t in (30.0, 120.0)
    }


def _hover() -> Values:
    vehicle, volts = phoenix(), (24.0, 24.0, 0.0, 0.0)
    heave = float(fly(held(vehicle, "w"), 200.0, volts=volts, every_s=200.0).nu[-1, 2])
    free = fly(vehicle, 60.0, volts=volts, every_s=60.0)
    sway = float(fly(held(vehicle, "v"), 200.0, volts=(0.0, 0.0, 24.0, 24.0), every_s=200.0).nu[-1, 1])
    spin = (0.0, 0.0, 24.0, -24.0)
    yaw = float(fly(held(vehicle, "r"), 200.0, volts=spin, every_s=200.0).nu[-1, 5])
    yaw_free = float(fly(vehicle, 60.0, volts=spin, every_s=60.0).nu[-1, 5])
    # surge that is left over costs heave by Z_uw |u| w: 4 lb = k w^2 + c |u| w
    k = 0.5 * form.RHO * form.C_DZ * form.along(form.BREADTHS, 0)
    cost = 0.5 * form.RHO * form.L**2 * 7.844e-1 * abs(float(free.nu[-1, 0]))
    heave_with_surge = (-cost + sqrt(cost**2 + 16.0 * k)) / (2.0 * k)
    return {
        "heave": {"published": form.heave_speed(), "ours": heave, "absolute": METHOD},
        "heave-free": {
            "published": heave_with_surge,
            "ours": float(free.nu[-1, 2]),
            "pitch": abs(free.euler_deg[-1, 1]),
            "surge": free.nu[-1, 0],
        },
        "sway": {"published": form.sway_speed(), "ours": sway, "absolute": METHOD},
        "hover-yaw": {
            "published": form.yaw_rate(),
            "ours": yaw,
            "absolute": form.rounding(form.yaw_rate) + METHOD,
            "yaw_free": yaw_free,
        },
        "hover-yaw-measured": {
            "off": abs(yaw_free - 16.0),
            "yaw_free": yaw_free,
            "without_strips": form.yaw_rate(strips=False),
        },
    }


def _figure(run_up: PhoenixFlight, coast: PhoenixFlight) -> Drawing:
    with styled():
        figure: Figure = new_figure(UNWRITTEN, (8.6, 3.6), None)
        left, right = figure.subplots(1, 2)
        for ax, flight, law, title in (
            (left, run_up, form.run_up_speed, "from rest, both screws at 700 rpm"),
            (right, coast, form.coast_speed, "from 2 ft/s, screws stopped"),
        ):
            exact = np.array([law(t) for t in flight.time_s])
            ax.plot(flight.time_s, exact, color=PALETTE[1], linewidth=3.0, alpha=0.45, label="closed form of (6.48)")
            ax.plot(flight.time_s, flight.nu[:, 0], color=PALETTE[0], linewidth=1.2, label="flown")
            ax.set(title=title, xlabel="time [s]", ylabel="surge u [ft/s]", ylim=(0.0, 2.2), xlim=(0.0, 120.0))
            ax.legend(loc="lower right" if ax is left else "upper right")
        return drawn(
            figure,
            FIGURE,
            "Run-up and coasting of the Phoenix: speed flown (thin) on the closed forms 2 tanh(t/T) and "
            "u0/(1 + u0 drag t/M11) of equations (6.43) and (6.48) (wide).",
        )
