"""Faults: start, effect against closed forms, end, log columns and events; faults injected and cleared during a run."""

import math

import numpy as np
import pytest

import pelagos
from pelagos.errors import CommandError, ScenarioError
from pelagos.messages import Actuation
from pelagos.sensors.depth import Depth
from pelagos.sim.faults.effects import Faults
from pelagos.sim.faults.kinds import (
    CurrentGust,
    FinJammed,
    Leak,
    SensorBias,
    SensorFreeze,
    SensorLoss,
    TetherCut,
    ThrusterLost,
    ThrusterStuck,
    ThrusterWeak,
)
from pelagos.sim.simulation import Simulation
from tests.sim.faulted import CALM, rov


def test_a_lost_thruster_pushes_no_more_from_its_time_on():
    names = [t.name for t in Simulation("bluerov2_heavy").vehicle.thrusters]
    name = names[0]
    sim = rov(ThrusterLost(thruster=name, at_s=2.0))
    sim.thrust(np.full(len(names), 0.3 * sim.vehicle.thrusters[0].maximum))
    log = sim.run(4.0)
    on = log["fault_thruster_lost"]
    assert on[log.time_s <= 2.0].max() == 0.0 and on[log.time_s > 2.05].min() == 1.0
    whole = Simulation("bluerov2_heavy", CALM)
    whole.place(depth_m=20.0)
    whole.thrust(np.full(len(names), 0.3 * sim.vehicle.thrusters[0].maximum))
    other = whole.run(4.0)
    early = log.time_s <= 2.0
    assert log["north_m"][early].tolist() == other["north_m"][early].tolist()
    assert abs(log["heading_deg"][-1] - other["heading_deg"][-1]) > 1.0  # it turns now
    assert [event.text for event in log.events] == [f"thruster lost ({name}) begins"]


def test_a_stuck_thruster_keeps_the_command_it_had_until_it_passes():
    sim = rov()
    name = sim.vehicle.thrusters[1].name
    sim.faults = Faults([ThrusterStuck(thruster=name, at_s=0.0, seconds_s=1.0)], sim.vehicle)
    high = 0.5 * sim.vehicle.thrusters[1].maximum
    command = Actuation(np.full(8, high), np.zeros(0))
    sim.plant.command["actuators"]["thruster"][1] = 0.2 * high
    sim.faults.update(sim)
    assert sim.faults.applied(command).thrusters[1] == pytest.approx(0.2 * high)
    assert sim.faults.applied(command).thrusters[0] == high
    sim._ticks = 10
    sim.faults.update(sim)
    assert sim.faults.applied(command).thrusters[1] == high
    assert [event.kind for event in sim.events] == ["fault", "fault_over"]


def test_a_weak_thruster_recovers():
    sim = rov()
    name = sim.vehicle.thrusters[0].name
    sim.faults = Faults([ThrusterWeak(thruster=name, share=0.5, at_s=0.0, seconds_s=1.0)], sim.vehicle)
    whole = sim.plant.packed.model.copy()
    sim.tick()
    assert not np.array_equal(sim.plant.packed.model, whole)
    for _ in range(11):
        sim.tick()
    assert np.array_equal(sim.plant.packed.model, whole)


def test_two_faults_of_one_thruster_multiply_and_pass_one_by_one():
    sim = rov()
    name = sim.vehicle.thrusters[0].name
    faults = [
        ThrusterWeak(thruster=name, share=0.5, at_s=0.0, name="worn"),
        ThrusterWeak(thruster=name, share=0.4, at_s=1.0, seconds_s=1.0, name="fouled"),
    ]
    sim.faults = Faults(faults, sim.vehicle)
    pushes = []
    for _ in range(25):
        sim.tick()
        sim.plant.set_actuators(thrusters=np.full(8, 0.5 * sim.vehicle.thrusters[0].maximum), at_once=True)
        sim.plant.place(nu=np.zeros(6))
        sim.plant.evaluate()
        pushes.append(float(sim.plant.thrust_and_inflow()[0, 0]))
    whole = pushes[0] / 0.5
    assert [pushes[5] / whole, pushes[15] / whole, pushes[24] / whole] == pytest.approx([0.5, 0.2, 0.5], rel=1e-9)


