"""Waves in the kernel against the textbook's hyperbolic functions, the laws of potential flow, and one another."""

import math

import numpy as np
import pytest

from pelagos.engine.core.lanes import from_lanes, to_lanes
from pelagos.engine.water.waves import decay, sample_wave_head, sample_waves, sine_cosine
from pelagos.world.writer import SeaWriter
from tests.engine.wave_scene import LAYER, PROBE, G, State, components, gradient, probe, sea_of, wave_number
from tests.jit_off import needs_jit, without_jit


def textbook(rows, depth, position, time, layer=LAYER):
    """Level, velocity, acceleration and head with z up and hyperbolic functions: Dean & Dalrymple, table 3.1.

    Wheeler's z' = (z - eta)/(1 + eta/D) in the layer. The acceleration is the derivative by time at a constant z'.
    """
    x, y, z = position[0], position[1], -position[2]
    theta = [k * (x * math.cos(to) + y * math.sin(to)) - w * time + phase for _, w, k, to, phase in rows]
    eta = sum(row[0] * math.cos(th) for row, th in zip(rows, theta, strict=True))
    layer = min(layer, depth)
    stretched = min((z - eta) / (1.0 + eta / layer), 0.0) if z > -layer else max(z, -depth)
    velocity, acceleration, head = np.zeros(3), np.zeros(3), 0.0
    for (a, w, k, to, _), th in zip(rows, theta, strict=True):
        if math.isinf(depth):
            across, upright, pressure = (math.exp(k * stretched),) * 3
        else:
            across = math.cosh(k * (depth + stretched)) / math.sinh(k * depth)
            upright = math.sinh(k * (depth + stretched)) / math.sinh(k * depth)
            pressure = math.cosh(k * (depth + stretched)) / math.cosh(k * depth)
        way = np.array([math.cos(to), math.sin(to), 0.0])
        velocity += a * w * (across * math.cos(th) * way - upright * math.sin(th) * np.array([0, 0, 1]))
        acceleration += a * w**2 * (across * math.sin(th) * way + upright * math.cos(th) * np.array([0, 0, 1]))
        head += a * pressure * math.cos(th)
    return -eta, velocity, acceleration, head


@pytest.mark.slow
@pytest.mark.parametrize("depth", [6.0, 40.0, math.inf])
@pytest.mark.parametrize("count", [1, 5, 64])
def test_the_sum_is_the_textbook_one(depth, count):
    rows = components(count, depth)
    sea, rng = sea_of(rows, depth), np.random.default_rng(count)
    for _ in range(40):
        position = rng.uniform([-50, -50, -2], [50, 50, min(depth, 60.0) + 1.0])  # from the air to below the bottom
        time = rng.uniform(0.0, 600.0)
        level, velocity, acceleration, head = textbook(rows, depth, position, time)
        here = State(sea, position, time)
        # angles up to 1500 rad carry rounding of 2e-13; the series of exp(-ks) has 64 roundings
        assert here.level == pytest.approx(level, abs=2e-12)
        np.testing.assert_allclose(here.velocity, velocity, rtol=0, atol=2e-12)
        assert here.head == pytest.approx(head, abs=2e-12)
        if position[2] > LAYER or position[2] < level:  # the depth that counts is that of the point, or 0
            np.testing.assert_allclose(here.by_time, acceleration, rtol=0, atol=2e-12)


@pytest.mark.slow
@pytest.mark.parametrize("depth", [8.0, math.inf])
def test_small_waves_are_potential_flow(depth):
    """No divergence, no rotation, and -g grad(head) accelerates the water.

    With 0.1 um waves stretching moves the depth by 1e-7 m, a relative change below 1e-7; central differences over 1 mm
    are off by (kh)^2/6 < 1e-7.
    """
    sea = sea_of(components(6, depth, height=1e-7), depth)
    for position in np.random.default_rng(1).uniform([-20, -20, 1.0], [20, 20, 7.0], (10, 3)):
        grad_u = gradient(sea, position, 3.0, lambda here: here.velocity)
        size = np.abs(grad_u).max()
        assert abs(np.trace(grad_u)) < 1e-6 * size
        np.testing.assert_allclose(grad_u, grad_u.T, rtol=0, atol=1e-6 * size)
        here = State(sea, position, 3.0)
        push = -G * gradient(sea, position, 3.0, lambda here: here.head)
        np.testing.assert_allclose(here.by_time, push, rtol=0, atol=1e-6 * np.abs(push).max())
        np.testing.assert_allclose(here.gradient, grad_u, rtol=0, atol=1e-6 * size)


