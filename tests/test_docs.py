"""The code of the pages runs, and their files can be loaded."""

import re
import runpy
import shlex
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from pelagos.batch.batch import Batch
from pelagos.errors import VehicleFileError
from pelagos.guidance import Lawnmower
from pelagos.scenario.read import load_scenario, parse_change, scenario_from
from pelagos.vehicle.load.vehicle import load_vehicle, loads
from pelagos.world.load import loads_world
from tests.docs_text import ROOT, blocks, code, indented, pages, read, run_python
from tests.vehicle.plain import PLAIN
from tests.world.ocean_model import ocean, save
from tests.world.seabed.test_depth_files import write_tiff

RUN, READ, DONE, SHOWN = (
    {"python"},
    {"toml", "json"},
    {"sh"},
    {"text", "bibtex", "mermaid"},
)  # what happens to blocks of a language

# page -> the test that runs all of its Python, and judges what comes out; the others are run in this file
PYTHON_TESTS = {
    "README.md": "tests/test_docs.py",
    "docs/ardusub.md": "tests/links/ardusub/test_motors.py",
    "docs/campaigns.md": "tests/campaign/test_campaigns_page.py",
    "docs/console.md": "tests/console/test_console_page.py",
    "docs/control-laws.md": "tests/control/test_control_laws_page.py",
    "docs/currents.md": "tests/world/current/test_kinds.py",
    "docs/dis.md": "tests/test_dis_page.py",
    "docs/faults.md": "tests/test_docs.py",
    "docs/figures.md": "tests/analysis/test_figures_pages.py",
    "docs/foxglove.md": "tests/links/ros/test_page.py",
    "docs/guidance.md": "tests/guidance/test_page.py",
    "docs/learning.md": "tests/learn/test_tables.py",
    "docs/links.md": "tests/links/test_links_page.py",
    "docs/mavlink.md": "tests/links/mavlink/test_page.py",
    "docs/plotter.md": "tests/analysis/test_figures_pages.py",
    "docs/predictor.md": "tests/test_docs.py",
    "docs/robot-link.md": "tests/links/robot/test_page.py",
    "docs/scenarios.md": "tests/test_docs.py",
    "docs/sensors.md": "tests/sensors/test_sensors_page.py",
    "docs/sonar.md": "tests/sensors/sound/test_sonar_page.py",
    "docs/tether-royer.md": "tests/tether/test_royer.py",
    "docs/tether.md": "tests/test_docs.py",
    "docs/training.md": "tests/training/test_page.py",
    "docs/water.md": "tests/world/current/test_kinds.py",
    "docs/world-files.md": "tests/world/test_world_files_page.py",
    "evidence/docs/reproduction.md": "evidence/tests/report/test_pages.py",
}
PYTHON_HERE = [page for page in pages() if code(page, "python") and page not in PYTHON_TESTS]
# page -> the test that reads all of its TOML or JSON
FILE_TESTS = {
    "README.md": "tests/test_docs.py",
    "docs/campaigns.md": "tests/campaign/test_campaigns_page.py",
    "docs/faults.md": "tests/test_docs.py",
    "docs/guidance.md": "tests/guidance/legs/test_kinds.py",
    "docs/robot-link.md": "tests/links/robot/test_page.py",
    "docs/scenarios.md": "tests/test_docs.py",
    "docs/sensors.md": "tests/sensors/test_sensors_page.py",
    "docs/sonar.md": "tests/sensors/sound/test_sonar_page.py",
    "docs/training.md": "tests/training/test_page.py",
    "docs/vehicle-files.md": "tests/vehicle/load/test_vehicle.py",
    "docs/world-files.md": "tests/world/test_world_files_page.py",
}
WORLD_PAGES = [f"docs/{name}.md" for name in ("contact", "currents", "seabed", "structures", "water", "waves")]
VEHICLE_PAGES = ["docs/control.md", "docs/surface.md"]
SCENARIO_PAGES = ["docs/estimation.md"]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """What the code writes does not go into the clone."""
    monkeypatch.chdir(tmp_path)


# ---- nothing is left out -------------------------------------------------------------------------------------------


def test_every_block_says_what_it_is():
    for page in pages():
        for block in blocks(page):
            assert block.language in RUN | READ | DONE | SHOWN, (
                f"{page}: {block.language or 'no language'}: {block.text}"
            )
        # no test runs code in an indented block: formulas and commands only
        for line in indented(page):
            assert not re.match(r"import |from \S+ import |def |\[\[?[\w.]+\]\]?$|[\w.]+\(\S*\)$", line), (
                f"{page}: {line}"
            )


