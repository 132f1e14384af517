"""The journal of a flight: its file, cut short or on a full disk, and refused files."""

import gc
import json

import pytest

from pelagos.errors import ScenarioError
from pelagos.session.record.journal import Journal, JournalEntry, orders_path, read_journal
from pelagos.session.source import Input
from pelagos.sim.log.log import LogError


def filled():
    journal = Journal()
    journal.input(0, Input(surge=0.1))
    journal.order(0, "lights", {"level": 0.5})
    journal.input(3, Input(surge=1.0 / 3.0))
    journal.input(7, Input())
    journal.order(9, "hold", {"hold": "depth", "on": True})
    return journal


ENTRIES = [
    JournalEntry(0, Input(surge=0.1)), JournalEntry(0, None, "lights", {"level": 0.5}),
    JournalEntry(3, Input(surge=1.0 / 3.0)), JournalEntry(7, Input()),
    JournalEntry(9, None, "hold", {"hold": "depth", "on": True}),
]  # fmt: skip


def test_what_came_is_kept_in_its_order():
    journal = filled()
    assert list(journal) == ENTRIES and len(journal) == 5


def test_the_file_has_what_came_before_and_after_it_was_opened(tmp_path):
    journal = filled()
    path = tmp_path / "a.orders.jsonl"
    journal.open(path, {"from_tick": 9})
    journal.input(12, Input(yaw=-1.0))
    journal.close(20)
    journal.input(21, Input())  # goes nowhere any more
    kept = read_journal(tmp_path / "a.parquet")
    assert kept.path == path and kept.head["from_tick"] == 9 and kept.head["entries"] == 5 and kept.end == 20
    assert kept.entries == [*ENTRIES, JournalEntry(12, Input(yaw=-1.0))]  # numbers to the last bit


def test_orders_are_on_the_disk_at_once(tmp_path):
    journal = Journal()
    journal.open(tmp_path / "a.orders.jsonl", {})
    journal.input(1, Input(surge=0.5))
    journal.order(1, "trim_reset", {})
    assert len((tmp_path / "a.orders.jsonl").read_text().splitlines()) == 3
    journal.close(1)


def test_a_file_that_was_cut_short_reads_as_far_as_it_goes(tmp_path):
    path = tmp_path / "a.orders.jsonl"
    journal = filled()
    journal.open(path, {})
    journal.close(9)
    path.write_text(path.read_text()[:-30])
    kept = read_journal(path)
    assert kept.entries == ENTRIES[: len(kept.entries)] and kept.end is None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "not the orders"), ("{}\n", "not the orders"), ("[1]\n", "not the orders"), ("hello\nworld\n", "not JSON"),
        (json.dumps({"format": "pelagos orders 1"}) + '\n{"tick": 1}\n', "line 2"),
        (json.dumps({"format": "pelagos orders 1"}) + '\n{"tick": 1, "input": [1, 2]}\n{"tick": 1, "input": "x"}\n',
         "line 3"),
        (json.dumps({"format": "pelagos orders 1"}) + '\n[]\n{}\n', "line 2"),
    ],
)  # fmt: skip
def test_other_files_are_refused_in_a_sentence(tmp_path, text, sentence):
    path = tmp_path / "b.orders.jsonl"
    path.write_text(text)
    with pytest.raises(ScenarioError, match=sentence):
        read_journal(path)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ScenarioError, match="no such file"):
        read_journal(tmp_path / "c.parquet")
    with pytest.raises(LogError, match="cannot be written"):
        Journal().open(tmp_path / "no" / "c.orders.jsonl", {})


def test_the_orders_lie_beside_the_log():
    assert orders_path("x/dive.parquet").name == "dive.orders.jsonl"
    assert orders_path("x/dive.orders.jsonl").name == "dive.orders.jsonl"
    assert str(orders_path("x/dive.parquet.unfinished")) == "x/dive.orders.jsonl"


def test_a_file_of_other_orders_is_not_written_over(tmp_path):
    path = tmp_path / "a.orders.jsonl"
    path.write_text("mine")
    with pytest.raises(LogError, match="File exists"):
        Journal().open(path, {})
    assert path.read_text() == "mine"


def test_a_full_disk_is_told_once_and_what_was_written_can_be_read(tmp_path):
    """A limit on the size of a file stands in for the disk: the system refuses the same way."""
    resource = pytest.importorskip("resource", reason="no limits of files on this system")
    journal, path = Journal(), tmp_path / "a.orders.jsonl"
    journal.open(path, {})
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, before[1]))
    try:
        for k in range(200):
            journal.input(k, Input(surge=k / 200.0))  # never an error: the flight goes on
        journal.order(200, "lights", {"level": 1.0})
        with pytest.raises(LogError, match="cannot be written any further"):
            journal.flush()
        journal.flush()
        journal.close(200)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    kept = read_journal(path)
    assert 5 < len(kept.entries) < 200 and kept.entries == list(journal)[: len(kept.entries)] and kept.end is None
    assert len(journal) == 201


def test_a_disk_that_is_full_from_the_start_leaves_no_half_file(tmp_path):
    resource = pytest.importorskip("resource", reason="no limits of files on this system")
    journal, path = filled(), tmp_path / "a.orders.jsonl"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50, before[1]))
    try:
        with pytest.raises(LogError, match="any further"):
            journal.open(path, {})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not path.exists()
    journal.open(path, {})
    journal.close(9)
    assert read_journal(path).entries == ENTRIES


@pytest.mark.slow
def test_words_of_contacts_are_kept_to_the_bit_and_give_the_collector_nothing_to_do():
    """They come by the thousand for hours; each list of numbers kept would make every full collection longer."""
    words = [
        {"key": f"dis:1:1:{k}", "position_m": [k / 3.0, -1e-300, 0.1 + 0.2], "time_s": k / 7.0, "expires_s": None}
        for k in range(2000)
    ]
    journal = Journal()
    gc.collect()
    before = len(gc.get_objects())
    for k, word in enumerate(words):
        journal.order(k, "contact", word)
    gc.collect()  # looks once at what holds no others, and never again
    assert len(gc.get_objects()) - before < 100
    assert list(journal) == [JournalEntry(k, None, "contact", word) for k, word in enumerate(words)]
