"""Waves in the kernel against the textbook's hyperbolic functions, the laws of potential flow, and one another."""

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest
from scipy.optimize import root_scalar

from pelagos.engine.algebra import Vec3
from pelagos.engine.compiled import JIT, OPTIONS
from pelagos.engine.lanes import from_lanes, to_lanes
from pelagos.engine.sea import WAVE
from pelagos.engine.views import Field, Layout, viewer
from pelagos.engine.waves import (
    decay,
    following,
    sample_wave_head,
    sample_waves,
    sine_cosine,
    wave_pressure_head,
    waves,
)
from pelagos.world.writer import SeaWriter

ROOT = Path(__file__).parents[2]
G = 9.81
LAYER = 4.0  # m, thickness of the stretched layer: the waves of these tests stay below 2 m
INPUTS = ("north", "east", "down", "time", "v_north", "v_east", "v_down")
VECTORS = ("value", "by_time", "by_north", "by_east", "by_down", "rate", "acceleration")
OUTPUTS = (
    *(Field(name, "probe", 3) for name in VECTORS),
    Field("slope", "1", 2),
    Field("level", "m"),
    Field("head", "m"),
)
PROBE = Layout("WaveProbe", (*(Field(name, "probe") for name in INPUTS), *OUTPUTS))
as_probe = viewer(PROBE)


@numba.njit(**OPTIONS)
def fill(target, v):
    """Write a vector."""
    target[0], target[1], target[2] = v.x, v.y, v.z


@numba.njit(**OPTIONS)
def probe(sea, row):
    """Fill the outputs of one row, or of one block of lanes."""
    p = as_probe(row)
    at = Vec3(p.north, p.east, p.down)
    here = waves(sea, at, p.time)
    g = here.motion
    p.level, p.slope[0], p.slope[1] = here.level, here.slope_north, here.slope_east
    fill(p.value, g.value)
    fill(p.by_time, g.time)
    fill(p.by_north, g.north)
    fill(p.by_east, g.east)
    fill(p.by_down, g.down)
    fill(p.rate, following(g, Vec3(p.v_north, p.v_east, p.v_down)))
    fill(p.acceleration, following(g, g.value))
    p.head = wave_pressure_head(sea, at, p.time)


class State:
    """What the kernel says at one point."""

    def __init__(self, sea, position, time, velocity=(0.0, 0.0, 0.0)):
        row = np.zeros(PROBE.size)
        row[:7] = *position, time, *velocity
        probe(sea, row)
        found = row.view(PROBE.dtype)[0]
        self.level, self.slope, self.head = float(found["level"]), found["slope"], float(found["head"])
        self.velocity, self.by_time = found["value"], found["by_time"]
        self.gradient = np.column_stack([found["by_north"], found["by_east"], found["by_down"]])
        self.rate, self.acceleration = found["rate"], found["acceleration"]
        self.water = np.append(row[7:28], self.head)


def wave_number(omega, depth):
    """Root of omega^2 = g k tanh(kd), by bisection."""
    deep = omega**2 / G
    if math.isinf(depth):
        return deep
    return root_scalar(
        lambda k: G * k * math.tanh(k * depth) - omega**2, bracket=(0.9 * deep, 1e3), method="brentq"
    ).root


def components(count, depth, height=1.0, seed=3):
    """Rows (a, omega, k, direction, phase), longest first."""
    rng = np.random.default_rng(seed)
    omega = np.sort(rng.uniform(0.5, 2.5, count))
    k = np.array([wave_number(w, depth) for w in omega])
    turn = rng.uniform(0.0, 2.0 * math.pi, (2, count))
    return np.column_stack([height * rng.uniform(0.5, 1.0, count) / count, omega, k, *turn])


def sea_of(rows, depth, layer=LAYER):
    """The packed array."""
    writer = SeaWriter()
    records = [
        {
            "amplitude": a,
            "omega": omega,
            "number": k,
            "phase": phase,
            "north": k * math.cos(to),
            "east": k * math.sin(to),
            "echo": math.exp(-2.0 * k * depth),
        }
        for a, omega, k, to, phase in rows
    ]
    writer.header["waves_at"] = writer.append_records(WAVE, records)
    writer.header["n_waves"], writer.header["depth"] = len(records), min(depth, 1e9)
    writer.header["stretch"] = min(layer, depth)
    return writer.finish()


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


def gradient(sea, position, time, of, step=1e-3):
    """Central differences: column j is the derivative along axis j."""
    columns = []
    for axis in np.eye(3):
        ahead, behind = State(sea, position + step * axis, time), State(sea, position - step * axis, time)
        columns.append((of(ahead) - of(behind)) / (2.0 * step))
    return np.array(columns).T


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


def test_a_crest_runs_at_a_omega_and_nothing_grows_above_it():
    sea = sea_of([[1.5, 0.9, 0.81 / G, math.pi / 2, 0.0]], math.inf)
    for down in (-1.5, -1.6, -5.0):
        np.testing.assert_allclose(State(sea, (0.0, 0.0, down), 0.0).velocity, [0, 1.35, 0], rtol=0, atol=1e-14)
    np.testing.assert_allclose(State(sea, (0.0, 0.0, 1.5), math.pi / 0.9).velocity, [0, -1.35, 0], rtol=0, atol=1e-13)


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
        wanted = [math.exp(-k * down)] * 2
    else:
        wanted = np.array([math.cosh(k * (depth - down)), math.sinh(k * (depth - down))]) / math.sinh(k * depth)
    np.testing.assert_allclose([across, upright], wanted, rtol=5e-4)  # extremes between 200 samples: 1.2e-4


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
        wanted = -0.5 * a * a * omega * k * math.exp(-k * z) * max(1.0 - z / LAYER, 0.0)
        assert out[:, 3].mean() == pytest.approx(wanted, rel=close, abs=1e-15)
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


@pytest.mark.parametrize(("dtype", "tolerance"), [(np.float64, 1e-12), (np.float32, 2e-4)])
def test_lanes_equal_the_scalar_kernel(dtype, tolerance):
    """Single precision rounds a time of 99 s by 4e-6 s and an angle of 250 rad by 1e-5."""
    depth = 8.0
    sea, blocks = sea_of(components(20, depth, height=2.0), depth), to_lanes(scattered(11), dtype)
    for block in blocks:
        probe(sea, block)
    np.testing.assert_allclose(from_lanes(blocks, 11), figures(depth), rtol=tolerance, atol=tolerance)


@pytest.mark.skipif(not JIT, reason="the JIT is off already")
def test_plain_python_gives_the_same_numbers():
    script = "import json; from tests.engine.test_waves import figures; print(json.dumps(figures(8.0).tolist()))"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "error", "-c", script]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    # the compiler reorders sums: a few roundings of angles up to 250 rad
    np.testing.assert_allclose(json.loads(done.stdout), figures(8.0), rtol=0, atol=1e-12)


def test_tables_for_plots_hold_the_same_numbers():
    sea, positions, times = sea_of(components(9, 8.0), 8.0), scattered(7)[:, :3].copy(), np.arange(7.0)
    out, head = np.zeros((7, 9)), np.zeros(7)
    sample_waves(sea, positions, times, out)
    sample_wave_head(sea, positions, times, head)
    for i in range(7):
        here = State(sea, positions[i], times[i])
        wanted = [here.level, *here.slope, *here.velocity, *here.acceleration, here.head]
        np.testing.assert_allclose([*out[i], head[i]], wanted, rtol=0, atol=1e-14)


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
