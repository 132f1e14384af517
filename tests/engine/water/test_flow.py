"""The water's velocity and its two rates, against closed forms, SciPy's interpolation and finite differences."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.interpolate import CubicHermiteSpline, RegularGridInterpolator

from pelagos.engine.compiled import entry
from pelagos.engine.core.algebra import Vec3
from pelagos.engine.core.lanes import from_lanes, to_lanes
from pelagos.engine.core.views import Layout, LayoutField, viewer
from pelagos.engine.water.flow import density_above, flow, sample_density, sample_flow
from pelagos.engine.water.sea import DENSITY, FLOW_FIELD, HARMONIC, KNOT, SERIES
from pelagos.engine.water.waves import following
from pelagos.world.writer import SeaWriter
from tests.jit_off import needs_jit, without_jit

PROBE = Layout(
    "FlowProbe",
    (
        LayoutField("position", "m", 3),
        LayoutField("time", "s"),
        LayoutField("velocity", "m/s", 3),
        LayoutField("flow", "velocity, rate, acceleration", 9),
        LayoutField("density", "extra density, integral", 2),
    ),
)
as_probe = viewer(PROBE)


@entry
def ask(row, sea):
    """Flow and density at the place of a row of PROBE: one vehicle (1-D) or a block of them (2-D)."""
    p = as_probe(row)
    velocity = Vec3(p.velocity[0], p.velocity[1], p.velocity[2])
    f = flow(sea, Vec3(p.position[0], p.position[1], p.position[2]), p.time)
    rate, acceleration = following(f, velocity), following(f, f.value)
    p.flow[0], p.flow[1], p.flow[2] = f.value.x, f.value.y, f.value.z
    p.flow[3], p.flow[4], p.flow[5] = rate.x, rate.y, rate.z
    p.flow[6], p.flow[7], p.flow[8] = acceleration.x, acceleration.y, acceleration.z
    p.density[0], p.density[1] = density_above(sea, p.position[2])


def write(harmonics=(), knots=(), series=(), grids=(), density=()):
    """A sea from plain tables: (omega, cosine, sine), (depths, values), (start, step, values), axes and values."""
    w = SeaWriter()
    records = [{"omega": o, "cosine": c, "sine": s} for o, c, s in harmonics]
    w.header["n_harmonics"], w.header["harmonics_at"] = len(records), w.append_records(HARMONIC, records)
    if knots:
        depths, values = (np.asarray(part, float) for part in knots)
        slopes = np.vstack([np.diff(values, axis=0) / np.diff(depths)[:, None], np.zeros((1, 3))])
        records = [{"depth": d, "value": v, "slope": s} for d, v, s in zip(depths, values, slopes, strict=True)]
        w.header["n_knots"], w.header["knots_at"] = len(records), w.append_records(KNOT, records)
    records = [{"start": a, "step": b, "count": len(rows), "at": w.append(rows)} for a, b, rows in series]
    w.header["n_series"], w.header["series_at"] = len(records), w.append_records(SERIES, records)
    records = []
    for axes, values in grids:
        at = w.append(np.concatenate([*axes, np.ravel(values)]))
        records.append({**dict(zip(("times", "depths", "norths", "easts"), map(len, axes), strict=True)), "at": at})
    w.header["n_fields"], w.header["fields_at"] = len(records), w.append_records(FLOW_FIELD, records)
    if density:
        depths, values = (np.asarray(part, float) for part in density)
        slopes = np.append(np.diff(values) / np.diff(depths), 0.0)
        records = [{"depth": d, "value": v, "slope": s} for d, v, s in zip(depths, values, slopes, strict=True)]
        w.header["n_density"], w.header["density_at"] = len(records), w.append_records(DENSITY, records)
    return w.finish()


def at(sea, position, time=0.0, velocity=(0.0, 0.0, 0.0)):
    """Velocity, rate, acceleration of one point."""
    row = np.zeros(PROBE.size)
    row[:7] = (*position, time, *velocity)
    ask(row, sea)
    return row[7:10].copy(), row[10:13].copy(), row[13:16].copy()


HARMONICS = [(0.0, (0.3, -0.1, 0.02), (9.0, 9.0, 9.0)), (0.7, (0.1, 0.2, 0.3), (-0.2, 0.1, 0.05))]
KNOTS = ([5.0, 10.0, 30.0], [[0.5, 0.0, 0.0], [0.3, 0.2, 0.1], [-0.1, 0.4, -0.1]])
ROWS = (2.0, 0.5, np.random.default_rng(1).normal(size=(9, 3)))
AXES = (
    np.array([0.0, 10.0, 15.0, 40.0]),
    np.array([1.0, 3.0, 10.0]),
    np.array([-50.0, -20.0, 0.0, 5.0, 60.0]),
    np.array([-10.0, 40.0, 41.0, 90.0]),
)
VALUES = np.random.default_rng(2).normal(size=(4, 3, 5, 4, 3))
DENSITIES = ([2.0, 6.0, 20.0, 21.0], [0.5, 0.7, 3.0, 2.0])


def everything():
    return write(HARMONICS, KNOTS, [ROWS, (0.0, 3.0, ROWS[2] + 1.0)], [(AXES, VALUES)], DENSITIES)


def inside_cells(rng, axis):
    """A place between two nodes and away from them, so that differences stay in one cell."""
    i = rng.integers(len(axis) - 1)
    return axis[i] + rng.uniform(0.1, 0.9) * (axis[i + 1] - axis[i])


@pytest.mark.slow
def test_a_sea_without_currents_is_at_rest():
    for part in at(write(), (1.0, 2.0, 3.0), 4.0, (1.0, 1.0, 1.0)):
        np.testing.assert_array_equal(part, 0.0)


@pytest.mark.slow
def test_harmonics():
    sea, t = write(HARMONICS), 3.7
    expected, rate = np.array([0.3, -0.1, 0.02]), np.zeros(3)
    omega, cosine, sine = (np.asarray(part) for part in HARMONICS[1])
    expected += cosine * np.cos(omega * t) + sine * np.sin(omega * t)
    rate += omega * (sine * np.cos(omega * t) - cosine * np.sin(omega * t))
    sampled = at(sea, (1.0, 2.0, 3.0), t, (4.0, 5.0, 6.0))
    np.testing.assert_allclose(sampled[0], expected, atol=1e-15)  # a few roundings of numbers below 1
    np.testing.assert_allclose(sampled[1], rate, atol=1e-15)
    np.testing.assert_allclose(sampled[2], rate, atol=1e-15)  # uniform in space: no convective part


@pytest.mark.parametrize("depth", [-3.0, 0.0, 5.0, 7.3, 10.0, 29.9, 30.0, 400.0])
def test_a_profile_is_straight_between_knots_and_held_outside(depth):
    depths, values = (np.array(part) for part in KNOTS)
    velocity, rate, acceleration = at(write(knots=KNOTS), (0.0, 0.0, depth), 0.0, (7.0, 8.0, 0.5))
    expected = np.array([np.interp(depth, depths, values[:, i]) for i in range(3)])
    np.testing.assert_allclose(velocity, expected, atol=1e-15)
    i = np.searchsorted(depths, depth, "right") - 1  # at a knot the interval below counts
    slope = (values[i + 1] - values[i]) / (depths[i + 1] - depths[i]) if 0 <= i < 2 else np.zeros(3)
    np.testing.assert_allclose(rate, 0.5 * slope, atol=1e-15)  # (v . grad) c with v_z = 0.5
    np.testing.assert_allclose(acceleration, expected[2] * slope, atol=1e-15)  # w_c dc/dz


def test_one_knot_is_a_uniform_current():
    sampled = at(write(knots=([0.0], [[0.1, 0.2, 0.3]])), (5.0, 6.0, 7.0), 8.0, (1.0, 1.0, 1.0))
    np.testing.assert_array_equal(sampled, [[0.1, 0.2, 0.3], [0.0] * 3, [0.0] * 3])


@pytest.mark.parametrize("time", [0.0, 2.0, 2.2, 3.1, 4.0, 5.99, 6.0, 100.0])
def test_a_series_is_a_monotone_cubic_through_its_rows_and_held_outside(time):
    """The Hermite cubic whose slope at a row is the harmonic mean of its two sides, 0 at an extreme and at the ends."""
    start, step, rows = ROWS
    times = start + step * np.arange(len(rows))
    velocity, rate, acceleration = at(write(series=[ROWS]), (1.0, 2.0, 3.0), time)
    sides = np.diff(rows, axis=0, prepend=rows[:1], append=rows[-1:]) / step
    left, right = sides[:-1], sides[1:]
    same = left * right > 0.0
    slopes = np.where(same, 2.0 * left * right / np.where(same, left + right, 1.0), 0.0)
    cubic = CubicHermiteSpline(times, rows, slopes)
    inside = times[0] <= time < times[-1]
    np.testing.assert_allclose(velocity, cubic(np.clip(time, times[0], times[-1])), atol=1e-14)
    np.testing.assert_allclose(rate, cubic(time, 1) if inside else np.zeros(3), atol=1e-14)
    np.testing.assert_array_equal(acceleration, rate)


def test_fields_equal_scipys_interpolation():
    """Random points, a third of them outside, where the nearest point of the grid counts."""
    sea, rng = write(grids=[(AXES, VALUES)]), np.random.default_rng(3)
    interpolate = RegularGridInterpolator(AXES, VALUES)
    low, high = np.array([a[0] for a in AXES]), np.array([a[-1] for a in AXES])
    points = low + (high - low) * rng.uniform(-0.2, 1.2, (300, 4))
    sampled = np.zeros((300, 6))
    sample_flow(sea, np.ascontiguousarray(points[:, [2, 3, 1]]), np.ascontiguousarray(points[:, 0]), sampled)
    expected = interpolate(np.clip(points, low, high))
    np.testing.assert_allclose(sampled[:, :3], expected, atol=1e-13)  # 16 products of numbers below 4


def test_fields_of_one_node_along_an_axis_do_not_change_along_it():
    axes = (np.zeros(1), np.array([0.0, 10.0]), np.array([7.0]), np.zeros(1))
    values = np.array([[1.0, 2.0, 3.0], [2.0, 0.0, 3.5]]).reshape(1, 2, 1, 1, 3)
    sampled = at(write(grids=[(axes, values)]), (99.0, -5.0, 2.5), 1e6, (1.0, 1.0, 2.0))
    np.testing.assert_allclose(sampled[0], [1.25, 1.5, 3.125], atol=1e-15)
    np.testing.assert_allclose(sampled[1], [0.2, -0.4, 0.1], atol=1e-15)
    np.testing.assert_allclose(sampled[2], 3.125 * np.array([0.1, -0.2, 0.05]), atol=1e-15)


@pytest.mark.parametrize(
    ("axis", "edge", "beyond"), [(0, 60.0, 80.0), (0, -50.0, -51.0), (1, 90.0, 99.0), (2, 1.0, 0.2), (2, 10.0, 30.0)]
)
def test_beyond_the_edge_a_field_does_not_change_across_it(axis, edge, beyond):
    """Across the edge nothing changes; along it the derivatives are those of the edge."""
    sea = write(grids=[(AXES, VALUES)])
    at_edge, outside = np.array([20.0, 20.0, 2.0]), np.array([20.0, 20.0, 2.0])
    at_edge[axis], outside[axis] = edge, beyond
    across, along = np.zeros(3), np.full(3, 3.0)
    across[axis], along[axis] = 3.0, 0.0
    still = at(sea, outside, 5.0)
    np.testing.assert_allclose(still[0], at(sea, at_edge, 5.0)[0], atol=1e-14)
    np.testing.assert_array_equal(at(sea, outside, 5.0, across)[1], still[1])
    np.testing.assert_allclose(at(sea, outside, 5.0, along)[1], at(sea, at_edge, 5.0, along)[1], atol=1e-14)
    assert abs(at(sea, at_edge, 5.0, along)[1] - still[1]).max() > 1e-3


def test_before_and_after_its_times_a_field_is_steady():
    sea = write(grids=[(AXES, VALUES)])
    for time, edge in ((-4.0, 0.0), (70.0, 40.0)):
        sampled = at(sea, (20.0, 20.0, 2.0), time)
        np.testing.assert_allclose(sampled[0], at(sea, (20.0, 20.0, 2.0), edge)[0], atol=1e-14)
        np.testing.assert_array_equal(sampled[1], 0.0)


def test_rates_are_the_derivatives_along_the_path():
    """Central differences of the velocity along the vehicle's path and along the water's; away from nodes the
    interpolant is a polynomial of degree 4 along a line, so a step of 1e-4 leaves 1e-8 or less beside rounding of
    1e-12."""
    sea, rng, h = everything(), np.random.default_rng(4), 1e-4
    for _ in range(50):
        t, z, x, y = (inside_cells(rng, axis) for axis in AXES)
        place = np.array([x, y, z])
        if min(abs(z - np.array(KNOTS[0]))) < 0.1 or abs(t / 0.5 - round(t / 0.5)) < 0.01:
            continue  # a knot of the profile or of a series within the step
        v = rng.normal(size=3)
        velocity, rate, acceleration = at(sea, place, t, v)
        for along, derivative in ((v, rate), (velocity, acceleration)):
            ahead, behind = at(sea, place + h * along, t + h)[0], at(sea, place - h * along, t - h)[0]
            np.testing.assert_allclose(
                (ahead - behind) / (2.0 * h), derivative, atol=1e-7 * max(1.0, abs(derivative).max())
            )


def test_a_vehicle_that_drifts_with_the_water_meets_the_acceleration_of_its_parcel():
    sea, place, t = everything(), (3.0, 20.0, 7.0), 12.3
    velocity = at(sea, place, t)[0]
    _, rate, acceleration = at(sea, place, t, velocity)
    assert abs(rate).max() > 0.01
    np.testing.assert_allclose(rate, acceleration, atol=1e-14)


def test_a_field_linear_in_place_and_time_is_exact():
    """c = A (x, y, z) + b t on a grid: rate = b + A v, acceleration = b + A c."""
    rng = np.random.default_rng(5)
    a, b = rng.normal(size=(3, 3)), rng.normal(size=3)
    t, z, x, y = np.meshgrid(*AXES, indexing="ij")
    values = np.stack([x, y, z], axis=-1) @ a.T + t[..., None] * b
    place, v = np.array([-3.0, 12.0, 4.0]), np.array([0.3, -0.4, 0.1])
    velocity, rate, acceleration = at(write(grids=[(AXES, values)]), place, 11.0, v)
    # numbers up to 300 with 16 digits, cancelled
    np.testing.assert_allclose(velocity, a @ place + 11.0 * b, atol=1e-12)
    np.testing.assert_allclose(rate, b + a @ v, atol=1e-12)
    np.testing.assert_allclose(acceleration, b + a @ velocity, atol=1e-11)


def test_parts_add_up():
    place, t = (3.0, 20.0, 7.0), 12.3
    parts = (
        write(HARMONICS),
        write(knots=KNOTS),
        write(series=[ROWS]),
        write(series=[(0.0, 3.0, ROWS[2] + 1.0)]),
        write(grids=[(AXES, VALUES)]),
    )
    total = sum(at(part, place, t)[0] for part in parts)
    np.testing.assert_allclose(at(everything(), place, t)[0], total, atol=1e-14)


@pytest.mark.parametrize("bad", range(4))
def test_a_place_that_is_no_number_stays_visible(bad):
    where = [3.0, 20.0, 7.0, 12.3]
    where[bad] = np.nan
    assert np.isnan(at(everything(), where[:3], where[3])[0]).all()


def probes(count=19, seed=6):
    rng = np.random.default_rng(seed)
    rows = np.zeros((count, PROBE.size))
    rows[:, :3] = rng.uniform([-70.0, -30.0, -5.0], [80.0, 110.0, 35.0], (count, 3))
    rows[:, 3], rows[:, 4:7] = rng.uniform(-5.0, 50.0, count), rng.normal(size=(count, 3))
    return rows


def asked(rows, sea):
    rows = rows.copy()
    for row in rows:
        ask(row, sea)
    return rows


@pytest.mark.slow
def test_lanes_equal_the_scalar_kernel():
    """Same operations, at most in another order: 1e-12 of numbers of order 1 to 100."""
    rows, sea = probes(), everything()
    lanes = to_lanes(rows)
    for block in lanes:
        ask(block, sea)
    np.testing.assert_allclose(from_lanes(lanes, len(rows)), asked(rows, sea), rtol=1e-12, atol=1e-12)


def density_at(depths):
    out = np.zeros((len(depths), 2))
    sample_density(everything(), np.asarray(depths, float), out)
    return out


def test_density_above_the_surface_value_and_its_integral():
    depths = np.array([-4.0, 0.0, 1.0, 2.0, 4.5, 6.0, 13.0, 20.5, 30.0])
    densities = density_at(depths)

    def extra(z):
        return np.interp(z, *DENSITIES)

    np.testing.assert_allclose(densities[:, 0], extra(depths), atol=1e-15)
    integrals = [quad(extra, 0.0, z, points=DENSITIES[0], limit=200)[0] for z in depths]
    np.testing.assert_allclose(densities[:, 1], integrals, atol=1e-9)  # SciPy's own tolerance is 1.5e-8 of the sum


def test_no_density_table_is_no_extra_density():
    out = np.ones((2, 2))
    sample_density(write(), np.array([0.0, 50.0]), out)
    np.testing.assert_array_equal(out, 0.0)


def figures():
    """Everything at the probes: for one vehicle after another, and for lanes."""
    rows, sea = probes(), everything()
    lanes = to_lanes(rows)
    for block in lanes:
        ask(block, sea)
    return [asked(rows, sea).tolist(), from_lanes(lanes, len(rows)).tolist()]


@pytest.mark.slow
@needs_jit
def test_plain_python_gives_the_same_numbers():
    """Also for lanes. Fused multiply-add and reordered sums change the last digits: 1e-12 of numbers up to 100."""
    plain, lanes = without_jit("tests.engine.water.test_flow", "figures()")
    expected = asked(probes(), everything())
    np.testing.assert_allclose(plain, expected, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(lanes, expected, rtol=1e-12, atol=1e-12)
