"""The example client on a simulation and on a log: the same messages."""

import importlib.util
import math
from pathlib import Path

import pytest
from pytest import approx

from pelagos.links.robot.host import SimulationHost
from pelagos.links.robot.recorded import RecordedHost
from pelagos.scenario.read import load_scenario
from pelagos.session.lockstep import LockstepSession
from pelagos.sim.log.load import load_log
from tests.links.robot.linked import served

FILE = Path(__file__).parents[3] / "examples/robot_client.py"


@pytest.fixture
def program():
    spec = importlib.util.spec_from_file_location("robot_client", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def fly(program, world):
    """The orders the program gave, in turn, and how far it was from its place."""
    options = []

    class Watched(program.Robot):
        def exchange(self, **order):
            options.append(order)
            return super().exchange(**order)

    with served(world) as server:
        robot = Watched(server.port)
        away = program.fly(robot)
        robot.close()
        server.thread.join(30.0)
    return options, away


@pytest.mark.slow
def test_the_same_program_flies_the_sea_and_the_log_of_it(program, tmp_path):
    scenario = load_scenario(FILE.with_suffix(".toml"))
    at_sea, away = fly(program, SimulationHost(LockstepSession(scenario, log=tmp_path / "run.csv"), scenario.name))
    on_a_log, again = fly(program, RecordedHost(tmp_path / "run.csv"))
    assert at_sea == on_a_log and away == again
    log = load_log(tmp_path / "run.csv")
    assert log.complete and len(log) == len(at_sea) + 1
    assert log["depth_m"][-1] == approx(program.DEPTH_M, abs=0.1)  # m
    for north, east in program.WAYPOINTS:
        nearest = min(map(math.dist, [(north, east)] * len(log), zip(log["north_m"], log["east_m"], strict=True)))
        assert nearest <= 3.0  # m: the circle in which a point counts as reached


def test_a_refusal_is_raised_with_its_sentence(program):
    scenario = load_scenario(FILE.with_suffix(".toml"))
    with served(SimulationHost(LockstepSession(scenario), scenario.name)) as server:
        robot = program.Robot(server.port)
        with pytest.raises(RuntimeError, match="outside its limits"):
            robot.exchange(thrusters={"port_screw_rpm": 9000.0})
        assert robot.exchange()["depth_m"] == approx(1.0, abs=0.01)
        robot.close(end=False)


@pytest.mark.slow
def test_a_second_flight_in_the_same_folder_keeps_the_first_log(program, tmp_path, monkeypatch):
    monkeypatch.setattr(program, "WAYPOINTS", ((4.0, 0.0),))
    monkeypatch.setattr(program, "HOVER_S", 1.0)
    (tmp_path / "robot_client.csv").write_text("of yesterday")
    assert len(program.main(tmp_path)) > 0
    assert (tmp_path / "robot_client.csv").read_text() == "of yesterday"
    assert load_log(tmp_path / "robot_client-2.csv").complete
    with pytest.raises(SystemExit, match="nothing was flown"):
        program.main(tmp_path, tmp_path / "nowhere.toml")


def test_it_is_short_and_needs_the_standard_library_only():
    text = FILE.read_text(encoding="utf-8")
    assert text.count("\n") < 150
    imported = [line.split()[1] for line in text.splitlines() if line.startswith(("import ", "from "))]
    assert set(imported) <= {"__future__", "json", "math", "re", "socket", "subprocess", "sys", "pathlib", "typing"}