@pytest.mark.slow
@pytest.mark.parametrize("depth", [8.0, math.inf])
def test_surface_conditions_hold_on_the_moving_surface(depth):
    sea, step = sea_of(components(12, depth, height=2.0), depth), 1e-4
    for north, time in np.random.default_rng(2).uniform(0.0, 100.0, (10, 2)):
        still = State(sea, (north, 5.0, 0.0), time)
        here = State(sea, (north, 5.0, still.level), time)
        later, sooner = (State(sea, (north, 5.0, 0.0), time + dt).level for dt in (step, -step))
        # kinematic: the surface moves as the water on it; (omega h)^2/6 = 1e-8
        np.testing.assert_allclose(here.velocity[2], (later - sooner) / (2.0 * step), rtol=0, atol=1e-7)
        # dynamic: no pressure on it, p = rho g (z + head), and its slope accelerates the water
        assert abs(still.level + here.head) < 1e-13
        above = State(sea, (north, 5.0, still.level - 1e-9), time)  # in the air the surface counts, not stretched
        np.testing.assert_allclose(above.by_time[:2], G * still.slope, rtol=0, atol=1e-12)
        east = [State(sea, (north, 5.0 + dy, 0.0), time).level for dy in (step, -step)]
        np.testing.assert_allclose(still.slope[1], (east[0] - east[1]) / (2.0 * step), rtol=0, atol=1e-7)


def test_no_flow_through_the_bottom():
    sea = sea_of(components(12, 8.0, height=2.0), 8.0)
    here = State(sea, (3.0, 4.0, 8.0), 11.0)
    assert np.abs(here.velocity[:2]).max() > 0.01  # the water moves along it
    assert abs(here.velocity[2]) < 1e-14 and abs(here.acceleration[2]) < 1e-14 and abs(here.by_time[2]) < 1e-14


def test_deep_water_decays_and_never_overflows():
    """exp(-k s): half a wave length down 4.3 % is left. A crest is overhead: in the layer, s = D (z + a)/(D + a)."""
    omega = 0.8
    k = omega**2 / G
    sea = sea_of([[0.5, omega, k, 0.0, 0.0]], math.inf)
    for z in (-0.5, 1.0, LAYER, math.pi / k, 2.0 * math.pi / k):
        here, s = State(sea, (0.0, 0.0, z), 0.0), z if z > LAYER else LAYER * (z + 0.5) / (LAYER + 0.5)
        np.testing.assert_allclose(here.velocity, [0.5 * omega * math.exp(-k * s), 0, 0], rtol=1e-13, atol=1e-15)
        np.testing.assert_allclose(here.head, 0.5 * math.exp(-k * s), rtol=1e-13)
    assert math.exp(-math.pi) == pytest.approx(0.0432, abs=1e-4)
    for depth in (math.inf, 5000.0):
        rows = [[0.5, 3.0, wave_number(3.0, depth), 0.0, 1.0]]
        here = State(sea_of(rows, depth), (0.0, 0.0, 4000.0), 0.0)  # ks = 3700
        assert np.all(here.water == 0.0) and here.level == pytest.approx(-0.5 * math.cos(1.0))


