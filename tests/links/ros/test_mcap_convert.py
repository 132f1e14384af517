"""Logs as MCAP files: the numbers of the log come back."""

import math
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from mcap.reader import make_reader

from pelagos.errors import CommandError
from pelagos.links.ros.mcap import McapFile, convert
from pelagos.links.ros.topics import clock_message
from pelagos.scenario.read import load_scenario
from pelagos.sim.log.log import Log, LogError
from tests.links.ros.afloat import rov
from tests.links.ros.test_mcap import ROOT, read_by_rosbags


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("convert")
    log = rov(control_rate_hz=10.0).run(2.0, path=folder / "run.csv")
    return folder, log


def test_the_motion_of_a_log_comes_back(run):
    folder, log = run
    n = convert(folder / "run.csv", folder / "run.mcap")
    read = read_by_rosbags(folder / "run.mcap")
    assert n == sum(map(len, read.values()))
    odom = read[f"{ROOT}/odom"]
    assert [time_ns for time_ns, _ in odom] == [round(1e9 * t) for t in log.time_s]
    assert [m.pose.pose.position.x for _, m in odom] == log["east_m"].tolist()  # CSV keeps every digit
    assert [-m.twist.twist.linear.y for _, m in odom] == log["sway_m_s"].tolist()
    rates = [-math.degrees(m.twist.twist.angular.z) for _, m in odom]
    assert rates == pytest.approx(log["yaw_rate_deg_s"].tolist(), abs=1e-9)
    assert len(read["/tf"]) == len(read["/clock"]) == len(log)


def test_actuators_and_instruments_of_a_log_come_back(run):
    folder, log = run
    convert(folder / "run.csv", folder / "again.mcap")
    read = read_by_rosbags(folder / "again.mcap")
    last = read[f"{ROOT}/thrusters"][-1][1]
    assert last.effort.tolist() == [log[f"thruster_{name}_N"][-1] for name in last.name]
    heights = log["altimeter_altitude_m"]
    told = [m.range for _, m in read[f"{ROOT}/altimeter"]]
    assert told == pytest.approx(heights[np.isfinite(heights)].tolist(), rel=1e-6)
    pressures = [m.fluid_pressure for _, m in read[f"{ROOT}/depth"]]
    weight = log.meta["density_kg_m3"] * log.meta["gravity_m_s2"]
    depths = log["depth_depth_m"]
    assert pressures == pytest.approx((101325.0 + weight * depths[np.isfinite(depths)]).tolist())


def test_parquet_gives_the_same_messages(run):
    folder, log = run
    log.to_parquet(folder / "run.parquet")
    assert convert(folder / "run.parquet", folder / "parquet.mcap") == convert(folder / "run.csv", folder / "csv.mcap")


def test_a_scenario_with_a_navigator_has_its_estimate_and_its_events(tmp_path):
    log = load_scenario("remus-lawnmower", {"duration_s": 20.0}).run()
    assert isinstance(log, Log)
    log.to_csv(tmp_path / "run.csv")
    convert(tmp_path / "run.csv", tmp_path / "run.mcap")
    read = read_by_rosbags(tmp_path / "run.mcap")
    estimate = [m for topic, many in read.items() if topic.endswith("/estimate") for _, m in many]
    assert [m.pose.pose.position.y for m in estimate] == log["est_north_m"].tolist()
    assert estimate[-1].pose.covariance[7] == pytest.approx(log["est_north_sigma_m"][-1] ** 2)
    assert [m.msg for _, m in read.get("/rosout", [])] == [event.text for event in log.events]
    assert len(log.events) > 0


def test_a_log_without_motion_is_refused(tmp_path):
    Log({"time_s": np.arange(3.0), "depth_m": np.zeros(3)}).to_csv(tmp_path / "odd.csv")
    with pytest.raises(LogError, match="no column north_m"):
        convert(tmp_path / "odd.csv", tmp_path / "odd.mcap")
    assert not (tmp_path / "odd.mcap").exists()


def test_a_file_that_is_no_mcap_is_refused(tmp_path):
    (tmp_path / "broken.mcap").write_bytes(b"not an mcap file at all")
    with pytest.raises(CommandError, match="no message can be read"):
        convert(tmp_path / "broken.mcap", tmp_path / "whole.mcap")
    assert not (tmp_path / "whole.mcap").exists()


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9, 0.99])
def test_a_file_cut_anywhere_gives_what_is_whole(tmp_path, share):
    path, cut = tmp_path / "long.mcap", tmp_path / "cut.mcap"
    with McapFile(path, chunk_bytes=2000) as file:
        for k in range(2000):
            file.write(clock_message(0.01 * k))
    data = path.read_bytes()
    cut.write_bytes(data[: int(share * len(data))])
    n = convert(cut, tmp_path / "whole.mcap")
    times = [time_ns for time_ns, _ in read_by_rosbags(tmp_path / "whole.mcap")["/clock"]]
    assert times == [round(1e7 * k) for k in range(n)]
    assert n > 1000 * share


FULL = """
    import resource, signal, sys
    from pelagos.cli.main import main

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, 2_000))
    sys.exit(main(["convert", *sys.argv[1:]]))
"""


@pytest.mark.parametrize("name", ["run.csv", "whole.mcap"])
def test_a_disk_that_is_full_is_a_sentence_and_leaves_no_half_of_a_file(run, name):
    folder, _ = run
    if not (folder / "whole.mcap").exists():
        convert(folder / "run.csv", folder / "whole.mcap")
    words = [sys.executable, "-c", textwrap.dedent(FULL), str(folder / name), str(folder / "full.mcap")]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    assert done.returncode != 0
    assert done.stderr == f"pelagos: {folder / 'full.mcap'} cannot be written (File too large)\n"
    assert not (folder / "full.mcap").exists()


def test_what_is_saved_of_a_cut_file_keeps_its_notes(run):
    folder, _ = run
    convert(folder / "run.csv", folder / "noted.mcap")
    (folder / "cut.mcap").write_bytes((folder / "noted.mcap").read_bytes()[:-500])
    convert(folder / "cut.mcap", folder / "mended.mcap")
    notes = []
    for name in ("noted.mcap", "mended.mcap"):
        with open(folder / name, "rb") as file:
            notes.append({note.name: note.metadata for note in make_reader(file).iter_metadata()})
    assert notes[0] == notes[1] and notes[0]["log"]["source"] == "run.csv"
