"""Instruments of vehicle files: parts and kinds, keys over parts, sources, extends; slips in sentences."""

from pathlib import Path

import pytest

from pelagos.errors import ScenarioError, VehicleFileError
from pelagos.files.library import PARTS
from pelagos.files.reader import Place
from pelagos.sensors.compass import Compass
from pelagos.sensors.depth import Depth
from pelagos.sensors.kinds import KINDS
from pelagos.vehicle.load.parts import parse, part_names
from pelagos.vehicle.load.sensors import load_sensor, read_sensors
from pelagos.vehicle.load.vehicle import load_vehicle, loads
from tests.vehicle.plain import PLAIN

EQUIPPED = ("remus100", "iver3", "gavia", "lauv", "bluerov2_heavy", "phoenix", "seagrant1", "slocum")


def of(text):
    return loads(PLAIN + "\n[[sensor]]\n" + text, "body.toml").sensors


def refused(text):
    with pytest.raises(VehicleFileError) as caught:
        of(text)
    return str(caught.value)


def test_a_part_with_keys_over_it():
    (depth,) = of('part = "bar30"\nname = "keel"\nposition_cm = [0, 0, 20]\nnoise_mm = 5')
    part = load_sensor("bar30")
    assert isinstance(depth, Depth) and isinstance(part, Depth)
    assert depth.name == "keel" and part.name == ""
    assert depth.position_m == pytest.approx((0.0, 0.0, 0.2))
    assert depth.noise_m == pytest.approx(0.005)
    assert depth.range_m == part.range_m == 300.0  # the maker's depth rating


def test_a_kind_without_a_part():
    (compass,) = of('kind = "compass"\nnoise_deg = { value = 0.5, source = "a guess" }\ntilt = true')
    assert compass == Compass(noise_deg=0.5, tilt=True)


def test_numbers_and_sources_of_the_part_are_shown_with_the_vehicle():
    vehicle = loads(PLAIN + '\n[[sensor]]\npart = "gps_m8"\nposition_m = [0, 0, -0.3]\n', "body.toml")
    facts = {fact.path: fact for fact in vehicle.facts if fact.path.startswith("sensor")}
    assert facts["sensor[0].cep_m"].value == 2.5 and facts["sensor[0].cep_m"].source == "UBLOX"
    assert facts["sensor[0].position_m"].unit == "m"
    assert "UBLOX" in {source.key for source in vehicle.sources}
    text = str(vehicle)
    assert "gps: u-blox M8 receiver, 1 Hz, 0.1 s late" in text and "only in runs that ask for them" in text


def test_a_key_of_the_row_takes_the_place_of_the_fact_of_the_part():
    vehicle = loads(PLAIN + '\n[[sensor]]\npart = "gps_m8"\ncep_ft = 10.0\n', "body.toml")
    (fact,) = [fact for fact in vehicle.facts if ".cep" in fact.path]
    assert (fact.path, fact.value, fact.unit) == ("sensor[0].cep_ft", 10.0, "ft")