@pytest.mark.parametrize("depth", [10.0, math.inf])
def test_particles_run_on_their_ellipses(depth):
    """Semi-axes a cosh k(d-z)/sinh kd and a sinh k(d-z)/sinh kd; the drift, 2 pi k a of a radius, is 4e-5 here."""
    a, omega, down = 1e-4, 0.8, 4.0
    k = wave_number(omega, depth)
    sea = sea_of([[a, omega, k, 0.0, 0.3]], depth)
    position, step, track = np.array([0.0, 0.0, down]), 2.0 * math.pi / omega / 200, []
    for i in range(200):  # the midpoint rule: (omega h)^2/24 = 4e-5
        middle = position + 0.5 * step * State(sea, position, i * step).velocity
        position = position + step * State(sea, middle, (i + 0.5) * step).velocity
        track.append(position)
    across, _, upright = 0.5 * np.ptp(track, axis=0) / a
    if math.isinf(depth):
        expected = [math.exp(-k * down)] * 2
    else:
        expected = np.array([math.cosh(k * (depth - down)), math.sinh(k * (depth - down))]) / math.sinh(k * depth)
    np.testing.assert_allclose([across, upright], expected, rtol=5e-4)  # extremes between 200 samples: 1.2e-4


def test_no_waves_no_motion():
    writer = SeaWriter()
    writer.header["depth"] = 1e9
    here = State(writer.finish(), (1.0, 2.0, 3.0), 4.0, (1.0, 1.0, 1.0))
    assert here.level == 0.0 and np.all(here.slope == 0.0) and np.all(here.water == 0.0)


def scattered(count):
    """Rows of the probe, inputs filled."""
    rows = np.zeros((count, PROBE.size))
    rows[:, :7] = np.random.default_rng(5).uniform([-20, -20, -2, 0, -2, -2, -2], [20, 20, 9, 99, 2, 2, 2], (count, 7))
    return rows


def figures(depth):
    """The probe at eleven points."""
    sea, rows = sea_of(components(20, depth, height=2.0), depth), scattered(11)
    for row in rows:
        probe(sea, row)
    return rows


@pytest.mark.slow
@pytest.mark.parametrize(("dtype", "tolerance"), [(np.float64, 1e-12), (np.float32, 2e-4)])
def test_lanes_equal_the_scalar_kernel(dtype, tolerance):
    """Single precision rounds a time of 99 s by 4e-6 s and an angle of 250 rad by 1e-5."""
    depth = 8.0
    sea, blocks = sea_of(components(20, depth, height=2.0), depth), to_lanes(scattered(11), dtype)
    for block in blocks:
        probe(sea, block)
    np.testing.assert_allclose(from_lanes(blocks, 11), figures(depth), rtol=tolerance, atol=tolerance)


@pytest.mark.slow
@needs_jit
def test_plain_python_gives_the_same_numbers():
    # the compiler reorders sums: a few roundings of angles up to 250 rad
    plain = without_jit("tests.engine.water.test_waves", "figures(8.0).tolist()")
    np.testing.assert_allclose(plain, figures(8.0), rtol=0, atol=1e-12)


def test_tables_for_plots_hold_the_same_numbers():
    sea, positions, times = sea_of(components(9, 8.0), 8.0), scattered(7)[:, :3].copy(), np.arange(7.0)
    out, head = np.zeros((7, 9)), np.zeros(7)
    sample_waves(sea, positions, times, out)
    sample_wave_head(sea, positions, times, head)
    for i in range(7):
        here = State(sea, positions[i], times[i])
        expected = [here.level, *here.slope, *here.velocity, *here.acceleration, here.head]
        np.testing.assert_allclose([*out[i], head[i]], expected, rtol=0, atol=1e-14)


def test_series_are_the_functions():
    """Sine and cosine to the rounding of their angle, the exponential to 64 roundings (1.4e-14)."""
    for angle in np.random.default_rng(6).uniform(-1e4, 1e4, 500):
        close = 4e-16 * (1.0 + abs(angle))
        sine, cosine = sine_cosine(angle)
        assert abs(sine - math.sin(angle)) < close and abs(cosine - math.cos(angle)) < close
    for ks in np.linspace(0.0, 39.9, 200):
        near, far = decay(ks, 1e-20, 2.0)
        assert near == pytest.approx(math.exp(-ks) / 2.0, rel=3e-14)
        assert far == pytest.approx(1e-20 * math.exp(ks) / 2.0, rel=3e-14)
    assert decay(40.1, 1e-20, 2.0) == (0.0, 0.0)
