"""A made-up survey with instruments, an estimate, goals and events, for tests of drawing only."""

import numpy as np

from pelagos.messages import Event
from pelagos.sim.log.log import Log
from tests.sim.synthetic import synthetic_log


def measured_log(seconds=60.0, rate_hz=10.0):
    log = synthetic_log(seconds, rate_hz)
    n, noise = len(log), np.random.default_rng(5)
    some = np.arange(n) % 5 == 0  # instruments at a fifth of the rate
    columns = dict(log.columns)
    columns["altitude_m"] = 12.0 + np.sin(0.1 * log.time_s) - columns["depth_m"]
    columns["below_surface_m"] = columns["depth_m"].copy()
    columns["depth_gauge_depth_m"] = np.where(some, columns["depth_m"] + 0.25, np.nan)
    columns["compass_heading_deg"] = np.where(some, np.mod(columns["heading_deg"] + 2.0, 360.0), np.nan)
    columns["dvl_velocity_x_m_s"] = np.where(some, columns["surge_m_s"] + 0.01 * noise.standard_normal(n), np.nan)
    columns["tacho_t1_V"] = columns["thruster_t1_V"] - 0.5
    for name in ("north_m", "east_m", "depth_m", "heading_deg"):
        columns[f"est_{name}"] = columns[name] + 0.1
        stem, _, unit = name.partition("_")
        columns[f"est_{stem}_sigma_{unit}"] = np.full(n, 0.2)
    columns["est_heading_deg"] = np.mod(columns["est_heading_deg"], 360.0)
    columns["nees"] = np.full(n, 9.0)
    columns["leg"] = np.floor(2.0 * np.arange(n) / n)
    columns["cross_track_m"] = columns["north_m"] - 1.0
    columns["goal_north_m"] = np.where(columns["leg"] > 0, 1.0, 2.0)
    columns["goal_east_m"] = np.where(columns["leg"] > 0, 15.0, 8.0)
    for k in range(1, 9):
        columns[f"cmd_thruster_t{k}_V"] = np.clip(columns[f"thruster_t{k}_V"] * 1.2, -4.0, 4.0)
    limits = {f"cmd_thruster_t{k}_V": [-4.0, 4.0] for k in range(1, 9)}
    happened = [
        Event(5.0, "leg", "leg 1 of 2"),
        Event(20.0, "fault", "thruster t3 lost"),
        Event(20.3, "event", "current gust"),
    ]
    return Log(columns, log.meta | {"actuator_limits": limits}, dict(log.forces), events=happened)


def sounded_log(beams=4, samples=50, spread_deg=10.0):
    """A level run 10 m over a level bottom and a sonar that sees it every second sample: range h / sin(angle down)."""
    t = np.arange(samples, dtype=float)
    down = np.radians(np.linspace(-0.5, 0.5, beams) * spread_deg + 30.0)  # tilted 30 deg down; the highest beam first
    columns = {
        "time_s": t,
        "north_m": 3.0 * t,
        "east_m": 4.0 * t,
        "depth_m": np.full(samples, 10.0),
        "altitude_m": np.full(samples, 10.0),
        "pitch_deg": np.zeros(samples),
        "pitch_rate_deg_s": np.zeros(samples),
    }
    heard = t % 2 == 0
    for k in range(beams):
        columns[f"nav_beam_{k:02d}_m"] = np.where(heard, 10.0 / np.sin(down[k]), np.nan)
    columns["nav_range_m"] = np.where(heard, 10.0 / np.sin(down[-1]), np.nan)
    columns["nav_ahead_m"] = np.where(heard, 10.0 / np.tan(down[-1]), np.nan)
    return Log(columns, {"vehicle": "gavia"})
