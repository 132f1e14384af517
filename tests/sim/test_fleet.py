"""Vehicles that collide: momentum is conserved, hulls never pass through each other, each collision has one event."""

import numpy as np
import pytest

import pelagos
from pelagos.errors import CommandError
from pelagos.frames import rotation_from_quaternion
from pelagos.sim.faults.conditions import Condition
from pelagos.sim.fleet import RESTITUTION, VEHICLE, Fleet
from pelagos.sim.hull_collision import SKIN_M, HullBody, Pose, contact_jacobian, nearest
from pelagos.sim.simulation import Simulation

CALM = pelagos.World(depth_m=50.0)


def pair(gap_m, speed=0.5, across_m=0.0, other_heading=180.0, keys=("bluerov2_heavy", "bluerov2_heavy")):
    """Two ROVs nose to nose, `gap_m` between their origins, each going ahead."""
    sims = [Simulation(key, CALM, name=name) for key, name in zip(keys, ("a", "b"), strict=True)]
    sims[0].place(depth_m=10.0, surge_m_s=speed)
    sims[1].place(north_m=gap_m, east_m=across_m, depth_m=10.0, heading_deg=other_heading, surge_m_s=speed)
    return sims


def closest_points(a, b):
    touch = nearest(HullBody.of(a), Pose.of(a), HullBody.of(b), Pose.of(b))
    assert touch is not None
    return touch


@pytest.mark.slow
def test_a_head_on_collision_is_one_event_for_both_and_they_stay_apart():
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


@pytest.mark.slow
def test_they_never_pass_through_each_other():
    """Pushed together for a long time they may slide off, but after each interval no hull is left inside the other."""
    sims = pair(1.0)
    for sim in sims:
        sim.pilot(surge=0.6)
    fleet, met = Fleet(sims), 0
    for _ in range(150):
        fleet.tick()
        touch = closest_points(sims[0].plant, sims[1].plant)
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

    gap, normal, point = closest_points(a, b)
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
    with pytest.raises(CommandError, match="another vehicle has the same name"):
        Fleet([Simulation("lauv", CALM), Simulation("lauv", CALM)])
    with pytest.raises(CommandError, match="at least one"):
        Fleet([])
    sims = [Simulation("lauv", CALM, name="a"), Simulation("lauv", CALM, name="b", control_rate_hz=5.0)]
    sims[1].place(north_m=5.0)
    with pytest.raises(CommandError, match="control_rate_hz of b is 5; expected 10, the rate of a"):
        Fleet(sims).run(1.0)


HALF_M, RADIUS_M = 0.54, 0.075  # of a LAUV: a capsule


def lauv(name, rate, **place):
    sim = Simulation("lauv", CALM, name=name, control_rate_hz=rate)
    sim.place(depth_m=10.0, **place)
    sim.thrust(propeller=0.0)
    return sim


def coasting_pair(rate, speed, ahead_m, across, parked):
    """Two LAUVs that coast: `ahead_m` of clear water, head on, or the nose of one into the flank of the other."""
    if not across:
        other = {"north_m": 2.0 * HALF_M + ahead_m, "heading_deg": 180.0, "surge_m_s": speed}
    else:
        other = {"north_m": HALF_M + RADIUS_M + ahead_m, "heading_deg": 90.0}
        other |= {} if parked else {"east_m": -ahead_m, "surge_m_s": speed}
    return [lauv("a", rate, surge_m_s=speed), lauv("b", rate, **other)]


def relative_speed(sims):
    v = [rotation_from_quaternion(sim.plant.quaternion) @ sim.plant.nu[:3] for sim in sims]
    return float(np.linalg.norm(v[0] - v[1]))


def reported_speed(event):
    return float(event.text.removesuffix(" m/s").split()[-1])


