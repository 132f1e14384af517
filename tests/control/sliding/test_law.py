"""Sliding-mode laws: poles, surface, Lyapunov's condition, the observer, and the laws of real vehicles."""

import math

import numpy as np
import pytest

from pelagos.control.base import HEAVE, PITCH, YAW
from pelagos.control.sliding.controller import SlidingMode
from pelagos.control.sliding.law import (
    KNOWN_SHARE,
    NO_DRAG,
    NO_LAW,
    OBSERVE,
    Chain,
    Slide,
    axis_drag,
    desired_poles,
    hover_law,
    known_drag,
    linear_motion,
    make_stage,
    place_poles,
    sliding_law,
    sliding_surface,
)
from pelagos.control.tuning.gains import NO_LOOP, least_damping
from pelagos.control.tuning.schedule import Schedule
from pelagos.vehicle.load.vehicle import load_vehicle

# Steering of a hull that runs straight, of one that does not (root +0.4 1/s), and a mass alone.
HULL = Chain(np.array([[-0.6, -0.9], [0.5, -0.4]]), np.array([0.02, 0.1]), np.array([0.0, 1.0]), 0.2, 2)
UNSTABLE = Chain(np.array([[-0.3, -0.9], [-0.7, -0.5]]), np.array([0.02, 0.1]), np.array([0.0, 1.0]), 0.2, 2)
MASS = Chain(np.zeros((1, 1)), np.array([0.25]), np.ones(1), 0.1, 1)
CHAINS = {"hull": HULL, "unstable": UNSTABLE, "mass": MASS}


def by_tanh(chain, law, x, error):
    """The law written out from its equations, without memory."""
    s = float(np.dot(law.h, x)) + error
    return -float(np.dot(law.k, x)) - law.gain * law.eta * math.tanh(s / law.phi), s


@pytest.mark.parametrize("seed", range(10))
def test_feedback_puts_the_poles_where_they_are_wanted(seed):
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(3, 3)), rng.normal(size=3)
    poles = np.array([-1.0 + 0.5j, -1.0 - 0.5j, -2.0])
    k = place_poles(a, b, poles)
    got = np.sort_complex(np.linalg.eigvals(a - np.outer(b, k)))
    assert got == pytest.approx(np.sort_complex(poles), abs=1e-6)  # eigenvalues of a 3 x 3, condition up to 1e4


def test_a_fast_damped_pole_of_the_hull_stays():
    poles = desired_poles(np.diag([-3.0, -0.1]), 0.5)
    assert sorted(poles.real.tolist()) == [-3.0, -0.5] and np.all(poles.imag == 0.0)


@pytest.mark.parametrize("name", CHAINS)
def test_the_surface_is_the_left_eigenvector_of_healey_and_lienard(name):
    """With y as last state, h' A_c = 0: s does not change under the equivalent control, whatever the state."""
    chain = CHAINS[name]
    k, h, hb = sliding_surface(chain, desired_poles(chain.a, 0.4))
    n = chain.b.size
    whole = np.zeros((n + 1, n + 1))
    whole[:n, :n], whole[n, :n] = chain.a - np.outer(chain.b, k), chain.c
    assert np.append(h, 1.0) @ whole == pytest.approx(np.zeros(n + 1), abs=1e-12)
    assert hb == pytest.approx(float(h @ chain.b))
    # On s = 0 the motion has the wanted poles and no other: eliminate y = -h' x.
    assert np.sort(np.linalg.eigvals(whole).real)[-1] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("name", CHAINS)
def test_lyapunov_outside_the_boundary_layer(name):
    """s s_dot < 0 for any state outside the layer and any disturbance up to the bound of the law."""
    chain = CHAINS[name]
    law = sliding_law(chain, 0.5, 0.2, 10.0)
    rng = np.random.default_rng(1)
    outside = 0
    for _ in range(2000):
        x, error = rng.normal(size=chain.b.size), 3.0 * rng.normal()
        moment, s = by_tanh(chain, law, x, error)
        if abs(s) < law.phi:
            continue
        outside += 1
        # tanh(1) = 0.76: at the edge of the layer that much of eta is there.
        push = moment + 0.75 * law.disturbance_limit * rng.uniform(-1.0, 1.0)
        s_dot = float(np.dot(law.h, chain.a @ x + chain.b * push)) + float(chain.c @ x)
        assert s * s_dot < 0.0
    assert outside > 500


