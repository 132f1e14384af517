"""The vehicle as corrected, as printed and as its author programmed it, side by side: turn, dive, reverse."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import radians
from typing import TYPE_CHECKING

import numpy as np

from pelagos.analysis.page import PALETTE, UNWRITTEN, new_figure, styled
from pelagos.units import FOOT, SLUG
from pelagos.vehicle.spec import Vehicle
from pelagos_evidence.brutzman.motions.closed_forms import L, by_erratum
from pelagos_evidence.brutzman.motions.flights import SCREWS, Array, Flight, fly, phoenix, plant_of
from pelagos_evidence.claim import Claim, Proof, contested, number, statement
from pelagos_evidence.document import Drawing, Findings, Tell, drawn

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KEYS = {"phoenix_published": "corrected", "phoenix_printed": "as printed", "phoenix_author": "author's program"}
SIGNED = ("Y_uv", "Z_uw", "Z_uq", "M_uq", "N_ur")
FIGURE = "brutzman-variants"
TESTS = ("tests/analytic/test_phoenix.py", "tests/analytic/test_structure.py")
CODE = ("pelagos.vehicle.load.vehicle.load_vehicle", "pelagos.engine.core.legacy")


@dataclass(frozen=True, eq=False)
class Flown:
    """The same orders to one of the three."""

    turn: Flight  # rudders 10 deg
    hard_turn: Flight  # rudders 20 deg
    dive: Flight  # planes 5 deg
    reverse: Flight  # -700 rpm
    vertical: Flight  # both vertical tunnels, +24 V
    bow_vertical: Flight  # the bow one alone
    lateral: Flight  # both lateral tunnels, +24 V


def run(tell: Tell) -> Findings:
    """Fly the three."""
    flown: dict[str, Flown] = {}
    for done, key in enumerate(KEYS):
        flown[key] = _flown(phoenix(key))
        tell(0.25 * (done + 1))
    claims = (*_fins(flown), *_reverse(flown), *_tunnels(flown), _alike(flown))
    return Findings(claims, (_figure(flown),))


def _flown(vehicle: Vehicle) -> Flown:
    """Each by the vehicle's own method and step: the author's program has 0.1 s and his averaging."""

    def go(
        seconds: float,
        *,
        rpm: tuple[float, ...] = (0.0, 0.0),
        volts: tuple[float, ...] = (0.0,) * 4,
        fins: tuple[float, ...] = (0.0,) * 4,
        u: float = 0.0,
    ) -> Flight:
        return fly(
            vehicle,
            seconds,
            rpm=rpm,
            volts=volts,
            fins_deg=fins,
            surge_ft_s=u,
            step_s=vehicle.step_s,
            method=vehicle.integrator,
        )

    return Flown(
        go(180.0, rpm=SCREWS, fins=(10.0, -10.0, 0.0, 0.0), u=2.0),
        go(180.0, rpm=SCREWS, fins=(20.0, -20.0, 0.0, 0.0), u=2.0),
        go(60.0, rpm=SCREWS, fins=(0.0, 0.0, -5.0, 5.0), u=2.0),
        go(120.0, rpm=(-700.0, -700.0)),
        go(10.0, volts=(24.0, 24.0, 0.0, 0.0)),
        go(10.0, volts=(24.0, 0.0, 0.0, 0.0)),
        go(10.0, volts=(0.0, 0.0, 24.0, 24.0)),
    )


def _diameter(turn: Flight) -> float:
    """Of the settled circle, ft: speed over yaw rate, twice."""
    u, v, r = turn.nu[-1, 0], turn.nu[-1, 1], radians(turn.nu[-1, 5])
    return 2.0 * float(np.hypot(u, v) / abs(r))


def _fins(flown: dict[str, Flown]) -> list[Claim]:
    turn = {key: _diameter(flown[key].turn) for key in KEYS}
    hard = {key: _diameter(flown[key].hard_turn) / L for key in KEYS}
    dive = {key: (flown[key].dive.place_ft[-1, 2], flown[key].dive.euler_deg[-1, 1]) for key in KEYS}
    proof = Proof(("B24", "B25"), CODE, TESTS, (FIGURE,))
    printed = {one.name: one.published or 0.0 for one in phoenix("phoenix_printed").coefficients}
    arm = abs(printed["N_u|u|drs"] / printed["Y_u|u|drs"]) * L  # ft: the moment over the force
    lifted = phoenix()
    without = replace(lifted, coefficients=tuple(one for one in lifted.coefficients if one.name != "Z_uq"))
    shallow = fly(without, 60.0, rpm=SCREWS, fins_deg=(0.0, 0.0, -5.0, 5.0), surge_ft_s=2.0, every_s=60.0)
    return [
        contested(
            "fin-arms-printed",
            "table 6.2, N_u|u|drb ... M_u|u|dps",
            "Moments of the fins: 0.283 L and 0.377 L times the force "
            "coefficient, behind a prefix rho/2 L^3 that already holds the arm",
            f"the printed numbers, flown: turn at 10 deg, diameter {turn['phoenix_printed']:.1f} ft; dive at 5 deg, "
            f"{dive['phoenix_printed'][0]:.1f} ft deeper, {dive['phoenix_printed'][1]:.1f} deg after 60 s",
            "With the second L the fins act 15 and 20 ft from the middle of a 7.3 ft hull: dimensions and geometry "
            "exclude it. The author's program has it too, so plots made with it show seven times the moment.",
            ours=f"{turn['phoenix_published']:.1f} ft; {dive['phoenix_published'][0]:.1f} ft, "
            f"{dive['phoenix_published'][1]:.1f} deg",
            numbers={"as_printed": turn["phoenix_printed"], "ours": turn["phoenix_published"]},
            unit="ft beyond the end of the hull",
            proof=proof,
            off=max(arm - 0.5 * L, 0.0),
            limit=0.0,
        ),
        by_erratum(
            number(
                "hard-turn",
                "table 6.2, N_u|u|drb, N_u|u|drs",
                "Diameter of the turn at 20 deg of rudder with the arms of the fins mended, in lengths L",
                5.3,
                hard["phoenix_published"],
                "L",
                absolute=0.05,
                why="the erratum's figure has one decimal",
                proof=proof,
            ),
            "B24",
        ),
        by_erratum(
            number(
                "hard-turn-printed",
                "table 6.2, N_u|u|drb, N_u|u|drs",
                f"The same with the printed arms (phoenix_printed; phoenix_author: {hard['phoenix_author']:.2f} L)",
                1.5,
                hard["phoenix_printed"],
                "L",
                absolute=0.05,
                why="the erratum's figure has one decimal",
                proof=proof,
            ),
            "B24",
        ),
        by_erratum(
            number(
                "dive-without-zuq",
                "table 6.2, Z_uq",
                "Depth after 60 s of the 5 deg dive when Z_uq is 0 as in the "
                f"author's program (with the printed -7.013E-2: {dive['phoenix_published'][0]:.3f} ft, erratum 5.339)",
                5.309,
                float(shallow.place_ft[-1, 2]),
                "ft",
                absolute=0.0005,
                why="the erratum's figure has three decimals",
                proof=Proof(("B21",), CODE, TESTS),
            ),
            "B21",
        ),
    ]


def signed(vehicle: Vehicle) -> Vehicle:
    """With u in place of |u| in the lift and damping terms, as (6.49)-(6.53) print them."""
    return replace(
        vehicle,
        coefficients=tuple(
            replace(one, factors=tuple("u" if factor == "|u|" else factor for factor in one.factors))
            if one.name in SIGNED
            else one
            for one in vehicle.coefficients
        ),
    )


def _energy(vehicle: Vehicle, flight: Flight) -> Array:
    """Kinetic energy of body and water, ft lb."""
    mass = plant_of(vehicle).packed.mass_matrix / (SLUG * np.outer([1.0] * 3 + [FOOT] * 3, [1.0] * 3 + [FOOT] * 3))
    nu = flight.nu * ([1.0] * 3 + [radians(1.0)] * 3)
    return 0.5 * np.einsum("ni,ij,nj->n", nu, mass, nu)


def _reverse(flown: dict[str, Flown]) -> list[Claim]:
    driven = signed(phoenix())
    astern = fly(driven, 120.0, rpm=(-700.0, -700.0))
    energy = float(_energy(driven, astern).max())
    hover = fly(driven, 60.0, volts=(0.0, 0.0, 24.0, 24.0))
    calm = fly(phoenix(), 60.0, volts=(0.0, 0.0, 24.0, 24.0))
    ends = {key: flown[key].reverse.nu[-1] for key in KEYS}
    proof = Proof(("B58",), CODE, TESTS, (FIGURE,))
    why = "half the last digit of the erratum's figure"
    return [
        contested(
            "reverse-printed",
            "equations 6.49-6.53",
            "Both screws at -700 rpm from rest, with u in the lift terms as printed, 120 s",
            f"the printed signs, flown: u {ends['phoenix_printed'][0]:.2f}, w {ends['phoenix_printed'][2]:.2f} ft/s; "
            f"the author's program, flown: u {ends['phoenix_author'][0]:.2f}, w {ends['phoenix_author'][2]:.2f} ft/s",
            "With u < 0 the terms Y_uv, Z_uw, Z_uq, M_uq "
            "and N_ur change sign and feed energy in: a drag that drives. The vehicle then moves across its own axis "
            "faster than its screws can push it along. The author's program also limits accelerations and surge.",
            ours=f"u {ends['phoenix_published'][0]:.3f}, w {ends['phoenix_published'][2]:.1e} ft/s",
            numbers={"as_printed": float(ends["phoenix_printed"][0]), "ours": float(ends["phoenix_published"][0])},
            unit="ft/s",
            proof=proof,
            off=abs(float(ends["phoenix_printed"][2])),
            limit=0.1,
            right=abs(float(ends["phoenix_published"][0]) + 2.0) < 0.01,
        ),
        by_erratum(
            number(
                "reverse-signed-heave",
                "equation 6.50",
                "Heave after 120 s at -700 rpm when only the sign of u is as printed (all else mended)",
                6.8,
                float(astern.nu[astern.at(120.0), 2]),
                "ft/s",
                absolute=0.05,
                why=why,
                proof=proof,
            ),
            "B58",
        ),
        by_erratum(
            number(
                "reverse-signed-energy",
                "equations 6.49-6.53",
                "Largest kinetic energy in that run; at -2 ft/s the vehicle has 29 ft lb",
                1168.0,
                energy,
                "ft lb",
                absolute=0.5,
                why=why,
                proof=proof,
            ),
            "B58",
        ),
        by_erratum(
            number(
                "sway-signed",
                "equations 6.49, 6.50",
                "Surge after 60 s of both lateral thrusters at +24 V, u signed as printed; it then dives at "
                f"{hover.nu[-1, 2]:.1f} ft/s (erratum 3), while the corrected vehicle heaves at "
                f"{abs(calm.nu[-1, 2]):.0e} ft/s",
                -0.42,
                float(hover.nu[-1, 0]),
                "ft/s",
                absolute=0.005,
                why=why,
                proof=proof,
            ),
            "B58",
        ),
    ]


def _tunnels(flown: dict[str, Flown]) -> list[Claim]:
    down = {key: float(flown[key].vertical.nu[-1, 2]) for key in KEYS}
    bow = {
        key: (float(flown[key].bow_vertical.nu[-1, 2]), float(flown[key].bow_vertical.euler_deg[-1, 1])) for key in KEYS
    }
    side = {key: float(flown[key].lateral.nu[-1, 1]) for key in KEYS}
    proof = Proof(("B44", "B45", "B46"), CODE, TESTS)
    pair = "bow thruster alone: heave {0:+.2f} ft/s with pitch {1:+.1f} deg"
    return [
        contested(
            "vertical-printed",
            "equations 6.50, 6.52",
            "The vertical thrusters enter heave and pitch with minus signs both",
            f"the printed signs, flown: +24 V on both, heave {down['phoenix_printed']:+.2f} ft/s after 10 s, upwards; "
            + pair.format(*bow["phoenix_printed"]),
            "The text's rule is that positive voltage pushes down; and no force at the "
            "bow lifts the vehicle while it turns the bow down. Only (+, -) agrees with the text and with M = -x Z.",
            ours=f"{down['phoenix_published']:+.2f} ft/s; " + pair.format(*bow["phoenix_published"]),
            numbers={"as_printed": down["phoenix_printed"], "ours": down["phoenix_published"]},
            unit="ft/s",
            proof=proof,
            off=max(-down["phoenix_printed"], 0.0),
            limit=0.0,
            right=down["phoenix_published"] > 0.0,
        ),
        contested(
            "thrusters-author",
            "section D.9",
            "The equations are implemented verbatim in the source code: signs of the thrusters, +24 V on both of a "
            "pair, 10 s",
            f"the printed signs, flown: heave {down['phoenix_printed']:+.2f} ft/s, sway "
            f"{side['phoenix_printed']:+.2f} ft/s",
            "The author's program of October 1994 has plus signs in heave and pitch and minus signs in sway and yaw; "
            "ours is that program, flown. Its vertical pair contradicts itself as the printed one does.",
            ours=f"heave {down['phoenix_author']:+.2f} ft/s, sway {side['phoenix_author']:+.2f} ft/s; "
            + pair.format(*bow["phoenix_author"]),
            numbers={"heave": down["phoenix_author"], "sway": side["phoenix_author"]},
            unit="ft/s",
            proof=proof,
            off=abs(down["phoenix_author"] - down["phoenix_printed"]),
            limit=0.05,
        ),
    ]


def _alike(flown: dict[str, Flown]) -> Claim:
    speeds = {key: float(flown[key].dive.nu[-1, 0]) for key in KEYS}
    apart = max(speeds.values()) - min(speeds.values())
    return statement(
        "variants-alike",
        "equation 6.48",
        "Surge ahead is the same in print, program and correction: speed in the 5 deg dive at 60 s",
        "the same",
        ", ".join(f"{word} {speeds[key]:.4f} ft/s" for key, word in KEYS.items()),
        apart < 1e-3,
        tolerance="0.001 ft/s",
        why="the three differ in lift, fins' arms and strips, not in (6.43); L is rounded in print",
        proof=Proof((), CODE, TESTS, (FIGURE,)),
    )


def _figure(flown: dict[str, Flown]) -> Drawing:
    with styled():
        figure: Figure = new_figure(UNWRITTEN, (9.6, 3.8), None)
        plan, dive, back = figure.subplots(1, 3)
        for (key, word), colour, (line, width) in zip(
            KEYS.items(), PALETTE, (("-", 1.5), ("-", 3.5), ("--", 1.5)), strict=False
        ):
            one = flown[key]
            lap = one.turn.place_ft[one.turn.euler_deg[:, 2] < 370.0]
            plan.plot(lap[:, 1], lap[:, 0], line, color=colour, linewidth=width, label=word)
            dive.plot(one.dive.time_s, one.dive.place_ft[:, 2], line, color=colour, linewidth=width)
            back.plot(one.reverse.place_ft[:, 0], one.reverse.place_ft[:, 2], line, color=colour, linewidth=width)
        plan.set(title="turn, rudders +10 / -10 deg", xlabel="east [ft]", ylabel="north [ft]", aspect="equal")
        dive.set(title="dive, planes -5 / +5 deg", xlabel="time [s]", ylabel="depth [ft]", xlim=(0.0, 60.0))
        back.set(title="screws at -700 rpm, side view", xlabel="north [ft]", ylabel="depth [ft]")
        for ax in (dive, back):
            ax.invert_yaxis()
        figure.legend(*plan.get_legend_handles_labels(), loc="outside lower center", ncols=3)
        return drawn(
            figure,
            FIGURE,
            "Equal orders to the corrected, the printed and the author's Phoenix at 700 rpm: one lap of a turn, a "
            "minute of a dive, two minutes astern. The extra L in the fin moments tightens turn and dive; going astern "
            "the printed lift terms drive the vehicle off its path (the water has neither surface nor bottom here).",
        )
