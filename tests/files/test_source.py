"""Input files: early rejection of unsuitable files, and the messages."""

import os

import pytest

from pelagos import load_scenario, load_vehicle, load_world
from pelagos.campaign.read import load_campaign, loads_campaign
from pelagos.errors import FileError, PelagosError, ScenarioError
from pelagos.files.source import DEEPEST, LARGEST_TOML, parse_toml, read_text, why_not
from pelagos.training.task import load_task
from pelagos.vehicle.load.sensors import load_sensor

BAD = {
    "400 digits": ("a = " + "9" * 400, "a = 999.*: expected a whole number of 64 bits"),
    "5000 digits": ("a = " + "9" * 5000, "a whole number of thousands of digits"),
    "hexadecimal": ("a = 0x" + "f" * 20_000, "a = 0xfff.*: expected a whole number of 64 bits"),
    "400 deep": ("a = " + "[" * 400 + "]" * 400, "more than 40 deep"),
    "20000 deep": ("a = " + "[" * 20_000 + "]" * 20_000, "more than 40 deep"),
    "tables": ("a = " + "{b=" * 60 + "1" + "}" * 60, "more than 40 deep"),
    "dotted": (".".join(["a"] * 100_000) + " = 1", "line 1: a key of more than 40 parts"),
    "quoted": ("x = 1\n[" + ".".join(['"a b"'] * 100_000) + "]", "line 2: a key of more than 40 parts"),
    "large": ("a = 1\n" + "#" * LARGEST_TOML, "expected at most 4 MB"),
    "NUL": ('a.b = ["\\u0000"]', r'a\.b\[0\] = "\\x00": expected text without control characters'),
    "escape": ('a = "\\u001b[2J"', r'a = "\\x1b\[2J": expected text'),
    "key": ('"a\\u0007" = 1', "has a control character"),
    "no TOML": ("a = ", "not valid TOML"),
}


@pytest.mark.parametrize(("text", "sentence"), BAD.values(), ids=BAD)
def test_texts_that_are_refused(text, sentence):
    with pytest.raises(FileError, match=f"^x.toml: .*{sentence}"):
        parse_toml(text, "x.toml", FileError)


def test_what_is_just_allowed():
    text = f"a = {2**63 - 1}\nb = {'[' * (DEEPEST - 1)}{']' * (DEEPEST - 1)}\n{'.'.join('c' * DEEPEST)} = 'x\ty'\n"
    assert parse_toml(text, "x.toml")["a"] == 2**63 - 1
    assert parse_toml('s = """a.b.c\nd"""', "x.toml") == {"s": "a.b.c\nd"}


READERS = [load_vehicle, load_world, load_scenario, load_campaign, load_task, load_sensor]


@pytest.mark.parametrize("load", READERS, ids=lambda load: load.__name__)
def test_every_reader_of_toml_has_the_limits(load, tmp_path):
    for text in (BAD["400 digits"][0], BAD["5000 digits"][0], BAD["20000 deep"][0], BAD["dotted"][0], "kind = []\n"):
        (tmp_path / "x.toml").write_text(text)
        with pytest.raises(PelagosError, match=r"x\.toml"):
            load(tmp_path / "x.toml")


@pytest.mark.parametrize("load", READERS, ids=lambda load: load.__name__)
def test_names_and_kinds_of_files_that_cannot_be_read(load, tmp_path):
    os.mkfifo(tmp_path / "pipe.toml")
    for name in (tmp_path / "pipe.toml", "a\0b.toml", "x" * 5000 + ".toml", tmp_path / "none.toml", "y" * 5000):
        with pytest.raises(PelagosError) as caught:
            load(name)
        assert str(caught.value).isprintable() and len(str(caught.value)) <= 2000


def test_texts_of_campaigns():
    with pytest.raises(ScenarioError, match=r"^campaign: .*64 bits"):
        loads_campaign("runs = " + "9" * 30)


def test_why_a_file_cannot_be_read(tmp_path):
    (tmp_path / "a").write_bytes(b"\xff" * 10)
    os.mkfifo(tmp_path / "pipe")
    assert why_not(tmp_path / "a") == {}
    assert why_not(tmp_path / "a", 9) == {"message": "has 1e-05 MB", "expected": "at most 9e-06 MB"}
    assert why_not(tmp_path) == {"message": "is a folder", "expected": "a file"}
    device = {"message": "is a pipe, a socket or a device", "expected": "a file"}
    assert why_not(tmp_path / "pipe") == why_not("/dev/zero") == device
    assert why_not(tmp_path / "b") == why_not("a\0b") == {"message": "no such file"}
    assert why_not("x" * 5000) == {"message": "cannot be read (File name too long)"}
    with pytest.raises(ScenarioError, match="a: not a text file in UTF-8"):
        read_text(tmp_path / "a")
