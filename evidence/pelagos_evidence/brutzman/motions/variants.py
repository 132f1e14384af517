"""Compare the corrected vehicle, the printed one and that of the author's program: turn, dive, reverse."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import radians
from typing import TYPE_CHECKING

import numpy as np

from pelagos.analysis.page import PALETTE, UNWRITTEN, new_figure, styled
from pelagos.units import FOOT, SLUG
from pelagos.vehicle.spec import Vehicle
from pelagos_evidence.brutzman.motions.closed_forms import L
from pelagos_evidence.brutzman.motions.flights import SCREWS, PhoenixFlight, fly, phoenix, plant_of
from pelagos_evidence.document import Drawing, Findings, Progress, drawn
from pelagos_evidence.rows import Array, Rows, Values

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KEYS = {"phoenix_published": "corrected", "phoenix_printed": "as printed", "phoenix_author": "author's program"}
SIGNED = ("Y_uv", "Z_uw", "Z_uq", "M_uq", "N_ur")
FIGURE = "brutzman-variants"


ROWS = Rows(__file__)


@dataclass(frozen=True, eq=False)
class VariantFlights:
    """Runs of one of the three vehicle variants with the same commands."""

    turn: PhoenixFlight  # rudders 10 deg
    hard_turn: PhoenixFlight  # rudders 20 deg
    dive: PhoenixFlight  # planes 5 deg
    reverse: PhoenixFlight  # -700 rpm
    vertical: PhoenixFlight  # both vertical tunnels, +24 V
    bow_vertical: PhoenixFlight  # the bow one alone
    lateral: PhoenixFlight  # both lateral tunnels, +24 V


def run(progress: Progress) -> Findings:
    """Fly the three variants."""
    flown: dict[str, VariantFlights] = {}
    for done, key in enumerate(KEYS):
        flown[key] = _flown(phoenix(key))
        progress(0.25 * (done + 1))
    values = {**_fins(flown), **_reverse(flown), **_tunnels(flown), **_alike(flown)}
    return Findings(ROWS.claims(values), (_figure(flown),))


def _flown(vehicle: Vehicle) -> VariantFlights:
    """Fly one variant by its own method and step: the author's program has 0.1 s and his averaging."""

    def go(
        seconds: float,
        *,
        rpm: tuple[float, ...] = (0.0, 0.0),
        volts: tuple[float, ...] = (0.0,) * 4,
        fins: tuple[float, ...] = (0.0,) * 4,
        u: float = 0.0,
    ) -> PhoenixFlight:
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

    return VariantFlights(
        go(180.0, rpm=SCREWS, fins=(10.0, -10.0, 0.0, 0.0), u=2.0),
        go(180.0, rpm=SCREWS, fins=(20.0, -20.0, 0.0, 0.0), u=2.0),
        go(60.0, rpm=SCREWS, fins=(0.0, 0.0, -5.0, 5.0), u=2.0),
        go(120.0, rpm=(-700.0, -700.0)),
        go(10.0, volts=(24.0, 24.0, 0.0, 0.0)),
        go(10.0, volts=(24.0, 0.0, 0.0, 0.0)),
        go(10.0, volts=(0.0, 0.0, 24.0, 24.0)),
    )


def _diameter(turn: PhoenixFlight) -> float:
    """Diameter of the settled circle, ft: twice the speed over the yaw rate."""
    u, v, r = turn.nu[-1, 0], turn.nu[-1, 1], radians(turn.nu[-1, 5])
    return 2.0 * float(np.hypot(u, v) / abs(r))


def _fins(flown: dict[str, VariantFlights]) -> Values:
    turn = {key: _diameter(flown[key].turn) for key in KEYS}
    hard = {key: _diameter(flown[key].hard_turn) / L for key in KEYS}
    dive = {key: (flown[key].dive.place_ft[-1, 2], flown[key].dive.euler_deg[-1, 1]) for key in KEYS}
    printed = {
        coefficient.name: coefficient.published or 0.0 for coefficient in phoenix("phoenix_printed").coefficients
    }
    arm = abs(printed["N_u|u|drs"] / printed["Y_u|u|drs"]) * L  # ft: the moment over the force
    lifted = phoenix()
    without = replace(
        lifted, coefficients=tuple(coefficient for coefficient in lifted.coefficients if coefficient.name != "Z_uq")
    )
    shallow = fly(without, 60.0, rpm=SCREWS, fins_deg=(0.0, 0.0, -5.0, 5.0), surge_ft_s=2.0, every_s=60.0)
    return {
        "fin-arms-printed": {"off": max(arm - 0.5 * L, 0.0), "turn": turn, "dive": dive},
        "hard-turn": hard["phoenix_published"],
        "hard-turn-printed": {"ours": hard["phoenix_printed"], "hard": hard},
        "dive-without-zuq": {"ours": float(shallow.place_ft[-1, 2]), "dive": dive},
    }


