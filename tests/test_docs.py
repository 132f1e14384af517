"""The pages tell the truth: their code runs, their links lead somewhere, their commands are the ones CI runs."""

import re
import runpy
import tomllib
from pathlib import Path

import pytest

from pelagos.sim.scenario_read import scenario_from

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```", (ROOT / page).read_text(), re.M | re.S)


def test_the_code_of_the_readme_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    first_screen, mission, world, tether = blocks("README.md", "python")
    names = {}
    exec(compile(first_screen, "README.md", "exec"), names)
    assert len(names["log"]) > 100
    assert (tmp_path / "dive.png").stat().st_size > 10_000
    assert "thrusters" in capsys.readouterr().out
    exec(compile(mission, "README.md", "exec"), names)
    scenario = scenario_from(tomllib.loads(blocks("README.md", "toml")[0]), changes={"duration_s": 120.0})
    from_file = scenario.run()  # its fault comes later than these two minutes
    for name in ("north_m", "est_north_m", "nees"):
        assert names["log"][name].tolist() == from_file[name].tolist()
    assert abs(names["log"]["altitude_m"][-1] - 10.0) < 1.0  # m
    assert "m off, believes" in capsys.readouterr().out
    exec(compile(world, "README.md", "exec"), names)  # goes on with the vehicle of the first screen
    assert names["log"]["contact_N"].max() > 1.0
    assert names["hits"].range_m == pytest.approx([3.5, 17.0], abs=1e-9)  # m: 4 - 0.5 to the pile, 20 - 3 to the bottom
    assert "['pile', 'seabed']" in capsys.readouterr().out
    exec(compile(tether, "README.md", "exec"), names)
    assert 0.0 < names["log"]["tether_tension_N"].max() < 100.0  # N: a loose cable in a weak current
    assert (tmp_path / "tether.png").stat().st_size > 10_000


def test_the_code_of_the_tether_page_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in blocks("docs/tether.md", "python"):
        exec(compile(block, "docs/tether.md", "exec"), names)
    # a ratio of the distance, which grows by the way of one step of the cable; 2 %
    assert names["log"]["tether_ratio"][-1] == pytest.approx(1.2, rel=0.02)
    # N: Royer's third case seen from the other end; the continuum has 328.7 N, the chain of 50 is 0.5 % off
    assert names["line"].head["tension_b"] == pytest.approx(328.7, rel=5e-3)
    assert (tmp_path / "tether.png").stat().st_size > 10_000
    out = capsys.readouterr().out
    assert " ok\n" in out and "not converged" not in out


def test_the_scenarios_of_the_pages_are_read_and_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    search, events, pair = (tomllib.loads(text) for text in blocks("docs/scenarios.md", "toml"))
    log = scenario_from(search, changes={"duration_s": 130.0}).run()
    assert [event.time_s for event in log.events if event.kind == "fault"] == [100.0]
    assert log["fault_weak"][-1] == 1.0
    assert len(scenario_from({**search, **events}).crafts[0].events) == 3  # a part of a file
    logs = scenario_from(pair).run("meet")
    assert list(logs) == ["first", "second"]
    assert any(event.kind == "collision" for event in logs["first"].events)  # they meet bow to bow
    assert {"meet-first.csv", "meet-second.csv"} <= {path.name for path in tmp_path.iterdir()}
    (broken,) = blocks("docs/faults.md", "toml")
    log = scenario_from(tomllib.loads(broken)).run()
    assert log["fault_thruster_lost"][-1] == 1.0
    assert log["current_east_m_s"].max() == pytest.approx(0.5)  # m/s: the gust at its height
    assert log["flooded_kg"][-1] == pytest.approx(0.5)  # kg: the room is full


def test_the_code_of_the_scenario_page_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (code,) = blocks("docs/scenarios.md", "python")
    exec(compile(code, "docs/scenarios.md", "exec"), {})
    assert capsys.readouterr().out.rstrip().endswith(" 1")  # the seed
    assert (tmp_path / "windy.csv").exists() and (tmp_path / "windy.json").exists()


def test_the_code_of_the_faults_page_runs(capsys):
    names = {}
    for block in blocks("docs/faults.md", "python"):
        exec(compile(block, "docs/faults.md", "exec"), names)
    log, vehicle = names["log"], names["sinking"].crafts[0].vehicle
    assert log["flooded_kg"][-1] == pytest.approx(1.0)
    rho, g = vehicle.water.density_kg_m3, vehicle.water.gravity_m_s2
    net = (vehicle.body.mass_kg + 1.0 - rho * vehicle.body.volume_m3) * g  # N, down
    linear, square = 33.0, 190.0  # N s/m, N s2/m2: -Z_w and -Z_w|w| of the vehicle's file
    speed = (-linear + (linear**2 + 4.0 * square * net) ** 0.5) / (2.0 * square)
    assert log["heave_m_s"][-1] == pytest.approx(speed, rel=0.01)  # 1 %: the closed form of the page, 25 s later
    assert names["jammed"]["heading_deg"][-1] > 20.0 or names["jammed"]["heading_deg"][-1] < 340.0  # it turns
    assert "leak begins" in capsys.readouterr().out


def test_the_code_of_the_predictor_page_runs(capsys):
    (code,) = blocks("docs/predictor.md", "python")
    names = {}
    exec(compile(code, "docs/predictor.md", "exec"), names)
    turned = [(heading - 40.0 + 180.0) % 360.0 - 180.0 for heading in names["headings"]]
    assert turned == sorted(turned, reverse=True)  # on this vehicle a negative rudder turns to starboard
    assert turned[0] > 0.0 > turned[-1]
    assert names["later"].time_s[0] == names["future"].time_s[-1]
    assert names["steps"]["surface_rudder_deg"][[10, 40]].tolist() == pytest.approx([-4.0, 0.0])
    assert "Prediction of remus100: 101 states" in capsys.readouterr().out


def test_the_tables_of_the_scenario_page_are_those_of_the_descriptions():
    """After a change: python scripts/scenario_keys.py."""
    made = runpy.run_path(str(ROOT / "scripts/scenario_keys.py"))["tables"]()
    text = (ROOT / "docs/scenarios.md").read_text(encoding="utf-8")
    assert made in text
    assert sum(line.startswith("| `") for line in made.splitlines()) > 150


