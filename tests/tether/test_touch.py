"""A tether against seabed and structures: rest, friction, sliding, wrapping and release; forces by hand."""

import math

import numpy as np
import pytest

from pelagos.tether.spec import Cable, Status
from pelagos.world.seabed.seabed import Seabed
from pelagos.world.structure import Structure
from tests.tether.flown import HEAVY, NEUTRAL, column, endless, fly, rigged, stay

WEIGHT = HEAVY.weight_in(1025.0, 9.81)  # N/m
LIGHT = Cable(diameter_m=0.02, mass_kg_m=0.34, stiffness_N=1e5, damping_Ns=200.0)


def lying(mu, **seabed):
    """40 m of heavy cable, all but its ends on a bottom at 20 m."""
    sea = endless(seabed=Seabed(depth_m=20.0, friction=mu, **seabed))
    line = rigged(HEAVY, sea, (0.0, 0.0, 19.5), (38.0, 0.0, 19.9), 40.0, elements=40)
    stay(line, 20.0)
    return line


def on_the_drum(radius_m, friction, element_m, turns, far_m=4.0, tension_N=100.0):
    """Fly a cable round a column and on along its tangent; the winch keeps its tension. Returns it and the tensions."""
    rad = radius_m + 1.2
    line = rigged(
        LIGHT, endless(column(radius_m, friction)), (-8.0, radius_m + 0.01, 0.0), (0.0, rad, 0.0), 10.0,
        elements=int(10.0 / element_m), payout="tension", tension_N=tension_N, drum_drag_Ns_m=1.0, drum_speed_m_s=3.0,
    )  # fmt: skip
    angles = math.pi / 2.0 - np.linspace(0.0, turns * 2.0 * math.pi, int(turns * 32))
    corners = [(rad * math.cos(a), rad * math.sin(a), turns * i / len(angles)) for i, a in enumerate(angles)]
    fly(line, *corners, speed_m_s=0.3)
    pulls = []
    away = np.array([math.sin(angles[-1]), -math.cos(angles[-1]), 0.0])
    fly(
        line, line.shape_n[-1] + far_m * away, speed_m_s=0.3,
        each=lambda q: pulls.append((q.tensions_N[0], q.tensions_N[-1])),
    )  # fmt: skip
    return line, np.array(pulls)


def lowered_onto(obstacle):
    """A cable over something whose top is at z = 0, paid out until it lies on it."""
    line = rigged(
        HEAVY, endless(obstacle), (-3.0, 0.0, -0.8), (3.0, 0.0, -0.8), 6.05, elements=33, payout="rate", rate_m_s=0.05
    )
    stay(line, 20.0)
    line.haul(fixed=True)
    stay(line, 20.0)
    return line


# ---- seabed ----------------------------------------------------------------------------------------------------------


def test_it_sinks_in_by_its_weight_over_the_stiffness_of_the_ground():
    line = lying(0.6)
    deep = line.shape_n[10:30, 2] - (20.0 - 0.5 * HEAVY.diameter_m)
    np.testing.assert_allclose(deep, WEIGHT / 1e4, rtol=1e-6)  # a closed form; what is left is the solver's tolerance
    assert line.status & Status.AGROUND
    assert line.head["aground"] == pytest.approx(39.0, abs=1.01)  # all but half an element at each end, and the hook-up


def test_friction_takes_mu_w_per_metre_from_the_tension_of_a_cable_dragged_along():
    mu, line = 0.6, lying(0.6)
    fly(line, (39.8, 0.0, 19.9), speed_m_s=0.1)  # straight, and sliding all along
    pulled, down = line.tensions_N, np.linalg.norm(line.shape_n[-1] - line.shape_n[0])
    assert down < 40.0  # not yet stretched between its ends
    # 4 %: the bends it still has are of the order of 0.2 rad, and drag along it at 0.1 m/s adds 1 %
    assert (pulled[35] - pulled[15]) / 20.0 == pytest.approx(mu * WEIGHT, rel=0.04)


