"""The page on instruments: its code runs, its file loads, its tables name what there is."""

import re
from pathlib import Path

import pytest

from pelagos.files.library import PARTS
from pelagos.files.schema import section_of
from pelagos.sensors.kinds import KINDS
from pelagos.vehicle.load.vehicle import loads
from tests.vehicle.plain import PLAIN

PAGE = (Path(__file__).parents[2] / "docs/sensors.md").read_text()


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.M | re.S)


def test_the_code_runs(capsys):
    names = {}
    single, many = blocks("python")
    exec(compile(single, "docs/sensors.md", "exec"), names)
    assert names["up"] == pytest.approx(-9.81, abs=0.2)  # bias of a few mg, noise of 0.008 m/s2 a sample
    assert names["depth"] == pytest.approx(5.0, abs=0.2)
    assert "7 readings in the last tick" in capsys.readouterr().out  # five samples, depth, compass
    exec(compile(many, "docs/sensors.md", "exec"), names)
    assert names["readings"]["depth_depth_m"].shape == (64,)
    assert "64 new samples in the last tick" in capsys.readouterr().out


def test_the_file_loads():
    (text,) = blocks("toml")
    depth, spare = loads(PLAIN + text, "body.toml").sensors
    assert (depth.kind, spare.name, depth.noise_m) == ("depth", "spare", pytest.approx(0.01))


def test_the_tables_name_kinds_keys_and_parts_that_exist():
    kinds = PAGE.split("## The kinds")[1].split("\n### ")[0]
    for kind, keys in re.findall(r"^\| `(\w+)` \|[^|]*\|(.*)\|$", kinds, re.M):
        words = {word for quoted in re.findall(r"`([^`]+)`", keys) for word in quoted.split()}
        assert words <= {key.name for key in section_of(KINDS[kind]).keys}, kind
    assert set(re.findall(r"\w+", " ".join(re.findall(r"^\| (`.*?`) \|", kinds, re.M)))) == set(KINDS)
    parts = PAGE.split("## Parts")[1].split("\n## ")[0]
    for cell in re.findall(r"^\| (`.*?`) \|", parts, re.M):
        for name in re.findall(r"`(\w+)`", cell):
            assert (PARTS.folder / f"{name}.toml").exists(), name
