"""Section IV.B without a controller: depth over pitch of steady level runs along the surface.

At a given speed and pitch a level run needs the moment about y and the force along z to vanish. The stern planes see to
the first, so the second settles the depth: the steady states are one curve, and a controller only picks its point.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from pelagos.analysis.page import COMMAND, PALETTE, UNWRITTEN, new_figure, styled
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Body, FreeSurfaceModel, Shape, Vehicle
from pelagos.world.spec import World
from pelagos_evidence.claim import Claim
from pelagos_evidence.document import Drawing, drawn
from pelagos_evidence.hunt import printed
from pelagos_evidence.hunt.surfacing_flights import LAWS, Flights, in_turns, swing
from pelagos_evidence.rows import Array, Rows, Values

SPEED_M_S = 1.3  # printed
LENGTHS_M = (1.5, 1.7, 1.9, 2.1)  # hulls of the maker's range and somewhat beyond
REST_M = 0.13  # depth at rest, printed
RESTS_M = (0.115, 0.12, 0.13, 0.14, 0.15)  # depths at rest to solve the mast from
DEEP_M = 1.0  # all wet: deeper changes nothing
HALVINGS = 20  # a depth to 1 µm
FIGURE = "hunt-surface-runs"
PRINTED_M, ROUNDING_M = 0.13, 0.005  # depth on the surface; half of its last digit


ROWS = Rows(__file__, LENGTHS_M=LENGTHS_M, RESTS_M=RESTS_M)


class SteadyRun:
    """A vehicle held in straight, level flight at 1.3 m/s, its stern planes set so that it does not pitch."""

    def __init__(self, of: Vehicle) -> None:
        self.plant = Plant(of, sea=World().packed())

    def wrench(self, depth_m: float, pitch: float, plane: float) -> Array:
        """Sum of all forces and moments but the thrust, which pushes through the centre of mass along x."""
        speed = (SPEED_M_S * math.cos(pitch), 0.0, SPEED_M_S * math.sin(pitch), 0.0, 0.0, 0.0)
        self.plant.place(position_n=(0.0, 0.0, depth_m), euler=(0.0, pitch, 0.0), nu=speed)
        self.plant.set_actuators(surfaces=[0.0, plane], at_once=True)
        return sum(self.plant.forces().values(), np.zeros(6))

    def plane(self, depth_m: float, pitch: float) -> float:
        """Angle of the stern planes that leaves no moment about y, rad; the moment is linear in it."""
        free, turned = (float(self.wrench(depth_m, pitch, plane)[4]) for plane in (0.0, 0.1))
        return 0.1 * free / (free - turned)

    def sinking(self, depth_m: float, pitch: float) -> float:
        """Force along z, N, with the moment balanced."""
        return float(self.wrench(depth_m, pitch, self.plane(depth_m, pitch))[2])

    def depth(self, pitch: float) -> float:
        """Depth of the centre of mass, m, at which this pitch keeps it level; infinite if it dives at any depth."""
        low, high = 0.0, DEEP_M
        if self.sinking(high, pitch) > 0.0:
            return math.inf
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if self.sinking(middle, pitch) > 0.0 else (low, middle)
        return 0.5 * (low + high)

    def nose_up_at(self, depth_m: float) -> float:
        """Pitch, rad, between 0 and 6 deg, of the level run at a depth; there a steeper pitch runs deeper."""
        low, high = 0.0, math.radians(6.0)
        for _ in range(HALVINGS - 6):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if self.depth(middle) < depth_m else (low, middle)
        return 0.5 * (low + high)

    def submerged_pitch(self) -> float:
        """Pitch, rad, of level flight with the whole hull under water."""
        low, high = math.radians(-10.0), math.radians(10.0)
        for _ in range(2 * HALVINGS):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if self.sinking(DEEP_M, middle) > 0.0 else (low, middle)
        return 0.5 * (low + high)


def without_lift(of: Vehicle) -> Vehicle:
    """The vehicle with stern planes that give a moment and no force."""
    kept = tuple(c for c in of.coefficients if not (c.axis == 2 and "ds" in c.factors))
    return replace(of, coefficients=kept)


def submerged(of: Vehicle) -> Vehicle:
    """The document's submerged model of it."""
    return replace(of, free_surface=FreeSurfaceModel("submerged"))


def awash_depth(of: Vehicle, length_m: float) -> float:
    """Depth of the centre of mass, m, with the top of a level hull just at the surface.

    From table I (12.5 N m) and the diameter of the hull alone: the buoyancy of a hull of this length stands
    12.5 N m/(rho g V) above the centre of mass. The mast, 1 % of the volume, is left out, and so is the printed 0.13 m.
    """
    radius = of.shapes[0].size_m[1]
    buoyancy = of.water.density_kg_m3 * of.water.gravity_m_s2 * math.pi * radius**2 * length_m
    return -float(printed.RIGHTING_N_M[2]) / buoyancy + radius


