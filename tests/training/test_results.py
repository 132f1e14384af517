"""Results: the score, JSON there and back, the files of the pilots after a crash, and comparison of attempts."""

import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pelagos.errors import CommandError
from pelagos.training.conditions import THESIS, Conditions
from pelagos.training.results import (
    Criterion,
    Result,
    ResultStore,
    comparable,
    compare,
    data_folder,
    history,
    safe_name,
    score,
    trend,
)


def measures(**more):
    return {"progress": 1.0, "collisions": 0.0, "time_s": 60.0, **more}


def make_result(**more):
    fields = {
        "task": "hover", "title": "Hover", "vehicle": "seagrant1", "world": "royer_field", "seed": 3, "pilot": "Ann",
        "date": "2026-08-01T10:00:00", "conditions": Conditions(current_m_s=0.5), "ended": "completed", "score": 71.25,
        "shares": {"distance_rms_m": 0.5}, "measures": measures(distance_rms_m=0.7, x=math.nan),
        "curve": {"time_s": [0.2, 0.4], "distance_m": [1.0, math.nan]},
    }  # fmt: skip
    return Result(**(fields | more))


def test_half_the_marks_at_half():
    criterion = Criterion(measure="distance_rms_m", half=0.7)
    assert criterion.share({"distance_rms_m": 0.0}) == 1.0
    assert criterion.share({"distance_rms_m": 0.7}) == 0.5
    assert criterion.share({"distance_rms_m": 1.4}) == pytest.approx(0.2)  # 1 / (1 + 2^2)
    assert criterion.share({"distance_rms_m": math.nan}) == 0.0
    assert criterion.share({}) == 0.0


def test_the_score_weighs_its_criteria_and_takes_off_collisions():
    criteria = [Criterion(measure="a", half=1.0, weight=30.0), Criterion(measure="b", half=2.0, weight=10.0)]
    # a at its half: 0.5; b at twice its half: 0.2 -> (30 x 0.5 + 10 x 0.2) / 40 = 0.425
    assert score(measures(a=1.0, b=4.0), criteria, 10.0) == pytest.approx(42.5)
    assert score(measures(a=1.0, b=4.0, progress=0.5), criteria, 10.0) == pytest.approx(21.25)
    assert score(measures(a=1.0, b=4.0, collisions=2.0), criteria, 10.0) == pytest.approx(22.5)
    assert score(measures(a=1.0, b=4.0, collisions=9.0), criteria, 10.0) == 0.0
    assert score(measures(), [], 10.0) == 100.0


def test_json_there_and_back():
    result = make_result()
    text = json.dumps(result.described(), allow_nan=False)
    back = Result.of(json.loads(text))
    assert back.described() == result.described()
    assert back.conditions == result.conditions and back.score == result.score
    assert math.isnan(back.measures["x"]) and math.isnan(back.curve["distance_m"][1])
    assert back.completed and back.time_s == 60.0 and back.collisions == 0


@pytest.mark.parametrize(
    "change",
    [
        {"ended": "gave up"}, {"version": 2}, {"measures": None}, {"conditions": {"current": 1}}, {"seed": "one"},
        {"curve": {"time_s": ["x"]}},
    ],
)  # fmt: skip
def test_what_is_no_result_is_refused(change):
    with pytest.raises(CommandError) as caught:
        Result.of(make_result().described() | change)
    assert "\n" not in str(caught.value)


def test_a_criterion_needs_a_size():
    with pytest.raises(CommandError, match="half"):
        Criterion(measure="a", half=0.0)


@pytest.mark.parametrize(
    ("environment", "platform", "folder"),
    [
        ({"PELAGOS_DATA_DIR": "/data/p", "HOME": "/home/ann"}, "linux", "/data/p"),
        ({"HOME": "/home/ann"}, "linux", "/home/ann/.local/share/pelagos"),
        ({"HOME": "/home/ann", "XDG_DATA_HOME": "/xdg"}, "linux", "/xdg/pelagos"),
        ({"HOME": "/home/ann", "XDG_DATA_HOME": "relative"}, "linux", "/home/ann/.local/share/pelagos"),
        ({"HOME": "/Users/ann"}, "darwin", "/Users/ann/Library/Application Support/pelagos"),
        ({"HOME": "/c/ann", "LOCALAPPDATA": "/c/ann/Local"}, "win32", "/c/ann/Local/pelagos"),
    ],
)
def test_the_folder_is_where_the_system_keeps_data(environment, platform, folder):
    # XDG base directory specification: a relative path is to be ignored
    assert data_folder(environment, platform) == Path(folder)


def test_names_become_files_and_different_names_different_files(tmp_path):
    names = [
        "Ann",
        "ann",
        "ANN",
        "Ann B.",
        "../../etc/passwd",
        "a/b",
        "a\\b",
        "",
        "...",
        "con",
        "Zoë",
        "Zoe",
        "名",
        "x" * 300,
    ]
    files = [safe_name(name) for name in names]
    assert len(set(files)) == len(names)
    for name in files:
        assert name.strip("abcdefghijklmnopqrstuvwxyz0123456789-") == "" and len(name) < 100
        assert (tmp_path / f"{name}.jsonl").resolve().parent == tmp_path.resolve()
    assert safe_name("con") != "con"  # a device on Windows
    assert safe_name(" Ann  B. ") == safe_name("Ann B.")


