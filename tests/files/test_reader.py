"""Tables are checked by their declarations and become descriptions; a mistake is one sentence with file and key."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest

import pelagos
from pelagos.checks import WORLD
from pelagos.errors import CommandError, MissingExtraError, PelagosError, ScenarioError, VehicleFileError
from pelagos.files.reader import Place, merge, moved, read_kind, read_spec, read_table, require
from pelagos.vehicle.load.keys import VEHICLE
from pelagos.world.current.kinds import KINDS

METRES_IN_A_FOOT = 0.3048  # exact by definition


@dataclass(frozen=True, kw_only=True)
class Buoy:
    height_m: float
    to_deg: float = 0.0
    count: int = 1
    lit: bool = False
    shape: Literal["round", "square"] = "round"
    colour: str | None = None
    at_m: tuple[float, float, float] | None = None
    sizes_m: tuple[float, ...] = ()
    rows: tuple[tuple[float, ...], ...] = ()
    level: float | tuple[float, ...] = 0.0
    file: str = ""
    hidden: object = None

    def __post_init__(self) -> None:
        if self.height_m <= 0.0:
            WORLD.fail("height_m", value=self.height_m, expected="a height above 0")
        if self.count < 0:
            WORLD.fail("count", value=self.count, expected="0 or more")
        if self.colour == "pink":
            WORLD.fail("", "no such colour")
        if self.colour == "lost":
            raise ScenarioError("no such file", file="paint.txt")
        if self.colour == "odd":
            raise CommandError("no odd colours")
        if self.colour == "gold":
            raise MissingExtraError("gold", "a golden buoy", "world")


@dataclass(frozen=True, kw_only=True)
class Lamp:
    kind: str = "lamp"
    power_W: float = 1.0


def here(path="buoy[2]", folder=Path("/maps")):
    return Place("harbour.toml", folder, path)


def complaint(raw, path="buoy[2]"):
    with pytest.raises(ScenarioError) as caught:
        read_spec(Buoy, raw, here(path))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_types_are_those_of_the_fields():
    buoy = read_spec(
        Buoy,
        {
            "height_m": 2,
            "count": 3,
            "lit": True,
            "colour": "red",
            "at_m": [1, 2, 3],
            "rows": [[1, 2], [3]],
            "level": [4],
        },
        here(),
    )
    assert buoy == Buoy(
        height_m=2.0, count=3, lit=True, colour="red", at_m=(1.0, 2.0, 3.0), rows=((1.0, 2.0), (3.0,)), level=(4.0,)
    )
    assert isinstance(buoy.height_m, float)  # a whole number is a number
    assert read_spec(Buoy, {"height_m": 1, "level": 7}, here()).level == 7.0


def test_units_are_converted_to_those_of_the_field():
    buoy = read_spec(Buoy, {"height_ft": 10, "to_rad": 1.5707963267948966, "sizes_cm": [50, 150]}, here())
    assert buoy.height_m == pytest.approx(10 * METRES_IN_A_FOOT, rel=1e-15)  # one product
    assert buoy.to_deg == pytest.approx(90.0, rel=1e-15)
    assert buoy.sizes_m == pytest.approx((0.5, 1.5), rel=1e-15)


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        ({}, "harbour.toml: buoy[2].height_m: is missing"),
        ({"height_m": True}, "harbour.toml: buoy[2].height_m = true: expected a number"),
        ({"height_m": "2"}, 'buoy[2].height_m = "2": expected a number'),
        ({"height_m": float("nan")}, "buoy[2].height_m = nan: expected a finite number"),
        ({"height_m": 1, "count": 1.5}, "buoy[2].count = 1.5: expected a whole number"),
        ({"height_m": 1, "count": True}, "buoy[2].count = true: expected a whole number"),
        ({"height_m": 1, "lit": 1}, "buoy[2].lit = 1: expected true or false"),
        ({"height_m": 1, "colour": 1}, "buoy[2].colour = 1: expected text in quotes"),
        ({"height_m": 1, "shape": "squar"}, 'expected one of round, square; did you mean "square"?'),
        ({"height_m": 1, "at_m": [1, 2]}, "buoy[2].at_m = [1, 2]: expected a list of 3 numbers"),
        ({"height_m": 1, "at_m": [1, 2, "x"]}, "expected a list of 3 numbers"),
        ({"height_m": 1, "sizes_m": 3}, "buoy[2].sizes_m = 3: expected a list of numbers"),
        ({"height_m": 1, "rows": [1, 2]}, "expected rows of numbers"),
        ({"height_m": 1, "level": "low"}, "expected a number or a list of numbers"),
        ({"height_m": 1, "heigth_m": 2}, 'buoy[2].heigth_m: unknown key; did you mean "height_m"?'),
        ({"height_m": 1, "hidden": 2}, "buoy[2].hidden: unknown key"),  # nothing a file could say
        ({"height_m": 1, "height_ft": 2}, 'buoy[2].height_ft = 2: "height_m" sets the same quantity'),
        ({"height_kg": 1}, '"kg" is a unit of mass; expected a length: height_m, height_mm'),
        ({"height": 1}, "the unit is missing; expected a length: height_m"),
        ({"height_m": {"value": 1, "by": "me"}}, "buoy[2].height_m.by: unknown"),
        ({"height_m": 1, "source": 5}, "buoy[2].source = 5: expected text in quotes"),
    ],
)
def test_a_mistake_is_one_sentence(raw, sentence):
    assert sentence in complaint(raw)


def test_errors_of_the_description_get_file_and_path():
    assert complaint({"height_m": -1}) == "harbour.toml: buoy[2].height_m = -1: expected a height above 0"
    assert complaint({"height_m": 1, "count": -2}) == "harbour.toml: buoy[2].count = -2: expected 0 or more"
    assert complaint({"height_m": -1}, "buoy") == "harbour.toml: buoy.height_m = -1: expected a height above 0"
    # as the file spells it, not as the description does
    assert complaint({"height_ft": -3}) == "harbour.toml: buoy[2].height_ft = -3: expected a height above 0"
    assert complaint({"height_m": 1, "colour": "pink"}) == "harbour.toml: buoy[2]: no such colour"
    assert complaint({"height_m": 1, "colour": "lost"}) == "harbour.toml: buoy[2]: paint.txt: no such file"
    assert complaint({"height_m": 1, "colour": "odd"}) == "harbour.toml: buoy[2]: no odd colours"
    with pytest.raises(MissingExtraError, match="pip install"):
        read_spec(Buoy, {"height_m": 1, "colour": "gold"}, here())


def test_a_table_must_be_a_table():
    assert complaint(3) == "harbour.toml: buoy[2] = 3: expected a table, written [buoy[2]]"


def test_files_are_found_beside_the_world_file():
    assert read_spec(Buoy, {"height_m": 1, "file": "paint.obj"}, here()).file == str(Path("/maps/paint.obj").resolve())
    assert read_spec(Buoy, {"height_m": 1, "file": "/a/b.obj"}, here()).file == str(Path("/a/b.obj").resolve())
    assert read_spec(Buoy, {"height_m": 1}, here()).file == ""


def test_sources_may_stand_anywhere_and_are_kept():
    place = here()
    table = {"height_m": {"value": 2, "source": "measured"}, "source": "a chart", "note": "old"}
    assert read_spec(Buoy, table, place).height_m == 2.0
    assert place.sources == ("buoy[2].height_m: measured", "buoy[2]: a chart", "buoy[2]: note: old")


def test_kind_chooses_the_description():
    kinds = {"buoy": Buoy, "lamp": Lamp}
    assert read_kind(kinds, {"kind": "lamp", "power_kW": 2}, here()) == Lamp(power_W=2000.0)
    assert read_kind(kinds, {"kind": "buoy", "height_m": 2}, here()) == Buoy(height_m=2.0)
    with pytest.raises(ScenarioError, match='kind = "lam": expected one of buoy, lamp; did you mean "lamp"'):
        read_kind(kinds, {"kind": "lam"}, here())
    with pytest.raises(ScenarioError, match=r"buoy\[2\].kind: is missing; expected one of buoy, lamp"):
        read_kind(kinds, {}, here())


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: pelagos.Waves(hight_m=1.0), r'waves: hight_m = 1.0: no such key; .*; did you mean "height_m"\?'),
        (lambda: pelagos.Uniform(speed=1.0), r'current: speed = 1.0: no such key; .*did you mean "speed_m_s"\?'),
        (lambda: pelagos.World(depth=9), r'world: depth = 9: no such key; .*did you mean "depth_m"\?'),
        (lambda: pelagos.Structure(name="a"), "structure: kind: is missing"),
        (lambda: pelagos.Seabed("flat"), r"seabed: .*flat.* has no name; write it as in Seabed\(depth_m=30.0\)"),
        (lambda: pelagos.Water(presett="sea"), r'water: presett = "sea".*did you mean "preset"\?'),
    ],
)
def test_a_constructor_names_the_wrong_argument(make, sentence):
    with pytest.raises(ScenarioError, match=sentence):
        make()


def test_signatures_stay_those_of_the_dataclasses():
    for cls in (pelagos.World, pelagos.Waves, pelagos.Seabed, *KINDS.values()):
        names = list(inspect.signature(cls).parameters)
        assert names and "named_values" not in names and names[0] in cls.__dataclass_fields__


def file_place(file, path=""):
    return Place(file, Path(), path, error=VehicleFileError)


def body(file="a.toml", **raw):
    return read_table(raw, VEHICLE.tables["body"], file_place(file, "body"))


def test_numbers_come_out_in_si_and_keep_what_was_written():
    table = body(weight_lbf=100, cg_in=[1, 0, 2])
    assert table.get("weight") == pytest.approx(444.8221615260, rel=1e-12)  # 100 x 0.45359237 x 9.80665
    assert table.get("cg") == pytest.approx((0.0254, 0.0, 0.0508), rel=1e-15)
    assert table.values["weight"].raw == 100
    assert table.key("weight") == "body.weight_lbf"
    assert table.get("volume", "none") == "none" and "volume" not in table


def test_an_entry_overrides_the_provenance_of_its_table():
    table = body(source="A", confidence="high", mass_kg={"value": 1.0, "confidence": "low"}, volume_m3=1.0)
    mass, volume = table.values["mass"], table.values["volume"]
    assert (mass.source, mass.confidence) == ("A", "low")
    assert (volume.source, volume.confidence) == ("A", "high")


def test_merging_replaces_the_rivals_of_a_quantity_and_keeps_files_apart():
    merged = merge(body("a.toml", mass_kg=1.0, volume_m3=2.0), body("b.toml", weight_N=5.0))
    assert "mass" not in merged  # mass and weight define the same
    assert merged.values["weight"].file == "b.toml" and merged.values["volume"].file == "a.toml"
    with pytest.raises(VehicleFileError, match=r"^a\.toml: body\.volume_m3 = 2\.0: wrong$"):
        merged.fail("volume", "wrong")


@pytest.mark.parametrize(
    ("problem", "sentence"),
    [
        (PelagosError("no such file", file="hull.stl"), "a.toml: body.volume_L = 5: no such file"),
        (PelagosError(key="radius_m", value=0, expected="more"), "a.toml: body.volume_L: radius_m = 0: expected more"),
        (PelagosError(key="volume_L", value=5.0, expected="more"), "a.toml: body.volume_L = 5: expected more"),
    ],
)
def test_a_caught_error_keeps_its_fields_and_gets_file_and_key(problem, sentence):
    with pytest.raises(VehicleFileError) as caught:
        body(volume_L=5).fail_because("volume", problem)
    assert str(caught.value) == sentence
    assert (caught.value.message, caught.value.expected) == (problem.message, problem.expected)


def test_lists_are_replaced_and_tables_merged():
    base = read_table(
        {"flag": [{"text": "a"}, {"text": "b"}], "water": {"density_kg_m3": 1000.0}}, VEHICLE, file_place("a.toml")
    )
    over = read_table({"flag": [{"text": "c"}], "water": {"gravity_m_s2": 9.8}}, VEHICLE, file_place("b.toml"))
    merged = merge(base, over)
    assert [row.get("text") for row in merged.lists["flag"]] == ["c"]
    assert set(merged.table("water").values) == {"density", "gravity"}


def test_a_table_can_be_placed_elsewhere_with_what_is_inside():
    part = read_table({"propeller": {"diameter_m": 0.1, "kt0": 0.4}}, VEHICLE.tables["thrusters"], file_place("p.toml"))
    thruster = moved(part, "thrusters[2]")
    assert thruster.tables["propeller"].key("kt0") == "thrusters[2].propeller.kt0"


def test_what_is_missing_is_named_with_its_path():
    root = read_table({"name": "x", "class": "y", "supplies": [{"name": "pump"}]}, VEHICLE, file_place("a.toml"))
    with pytest.raises(VehicleFileError, match=r"^a\.toml: supplies\[0\]\.limit_N: is missing$"):
        require(root)


@pytest.mark.parametrize("number", [1e21, -1e21, float("inf"), float("nan")])
def test_no_number_is_beyond_all_proportion(number):
    with pytest.raises(VehicleFileError, match=r"expected a number of at most 1e\+20|finite"):
        body(net_buoyancy_N=number)


def test_a_count_that_sets_the_size_of_work_has_a_most():
    with pytest.raises(
        VehicleFileError, match=r"free_surface.points = 10000000000: expected a number of at most 1e\+06"
    ):
        read_table({"free_surface": {"points": 10**10}}, VEHICLE, file_place("a.toml"))
