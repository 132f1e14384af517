"""A made-up dive with every kind of column, for tests that need a log but no engine."""

import numpy as np

from pelagos.sim.log.log import Log

TERMS = ("rigid_body", "added_mass", "coefficients", "restoring", "thrusters")


def synthetic_log(seconds=60.0, rate_hz=10.0, seed=1):
    t = np.arange(0.0, seconds + 0.5 / rate_hz, 1.0 / rate_hz)
    n, noise = len(t), np.random.default_rng(seed)
    settle = 1.0 - np.exp(-t / 6.0)
    heading = np.mod(350.0 + 100.0 * (1.0 - np.exp(-t / 4.0) * np.cos(0.5 * t)), 360.0)
    columns = {
        "time_s": t,
        "north_m": 2.0 * np.sin(0.05 * t),
        "east_m": 0.3 * t * settle,
        "depth_m": 5.0 * (1.0 - np.exp(-t / 5.0) * np.cos(0.3 * t)),
        "roll_deg": 2.0 * np.exp(-t / 8.0) * np.sin(1.5 * t),
        "pitch_deg": 4.0 * np.exp(-t / 8.0) * np.sin(1.1 * t),
        "heading_deg": heading,
        "q0": np.ones(n),
        "q1": np.zeros(n),
        "q2": np.zeros(n),
        "q3": np.zeros(n),
        "surge_m_s": 0.3 * settle,
        "sway_m_s": 0.05 * np.sin(0.2 * t) * np.exp(-t / 20.0),
        "heave_m_s": np.exp(-t / 5.0) * np.sin(0.3 * t),
        "roll_rate_deg_s": np.zeros(n),
        "pitch_rate_deg_s": np.zeros(n),
        "yaw_rate_deg_s": np.gradient(np.unwrap(heading, period=360.0), t),
        "current_north_m_s": np.zeros(n),
        "current_east_m_s": np.full(n, 0.3),
        "current_down_m_s": np.zeros(n),
        **{f"thruster_t{k}_V": 8.0 * np.exp(-t / 6.0) * np.cos(0.4 * t + k) for k in range(1, 9)},
        "cmd_depth_m": np.full(n, 5.0),
        "cmd_heading_deg": np.full(n, 90.0),
    }
    forces = {term: np.zeros((n, 6)) for term in TERMS}
    for k in range(6):
        forces["thrusters"][:, k] = 20.0 * np.exp(-t / 6.0) * np.cos(0.4 * t + k) + 0.2 * noise.standard_normal(n)
        forces["coefficients"][:, k] = -15.0 * np.exp(-t / 7.0) * np.cos(0.4 * t + k - 0.4)
        forces["restoring"][:, k] = -2.0 if k == 2 else 0.0
        forces["rigid_body"][:, k] = 1.5 * np.exp(-t / 5.0) * np.sin(0.8 * t + k)
    meta = {"vehicle": "synthetic", "seed": seed, "integrator": "rk4", "step_s": 0.02, "current_m_s": 0.3}
    return Log(columns, meta, forces)


def same(a, b):
    """Equal to the last bit: the text holds the shortest form that reads back to the same float."""
    columns = all(np.array_equal(a[name], b[name], equal_nan=True) for name in a.names)
    return (
        a.names == b.names
        and a.forces.terms == b.forces.terms
        and a.meta == b.meta
        and columns
        and a.events == b.events
    )