def test_what_is_kept_is_read_back_in_order(tmp_path):
    store = ResultStore(tmp_path / "new" / "folder")
    assert store.read("Ann").results == () and store.pilots() == []
    for points in (10.0, 30.0, 20.0):
        store.keep(make_result(score=points))
    store.keep(make_result(pilot="Bob", score=5.0))
    record = store.read("Ann")
    assert [result.score for result in record.results] == [10.0, 30.0, 20.0] and record.broken == 0
    assert store.pilots() == ["Ann", "Bob"]


def test_a_line_cut_off_by_a_crash_costs_that_line_alone(tmp_path):
    store = ResultStore(tmp_path)
    for points in (10.0, 20.0):
        path = store.keep(make_result(score=points))
    whole = path.read_bytes()
    path.write_bytes(whole[:-40])
    assert [result.score for result in store.read("Ann").results] == [10.0]
    store.keep(make_result(score=30.0))
    record = store.read("Ann")
    assert [result.score for result in record.results] == [10.0, 30.0] and record.broken == 1


def test_lines_of_something_else_are_counted(tmp_path):
    store = ResultStore(tmp_path)
    path = store.keep(make_result())
    with path.open("ab") as file:
        file.write(b'{"task": 3}\n[1, 2]\n\xff\xfe\n\nnull\n' + b"[" * 100_000 + b"\n")
    record = store.read("Ann")
    assert len(record.results) == 1 and record.broken == 5  # an empty line is nothing lost


@pytest.mark.slow
def test_two_programs_may_write_at_once(tmp_path):
    code = (
        "import sys\nfrom pelagos.training.results import ResultStore\n"
        "from tests.training.test_results import make_result\n"
        "for k in range(40): ResultStore(sys.argv[1]).keep(make_result(score=float(k), curve={'time_s': [0.0] * 2000}))"
    )
    root = Path(__file__).parents[2]
    writers = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], cwd=root) for _ in range(2)]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    record = ResultStore(tmp_path).read("Ann")
    assert record.broken == 0
    assert sorted(result.score for result in record.results) == sorted([float(k) for k in range(40)] * 2)


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(CommandError, match="cannot be kept") as caught:
        ResultStore(tmp_path / "file").keep(make_result())
    assert "\n" not in str(caught.value)


def test_a_line_is_plain_json(tmp_path):
    path = ResultStore(tmp_path).keep(make_result(pilot="Zoë"))
    (line,) = path.read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["pilot"] == "Zoë"


def test_without_a_home_there_is_a_sentence(monkeypatch):
    def homeless():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    with pytest.raises(CommandError, match="there is no home directory to keep results in; set PELAGOS_DATA_DIR"):
        data_folder({}, "linux")
    assert data_folder({"PELAGOS_DATA_DIR": "~nobody-of-this-name/x"}, "linux").name == "x"


def test_the_trend_is_the_slope_of_a_line_and_a_bad_day_does_not_move_it():
    scores = [20.0 + 3.0 * k for k in range(9)]
    assert trend(scores) == pytest.approx(3.0)
    scores[7] = 0.0
    assert trend(scores) == pytest.approx(3.0)
    assert trend([50.0]) is None and trend([]) is None


def test_the_trend_agrees_with_theil_and_sen():
    from scipy.stats import theilslopes

    rng = np.random.default_rng(1)
    for _ in range(5):
        scores = rng.uniform(0.0, 100.0, 12)
        assert trend(scores.tolist()) == pytest.approx(theilslopes(scores)[0])


def attempts():
    hard = THESIS["cable"]
    return [
        make_result(score=30.0, measures=measures(time_s=100.0)),
        make_result(score=10.0, conditions=hard),
        make_result(score=50.0, measures=measures(time_s=80.0)),
        make_result(score=90.0, ended="time limit", measures=measures(time_s=10.0)),
        make_result(score=99.0, vehicle="bluerov2_heavy"),
    ]


def test_only_comparable_attempts_are_compared():
    easy, hard, other = compare(attempts())
    assert (easy.attempts, easy.completed, easy.median, easy.best, easy.latest) == (3, 2, 50.0, 90.0, 90.0)
    assert easy.least_time_s == 80.0  # of those completed
    assert easy.trend == pytest.approx(30.0)  # slopes 20, 30, 40
    assert hard.conditions == THESIS["cable"] and hard.trend is None
    assert other.vehicle == "bluerov2_heavy"


def test_the_history_of_an_attempt_can_be_sent():
    every = attempts()
    table = json.loads(json.dumps(history(every, every[2]), allow_nan=False))
    assert [attempt["score"] for attempt in table["attempts"]] == [30.0, 50.0, 90.0]
    assert table["progress"]["best"] == 90.0
    assert comparable(every, every[1]) == [every[1]]
    assert history([], every[0])["progress"] is None
