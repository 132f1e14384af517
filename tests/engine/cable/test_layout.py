"""Records of a tether: sizes, and status bits that do not overlap."""

from __future__ import annotations

import numpy as np

from pelagos.engine.cable import layout as rec

BITS = (
    rec.SLACK, rec.UNLOADED, rec.TAUT, rec.OVERLOAD, rec.PARTED, rec.UNREACHABLE, rec.UNDER_RESOLVED,
    rec.MULTI_BRANCH, rec.NOT_CONVERGED, rec.AGROUND, rec.SNAGGED,
)  # fmt: skip


def test_every_status_is_a_bit_of_its_own():
    assert sorted(BITS) == [1 << k for k in range(len(BITS))]


def test_there_is_a_node_more_than_elements():
    assert rec.chain_size(10) == rec.CHAIN.size + 11 * rec.NODE.size
    state = np.zeros(rec.chain_size(10))
    assert state[rec.N_CHAIN :].view(rec.NODE.dtype).shape == (11,)


def test_scratch_has_room_for_three_contacts_an_element():
    assert rec.scratch_size(10) >= 11 * rec.SCRATCH.size + 3 * 10 * rec.TOUCHING.size


def test_no_name_stands_twice():
    for layout in (rec.LINE, rec.CHAIN, rec.NODE, rec.SCRATCH, rec.TOUCHING):
        names = [field.name for field in layout.fields]
        assert len(names) == len(set(names))
        assert all(field.meaning for field in layout.fields)
