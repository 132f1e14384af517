"""Faults that come in under way: they do what those of a scenario do, can be cleared, and have an end."""

import numpy as np
import pytest

from pelagos.errors import CommandError
from pelagos.messages import Actuation
from pelagos.sensors.depth import Depth
from pelagos.sim.faults.kinds import (
    CurrentGust,
    Leak,
    SensorBias,
    SensorLoss,
    TetherCut,
    ThrusterLost,
    ThrusterStuck,
    ThrusterWeak,
)
from pelagos.sim.simulation import Simulation
from tests.sim.faulted import CALM, rov


def live(**how):
    sim = Simulation("bluerov2_heavy", CALM, **how)
    sim.place(depth_m=20.0)
    sim.expect_faults()
    return sim


def test_the_columns_are_there_before_any_fault_and_stay():
    sim = live()
    columns = sim.columns()
    assert columns[-2:] == ("faults_acting", "flooded_kg")
    sim.run(0.5)
    names = [t.name for t in sim.vehicle.thrusters]
    sim.inject(ThrusterWeak(thruster=names[0], share=0.5, at_s=sim.time_s))
    sim.inject(ThrusterLost(thruster=names[1], at_s=sim.time_s + 1.0, seconds_s=1.0))
    assert sim.columns() == columns
    log = sim.run(3.0)
    acting = dict(zip(np.round(log.time_s, 6).tolist(), log["faults_acting"].tolist(), strict=True))
    assert [acting[t] for t in (0.5, 0.6, 1.5, 1.6, 2.5, 2.6)] == [0.0, 1.0, 1.0, 2.0, 2.0, 1.0]


def test_a_fault_at_once_does_what_the_same_fault_of_a_scenario_does():
    """Bit for bit: injected at 1 s, or known from the start with at_s = 1."""
    name = Simulation("bluerov2_heavy").vehicle.thrusters[0].name
    gust = CurrentGust(speed_m_s=0.6, to_deg=30.0, rise_s=1.0, at_s=1.0)
    planned = rov(ThrusterLost(thruster=name, at_s=1.0), gust)
    injected = live()
    for sim in (planned, injected):
        sim.thrust(np.full(8, 0.3 * sim.vehicle.thrusters[0].maximum))
        for _ in range(10):
            sim.tick()
    injected.inject(ThrusterLost(thruster=name, at_s=injected.time_s))
    injected.inject(gust)
    for sim in (planned, injected):
        for _ in range(20):
            sim.tick()
    assert planned.plant.position_n.tolist() == injected.plant.position_n.tolist()
    assert planned.plant.nu.tolist() == injected.plant.nu.tolist()
    assert [event.text for event in injected.events] == [event.text for event in planned.events]


def test_a_late_gust_carries_the_vehicle_and_dies_down_when_it_is_cleared():
    """A cosine ramp of 2 s up, as long down from where it is; the water is as it was after that."""
    sim = live()
    sim.run(3.0)
    sim.inject(CurrentGust(speed_m_s=0.8, to_deg=90.0, rise_s=2.0, at_s=sim.time_s))
    log = sim.run(1.0)
    assert log["current_east_m_s"][-1] == pytest.approx(0.4, abs=1e-9)  # half of it, half way up
    sim.clear_faults()
    log = sim.run(3.0)
    east = log["current_east_m_s"]
    expected = 0.8 * (0.5 - 0.5 * np.cos(np.pi * np.clip(1.0 - (log.time_s - log.time_s[0]), 0.0, 1.0) / 2.0))
    np.testing.assert_allclose(east, expected, atol=1e-9)
    assert log["faults_acting"][-1] == 0.0 and log["east_m"][-1] > 0.05  # it was carried along


def test_clearing_stops_a_leak_and_keeps_its_water():
    sim = live()
    sim.inject(Leak(rate_kg_s=0.1, at_s=0.0))
    sim.run(2.0)
    sim.clear_faults()
    log = sim.run(2.0)
    assert log["flooded_kg"][-1] == pytest.approx(0.2, abs=1e-9) == log["flooded_kg"][2]
    assert log["faults_acting"][-1] == 0.0
    sim.inject(Leak(rate_kg_s=0.1, at_s=sim.time_s))
    assert sim.run(1.0)["flooded_kg"][-1] == pytest.approx(0.3, abs=0.011)  # one more interval of 0.01 kg or not


def test_clearing_frees_what_was_stuck_and_forgets_what_has_not_begun():
    sim = live()
    whole = sim.plant.packed.model.copy()
    name = sim.vehicle.thrusters[0].name
    sim.inject(ThrusterLost(thruster=name, at_s=0.0))
    sim.inject(ThrusterStuck(thruster=name, at_s=0.0))
    sim.inject(ThrusterWeak(thruster=name, at_s=5.0))
    sim.tick()
    command = Actuation(np.ones(8), np.zeros(0))
    assert sim.faults.applied(command).thrusters[0] == 0.0 and not np.array_equal(sim.plant.packed.model, whole)
    sim.clear_faults()
    for _ in range(60):
        sim.tick()
    assert sim.faults.applied(command).thrusters[0] == 1.0 and np.array_equal(sim.plant.packed.model, whole)
    assert [event.kind for event in sim.events] == ["fault", "fault", "fault_over", "fault_over"]


