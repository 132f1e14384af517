"""Errors that are found before a campaign runs."""

import warnings

import pytest

from pelagos.campaign.check import check
from pelagos.campaign.sampling import make_plan
from pelagos.errors import PelagosError
from tests.campaign.tiny import CURRENT, NORTH, PUSH, SURGE, tiny


def refused(**given):
    campaign = tiny(**given)
    with pytest.raises(PelagosError) as refusal:
        check(campaign, make_plan(campaign))
    return str(refusal.value)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        ("world.curent_m_s", 'tiny.toml: vary[1].key = "world.curent_m_s": unknown key; did you mean "current_m_s"?'),
        ("wrld.current_m_s", 'vary[1].key = "wrld.current_m_s": there is no table "wrld"; did you mean "world"?'),
        ("mission.0.depth_m", 'vary[1].key = "mission.0.depth_m": '),
        (
            "vehicle.scale.X_uu",
            'vary[1].key = "vehicle.scale.X_uu": bluerov2_heavy has no such parameter; expected mass',
        ),
        ("vehicle[1].scale.mass", "there is no vehicle 1; the scenario has 1"),
        ("duration", 'vary[1].key = "duration": '),
        ("world.depth_m.x", "vary[1].key"),
    ],
)
def test_a_key_that_leads_nowhere(key, sentence):
    message = refused(vary=[SURGE, {**CURRENT, "key": key}])
    assert sentence in message and message.startswith("tiny.toml: ") and "\n" not in message


def test_a_key_of_set_that_leads_nowhere():
    assert refused(set={"wrld.depth_m": 3.0}).startswith('tiny.toml: set.wrld.depth_m = 3.0: there is no table "wrld"')


def test_a_misspelt_name_in_a_list():
    message = refused(vary=[{"key": "vehicle", "values": ["bluerov2_heavy", "laub"]}])
    assert message.startswith('tiny.toml: vary[0].key = "vehicle": set to laub: no vehicle of this name')
    assert message.endswith('did you mean "lauv"?')


def test_a_key_whose_values_are_all_out_of_range():
    message = refused(vary=[{**SURGE, "low": 5.0, "high": 6.0}])
    assert 'vary[0].key = "control.sticks.surge"' in message


def test_a_few_values_out_of_range_are_no_reason():
    campaign = tiny(vary=[{**SURGE, "low": 0.0, "high": 2.0}], runs=40)
    checked = check(campaign, make_plan(campaign))
    assert checked.scenario.vehicles[0].control.sticks["surge"] <= 1.0
    assert checked.why_not_batched == 'engine = "single"' and not checked.batched


def test_a_column_that_is_not_there():
    assert 'the log has no column "nrth_m"; did you mean "north_m"?' in refused(metric=[{**NORTH, "column": "nrth_m"}])


def test_a_force_is_no_matter_for_the_batch_engine():
    message = refused(engine="batch", metric=[{**NORTH, "column": "thrusters_X_N"}])
    assert message == (
        'tiny.toml: engine = "batch": cannot be batched: a metric reads the force thrusters_X_N, which is logged of '
        "single runs only"
    )


def test_the_check_takes_the_next_run_after_an_error():
    """The first of two currents makes the autopilot raise what no user should see as a traceback."""
    huge = {"key": "world.current_m_s", "values": [1e19, 0.1]}
    scenario = {**PUSH, "control": {"kind": "autopilot", "depth_m": 6.0}}
    campaign = tiny(scenario=scenario, method="grid", runs=None, vary=[huge])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what overflows on the way
        assert check(campaign, make_plan(campaign)).run == 1
        message = refused(scenario=scenario, method="grid", runs=None, vary=[{**huge, "values": [1e19]}])
    assert message.startswith('tiny.toml: vary[0].key = "world.current_m_s"') and "\n" not in message
