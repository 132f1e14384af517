"""The submerged part in the kernel: exact volumes, its potential energy, smoothness, lanes."""

from dataclasses import replace

import numba
import numpy as np
import pytest

from pelagos.engine.compiled import OPTIONS
from pelagos.engine.core.algebra import Vec3
from pelagos.engine.core.lanes import from_lanes, to_lanes
from pelagos.engine.core.views import Layout, LayoutField, viewer
from pelagos.engine.water.sea import HULL
from pelagos.engine.water.wet import DISCS, EDGE, STACK, TAPER, WET_PIECE, is_deep, ramp, wet
from pelagos.vehicle.load.vehicle import loads
from pelagos.vehicle.pack.hull import centered, hull_table
from pelagos.vehicle.pack.sampling import quadrature
from pelagos.vehicle.spec import FreeSurfaceModel, Shape
from tests.jit_off import needs_jit, without_jit
from tests.reference import wet_volume

HEAD = """
name = "float"
class = "float"
[body]
mass_kg = 1.0
neutral = true
inertia_kg_m2 = [1.0, 1.0, 1.0]
cb_m = [0.02, -0.01, 0.03]
[geometry]
length_m = 2.0
[added_mass]
diagonal = [0, 0, 0, 0, 0, 0]
"""
CYLINDER = '[[shape]]\nkind = "cylinder"\nlength_m = 1.8\nradius_m = 0.3\n'
MAST = '[[shape]]\nkind = "cylinder"\naxis = "z"\ncenter_m = [0.1, 0, -0.5]\nlength_m = 0.4\nradius_m = 0.1\n'
BOX = '[[shape]]\nkind = "box"\nsize_m = [0.5, 0.4, 0.3]\ncenter_m = [0.2, 0.1, 0.5]\n'
TAIL = (
    '[[shape]]\nkind = "stations"\ncenter_m = [-0.3, 0.2, 0.1]\n'
    "stations_m = [[-0.5, 0.0, 0.4], [0.0, 0.2, 0.4], [0.4, 0.3, 0.2]]\n"
)
ALL = HEAD + CYLINDER + MAST + BOX + TAIL

PROBE = Layout(
    "WetProbe", tuple(LayoutField(name, "probe") for name in ("depth", "nx", "ny", "nz", "share", "x", "y", "z"))
)
as_probe = viewer(PROBE)


@numba.njit(**OPTIONS)
def probe(hull, row):
    """Fill the outputs of one row, or of one block of lanes."""
    p = as_probe(row)
    part = wet(hull, p.depth, Vec3(p.nx, p.ny, p.nz))
    p.share, p.x, p.y, p.z = part.share, part.x, part.y, part.z


@numba.njit(**OPTIONS)
def probe_deep(hull, row):
    """Whether all of a row or block is deep."""
    p = as_probe(row)
    return is_deep(hull, p.depth, Vec3(p.nx, p.ny, p.nz))


def part_of(hull, depth, n):
    """Share and first moment, (4,)."""
    row = np.array([depth, *n, 0.0, 0.0, 0.0, 0.0])
    probe(hull, row)
    return row[4:]


def bare(shape):
    """The hull of one shape, centred at O."""
    size = {"box": "size_m", "ellipsoid": "semi_axes_m"}[shape.kind]
    text = f'[[shape]]\nkind = "{shape.kind}"\n{size} = {list(shape.size_m)}\n'
    return hull_table(loads(HEAD.replace("cb_m = [0.02, -0.01, 0.03]", "") + text))


def scattered(count, reach=1.2):
    """Rows of the probe, inputs filled."""
    rows = np.zeros((count, PROBE.size))
    rng = np.random.default_rng(3)
    n = rng.standard_normal((count, 3))
    rows[:, 0] = rng.uniform(-reach, reach, count)
    rows[:, 1:4] = n / np.linalg.norm(n, axis=1)[:, None]
    return rows


def figures():
    """The probe at eleven places."""
    hull, rows = hull_table(loads(ALL)), scattered(11)
    for row in rows:
        probe(hull, row)
    return rows


def energy(hull, depth, n):
    """U / (rho g V). U grows in proportion to (depth, n), so by the theorem of Euler it is depth share + n . moment."""
    part = part_of(hull, depth, n)
    return depth * part[0] + np.array(n) @ part[1:]