def test_a_fin_jams_where_it_is_or_goes_to_an_angle():
    sim = Simulation("lauv", CALM)
    sim.place(depth_m=20.0, surge_m_s=1.0)
    first, second = (s.name for s in sim.vehicle.surfaces[:2])
    sim.deflect(**{f"{first}_deg": 10.0})
    sim.faults = Faults(
        [FinJammed(surface=first, at_s=3.0), FinJammed(surface=second, angle_deg=-5.0, at_s=0.0)], sim.vehicle
    )
    sim.run(3.0)
    sim.deflect(**{f"{first}_deg": -10.0, f"{second}_deg": 8.0})
    log = sim.run(3.0)
    assert log[f"surface_{first}_deg"][-1] == pytest.approx(10.0, abs=0.2)  # its servo had nearly arrived
    assert log[f"surface_{second}_deg"][-1] == pytest.approx(-5.0, abs=0.1)


def test_a_leak_weighs_what_has_come_in():
    """m = rate t up to the room; the steady sink force is m g, nose down where the water is ahead."""
    leak = Leak(rate_kg_s=0.02, room_kg=0.5, position_m=(0.2, 0.0, 0.0), at_s=1.0)
    sim = rov(leak)
    net = float(sim.plant.forces()["restoring"][2])
    log = sim.run(16.0)
    inside = np.clip(0.02 * (log.time_s - 0.1 - 1.0), 0.0, 0.5)  # brought up to date at the start of each interval
    assert log["flooded_kg"] == pytest.approx(inside, abs=0.0021)
    g = float(sim.plant.water["gravity"])
    sim.plant.place(nu=np.zeros(6), euler=(0.0, 0.0, 0.0))
    # 1 g of water steps: 0.01 N
    assert float(sim.plant.forces()["restoring"][2]) - net == pytest.approx(float(log["flooded_kg"][-1]) * g, abs=0.03)
    longer = sim.run(20.0)
    assert longer["flooded_kg"][-1] == pytest.approx(0.5, abs=1e-12)


def test_a_gust_rises_stays_and_falls_and_carries_the_vehicle():
    gust = CurrentGust(speed_m_s=0.5, to_deg=90.0, rise_s=4.0, at_s=2.0, seconds_s=20.0)
    sim = rov(gust, world=pelagos.World(depth_m=60.0, current_m_s=0.1, current_to_deg=0.0))
    log = sim.run(30.0)
    t, east = log.time_s, log["current_east_m_s"]
    assert east[t <= 2.0].max() == 0.0 and east[t > 22.1].max() == pytest.approx(0.0, abs=1e-12)
    middle = (t > 6.2) & (t < 17.8)
    assert east[middle] == pytest.approx(0.5, abs=1e-12)
    half = np.interp(4.0, t, east)
    assert half == pytest.approx(0.25, abs=0.03)  # half way up the cosine; the interval is 0.1 s
    assert log["current_north_m_s"] == pytest.approx(0.1, abs=1e-12)
    assert log["east_m"][-1] > 1.0


def test_a_cut_tether_pulls_no_more():
    sim = rov(TetherCut(at_s=2.0), world=pelagos.World(depth_m=60.0, current_m_s=0.4), tether=True)
    sim.command(depth_m=20.0)
    log = sim.run(5.0)
    before, after = log.time_s <= 2.0, log.time_s > 2.15
    assert log["tether_tension_N"][before].min() > 0.1
    assert log["tether_tension_N"][after].max() == 0.0
    assert np.abs(log.forces["tether"][after]).max() == 0.0
    assert np.isnan(log["tether_05_north_m"][-1])


def test_places_and_conditions_trigger_once():
    sim = rov(
        ThrusterLost(thruster=rov().vehicle.thrusters[0].name, when="depth_m > 21"),
        Leak(rate_kg_s=0.001, place_m=(100.0, 0.0), radius_m=1.0, name="far"),
    )
    sim.command(depth_m=23.0)
    log = sim.run(20.0)
    begun = log.time_s[np.argmax(log["fault_thruster_lost"] > 0.0)]
    assert np.interp(begun - 0.1, log.time_s, log["depth_m"]) == pytest.approx(21.0, abs=0.15)
    assert log["fault_far"].max() == 0.0 and len(log.events) == 1


def test_saved_faults_go_on_the_same():
    sim = rov(Leak(rate_kg_s=0.05, at_s=0.5))
    sim.run(2.0)
    saved = sim.save()
    first = sim.run(3.0)["depth_m"]
    sim.restore(saved)
    assert sim.run(3.0)["depth_m"].tolist() == first.tolist()
    sim.reset()
    assert sim.plant.packed is sim.undamaged and sim.faults is None


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: ThrusterLost(thruster="a"), "expected one of at_s, when, place_m; there is none"),
        (lambda: ThrusterLost(thruster="a", at_s=1.0, when="time_s > 3"), "at_s and when"),
        (lambda: ThrusterLost(thruster="a", at_s=-1.0), "at_s"),
        (lambda: ThrusterWeak(thruster="a", at_s=1.0, share=1.5), "share"),
        (lambda: Leak(rate_kg_s=-1.0, at_s=0.0), "rate_kg_s"),
        (lambda: CurrentGust(speed_m_s=math.nan, at_s=0.0), "speed_m_s"),
        (lambda: ThrusterLost(thruster="a", when="dpth_m > 3"), "dpth_m"),
        (lambda: ThrusterLost(thruster="a", at_s=0.0, seconds_s=0.0), "seconds_s"),
    ],
)
def test_faults_that_cannot_be(make, sentence):
    with pytest.raises(ScenarioError) as caught:
        make()
    assert sentence in str(caught.value)


