"""Campaigns that take milliseconds: a BlueROV pushed ahead by its sticks for a second."""

from __future__ import annotations

import numpy as np

from pelagos.campaign.read import campaign_from

PUSH = {
    "vehicle": "bluerov2_heavy",
    "duration_s": 1.0,
    "world": {"depth_m": 30.0},
    "start": {"depth_m": 5.0},
    "control": {"kind": "pilot", "sticks": {"surge": 0.5}},
}
SURGE = {"key": "control.sticks.surge", "low": -1.0, "high": 1.0}
CURRENT = {"key": "world.current_m_s", "low": 0.0, "high": 0.5}
NORTH = {"name": "north_m", "column": "north_m", "take": "final"}
SLOW = {"name": "slow", "column": "abs(surge_m_s) < 0.1", "take": "all"}


def tables(**given):
    """The tables of a campaign file."""
    base = {
        "name": "tiny", "scenario": PUSH, "runs": 8, "seed": 3, "method": "random", "engine": "single",
        "vary": [SURGE, CURRENT], "metric": [NORTH, SLOW],
    }  # fmt: skip
    return {key: item for key, item in {**base, **given}.items() if item is not None}


def tiny(folder=".", **given):
    """A campaign; keywords are keys of its file, None leaves one out."""
    return campaign_from(tables(**given), "tiny.toml", folder)


def same(table, other, but=("wall_s",)):
    """Whether two tables of results are equal to the last bit, except for wall times."""
    assert list(table) == list(other)
    for name in table:
        if name not in but:
            np.testing.assert_array_equal(table[name], other[name], err_msg=name)
