"""`pelagos convert` as a user calls it."""

import argparse

import pytest

from pelagos.cli.convert import add_convert, convert
from pelagos.errors import PelagosError
from tests.links.ros.afloat import rov
from tests.links.ros.test_mcap import read_by_rosbags


def parsed(*words):
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers()

    def add(name, command, summary, examples):
        made = commands.add_parser(name, help=summary, epilog=examples)
        made.set_defaults(command=command)
        return made

    add_convert(add)
    return parser.parse_args(words)


def test_a_log_becomes_a_file(tmp_path, capsys):
    rov(control_rate_hz=10.0).run(1.0, path=tmp_path / "run.csv")
    words = parsed("convert", str(tmp_path / "run.csv"), str(tmp_path / "run.mcap"))
    assert words.command(words) == 0
    n = sum(map(len, read_by_rosbags(tmp_path / "run.mcap").values()))
    assert capsys.readouterr().out == f"{tmp_path / 'run.mcap'}: {n} messages\n"


@pytest.mark.parametrize(
    ("log", "out", "why"),
    [
        ("none.csv", "a.mcap", "no such file"),
        ("none.csv", "a.bag", "ends in .mcap"),
        ("none.mcap", "a.mcap", "no such file"),
        ("none.csv", "x" * 300 + ".mcap", "cannot be written"),
    ],
)
def test_mistakes_are_sentences(tmp_path, log, out, why):
    with pytest.raises(PelagosError, match=why):
        convert(argparse.Namespace(log=str(tmp_path / log), out=str(tmp_path / out)))
