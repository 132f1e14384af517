"""The page about DIS: its code runs, its options are those of the command line, its tables are up to date."""

import re
import runpy
from pathlib import Path

import pytest

from pelagos.cli.main import main
from pelagos.links.dis.entity_types import type_name, typical_size
from pelagos.links.dis.parts import channels, table
from pelagos.links.dis.wire.records import EntityType
from pelagos.vehicle.load.vehicle import load_vehicle

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/dis.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def fly():
    return runpy.run_path(str(ROOT / "scripts" / "dis_rates.py"))["fly"]


def row(name):
    """A scenario's line: simulated seconds, rates, errors."""
    line = next(line for line in PAGE.splitlines() if line.startswith(f"| {name} |"))
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    return float(cells[1]), [float(cell) for cell in cells[2:-1]], cells[-1]


def test_its_code_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S)
    names = {}
    exec(compile(code, "docs/dis.md", "exec"), names)
    assert names["sent"] >= 1
    assert "no authentication" in capsys.readouterr().out


def test_its_words_are_those_of_the_command_line(capsys):
    used = set(re.findall(r"--[a-z][a-z-]*", PAGE))
    for command in ("link", "fly"):
        with pytest.raises(SystemExit):
            main([command, "--help"])
    known = set(re.findall(r"--[a-z][a-z-]*", capsys.readouterr().out))
    assert len(used) > 8 and used <= known


def test_every_ready_scenario_has_a_row():
    for path in (ROOT / "pelagos/scenario/library").glob("*.toml"):
        seconds, sent, _ = row(path.stem)
        assert seconds >= 60.0 and len(sent) == 7


@pytest.mark.slow
@pytest.mark.parametrize("name", ["first-dive", "phoenix-hover"])
def test_the_rates_are_those_of_the_script(fly, name):
    """The same flight again; rounding on another machine may move a PDU or two over the threshold."""
    seconds, printed, _ = row(name)
    flown_s, watched = fly(name)
    assert flown_s == pytest.approx(seconds, abs=1.0)
    for rule, rate in zip(watched, printed, strict=True):
        assert rule.sent / flown_s == pytest.approx(rate, abs=3.0 / flown_s + 0.005)
    for rule in watched[:-1]:  # as the page states
        assert rule.why["angle"] > 2 * rule.why["position"]
    assert watched[1].why["heartbeat"] >= 0.45 * watched[1].sent


def test_a_rov_that_turns_slowly_sends_for_its_heartbeat_and_its_position(fly):
    _, watched = fly("rov-hover-wellhead", 40.0)
    for rule in watched[:-1]:
        assert rule.why["angle"] == 0 and rule.why["heartbeat"] + rule.why["position"] == rule.sent - 1 > 5


@pytest.mark.slow
def test_errors_stay_at_the_threshold_and_an_interval(fly):
    """Each rule's worst error against its threshold and one interval of motion: at most 1.5 m/s and 60 deg/s apart."""
    _, watched = fly("first-dive")
    for rule in watched[:-1]:
        assert rule.worst_m < rule.rule.threshold_m + 0.15
        assert rule.worst_rad < (rule.rule.threshold_deg + 6.0) * 3.1416 / 180.0
    fixed = watched[-1]
    assert fixed.sent == pytest.approx(10.0 * 60.0, abs=2) and fixed.worst_m < 0.05


def test_parts_and_sizes_are_those_of_the_code():
    assert table(channels(load_vehicle("phoenix"))) in PAGE
    for text in ("1:4:225:8:1", "1:4:225:8:2", "1:4:225:7", "1:4:225:1", "1:3:225:61", "1:2:225", "3:4:225", "2:2:225"):
        kind = EntityType.of(text)
        size = typical_size(kind)
        assert f"| {type_name(kind)} | {size.length_m:g} | {size.beam_m:g} | {size.height_m:g} |" in PAGE
