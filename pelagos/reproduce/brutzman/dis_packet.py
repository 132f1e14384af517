"""One Entity State PDU of the Phoenix, through its bytes: what section F says it holds, against the vehicle itself."""

from __future__ import annotations

import numpy as np

from pelagos.frames import rotation_from_quaternion
from pelagos.geodesy import DEFAULT_ORIGIN, rotation_eb
from pelagos.links.dis.articulation import Articulation
from pelagos.links.dis.entity_state import EntityState
from pelagos.links.dis.header import Header
from pelagos.links.dis.own import Own
from pelagos.links.dis.parts import channels
from pelagos.links.dis.pdu import decode, encode
from pelagos.links.dis.publisher import Motion, Rule
from pelagos.links.dis.records import EntityId
from pelagos.reproduce.claim import Claim, Proof, statement
from pelagos.sim.simulation import Simulation
from pelagos.world.spec import World

SOURCES = ("thruster", "surface", "sonar")


def packet() -> tuple[Simulation, EntityState]:
    """The Phoenix under way with fins over and thrusters on, and the PDU that others read of it, through its bytes."""
    sim = Simulation("phoenix", World(depth_m=15.0), sensors=True)
    sim.place(depth_m=5.0, heading_deg=70.0, surge_m_s=0.5, yaw_rate_deg_s=3.0)
    sim.thrust(port_screw_rpm=600.0, starboard_screw_rpm=500.0, bow_vertical_V=12.0, stern_lateral_V=-6.0)
    sim.deflect(bow_rudders_deg=10.0, stern_rudders_deg=-10.0, bow_planes_deg=5.0, stern_planes_deg=-5.0)
    own = Own(sim, EntityId(1, 1, 1), "phoenix", Rule(), DEFAULT_ORIGIN)
    for _ in range(20):
        sim.tick()
        own.moved()
    state = own.state(Header(), 0.0, still=False)
    assert state is not None  # the first is always due
    read = decode(encode(state))
    assert isinstance(read, EntityState)
    return sim, read


def entity_state(sim: Simulation, told: EntityState) -> Claim:
    """Posture, velocities and accelerations of a PDU against the vehicle that it tells of."""
    motion = Motion.of(sim)
    R = DEFAULT_ORIGIN.R_en @ rotation_from_quaternion(motion.quaternion)
    acceleration = told.reckoning.acceleration
    off = {
        "position": (np.subtract(told.location, DEFAULT_ORIGIN.to_geocentric(motion.position_n)), "m"),
        "attitude": (rotation_eb(*told.orientation) - R, "rad"),
        "velocity": (np.subtract(told.velocity, R @ motion.velocity_b), "m/s"),
        "rates of turn": (np.subtract(told.reckoning.angular_velocity, motion.rates_b), "rad/s"),
    }
    worst = {name: float(np.abs(rest).max()) for name, (rest, _) in off.items()}
    return statement(
        "entity-state",
        "section F",
        "Entity state PDUs contain posture, and optionally linear velocity, angular velocity and linear acceleration",
        "posture; velocity, rates, acceleration",
        f"all four, of {len(encode(told))} bytes read back; off by "
        + ", ".join(f"{name} {value:.0e} {off[name][1]}" for name, value in worst.items())
        + f"; acceleration {1e3 * float(np.linalg.norm(acceleration)):.1f} mm/s2",
        max(worst.values()) < 1e-6 and any(acceleration),
        tolerance="1e-6 each; the acceleration not zero",
        why="the standard has 32 bits for velocities and angles, seven digits",
        proof=Proof((), ("pelagos.links.dis.own.Own",), ("tests/links/dis/test_own.py",)),
    )


def articulated(sim: Simulation, told: EntityState) -> Claim:
    """The records of a PDU against the actuators as they stand."""
    found = channels(sim.vehicle)
    stand = sim.plant.state["actuators"]
    true = [
        float(stand["thruster" if one.source == "thruster" else "surface"][one.index])
        for one in found
        if one.source != "sonar"
    ]
    values = [part.value for part in told.parts if isinstance(part, Articulation)]
    echo = dict(zip((one.item for one in found if one.source == "sonar"), values[len(true) :], strict=True))
    parts = {source: len({one.part for one in found if one.source == source}) for source in SOURCES}
    return statement(
        "articulated",
        "section F",
        "Thrust, control plane and sonar values are embedded as articulated parameters in the entity state PDUs",
        "thrust, planes, sonar",
        f"{parts['thruster']} propulsors and {parts['surface']} pairs of fins as they stand, in {len(true)} records; "
        f"{parts['sonar']} sonar, {echo[2]:.1f} m to the bottom",
        bool(np.allclose(values[: len(true)], true, rtol=1e-6, atol=0.0))
        and parts == {"thruster": 6, "surface": 4, "sonar": 1}
        and abs(echo[2] - (sim.world.depth_m - sim.look().position_n[2])) < 0.5,
        tolerance="all; 1e-6 of the values, 0.5 m of the range",
        why="32 bits; the vehicle is tilted, and the sonar has its own errors",
        proof=Proof((), ("pelagos.links.dis.parts.channels",), ("tests/links/dis/test_parts.py",)),
    )