def test_every_block_of_code_is_run_and_every_file_is_read():
    for languages, tests, here in (
        (RUN, PYTHON_TESTS, PYTHON_HERE),
        (READ, FILE_TESTS, WORLD_PAGES + VEHICLE_PAGES + SCENARIO_PAGES),
    ):
        has_some = {page for page in pages() if any(block.language in languages for block in blocks(page))}
        assert has_some == set(tests) | set(here)
        for page, test in tests.items():
            # the lists above only name the test; here the test must contain the page
            known = re.sub(r'^    "[^"]+": "tests/.*$', "", (ROOT / test).read_text(), flags=re.M)
            assert Path(page).name in known, f"{test} does not know of {page}"
            assert languages != RUN or re.search(r"exec\(|run_python\(", known), f"{test} runs nothing"


# ---- code of the pages ---------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_code_of_the_readme_runs(tmp_path, capsys):
    first_screen, many, world = code("README.md", "python")
    names = {}
    exec(compile(first_screen, "README.md", "exec"), names)
    assert len(names["log"]) > 100
    assert (tmp_path / "dive.png").stat().st_size > 10_000
    assert "thrusters" in capsys.readouterr().out
    names = {}  # the second stands by itself, far below the first
    exec(compile(many, "README.md", "exec"), names)
    assert names["batch"].view.alive.all() and names["observations"].shape[0] == names["rewards"].size == 64
    assert abs(names["batch"].view.nu[:, 5].mean()) > 0.01  # the rudder turns them
    exec(compile(world, "README.md", "exec"), names)
    assert names["log"]["contact_N"].max() > 1.0
    assert names["hits"].range_m == pytest.approx([3.5, 17.0], abs=1e-9)  # m: 4 - 0.5 to the pile, 20 - 3 to the bottom
    assert "['pile', 'seabed']" in capsys.readouterr().out


def test_the_sea_of_the_readme_is_the_same_in_a_file():
    sea, names = code("README.md", "toml")[-1], {}
    exec(compile(code("README.md", "python")[-1].split("sim = ")[0], "README.md", "exec"), names)
    assert replace(loads_world(sea), name="") == names["sea"]


@pytest.mark.slow
def test_the_files_of_the_readme_are_read(tmp_path):
    vehicle, scenario, _ = code("README.md", "toml")
    (tmp_path / "my_rov.toml").write_text(vehicle)
    rov = load_vehicle(tmp_path / "my_rov.toml")
    assert rov.body.mass_kg == 13.8  # not the 13.5 of the vehicle it extends
    assert len(rov.thrusters) == 8  # those are inherited
    log = scenario_from(tomllib.loads(scenario), changes={"duration_s": 60.0}).run()
    assert abs(log["altitude_m"][-1] - 10.0) < 1.0  # m
    assert log["est_north_sigma_m"][-1] > 0.0


@pytest.mark.slow
@pytest.mark.parametrize("page", PYTHON_HERE)
def test_the_code_of_the_page_runs(page, capsys):
    names = run_python(page)
    printed = capsys.readouterr().out
    if (judge := JUDGES.get(page)) is not None:
        judge(names, printed)


def judge_contact(names, printed):
    assert names["log"]["north_m"].max() == pytest.approx(3.0 - 0.4 - 0.23, abs=0.005)  # m: half a box off the column
    assert printed.splitlines()[0].endswith(" column")


def judge_control(names, printed):
    assert "'heading': True" in printed and "'depth': True" in printed
    assert names["helm"].setpoint.depth_m > 5.0  # the stick moved what is held
    assert (names["log"]["north_m"][-1], names["log"]["east_m"][-1]) == pytest.approx((2.0, 1.0), abs=0.1)


def judge_estimation(names, printed):
    assert abs(names["log"]["est_north_m"][-1] - names["log"]["north_m"][-1]) < 3 * 2.0  # m, sigmas of the start


def judge_forces(names, printed):
    names["sim"].place(depth_m=5, surge_m_s=1)
    pushed = names["sim"].run(1)["external_X_N"]
    assert (pushed[1:] < 0.0).all() and pushed.min() > -5.0 * 1.1  # N: -5 times the speed through the water


def judge_logs(names, printed):
    assert names["again"].complete and len(names["frame"]) == len(names["log"])


def judge_rays(names, printed):
    assert names["hits"].range_m[[0, 2]] == pytest.approx([50.0, 25.0])  # m: 30 - 5 straight down, twice that at 60 deg


def judge_seabed(names, printed):
    assert printed.startswith("28.7")  # m, as the comment says


def judge_surface(names, printed):
    assert names["hull"].size > 3 * 100_000  # three coordinates a point of the cloud


