"""The tether of a simulation: what may be asked for, how it hangs at the start, what the log says, orders to it."""

from __future__ import annotations

import numpy as np
import pytest

import pelagos
from pelagos.errors import CommandError, ScenarioError
from pelagos.sim.towing import POINTS, TETHER_COLUMNS
from pelagos.tether.cable import Cable
from pelagos.tether.spec import Status, Tether
from pelagos.world.spec import World

DEEP = World(depth_m=80.0, current_m_s=0.3, current_to_deg=90.0)


def rov(tether=True, world=DEEP, depth_m=20.0, **more):
    sim = pelagos.Simulation("bluerov2_heavy", world, tether=tether, **more)
    sim.place(depth_m=depth_m)
    return sim


def test_without_a_tether_nothing_is_added():
    log = rov(None).run(0.5)
    assert not set(TETHER_COLUMNS) & set(log.columns)
    assert not log.forces["tether"].any()
    assert log.meta["tether"] == "none"


def test_true_is_the_cable_of_the_vehicles_file():
    sim = rov(True)
    log = sim.run(0.5)
    mount = sim.vehicle.tether
    assert sim.tether.cable == mount.cable and log["tether_length_m"][0] == mount.length_m
    assert "fathom" in log.meta["tether_cable"]
    np.testing.assert_array_equal(sim.plant.command["pull"]["fairlead"], mount.fairlead_b)


def test_the_ship_lies_above_the_start_and_the_shape_goes_from_it_to_the_fairlead():
    sim = rov(Tether(length_m=40.0))
    log = sim.run(2.0)
    for i in (0, -1):
        ship = [log[f"tether_00_{axis}_m"][i] for axis in ("north", "east", "depth")]
        np.testing.assert_allclose(ship, [0.0 - 0.23, 0.0, 0.0], atol=1e-9)  # above the fairlead, 0.23 m aft
    end = [log[f"tether_{POINTS - 1}_{axis}_m"][-1] for axis in ("north", "east", "depth")]
    place, _ = sim.plant.fairlead()
    np.testing.assert_allclose(end, place, atol=1e-9)


def test_force_in_the_log_is_the_tension_in_the_log():
    log = rov(Tether(length_m=40.0)).run(3.0)
    np.testing.assert_allclose(
        np.linalg.norm(log.forces["tether"][:, :3], axis=1), log["tether_tension_N"], rtol=1e-6, atol=1e-6
    )
    assert log["tether_tension_N"][0] > 1.0  # 0.3 m/s across 40 m of 7.6 mm: some newtons, until it drifts along


def test_a_tether_holds_a_drifting_vehicle_back():
    """Without thrust in 0.3 m/s the free one drifts 0.3 m/s; the tied one ends where its 25 m allow.

    From the origin 0.23 m more: the fairlead is so far aft.
    """
    free, tied = rov(None), rov(Tether(length_m=25.0))
    a, b = free.run(180), tied.run(180)
    assert a["east_m"][-1] > 45.0
    reach = np.hypot(b["east_m"][-1], b["depth_m"][-1])
    assert reach < 25.3 and abs(b["sway_m_s"][-1]) < 0.02


@pytest.mark.parametrize("mode", ["dynamic", "static", "royer"])
def test_all_modes_hold_the_same_vehicle_in_the_same_stream(mode):
    """Seagrant held in 0.75 m/s by its 35 mm cable: at rest all three models are the same cable (errata G5).

    The vehicle is kept in place by the external force that balances; tension at 100 m with 150 m out: 426 N +- 1 %.
    """
    sim = pelagos.Simulation("seagrant1", World(current_m_s=0.75, surface=False), tether=Tether(mode=mode))
    sim.place(depth_m=100.4)  # the fairlead is 0.4 m above the origin
    log = sim.run(0.1)
    assert log["tether_tension_N"][0] == pytest.approx(426.0, rel=0.01)


def test_the_pilot_orders_the_drum():
    sim = rov(Tether(payout="ratio", ratio=1.5))
    sim.run(1.0)
    assert sim.tether.length_m == pytest.approx(30.0, rel=0.02)
    sim.tether.haul(ratio=2.0)
    log = sim.run(5.0)
    assert log["tether_ratio"][-1] == pytest.approx(2.0, rel=0.01)
    sim.tether.haul(rate_m_s=-0.5)
    length = sim.tether.length_m
    sim.run(4.0)
    assert sim.tether.length_m == pytest.approx(length - 2.0, abs=1e-6)
    sim.tether.haul(fixed=True)
    length = sim.tether.length_m
    sim.run(1.0)
    assert sim.tether.length_m == length


def test_a_ship_that_follows_stays_above():
    sim = rov(Tether(payout="ratio", ratio=1.3, ship="follow", ship_speed_m_s=2.0, ship_lag_s=2.0))
    sim.pilot(surge=0.6)
    log = sim.run(60)
    assert log["north_m"][-1] > 10.0
    apart = np.hypot(log["tether_00_north_m"] - log["north_m"], log["tether_00_east_m"] - log["east_m"])
    assert apart[-1] < 3.0  # a lag of 2 s at less than 1.2 m/s


def test_one_that_parts_lets_the_vehicle_go():
    weak = Cable(diameter_m=0.0076, neutral=True, stiffness_N=1e5, breaking_load_N=8.0)
    sim = rov(Tether(cable=weak, length_m=21.0, parts=True))
    log = sim.run(120)
    parted = [bool(int(s) & Status.PARTED) for s in log["tether_status"]]
    assert parted[-1] and not parted[0]
    assert log["tether_tension_N"].max() <= 8.0
    assert log["tether_tension_N"][-1] == 0.0 and not log.forces["tether"][-1].any()


def test_settings_are_in_the_log():
    log = rov(Tether(length_m=33.0, elements=20)).run(0.2)
    assert "length_m=33.0" in log.meta["tether"] and "elements=20" in log.meta["tether"]


def test_save_of_another_tether_is_refused():
    saved = rov(Tether(length_m=30.0)).save()
    with pytest.raises(CommandError, match="tether"):
        rov(Tether(length_m=31.0)).restore(saved)


def test_bad_wishes_get_a_sentence():
    with pytest.raises(CommandError, match=r'tether is "dinamic"; expected one of dynamic.*did you mean "dynamic"'):
        rov("dinamic")
    with pytest.raises(CommandError, match="tether is 7; expected True"):
        rov(7)
    with pytest.raises(CommandError, match=r"remus100 has no \[tether\] in its file; expected a cable"):
        pelagos.Simulation("remus100", tether=True)
    with pytest.raises(CommandError, match="is 5 m long and the vehicle starts 20 m from where it leaves the ship"):
        rov(Tether(length_m=5.0)).run(1.0)
    with pytest.raises(ScenarioError, match="mode"):
        Tether(mode="elastic")
    with pytest.raises(pelagos.errors.PelagosError, match="fathom_7_6mm"):
        rov(Tether(cable="fathom_7_5mm"))
