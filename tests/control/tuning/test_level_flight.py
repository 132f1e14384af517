"""Depth by planes: against an independent trim solver, plane reversal in closed form, and flights."""

import math
from dataclasses import replace

import numpy as np
import pytest

import pelagos
from pelagos.control.base import HEAVE, PITCH
from pelagos.control.tuning.level_flight import straight_flight
from pelagos.control.tuning.schedule import Schedule
from pelagos.errors import CommandError
from pelagos.vehicle.trim import level

# Depth orders that were silently not held, and the refusal of each.
TOO_SLOW = [
    ("remus100", 0.8, "takes 21.7 deg of stern_planes, and 15 are there"),
    ("torpedo", 0.4, "act in reverse"),
    ("lrauv_tethys", 0.2, "act in reverse"),
]
# What operators fly them at, m/s: the cruise speeds of their data sheets and papers.
PUBLISHED = {"remus100": 1.5, "iver3": 1.3, "lauv": 1.5, "lrauv_tethys": 0.5, "gavia": 2.0, "eca_a9": 1.5}


@pytest.fixture(scope="module")
def schedule():
    made = {}
    return lambda key: made.setdefault(key, Schedule(pelagos.load_vehicle(key)))


@pytest.mark.parametrize("key, speed", [("lauv", 1.0), ("iver3", 1.3)])
def test_level_flight_is_that_of_the_trim_solver(schedule, key, speed):
    s, trimmed = schedule(key), level(pelagos.load_vehicle(key), speed)
    full = s.mix_at(speed).along(PITCH)
    mine = straight_flight(s.response, speed, full, np.zeros(6))
    assert mine.pitch == pytest.approx(trimmed.euler[1], abs=2e-4)
    planes = np.abs(full) > 0.0  # the rudder is against the torque of the screw
    assert mine.share * full[planes] == pytest.approx(trimmed.surfaces[planes], abs=2e-4)


def test_planes_act_in_reverse_where_theory_says(schedule):
    """With Z = Z_w w + Z_s s and M = M_w w + M_s s - K theta, dgamma/dtheta = 1 + K Z_s / (u (Z_w M_s - M_w Z_s))."""
    s = schedule("torpedo")

    def follows(u):
        """How much of a turn of the nose the path takes part in, from the derivatives at no flow across."""
        full, still = s.mix_at(u).along(PITCH), np.array([u, 0.0, 0.0, 0.0, 0.0, 0.0])
        across = np.array([0.0, 0.0, 1e-4, 0.0, 0.0, 0.0])
        w = (s.response.wrench(still + across) - s.response.wrench(still - across)) / 2e-4
        p = (s.response.wrench(still, 1e-4 * full) - s.response.wrench(still, -1e-4 * full)) / 2e-4
        turning = w[HEAVE] * p[PITCH] - w[PITCH] * p[HEAVE]
        return 1.0 + s.pitch_stiffness * p[HEAVE] / (u * turning)

    low, high = 0.2, 1.0
    for _ in range(30):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if follows(middle) > 0.0 else (middle, high)
    assert s.planes_hold_from == pytest.approx(low, rel=0.02)  # there with drag that grows with the square, too


@pytest.mark.slow
@pytest.mark.parametrize("key, speed, why", TOO_SLOW)
def test_a_depth_that_cannot_be_held_is_refused_and_the_speed_named_is_enough(key, speed, why):
    sim = pelagos.Simulation(key)
    sim.place(depth_m=20.0, surge_m_s=speed)
    with pytest.raises(CommandError) as caught:
        sim.command(depth_m=23.0, speed_m_s=speed)
    text, error = str(caught.value), caught.value
    assert f"cannot hold depth at {speed:g} m/s" in text and why in text
    assert (error.key, error.value) == ("depth_m", 23.0)
    least = float(error.expected.removeprefix("a speed_m_s of at least "))
    assert speed < least < 1.45 * speed
    with pytest.raises(
        CommandError, match=f"expected a speed_m_s of at least {least:g}$"
    ):  # the one minimum, however slow
        sim.command(depth_m=23.0, speed_m_s=0.05)
    sim.place(surge_m_s=least)
    sim.command(depth_m=23.0, speed_m_s=least)
    sim = pelagos.Simulation(key)
    sim.place(depth_m=20.0, surge_m_s=1.25 * least)
    sim.command(depth_m=23.0, speed_m_s=1.25 * least)
    log = sim.run(400.0, forces=False)
    assert abs(log["depth_m"][-1] - 23.0) < 0.2 and not log.events


@pytest.mark.slow
@pytest.mark.parametrize("key", PUBLISHED)
def test_vehicles_hold_depth_at_the_speeds_they_are_flown_at(schedule, key):
    s = schedule(key)
    assert s.needs_planes and s.planes_hold(s.cruise) and s.planes_hold(PUBLISHED[key])
    assert s.lowest <= s.planes_hold_from < min(s.cruise, PUBLISHED[key])


def test_no_speed_helps_a_vehicle_that_is_too_heavy():
    light = pelagos.load_vehicle("remus100")
    heavy = replace(light, body=replace(light.body, mass_kg=light.body.mass_kg + 15.0))
    with pytest.raises(CommandError, match="no speed up to its top speed is enough"):
        pelagos.Simulation(heavy).command(depth_m=5.0)
    assert math.isinf(Schedule(heavy).planes_hold_from)