def judge_structures(names, printed):
    assert printed.splitlines()[::2] == ["[ True False]", "True"]  # as the comments say


def judge_waves(names, printed):
    assert float(printed.splitlines()[0]) == pytest.approx(2.0)


JUDGES = {
    "docs/contact.md": judge_contact, "docs/control.md": judge_control, "docs/estimation.md": judge_estimation,
    "docs/forces.md": judge_forces,
    "docs/logs.md": judge_logs, "docs/rays.md": judge_rays, "docs/seabed.md": judge_seabed,
    "docs/structures.md": judge_structures, "docs/surface.md": judge_surface,
    "docs/waves.md": judge_waves,
}  # fmt: skip


@pytest.mark.slow
def test_the_code_of_the_tether_page_runs(tmp_path, capsys):
    names = run_python("docs/tether.md")
    # a ratio of the distance, which grows by the way of one step of the cable; 2 %
    assert names["log"]["tether_ratio"][-1] == pytest.approx(1.2, rel=0.02)
    # N: Royer's third case seen from the other end; the continuum has 328.7 N, the chain of 50 is 0.5 % off
    assert names["line"].head["tension_b"] == pytest.approx(328.7, rel=5e-3)
    assert (tmp_path / "tether.png").stat().st_size > 10_000
    out = capsys.readouterr().out
    assert " ok\n" in out and "not converged" not in out


def test_the_code_of_the_scenario_page_runs(tmp_path, capsys):
    run_python("docs/scenarios.md")
    assert capsys.readouterr().out.rstrip().endswith(" 1")  # the seed
    assert (tmp_path / "windy.csv").exists() and (tmp_path / "windy.json").exists()


def test_the_code_of_the_faults_page_runs(capsys):
    names = run_python("docs/faults.md")
    log, vehicle = names["log"], names["sinking"].vehicles[0].vehicle
    assert log["flooded_kg"][-1] == pytest.approx(1.0)
    rho, g = vehicle.water.density_kg_m3, vehicle.water.gravity_m_s2
    net = (vehicle.body.mass_kg + 1.0 - rho * vehicle.body.volume_m3) * g  # N, down
    linear, square = 33.0, 190.0  # N s/m, N s2/m2: -Z_w and -Z_w|w| of the vehicle's file
    speed = (-linear + (linear**2 + 4.0 * square * net) ** 0.5) / (2.0 * square)
    assert log["heave_m_s"][-1] == pytest.approx(speed, rel=0.01)  # 1 %: the closed form of the page, 25 s later
    assert names["jammed"]["heading_deg"][-1] > 20.0 or names["jammed"]["heading_deg"][-1] < 340.0  # it turns
    assert "leak begins" in capsys.readouterr().out


def test_the_code_of_the_predictor_page_runs(capsys):
    names = run_python("docs/predictor.md")
    turned = [(heading - 40.0 + 180.0) % 360.0 - 180.0 for heading in names["headings"]]
    assert turned == sorted(turned, reverse=True)  # on this vehicle a negative rudder turns to starboard
    assert turned[0] > 0.0 > turned[-1]
    assert names["later"].time_s[0] == names["future"].time_s[-1]
    assert names["steps"]["surface_rudder_deg"][[10, 40]].tolist() == pytest.approx([-4.0, 0.0])
    assert "Prediction of remus100: 101 states" in capsys.readouterr().out


# ---- files that the pages show -------------------------------------------------------------------------------------


@pytest.fixture
def soundings(tmp_path):
    """The files that the worlds of the pages name."""
    trimesh = pytest.importorskip("trimesh")
    save(ocean(), tmp_path)  # model.nc
    write_tiff(tmp_path / "fjord.tif", scale=(0.01, 0.01), corner=(5.30, 60.41), model=2)
    (tmp_path / "bottom.txt").write_text("0 20\n50 22\n100 18\n")
    trimesh.creation.box((8.0, 3.0, 2.0)).export(tmp_path / "wreck.stl")
    return tmp_path


@pytest.mark.parametrize("page", WORLD_PAGES)
def test_the_worlds_of_the_page_are_read(page, soundings):
    for text in code(page, "toml"):
        world = loads_world(text, page, soundings)
        for name in tomllib.loads(text):
            what = {"current": "currents", "structure": "structures", "depth_m": "seabed"}.get(name, name)
            assert getattr(world, what) is not None and getattr(world, what) != ()


@pytest.mark.parametrize("page", VEHICLE_PAGES)
def test_the_parts_of_vehicles_of_the_page_are_read(page):
    for text in code(page, "toml"):
        assert loads(PLAIN + text, page).body.mass_kg == 100.0