@pytest.mark.slow
@pytest.mark.parametrize("shapes", [CYLINDER, BOX, TAIL, CYLINDER + MAST + BOX + TAIL])
def test_wrench_is_the_gradient_of_the_energy(shapes):
    """dU/d depth = share, dU/dn = first moment, n of any length.

    Central differences of 1e-5: rounding 1e-15/1e-5, truncation 1e-10/6 times U''' (3e3 at the edges of a box).
    """
    hull = hull_table(loads(HEAD + shapes))
    for row in scattered(40, reach=0.6):
        place = row[:4]
        slopes = []
        for step in 1e-5 * np.eye(4):
            ahead, behind = place + step, place - step
            slopes.append((energy(hull, ahead[0], ahead[1:]) - energy(hull, behind[0], behind[1:])) / 2e-5)
        assert slopes == pytest.approx(part_of(hull, place[0], place[1:]), abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("shapes", [CYLINDER, BOX, TAIL])
def test_energy_is_the_share_summed_over_depth(shapes):
    """U of the theorem against the sum of the share from out of the water: trapezia of 0.2 mm leave 1e-8."""
    hull = hull_table(loads(HEAD + shapes))
    for row in scattered(4, reach=0.4):
        depths = np.linspace(-1.5, row[0], 9001)
        shares = [part_of(hull, depth, row[1:4])[0] for depth in depths]
        assert energy(hull, row[0], row[1:4]) == pytest.approx(np.trapezoid(shares, depths), abs=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_a_turn_about_the_normal_takes_no_work(seed):
    """The moment m x n has no part along n for a flat sea: heading does not matter. Exact up to rounding."""
    hull, row = hull_table(loads(ALL)), scattered(3)[seed]
    n, m = row[1:4], part_of(hull, row[0], row[1:4])[1:]
    assert abs(np.cross(m, n) @ n) < 1e-15


@pytest.mark.slow
def test_box_against_clipped_tetrahedra():
    """EDGE rounds the edges: EDGE/6 of the volume when level, far less tilted."""
    shape = Shape("box", size_m=(0.5, 0.4, 0.3))
    hull = bare(shape)
    for depth, n in wet_volume.attitudes(300, (0.25, 0.2, 0.15), seed=1):
        error = part_of(hull, depth, n) - wet_volume.box(shape.size_m, depth, n)
        assert abs(error[0]) < EDGE / 5.0
        assert np.all(np.abs(error[1:]) < EDGE / 5.0 * np.array([0.25, 0.2, 0.15]))


def test_level_box_has_its_textbook_draught():
    """Wet share = draught over height, off the corners; the rounding of edges is symmetric and leaves it exact."""
    hull = bare(Shape("box", size_m=(0.5, 0.4, 0.3)))
    for draught in (0.03, 0.1, 0.2, 0.27):
        share, _, _, z = part_of(hull, draught - 0.15, (0.0, 0.0, 1.0))
        assert share == pytest.approx(draught / 0.3, rel=1e-4)  # half height 0.15 grows by EDGE^2
        assert z / share == pytest.approx(0.15 - draught / 2.0, abs=1e-4)


def test_metacentre_of_a_box():
    """BM = I/V for a level floating box: the moment per angle of heel is that of the water plane."""
    breadth, height, draught, heel = 0.4, 0.3, 0.12, 1e-3
    hull = bare(Shape("box", size_m=(2.0, breadth, height)))
    share, _, y, z = part_of(hull, draught - height / 2, (0.0, np.sin(heel), np.cos(heel)))
    # lever of buoyancy about the centre of the box, over heel: KB to centre below it, plus BM = b^2/(12 T)
    lever = (y * np.cos(heel) - z * np.sin(heel)) / share
    below = height / 2 - draught / 2
    assert lever / heel == pytest.approx(breadth**2 / (12.0 * draught) - below, rel=1e-3)


def test_dry_and_wet_are_exact():
    hull = hull_table(loads(ALL))
    reach = hull[: HULL.size].view(HULL.dtype)[0]["reach"]
    for row in scattered(50):
        n = row[1:4]
        assert np.all(part_of(hull, -reach, n) == 0.0)
        just_under = part_of(hull, reach, n)
        # sums of 512 shares; B4 and E4 ask for 1e-11
        assert just_under == pytest.approx([1.0, 0.02, -0.01, 0.03], abs=1e-14)


def test_pieces_wholly_wet_or_dry_are_not_summed():
    """The short cut and the sum agree: just inside and just outside of it the parts differ by the step only.

    A piece whose box is wide of it is summed instead; its share of the volume is then exact to rounding.
    """
    short = hull_table(loads(ALL))
    long = short.copy()
    head = long[: HULL.size].view(HULL.dtype)[0]
    records = long[int(head["pieces_at"]) :][: int(head["n_pieces"]) * WET_PIECE.size].view(WET_PIECE.dtype)
    records["half"] = 1e3
    for row in scattered(200):
        assert part_of(short, row[0], row[1:4]) == pytest.approx(part_of(long, row[0], row[1:4]), abs=1e-14)


@pytest.mark.parametrize("axis", "xyz")
def test_a_stack_is_its_discs(axis):
    """The same points taken as discs anywhere: fewer products, the same sums."""
    text = CYLINDER + f'axis = "{axis}"\ncenter_m = [0.1, 0.2, 0.3]\n'
    stack = hull_table(loads(HEAD + text))
    discs = stack.copy()
    head = discs[: HULL.size].view(HULL.dtype)[0]
    record = discs[int(head["pieces_at"]) :][: WET_PIECE.size].view(WET_PIECE.dtype)[0]
    assert record["kind"] == STACK + "xyz".index(axis)
    record["kind"] = DISCS
    for row in scattered(50, reach=0.6):
        assert part_of(stack, row[0], row[1:4]) == pytest.approx(part_of(discs, row[0], row[1:4]), abs=1e-14)


@pytest.mark.slow
@pytest.mark.parametrize("axis", "xyz")
def test_a_taper_is_its_discs(axis):
    """Against the formula of one disc after another in NumPy, each with its own C; two tapers and a stack in a hull."""
    stations = ((-0.5, 0.0, 0.4), (0.0, 0.2, 0.4), (0.4, 0.3, 0.2))
    shapes = (
        Shape("stations", center_b=(0.1, 0.2, 0.3), stations=stations, axis=axis),
        Shape("cylinder", center_b=(0.0, -0.5, 0.0), size_m=(0.8, 0.2)),
        Shape("stations", center_b=(0.5, -0.2, 0.1), stations=stations, axis="x"),
    )
    hull = hull_table(replace(loads(HEAD), shapes=shapes, free_surface=FreeSurfaceModel("quadrature", 512)))
    pieces = centered(quadrature(shapes, 512), (0.02, -0.01, 0.03))
    assert [piece.kind for piece in pieces] == [TAPER + "xyz".index(axis), STACK, TAPER]
    for row in scattered(50, reach=0.6):
        n, part = row[1:4], np.zeros(4)
        for piece in pieces:
            widths = piece.sizes[:, None] ** 2 * (piece.spreads @ n)
            h = np.sqrt(widths @ n)
            f, m = ramp(np.clip((row[0] + piece.places @ n) / h, -1.0, 1.0))
            part[0] += piece.volumes @ f
            part[1:] += (piece.volumes * f) @ piece.places + (piece.volumes * m / h) @ widths
        assert part_of(hull, row[0], n) == pytest.approx(part, abs=1e-14)


@pytest.mark.slow
def test_deep_means_every_vehicle_of_a_block():
    hull, rows = hull_table(loads(ALL)), scattered(8)
    reach = hull[: HULL.size].view(HULL.dtype)[0]["reach"]
    rows[:, 0] = 1.001 * reach
    assert probe_deep(hull, to_lanes(rows)[0])
    assert all(probe_deep(hull, row) for row in rows)
    rows[5, 0] = 0.999 * reach
    assert not probe_deep(hull, to_lanes(rows)[0])
    rows[5, 0] = np.nan
    assert not probe_deep(hull, to_lanes(rows)[0])
    no_points = hull_table(loads(ALL), method="submerged")
    assert probe_deep(no_points, rows[0] * 0.0)


def test_share_grows_with_depth():
    """A float has one depth of rest at each attitude."""
    hull = hull_table(loads(ALL))
    for row in scattered(12):
        shares = [part_of(hull, depth, row[1:4])[0] for depth in np.linspace(-1.2, 1.2, 601)]
        assert np.min(np.diff(shares)) >= -1e-13


@pytest.mark.parametrize("n", [(0.0, 0.0, 1.0), (0.1, 0.0, 0.995), (0.6, 0.48, 0.64)])
def test_share_is_smooth(n):
    """C2: second differences of the share over the step squared approach a limit, as they would not at a kink.

    A kink of slope J would leave J/h: halving h would double the largest of them.
    """
    hull = hull_table(loads(HEAD + CYLINDER + BOX))
    largest = []
    for step in (2e-4, 1e-4):
        shares = np.array([part_of(hull, depth, n)[0] for depth in np.arange(-0.8, 0.8, step)])
        largest.append(np.max(np.abs(np.diff(shares, 2))) / step**2)
    assert largest[1] < 1.1 * largest[0]


@pytest.mark.parametrize("depth", [0.0, 0.1, 0.2])
def test_share_is_smooth_in_attitude(depth):
    """The same in pitch about level, upright and inverted, where the box is rounded over EDGE = 0.004 rad only."""
    hull = hull_table(loads(HEAD + CYLINDER + BOX))
    for middle in (0.0, 0.5 * np.pi, np.pi):
        largest = []
        for step in (4e-5, 2e-5):
            pitch = middle + np.arange(-0.02, 0.02, step)
            computed = np.array([part_of(hull, depth, (-np.sin(angle), 0.0, np.cos(angle))) for angle in pitch])
            largest.append(np.max(np.abs(np.diff(computed, 2, axis=0))) / step**2)
        assert largest[1] < 1.1 * largest[0]


def test_rk4_keeps_its_order_through_the_surface():
    """A heavy cylinder bobs right out of the water and right under. F is C2: order 3 at least, 4 between its ends."""
    hull = hull_table(loads(HEAD.replace("cb_m = [0.02, -0.01, 0.03]", "") + CYLINDER))

    def rate(y):
        return np.array([y[1], 9.81 * (1.0 - 2.0 * part_of(hull, y[0], (0.0, 0.0, 1.0))[0])])

    def run(steps):
        y, h = np.array([0.36, 0.0]), 1.5 / steps
        for _ in range(steps):
            a = rate(y)
            b = rate(y + 0.5 * h * a)
            c = rate(y + 0.5 * h * b)
            d = rate(y + h * c)
            y = y + h / 6.0 * (a + 2.0 * b + 2.0 * c + d)
        return y

    exact = run(12800)
    errors = [np.max(np.abs(run(steps) - exact)) for steps in (200, 400, 800)]
    assert np.log2(errors[0] / errors[2]) / 2.0 > 2.8


def test_ramp_is_the_segment_of_a_circle():
    """0.04 % of the area at most (made so), F exactly 0 and 1 at its ends."""
    s = np.linspace(-1.0, 1.0, 2001)
    values = np.array([ramp(value) for value in s])
    x = np.clip(1.015 * s, -1.0, 1.0)
    exact = 0.5 + (x * np.sqrt(1.0 - x * x) + np.arcsin(x)) / np.pi
    assert np.max(np.abs(values[:, 0] - exact)) < 4.1e-4
    moment = 2.0 / (3.0 * np.pi) * (1.0 - x * x) ** 1.5
    assert np.max(np.abs(1.015 * values[:, 1] - moment)) < 2.1e-4
    assert ramp(-1.0) == (0.0, 0.0) and ramp(1.0) == (1.0, 0.0)


def test_a_cloud_is_sharp():
    """Monte Carlo points are wet when their depth is above 0 (errata H15): share times N is a whole number."""
    hull = hull_table(loads(HEAD + CYLINDER + '[free_surface]\nmethod = "monte_carlo"\npoints = 1000\n'))
    at = int(hull[: HULL.size].view(HULL.dtype)[0]["points_at"])
    places = hull[at : at + 3000].reshape(3, 1000).T
    for row in scattered(30, reach=0.6):
        below = row[0] + places @ row[1:4] > 0.0
        part = part_of(hull, row[0], row[1:4])
        assert part[0] * 1000.0 == pytest.approx(np.sum(below), abs=1e-9)
        assert part[1:] == pytest.approx(np.sum(places[below], axis=0) / 1000.0, abs=1e-11)


@pytest.mark.slow
@pytest.mark.parametrize(("dtype", "tolerance"), [(np.float64, 1e-13), (np.float32, 2e-4)])
def test_lanes_equal_the_scalar_kernel(dtype, tolerance):
    """Single precision rounds the polynomial's coefficients, up to 700 in size, by 4e-5."""
    hull, blocks = hull_table(loads(ALL)), to_lanes(scattered(11), dtype)
    for block in blocks:
        probe(hull, block)
    np.testing.assert_allclose(from_lanes(blocks, 11), figures(), rtol=0, atol=tolerance)


@pytest.mark.slow
@needs_jit
def test_plain_python_gives_the_same_numbers():
    # the compiler reorders sums of 512 shares
    plain = without_jit("tests.engine.water.test_wet", "figures().tolist()")
    np.testing.assert_allclose(plain, figures(), rtol=0, atol=1e-13)
