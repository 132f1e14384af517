"""Every reader accepts or refuses mutated inputs, and the fuzzer detects hangs and crashes."""

import random
from pathlib import Path

import pytest

from pelagos.errors import CommandError
from scripts import fuzz

COUNTS = {"vehicle": 15, "netcdf": 3, "figure": 1}  # the slow ones; of others 30


@pytest.mark.slow
@pytest.mark.parametrize("target", [target for target in fuzz.TARGETS if target != "run"])
def test_mutated_input_is_accepted_or_refused_in_a_sentence(target, in_an_empty_folder):
    folder = Path.cwd()
    _, use = fuzz.TARGETS[target](folder)
    messages = []
    for _, (name, data) in zip(range(COUNTS.get(target, 30)), fuzz.inputs(target, 20, folder), strict=False):
        path = folder / f"x{Path(name).suffix}"
        path.write_bytes(data)
        messages.append(fuzz.judged(use, path))
    assert [message for message in messages if message] == []


def test_the_same_seed_gives_the_same_inputs(tmp_path):
    inputs, same_seed, other_seed = (fuzz.inputs("world", seed, tmp_path) for seed in (5, 5, 6))
    first = [next(inputs) for _ in range(5)]
    assert first == [next(same_seed) for _ in range(5)] != [next(other_seed) for _ in range(5)]


def test_a_traceback_is_reported_and_a_sentence_is_not(tmp_path):
    def sentence(path):
        raise CommandError("depth_m is x; expected a number")

    def empty(path):
        raise CommandError("")

    assert fuzz.judged(sentence, tmp_path) == ""
    assert fuzz.judged(lambda path: None, tmp_path) == ""
    assert fuzz.judged(lambda path: 1 / 0, tmp_path).startswith("ZeroDivisionError at ")
    assert fuzz.judged(empty, tmp_path) == "no sentence: ''"


SICK = """
import os, sys, time
sys.path.insert(0, {root!r})
from scripts import fuzz

def use(path):
    byte = path.read_bytes()[0]
    if byte == 1: os.abort()
    if byte == 2: time.sleep(1000)
    if byte == 3: raise KeyError("x")

fuzz.TARGETS["sick"] = lambda folder: (lambda r: ("x.bin", bytes([next(order)])), use)
order = iter([0, 1, 0, 2, 3, 0] * 9)
"""


@pytest.mark.slow
def test_hangs_and_crashes_are_reported_and_saved_and_the_rest_continues(tmp_path, monkeypatch):
    root = str(Path(__file__).parents[1])
    program = tmp_path / "program.py"
    program.write_text(SICK.format(root=root) + "\nsys.exit(fuzz.main())\n")
    monkeypatch.setattr(fuzz, "__file__", str(program))
    reports = fuzz.fuzz("sick", 6, 1, tmp_path / "out", seconds=2.0)
    assert [line.split(" ->")[0] for line in reports] == [
        "sick 1: crash, exit code -6",
        "sick 3: no answer within 2 s",
        "sick 4: KeyError at ?: 'x'",
    ]
    kept = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    assert kept == {"sick-1.bin": b"\x01", "sick-3.bin": b"\x02", "sick-4.bin": b"\x03"}


def test_mutations_leave_bytes_that_can_be_written():
    r = random.Random(3)
    for how in (fuzz.mutated_bytes, fuzz.mutated_text):
        assert all(isinstance(how(r, b"a = 1, 2\n"), bytes) for _ in range(200))
