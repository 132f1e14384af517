"""The records of the kernel: places of factors do not overlap, quantities have a unit, a record is one row."""

import numpy as np
import pytest

from pelagos.engine.core import layout as lay

LAYOUTS = [lay.MODEL, lay.STRUCTURE, lay.WATER, lay.COMMAND, lay.STATE, lay.WORK]


def test_places_of_factors_follow_each_other_without_overlap():
    starts = [lay.FACTOR_ONE, lay.FACTOR_VELOCITY, lay.FACTOR_SPEED, lay.FACTOR_SURFACE, lay.FACTOR_RACE,
              lay.FACTOR_PHI, lay.FACTOR_THETA, lay.FACTOR_FADE, lay.FACTOR_PRODUCT, lay.N_FACTORS]  # fmt: skip
    assert np.diff(starts).tolist() == [1, 6, 6, lay.MAX_SURFACES, 1, 1, 1, 1, lay.MAX_PRODUCTS]
    assert lay.WORK.record()["factors"].size == lay.N_FACTORS


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_names_are_unique_and_quantities_say_what_they_are(layout):
    names = [field.name for field in layout.fields]
    assert len(names) == len(set(names))
    if layout is not lay.STRUCTURE:  # counts and switches, whose names say it
        assert [field.name for field in layout.fields if not (field.meaning or field.of)] == []


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_a_record_is_a_view_of_one_row_of_zeros(layout):
    record = layout.record()
    row = layout.flat(record)
    assert row.ndim == 1 and not row.any()
    first = layout.fields[0].name
    if not isinstance(record[first], np.void) and record[first].dtype.names is None:
        record[first] = 1
        assert row.any()  # what is written by name stands in the row


def test_the_library_fits():
    from pelagos.files.library import VEHICLES
    from pelagos.vehicle.load.vehicle import load_vehicle

    fleet = [load_vehicle(key) for key in VEHICLES.names()]
    assert max(len(v.thrusters) for v in fleet) <= lay.MAX_THRUSTERS
    assert max(len(v.coefficients) for v in fleet) <= lay.MAX_COEFFICIENTS
