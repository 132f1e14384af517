"""The results folder: exact tables, complete parts, runs counted once, another campaign rejected."""

import json

import numpy as np
import pytest

from pelagos.campaign.run import failed
from pelagos.campaign.sampling import make_plan
from pelagos.campaign.store import CampaignFolder, parts, read_runs, read_tables, write_table
from pelagos.errors import CommandError
from tests.campaign.tiny import CURRENT, NORTH, PUSH, SURGE, tiny

TABLE = {
    "run": np.array([1, 2**53]),
    "value": np.array([0.1, np.nan]),
    "word": np.array(["a", "böje"]),
    "yes": np.array([True, False]),
}


def test_tables_are_read_back_to_the_last_bit(tmp_path):
    write_table(tmp_path / "a.parquet", TABLE, {"said": b"so"})
    write_table(tmp_path / "b.parquet", TABLE)
    back, metadata = read_tables([tmp_path / "a.parquet", tmp_path / "b.parquet"])
    assert metadata == {"said": b"so"}
    for name, column in TABLE.items():
        assert back[name].dtype.kind == column.dtype.kind
        np.testing.assert_array_equal(back[name], np.concatenate([column, column]))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.parquet", "b.parquet"]


def test_mistakes_are_sentences(tmp_path):
    with pytest.raises(CommandError, match=r"a.parquet: cannot be written \(No such file or directory\)"):
        write_table(tmp_path / "none" / "a.parquet", TABLE)
    (tmp_path / "b.parquet").write_text("no")
    with pytest.raises(CommandError, match=r"b.parquet: cannot be read"):
        read_tables([tmp_path / "b.parquet"])
    write_table(tmp_path / "c.parquet", TABLE)
    write_table(tmp_path / "d.parquet", {"run": TABLE["run"]})
    with pytest.raises(CommandError, match=r"d.parquet: has other columns; expected those of c.parquet"):
        read_tables([tmp_path / "c.parquet", tmp_path / "d.parquet"])


def folder_of(path, **given):
    campaign = tiny(**given)
    return CampaignFolder(path, campaign, make_plan(campaign))


def row(folder, number, **given):
    run = folder.plan.run(number)
    base = {"status": "done", "message": "", "engine": "single", "wall_s": 0.1, "simulated_s": 1.0}
    return {"run": run.run, "seed": run.seed, **base, **run.values, "north_m": 0.1 * number, "slow": 0.0, **given}


def test_rows_come_back_exactly_sorted_and_once(tmp_path):
    folder = folder_of(tmp_path / "out")
    assert len(folder.begin()["run"]) == 0
    folder.add([row(folder, 5), failed(folder.plan.run(2), CommandError("no"), "single")])
    folder.flush()
    folder.add([row(folder, 1), row(folder, 5)])
    folder.flush()
    table = read_runs(folder.path, folder.campaign)
    assert table["run"].tolist() == [1, 2, 5] and table["status"].tolist() == ["done", "failed", "done"]
    assert table["message"].tolist() == ["", "no", ""] and np.isnan(table["north_m"][1])
    assert table["seed"].tolist() == folder.plan.seeds[[1, 2, 5]].tolist()
    for key in folder.campaign.keys:
        assert table[key].tolist() == folder.plan.columns[key][[1, 2, 5]].tolist()  # to the last bit
    assert len(parts(folder.path)) == 2


def test_a_part_cut_short_is_ignored(tmp_path):
    folder = folder_of(tmp_path)
    folder.begin()
    folder.add([row(folder, 0)])
    folder.flush()
    whole = parts(tmp_path)[0]
    (whole.parent / f".{whole.name}.new").write_bytes(whole.read_bytes()[:100])  # as a killed process leaves it
    assert read_runs(tmp_path, folder.campaign)["run"].tolist() == [0]
    whole.write_bytes(whole.read_bytes()[:100])
    with pytest.raises(CommandError, match=r"part-000000.parquet: cannot be read"):
        read_runs(tmp_path, folder.campaign)


def test_plan_and_file_are_there(tmp_path):
    folder = folder_of(tmp_path)
    folder.begin()
    table, metadata = read_tables([tmp_path / "plan.parquet"])
    assert (
        table["seed"].dtype == np.int64
        and table["world.current_m_s"].tolist() == folder.plan.columns["world.current_m_s"].tolist()
    )
    assert json.loads(metadata["pelagos"])["scenario"] == PUSH
    assert 'take = "final"' in (tmp_path / "campaign.toml").read_text()


