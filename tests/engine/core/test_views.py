"""Named access to flat rows, in compiled code and without the compiler."""

from __future__ import annotations

import numpy as np
import pytest

from pelagos.engine.compiled import entry
from pelagos.engine.core import layout as lay
from pelagos.engine.core.lanes import to_lanes
from pelagos.engine.core.views import LAYOUTS, Plain


@entry
def probe(model_row, work_row):
    """Reads a number, an array and an array of records; writes an array."""
    model, work = lay.as_model(model_row), lay.as_work(work_row)
    work.vector[0] = model.mass
    work.vector[1] = model.moment[2]
    work.vector[2] = model.thrusters[3].k_reverse
    work.vector[3] = model.thrusters[1].table[5].slope
    work.end.surface[2] = model.lift_drag.pitch_q


def filled() -> np.ndarray:
    record = lay.MODEL.record()
    record["mass"], record["moment"] = 3.5, [1.0, 2.0, -7.0]
    record["thrusters"]["k_reverse"][3] = 0.25
    record["thrusters"]["table"]["slope"][1, 5] = 11.0
    record["lift_drag"]["pitch_q"] = -4.0
    return lay.MODEL.flat(record).copy()


def test_compiled_views_read_and_write_by_name() -> None:
    work = np.zeros(lay.WORK.size)
    probe(filled(), work)
    record = work.view(lay.WORK.dtype)[0]
    assert list(record["vector"][:4]) == [3.5, -7.0, 0.25, 11.0]
    assert record["end"]["surface"][2] == -4.0


def test_lane_views_read_and_write_by_name() -> None:
    rows = np.stack([filled() * k for k in range(1, 9)])
    work = np.zeros((lay.WORK.size, 8))
    probe(to_lanes(rows)[0], work)
    at = lay.WORK.offset("vector")[0]
    np.testing.assert_array_equal(work[at + 2], 0.25 * np.arange(1, 9))


def test_plain_views_without_the_compiler() -> None:
    view = Plain(filled(), lay.MODEL)
    assert view.mass == 3.5 and view.moment[2] == -7.0 and view.thrusters[1].table[5].slope == 11.0
    view.mass = 4.0
    assert view.mass == 4.0
    with pytest.raises(AttributeError, match="Model has no field 'mas'"):
        _ = view.mas


@pytest.mark.parametrize("name", ["Model", "Structure", "State", "Water", "Command", "Work"])
def test_records_are_rows_without_gaps(name: str) -> None:
    """The NumPy record and the flat row are the same memory: no padding anywhere."""
    layout = LAYOUTS[name]
    assert layout.dtype.itemsize == 8 * layout.size


def test_every_field_says_what_it_is() -> None:
    counts = {"n_stations", "n_curve", "n_fins", "n_surfaces", "n_thrusters", "n_supplies", "n_ballast"}
    for layout in LAYOUTS.values():
        for field in layout.fields:
            assert field.meaning or field.name in counts, f"{layout.name}.{field.name}"
