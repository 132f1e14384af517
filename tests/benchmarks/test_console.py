"""The benchmark of the console measures and reports latency and lateness, over real sockets."""

import math

import pytest

from benchmarks.console import CLIENTS, measure_console, report_console


@pytest.mark.slow
def test_it_measures_and_reports():
    result = measure_console(seconds=2.0)
    assert list(result) == [str(n) for n in CLIENTS]
    for row in result.values():
        assert row["inputs_seen"] > 0
        assert 0.0 < row["latency_p50_ms"] <= row["latency_p99_ms"] < math.inf
        assert row["lateness_p50_ms"] <= row["lateness_p99_ms"]
        assert 0.0 < row["snapshots_per_s"] < 30.0  # 25 and what the edges of the time bring
    lines = report_console(result)
    assert len(lines) == 1 + len(CLIENTS)
    assert "8 pages" in lines[-1] and len(set(map(len, lines))) == 1  # a table


def test_without_the_packages_it_says_so():
    assert report_console({"note": "the console needs the package starlette"}) == [
        "console: the console needs the package starlette"
    ]