@pytest.mark.slow
@pytest.mark.parametrize("phase", range(10))
@pytest.mark.parametrize(
    ("rate", "speed", "across", "parked"),
    [
        (10.0, 1.2, False, False),
        (10.0, 2.0, True, False),
        (10.0, 4.0, True, True),
        (5.0, 1.2, False, False),
        (5.0, 2.0, True, True),
        (1.0, 2.0, False, False),
    ],
)
def test_they_stop_at_contact_at_any_instant_of_the_interval(rate, speed, across, parked, phase):
    closing = speed if across else 2.0 * speed
    ahead = closing * (1.0 + 0.1 * phase) / rate  # reached in the second interval, or by drag a little later
    sims, alone = coasting_pair(rate, speed, ahead, across, parked), coasting_pair(rate, speed, ahead, across, parked)
    fleet, speeds = Fleet(sims), [relative_speed(alone)]
    bodies = [HullBody.of(sim.plant) for sim in sims]
    least = HALF_M + RADIUS_M if across else 2.0 * HALF_M
    for n in range(1, 6):
        fleet.tick()
        for sim in alone:
            sim.tick()
        speeds.append(relative_speed(alone))
        apart = nearest(bodies[0], Pose.of(sims[0].plant), bodies[1], Pose.of(sims[1].plant))
        assert apart is not None and apart.gap > -SKIN_M
        assert sims[1].plant.position_n[0] - sims[0].plant.position_n[0] > least - 0.02  # still on this side
        if fleet.collisions:
            # the drag slows them within the interval: the truth lies between its ends
            low, high = speeds[n], speeds[n - 1]
            assert 0.9 * low < reported_speed(fleet.collisions[0]) < 1.1 * high
            break
    fleet.tick()
    assert len(fleet.collisions) == 1
    for sim in sims:
        assert [e.text for e in sim.events] == [fleet.collisions[0].text]
    assert fleet.collisions[0].text.startswith("a and b collided at ")


def test_the_mean_force_of_a_collision_is_in_the_log_and_in_conditions():
    """Momentum: m_x (u - u') / interval, with u' = -e u; nothing else acts much on a LAUV that coasts for 0.1 s."""
    sims = coasting_pair(10.0, 1.2, 0.12, False, False)
    fleet, strong, touches = Fleet(sims), Condition("contact_N > 200"), Condition("touching > 0")
    assert not touches.holds(sims[0])
    alone = lauv("alone", 10.0, surge_m_s=1.2)
    while not fleet.collisions:
        fleet.tick()
        alone.tick()
    for sim in sims:
        plant = sim.plant
        lost = float(plant.packed.mass_matrix[0, 0] * (alone.plant.nu[0] - plant.nu[0])) * 10.0
        touch = plant.state["touch"]
        assert touch["count"] == 1.0 and touch["obstacle"] == VEHICLE
        assert touch["wrench"][0] == pytest.approx(-lost, rel=1e-3)  # the coupling to heave and pitch is small
        assert strong.holds(sim) and touches.holds(sim)
    log = Fleet(coasting_pair(10.0, 1.2, 0.12, False, False)).run(0.5)["a"]
    hit = log["contact_with"] == VEHICLE
    assert hit.any() and log["contact_N"][hit].max() == pytest.approx(lost, rel=1e-2)


def test_vehicles_that_start_in_each_other_are_refused():
    sims = [lauv("a", 10.0), lauv("b", 10.0, north_m=2.0 * HALF_M - 0.05)]
    with pytest.raises(CommandError, match=r"a and b overlap by 0\.05 m at the start"):
        Fleet(sims).run(1.0)
    with pytest.raises(CommandError, match="overlap"):
        Fleet(sims).tick()


def test_a_row_of_three_passes_the_push_on():
    """The middle one, at rest, is stopped on neither; none ends inside another."""
    sims = [lauv(name, 10.0, north_m=i * 1.2, surge_m_s=1.5 if i == 0 else 0.0) for i, name in enumerate("abc")]
    fleet = Fleet(sims)
    bodies = [HullBody.of(sim.plant) for sim in sims]
    for _ in range(15):
        fleet.tick()
        for i in (0, 1):
            at = Pose.of(sims[i].plant), Pose.of(sims[i + 1].plant)
            apart = nearest(bodies[i], at[0], bodies[i + 1], at[1])
            assert apart is not None and apart.gap > -SKIN_M
            assert at[1].position_n[0] - at[0].position_n[0] > 2.0 * HALF_M - 0.01
    assert [event.text[:7] for event in fleet.collisions] == ["a and b", "b and c"]
    assert sims[2].plant.nu[0] > 0.2
