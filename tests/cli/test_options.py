"""Options of `pelagos fly` and `pelagos link`: the flight and the links that they build, and refused values."""

import argparse
import re
import socket

import pytest

from pelagos.cli.fly import add_fly
from pelagos.cli.options import (
    CURRENT_M_S,
    DIS,
    LINK_FLAGS,
    MAVLINK,
    add_links,
    flight_builder,
    open_links,
    print_counts,
    requested_links,
    resolve_links,
)
from pelagos.console.hello import hello_of
from pelagos.errors import CommandError, PelagosError
from pelagos.session.links import LinkSet
from pelagos.sim.log.load import load_log
from tests.console.riding_along import Watcher


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


def link_words(*options):
    parser = argparse.ArgumentParser(exit_on_error=False)
    parser.add_argument("name", nargs="?")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--allow-remote", action="store_true")
    add_links(parser)
    return parser.parse_args(options)


@pytest.mark.parametrize(
    ("options", "name", "dis", "mavlink"),
    [
        ((), None, None, None),
        (("--dis",), None, DIS, None),
        (("--dis", "239.1.2.3:3000"), None, "239.1.2.3:3000", None),
        (("--dis", "127.0.0.1:3000/3001"), None, "127.0.0.1:3000/3001", None),
        (("--dis", "phoenix"), "phoenix", DIS, None),
        (("--mavlink", "rov-pipeline"), "rov-pipeline", None, MAVLINK),
        (("--mavlink", "mine.toml", "--dis"), "mine.toml", DIS, MAVLINK),
        (("phoenix", "--mavlink", "--dis"), "phoenix", DIS, MAVLINK),
        (("--mavlink", "udpin:127.0.0.1:14550", "phoenix"), "phoenix", None, "udpin:127.0.0.1:14550"),
        (("--mavlink", "localhost:14551"), None, None, "localhost:14551"),
    ],
)  # fmt: skip
def test_a_word_behind_a_link_that_is_no_address_is_the_vehicle(options, name, dis, mavlink):
    arguments = link_words(*options)
    resolve_links(arguments)
    assert (arguments.name, arguments.dis, arguments.mavlink) == (name, dis, mavlink)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("phoenix", "--dis", "remus100"), "--dis is 'remus100'; expected an address or a port, such as 127"),
        (("--dis", "phoenix", "--mavlink", "phoenix"), "--mavlink is 'phoenix'; expected an address"),
        (("--dis-rate", "5"), "--dis-rate: has no effect alone; expected --dis as well"),
        (("--mavlink-id", "5"), "--mavlink-id: has no effect alone; expected --mavlink as well"),
        (("--dis", "--dis-drm", "10"), "--dis-drm is 10; expected a number from 1 to 9"),
        (("--dis", "--dis-rate", "0"), "--dis-rate is 0"),
        (("--dis", "--dis-threshold-m", "nan"), "--dis-threshold-m is nan"),
        (("--dis", "--dis-exercise", "0"), "--dis-exercise is 0"),
        (("--mavlink", "--mavlink-id", "255"), "--mavlink-id is 255; expected a number from 1 to 254"),
    ],
)  # fmt: skip
def test_words_that_do_nothing_or_mean_nothing_are_sentences(options, sentence):
    with pytest.raises(CommandError, match=sentence.replace("(", r"\(")):
        resolve_links(link_words(*options))


@pytest.mark.parametrize("text", ["1:2", "1:2:3:4", "1:2:x", "1:2:65536", "-1:2:3"])
def test_an_identity_is_three_numbers(text):
    with pytest.raises(argparse.ArgumentError, match=r"expected three numbers from 0 to 65535|expected one argument"):
        link_words("--dis", "--dis-id", text)
    assert link_words("--dis-id", "7:1:2").dis_id == (7, 1, 2)


def test_links_are_opened_with_what_was_said_and_closed_again(capsys):
    arguments = link_words("--dis", "127.0.0.1:3000", "--dis-id", "7:8:9", "--dis-version", "6", "--dis-rate", "5")
    resolve_links(arguments)
    assert requested_links(arguments) == ("dis",)
    links = open_links(arguments)
    try:
        assert links.names == ("dis",)
        messages = []
        links.publish = messages.append
    finally:
        links.close()
    assert len(messages) == 1 and "has no authentication" in messages[0]
    print_counts(links.counts())
    assert capsys.readouterr().err.startswith("dis: ")


def test_mavlink_says_where_it_listens_and_that_it_believes_everybody():
    pytest.importorskip("pymavlink")
    links = open_links(link_words("--mavlink", "udpin:127.0.0.1:0"))
    messages = []
    links.publish = messages.append
    links.close()
    assert len(messages) == 1 and "mavlink: listens on port" in messages[0] and "no authentication" in messages[0]


def test_one_link_that_cannot_be_closes_the_others():
    pytest.importorskip("pymavlink")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        with pytest.raises(CommandError, match="expected an address of this machine and a free port"):
            open_links(
                link_words("--dis", "--mavlink", f"udpin:127.0.0.1:{port}")
            )  # what stays open is a ResourceWarning


@pytest.mark.parametrize(
    "options",
    [("--dis", "192.168.1.255:3000"), ("--dis", "239.1.2.3:3000", "--dis-ttl", "1"), ("--mavlink", "192.0.2.1:14550")],
)
def test_what_reaches_other_machines_has_to_be_allowed(options):
    if "--mavlink" in options:
        pytest.importorskip("pymavlink")
    with pytest.raises(CommandError, match="allow-remote"):
        open_links(link_words(*options))


@pytest.mark.parametrize("link", ["foxglove", "rosbridge"])
def test_a_port_is_a_number(link):
    pytest.importorskip("foxglove" if link == "foxglove" else "websockets")
    with pytest.raises(CommandError, match=f'--{link} = "70000": expected a port'):
        open_links(link_words(f"--{link}", "70000"))


def test_pelagos_fly_has_every_word_and_a_replay_takes_none_of_them():
    parser = argparse.ArgumentParser()
    add_fly(lambda name, function, *rest: parser)
    arguments = parser.parse_args(["--dis", "--mavlink", "--replay", "x.csv"])
    assert set(LINK_FLAGS) <= set(vars(arguments))
    from pelagos.cli.options import flight_builder

    with pytest.raises(CommandError, match="expected no --dis with it"):
        flight_builder(arguments)


def test_counts_are_printed_a_line_a_link(capsys):
    print_counts(LinkSet([Watcher("one"), Watcher("two")]).counts())
    assert capsys.readouterr().err == "one: calls 0\ntwo: calls 0\n"
