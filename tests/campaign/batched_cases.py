"""Scenarios small enough to be run alone and in a batch, and how the two logs are compared."""

import numpy as np

from pelagos.scenario.read import scenario_from

KNOWN = {}  # vehicles and worlds, read once
# Kernel lanes and the scalar kernel sum in another order (1e-15); a minute of closed loops and of the sea leaves 1e-12
# of that at worst. 1e-9 of the size of a column is what is promised. Below 1e-3 of its unit a column is rounding alone.
SAME, NOTHING = 1e-9, 1e-3
# With thrusters at their limits: the allocation weighs thrusts that cancel each other by 1e-8; rounding grows
SATURATED = 1e-5

LINE = {
    "name": "line", "vehicle": "remus100", "duration_s": 60.0,
    "world": {"depth_m": 25.0, "current_m_s": 0.2, "current_to_deg": 90.0},
    "start": {"east_m": -5.0, "depth_m": 5.0, "surge_m_s": 1.2},
    "control": {"kind": "autopilot", "depth_m": 7.0, "heading_deg": 0.0, "speed_m_s": 1.5},
    "mission": [{"kind": "trackline", "from_m": [0.0, 0.0], "to_m": [400.0, 0.0], "depth_m": 7.0, "speed_m_s": 1.5}],
}  # fmt: skip
SURVEY = {
    **LINE, "name": "survey", "log_rate_hz": 2.0,
    "mission": [{"kind": "lawnmower", "corner_m": [8.0, 0.0], "length_m": 20.0, "width_m": 30.0, "spacing_m": 15.0}],
}  # fmt: skip
HOVER = {
    "name": "hover", "vehicle": "bluerov2_heavy", "duration_s": 60.0, "start": {"depth_m": 3.0},
    "world": {
        "depth_m": 20.0, "current_m_s": 0.15, "current_to_deg": 30.0, "waves": {"height_m": 0.4, "period_s": 6.0},
    },
    "control": {"kind": "autopilot", "depth_m": 4.0, "heading_deg": 40.0, "north_m": 2.0, "east_m": -1.0},
}  # fmt: skip
ORDERS = {
    "name": "orders", "vehicle": "remus100", "duration_s": 60.0, "world": {"depth_m": 80.0},
    "start": {"depth_m": 10.0, "surge_m_s": 1.0},
    "control": {"kind": "direct", "thrust": {"propeller_rpm": 900.0}, "deflect": {"rudder_deg": 4.0}},
}  # fmt: skip
SINK = {
    "name": "sink", "vehicle": "bluerov2_heavy", "duration_s": 8.0, "world": {"depth_m": 6.0},
    "start": {"depth_m": 4.8},
    "control": {"kind": "autopilot", "depth_m": 5.9},
}  # fmt: skip


def case(tables, **changes):
    """A scenario; keywords are dotted keys with __ for the dot."""
    keys = {key.replace("__", "."): value for key, value in changes.items()}
    return scenario_from(tables, f"{tables['name']}.toml", changes=keys, known=KNOWN)


def difference(log, other):
    """The largest difference of two logs over the size of the column, and the column."""
    assert list(log.columns) == list(other.columns)
    sizes = []
    for name, x in log.columns.items():
        y = other[name]
        assert x.shape == y.shape, name
        assert (np.isnan(x) == np.isnan(y)).all(), name
        size = max(float(np.nanmax(np.abs(x), initial=0.0)), NOTHING)
        sizes.append((float(np.nanmax(np.abs(x - y), initial=0.0)) / size, name))
    return max(sizes)


def bits(log):
    """Everything in a log, to be compared exactly."""
    return {name: column.tobytes() for name, column in log.columns.items()}
