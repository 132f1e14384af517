"""The search: K by hand, the wrong sign caught, what a start from a moment ago saves."""

import numpy as np

from evidence.tests.checked import joined
from pelagos_evidence.royer import search


def by_key(rows):
    return {row.key: row for row in rows}


def test_k_is_positive_where_the_end_lies_below_the_line():
    line = np.array([(0.0, -10.0), (1.0, -10.0), (2.0, -10.5), (3.0, -11.0)])
    assert search.k_test(line, np.array([1.1, -12.0])) > 0.0  # deeper: more tension
    assert search.k_test(line, np.array([1.1, -8.0])) < 0.0
    backwards = line[::-1]  # the order of the trials does not matter
    assert search.k_test(backwards, np.array([1.1, -12.0])) > 0.0


def test_the_wrong_sign_is_caught(monkeypatch):
    right = search.k_test
    monkeypatch.setattr(search, "k_test", lambda found, target: -right(found, target))
    assert not joined(search, search._k_values())[0].holds


def test_a_search_that_ignores_where_it_was_is_caught(monkeypatch):
    far, _ = search.far_and_close()
    monkeypatch.setattr(search, "far_and_close", lambda: (far, far))
    assert not by_key(joined(search, search.search_values()))["figures-3-10-3-11"].holds


def test_both_searches_end_within_a_metre():
    for history in search.far_and_close():
        best = history[history[:, 4].argmin()]
        assert best[4] < 1.0
        assert abs(best[2] - search.TARGET_M[0]) < 1.0 and abs(best[3] - search.TARGET_M[1]) < 1.0


def test_ends_are_those_of_the_walk():
    (end,) = search.ends(200.0, np.radians([-20.0]))
    np.testing.assert_allclose(end, (-61.5, -63.7), atol=0.06)  # figure 3.5 with 50 steps