@pytest.mark.parametrize(
    ("given", "what"),
    [
        ({"seed": 4}, "seed differs"),
        ({"vary": [SURGE]}, "vary differs"),
        ({"vary": [SURGE, {**CURRENT, "high": 0.6}]}, "vary differs"),
        ({"metric": [NORTH]}, "metric differs"),
        ({"scenario": {**PUSH, "duration_s": 2.0}}, "scenario differs"),
        ({"set": {"duration_s": 2.0}}, "set differs"),
        ({"method": "lhs"}, "method differs"),
    ],
)
def test_another_campaign_in_the_same_folder_is_refused(tmp_path, given, what):
    folder_of(tmp_path).begin()
    with pytest.raises(CommandError) as refusal:
        folder_of(tmp_path, **given).begin()
    assert f"holds runs of another campaign ({what}); expected another --out, or --fresh" in str(refusal.value)


def test_more_runs_of_the_same_campaign_are_accepted(tmp_path):
    folder = folder_of(tmp_path)
    folder.begin()
    folder.add([row(folder, 3)])
    folder.flush()
    assert folder_of(tmp_path, runs=20, stop={"metric": "north_m", "half_width": 1.0}).begin()["run"].tolist() == [3]
    folder_of(tmp_path / "lhs", method="lhs").begin()
    with pytest.raises(CommandError, match="the plan differs"):  # a Latin hypercube of more runs is another one
        folder_of(tmp_path / "lhs", method="lhs", runs=9).begin()


def test_fresh_takes_only_what_a_campaign_wrote(tmp_path):
    folder = folder_of(tmp_path)
    folder.begin()
    folder.add([row(folder, 0)])
    folder.flush()
    (tmp_path / "notes.txt").write_text("mine")
    assert len(folder_of(tmp_path, seed=4).begin(fresh=True)["run"]) == 0
    assert (tmp_path / "notes.txt").exists()


def test_a_folder_of_something_else_is_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("")
    with pytest.raises(CommandError, match="is not empty and not the folder of a campaign"):
        folder_of(tmp_path).begin()


def test_two_writers_at_a_time_are_refused(tmp_path):
    with (
        folder_of(tmp_path).locked(),
        pytest.raises(CommandError, match="another process is writing"),
        folder_of(tmp_path).locked(),
    ):
        pass


def test_parts_that_came_meanwhile_are_not_written_over(tmp_path):
    early = folder_of(tmp_path)  # made, and not begun: another process has the folder
    other = folder_of(tmp_path)
    other.begin()
    other.add([row(other, 0)])
    other.flush()
    assert early.begin()["run"].tolist() == [0]
    early.add([row(early, 1)])
    early.flush()
    assert read_runs(tmp_path, early.campaign)["run"].tolist() == [0, 1]


def test_a_kill_before_the_plan_is_whole_does_not_close_the_folder(tmp_path):
    folder = folder_of(tmp_path)
    (tmp_path / ".plan.parquet.new").write_bytes(b"PAR1")
    folder.begin()
    (tmp_path / "campaign.toml").unlink()  # the plan comes first, the file after it
    assert len(folder_of(tmp_path).begin()["run"]) == 0 and (tmp_path / "campaign.toml").is_file()


def test_a_file_that_cannot_be_replaced_stays(tmp_path, monkeypatch):
    folder = folder_of(tmp_path)
    folder.begin()
    before = (tmp_path / "campaign.toml").read_text()

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pelagos.campaign.store.os.replace", full)
    with pytest.raises(CommandError, match=r"the summary cannot be written \(No space left on device\)"):
        folder.summarise({})
    with pytest.raises(CommandError, match="cannot be written"):
        folder_of(tmp_path, runs=20).begin()
    assert (tmp_path / "campaign.toml").read_text() == before


def test_many_rows_do_not_wait_for_the_clock(tmp_path, monkeypatch):
    monkeypatch.setattr("pelagos.campaign.store.PART_ROWS", 3)
    monkeypatch.setattr("pelagos.campaign.store.PART_EVERY_S", 1e6)
    monkeypatch.setattr("pelagos.campaign.store.PART_AT_LEAST_EVERY_S", 1e6)
    folder = folder_of(tmp_path)
    folder.begin()
    folder.add([row(folder, 0), row(folder, 1)])
    assert parts(tmp_path) == []
    folder.add([row(folder, 2)])
    assert len(parts(tmp_path)) == 1 and read_runs(tmp_path, folder.campaign)["run"].tolist() == [0, 1, 2]
