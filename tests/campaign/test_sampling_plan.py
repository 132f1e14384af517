"""Plans: exact values, and which of them may be run on."""

import numpy as np

from pelagos.campaign.sampling import make_plan
from tests.campaign.tiny import CURRENT, SURGE, tiny


def test_a_run_has_plain_values():
    vary = [SURGE, {"key": "vehicle", "values": ["lauv", "gavia"]}, {"key": "tether", "values": [True, False]}]
    run = make_plan(tiny(vary=vary)).run(3)
    assert [type(value) for value in run.values.values()] == [float, str, bool]
    assert type(run.seed) is int and run.run == 3


def test_the_table_numbers_the_runs():
    plan = make_plan(tiny(runs=5))
    assert list(plan.table) == ["run", "seed", SURGE["key"], CURRENT["key"]]
    assert plan.table["run"].tolist() == [0, 1, 2, 3, 4]


def test_a_plan_begins_like_another_or_not():
    plan = make_plan(tiny(runs=5))
    assert plan.begins_like(make_plan(tiny(runs=9)).table)
    changed = {**plan.table, CURRENT["key"]: np.nextafter(plan.table[CURRENT["key"]], 1.0)}  # the last bit
    assert not plan.begins_like(changed)
    assert not plan.begins_like({"run": plan.table["run"]})
