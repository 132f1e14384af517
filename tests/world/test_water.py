"""Water against TEOS-10: check values, presets, the kernel's table; visibility and colour; refused keys."""

import math
import sys

import numpy as np
import pytest

from pelagos.engine.water.flow import sample_density
from pelagos.engine.water.sea import SEA
from pelagos.errors import MissingExtraError, ScenarioError
from pelagos.files.library import list_worlds
from pelagos.world.describe import describe_world
from pelagos.world.load import load_world, loads_world, world_schema
from pelagos.world.spec import World
from pelagos.world.water import COLOURS, PRESETS, Water, attenuation_1_m, density_table, pack_water, rgb
from pelagos.world.writer import SeaWriter

gsw = pytest.importorskip("gsw")

# A thermocline over a halocline; T in situ, absolute salinity
ROWS = ((0.0, 18.0, 34.0), (15.0, 17.5, 34.1), (30.0, 9.0, 34.9), (100.0, 7.0, 35.1), (400.0, 5.0, 35.2))
DEPTHS = np.array([0.0, 7.0, 22.0, 64.0, 250.0, 400.0, 800.0])


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_teos_10_at_their_temperature_and_salinity(name):
    """Written with three decimals (density) and two (sound)."""
    preset = PRESETS[name]
    state = (preset.salinity_g_kg, preset.temperature_c, 0.0)
    assert preset.density_kg_m3 == pytest.approx(gsw.rho_t_exact(*state), abs=5e-4)
    assert preset.sound_speed_m_s == pytest.approx(gsw.sound_speed_t_exact(*state), abs=5e-3)


def test_presets_need_no_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "gsw", None)
    fresh = Water(preset="fresh")
    assert fresh.surface_density_kg_m3 == 999.103
    np.testing.assert_array_equal(fresh.density([0.0, 50.0]), [999.103, 999.103])
    assert float(fresh.sound_speed_m_s(10.0)) == 1465.94
    assert (float(fresh.temperature(3.0)), float(fresh.salinity(3.0))) == (15.0, 0.0)
    with pytest.raises(MissingExtraError, match=r"TEOS-10\) needs the package gsw; .*\.\[world\]"):
        Water(temperature_c=4.0).density(0.0)


def test_a_given_density_is_constant():
    water = Water(preset="", density_kg_m3=998.0)
    np.testing.assert_array_equal(water.density(DEPTHS), 998.0)
    assert not water.stratified


def test_density_of_published_check_values():
    """IOC, SCOR & IAPSO (2010), TEOS-10 manual, and UNESCO (1983) EOS-80: pure water at 4 deg C is at its densest,
    999.975 kg/m3; standard sea water (35.16504 g/kg) of 0 deg C at the surface has 1028.106 (EOS-80, to 0.01)."""
    assert float(Water(temperature_c=4.0, salinity_g_kg=0.0).density(0.0)) == pytest.approx(999.975, abs=1e-3)
    assert float(Water(temperature_c=0.0, salinity_g_kg=35.16504).density(0.0)) == pytest.approx(1028.106, abs=0.01)


def test_sound_against_an_older_formula():
    """Mackenzie (1981), standard error 0.07 m/s: 1500 m deep, 5 deg C, practical salinity 34.8 (34.964 g/kg)."""
    t, s, d = 5.0, 34.8, 1500.0
    expected = 1448.96 + 4.591 * t - 0.05304 * t**2 + 2.374e-4 * t**3 + 1.340 * (s - 35.0) + 0.0163 * d
    expected += 1.675e-7 * d**2 - 0.01025 * t * (s - 35.0) - 7.139e-13 * t * d**3
    water = Water(temperature_c=t, salinity_g_kg=34.964)
    assert float(water.sound_speed_m_s(d)) == pytest.approx(expected, abs=3 * 0.07)


def test_a_profile_is_interpolated_and_goes_through_teos_10():
    water = Water(profile=ROWS, latitude_deg=60.0)
    rows = np.array(ROWS)
    t, s = (np.interp(DEPTHS, rows[:, 0], rows[:, i]) for i in (1, 2))
    p = gsw.p_from_z(-DEPTHS, 60.0)
    np.testing.assert_array_equal(water.temperature(DEPTHS), t)
    np.testing.assert_array_equal(water.salinity(DEPTHS), s)
    # the Gibbs function against the 75-term polynomial that oceanographers use: 1e-3 kg/m3 and 0.1 m/s apart
    ct = gsw.CT_from_t(s, t, p)
    np.testing.assert_allclose(water.density(DEPTHS), gsw.rho(s, ct, p), atol=2e-3)
    np.testing.assert_allclose(water.sound_speed_m_s(DEPTHS), gsw.sound_speed(s, ct, p), atol=0.1)