def test_a_pull_below_friction_moves_nothing_for_minutes():
    """The far end is pulled so gently that friction of a few metres holds it: the rest of the cable does not creep."""
    line = lying(0.6)
    fly(line, (38.9, 0.0, 19.9), speed_m_s=0.05)  # takes the slack up and a little more
    stay(line, 30.0)
    assert line.tensions_N[-2] > 5.0
    before = line.shape_n
    stay(line, 180.0)
    assert np.abs(line.shape_n - before).max() < 1e-6  # the solver's noise over 9000 steps
    assert line.tensions_N[2] < 0.5 * line.tensions_N[-2]  # and the tension on the ground stays lower


@pytest.mark.parametrize("mu, slides", [(0.8, False), (0.2, True)])
def test_on_a_slope_it_stays_while_mu_is_above_the_slope(mu, slides):
    """20 m laid down a slope of 0.5: when 1 m is paid out above, the cable follows it down only where mu < 0.5."""
    slope = Seabed(kind="slope", depth_m=20.0, slope_deg=math.degrees(math.atan(0.5)), down_to_deg=0.0, friction=mu)
    end = (17.889, 0.0, 20.0 + 0.5 * 17.889 - 0.05)
    how = {"elements": 40, "payout": "rate", "rate_m_s": 0.05}
    line = rigged(HEAVY, endless(seabed=slope), (0.0, 0.0, 19.95), end, 20.2, **how)
    start = line.shape_n[-20, 0]
    stay(line, 20.0)
    line.haul(fixed=True)
    stay(line, 10.0)
    moved = line.shape_n[-20, 0] - start  # the same material point: nodes are counted from the vehicle
    assert moved > 0.4 if slides else abs(moved) < 0.02


def test_it_follows_a_bottom_map():
    north = np.linspace(-10.0, 60.0, 71)
    depths = np.tile((20.0 + 0.5 * np.sin(0.3 * north))[:, None], (1, 11))
    rows = tuple(tuple(row) for row in depths.tolist())
    bottom = Seabed(kind="grid", depths_m=rows, spacing_m=1.0, origin_m=(-10.0, -5.0), friction=0.5)
    line = rigged(
        HEAVY,
        endless(seabed=bottom),
        (0.0, 0.0, 18.0),
        (40.0, 0.0, 18.0),
        40.2,
        elements=80,
        payout="rate",
        rate_m_s=0.1,
    )
    stay(line, 30.0)
    line.haul(fixed=True)
    stay(line, 30.0)
    n, z = line.shape_n[20:60, 0], line.shape_n[20:60, 2]
    above = np.interp(n, north, depths[:, 0]) - 0.5 * HEAVY.diameter_m - z
    # sunk in by w/k = 0.7 mm, more on a crest, over which tension bends it
    assert above.min() > -5e-3
    assert np.median(np.abs(above)) < 2e-3


# ---- structures ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("element_m", [0.2, 0.3])
def test_without_friction_the_tension_is_the_same_on_both_sides_of_a_column(element_m):
    line, _ = on_the_drum(1.0, 0.0, element_m, 0.5)
    stay(line, 30.0)
    assert line.tensions_N[0] == pytest.approx(line.tensions_N[-1], rel=0.015)  # tether.md, section 5
    assert line.status & Status.SNAGGED


@pytest.mark.parametrize("element_m, turns, off", [(0.2, 0.5, 0.04), (0.6, 0.5, 0.08), (0.3, 1.25, 0.05)])
def test_sliding_round_a_column_the_tensions_differ_by_the_capstan_formula(element_m, turns, off):
    """Off by a few per cent: a polygon turns in steps, up to 0.6 rad with elements of 0.6 m, as they come and go."""
    mu = 0.3
    line, pulls = on_the_drum(1.0, mu, element_m, turns)
    free = np.linalg.norm(line.shape_n[-1]) + 8.0  # m of cable that drag pulls at
    ratio = np.median(pulls[-200:, 1] / pulls[-200:, 0])
    wrap = float(line.head["wrap"])
    assert wrap == pytest.approx(turns * 2.0 * math.pi, abs=0.35)  # the two legs are not quite parallel
    drag = 0.5 * 1025.0 * 0.02 * math.pi * 0.05 * 0.3**2 * free / 100.0
    assert ratio == pytest.approx(math.exp(mu * wrap) * (1.0 + drag), rel=off)