@pytest.mark.parametrize("name", ["remus100", "npsauv", "lauv"])
@pytest.mark.parametrize("axis", [YAW, PITCH])
def test_lyapunov_on_the_vehicle_itself(name, axis):
    """The same with accelerations by the kernel: all forces, fins at the angles of the law, no lag.

    States as they occur on the way: drift up to a tenth of the speed, half of the reaching rate. The real hull is not
    the linear one, but the disturbance this makes stays below what the law bears.
    """
    pilot = SlidingMode(load_vehicle(name))
    s = pilot.schedule
    stage = s.stage(s.cruise)
    law = pilot.laws(s.cruise)["heading" if axis == YAW else "dive"]
    plant = s.response._plant
    rng = np.random.default_rng(2)
    tried = 0
    for _ in range(300):
        cross, rate = 0.05 * stage.speed * rng.uniform(-1, 1), 0.05 * rng.uniform(-1, 1)
        angle = stage.trim_pitch + 0.1 * rng.uniform(-1, 1) if axis == PITCH else 0.0
        heave = stage.speed * math.tan(stage.trim_pitch)
        x = np.array([cross, rate]) if axis == YAW else np.array([cross, rate, angle - stage.trim_pitch])
        error = 5.0 * law.phi * rng.uniform(-1, 1)
        distance = float(np.dot(law.h, x)) + error
        moment = -float(np.dot(law.k, x)) - law.gain * law.eta * math.tanh(distance / law.phi)
        if axis == PITCH:
            moment += stage.trim_moment - s.response.righting(0.0, stage.trim_pitch)[1]
        if abs(distance) < law.phi or abs(moment) > 0.9 * stage.mix.limit(axis):
            continue
        tried += 1
        tau = np.zeros(6)
        tau[axis] = moment
        nu = np.array([stage.speed, 0, heave, 0, 0, 0])
        nu[1 if axis == YAW else 2] += cross
        nu[axis] = rate
        s.response._forces(nu, np.array(stage.mix.deflect(*tau[3:].tolist())[0]), 0.0, angle)
        dot = plant.acceleration()
        if axis == YAW:
            s_dot = law.h[0] * dot[1] + law.h[1] * dot[5] + rate
        else:
            sink = nu[2] * math.cos(angle) - nu[0] * math.sin(angle)
            s_dot = law.h[0] * dot[2] + law.h[1] * dot[4] + law.h[2] * rate + sink
        assert distance * s_dot < 0.0
    assert tried > 30


def test_eta_is_the_rate_of_approach_and_phi_over_eta_the_last_time_constant():
    """A mass far away comes at eta; near, s dies out with eta / phi."""
    law = sliding_law(MASS, 0.5, 0.2, 10.0)
    x, y, dt = 0.0, 20.0, 0.01
    slide = Slide()
    slide.take(law)
    speeds, s = [], []
    for _ in range(15000):
        x += dt * 0.25 * slide.update((x,), y, 0.0, dt)
        y += dt * x
        speeds.append(x)
        s.append(slide.s)
    assert speeds[3000] == pytest.approx(-0.2, rel=1e-3)  # steady after 30 s of 2 s time constants; Euler
    near = np.array(s)[(np.array(s) < 0.2 * law.phi) & (np.array(s) > 0.02 * law.phi)]
    measured = -np.diff(np.log(near)).mean() / dt
    assert measured == pytest.approx(law.eta / law.phi, rel=0.02)  # tanh is 1 % off its slope there; Euler 0.2 %


def test_a_steady_push_is_found_and_taken_off():
    law = sliding_law(MASS, 0.5, 0.2, 10.0)
    push, x, y, dt = 0.5 * law.disturbance_limit, 0.0, 0.0, 0.02
    slide = Slide()
    slide.take(law)
    worst = 0.0
    for _ in range(round(20.0 * OBSERVE / (law.eta / law.phi) / dt)):
        x += dt * 0.25 * (slide.update((x,), y, 0.0, dt) + push)
        y += dt * x
        worst = max(worst, abs(y))
    assert slide.bias == pytest.approx(-push, rel=1e-3)  # twenty time constants; Euler has the same rest
    assert abs(y) < 1e-3 * law.phi
    # Without the observer it would rest at s = phi atanh(1/2) = 0.55 phi; on the way it gets nearly there.
    assert 0.2 * law.phi < worst < 0.55 * law.phi