def test_pressure_alone_makes_deep_water_denser():
    """4.5 kg/m3 a km: rho^2 g times the compressibility 4.4e-10 1/Pa of sea water (within 5 % as that changes)."""
    water = Water(temperature_c=10.0)
    gain = float(water.density(1000.0) - water.density(0.0))
    assert gain == pytest.approx(1027.0**2 * 9.81 * 4.4e-10 * 1000.0, rel=0.05)


def kernel(water, depths, **options):
    """Extra density and its integral as the kernel has them, and the number of knots."""
    writer = SeaWriter()
    pack_water(water, writer, **options)
    out = np.zeros((len(depths), 2))
    sea = writer.finish()
    sample_density(sea, np.asarray(depths, float), out)
    return out, int(sea[SEA.offset("n_density")[0]])


@pytest.mark.parametrize(
    "water", [Water(profile=ROWS), Water(temperature_c=10.0), Water(preset="fresh", temperature_c=4.0)]
)
def test_the_kernels_table_follows_the_density(water):
    """0.005 kg/m3 as its docstring says; between the checked points it is 1e-4 more."""
    depths = np.linspace(0.0, 1000.0, 777)
    densities, knots = kernel(water, depths)
    exact = water.density(depths) - water.surface_density_kg_m3
    np.testing.assert_allclose(densities[:, 0], exact, atol=0.0051)
    steps = 0.5 * (exact[1:] + exact[:-1]) * np.diff(depths)
    integral = np.concatenate([[0.0], np.cumsum(steps)])
    np.testing.assert_allclose(densities[:, 1], integral, atol=0.0051 * 1000.0)
    assert 2 <= knots < 40


def test_the_table_reaches_as_deep_as_asked():
    water = Water(temperature_c=2.0)
    assert density_table(water)[0][-1] == 1000.0
    assert density_table(water, 6000.0)[0][-1] == 6000.0
    assert density_table(water, np.inf)[0][-1] == 1000.0
    assert density_table(water, 1e5)[0][-1] == 11000.0
    assert density_table(Water(profile=ROWS), 50.0)[0][-1] == 400.0


def test_constant_water_needs_no_table():
    for water in (Water(), Water(preset="brackish"), Water(density_kg_m3=1000.0, temperature_c=20.0)):
        densities, knots = kernel(water, DEPTHS)
        assert knots == 0
        np.testing.assert_array_equal(densities, 0.0)


def test_a_density_with_a_temperature_keeps_the_density_and_gives_sound():
    water = Water(density_kg_m3=1000.0, temperature_c=20.0, salinity_g_kg=0.0)
    assert water.surface_density_kg_m3 == 1000.0
    # pure water of 20 deg C at 1 atm: 1482.343 m/s (Del Grosso & Mader 1972)
    assert float(water.sound_speed_m_s(0.0)) == pytest.approx(1482.343, abs=0.05)


def test_gravity_by_latitude():
    """WGS84 normal gravity: 9.7803253 at the equator, 9.8321849 at the pole; gsw's own formula to 1e-5."""
    assert Water().gravity_m_s2 is None
    assert Water(latitude_deg=0.0).gravity_m_s2 == pytest.approx(9.7803253359, rel=1e-10)
    assert Water(latitude_deg=-90.0).gravity_m_s2 == pytest.approx(9.8321849378, rel=1e-9)
    assert Water(latitude_deg=45.0).gravity_m_s2 == pytest.approx(gsw.grav(45.0, 0.0), abs=1e-5)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"preset": "salty"}, 'water: preset = "salty": expected one of sea, brackish, fresh'),
        ({"preset": "frehs"}, 'did you mean "fresh"'),
        ({"preset": 3}, "water: preset = .*one of"),
        ({"density_kg_m3": -1025.0}, "water: density_kg_m3 = -1025.0: expected a number from 500 to 2000"),
        ({"density_kg_m3": 1.025}, "water: density_kg_m3 = 1.025: expected a number from 500 to 2000"),
        ({"temperature_c": 288.0}, "water: temperature_c = 288.0: expected a number from -3 to 45"),
        ({"temperature_c": float("nan")}, "water: temperature_c = nan: expected a number from -3 to 45"),
        ({"salinity_g_kg": -1.0}, "water: salinity_g_kg = -1.0: expected a number from 0 to 120"),
        ({"latitude_deg": 91.0}, "water: latitude_deg = 91.0: expected a number from -90 to 90"),
        ({"preset": ""}, "water: preset = .*a preset, a density, or temperature_c as well"),
        ({"preset": "", "temperature_c": 4.0}, "a preset, a density, or salinity_g_kg as well"),
        ({"profile": ROWS, "temperature_c": 4.0}, "water: temperature_c = 4.0: not together with profile"),
        ({"profile": ROWS, "density_kg_m3": 1000.0}, "water: density_kg_m3 = 1000.0: not together with profile"),
        ({"profile": ROWS[::-1]}, "water: profile = .*depths from 0 ascending"),
        ({"profile": ((-1.0, 4.0, 35.0),)}, "water: profile = .*depths from 0 ascending"),
        ({"profile": ((0.0, 4.0),)}, "water: profile = .*rows of depth_m, temperature_c, salinity_g_kg"),
        ({"profile": ((0.0, "x", 35.0),)}, "water: profile = .*rows of depth_m"),
        ({"profile": 3.0}, "water: profile = .*rows of depth_m"),
        ({"profile": ((0.0, 4.0, 350.0),)}, "water: profile = 350.0: expected salinity_g_kg from 0 to 120"),
    ],
)
def test_wrong_water_is_one_sentence(given, message):
    with pytest.raises(ScenarioError, match=message) as error:
        Water(**given)
    assert str(error.value).startswith("water: ")


