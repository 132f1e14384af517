"""Numbers in SI become observations."""

import numpy as np

from pelagos.learn.observation import Field, Fields


def test_numbers_are_divided_and_held():
    fields = Fields((Field("a_m", "m", 2.0, "one"), Field("b", "1", 1.0, "another", limit=1.0)))
    rows = np.array([[3.0, 0.5], [-40.0, 7.0]], np.float32)
    fields.scale(rows)
    assert rows.tolist() == [[1.5, 0.5], [-5.0, 1.0]]
    assert fields.names == ("a_m", "b") and fields.high.tolist() == [5.0, 1.0]
