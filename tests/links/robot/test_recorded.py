"""A log behind the robot link publishes what the simulation published while it was recorded."""

import numpy as np
import pytest
from pytest import approx

from pelagos.errors import CommandError
from pelagos.links.robot.messages import VehicleCommand
from pelagos.links.robot.recorded import RecordedHost
from pelagos.links.robot.vehicle import RATES, WATER
from pelagos.sim.log.load import load_log
from pelagos.sim.log.log import Log, LogError
from tests.links.robot.linked import TABLES, tank_host


@pytest.fixture(scope="module")
def flown(tmp_path_factory):
    """A log, and what was told while it was flown."""
    path = tmp_path_factory.mktemp("log") / "run.csv"
    sea = tank_host(TABLES | {"event": [{"at_s": 1.0, "say": "a second"}]}, log=path)
    published = [(sea.ticks, sea.time_s, sea.vehicles(False), sea.events())]
    described = sea.descriptions()
    for n in range(60):
        if n == 5:
            sea.apply({"": VehicleCommand(thrusters={"port_screw_rpm": 500.0}, surfaces={"bow_rudders_deg": 12.0})})
        if n == 40:
            sea.apply({"": VehicleCommand(setpoint={"depth_m": 5.0, "heading_deg": 0.0})})
        sea.mark_published()
        sea.tick()
        published.append((sea.ticks, sea.time_s, sea.vehicles(False), sea.events()))
    sea.close(True)
    return path, described, published


def test_a_log_tells_what_was_told_while_it_was_flown(flown):
    path, _, published = flown
    host = RecordedHost(path)
    assert (host.kind, host.title, host.rate_hz, host.name) == ("log", "run.csv", 10.0, "phoenix")
    for ticks, time_s, vehicles, events in published:
        replayed, now = host.vehicles(False)["phoenix"], vehicles["phoenix"]
        assert (host.ticks, host.time_s, host.events()) == (ticks, time_s, events)
        for part in ("actuators", "ordered", "setpoint"):
            assert replayed[part] == now[part], part
        for name, value in now["state"].items():
            if name in WATER:
                assert replayed["state"][name] == approx(value, abs=1e-14)  # the same sum in another order
            elif name not in RATES:
                assert replayed["state"][name] == value, name
        assert {n: r["values"] for n, r in replayed["sensors"].items()} == {
            n: r["values"] for n, r in now["sensors"].items()
        }
        host.mark_published()
        host.tick()
    assert host.done
    host.tick()  # stays at its end
    assert host.ticks == 60


def test_readings_wait_until_they_are_told(flown):
    path, _, published = flown
    host = RecordedHost(path)
    host.mark_published()
    spoke = {}
    for _, time_s, vehicles, _ in published[1:15]:  # in the last of them not every instrument speaks
        host.tick()
        spoke |= {name: (time_s, reading["values"]) for name, reading in vehicles["phoenix"]["sensors"].items()}
    readings = host.vehicles(False)["phoenix"]["sensors"]
    assert {name: (reading["time_s"], reading["values"]) for name, reading in readings.items()} == spoke
    assert any(time_s < host.time_s for time_s, _ in spoke.values())  # some spoke in an earlier row only
    host.mark_published()
    assert host.vehicles(False)["phoenix"]["sensors"] == {}


def test_accelerations_are_differences_of_the_rows(flown):
    path, _, published = flown
    host = RecordedHost(path)
    assert host.vehicles(False)["phoenix"]["state"]["surge_accel_m_s2"] is None
    for _ in range(30):
        host.tick()
    rate = host.vehicles(False)["phoenix"]["state"]["surge_accel_m_s2"]
    exact = [published[k][2]["phoenix"]["state"]["surge_accel_m_s2"] for k in (29, 30)]
    assert min(exact) - 1e-6 <= rate <= max(exact) + 1e-6  # the mean over a row lies between those at its ends
    assert rate > 1e-3


def test_it_is_described_as_the_vehicle_was(flown):
    path, described, _ = flown
    assert RecordedHost(path).descriptions() == described


def test_orders_change_nothing_but_the_name_must_be_right(flown):
    path, _, published = flown
    host = RecordedHost(path)
    host.apply({"": VehicleCommand(thrusters={"port_screw_rpm": -700.0})})
    host.tick()
    assert host.vehicles(False)["phoenix"]["ordered"] == published[1][2]["phoenix"]["ordered"]
    with pytest.raises(CommandError, match='did you mean "phoenix'):
        host.apply({"phenix": VehicleCommand()})
    assert host.stop() == ""
    host.reset()
    assert (host.ticks, host.time_s) == (0, 0.0)


def test_forces_are_told_where_the_log_has_them(tmp_path, flown):
    log = load_log(flown[0])
    forces = {"drag": np.arange(len(log) * 6.0).reshape(-1, 6)}
    Log(log.columns, log.meta, forces).to_csv(tmp_path / "forces.csv")
    host = RecordedHost(tmp_path / "forces.csv")
    host.tick()
    assert host.vehicles(True)["phoenix"]["forces"] == {"drag": [6.0, 7.0, 8.0, 9.0, 10.0, 11.0]}


def test_what_is_no_log_of_a_run_is_refused(tmp_path, flown):
    log = load_log(flown[0])
    for name, columns, sentence in (
        ("bare", {"time_s": np.arange(5.0)}, 'has no column "north_m"; expected the log of a run'),
        ("one", {key: column[:1] for key, column in log.columns.items()}, "number of samples = 1: expected at least 2"),
        ("still", {**log.columns, "time_s": np.zeros(len(log))}, "do not go forward"),
        ("uneven", {**log.columns, "time_s": log.time_s**2}, "not evenly spaced"),
    ):
        Log(columns, log.meta).to_csv(tmp_path / f"{name}.csv")
        with pytest.raises(LogError, match=sentence):
            RecordedHost(tmp_path / f"{name}.csv")
    with pytest.raises(LogError, match="no such file"):
        RecordedHost(tmp_path / "nowhere.csv")


def test_a_log_without_meta_data_still_plays(tmp_path, flown):
    log = load_log(flown[0])
    Log(log.columns, {}).to_csv(tmp_path / "plain.csv")
    host = RecordedHost(tmp_path / "plain.csv")
    (vehicle,) = host.descriptions()
    assert (vehicle["name"], vehicle["sensors"]) == ("unknown", {})
    assert vehicle["actuators"]["thrusters"][0] == {
        "order": "port_screw_rpm", "state": "port_screw_rpm", "unit": "rpm", "minimum": None, "maximum": None,
    }  # fmt: skip