def test_sound_of_water_that_is_only_a_density():
    with pytest.raises(ScenarioError, match=r"water: preset = .*to know the sound_speed_m_s"):
        Water(preset="", density_kg_m3=1000.0).sound_speed_m_s(0.0)


@pytest.mark.parametrize("visibility", [2.0, 15.0, 60.0])
def test_contrast_is_two_percent_at_the_visibility(visibility):
    c = attenuation_1_m(visibility)
    assert math.exp(-c * visibility) == pytest.approx(0.02, rel=1e-12)
    assert c * visibility == pytest.approx(3.9, abs=0.02)  # the figure of the textbooks, to its digits


def test_colours_by_name_and_by_numbers():
    assert rgb("green") == COLOURS["green"]
    assert rgb([0, 0.5, 1]) == (0.0, 0.5, 1.0)
    for colour in COLOURS.values():
        assert all(0.0 <= part <= 1.0 for part in colour)
    red, green, blue = COLOURS["blue"]
    assert red < green < blue
    assert COLOURS["brown"][0] > COLOURS["brown"][2]


def test_visibility_and_colour_are_read_from_a_file():
    world = loads_world("visibility_ft = 10\nwater_colour = [0.1, 0.2, 0.3]\n")
    assert world.visibility_m == pytest.approx(3.048, rel=1e-12)
    assert world.water_colour == (0.1, 0.2, 0.3)
    assert (World().visibility_m, World().water_colour) == (15.0, "blue")
    properties = world_schema()["properties"]
    assert {"visibility_m", "visibility_ft", "water_colour"} <= set(properties)


def test_visibility_and_colour_do_not_change_the_physics():
    clear, murky = World(depth_m=20.0, visibility_m=50.0), World(depth_m=20.0, visibility_m=1.0, water_colour="brown")
    assert np.array_equal(clear.packed(), murky.packed())


def test_the_description_has_visibility_and_colour():
    text = describe_world(World(visibility_m=7.0, water_colour="green"))
    assert "7 m, green" in text
    assert "(0.1, 0.2, 0.3)" in describe_world(World(water_colour=(0.1, 0.2, 0.3)))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("visibility_m = 0", "bay: visibility_m = 0: expected a finite number above 0"),
        ("visibility_m = inf", "bay: visibility_m = inf: expected a finite number above 0"),
        ('visibility_m = "far"', 'expected a number'),
        ('water_colour = "gren"', 'did you mean "green"?'),
        ("water_colour = [0.1, 0.2, 1.3]", "three numbers from 0 to 1"),
        ("water_colour = [0.1, 0.2]", "expected text in quotes or a list of 3 numbers"),
        ("visibility_kg = 3", "is a unit of mass"),
    ],
)  # fmt: skip
def test_mistakes_in_visibility_and_colour_are_one_sentence(text, sentence):
    with pytest.raises(ScenarioError) as caught:
        loads_world(text, "bay")
    assert sentence in str(caught.value)


@pytest.mark.parametrize("colour", [None, 3, "", (1, 2, 3), (0.1, math.nan, 0.1), [True, 0, 0]])
def test_wrong_colours_are_refused_in_python(colour):
    with pytest.raises(ScenarioError):
        World(water_colour=colour)


def test_visibility_of_the_worlds_of_the_library():
    far = {entry.key: load_world(entry.key).visibility_m for entry in list_worlds()}
    assert far["harbour"] < far["wreck_slope"] < far["royer_field"] < far["open_ocean"]
