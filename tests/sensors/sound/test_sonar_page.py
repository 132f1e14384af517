"""The page on instruments that send sound: its code runs, its columns and parts exist."""

import re
import tomllib
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest

from pelagos.files import reader
from pelagos.sensors.kinds import KINDS
from pelagos.vehicle.load.sensors import load_sensor, read_sensors

PAGE = (Path(__file__).parents[3] / "docs" / "sonar.md").read_text()


def test_the_code_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S)
    names = {}
    exec(compile(code, "docs/sonar.md", "exec"), names)
    plt.close("all")
    assert (tmp_path / "sonar.png").stat().st_size > 10_000
    assert "velocity_x_m_s" in capsys.readouterr().out
    assert names["values"][0] == pytest.approx(1.5, abs=5 * 0.003)  # five standard deviations
    # the ball's skin: sqrt(12^2 + 5^2 + 2^2) - 1.5 at atan2(5, 12); rays are a degree apart
    assert names["nearest_m"] == pytest.approx(np.sqrt(173.0) - 1.5, abs=0.05)
    assert names["bearing_deg"] == pytest.approx(np.degrees(np.arctan2(5.0, 12.0)), abs=1.0)


def test_the_tables_load():
    text = "\n".join(re.findall(r"^```toml\n(.*?)^```", PAGE, re.M | re.S))
    sensors = read_sensors(tomllib.loads(text)["sensor"], reader.Place("page", Path()))
    assert [sensor.kind for sensor in sensors] == ["dvl", "navigation_sonar", "usbl", "lbl"]


def test_the_columns_are_those_of_the_instruments():
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \|", PAGE, re.M)
    assert {kind for kind, _ in rows} == set(KINDS) & {
        "dvl", "altimeter", "usbl", "lbl", "navigation_sonar", "multibeam", "imaging_sonar"
    }  # fmt: skip
    for kind, text in rows:
        known = KINDS[kind](**({"transponders_m": ((0.0, 0.0, 9.0),)} if kind == "lbl" else {})).columns
        for name in re.findall(r"\b[a-z]+(?:_[a-z0-9]+)+\b", re.sub(r"`instrument\.image`", "", text)):
            assert name in known, f"{kind}: {name}"


def test_the_parts_exist():
    text = PAGE.split("## Parts")[1].split("Each number")[0]
    names = re.findall(r"\b[a-z0-9]+_?[a-z0-9]+\b", " ".join(re.findall(r"`([^`]+)`", text)))
    assert len(names) == 11
    assert all(load_sensor(name).summary for name in names)
