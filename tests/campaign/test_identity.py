"""A campaign stores its version and files: changes are rejected, or named in each row."""

import dataclasses
import json

import pytest

import pelagos
from pelagos.campaign import load_results, run_campaign
from pelagos.campaign.check import check
from pelagos.campaign.executors.processes import ProcessExecutor
from pelagos.campaign.identity import identity_here
from pelagos.campaign.run import run_chunk
from pelagos.campaign.sampling import make_plan
from pelagos.campaign.store import read_tables, write_table
from pelagos.campaign.summary import summary_text
from pelagos.cli.main import main
from pelagos.engine.compiled import source_hash
from pelagos.errors import CommandError
from pelagos.files.writer import to_toml
from tests.campaign.tiny import PUSH, SURGE, tables, tiny

MINE = 'extends = "bluerov2_heavy"\nsummary = "{}"\n'


@pytest.fixture
def mine(tmp_path):
    """A campaign with its own vehicle file; four of its runs are flown."""
    (tmp_path / "mine.toml").write_text(MINE.format("as it was"))
    scenario = {**PUSH, "vehicle": "mine.toml", "duration_s": 0.2}
    run_campaign(tiny(tmp_path, scenario=scenario, runs=4), tmp_path / "out", workers=1)
    (tmp_path / "more.toml").write_text(to_toml(tables(scenario=scenario, runs=6)))
    return tmp_path


def test_the_plan_says_what_runs_are_flown_with(mine):
    _, metadata = read_tables([mine / "out" / "plan.parquet"])
    made_with = json.loads(metadata["made_with"])
    assert made_with["pelagos"] == pelagos.__version__ and made_with["engine"] == source_hash()
    files = made_with["files"]
    assert {str(mine / "mine.toml"), "pelagos/vehicle/library/bluerov2_heavy.toml"} <= set(files)
    assert "pelagos/vehicle/parts/t200_14v.toml" in files and all(len(digest) == 64 for digest in files.values())
    results = load_results(mine / "out")
    assert len(set(results["made_with"])) == 1 and pelagos.__version__ in results["made_with"][0]


@pytest.mark.slow
def test_a_changed_file_is_refused_or_stands_in_each_row(mine, capsys):
    words = ["campaign", str(mine / "more.toml"), "--out", str(mine / "out"), "--workers", "1"]
    before = load_results(mine / "out")
    (mine / "mine.toml").write_text(MINE.format("as it is"))
    assert main(words) == 2
    metadata = capsys.readouterr().err
    assert f"{mine / 'mine.toml'} has changed" in metadata and "--accept-other-version" in metadata
    assert "engine" not in metadata and len(load_results(mine / "out")) == 4
    assert main([*words, "--accept-other-version"]) == 0
    after = load_results(mine / "out")
    assert after["made_with"][:4].tolist() == before["made_with"].tolist()
    assert len(set(after["made_with"][4:])) == 1 and after["made_with"][4] != after["made_with"][0]
    assert after.summary["made_with"] == {after["made_with"][0]: 4, after["made_with"][4]: 2}
    assert (
        "not all flown with the same" in summary_text(after)
        and "not all flown with the same" in capsys.readouterr().out
    )
    assert main(words) == 0  # what it was accepted with is what it goes on with
    (mine / "mine.toml").unlink()
    assert main(words) == 2


@pytest.mark.slow
@pytest.mark.parametrize(("what", "word"), [("pelagos", "Pelagos"), ("engine", "the engine"), ("sources", "source")])
def test_another_version_is_refused(mine, what, word):
    path = mine / "out" / "plan.parquet"
    table, metadata = read_tables([path])
    made_with = json.loads(metadata["made_with"])
    write_table(path, table, {**metadata, "made_with": json.dumps({**made_with, what: "another"}).encode()})
    more = tiny(mine, scenario={**PUSH, "vehicle": "mine.toml", "duration_s": 0.2}, runs=6)
    with pytest.raises(CommandError, match=f"{word}.* was another and is .*--accept-other-version"):
        run_campaign(more, mine / "out", workers=1)


def test_results_without_an_identity_are_not_continued(mine):
    path = mine / "out" / "plan.parquet"
    table, metadata = read_tables([path])
    write_table(path, table, {"pelagos": metadata["pelagos"]})
    more = tiny(mine, scenario={**PUSH, "vehicle": "mine.toml", "duration_s": 0.2}, runs=6)
    with pytest.raises(CommandError, match="does not record the version"):
        run_campaign(more, mine / "out", workers=1, accept_other_version=True)


@pytest.mark.slow
def test_a_worker_that_differs_is_refused(tmp_path):
    campaign = tiny(vary=[SURGE])
    plan = make_plan(campaign)
    job = check(campaign, plan).job
    assert job.identity == identity_here(job.identity)
    other = dataclasses.replace(job, identity=dataclasses.replace(job.identity, engine="of another version"))
    with ProcessExecutor(other, 1) as executor:
        executor.submit((plan.run(0),))
        with pytest.raises(
            CommandError, match=r"a worker differs from the plan.*the engine was of another version and is"
        ):
            executor.next_result()
    accepted = run_chunk(dataclasses.replace(other, accept_other=True), [plan.run(0)])[0]
    assert accepted["made_with"] == job.identity.label and accepted["status"] == "done"


def test_the_files_of_every_choice_are_in_the_plan(tmp_path):
    for name in ("one", "two"):
        (tmp_path / f"{name}.toml").write_text(MINE.format(name))
    choice = {"key": "vehicle", "values": ["one.toml", "two.toml"]}
    campaign = tiny(tmp_path, vary=[choice, SURGE], runs=1)
    files = check(campaign, make_plan(campaign)).job.identity.files
    assert {str(tmp_path / "one.toml"), str(tmp_path / "two.toml")} <= set(files)