def test_a_cut_tether_stays_cut():
    sim = live(tether=True)
    sim.run(0.2)
    sim.inject(TetherCut(at_s=sim.time_s))
    sim.run(0.2)
    sim.clear_faults()
    log = sim.run(0.5)
    assert log["faults_acting"][-1] == 1.0 and log["tether_tension_N"][-1] == 0.0


def test_what_is_over_is_forgotten_and_its_water_stays():
    """A hundred leaks of 0.1 s, one after the other: none costs time any more, all have left their 1 g."""
    sim = live()
    for k in range(100):
        sim.inject(Leak(rate_kg_s=0.01, at_s=sim.time_s, seconds_s=0.1))
        assert len(sim.faults.faults) <= 2, k
        sim.tick()
        sim.tick()
    assert sim.faults.flooded_kg == pytest.approx(0.1, abs=1e-9)
    assert [event.kind for event in sim.events] == ["fault", "fault_over"] * 100


def test_there_is_an_end_to_what_may_go_wrong_at_once():
    sim = live()
    names = [t.name for t in sim.vehicle.thrusters]
    for k in range(64):
        sim.inject(ThrusterWeak(thruster=names[k % 8], share=0.99, at_s=0.0))
    with pytest.raises(
        CommandError, match="too many faults are active or waiting; expected at most 64; clear some first"
    ):
        sim.inject(ThrusterWeak(thruster=names[0], at_s=0.0))
    sim.tick()
    assert sim.faults.values()[0] == 64.0
    sim.clear_faults()
    sim.tick()
    sim.inject(ThrusterWeak(thruster=names[0], at_s=0.0))
    assert len(sim.faults.faults) == 1


def test_faults_of_one_instrument_keep_apart_when_others_are_over():
    """Three biases, the middle one over: a fourth one is none of those left, and its end heals only itself."""
    sim = live(sensors=[Depth(rate_hz=10.0, name="depth")])
    for bias, seconds in ((1.0, 9.0), (2.0, 0.2), (4.0, 9.0)):
        sim.inject(SensorBias(sensor="depth", bias=bias, at_s=sim.time_s, seconds_s=seconds))
    sim.run(0.5)
    sim.inject(SensorBias(sensor="depth", bias=8.0, at_s=sim.time_s, seconds_s=1.0))
    log = sim.run(2.0)
    off = log["depth_depth_m"] - log["depth_m"]
    assert off[5] == pytest.approx(13.0, abs=1e-9) and off[-1] == pytest.approx(5.0, abs=1e-9)


def test_a_tether_is_cut_once():
    sim = live(tether=True)
    sim.inject(TetherCut(at_s=0.0))
    sim.tick()
    with pytest.raises(CommandError, match="the tether is cut already"):
        sim.inject(TetherCut(at_s=sim.time_s))


def test_instruments_fall_silent_and_speak_again():
    sim = live(sensors=[Depth(rate_hz=10.0, name="depth")])
    sim.run(0.5)
    sim.inject(SensorBias(sensor="depth", bias=3.0, at_s=sim.time_s))
    biased, columns = sim.run(1.0), [name for name in sim.columns() if name.startswith("depth_") and name != "depth_m"]
    sim.clear_faults()
    healed = sim.run(1.0)
    off = [np.nanmedian((log[columns[0]] - log["depth_m"])[2:]) for log in (biased, healed)]
    assert off[0] - off[1] == pytest.approx(3.0, abs=0.1)  # noise of some centimetres


def test_injected_faults_are_saved_and_end_with_a_reset():
    sim = live()
    sim.inject(Leak(rate_kg_s=0.05, at_s=0.0))
    sim.run(1.0)
    saved = sim.save()

    def rest():
        sim.inject(ThrusterWeak(thruster=sim.vehicle.thrusters[2].name, at_s=sim.time_s))
        sim.thrust(np.full(8, 0.2))
        sim.run(1.0)
        sim.clear_faults()
        sim.run(1.0)
        return [*sim.plant.position_n.tolist(), *sim.plant.nu.tolist(), sim.faults.flooded_kg]

    expected = rest()
    sim.restore(saved)
    assert rest() == expected
    sim.reset()
    assert sim.faults is None and "faults_acting" not in sim.columns()


def test_what_cannot_be_injected_gets_a_sentence():
    sim = live()
    with pytest.raises(CommandError, match="sensor_loss needs instruments, and the vehicle has none"):
        sim.inject(SensorLoss(sensor="depth", at_s=0.0))
    with pytest.raises(CommandError, match="expected a tether to cut"):
        sim.inject(TetherCut(at_s=0.0))
    name = sim.vehicle.thrusters[0].name
    with pytest.raises(CommandError, match=f"thruster.*did you mean .{name}"):
        sim.inject(ThrusterLost(thruster=name + "x", at_s=0.0))
    with pytest.raises(CommandError, match="the fault is 'leak'; expected one of the kinds"):
        sim.inject("leak")
    assert sim.faults.faults == ()
    planned = rov(Leak(rate_kg_s=0.1, at_s=1.0))
    with pytest.raises(CommandError, match="the faults of this run are those of its scenario"):
        planned.inject(Leak(rate_kg_s=0.1, at_s=1.0))
    planned.expect_faults()  # those of the scenario stay, and more may come
    planned.inject(Leak(rate_kg_s=0.1, at_s=1.0))
    assert len(planned.faults.faults) == 2 and planned.columns()[-2:] == ("faults_acting", "flooded_kg")
