"""Counters of a link, and the rate limit of its messages."""

import threading

from pelagos.links.counts import REPEAT_S, Counts
from tests.console.flown import Wall


def test_what_is_counted_is_there():
    counts = Counts("dis")
    counts.add("received")
    counts.add("received", 4)
    counts.drop("malformed", "a bad one")  # nobody listens
    assert counts["received"] == 5 and counts["dropped_malformed"] == 1 and counts["sent"] == 0
    assert counts.all()["received"] == 5


def test_a_flood_of_faults_is_a_sentence_now_and_then():
    wall, messages = Wall(), []
    counts = Counts("dis", messages.append, wall.clock)
    for _ in range(1000):
        counts.drop("malformed", "a bad one")
    assert messages == ["dis: a bad one"]
    wall.now += REPEAT_S
    counts.drop("malformed", "a bad one")
    assert messages[1:] == ["dis: a bad one (1000 of this kind since it was last said)"]
    counts.drop("stranger", "who is that?")  # another fault is said at once
    assert messages[2:] == ["dis: who is that?"]
    assert counts["dropped_malformed"] == 1001


def test_threads_lose_no_count():
    counts, messages = Counts("dis", lambda text: messages.append(text)), []
    threads = [threading.Thread(target=lambda: [counts.add("sent") for _ in range(5000)]) for _ in range(4)]
    threads += [threading.Thread(target=lambda: [counts.drop("flood", "x") for _ in range(1000)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts.all() == {"sent": 20000, "dropped_flood": 4000}
    assert len(messages) == 1


def test_what_is_handed_out_is_a_copy():
    counts = Counts("dis")
    counts.add("sent")
    counts.all()["sent"] = 99
    assert counts["sent"] == 1