def test_a_fault_of_something_that_is_not_there_names_the_nearest():
    vehicle = Simulation("lauv").vehicle
    with pytest.raises(ScenarioError, match="did you mean"):
        Faults([ThrusterLost(thruster=vehicle.thrusters[0].name + "x", at_s=0.0)], vehicle)
    with pytest.raises(ScenarioError, match="no \\[tether\\]"):
        Faults([TetherCut(at_s=0.0)], vehicle)


def test_a_leak_that_stops_leaves_its_water_once():
    """0.1 kg/s for 10 s is 1 kg, while it runs, at its end and long after; two leaks are the sum of both."""
    sim = rov(
        Leak(rate_kg_s=0.1, at_s=1.0, seconds_s=10.0),
        Leak(rate_kg_s=0.05, at_s=3.0, seconds_s=4.0, name="second"),
    )
    log = sim.run(20.0)
    t = log.time_s - 0.1  # brought up to date at the start of each interval
    inside = 0.1 * np.clip(t - 1.0, 0.0, 10.0) + 0.05 * np.clip(t - 3.0, 0.0, 4.0)
    assert log["flooded_kg"] == pytest.approx(inside, abs=1e-9)


def test_the_end_of_one_sensor_fault_leaves_the_other():
    """Noise-free depth at rest: +1 from 1 to 4 s, frozen from 2 to 6 s, silent from 3 to 5 s."""
    sim = Simulation("bluerov2_heavy", CALM, sensors=[Depth(rate_hz=10.0)])
    sim.place(depth_m=20.0)
    sim.faults = Faults(
        [
            SensorBias(sensor="depth", bias=1.0, at_s=1.0, seconds_s=3.0),
            SensorFreeze(sensor="depth", at_s=2.0, seconds_s=4.0),
            SensorLoss(sensor="depth", at_s=3.0, seconds_s=2.0),
        ],
        sim.vehicle,
        ("depth",),
    )
    log = sim.run(8.0)
    t, depth, off = log.time_s, log["depth_depth_m"], log["depth_depth_m"] - log["depth_m"]
    during = lambda a, b: (t > a + 0.05) & (t < b + 0.05)  # noqa: E731
    assert off[during(1.0, 2.0)] == pytest.approx(1.0, abs=1e-9)
    held = np.interp(2.0, t, depth)  # the last word before it froze, with its bias
    assert depth[during(2.0, 3.0)] == pytest.approx(held, abs=1e-12)
    assert np.isnan(depth[during(3.0, 5.0)]).all()
    assert depth[during(5.0, 6.0)] == pytest.approx(held, abs=1e-12)  # frozen still, though bias and loss are over
    assert off[during(6.0, 8.0)] == pytest.approx(0.0, abs=1e-9)


def test_a_fin_cannot_jam_beyond_its_limit():
    vehicle = Simulation("lauv").vehicle
    fin = vehicle.surfaces[0]
    limit = math.degrees(fin.limit_rad)
    Faults([FinJammed(surface=fin.name, angle_deg=-limit, at_s=0.0)], vehicle)
    with pytest.raises(ScenarioError, match=f"between -{limit:g} and {limit:g}: the limit of {fin.name} of lauv"):
        Faults([FinJammed(surface=fin.name, angle_deg=limit + 1.0, at_s=0.0)], vehicle)


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


def test_a_leak_that_is_over_is_removed_and_its_water_stays():
    """A hundred leaks of 0.1 s, one after the other: none costs time any more, all have left their 1 g."""
    sim = live()
    for k in range(100):
        sim.inject(Leak(rate_kg_s=0.01, at_s=sim.time_s, seconds_s=0.1))
        assert len(sim.faults.faults) <= 2, k
        sim.tick()
        sim.tick()
    assert sim.faults.flooded_kg == pytest.approx(0.1, abs=1e-9)
    assert [event.kind for event in sim.events] == ["fault", "fault_over"] * 100


def test_at_most_64_faults_are_active_or_waiting():
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


def test_a_sensor_bias_ends_when_it_is_cleared():
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
