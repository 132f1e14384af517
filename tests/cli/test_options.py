"""What the words of a flight ask for: `pelagos fly` and `pelagos link` build it so, and mistakes are sentences."""

import argparse
import re

import pytest

from pelagos.cli.fly import add_fly
from pelagos.cli.options import CURRENT_M_S, flight_builder
from pelagos.console.hello import hello_of
from pelagos.errors import CommandError, PelagosError
from pelagos.sim.log.load import load_log


def words(*options):
    parser = argparse.ArgumentParser()
    add_fly(lambda name, function, *rest: parser)
    return parser.parse_args(options)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["bluerow"], "no scenario and no vehicle of this name.*bluerov2"),
        (["--world", "royers_field"], "royer_field"),
        (["nothing.toml"], "nothing.toml"),
        (["--task", "hoover"], "hover"),
        (["--task", "hover", "--world", "harbour"], "a task has its own world"),
        (["first-dive", "--task", "hover"], "a scenario has its own mission"),
        (["--replay", "nothing.csv"], "no such file"),
        (["--replay", "x.csv", "--world", "harbour"], "expected no --world with it"),
        (["--replay", "x.csv", "--current", "0"], "expected no --current with it"),
        (["--replay", "x.csv", "--seed", "3"], "expected no --seed with it"),
        (["--replay", "x.csv", "--pilot", "Ann"], "expected no --pilot with it"),
        (["--replay", "x.csv", "--record"], "expected no --record with it"),
        (["iver3", "--replay", "x.csv"], "expected no iver3 with it"),
        (["--replay", __file__], "test_options.py: "),
        (["--task", "hover", "--north-m", "0"], "own world and start; expected no --north-m with it"),
        (["first-dive", "--depth-m", "5"], "a scenario has its own.*expected no --depth-m with it"),
        (["first-dive", "--visibility", "5"], "expected no --visibility with it"),
        (["first-dive", "--sensors"], "expected no --sensors with it"),
        (["--seed", "-1"], "seed is -1; expected a whole number"),
        (["--rate", "4"], "--rate is 4; expected a number from 5 to 200"),
        (["--rate", "nan"], "--rate is nan"),
        (["--heading-deg", "400"], "heading_deg is 400"),
        (["--record", "run.txt"], r"--record is 'run.txt'; expected a name that ends in \.csv"),
        (["--record", "/proc/nope/run.csv"], "nothing can be written there"),
        (["--north-m", "5", "--depth-m", "500"], "depth_m is 500; the seabed at north 5 m, east 0 m is 100 m deep"),
        (["--visibility", "-3"], "visibility_m is -3"),
        (["--current", "99"], "current_m_s is 99"),
        (["iver3", "--tether"], "iver3 has no tether in its file"),
        (["--tether-ratio", "1.2", "--tether-length-m", "50"], "a ratio changes the length"),
    ],
)  # fmt: skip
def test_mistakes_are_sentences_before_anything_is_served(options, sentence):
    with pytest.raises(PelagosError, match=sentence) as problem:
        flight_builder(words(*options))
    assert "\n" not in str(problem.value)


@pytest.mark.parametrize("there", ["a.csv", "a.csv.unfinished", "a.orders.jsonl"])
def test_a_recording_that_is_there_is_not_written_over(tmp_path, there):
    (tmp_path / there).write_text("dear")
    with pytest.raises(CommandError, match=rf"{re.escape(there)}: exists already; expected a new name"):
        flight_builder(words("--record", str(tmp_path / "a.csv")))
    assert [path.name for path in tmp_path.iterdir()] == [there]


def test_the_usual_flight_is_a_bluerov_before_the_wellhead_in_a_calm_current():
    flight = flight_builder(words())()
    assert flight.sim.vehicle.key == "bluerov2_heavy"
    assert flight.sim.world.name == "Royer's field"
    speed = float(abs(flight.sim.world.water_velocity([[40.0, -15.0, 97.0]])[0, 0]))
    assert speed == pytest.approx(CURRENT_M_S)
    assert flight.sim.plant.position_n[2] == pytest.approx(97.0)
    flight.close()


def test_words_reach_the_flight():
    options = ("seagrant1", "--world", "royer_field", "--current", "0.75", "--current-to", "90")
    flight = flight_builder(
        words(*options, "--tether-ratio", "1.3", "--depth-m", "20", "--seed", "7", "--rate", "25", "--visibility", "6")
    )()
    sim = flight.sim
    assert (sim.vehicle.key, sim.seed, flight.rate_hz) == ("seagrant1", 7, 25.0)
    assert sim.world.water_velocity([[40.0, -15.0, 20.0]])[0].tolist() == pytest.approx([0.0, 0.75, 0.0], abs=1e-12)
    assert sim.world.visibility_m == 6.0
    assert sim.tether.tether.ratio == 1.3 and sim.tether.tether.payout == "ratio"
    assert sim.plant.position_n[2] == pytest.approx(20.0)
    flight.close()


def test_a_start_without_a_depth_is_a_little_above_the_bottom_there():
    flight = flight_builder(words("--world", "royer_field", "--north-m", "5"))()
    assert flight.sim.plant.position_n.tolist() == pytest.approx([5.0, 0.0, 97.0])  # the bottom is at 100 m
    flight.close()


def test_what_goes_with_a_scenario_reaches_it():
    flight = flight_builder(words("first-dive", "--seed", "9", "--pilot", "Ann", "--rate", "60"))()
    assert (flight.sim.seed, flight.pilot, flight.rate_hz) == (9, "Ann", 60.0)
    flight.close()


def test_a_cable_that_does_not_reach_is_paid_out_by_a_ratio_and_that_is_said(capsys):
    flight = flight_builder(words("--tether"))()  # 35 m of cable, 97 m down
    assert flight.sim.tether.tether.payout == "ratio"
    assert "does not reach 97 m down" in capsys.readouterr().err
    flight.close()


def test_a_recording_that_begins_anew_gets_a_name_of_its_own(tmp_path):
    build = flight_builder(words("--record", str(tmp_path / "a.csv")))
    for name in ("a.csv", "a-2.csv"):
        flight = build()
        flight.tick()
        flight.close()
        assert len(load_log(tmp_path / name)) == 2
    assert not (tmp_path / "a-3.csv").exists()


@pytest.mark.slow
def test_a_recording_is_replayed(tmp_path):
    flight = flight_builder(words("--record", str(tmp_path / "a.csv")))()
    for _ in range(25):
        flight.tick()
    flight.close()
    for name in ("a.csv", "a"):  # the ending can be left out
        shown = flight_builder(words("--replay", str(tmp_path / name)))()
        assert hello_of(shown)["mode"] == "replay"
        assert shown.duration_s == pytest.approx(25 / flight.rate_hz)
        shown.close()


def test_what_a_killed_flight_left_is_replayed_by_the_name_it_was_to_have(tmp_path):
    pytest.importorskip("pyarrow")
    flight = flight_builder(words("--record", str(tmp_path / "a.parquet")))()
    flight.tick()
    flight.recordings.current.flush()
    assert not (tmp_path / "a.parquet").exists()
    shown = flight_builder(words("--replay", str(tmp_path / "a.parquet")))()
    assert not shown.log.complete and len(shown.log) == 2
    flight.close()