def with_length(of: Vehicle, length_m: float, rest_m: float = REST_M) -> Vehicle:
    """A hull of another length, its mast solved once more from table I, the depth at rest and the nose that touches.

    Level but for the nose; the vehicle file has the solution for 1.9 m and 0.13 m (erratum H11).
    """
    weight_per_m3 = of.water.density_kg_m3 * of.water.gravity_m_s2
    radius, thin = (shape.size_m[1] for shape in of.shapes)
    hull, section = math.pi * radius**2 * length_m, math.pi * thin**2
    dry = printed.NET_BUOYANCY_N / weight_per_m3 / section
    mast, axis, center = dry, 0.0, 0.0
    for _ in range(50):  # its wet foot and the height of the hull's axis depend on one another
        volume = hull + section * mast
        center = float(printed.RIGHTING_N_M[2]) / (weight_per_m3 * volume)
        axis = center + section * mast * (radius + 0.5 * mast) / volume
        mast = dry + rest_m + axis - radius
    pitch = 2.0 * (rest_m + axis - radius) / length_m
    aft = float(printed.RIGHTING_N_M[2]) * pitch / printed.NET_BUOYANCY_N
    volume = hull + section * mast
    mass = volume * of.water.density_kg_m3 - printed.NET_BUOYANCY_N / of.water.gravity_m_s2
    body = Body(mass, volume, (0.0, 0.0, 0.0), (0.0, 0.0, center), of.body.inertia_o)
    rigid = np.diag([mass] * 3 + list(np.diag(of.body.inertia_o)))
    shapes = (
        Shape("cylinder", (0.0, 0.0, axis), (length_m, radius)),
        Shape("cylinder", (aft, 0.0, axis - radius - 0.5 * mast), (mast, thin), axis="z"),
    )
    return replace(of, body=body, added_mass=printed.MASS - rigid, shapes=shapes, length_m=length_m)


def trim_claims(of: Vehicle, flights: Flights) -> tuple[Claim, ...]:
    """The rows of the steady runs."""
    return ROWS.claims(trim_values(of, flights))


def trim_values(of: Vehicle, flights: Flights) -> Values:
    """Values of steady level runs along the surface at 1.3 m/s, independent of the controller."""
    run = SteadyRun(of)
    pitches = np.radians(np.linspace(-1.8, 5.0, 18))
    shallowest = min(run.depth(float(pitch)) for pitch in pitches)
    return {
        "surface-runs": shallowest,
        **depth_and_pitch_values(of),
        **not_circular_values(of, flights),
        **_submerged_pitch(of),
        **on_the_curve_values(run, flights),
    }


def depth_and_pitch_values(of: Vehicle) -> Values:
    """The two statements on the hybrid model, 0.13 m and nose up, belong to one steady run; for any length of hull."""
    hulls = [SteadyRun(with_length(of, length)) for length in LENGTHS_M]
    pitches = [math.degrees(hull.nose_up_at(PRINTED_M)) for hull in hulls]
    level = [hull.depth(0.0) for hull in hulls]
    most = PRINTED_M - ROUNDING_M
    return {
        "depth-and-pitch": {
            "holds": all(0.0 < pitch < 5.9 for pitch in pitches) and max(level) < most,
            "found": pitches,
            "level": level,
        }
    }


def not_circular_values(of: Vehicle, flights: Flights) -> Values:
    """Under way the nose is out of the water, and the mast, which the rest was solved with, hardly matters."""
    pitch = float(np.mean(in_turns(flights.hybrid, "pitch_deg")))
    length = of.shapes[0].size_m[0]
    depths = [SteadyRun(with_length(of, length, rest)).depth(math.radians(pitch)) for rest in RESTS_M]
    return {
        "not-from-the-rest": {
            "holds": all(abs(depth - PRINTED_M) <= ROUNDING_M for depth in depths)
            and np.ptp(depths) < 0.1 * np.ptp(RESTS_M),
            "pitch": pitch,
            "depths": depths,
            "printed_m": PRINTED_M,
            "depth": np.mean(depths),
            "rounding_m": ROUNDING_M,
        }
    }


def _submerged_pitch(of: Vehicle) -> Values:
    model = submerged(of)
    with_planes, bare = SteadyRun(model), SteadyRun(without_lift(model))
    below, no_lift = math.degrees(with_planes.submerged_pitch()), math.degrees(bare.submerged_pitch())
    left = abs(with_planes.sinking(-0.2, math.radians(below)))
    return {
        "submerged-pitch": {
            "holds": below < 0.0 and no_lift < 0.0 and left < 1e-6,
            "below": below,
            "no_lift": no_lift,
            "left": left,
        }
    }


def on_the_curve_values(run: SteadyRun, flights: Flights) -> Values:
    """Flown steady states against statics."""
    off = [
        depth - run.depth(math.radians(pitch))
        for log in (flights.hybrid, flights.hybrid_plain)
        for depth, pitch in zip(in_turns(log, "depth_m"), in_turns(log, "pitch_deg"), strict=True)
    ]
    worst = float(np.abs(off).max())
    return {"flown-on-the-curve": {"value": worst, "worst_mm": 1e3 * worst, "count": len(off)}}


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
        "hull runs just awash; nose down the mast goes under. Points: the turns as flown; the bar is the range of the "
        "autopilot that is unaware of the surface, which does not settle."
    )
    return drawn(figure, FIGURE, caption, dpi=100)
