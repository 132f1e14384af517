"""Each kind of current against its closed form, through the kernel; how several become one set of tables."""

import math
import re
from pathlib import Path

import numpy as np
import pytest

from pelagos.engine.water.flow import sample_flow
from pelagos.engine.water.sea import SEA
from pelagos.errors import ScenarioError
from pelagos.world.current.field import CurrentField
from pelagos.world.current.kinds import (
    GaussMarkov,
    PowerLaw,
    Profile,
    Series,
    Tidal,
    Turbulence,
    Uniform,
    check_cover,
    pack_currents,
    velocity_at,
    with_origin,
)
from pelagos.world.writer import SeaWriter

ROOT = Path(__file__).parents[3]
ORIGIN = (0.0, 0.0, 0.0)
DIGITS = 1e-14  # velocities of order 1 after a handful of operations


def packed(*currents, until_s=100.0):
    writer = SeaWriter()
    pack_currents(currents, writer, until_s=until_s)
    return writer.finish()


def header(sea, name):
    return sea[SEA.offset(name)[0]]


def at_depth(current, depth):
    return velocity_at([current], (0.0, 0.0, depth), 0.0)[0]


def test_uniform():
    velocities = velocity_at([Uniform(speed_m_s=2.0, to_deg=60.0, down_m_s=-0.1)], [[9.0, 9.0, 50.0], ORIGIN], 7.0)
    np.testing.assert_allclose(velocities, [[1.0, math.sqrt(3.0), -0.1]] * 2, atol=DIGITS)


def test_no_current_writes_nothing():
    sea = packed()
    assert len(sea) == SEA.size
    np.testing.assert_array_equal(velocity_at([], ORIGIN, 3.0), np.zeros((1, 3)))


def test_a_profile_is_straight_in_north_and_east():
    """From 1 m/s north to 1 m/s east: half way down it is (0.5, 0.5), not 1 m/s to the north-east."""
    profile = Profile(rows=((0.0, 1.0, 0.0), (10.0, 1.0, 90.0), (20.0, 0.0, 0.0)))
    for depth, expected in ((-5, [1, 0]), (5, [0.5, 0.5]), (10, [0, 1]), (15, [0, 0.5]), (90, [0, 0])):
        np.testing.assert_allclose(at_depth(profile, depth)[:2], expected, atol=DIGITS)


def test_profiles_add_up_on_the_union_of_their_depths():
    first = Profile(rows=((0.0, 1.0, 0.0), (10.0, 0.0, 0.0)))
    second = Profile(rows=((5.0, 0.2, 90.0), (30.0, 0.6, 90.0)))
    both = (first, second, Uniform(speed_m_s=0.1, to_deg=0.0, down_m_s=0.05))
    sea = packed(*both)
    assert header(sea, "n_knots") == 4  # 0, 5, 10, 30: the uniform one needs no knot of its own
    assert header(sea, "n_harmonics") == header(sea, "n_series") == header(sea, "n_fields") == 0
    depths = np.array([-1.0, 0.0, 2.0, 5.0, 7.0, 10.0, 18.0, 30.0, 44.0])
    places = np.column_stack([0 * depths, 0 * depths, depths])
    north = 0.1 + np.interp(depths, [0.0, 10.0], [1.0, 0.0])
    east = np.interp(depths, [5.0, 30.0], [0.2, 0.6])
    expected = np.column_stack([north, east, np.full(9, 0.05)])
    np.testing.assert_allclose(velocity_at(both, places, 0.0), expected, atol=DIGITS)


def test_the_power_law_of_a_boundary_layer():
    law = PowerLaw(speed_m_s=0.8, to_deg=180.0, bottom_m=40.0)
    depths = np.linspace(0.0, 39.6, 100)
    places = np.column_stack([0 * depths, 0 * depths, depths])
    expected = -0.8 * (1.0 - depths / 40.0) ** (1.0 / 7.0)
    north_m_s = velocity_at([law], places, 0.0)[:, 0]
    np.testing.assert_allclose(north_m_s, expected, rtol=0.01)  # straight between knots: 1 % as its docstring says
    assert abs(north_m_s[0]) == pytest.approx(0.8, rel=1e-14)
    assert abs(at_depth(law, 40.0)).max() < 1e-15


