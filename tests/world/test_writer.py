"""The array of the world: fields written by name are where the header points."""

import numpy as np

from pelagos.engine.water.sea import SEA, WAVE
from pelagos.world.writer import SeaWriter


def test_tables_stand_behind_the_header_one_after_another():
    writer = SeaWriter()
    first = writer.append([[1.0, 2.0], [3.0, 4.0]])
    second = writer.append_records(WAVE, [{"amplitude": 5.0}, {"omega": 6.0, "phase": 7.0}])
    writer.header["waves_at"], writer.header["n_waves"] = second, 2
    sea = writer.finish()
    assert (first, second) == (SEA.size, SEA.size + 4) and sea.size == SEA.size + 4 + 2 * WAVE.size
    np.testing.assert_array_equal(sea[first : first + 4], [1.0, 2.0, 3.0, 4.0])
    waves = sea[second:].view(WAVE.dtype)
    assert waves["amplitude"].tolist() == [5.0, 0.0] and waves["phase"].tolist() == [0.0, 7.0]
    assert sea[: SEA.size].view(SEA.dtype)[0]["n_waves"] == 2


def test_what_was_finished_does_not_change_with_the_writer():
    writer = SeaWriter()
    sea = writer.finish()
    writer.header["depth"] = 9.0
    writer.append([1.0])
    assert not sea.any() and sea.size == SEA.size
