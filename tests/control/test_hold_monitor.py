"""Setpoints that are not held are reported once a hold, whatever the cause, by one rule alone and in a batch."""

import numpy as np
import pytest

import pelagos
from pelagos.analysis.summary import summarise
from pelagos.campaign.vectorised.engine import run_batched
from pelagos.control.hold_monitor import BANDS, PATIENCE_S, WATCHED, HoldMonitor
from pelagos.messages import Setpoint
from tests.campaign.batched_cases import LINE, case

ROV = pelagos.load_vehicle("bluerov2_heavy")
REMUS = pelagos.load_vehicle("remus100")


PLACE = {
    "name": "place", "vehicle": "bluerov2_heavy", "duration_s": 60.0, "start": {"depth_m": 3.0},
    "world": {"depth_m": 20.0, "current_m_s": 2.0}, "control": {"kind": "autopilot", "north_m": 2.0, "east_m": 0.0},
}  # fmt: skip


def not_held(log, prefix=""):
    return [event.text for event in log.events if event.kind == "not_held" and event.text.startswith(prefix)]


def down(state, force):
    """A force straight down, in body axes."""
    roll, pitch = state.roll, state.pitch
    axes = -np.sin(pitch), np.sin(roll) * np.cos(pitch), np.cos(roll) * np.cos(pitch)
    return [*(force * np.array(axes)), 0.0, 0.0, 0.0]


def watched(monitor, paths, until_s, **setpoint):
    """Texts by vehicle; each path gives depth, altitude, heading (deg) and speed at a time, the rest is at zero."""
    reports = [[] for _ in paths]
    for t in range(1, until_s + 1):
        rows = np.array([path(float(t)) for path in paths])
        wish = vars(Setpoint(**{name: f(float(t)) if callable(f) else f for name, f in setpoint.items()}))
        held = np.tile([np.nan if x is None else x for x in wish.values()], (len(paths), 1))
        place = np.stack([0.0 * rows[:, 0], 0.0 * rows[:, 0], rows[:, 0]], axis=1)
        for i, text in monitor.update(float(t), held, place, np.radians(rows[:, 2]), rows[:, 3], rows[:, 1]):
            reports[i].append((t, text))
    return reports


PATHS = [
    lambda t: (10.0 + 0.1 * t, 5.0, 0.0, 1.0),  # sinks slowly
    lambda t: (10.0 + 1.5 * np.sin(0.2 * t), 5.0, 0.0, 1.0),  # swings about its depth
    lambda t: (max(10.0, 300.0 - 0.2 * t), np.nan, 0.0, 1.0),  # is on its way all the time, sees no bottom
    lambda t: (300.0, 5.0, 180.0, 0.2),  # goes nowhere
]


def test_each_vehicle_is_judged_as_it_is_alone():
    setpoint = {"depth_m": 10.0, "heading_deg": 0.0, "speed_m_s": 1.0}
    many = watched(HoldMonitor(ROV, len(PATHS)), PATHS, 300, **setpoint)
    assert many == [watched(HoldMonitor(ROV), [path], 300, **setpoint)[0] for path in PATHS]
    sinking, swinging, coming, nowhere = many
    left_band_s = BANDS[WATCHED.index("depth_m")] / 0.1
    assert [t for t, _ in sinking] == [left_band_s + PATIENCE_S] and "depth 10 m is not held" in sinking[0][1]
    assert swinging == [] and coming == []
    assert [text.split()[0] for _, text in nowhere] == ["depth", "heading", "speed"]


def test_a_value_that_moves_on_begins_a_new_hold_and_a_small_change_does_not():
    away = [lambda t: (50.0, 5.0, 0.0, 1.0)]
    assert len(watched(HoldMonitor(ROV), away, 300, depth_m=lambda t: 10.0 + 0.0005 * t)[0]) == 1
    assert len(watched(HoldMonitor(ROV), away, 300, depth_m=lambda t: 10.0 if t < 150.0 else 20.0)[0]) == 2
    assert not watched(HoldMonitor(ROV), away, 300, depth_m=lambda t: 0.2 * t)[0]  # led on, as by a pilot's stick


@pytest.mark.slow
def test_a_lost_depth_is_reported_once_a_hold():
    sim = pelagos.Simulation(REMUS)
    sim.place(depth_m=20.0, surge_m_s=1.5)
    sim.command(depth_m=20.0, heading_deg=0.0, speed_m_s=1.5)
    assert not not_held(sim.run(60.0, forces=False))
    sim.external(lambda state: down(state, 60.0))  # water comes in
    log = sim.run(200.0, forces=False)
    assert log["depth_m"][-1] > 25.0
    assert len(not_held(log, "depth 20 m is not held: it is ")) == 1
    assert not_held(log, "depth")[0] in summarise(log)
    sim.command(depth_m=10.0)
    sim.run(100.0, forces=False)
    assert len(not_held(sim, "depth 20 m")) == len(not_held(sim, "depth 10 m")) == 1
    sim.command(depth_m=None)
    sim.run(100.0, forces=False)
    assert len(not_held(sim, "depth")) == 2


@pytest.mark.slow
def test_a_saved_hold_goes_on_where_it_was():
    sim = pelagos.Simulation(REMUS)
    sim.place(depth_m=20.0, surge_m_s=1.5)
    sim.command(depth_m=20.0, speed_m_s=1.5)
    sim.external(lambda state: down(state, 60.0))
    sim.run(40.0, forces=False)
    saved = sim.save()
    sim.run(60.0, forces=False)
    first = list(sim.events)
    sim.restore(saved)
    sim.run(60.0, forces=False)
    assert first == sim.events and len(not_held(sim, "depth")) == 1


@pytest.mark.slow
@pytest.mark.parametrize("tables, words", [(PLACE, "the place"), (LINE, "")])
def test_a_batch_reports_what_single_runs_report(tables, words):
    scenario = case(tables)
    alone, together = not_held(scenario.run()), not_held(run_batched([scenario, scenario])[1])
    assert alone == together
    assert [text[: len(words)] for text in alone] == ([words] if words else [])
