"""What a log does not have is worked out: against closed forms, and against the same flight seen live."""

import numpy as np
import pytest

from pelagos.session.record.playback import replay_columns, replay_table
from pelagos.sim.log.log import Log, LogError
from pelagos.sim.simulation import Simulation
from pelagos.vehicle.load.vehicle import load_vehicle

ROV = load_vehicle("bluerov2_heavy")


def table(log, vehicle=ROV):
    columns = replay_columns(log, vehicle)
    return dict(zip(columns, replay_table(log, vehicle, columns).T, strict=True))


def plain(n=5, **more):
    base = {name: np.zeros(n) for name in ("north_m", "east_m", "depth_m", "roll_deg", "pitch_deg", "heading_deg")}
    return Log({"time_s": 0.1 * np.arange(n), **base, **more})


def test_places_alone_give_speed_course_and_attitude():
    t = 0.1 * np.arange(11)
    now = table(plain(11, north_m=0.3 * t, east_m=0.4 * t, depth_m=5.0 - 1.2 * t, heading_deg=np.full(11, 90.0)))
    assert now["speed_m_s"] == pytest.approx(np.full(11, 1.3))  # 3-4-12-13
    assert now["course_deg"] == pytest.approx(np.full(11, np.degrees(np.arctan2(0.4, 0.3))))
    assert now["depth_rate_m_s"] == pytest.approx(np.full(11, -1.2))
    assert now["q0"] == pytest.approx(np.full(11, np.sqrt(0.5))) and now["q3"] == pytest.approx(
        np.full(11, np.sqrt(0.5))
    )


def test_velocities_are_taken_where_there_are_some():
    now = table(plain(heading_deg=np.full(5, 90.0), surge_m_s=np.ones(5), sway_m_s=np.zeros(5), heave_m_s=np.zeros(5)))
    assert now["course_deg"] == pytest.approx(np.full(5, 90.0)) and now["speed_m_s"] == pytest.approx(np.ones(5))


def test_thrusters_of_a_run_are_shares_of_their_limits():
    sim = Simulation(ROV, control_rate_hz=10.0)
    sim.place(depth_m=10.0)
    name = ROV.thrusters[0].name
    sim.thrust([t.maximum if t.name == name else 0.5 * t.minimum for t in ROV.thrusters])
    now = table(sim.run(3.0))
    assert now[f"cmd_thruster_{name}"][-1] == pytest.approx(1.0)
    assert now[f"thruster_{name}"][-1] == pytest.approx(1.0, abs=1e-3)
    assert now[f"cmd_thruster_{ROV.thrusters[1].name}"][-1] == pytest.approx(-0.5)


def test_setpoints_battery_and_faults_come_from_their_columns():
    nan = np.nan
    log = plain(
        cmd_depth_m=np.full(5, 7.0), battery_voltage_V=np.array([16.0, nan, 15.0, nan, nan]),
        battery_current_A=np.array([2.0, nan, 4.0, nan, nan]), battery_used_Ah=np.zeros(5),
        battery_left_Ah=np.array([18.0, nan, 9.0, nan, nan]), fault_a=np.array([0.0, 1, 1, 0, 0]),
        fault_b=np.array([0.0, 0, 1, 1, 0]),
    )  # fmt: skip
    now = table(log)
    capacity = next(sensor for sensor in ROV.sensors if sensor.kind == "battery").capacity_Ah
    assert now["hold_depth_m"].tolist() == [7.0] * 5
    assert now["battery_V"].tolist() == [16.0, 16.0, 15.0, 15.0, 15.0]  # each until the next reading
    assert now["power_W"].tolist() == [32.0, 32.0, 60.0, 60.0, 60.0]
    assert now["battery_percent"][-1] == pytest.approx(900.0 / capacity)
    assert now["faults_acting"].tolist() == [0.0, 1.0, 2.0, 1.0, 0.0]


def test_contacts_become_collisions_half_a_second_apart():
    n = 40
    what = np.full(n, np.nan)
    what[[2, 3, 6]] = 0.0  # one touch with a short break
    what[20] = 0.0  # a new one, 1.4 s later
    what[30:] = -1.0  # at rest on the bottom: none
    speed = np.where(np.arange(n) < 25, 0.5, 0.0)
    now = table(plain(n, contact_with=what, surge_m_s=speed, sway_m_s=np.zeros(n), heave_m_s=np.zeros(n),
                      north_m=np.arange(n, dtype=float)))  # fmt: skip
    assert now["collisions"][[1, 2, 10, 19, 20, 39]].tolist() == [0.0, 1.0, 1.0, 1.0, 2.0, 2.0]
    assert now["crash_north_m"][[10, 39]].tolist() == [2.0, 20.0]
    assert now["crash_age_s"][39] == pytest.approx(1.9) and np.isnan(now["crash_age_s"][0])


def test_the_ship_is_where_the_cable_begins():
    points = {f"tether_{k:02d}_{axis}_m": np.full(5, k + 0.5) for k in range(21) for axis in ("north", "east", "depth")}
    now = table(plain(tether_length_m=np.full(5, 30.0), **points))
    assert now["ship_north_m"].tolist() == [0.5] * 5 and now["tether_20_depth_m"].tolist() == [20.5] * 5


def test_a_table_without_a_place_is_no_log_of_a_vehicle():
    with pytest.raises(LogError, match="no column north_m"):
        table(Log({"time_s": np.arange(3.0), "east_m": np.zeros(3)}))


def test_a_camera_that_nothing_is_said_of_looks_as_it_is_mounted():
    now = table(plain())
    assert set(now["zoom"]) == {1.0} and set(now["lights"]) == {1.0} and set(now["task_phase"]) == {0.0}
    assert now["tilt_deg"] == pytest.approx(np.full(5, np.degrees(ROV.cameras[0].tilt_rad)))
