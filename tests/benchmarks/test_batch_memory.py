"""The memory benchmark logs every channel, prints its table and reads the memory of the process."""

import pytest

from benchmarks import batch_memory
from benchmarks.batch_memory import COLUMNS, MemoryProgress, main, peak_bytes, rss_bytes


def test_a_short_run_keeps_the_log_and_prints_its_figures(tmp_path, capsys):
    parquet = pytest.importorskip("pyarrow.parquet")
    main(["--vehicles", "4", "--seconds", "2", "--path", str(tmp_path / "many.parquet")])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines if line.split()[0].isdigit()] == ["1", "2"]
    assert "20 channels at 1 Hz" in lines[0] and "; 0 vehicles diverged" in lines[-2]
    assert "after the first tenth" in lines[-1]
    table = parquet.read_table(tmp_path / "many.parquet")
    assert set(COLUMNS) <= set(table.column_names) and table.num_rows == 4 * 3


def test_growth_counts_from_the_peak_of_the_first_tenth(monkeypatch, capsys):
    readings = iter([100.0, 300.0, 200.0, 450.0])
    monkeypatch.setattr(batch_memory, "rss_bytes", lambda: next(readings))
    progress = MemoryProgress(20.0)
    for done_s in (1.0, 2.0, 10.0, 20.0):
        progress(done_s)
    assert progress.growth_bytes() == 150.0


def test_the_memory_in_use_is_at_most_the_peak():
    assert 1e6 < rss_bytes() <= peak_bytes() * 1.01  # the kernel updates the two counters at different times


def test_a_mistake_on_the_command_line_is_one_sentence(tmp_path):
    with pytest.raises(SystemExit) as stop:
        main(["--vehicles", "0", "--path", str(tmp_path / "many.parquet")])
    assert isinstance(stop.value.code, str) and "0" in stop.value.code and "\n" not in stop.value.code
