"""High waves: the stretched layer under the moving surface, linear theory below it, drift, and rates along paths."""

import math

import numpy as np
import pytest

from pelagos.engine.water.waves import sample_waves
from tests.engine.wave_scene import LAYER, G, State, components, gradient, sea_of


@pytest.mark.slow
def test_a_crest_runs_at_a_omega_and_nothing_grows_above_it():
    sea = sea_of([[1.5, 0.9, 0.81 / G, math.pi / 2, 0.0]], math.inf)
    for down in (-1.5, -1.6, -5.0):
        np.testing.assert_allclose(State(sea, (0.0, 0.0, down), 0.0).velocity, [0, 1.35, 0], rtol=0, atol=1e-14)
    np.testing.assert_allclose(State(sea, (0.0, 0.0, 1.5), math.pi / 0.9).velocity, [0, -1.35, 0], rtol=0, atol=1e-13)


@pytest.mark.slow
@pytest.mark.parametrize("depth", [8.0, math.inf])
def test_rate_is_the_derivative_along_the_path(depth):
    """With waves of 2 m, stretching included; central differences over 0.1 ms: rounding 1e-11, truncation 1e-8.

    Points that cross an edge of the layer within the step would see two slopes: none of these does.
    """
    sea, step = sea_of(components(12, depth, height=2.0), depth), 1e-4
    for row in np.random.default_rng(4).uniform([-20, -20, -3, 0, -2, -2, -2], [20, 20, 9, 99, 2, 2, 2], (40, 7)):
        position, time, velocity = row[:3], row[3], row[4:]
        here = State(sea, position, time, velocity)
        ahead = State(sea, position + step * velocity, time + step).velocity
        behind = State(sea, position - step * velocity, time - step).velocity
        np.testing.assert_allclose(here.rate, (ahead - behind) / (2.0 * step), rtol=0, atol=1e-7)
        ahead = State(sea, position + step * here.velocity, time + step).velocity
        behind = State(sea, position - step * here.velocity, time - step).velocity
        np.testing.assert_allclose(here.acceleration, (ahead - behind) / (2.0 * step), rtol=0, atol=1e-7)
        differences = gradient(sea, position, time, lambda here: here.velocity, step)
        np.testing.assert_allclose(here.gradient, differences, rtol=0, atol=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize("depth", [8.0, math.inf])
def test_below_the_layer_linear_theory_holds_for_high_waves(depth):
    """No divergence, no rotation, and the linear pressure gives the derivative by time, at any height of the waves."""
    sea = sea_of(components(12, depth, height=2.0), depth)
    for position in np.random.default_rng(7).uniform([-20, -20, LAYER + 0.01], [20, 20, 7.9], (10, 3)):
        here = State(sea, position, 3.0)
        assert abs(np.trace(here.gradient)) < 1e-15  # rounding of derivatives of 0.1/s
        np.testing.assert_allclose(here.gradient, here.gradient.T, rtol=0, atol=1e-15)
        push = -G * gradient(sea, position, 3.0, lambda here: here.head)
        np.testing.assert_allclose(here.by_time, push, rtol=0, atol=1e-6)  # (kh)^2/6 = 7e-8, rounding 1e-12


def test_at_the_edge_of_the_layer_only_the_slope_over_depth_jumps():
    """By 1/(1 - level/D), as Wheeler's depth does. 1e-9 m away from it the rest has changed by 1e-9."""
    sea = sea_of(components(12, math.inf, height=2.0), math.inf)
    for time in np.linspace(0.0, 20.0, 9):
        above, below = (State(sea, (1.0, 2.0, LAYER + dz), time) for dz in (-1e-9, 1e-9))
        np.testing.assert_allclose(above.velocity, below.velocity, rtol=0, atol=3e-9)
        np.testing.assert_allclose(above.by_time, below.by_time, rtol=0, atol=3e-9)
        np.testing.assert_allclose(above.gradient[:, :2], below.gradient[:, :2], rtol=0, atol=3e-9)
        jump = 1.0 / (1.0 - above.level / LAYER)
        np.testing.assert_allclose(above.gradient[:, 2], jump * below.gradient[:, 2], rtol=0, atol=3e-9)


SWELL = (1.0, math.tau / 7.0, (math.tau / 7.0) ** 2 / G, 0.0)  # H = 2 m, T = 7 s in deep water: ka = 0.082


@pytest.mark.parametrize(("a", "close"), [(0.05, 1e-3), (1.0, 0.08)])
def test_mean_at_a_fixed_point(a, close):
    """0 below the layer; inside it -a^2 omega k exp(-kz) (1 - z/D)/2 (1 + 3/4 (a/D)^2 + ka^2/D ...): 2e-4 and 6 %."""
    _, omega, k, _ = SWELL
    sea, times = sea_of([(a, *SWELL[1:], 0.0)], math.inf), np.arange(64) * (7.0 / 64)
    for z in (1.5, 3.0, 4.0, 8.0, 20.0):
        out = np.zeros((64, 9))
        sample_waves(sea, np.tile([0.0, 0.0, z], (64, 1)), times, out)
        expected = -0.5 * a * a * omega * k * math.exp(-k * z) * max(1.0 - z / LAYER, 0.0)
        assert out[:, 3].mean() == pytest.approx(expected, rel=close, abs=1e-15)
        assert abs(out[:, 5].mean()) < 1e-15


@pytest.mark.parametrize("z", [5.0, 8.0, 15.0])
def test_particles_below_the_layer_have_the_drift_of_stokes(z):
    """a^2 omega k exp(-2kz), 0.0198 m/s at 8 m, of the mean depth; the next terms are (ka)^2 exp(-2kz) of it.

    Followed through one period of its own, in which it comes back to its depth: RK4 with 400 steps is off by 1e-9.
    """
    a, omega, k, _ = SWELL
    sea = sea_of([(*SWELL, 0.0)], math.inf)
    speed = a * a * omega * k * math.exp(-2.0 * k * z)
    step = math.tau / (omega - k * speed) / 400
    x, depths = np.array([0.0, 0.0, z - a * math.exp(-k * z)]), []  # under the crest: at the top of its orbit
    for i in range(400):
        depths.append(x[2])
        x = runge_kutta(lambda t, at: State(sea, at, t).velocity, i * step, x, step)
    assert np.mean(depths) == pytest.approx(z, abs=0.02)
    assert x[2] == pytest.approx(depths[0], abs=1e-3)  # the period is known to (ka)^2 of the drift
    assert x[0] / (400 * step) == pytest.approx(speed, rel=0.02)


def runge_kutta(rate, time, x, step):
    """The classical step."""
    a = rate(time, x)
    b = rate(time + 0.5 * step, x + 0.5 * step * a)
    c = rate(time + 0.5 * step, x + 0.5 * step * b)
    return x + step / 6.0 * (a + 2.0 * (b + c) + rate(time + step, x + step * c))