def test_saturation_is_not_taken_for_a_disturbance():
    law = sliding_law(MASS, 0.5, 0.2, 10.0)
    slide = Slide()
    slide.take(law)
    x, y, dt, limit = 0.0, 0.8 * law.phi, 0.02, 0.2 * law.disturbance_limit
    for _ in range(500):
        command = slide.update((x,), y, 0.0, dt)
        applied = max(-limit, min(limit, command))
        slide.track(applied - command)
        x += dt * 0.25 * applied
        y += dt * x
    assert abs(slide.bias) < 1e-3 * law.disturbance_limit  # Euler steps on both sides: rounding of the scheme only


@pytest.mark.parametrize("name", CHAINS)
def test_laws_are_damped_on_wrong_models_too(name):
    chain = CHAINS[name]
    law = sliding_law(chain, 0.5, 0.2, 10.0)
    for hull in (0.7, 1.0, 1.3):
        m = linear_motion(chain, np.array(law.k), np.array(law.h), law.eta / law.phi, hull, hull)
        assert least_damping(m) > 0.3


def test_heading_goes_the_short_way():
    law = sliding_law(HULL, 0.5, 0.2, 10.0)
    slide = Slide(angle=True)
    slide.take(law)
    assert slide.update((0.0, 0.0), math.radians(350.0), math.radians(10.0), 0.1) > 0.0
    assert slide.s == pytest.approx(math.radians(-20.0))


def test_nothing_to_push_with_is_no_law():
    assert sliding_law(MASS, 0.5, 0.2, 0.0) is NO_LAW and not NO_LAW.works


def test_drag_of_an_axis_is_fitted_exactly_where_it_is_linear_and_square(rov):
    """The test ROV has Z = -33 w - 190 w|w| by its coefficients."""
    drag = axis_drag(Schedule(rov), HEAVE, 0.5)
    assert drag.linear == pytest.approx(33.0, rel=1e-6) and drag.square == pytest.approx(190.0, rel=1e-6)
    assert known_drag(drag, -0.3) == pytest.approx(KNOWN_SHARE * (-33.0 * 0.3 - 190.0 * 0.09), rel=1e-6)


def test_hovering_law_of_a_mass(rov):
    """One axis: k = M w, h = 1 / w, gain = M w with w the frequency that was found."""
    schedule = Schedule(rov)
    law, _ = hover_law(schedule, HEAVE, schedule.heave)
    mass = float(schedule.response.mass[2, 2])
    w = 1.0 / law.h[0]
    assert law.k[0] == pytest.approx(mass * w, rel=1e-9)
    assert law.gain == pytest.approx(mass * w, rel=1e-9)
    assert law.eta <= schedule.heave.error_limit / schedule.heave.approach_s + 1e-12
    assert law.disturbance_limit <= schedule.allocation.limit(HEAVE, 1.0)


def test_no_thrust_no_law(torpedo):
    schedule = Schedule(torpedo)
    law, drag = hover_law(schedule, HEAVE, NO_LOOP)
    assert not law.works and drag is NO_DRAG


def test_a_torpedo_steers_with_two_states_and_dives_with_three(torpedo):
    schedule = Schedule(torpedo)
    made = make_stage(schedule, schedule.stage(schedule.cruise))
    assert len(made.yaw.k) == 2 and len(made.dive.k) == 3
    assert made.yaw.gain > 0.0 and made.dive.gain < 0.0  # a nose-up moment takes the depth away
    assert made.served == {0, PITCH, YAW} and made.mask.tolist() == [0, 0, 0, 0, 1, 1]
    # eta of the dive: steady descent with the pitch that can be held, w small beside u theta.
    stage = schedule.stage(schedule.cruise)
    assert made.dive.eta <= stage.speed * math.sin(stage.pitch_limit)


def test_level_flight_is_balanced_at_the_trim_of_the_stage(torpedo):
    """At the trim of the stage the kernel has no heave force and no pitch moment left."""
    schedule = Schedule(torpedo)
    stage = schedule.stage(schedule.cruise)
    made = make_stage(schedule, stage)
    tau = np.zeros(6)
    tau[PITCH] = made.trim_moment
    nu = np.array([stage.speed, 0.0, made.trim_heave, 0.0, 0.0, 0.0])
    left = schedule.response.wrench(nu, np.array(stage.mix.deflect(*tau[3:].tolist())[0]), pitch=stage.trim_pitch)
    # The trim is that of the linear model; 3.3 N of buoyancy are left to within a tenth.
    assert abs(left[HEAVE]) < 0.33 and abs(left[PITCH]) < 0.1
