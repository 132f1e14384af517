"""The water along a tether: profile, uniform current, waves, and parts above the surface."""

import math

import numpy as np
import pytest

from pelagos.world.spec import World
from pelagos.world.waves import Waves
from tests.engine.chain_probe import Bare, ask_water
from tests.tether.scene import water

N = 40
NONE = np.zeros(3)
PROFILE = [(0.0, 0.9, 0.0, 0.0), (20.0, 0.7, 0.2, 0.1), (60.0, 0.3, 0.35, -0.05), (120.0, 0.15, 0.15, 0.0)]


def sampled(sea, top_m, bottom_m, time=0.0, current=NONE, rate=NONE):
    b = Bare(N)
    b.nodes["r"] = np.linspace((5.0, -3.0, top_m), (25.0, 7.0, bottom_m), N + 1)
    b.nodes["length"][:N] = 2.0
    ask_water(b.chain, b.work, sea, N, time, np.asarray(current, float), np.asarray(rate, float))
    return b.nodes["r"], b.scratch


@pytest.mark.slow
def test_a_profile_with_its_slope_and_acceleration():
    """Linear between its knots, held outside them; the acceleration of steady water is (u . grad) u = w du/dz."""
    r, s = sampled(water(PROFILE), -10.0, 150.0)
    depth, *parts = np.array(PROFILE).T
    for k, part in enumerate(parts):
        np.testing.assert_allclose(s["u"][:, k], np.interp(r[:, 2], depth, part), atol=1e-14)
    where = np.searchsorted(depth, r[:, 2]) - 1
    inside = (where >= 0) & (where < len(depth) - 1)
    slopes = np.diff(np.array(PROFILE)[:, 1:], axis=0) / np.diff(depth)[:, None]
    expected = np.where(inside[:, None], slopes[np.clip(where, 0, len(depth) - 2)], 0.0)
    np.testing.assert_allclose(s["u_down"], expected, atol=1e-14)
    np.testing.assert_allclose(s["a"], s["u"][:, 2:] * expected, atol=1e-14)
    np.testing.assert_allclose(s["wet"], 1.0)


@pytest.mark.slow
def test_a_uniform_current_comes_on_top():
    still = sampled(water(PROFILE), 2.0, 90.0)[1]
    _, s = sampled(water(PROFILE), 2.0, 90.0, current=(0.1, -0.2, 0.3), rate=(0.01, 0.02, 0.03))
    np.testing.assert_allclose(s["u"] - still["u"], np.broadcast_to((0.1, -0.2, 0.3), (N + 1, 3)), atol=1e-15)
    np.testing.assert_allclose(s["a"] - still["a"], np.broadcast_to((0.01, 0.02, 0.03), (N + 1, 3)), atol=1e-15)
    np.testing.assert_allclose(s["u_down"], still["u_down"], atol=0)


def test_dry_where_it_is_above_the_surface():
    """A node stands for half an element on each side: half dry at the surface, dry from one metre above it on."""
    r, s = sampled(water(surface=True), -5.0, 5.0)
    around = np.full(N + 1, 2.0)
    around[[0, N]] = 1.0
    np.testing.assert_allclose(s["wet"], np.clip(0.5 + r[:, 2] / around, 0.0, 1.0), atol=1e-14)
    assert s["wet"].min() == 0.0 and s["wet"].max() == 1.0


def test_without_a_surface_all_is_wet():
    np.testing.assert_allclose(sampled(water(), -5.0, 5.0)[1]["wet"], 1.0)


@pytest.mark.parametrize("time", [0.0, 1.7, 4.0])
def test_a_regular_wave(time):
    """Airy's deep-water wave to the east, with its own convection: u and w are a omega exp(-kz) cos, sin.

    Far below the layer in which it is stretched to the moving surface; 1e-6 is what the period's rounding leaves.
    """
    height, period, g = 2.0, 8.0, 9.80665
    sea = World(waves=Waves(kind="regular", height_m=height, period_s=period, to_deg=90.0)).packed()
    r, s = sampled(sea, 12.0, 60.0, time)
    omega = 2.0 * math.pi / period
    k, a = omega**2 / g, 0.5 * height
    phase = k * r[:, 1] - omega * time
    size = a * omega * np.exp(-k * r[:, 2])
    flow = np.column_stack([0.0 * phase, size * np.cos(phase), -size * np.sin(phase)])
    np.testing.assert_allclose(s["u"], flow, atol=1e-6)
    np.testing.assert_allclose(s["u_down"], -k * flow, atol=1e-6)
    local = omega * np.column_stack([0.0 * phase, size * np.sin(phase), size * np.cos(phase)])
    by_east = k * np.column_stack([0.0 * phase, -size * np.sin(phase), -size * np.cos(phase)])
    convective = flow[:, 1:2] * by_east + flow[:, 2:] * (-k * flow)
    np.testing.assert_allclose(s["a"], local + convective, atol=1e-6)


def test_the_dry_part_follows_the_wave():
    """Half of a node's part is wet where it is as high as the surface: a cos(kx - omega t) above z = 0."""
    height, period, g = 2.0, 8.0, 9.80665
    sea = World(waves=Waves(kind="regular", height_m=height, period_s=period, to_deg=90.0)).packed()
    omega = 2.0 * math.pi / period
    for time in (0.0, 2.0, 5.0):
        r, s = sampled(sea, -3.0, 3.0, time)
        level = -0.5 * height * np.cos(omega**2 / g * r[:, 1] - omega * time)
        around = np.full(N + 1, 2.0)
        around[[0, N]] = 1.0
        np.testing.assert_allclose(s["wet"], np.clip(0.5 + (r[:, 2] - level) / around, 0.0, 1.0), atol=1e-6)
