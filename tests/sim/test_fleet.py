"""Vehicles that meet: momentum is kept, they do not pass through each other, and the collision is told once."""

import numpy as np
import pytest

import pelagos
from pelagos.errors import CommandError
from pelagos.frames import rotation_from_quaternion
from pelagos.sim.fleet import RESTITUTION, Fleet
from pelagos.sim.hull_collision import SKIN_M, HullBody, Pose, contact_jacobian, nearest
from pelagos.sim.simulation import Simulation

CALM = pelagos.World(depth_m=50.0)


def pair(gap_m, speed=0.5, across_m=0.0, other_heading=180.0, keys=("bluerov2_heavy", "bluerov2_heavy")):
    """Two ROVs nose to nose, `gap_m` between their origins, each going ahead."""
    sims = [Simulation(key, CALM, name=name) for key, name in zip(keys, ("a", "b"), strict=True)]
    sims[0].place(depth_m=10.0, surge_m_s=speed)
    sims[1].place(north_m=gap_m, east_m=across_m, depth_m=10.0, heading_deg=other_heading, surge_m_s=speed)
    return sims


def meeting(a, b):
    touch = nearest(HullBody.of(a), Pose.of(a), HullBody.of(b), Pose.of(b))
    assert touch is not None
    return touch


def test_a_head_on_collision_is_told_once_to_both_and_they_stay_apart():
    sims = pair(2.0)
    for sim in sims:
        sim.pilot(surge=0.6)
    fleet = Fleet(sims)
    logs = fleet.run(12.0)
    assert set(logs) == {"a", "b"}
    assert len(fleet.collisions) == 1
    event = fleet.collisions[0]
    assert event.kind == "collision" and event.text.startswith("a and b collided at")
    assert next(e.text for e in logs["b"].events if e.kind == "collision") == event.text


def test_they_never_pass_through_each_other():
    """Pushed together for a long time they may slide off, but after each interval no hull is left inside the other."""
    sims = pair(1.0)
    for sim in sims:
        sim.pilot(surge=0.6)
    fleet, met = Fleet(sims), 0
    for _ in range(150):
        fleet.tick()
        touch = meeting(sims[0].plant, sims[1].plant)
        assert touch.gap > -SKIN_M
        met += bool(fleet.collisions)
    assert met


def test_the_impulse_keeps_momentum_and_reverses_the_closing_speed():
    """Off centre, so that they also turn: sum of M nu along any fixed direction, and about any fixed point."""
    sims = pair(0.3, across_m=0.1)
    a, b = (sim.plant for sim in sims)
    fleet = Fleet(sims)

    def momentum():
        total, spin = np.zeros(3), np.zeros(3)
        for plant in (a, b):
            R = rotation_from_quaternion(plant.quaternion)
            p = plant.packed.mass_matrix @ plant.nu
            total += R @ p[:3]
            spin += R @ p[3:] + np.cross(plant.position_n, R @ p[:3])
        return total, spin

    gap, normal, point = meeting(a, b)
    assert gap < 0.0
    before, places = momentum(), (Pose.of(a), Pose.of(b))
    rows = [contact_jacobian(place, normal, point) for place in places]
    closing = lambda: float(rows[0] @ a.nu - rows[1] @ b.nu)  # noqa: E731
    speed = closing()
    fleet.collide()
    a.position_n[:], b.position_n[:] = (place.position_n for place in places)  # moved apart: not a part of the impulse
    after = momentum()
    assert speed < -0.5
    assert closing() == pytest.approx(-RESTITUTION * speed, rel=1e-9)
    assert after[0] == pytest.approx(before[0], abs=1e-9) and after[1] == pytest.approx(before[1], abs=1e-9)


def test_equal_masses_head_on_as_in_a_textbook():
    """Central and along x: each leaves with v' = -e v, whatever the mass with its added part."""
    sims = pair(0.3)
    Fleet(sims).collide()
    assert sims[0].plant.nu[0] == pytest.approx(-RESTITUTION * 0.5, rel=1e-6)
    assert sims[1].plant.nu[0] == pytest.approx(-RESTITUTION * 0.5, rel=1e-6)


def test_vehicles_that_pass_clear_are_not_disturbed():
    alone = pair(4.0)[0]
    together = pair(4.0, across_m=1.5)
    for sim in (alone, together[0]):
        sim.pilot(surge=0.6)
    fleet = Fleet(together)
    logs = fleet.run(6.0)
    assert fleet.collisions == []
    assert logs["a"]["north_m"].tolist() == alone.run(6.0)["north_m"].tolist()


def test_each_has_its_own_controller():
    sims = [Simulation("bluerov2_heavy", CALM, name="up"), Simulation("remus100", CALM, name="along")]
    sims[0].place(depth_m=10.0)
    sims[1].place(north_m=20.0, depth_m=10.0, surge_m_s=1.0)
    sims[0].command(depth_m=8.0)
    sims[1].command(depth_m=12.0, speed_m_s=1.5)
    logs = Fleet(sims).run(40.0)
    assert logs["up"]["depth_m"][-1] == pytest.approx(8.0, abs=0.2)
    assert logs["along"]["depth_m"][-1] == pytest.approx(12.0, abs=0.5)


def test_names_must_differ_and_rates_agree():
    with pytest.raises(CommandError, match="two vehicles are called"):
        Fleet([Simulation("lauv", CALM), Simulation("lauv", CALM)])
    with pytest.raises(CommandError, match="at least one"):
        Fleet([])
    sims = [Simulation("lauv", CALM, name="a"), Simulation("lauv", CALM, name="b", control_rate_hz=5.0)]
    sims[1].place(north_m=5.0)
    with pytest.raises(CommandError, match="expected one rate"):
        Fleet(sims).run(1.0)
