"""Speeds that the screws and the tunnel thrusters give: terminal, run-up, coasting, heave, sway, yaw on the spot."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from pelagos.analysis.page import PALETTE, UNWRITTEN, new_figure, styled
from pelagos_evidence.brutzman.motions import closed_forms as form
from pelagos_evidence.brutzman.motions.closed_forms import solved
from pelagos_evidence.brutzman.motions.flights import SCREWS, TESTS, Flight, fly, held, phoenix
from pelagos_evidence.claim import Claim, Proof, contested, number, statement
from pelagos_evidence.document import Drawing, Findings, Tell, drawn

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ENGINE = "pelagos.engine.core.motion.derivative"
METHOD = 1e-6  # ft/s, deg/s: what RK4 at 0.02 s and the wait for the steady state leave
PRINTED_L = "half the last printed digit of L (7.302 ft), and 1e-6 for the integration"
FIGURE = "brutzman-speeds"


def run(tell: Tell) -> Findings:
    """Fly them all."""
    vehicle = phoenix()
    claims = _screws(tell)
    run_up, alone = fly(vehicle, 120.0, rpm=SCREWS), fly(held(vehicle, "u"), 120.0, rpm=SCREWS)
    coast = fly(held(vehicle, "u"), 120.0, surge_ft_s=2.0)
    claims += _run_up(run_up, alone) + _coast(coast)
    tell(0.6)
    claims += _hover()
    return Findings(tuple(claims), (_figure(alone, coast),))


def _proof(*errata: str, figures: tuple[str, ...] = ()) -> Proof:
    return Proof(errata, (ENGINE,), TESTS, figures)


def _screws(tell: Tell) -> list[Claim]:
    vehicle = phoenix()
    steady = fly(vehicle, 400.0, rpm=SCREWS, every_s=400.0)
    tell(0.2)
    revolutions = (175.0, 350.0, 525.0)
    speeds = [float(fly(vehicle, 1600.0, rpm=(n, n), step_s=0.05, every_s=1600.0).nu[-1, 0]) for n in revolutions]
    off = max(abs(speed - form.SPEED_PER_RPM * n) for n, speed in zip(revolutions, speeds, strict=True))
    uneven = fly(vehicle, 20.0, rpm=(700.0, 500.0), surge_ft_s=2.0)
    even = fly(vehicle, 60.0, rpm=SCREWS, surge_ft_s=2.0)
    drift = float(np.abs(even.euler_deg[:, 2]).max())
    return [
        number(
            "terminal-speed",
            "table 6.2, equation 6.43",
            "Steady speed with both screws at 700 rpm, flown from rest for 400 s",
            2.0,
            float(steady.nu[-1, 0]),
            "ft/s",
            absolute=METHOD,
            why="(6.43) makes the ratio exact; the run is RK4 at 0.02 s",
            proof=_proof("B39", "B40"),
        ),
        statement(
            "speed-by-rpm",
            "equations 6.41, 6.43",
            "Steady speed is proportional to the revolutions, (2 ft/s)/(700 rpm) n: at 175, 350 and 525 rpm",
            "0.5, 1 and 1.5 ft/s",
            ", ".join(f"{speed:.6f}" for speed in speeds) + f" ft/s, at most {off:.1e} ft/s off",
            off < METHOD,
            tolerance="1e-6 ft/s, all three",
            why="exact in (6.43); flown for 1600 s with RK4 at 0.05 s",
            numbers={"error": off},
            unit="ft/s",
            proof=_proof("B39"),
        ),
        statement(
            "uneven-screws",
            "table 6.2, N_prop",
            "Yaw moments of the screws are zero while they turn alike, and not zero if their revolutions differ",
            "zero; not zero",
            f"both 700 rpm: heading moves {drift:.1e} deg in 60 s; port 700, starboard 500 rpm: bow to starboard, "
            f"{uneven.euler_deg[-1, 2]:.1f} deg in 20 s",
            drift < 1e-9 and uneven.euler_deg[-1, 2] > 1.0,
            why="a symmetric hull keeps its heading to rounding; the screw that pushes harder is to port",
            proof=_proof("B40", "B41"),
        ),
    ]


def _run_up(free: Flight, alone: Flight) -> list[Claim]:
    exact = np.array([form.run_up_speed(t) for t in alone.time_s])
    claims = []
    for t in (10.0, 30.0, 60.0):
        claims.append(
            number(
                f"run-up-{t:g}s",
                "equations 6.43, 6.48",
                f"Speed {t:g} s after the screws start at 700 rpm, surge alone: "
                "2 tanh(t/T), T = M11 / (rho/2 L^2 C_d0 2 ft/s) = 18.12 s, solved from (6.48)",
                form.run_up_speed(t),
                float(alone.nu[alone.at(t), 0]),
                "ft/s",
                absolute=form.rounding(lambda length, t=t: form.run_up_speed(t, length)) + METHOD,
                why=PRINTED_L,
                proof=_proof(figures=(FIGURE,)),
            )
        )
    # (6.48) and (6.52) couple surge and pitch by m z_G: the part of M11 that pitch takes over is (m z_G)^2/(M11 M55)
    inertia = form.I_Y - 0.5 * form.RHO * form.L**5 * form.M_QDOT
    share = (form.MASS * form.Z_G) ** 2 / (form.surge_mass() * inertia)
    worst = float(np.abs(free.nu[:, 0] - exact).max())
    claims.append(
        number(
            "run-up-free",
            "equations 6.48, 6.52",
            "Speed 30 s after the start with all six motions free; largest difference "
            f"from the closed form in 120 s: {worst:.1e} ft/s",
            form.run_up_speed(30.0),
            float(free.nu[free.at(30.0), 0]),
            "ft/s",
            absolute=2.0 * share,
            why=f"the closed form leaves out the pitch that m z_G couples in: {100 * share:.2f} % of M11, times 2 ft/s",
            proof=_proof(),
        )
    )
    for t in (60.0, 120.0):
        claims.append(
            number(
                f"run-up-distance-{t:g}s",
                "equations 6.43, 6.48",
                f"Distance {t:g} s after the start: 2 T ln cosh(t/T)",
                form.run_up_distance(t),
                float(alone.place_ft[alone.at(t), 0]),
                "ft",
                absolute=form.rounding(lambda length, t=t: form.run_up_distance(t, length)) + 1e-5,
                why=PRINTED_L,
                proof=_proof(figures=(FIGURE,)),
            )
        )
    claims = [solved(claim) for claim in claims]
    # the net push falls with the signed square of the speed: from the flown accelerations
    push = form.surge_mass() * np.gradient(alone.nu[:, 0], alone.time_s, edge_order=2)
    law = form.drag() * (4.0 - alone.nu[:, 0] ** 2)
    off = float(np.abs(push - law)[1:-1].max() / law[0])
    claims.append(
        statement(
            "net-push",
            "section D.8, after equation 6.44",
            "As the speed grows the effective forward thrust falls by a signed square law",
            "1.61 lb (1 - u^2/4)",
            f"M11 times the flown acceleration follows it within {100 * off:.2g} % of the push at rest",
            off < 1e-3,
            tolerance="0.1 % of the push at rest",
            why="the acceleration is a difference over 1 s of a curve whose time scale is 18 s: (0.5/18)^2/3 of it",
            proof=_proof(),
        )
    )
    return claims


def _coast(alone: Flight) -> list[Claim]:
    return [
        solved(
            number(
                f"coast-{t:g}s",
                "section D.8, after equation 6.44",
                "The same equation describes the drag when the screws of "
                f"a moving vehicle stop: speed {t:g} s after 2 ft/s, u0 / (1 + u0 drag t / M11)",
                form.coast_speed(t),
                float(alone.nu[alone.at(t), 0]),
                "ft/s",
                absolute=form.rounding(lambda length, t=t: form.coast_speed(t, 2.0, length)) + METHOD,
                why=PRINTED_L,
                proof=_proof(figures=(FIGURE,)),
            )
        )
        for t in (30.0, 120.0)
    ]


def _hover() -> list[Claim]:
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
    given = (-cost + sqrt(cost**2 + 16.0 * k)) / (2.0 * k)
    stations, why = form.STATIONS_ASSUMED, "same stations on both sides; RK4 to the steady state"
    rows = [
        number(
            "heave",
            "equations 6.45, 6.50",
            "Steady heave, both vertical thrusters at +24 V (2 lb each), other motions "
            "held: sqrt(4 lb / (rho/2 C_dz plan area))",
            form.heave_speed(),
            heave,
            "ft/s",
            absolute=METHOD,
            why=why,
            assumption=stations,
            proof=_proof("B18", "B23", "B44"),
        ),
        number(
            "heave-free",
            "equations 6.50, 6.52",
            f"The same after 60 s with all motions free: the bow goes down {abs(free.euler_deg[-1, 1]):.2f} deg, and "
            f"the surge of {free.nu[-1, 0]:.4f} ft/s that this leaves costs heave through Z_uw; (6.50) solved for w "
            "at this surge",
            given,
            float(free.nu[-1, 2]),
            "ft/s",
            absolute=1e-3,
            why="0.1 %: the closed form takes heave and pitch as settled, which they nearly are after 60 s",
            assumption=stations,
            proof=_proof("B18", "B19", "B23", "B44"),
        ),
        number(
            "sway",
            "equations 6.45, 6.49",
            "Steady sway, both lateral thrusters at +24 V, other motions held: sqrt(4 lb / (rho/2 C_dy side area))",
            form.sway_speed(),
            sway,
            "ft/s",
            absolute=METHOD,
            why=why,
            assumption=stations,
            proof=_proof("B17", "B22", "B23"),
        ),
        number(
            "hover-yaw",
            "equations 6.46, 6.53",
            "Steady turn on the spot, bow lateral +24 V, stern lateral -24 V, sway held: "
            "7.68 ft lb = rho/2 L^5 (-N_r|r| r^2 - N_r r) + strips; all motions free after 60 s: "
            f"{yaw_free:.2f} deg/s",
            form.yaw_rate(),
            yaw,
            "deg/s",
            absolute=form.rounding(form.yaw_rate) + METHOD,
            why=PRINTED_L,
            assumption=stations,
            proof=_proof("B23", "B26", "B54", "B60"),
        ),
    ]
    measured = contested(
        "hover-yaw-measured",
        "table 6.2, N_r|r|",
        "Turn on the spot at 24 V, measured by Torsiello 94: the figure stands beside N_r|r| in the author's "
        "program, not in the chapter",
        "16 deg/s, by the author's program",
        "N_r|r| and the strips of (6.53) count the same resistance twice. Without the strips the printed numbers "
        f"give {form.yaw_rate(strips=False):.1f} deg/s, and N_r|r| alone 15.1 deg/s; in the file phoenix N_r|r| is "
        "what the strips leave of the measured spin.",
        ours=f"{yaw_free:.1f} deg/s",
        numbers={"published": 16.0, "ours": yaw_free},
        unit="deg/s",
        proof=_proof("B60"),
        off=abs(yaw_free - 16.0),
        limit=1.6,
        otherwise="not met",
    )
    return [*(solved(claim) for claim in rows), measured]


def _figure(run_up: Flight, coast: Flight) -> Drawing:
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
