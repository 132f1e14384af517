"""Forces of a log: their columns and means, and an error where there are none."""

import numpy as np
import pytest

from pelagos.errors import PelagosError
from pelagos.sim.log.forces import column_names, split_names
from pelagos.sim.log.log import WRENCH, Log, LogError
from tests.sim.synthetic import TERMS, synthetic_log


@pytest.fixture
def log():
    return synthetic_log(seconds=5.0)


def test_reading_a_force_log_in_one_line(log):
    assert repr(log.forces) == f"ForceLog of {len(log)} samples: {', '.join(TERMS)}"


def test_forces_are_columns_too(log):
    for k, unit in enumerate(WRENCH):
        assert np.array_equal(log[f"thrusters_{unit}"], log.forces["thrusters"][:, k])
        assert f"thrusters_{unit}" in log
    assert log.table().shape == (len(log), len(log.names))


def test_mean_force_is_the_mean_and_the_total_is_the_sum(log):
    table = log.forces.mean(start_s=2.0, end_s=4.0)
    inside = (log.time_s >= 2.0) & (log.time_s <= 4.0)
    assert tuple(table) == TERMS
    np.testing.assert_allclose(table["thrusters"], log.forces["thrusters"][inside].mean(axis=0), rtol=1e-14)
    # two orders of summing five terms of size 20: a few units in the last place
    np.testing.assert_allclose(table.total, log.forces.total()[inside].mean(axis=0), atol=1e-13)
    with pytest.raises(LogError, match="no sample in this interval"):
        log.forces.mean(start_s=99.0)


def test_the_force_table_prints_units_terms_and_total():
    log = Log({"time_s": np.zeros(2)}, forces={"a": np.full((2, 6), 1.25), "longer_name": np.full((2, 6), -1e-9)})
    lines = str(log.forces.mean()).splitlines()
    assert lines[0].split() == ["term", *WRENCH]
    assert lines[1].split() == ["a"] + ["1.250"] * 6
    assert lines[2].split() == ["longer_name"] + ["0.000"] * 6  # not -0.000
    assert lines[3].split() == ["total"] + ["1.250"] * 6


def test_forces_that_were_not_recorded_say_how_to_get_them(log):
    bare = Log(log.columns, log.meta)
    assert len(bare.forces) == 0 and bare.forces.terms == () and "thrusters" not in bare.forces
    for ask in (bare.forces.mean, bare.forces.total, lambda: bare.forces["thrusters"]):
        with pytest.raises(PelagosError, match=r"holds no forces: .* run again with forces=True"):
            ask()


def test_names_come_apart_as_they_were_put_together():
    for columns, terms in ((("time_s",), ()), (("time_s", "a_X_N"), ("drag", "lift")), (("time_s", "x_N_N_m"), ("a",))):
        assert split_names(column_names(columns, terms)) == (list(columns), list(terms))