def test_the_navigation_of_the_page_is_read():
    (text,) = code("docs/estimation.md", "toml")
    scenario = scenario_from({"vehicle": "remus100", "sensor": True, **tomllib.loads(text)})
    assert scenario.vehicles[0].navigation.position_sigma_m == 2.0


@pytest.mark.slow
def test_the_scenarios_of_the_pages_are_read_and_run(tmp_path):
    search, events, pair = (tomllib.loads(text) for text in code("docs/scenarios.md", "toml"))
    log = scenario_from(search, changes={"duration_s": 130.0}).run()
    assert [event.time_s for event in log.events if event.kind == "fault"] == [100.0]
    assert log["fault_weak"][-1] == 1.0
    assert len(scenario_from({**search, **events}).vehicles[0].events) == 3  # a part of a file
    logs = scenario_from(pair).run("meet")
    assert list(logs) == ["first", "second"]
    assert any(event.kind == "collision" for event in logs["first"].events)  # they meet bow to bow
    assert {"meet-first.csv", "meet-second.csv"} <= {path.name for path in tmp_path.iterdir()}
    (broken,) = code("docs/faults.md", "toml")
    log = scenario_from(tomllib.loads(broken)).run()
    assert log["fault_thruster_lost"][-1] == 1.0
    assert log["current_east_m_s"].max() == pytest.approx(0.5)  # m/s: the gust at its height
    assert log["flooded_kg"][-1] == pytest.approx(0.5)  # kg: the room is full


def test_the_changes_that_the_scenario_page_shows_are_made():
    (shown,) = (block.text for block in blocks("docs/scenarios.md", "text") if block.text.startswith("--set"))
    changes = dict(parse_change(word) for word in shlex.split(shown) if word != "--set")
    pair = {key: changes.pop(key) for key in list(changes) if key.startswith("vehicle[1]")}
    kind = {"vehicle": changes.pop("vehicle")}
    changed = load_scenario("remus-lawnmower", changes)
    assert (changed.world.current_m_s, changed.vehicles[0].vehicle.body.mass_kg) == (0.5, 14.0)
    survey = changed.vehicles[0].mission[0]
    assert isinstance(survey, Lawnmower) and survey.spacing_m == 40.0
    assert load_scenario("remus-lawnmower", kind).vehicles[0].vehicle.key == "lauv"
    both = scenario_from(tomllib.loads(code("docs/scenarios.md", "toml")[2]), changes=pair)
    assert both.vehicles[1].start.north_m == 10.0


def test_two_vehicles_of_a_batch_pass_through_each_other():
    """Unlike those of a scenario, which docs/contact.md and docs/scenarios.md describe."""
    both = Batch("lauv", 2)
    both.place(depth_m=5.0, surge_m_s=1.0, heading_deg=[0.0, 180.0], north_m=[0.0, 2.0])
    both.advance(2.0)
    assert both.view.position_n[0, 0] > both.view.position_n[1, 0]


def test_the_sentences_of_the_vehicle_page_are_those_that_are_said():
    (sentences,) = (block.text for block in blocks("docs/vehicle-files.md", "text"))
    screw = '[[thrusters]]\nname = "t{}"\nposition_m = [0, 0, 0]\ndirection = {}\nmaximum_N = 1\n'
    turned = "".join(screw.format(i, [0, 0, 0] if i == 2 else [1, 0, 0]) for i in range(3))
    wrong = (
        PLAIN.replace("mass_kg", "mass_m"), PLAIN + turned, PLAIN + "[hydro.coefficients]\nYuv = -1.0\n",
    )  # fmt: skip
    for text, sentence in zip(wrong, sentences.splitlines(), strict=True):
        with pytest.raises(VehicleFileError) as caught:
            loads(text, "rov.toml")
        assert sentence in str(caught.value)


def test_the_tables_of_the_scenario_page_are_those_of_the_descriptions():
    """After a change: python scripts/scenario_keys.py."""
    made = runpy.run_path(str(ROOT / "scripts/scenario_keys.py"))["tables"]()
    assert made in read("docs/scenarios.md")
    assert sum(line.startswith("| `") for line in made.splitlines()) > 150


# ---- commands that CI runs -----------------------------------------------------------------------------------------


def test_ci_runs_the_commands_of_the_readme():
    commands = [line for line in read("README.md").splitlines() if line.startswith("python3.11 ")]
    assert len(commands) == 2
    assert commands[0].endswith("pelagos run first-dive")
    assert commands[1].endswith("pytest")
    assert "readme_command" in (ROOT / ".ci/run").read_text()
