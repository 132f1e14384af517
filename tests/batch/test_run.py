"""Columns of a batch have the names, units and numbers of the log of one vehicle."""

from __future__ import annotations

import numpy as np
import pytest

from pelagos.batch.run import Columns, known_columns
from pelagos.errors import CommandError
from pelagos.sim.simulation import Simulation
from pelagos.world.spec import World
from tests.batch.started import a_batch


def test_the_columns_are_those_of_a_simulation():
    """Every column a batch knows, against the log of one vehicle: 1e-9 of its size after 3 s."""
    batch = a_batch()
    names = tuple(known_columns(batch))
    found = batch.run(3.0, columns=names, log_rate_hz=2.0)
    sim = Simulation("remus100", World(depth_m=50.0, current_m_s=0.2))
    sim.place(depth_m=10.0, surge_m_s=1.5, heading_deg=350.0)
    sim.thrust([120.0])
    sim.deflect([0.05, 0.02])
    log = sim.run(3.0, log_rate_hz=2.0)
    np.testing.assert_allclose(found["time_s"], log["time_s"])
    for name in names:
        wanted = log[name]
        np.testing.assert_allclose(found[name][:, 9], wanted, rtol=1e-9, atol=1e-9, err_msg=name)
    assert len(names) > 25


def test_a_column_that_is_none_is_refused():
    batch = a_batch()
    with pytest.raises(CommandError, match=r'has no column .depht_m.* did you mean "depth_m"'):
        Columns(batch, ["depht_m"])
    for wrong, says in (
        (["depth_m", "depth_m"], "'depth_m' is asked for more than once"),
        (["time_s"], "'time_s' is always there"),
        ("depth_m", "columns is 'depth_m'; expected a list"),
        (None, "columns is None"),
        ([3], "no column 3"),
    ):
        with pytest.raises(CommandError, match=says):
            Columns(batch, wrong)
