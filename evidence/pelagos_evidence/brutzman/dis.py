"""Compare the chapter's posture reports over DIS with the vehicle they report, and with reports by dead reckoning.

One Entity State PDU of the Phoenix is written to bytes, read back and compared with the vehicle. On two flights
reports ten times a second are compared with reports that are sent only when dead reckoning is off.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from math import degrees
from typing import TYPE_CHECKING

import numpy as np

from pelagos.analysis.page import PALETTE, UNWRITTEN, new_figure, styled
from pelagos.dead_reckoning import reckon
from pelagos.frames import rotation_from_quaternion
from pelagos.geodesy import DEFAULT_ORIGIN, rotation_eb
from pelagos.links.dis.own_entity import OwnEntity
from pelagos.links.dis.parts import channels
from pelagos.links.dis.publisher import EntityMotion, Rule
from pelagos.links.dis.rates import ALGORITHMS, FIXED_HZ, THRESHOLDS, WatchedRule, fly
from pelagos.links.dis.wire.entity_state import EntityState
from pelagos.links.dis.wire.header import Header
from pelagos.links.dis.wire.pdu import decode, encode
from pelagos.links.dis.wire.records import Articulation, EntityId
from pelagos.sim.simulation import Simulation
from pelagos.world.spec import World
from pelagos_evidence.document import Drawing, Findings, Progress, drawn
from pelagos_evidence.rows import Rows, Values

if TYPE_CHECKING:
    from matplotlib.figure import Figure


SOURCES = ("thruster", "surface", "sonar")
SCENARIOS = {"phoenix-cruise-to-hover": "cruise, then hover", "phoenix-hover": "hover"}
INTERVAL_S = 0.1
FIGURE = "brutzman-dis"
Study = dict[str, tuple[float, list[WatchedRule]]]


ROWS = Rows(__file__)


def packet() -> tuple[Simulation, EntityState]:
    """The Phoenix under way with deflected fins and running thrusters, and its PDU after encoding and decoding."""
    sim = Simulation("phoenix", World(depth_m=15.0), sensors=True)
    sim.place(depth_m=5.0, heading_deg=70.0, surge_m_s=0.5, yaw_rate_deg_s=3.0)
    sim.thrust(port_screw_rpm=600.0, starboard_screw_rpm=500.0, bow_vertical_V=12.0, stern_lateral_V=-6.0)
    sim.deflect(bow_rudders_deg=10.0, stern_rudders_deg=-10.0, bow_planes_deg=5.0, stern_planes_deg=-5.0)
    publisher = OwnEntity(sim, EntityId(1, 1, 1), "phoenix", Rule(), DEFAULT_ORIGIN)
    for _ in range(20):
        sim.tick()
        publisher.update_motion()
    state = publisher.state(Header(), 0.0, still=False)
    assert state is not None  # the first is always due
    read = decode(encode(state))
    assert isinstance(read, EntityState)
    return sim, read


def entity_state(sim: Simulation, pdu: EntityState) -> Values:
    """Posture, velocities and accelerations of a PDU compared with those of its vehicle."""
    motion = EntityMotion.of(sim)
    R = DEFAULT_ORIGIN.R_en @ rotation_from_quaternion(motion.quaternion)
    acceleration = pdu.reckoning.acceleration
    off = {
        "position": (np.subtract(pdu.location, DEFAULT_ORIGIN.to_geocentric(motion.position_n)), "m"),
        "attitude": (rotation_eb(*pdu.orientation) - R, "rad"),
        "velocity": (np.subtract(pdu.velocity, R @ motion.velocity_b), "m/s"),
        "rates of turn": (np.subtract(pdu.reckoning.angular_velocity, motion.rates_b), "rad/s"),
    }
    worst = {name: float(np.abs(rest).max()) for name, (rest, _) in off.items()}
    return {
        "entity-state": {
            "holds": max(worst.values()) < 1e-6 and any(acceleration),
            "ours": f"all four, of {len(encode(pdu))} bytes read back; off by "
            + ", ".join(f"{name} {value:.0e} {off[name][1]}" for name, value in worst.items())
            + f"; acceleration {1e3 * float(np.linalg.norm(acceleration)):.1f} mm/s2",
        }
    }


def articulated(sim: Simulation, pdu: EntityState) -> Values:
    """Articulation records of a PDU compared with the state of the actuators."""
    named = channels(sim.vehicle)
    stand = sim.plant.state["actuators"]
    true = [
        float(stand["thruster" if channel.source == "thruster" else "surface"][channel.index])
        for channel in named
        if channel.source != "sonar"
    ]
    values = [part.value for part in pdu.parts if isinstance(part, Articulation)]
    echo = dict(zip((channel.item for channel in named if channel.source == "sonar"), values[len(true) :], strict=True))
    parts = {source: len({channel.part for channel in named if channel.source == source}) for source in SOURCES}
    return {
        "articulated": {
            "holds": bool(np.allclose(values[: len(true)], true, rtol=1e-6, atol=0.0))
            and parts == {"thruster": 6, "surface": 4, "sonar": 1}
            and abs(echo[2] - (sim.world.depth_m - sim.evaluate().position_n[2])) < 0.5,
            "parts": parts,
            "records": len(true),
            "echo": echo,
        }
    }


def run(progress: Progress) -> Findings:
    """Fly both missions once; all rules of sending are evaluated on the same motion."""
    study: Study = {}
    motions: list[EntityMotion] = []
    for done, scenario in enumerate(SCENARIOS):
        study[scenario] = fly(scenario, motions=motions if done == 0 else None)
        progress(0.45 * (done + 1))
    values = {**_rates(study), **_limits(study), **_acceleration(motions)}
    sim, pdu = packet()
    values |= {**entity_state(sim, pdu), **articulated(sim, pdu), **_processing(), **_modes(motions)}
    return Findings(ROWS.claims(values), (_figure(study),))


def _rates(study: Study) -> Values:
    rates = {word: study[scenario][1][-1].sent / study[scenario][0] for scenario, word in SCENARIOS.items()}
    claims: Values = {
        "fixed-rate": {"published": FIXED_HZ, "ours": max(rates.values(), key=lambda rate: abs(rate - FIXED_HZ))},
    }
    for scenario, word in SCENARIOS.items():
        seconds, watched = study[scenario]
        fixed, standard = watched[-1], watched[ALGORITHMS.index(4)]
        claims[f"adaptive-{scenario}"] = {
            "value": standard.sent / fixed.sent,
            "word": word,
            "adaptive_rate": standard.sent / seconds,
            "fixed_rate": fixed.sent / seconds,
            "rate_ratio": fixed.sent / standard.sent,
            "standard": standard,
            "worst_deg": degrees(standard.worst_rad),
        }
    return claims


def _limits(study: Study) -> Values:
    gaps = [round(float(np.diff(observer.times_s).max()), 9) for _, watched in study.values() for observer in watched]
    over_m, over_deg = zip(
        *(
            (observer.worst_m - observer.rule.threshold_m, degrees(observer.worst_rad) - observer.rule.threshold_deg)
            for _, watched in study.values()
            for observer in watched[:-1]
        ),
        strict=True,
    )
    fine = {
        scenario: [watched[len(ALGORITHMS) + k].sent / seconds for k in range(len(ALGORITHMS))]
        for scenario, (seconds, watched) in study.items()
    }
    return {
        "keep-alive": max(gaps),
        "thresholds-kept": {
            "holds": max(over_m) < 0.12 and max(over_deg) < 3.0,
            "excess_m": max(over_m),
            "excess_deg": max(over_deg),
        },
        "algorithm-choice": {
            "holds": all(rates[1] < rates[0] for rates in fine.values()),
            "ours": "; ".join(
                f"{word}: {fine[key][0]:.2f} a second without rotation and acceleration (algorithm 2), "
                f"{fine[key][1]:.2f} with both (algorithm 4)"
                for key, word in SCENARIOS.items()
            )
            + ", at 0.05 m and 1 deg",
        },
        "world-or-body": {
            "value": max(abs(rates[2] / rates[1] - 1.0) for rates in fine.values()),
            "ours": "; ".join(
                f"{word}: {fine[key][1]:.2f} a second in world axes (algorithm 4), {fine[key][2]:.2f} in body axes "
                "(algorithm 8)"
                for key, word in SCENARIOS.items()
            ),
        },
    }


def _acceleration(motions: Sequence[EntityMotion]) -> Values:
    """World accelerations from body accelerations, with and without the rotation of the body axes."""
    turning = [k for k in range(1, len(motions)) if abs(motions[k].rates_b[2]) > np.radians(2.0)]
    true = np.array([(motions[k].velocity_n - motions[k - 1].velocity_n) / INTERVAL_S for k in turning])
    ours = np.array([motions[k].acceleration_n for k in turning])
    bare = np.array([ours[i] - np.cross(*_world(motions[k])) for i, k in enumerate(turning)])
    off, off_bare = (float(np.sqrt(np.mean((estimate - true) ** 2))) for estimate in (ours, bare))
    return {
        "world-acceleration": {
            "value": off / off_bare,
            "instants": len(turning),
            "off": 1e3 * off,
            "off_bare": 1e3 * off_bare,
        }
    }


def _world(motion: EntityMotion) -> tuple[np.ndarray, np.ndarray]:
    """Turning rate and velocity in world axes; rotated body accelerations lack their cross product."""
    turned = EntityMotion(
        motion.position_n, motion.quaternion, motion.rates_b, motion.rates_b, motion.rates_b
    ).velocity_n
    return turned, motion.velocity_n


def _processing() -> Values:
    """Computing time of dead reckoning in world and in body axes, on this machine."""
    place, attitude = np.array([10.0, 5.0, 3.0]), np.array([0.8, 0.0, 0.0, 0.6])
    velocity, rate, turn = np.array([0.6, 0.1, 0.0]), np.array([0.02, 0.0, 0.0]), np.array([0.0, 0.0, 0.05])
    taken = {}
    for algorithm in (4, 8):
        best = float("inf")
        for _ in range(5):
            begun = time.perf_counter()
            for _ in range(400):
                reckon(algorithm, 1.5, place, attitude, velocity, rate, turn)
            best = min(best, time.perf_counter() - begun)
        taken[algorithm] = best
    ratio = taken[4] / taken[8]
    return {
        "world-processing": {
            "why": "Program and machine of that experiment are not known. Ours is the time of our own extrapolation by "
            "algorithm 4 against algorithm 8, on this machine; world axes are the cheaper ones here too."
            if ratio < 1.0
            else "Program and machine of that experiment are not known. Ours is the time of our own extrapolation by "
            "algorithm 4 against algorithm 8.",
            "ratio": 100.0 * ratio,
        }
    }


def _modes(motions: Sequence[EntityMotion]) -> Values:
    surge = np.array([motion.velocity_b[0] for motion in motions])
    places = np.array([motion.position_n for motion in motions])
    last = places[-600:]
    spread = float(np.linalg.norm(last - last.mean(axis=0), axis=1).max())
    return {
        "cruise-and-hover": {
            "holds": surge.max() > 0.4 and spread < 0.5,
            "largest_speed": surge.max(),
            "spread": spread,
        }
    }


def _figure(study: Study) -> Drawing:
    names = ["2: position", "4: world axes", "8: body axes"]
    with styled():
        figure: Figure = new_figure(UNWRITTEN, (8.8, 3.6), None)
        panels = figure.subplots(1, 2, sharey=True)
        for ax, (scenario, word) in zip(panels, SCENARIOS.items(), strict=True):
            seconds, watched = study[scenario]
            for k, ((far, turn), colour) in enumerate(zip(THRESHOLDS, PALETTE, strict=False)):
                rates = [watched[k * len(ALGORITHMS) + i].sent / seconds for i in range(len(ALGORITHMS))]
                at = np.arange(len(ALGORITHMS)) + 0.36 * (k - 0.5)
                bars = ax.bar(at, rates, 0.34, color=colour, label=f"{far:g} m, {turn:g} deg")
                ax.bar_label(bars, fmt="%.2f", fontsize=7.5)
            bars = ax.bar(len(ALGORITHMS), watched[-1].sent / seconds, 0.5, color=PALETTE[8], label="fixed rate")
            ax.bar_label(bars, fmt="%.1f", fontsize=7.5)
            ax.set(title=word, yscale="log", ylim=(0.1, 20.0))
            ax.set_xticks(range(len(ALGORITHMS) + 1), [*names, "fixed 10 Hz"])
        panels[0].set(ylabel="Entity State PDUs a second")
        panels[0].legend(loc="upper left")
        return drawn(
            figure,
            FIGURE,
            "Posture reports a second on two flights of the Phoenix: Brutzman's fixed 10 Hz, and dead reckoning by "
            "algorithms 2 (position and velocity), 4 and 8 (also rotation and acceleration) at two pairs of "
            "thresholds.",
        )
