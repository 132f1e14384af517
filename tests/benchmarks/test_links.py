"""The benchmark of the links measures and reports every link, over real sockets."""

import math

import pytest

from benchmarks.links import measure_links, report_links


@pytest.mark.slow
def test_it_measures_and_reports():
    result = measure_links(seconds=0.5)
    for key, interval_s in (("ardusub", 1.0 / 1200.0), ("robot", 0.1)):
        row = result[key]
        assert 0.0 < row["p50_us"] <= row["p99_us"] < math.inf
        # one at a time: the mean time of an exchange is at least half of the median one
        assert 0.0 < row["exchanges_per_s"] < 2e6 / row["p50_us"]
        assert math.isclose(row["times_real"], row["exchanges_per_s"] * interval_s)
    assert 0.0 < result["dis"]["encode_us"] < math.inf and 0.0 < result["dis"]["decode_us"] < math.inf
    lines = report_links(result)
    assert len(lines) == 5 and len(set(map(len, lines))) == 1  # a table
    assert "ArduSub, bluerov2_heavy" in lines[1] and "robot link" in lines[2] and "read an Entity State" in lines[4]
