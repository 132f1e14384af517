"""Forces and derivatives of the model, against the textbook twin and closed forms."""

import math
from dataclasses import replace

import numpy as np
import pytest

from pelagos.control.allocation.surfaces import SurfaceMix
from pelagos.control.tuning.response import VehicleResponse
from pelagos.control.tuning.schedule import Schedule
from tests.reference.phoenix import hand_built_phoenix
from tests.reference.textbook import Textbook

RNG = np.random.default_rng(7)


def response_of(vehicle):
    return VehicleResponse(vehicle, vehicle.water.density_kg_m3, vehicle.water.gravity_m_s2)


@pytest.mark.parametrize("name", ["rov", "torpedo", "finned", "glider", "phoenix"])
def test_forces_and_masses_are_those_of_the_textbook(name, request):
    vehicle = hand_built_phoenix() if name == "phoenix" else request.getfixturevalue(name)
    plant, twin = response_of(vehicle), Textbook(vehicle)
    ballast = np.array([b.initial for b in vehicle.ballast])
    # The same sums in another order: rounding only.
    assert plant.mass == pytest.approx(twin.mass_matrix(ballast), rel=1e-12, abs=1e-9)
    for _ in range(20):
        nu = np.append(RNG.uniform(0.5, 2.0), RNG.uniform(-0.2, 0.2, 5))
        delta = RNG.uniform(-0.1, 0.1, len(vehicle.surfaces))
        roll, pitch = RNG.uniform(-0.5, 0.5, 2)
        terms = twin.forces(nu, (roll, pitch, 0.3), 0.0, np.zeros(len(vehicle.thrusters)), delta, ballast)
        expected = sum(terms.values(), np.zeros(6))
        got = plant.wrench(nu, delta, roll, pitch)
        assert got == pytest.approx(expected, rel=1e-9, abs=1e-6 * np.abs(expected).max())


def test_hydrodynamics_follow_the_density(torpedo):
    sea, heavy = VehicleResponse(torpedo, 1025.0, 9.81), VehicleResponse(torpedo, 1025.0 * 1.1, 9.81)
    assert heavy.drag(1.5) == pytest.approx(1.1 * sea.drag(1.5), rel=1e-12)
    buoyancy = torpedo.body.volume_m3 * 1025.0 * 9.81
    assert heavy.net_weight_n == pytest.approx(sea.net_weight_n - 0.1 * buoyancy, rel=1e-9)


def test_righting_moment_and_stiffness(torpedo):
    plant = response_of(torpedo)
    roll, pitch = plant.stiffness()
    # z_G W = 0.0196 m x 30.48 kg x 9.81 m/s^2; central difference of a sine over 1e-3 rad errs by 2e-7.
    assert roll == pytest.approx(0.0196 * 30.48 * 9.81, rel=1e-6)
    assert pitch == pytest.approx(roll, rel=1e-6)
    assert plant.righting(0.2, -0.3) == pytest.approx(tuple(plant.restoring(0.2, -0.3)[3:5]), rel=1e-12)


def test_surface_reach_has_the_published_coefficients(torpedo):
    reach = response_of(torpedo).surface_reach(2.0)
    # N_uudr u^2 and M_uuds u^2: positive rudder turns to port, positive stern plane puts the nose down.
    assert reach[5, 0] == pytest.approx(-6.15 * 4, rel=1e-9)
    assert reach[4, 1] == pytest.approx(-6.15 * 4, rel=1e-9)
    assert reach[3] == pytest.approx([0.0, 0.0], abs=1e-9)


def deflections(mix, tau):
    """Angles for the moments of a wrench."""
    return np.array(mix.deflect(*tau[3:].tolist())[0])


def test_rudder_and_planes_are_found(torpedo, finned, glider):
    mix = SurfaceMix(torpedo.surfaces, response_of(torpedo).surface_reach(1.5))
    assert mix.axes == (4, 5)
    assert mix.limit(5) == pytest.approx(6.15 * 1.5**2 * 0.24, rel=1e-9)
    delta = deflections(mix, np.array([0.0, 0.0, 0.0, 0.0, 0.0, 1.0]))
    assert delta[0] == pytest.approx(-1.0 / (6.15 * 2.25), rel=1e-9) and delta[1] == pytest.approx(0.0, abs=1e-12)
    assert SurfaceMix(finned.surfaces, response_of(finned).surface_reach(1.5)).axes == (3, 4, 5)
    assert SurfaceMix(glider.surfaces, response_of(glider).surface_reach(1.5)).axes == ()


def test_surface_mix_gives_the_moments_asked_for(finned):
    mix = SurfaceMix(finned.surfaces, response_of(finned).surface_reach(1.5))
    tau = np.array([0.0, 0.0, 0.0, 0.2, -3.0, 2.0])
    got = mix.reach @ deflections(mix, tau)
    assert got[3:] == pytest.approx(tau[3:], rel=1e-9)
    assert np.all(np.abs(deflections(mix, 1e6 * tau)) <= mix.limits)


def test_fins_are_not_asked_to_stall(finned):
    stalling = replace(finned, fins=tuple(replace(f, stall_rad=0.15, gain=0.5) for f in finned.fins))
    limits = Schedule(stalling).stage(1.5).mix.limits
    assert limits.tolist() == pytest.approx([0.3] * 4)  # 0.15 rad of fin at half a radian of fin per radian of servo


def test_top_speed_balances_thrust_and_drag(finned, torpedo):
    schedule = Schedule(finned)
    fins = 4 * 0.5 * 1025 * 0.012 * 0.01
    assert schedule.top_speed == pytest.approx(math.sqrt(25.0 / (3.0 + fins)), rel=1e-6)
    # With inflow: k n^2 - c n 0.8 u = 2.2 u^2 at full rate.
    n, k, c = 160.0, 6.279e-4, 6.0e-3
    b = 0.8 * c * n
    assert Schedule(torpedo).top_speed == pytest.approx((-b + math.sqrt(b * b + 4 * 2.2 * k * n * n)) / 4.4, rel=1e-6)


def test_resistance_is_the_published_drag_of_the_axis(rov):
    """13.7 u + 141 u|u| ahead, 33 w + 190 w|w| down, 1.5 r|r| in yaw (von Benzon et al., 2022), no weight."""
    response = response_of(rov)
    assert response.resistance(0, 0.8) == pytest.approx(13.7 * 0.8 + 141.0 * 0.64, rel=1e-9)
    assert response.resistance(2, -0.5) == pytest.approx(-(33.0 * 0.5 + 190.0 * 0.25), rel=1e-9)
    assert response.resistance(5, 2.0) == pytest.approx(1.5 * 4.0, rel=1e-9)
