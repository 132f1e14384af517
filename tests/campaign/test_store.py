"""Tables to Parquet and back."""

import numpy as np
import pytest

from pelagos.campaign.store import read_tables, write_table
from pelagos.errors import CommandError

TABLE = {
    "run": np.array([1, 2**53]),
    "value": np.array([0.1, np.nan]),
    "word": np.array(["a", "böje"]),
    "yes": np.array([True, False]),
}


def test_they_come_back_to_the_last_bit(tmp_path):
    write_table(tmp_path / "a.parquet", TABLE, {"said": b"so"})
    write_table(tmp_path / "b.parquet", TABLE)
    back, said = read_tables([tmp_path / "a.parquet", tmp_path / "b.parquet"])
    assert said == {"said": b"so"}
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
    with pytest.raises(CommandError, match=r"d.parquet: has other columns than c.parquet"):
        read_tables([tmp_path / "c.parquet", tmp_path / "d.parquet"])