def test_a_file_that_extends_keeps_the_list_or_replaces_it(tmp_path):
    (tmp_path / "base.toml").write_text(PLAIN + '\n[[sensor]]\nkind = "depth"\n[[sensor]]\nkind = "compass"\n')
    for rows, expected in (
        ("", ["depth", "compass"]),
        ('[[sensor]]\nkind = "leak"\n', ["leak"]),
        ("sensor = []\n", []),
    ):
        (tmp_path / "more.toml").write_text('extends = "base.toml"\n' + rows)
        assert [sensor.kind for sensor in load_vehicle(tmp_path / "more.toml").sensors] == expected


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ('part = "bar3"', 'body.toml: sensor[0].part = "bar3": no such instrument; expected one of '),
        ('part = "bar3"', 'did you mean "bar30"?'),
        ('part = "t200"', 'body.toml: sensor[0].part = "t200": no such instrument'),
        ("part = 3", "body.toml: sensor[0].part = 3: no such instrument"),
        ('kind = "compas"', 'body.toml: sensor[0].kind = "compas": expected one of imu, depth, compass'),
        ('kind = "compas"', 'did you mean "compass"?'),
        ('kind = ["imu"]', 'body.toml: sensor[0].kind = ["imu"]: expected one of imu, depth, compass'),
        ('name = "x"', "body.toml: sensor[0].kind: is missing; expected a part, or a kind out of imu"),
        ('part = "bar30"\nkind = "imu"', 'sensor[0].kind = "imu": the part bar30 is a kind of "depth"'),
        ('kind = "depth"\nnoisy_m = 1', 'body.toml: sensor[0].noisy_m: unknown key; did you mean "noise_m"?'),
        ('kind = "depth"\nnoise_deg = 1', '"deg" is a unit of angle; expected a length: noise_m'),
        ('kind = "depth"\nnoise_cm = -1', "body.toml: sensor[0].noise_cm = -1: expected a number from 0 to 10000"),
        ('part = "bar30"\nnoise_m = "low"', 'body.toml: sensor[0].noise_m = "low": expected a number'),
        (
            'kind = "depth"\nposition_m = [1, 2]',
            "body.toml: sensor[0].position_m = [1, 2]: expected a list of 3 numbers",
        ),
        ('kind = "depth"\nname = "a b"', 'body.toml: sensor[0].name = "a b": expected letters, digits and _'),
        ('kind = "leak"\n[[sensor]]\nkind = "leak"', 'sensor[1].name = "leak": another instrument has this name'),
    ],
)
def test_slips_get_a_sentence(row, sentence):
    assert sentence in refused(row)


def test_rows_of_a_scenario_complain_as_a_scenario():
    place = Place("survey.toml", Path())
    with pytest.raises(ScenarioError, match=r"survey\.toml: sensor\[1\]\.rate_hz = 0: expected a number from"):
        read_sensors([{"part": "bar30"}, {"kind": "gps", "rate_hz": 0}], place)
    sensors = read_sensors([{"part": "bar30"}, {"kind": "gps"}], place)
    assert [sensor.kind for sensor in sensors] == ["depth", "gps"]
    assert "sensor[0]: BAR30" in place.sources


def test_a_sensor_by_itself(tmp_path):
    (tmp_path / "mine.toml").write_text('kind = "depth"\nnoise_cm = 2\nsummary = "my gauge"\n')
    assert load_sensor(tmp_path / "mine.toml") == Depth(noise_m=0.02, summary="my gauge")
    (tmp_path / "odd.toml").write_text('kind = "dept"\n')
    for name, sentence in (
        ("bar31", 'no instrument of this name in the library; did you mean "bar30"'),
        (tmp_path / "none.toml", "no such file"),
        (tmp_path / "odd.toml", r'odd\.toml: kind = "dept": expected one of imu.*did you mean "depth"'),
    ):
        with pytest.raises(VehicleFileError, match=sentence):
            load_sensor(name)


@pytest.mark.parametrize("name", part_names("sensor"))
def test_every_part_loads_and_says_where_its_numbers_come_from(name):
    sensor = load_sensor(name)
    raw = parse(PARTS.folder / f"{name}.toml")
    assert sensor.kind in KINDS and sensor.summary and not sensor.name
    assert raw["source"] in raw["sources"] and raw["confidence"] in ("high", "med", "low", "guess")
    for item in raw.values():
        if isinstance(item, dict) and "source" in item:
            assert item["source"] in raw["sources"]


@pytest.mark.parametrize("key", EQUIPPED)
def test_the_fleet_is_equipped(key):
    kinds = {sensor.kind for sensor in load_vehicle(key).sensors}
    assert {"depth", "compass"} <= kinds
    cited = {source.key for source in load_vehicle(key).sources}
    for fact in load_vehicle(key).facts:
        if fact.path.startswith("sensor") and fact.source.isupper():
            assert fact.source in cited
