"""Vehicles never pass through each other, wherever within a control interval they touch, and the speed told is true."""

import numpy as np
import pytest

import pelagos
from pelagos.errors import CommandError
from pelagos.frames import rotation_from_quaternion
from pelagos.sim.faults.conditions import Condition
from pelagos.sim.fleet import VEHICLE, Fleet
from pelagos.sim.hull_collision import SKIN_M, HullBody, Pose, nearest
from pelagos.sim.simulation import Simulation

CALM = pelagos.World(depth_m=50.0)
HALF_M, RADIUS_M = 0.54, 0.075  # of a LAUV: a capsule


def craft(name, rate, **place):
    sim = Simulation("lauv", CALM, name=name, control_rate_hz=rate)
    sim.place(depth_m=10.0, **place)
    sim.thrust(propeller=0.0)
    return sim


def pair(rate, speed, ahead_m, across, parked):
    """Two LAUVs that coast: `ahead_m` of clear water, head on, or the nose of one into the flank of the other."""
    if not across:
        other = {"north_m": 2.0 * HALF_M + ahead_m, "heading_deg": 180.0, "surge_m_s": speed}
    else:
        other = {"north_m": HALF_M + RADIUS_M + ahead_m, "heading_deg": 90.0}
        other |= {} if parked else {"east_m": -ahead_m, "surge_m_s": speed}
    return [craft("a", rate, surge_m_s=speed), craft("b", rate, **other)]


def relative_speed(sims):
    v = [rotation_from_quaternion(sim.plant.quaternion) @ sim.plant.nu[:3] for sim in sims]
    return float(np.linalg.norm(v[0] - v[1]))


def said(event):
    return float(event.text.removesuffix(" m/s").split()[-1])


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
def test_they_stop_on_each_other_wherever_in_the_interval_they_touch(rate, speed, across, parked, phase):
    closing = speed if across else 2.0 * speed
    ahead = closing * (1.0 + 0.1 * phase) / rate  # reached in the second interval, or by drag a little later
    sims, alone = pair(rate, speed, ahead, across, parked), pair(rate, speed, ahead, across, parked)
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
            assert 0.9 * low < said(fleet.collisions[0]) < 1.1 * high
            break
    fleet.tick()
    assert len(fleet.collisions) == 1
    for sim in sims:
        assert [e.text for e in sim.events] == [fleet.collisions[0].text]
    assert fleet.collisions[0].text.startswith("a and b collided at ")


def test_the_mean_force_of_a_collision_is_in_the_log_and_in_conditions():
    """Momentum: m_x (u - u') / interval, with u' = -e u; nothing else acts much on a LAUV that coasts for 0.1 s."""
    sims = pair(10.0, 1.2, 0.12, False, False)
    fleet, strong, touches = Fleet(sims), Condition("contact_N > 200"), Condition("touching > 0")
    assert not touches.holds(sims[0])
    alone = craft("alone", 10.0, surge_m_s=1.2)
    while not fleet.collisions:
        fleet.tick()
        alone.tick()
    for sim in sims:
        plant = sim.plant
        lost = float(plant.packed.mass_matrix[0, 0] * (alone.plant.nu[0] - plant.nu[0])) * 10.0
        touch = plant.state["touch"]
        assert touch["count"] == 1.0 and touch["what"] == VEHICLE
        assert touch["wrench"][0] == pytest.approx(-lost, rel=1e-3)  # the coupling to heave and pitch is small
        assert strong.holds(sim) and touches.holds(sim)
    log = Fleet(pair(10.0, 1.2, 0.12, False, False)).run(0.5)["a"]
    hit = log["contact_with"] == VEHICLE
    assert hit.any() and log["contact_N"][hit].max() == pytest.approx(lost, rel=1e-2)


def test_vehicles_that_start_in_each_other_are_refused():
    sims = [craft("a", 10.0), craft("b", 10.0, north_m=2.0 * HALF_M - 0.05)]
    with pytest.raises(CommandError, match=r"a and b overlap by 0\.05 m at the start"):
        Fleet(sims).run(1.0)
    with pytest.raises(CommandError, match="overlap"):
        Fleet(sims).tick()


def test_a_row_of_three_passes_the_push_on():
    """The middle one, at rest, is stopped on neither; none ends inside another."""
    sims = [craft(name, 10.0, north_m=i * 1.2, surge_m_s=1.5 if i == 0 else 0.0) for i, name in enumerate("abc")]
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