def test_a_turn_holds_for_minutes_without_creeping():
    line, _ = on_the_drum(1.0, 0.3, 0.3, 1.25)
    line.haul(fixed=True)
    stay(line, 60.0)
    before, pulls = line.shape_n, line.tensions_N
    assert pulls[-1] > 3.0 * pulls[0]  # 442 deg hold up to a factor of 10
    stay(line, 120.0)
    assert np.abs(line.shape_n - before).max() < 1e-6
    np.testing.assert_allclose(line.tensions_N, pulls, rtol=1e-5)


@pytest.mark.parametrize("radius_m, element_m", [(0.5, 2.0), (0.05, 0.5)])
def test_long_elements_hold_on_a_thin_column_too(radius_m, element_m):
    line, pulls = on_the_drum(radius_m, 0.3, element_m, 0.5)
    assert np.isfinite(pulls).all()
    assert float(line.head["wrap"]) == pytest.approx(math.pi, abs=0.35)
    assert line.status & Status.SNAGGED


def test_the_pilot_frees_it_by_flying_back():
    line, _ = on_the_drum(1.0, 0.3, 0.3, 0.75)
    assert float(line.head["wrap"]) > math.pi
    rad = 2.2
    back = math.pi / 2.0 - np.linspace(0.75 * 2.0 * math.pi, -0.3, 30)
    corners = [(rad * math.cos(a), rad * math.sin(a), 0.0) for a in back]
    fly(line, *corners, (0.0, 6.0, 0.0), speed_m_s=0.3)
    stay(line, 20.0)
    assert float(line.head["wrap"]) == 0.0
    assert not line.status & Status.SNAGGED
    # the winch's 100 N all along, and half of the 1.9 N that 10.5 m weigh
    np.testing.assert_allclose(line.tensions_N, 100.0, atol=2.0)


@pytest.mark.parametrize(
    "obstacle",
    [
        Structure(kind="box", center_m=(0.0, 0.0, 1.0), size_m=(1.0, 4.0, 2.0), friction=0.3),
        Structure(kind="sphere", center_m=(0.0, 0.0, 1.0), radius_m=1.0, friction=0.3),
        Structure(kind="plane", point_m=(0.0, 0.0, 0.0), normal=(0.0, 0.0, -1.0), friction=0.3),
    ],
    ids=["box", "sphere", "plane"],
)
def test_it_hangs_over_anything_and_sinks_into_nothing(obstacle):
    line = lowered_onto(obstacle)
    local = line.points(400)
    deep = 0.005 + 0.5 * HEAVY.diameter_m
    assert not obstacle.contains(local + np.array([0.0, 0.0, -deep])).any()  # lifted by its radius and 5 mm it is free
    assert line.head["touching"] > 0
    assert line.head["used"] <= 2


def test_it_rests_on_a_mesh(tmp_path):
    """A box as a mesh: the cable lies on its top as on the box itself."""
    corners = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-2.0, 2.0) for z in (0.0, 1.0)])
    faces = [
        (0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
        (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3),
    ]  # fmt: skip
    text = [f"v {x} {y} {z}" for x, y, z in corners] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces]
    (tmp_path / "box.obj").write_text("\n".join(text) + "\n")
    mesh = Structure(kind="mesh", file=str(tmp_path / "box.obj"), grid_step_m=0.1, friction=0.3)
    line = lowered_onto(mesh)
    over = np.abs(line.shape_n[:, 0]) < 0.8
    # 1 cm: a distance grid of 0.1 m is exact over a flat face, and sinking in is under a millimetre
    np.testing.assert_allclose(line.shape_n[over, 2], -0.5 * HEAVY.diameter_m, atol=0.01)
    assert line.status & Status.SNAGGED


def test_contacts_without_room_are_reported():
    """Four boxes in one place need four contacts a node; there is room for three an element. One box needs one."""
    box = Structure(kind="box", center_m=(0.0, 0.0, 12.0), size_m=(40.0, 4.0, 4.0))
    for count, crowded in ((1, False), (4, True)):
        sea = endless(*(box for _ in range(count)))
        ends = (-10.0, 0.0, 9.985), (10.0, 0.0, 9.985)  # drawn straight 5 mm above
        line = rigged(NEUTRAL, sea, *ends, 19.99, elements=20)
        stay(line, 0.1)
        assert bool(line.head["crowded"]) is crowded
        assert bool(line.status & Status.UNDER_RESOLVED) is crowded