def test_a_tide_turns_along_its_ellipse():
    """Major axis to 30 deg, reached a quarter of a period after the start; clockwise: to 300 deg before."""
    tide = Tidal(speed_m_s=1.0, to_deg=30.0, period_h=12.0, phase_deg=90.0, minor_m_s=0.25)
    quarter = 3.0 * 3600.0
    major = np.array([math.cos(math.radians(30.0)), math.sin(math.radians(30.0)), 0.0])
    minor = 0.25 * np.array([-major[1], major[0], 0.0])
    velocities = velocity_at([tide], ORIGIN, quarter * np.arange(5.0))
    np.testing.assert_allclose(velocities, [-minor, major, minor, -major, -minor], atol=DIGITS)


def test_the_default_tide_is_m2():
    """Period from the speed of the constituent, 28.9841042 deg/h (Doodson 1921)."""
    tide = Tidal(speed_m_s=1.0, to_deg=0.0)
    assert tide.period_h == pytest.approx(360.0 / 28.9841042, rel=1e-8)
    assert velocity_at([tide], ORIGIN, 3600.0 * tide.period_h / 6.0)[0, 0] == pytest.approx(0.5, abs=1e-12)


EVEN = ((0.0, 0.1, 0.2, 0.0), (10.0, 0.3, 0.0, -0.1), (20.0, 0.2, 0.1, 0.1))
UNEVEN = ((0.0, 0.1, 0.2, 0.0), (4.0, 0.3, 0.0, -0.1), (20.0, 0.2, 0.1, 0.1))


@pytest.mark.parametrize("rows", [EVEN, UNEVEN])
def test_a_series_is_straight_between_its_rows(rows):
    series = Series(rows=rows)
    assert header(packed(series), "n_fields") == 1
    array, times = np.array(rows), np.linspace(-2.0, 25.0, 40)
    expected = np.column_stack([np.interp(times, array[:, 0], array[:, i]) for i in (1, 2, 3)])
    np.testing.assert_allclose(velocity_at([series], ORIGIN, times), expected, atol=DIGITS)


def test_a_series_from_a_file(tmp_path):
    """Columns in any order; down may be missing."""
    path = tmp_path / "adcp.csv"
    path.write_text("# mooring 3\neast_m_s,time_s,north_m_s\n0.2,0,0.1\n0.0,10,0.3\n0.1,20,0.2\n")
    flat = tuple(row[:3] for row in EVEN)
    np.testing.assert_array_equal(Series(file=str(path)).measured(), Series(rows=flat).measured())
    assert Series(file=str(path)).measured()[1].tolist() == [10.0, 0.3, 0.0, 0.0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("time_s,north_m_s\n0,1\n1,2\n", "a first line that names time_s, north_m_s, east_m_s, down_m_s"),
        ("", "a first line that names"),
        (
            "time_s,north_m_s,east_m_s,dwn_m_s\n0,1,0,1\n1,2,0,1\n",
            "the first line has 'dwn_m_s'; expected .*; did you mean \"down_m_s\"?",
        ),
        ("time_s,north_m_s,east_m_s\n0,1,2\n1,x,2\n", "row 2 has an entry that is not a number"),
        ("time_s,north_m_s,east_m_s\n0,1,2\n1,2\n", "row 2 has an entry that is not a number"),
        ("time_s,north_m_s,east_m_s,\n0,1,2,3\n1,2,3,4\n", "the first line has ''"),
        ("time_s,north_m_s,east_m_s\n0,1,2\n1,2,3,4\n", "row 2 has more entries than the first line"),
        ("time_s,north_m_s,east_m_s\n0,1,2\n0,1,2\n", "at least 2 rows of time_s.* ascending"),
    ],
)
def test_a_bad_series_file_is_one_sentence(tmp_path, text, message):
    path = tmp_path / "adcp.csv"
    path.write_text(text)
    with pytest.raises(ScenarioError, match=message):
        Series(file=str(path))


def test_all_kinds_add_up():
    currents = [
        Uniform(speed_m_s=0.3, to_deg=10.0),
        Profile(rows=((0.0, 0.5, 90.0), (20.0, 0.1, 120.0))),
        PowerLaw(speed_m_s=0.2, to_deg=200.0, bottom_m=30.0),
        Tidal(speed_m_s=0.4, to_deg=70.0),
        GaussMarkov(sigma_m_s=0.1, time_constant_s=30.0),
        Turbulence(sigma_m_s=0.05, length_scale_m=3.0, mean_speed_m_s=0.5),
        Series(rows=EVEN),
        Series(rows=UNEVEN),
    ]
    place, times = (1.0, 2.0, 13.0), np.linspace(0.0, 90.0, 7)
    apart = sum(velocity_at([current], place, times) for current in currents)
    np.testing.assert_allclose(velocity_at(currents, place, times), apart, atol=DIGITS)