def test_the_vehicle_of_the_readme_loads(tmp_path):
    from pelagos.vehicle.load import load_vehicle

    _, text = blocks("README.md", "toml")  # the first is a scenario
    (tmp_path / "my_rov.toml").write_text(text)
    vehicle = load_vehicle(tmp_path / "my_rov.toml")
    assert vehicle.body.mass_kg == 13.8  # not the 13.5 of the vehicle it extends
    assert len(vehicle.thrusters) == 8  # those are inherited


def test_the_fleet_table_names_library_vehicles():
    library = {path.stem for path in (ROOT / "pelagos/vehicle/library").glob("*.toml")}
    fleet = (ROOT / "README.md").read_text().split("## The fleet")[1].split("\n## ")[0]
    named = set(re.findall(r"`([a-z0-9_]+)`", fleet))
    assert len(named) > 5
    assert named <= library


def test_commands_in_the_pages_use_library_vehicles():
    library = {path.stem for path in (ROOT / "pelagos/vehicle/library").glob("*.toml")}
    said = [(ROOT / "README.md").read_text(), (ROOT / "pelagos/cli.py").read_text()]
    used = {
        word for text in said for word in re.findall(r"pelagos (?:run|describe|check) ([a-z0-9_]+)\b(?!\.toml|-)", text)
    }
    assert used
    assert used <= library


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
        assert target.startswith("https://") or (page.parent / target).exists(), f"{page.name}: {target}"


def test_ci_runs_the_commands_of_the_readme():
    commands = [line for line in (ROOT / "README.md").read_text().splitlines() if line.startswith("python3.11 ")]
    assert len(commands) == 2
    assert commands[0].endswith("pelagos run first-dive")
    assert commands[1].endswith("pytest")
    assert "readme_command" in (ROOT / ".ci/run").read_text()
