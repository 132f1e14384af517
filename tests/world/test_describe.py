"""The text of a world: every given value with its unit, and what is missing."""

import re

import pytest

from pelagos.world.describe import describe_world
from pelagos.world.load import load_world, loads_world
from pelagos.world.spec import World


def test_an_empty_world_says_so():
    text = describe_world(World())
    assert "depth       endless" in text
    assert text.count("none") == 4  # waves, current, seabed, structures
    assert "as the vehicle's numbers were made for" in text


def test_every_number_given_appears_with_its_unit():
    text = describe_world(
        loads_world(
            """
            name = "Bay"
            depth_m = 17
            [water]
            temperature_c = 8.5
            salinity_g_kg = 33.25
            [waves]
            kind = "regular"
            height_m = 1.25
            period_s = 6.5
            to_deg = 75
            [[current]]
            kind = "tidal"
            speed_m_s = 0.45
            to_deg = 0
            period_h = 12.0
            [[structure]]
            name = "post"
            kind = "cylinder"
            from_m = [1, 2, 17]
            to_m = [1, 2, -2]
            diameter_m = 0.75
            stiffness_n_m = 3e5
            """
        )
    )
    for phrase in (
        "depth       17 m", "temperature 8.5 °C", "salinity 33.25 g/kg", "height 1.25 m", "period 6.5 s", "to 75 deg",
        "speed 0.45 m/s, to 0 deg", "period 12 h", "post, cylinder: from (1, 2, 17) m, to (1, 2, -2) m",
        "diameter 0.75 m", "stiffness 300000 N/m",
    ):  # fmt: skip
        assert phrase in text


def test_the_plain_numbers_of_a_world_are_said():
    text = describe_world(World(current_m_s=0.4, current_to_deg=30.0, density_kg_m3=1010.0, depth_m=8.0))
    assert "uniform: 0.4 m/s to 30 deg" in text
    assert "density 1010 kg/m3" in text
    assert "a function of time" in describe_world(World(current=lambda _: (0.0, 0.0, 0.0)))


def test_sources_name_structures_and_say_the_same_once():
    text = describe_world(load_world("royer_field"))
    assert "column 1, column 2, column 3, column 4, bar 1-2" in text
    assert text.count("note: assumed\n") == 1
    assert "wellhead: note: assumed: a cube of 5 m" in text
    assert max(len(line) for line in text.splitlines()) <= 110


def test_density_of_stratified_water_is_said_at_both_ends():
    text = describe_world(load_world("open_ocean"))
    match = re.search(r"([\d.]+) kg/m3 at the\s+surface, ([\d.]+) kg/m3 at 3000 m", text)
    assert match
    assert float(match[2]) - float(match[1]) == pytest.approx(15.7, abs=1.0)  # mostly compression: 4.4e-10/Pa, 30 MPa