def test_a_longer_table_continues_the_shorter_one():
    """So that the tables may be exchanged during a run: the same bytes at every time of the shorter one."""
    currents = (
        GaussMarkov(sigma_m_s=0.1, time_constant_s=30.0),
        Turbulence(sigma_m_s=0.1, length_scale_m=2.0, mean_speed_m_s=1.0),
    )
    times, places = np.linspace(0.0, 100.0, 201), np.zeros((201, 3))
    short, long = np.zeros((201, 6)), np.zeros((201, 6))
    sample_flow(packed(*currents, until_s=100.0), places, times, short)
    sample_flow(packed(*currents, until_s=5000.0), places, times, long)
    assert np.ptp(short[:, 0]) > 0.05
    np.testing.assert_array_equal(short, long)


@pytest.mark.parametrize("until", [-1.0, math.inf, math.nan, "long"])
def test_a_run_has_a_finite_length(until):
    with pytest.raises(ScenarioError, match=r"until_s = .*a finite number of at least 0"):
        pack_currents([], SeaWriter(), until_s=until)


def test_a_run_longer_than_a_series_is_refused():
    check_cover(Series(rows=EVEN), 20.0)
    check_cover(Uniform(speed_m_s=1.0), 1e9)
    with pytest.raises(ScenarioError, match=r"current: rows: covers 0 to 20 s of the run, which needs 0 to 21 s"):
        check_cover(Series(rows=EVEN), 21.0)
    late = Series(rows=tuple((t + 5.0, *rest) for t, *rest in EVEN))
    with pytest.raises(ScenarioError, match="covers 5 to 25 s of the run, which needs 0 to 6 s"):
        check_cover(late, 6.0)


def test_fields_take_the_place_of_the_world_unless_they_have_their_own():
    own = CurrentField(file="a.nc", origin_lat_deg=1.0, origin_lon_deg=2.0)
    none, other = CurrentField(file="b.nc"), Uniform()
    placed = with_origin([own, none, other], 50.0, -4.0)
    assert placed[0] is own
    assert placed[2] is other
    assert isinstance(placed[1], CurrentField)
    assert (placed[1].origin_lat_deg, placed[1].origin_lon_deg) == (50.0, -4.0)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: Profile(rows=((5.0, 1.0, 0.0), (5.0, 1.0, 0.0))),
            "current: rows = .*at least 1 rows of depth_m, speed_m_s",
        ),
        (lambda: Profile(rows=()), "current: rows = .*at least 1 rows"),
        (lambda: Profile(rows=((5.0, 1.0),)), "current: rows = .*at least 1 rows"),
        (
            lambda: PowerLaw(speed_m_s=1.0, to_deg=0.0, bottom_m=0.0),
            "current: bottom_m = 0.0: expected the depth of the water",
        ),
        (lambda: PowerLaw(speed_m_s=1.0, to_deg=0.0, bottom_m=9.0, exponent=0.0), "current: exponent = 0.0"),
        (lambda: Tidal(speed_m_s=1.0, to_deg=0.0, period_h=0.0), "current: period_h = 0.0: expected a number above 0"),
        (
            lambda: Tidal(speed_m_s=1.0, to_deg=0.0, minor_m_s=-1.1),
            "current: minor_m_s = -1.1: expected at most speed_m_s",
        ),
        (lambda: Series(), "current: rows = .*rows, or a file that has them"),
        (lambda: Series(rows=EVEN[:1]), "current: rows = .*at least 2 rows of time_s"),
        (lambda: Series(rows=EVEN, file="a.csv"), 'current: file = "a.csv": expected either file or rows'),
        (lambda: Series(file="/nowhere/a.csv"), 'current: file = "/nowhere/a.csv": no such file'),
    ],
)
def test_bad_keys_are_one_sentence(make, message):
    with pytest.raises(ScenarioError, match=message) as error:
        make()
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("page", ["currents.md", "water.md"])
def test_the_code_of_the_page_runs(page, capsys):
    pytest.importorskip("gsw")
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs" / page).read_text(), re.M | re.S)
    assert blocks
    for block in blocks:
        exec(compile(block, page, "exec"), {})
    assert capsys.readouterr().out