def signed(vehicle: Vehicle) -> Vehicle:
    """With u in place of |u| in the lift and damping terms, as (6.49)-(6.53) print them."""
    return replace(
        vehicle,
        coefficients=tuple(
            replace(coefficient, factors=tuple("u" if factor == "|u|" else factor for factor in coefficient.factors))
            if coefficient.name in SIGNED
            else coefficient
            for coefficient in vehicle.coefficients
        ),
    )


def _energy(vehicle: Vehicle, flight: PhoenixFlight) -> Array:
    """Kinetic energy of body and water, ft lb."""
    mass = plant_of(vehicle).packed.mass_matrix / (SLUG * np.outer([1.0] * 3 + [FOOT] * 3, [1.0] * 3 + [FOOT] * 3))
    nu = flight.nu * ([1.0] * 3 + [radians(1.0)] * 3)
    return 0.5 * np.einsum("ni,ij,nj->n", nu, mass, nu)


def _reverse(flown: dict[str, VariantFlights]) -> Values:
    driven = signed(phoenix())
    astern = fly(driven, 120.0, rpm=(-700.0, -700.0))
    energy = float(_energy(driven, astern).max())
    hover = fly(driven, 60.0, volts=(0.0, 0.0, 24.0, 24.0))
    calm = fly(phoenix(), 60.0, volts=(0.0, 0.0, 24.0, 24.0))
    ends = {key: flown[key].reverse.nu[-1] for key in KEYS}
    return {
        "reverse-printed": {
            "off": abs(float(ends["phoenix_printed"][2])),
            "right": abs(float(ends["phoenix_published"][0]) + 2.0) < 0.01,
            "ends": ends,
        },
        "reverse-signed-heave": float(astern.nu[astern.at(120.0), 2]),
        "reverse-signed-energy": energy,
        "sway-signed": {"ours": float(hover.nu[-1, 0]), "heave": hover.nu[-1, 2], "heave_calm": abs(calm.nu[-1, 2])},
    }


def _tunnels(flown: dict[str, VariantFlights]) -> Values:
    down = {key: float(flown[key].vertical.nu[-1, 2]) for key in KEYS}
    bow = {
        key: (float(flown[key].bow_vertical.nu[-1, 2]), float(flown[key].bow_vertical.euler_deg[-1, 1])) for key in KEYS
    }
    side = {key: float(flown[key].lateral.nu[-1, 1]) for key in KEYS}
    return {
        "vertical-printed": {
            "off": max(-down["phoenix_printed"], 0.0),
            "right": down["phoenix_published"] > 0.0,
            "bow": bow,
            "down": down,
        },
        "thrusters-author": {
            "off": abs(down["phoenix_author"] - down["phoenix_printed"]),
            "down": down,
            "side": side,
            "bow": bow,
        },
    }


def _alike(flown: dict[str, VariantFlights]) -> Values:
    speeds = {key: float(flown[key].dive.nu[-1, 0]) for key in KEYS}
    apart = max(speeds.values()) - min(speeds.values())
    return {
        "variants-alike": {
            "value": apart,
            "ours": ", ".join(f"{word} {speeds[key]:.4f} ft/s" for key, word in KEYS.items()),
        }
    }


def _figure(flown: dict[str, VariantFlights]) -> Drawing:
    with styled():
        figure: Figure = new_figure(UNWRITTEN, (9.6, 3.8), None)
        plan, dive, back = figure.subplots(1, 3)
        for (key, word), colour, (line, width) in zip(
            KEYS.items(), PALETTE, (("-", 1.5), ("-", 3.5), ("--", 1.5)), strict=False
        ):
            flight = flown[key]
            lap = flight.turn.place_ft[flight.turn.euler_deg[:, 2] < 370.0]
            plan.plot(lap[:, 1], lap[:, 0], line, color=colour, linewidth=width, label=word)
            dive.plot(flight.dive.time_s, flight.dive.place_ft[:, 2], line, color=colour, linewidth=width)
            back.plot(flight.reverse.place_ft[:, 0], flight.reverse.place_ft[:, 2], line, color=colour, linewidth=width)
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
