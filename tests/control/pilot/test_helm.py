"""Sticks and holds together: axes under each, and no jump when a hold is switched."""

import copy
import math

import numpy as np
import pytest

import pelagos
from pelagos.control.autopilot.switching import wrench_of
from pelagos.control.pilot.helm import Helm
from pelagos.control.pilot.sticks import Pilot
from pelagos.errors import CommandError
from pelagos.messages import PilotCommand, VehicleState
from pelagos.sim.simulation import Simulation

RATE_HZ = 50.0
CALM = pelagos.World(depth_m=60.0)
STREAM = pelagos.World(depth_m=60.0, current_m_s=0.5, current_to_deg=60.0)


def make_state(depth=10.0, nu=(0.0,) * 6, altitude=20.0, yaw=0.0):
    return VehicleState(0.0, np.array([0.0, 0.0, depth]), 0.0, 0.0, yaw, np.array(nu), np.array(nu), altitude)


def flight(key, world=CALM, **place):
    sim = Simulation(key, world, control_rate_hz=RATE_HZ)
    sim.place(**{"depth_m": 10.0, **place})
    helm = Helm(sim.vehicle, sim.water, sim.interval_s)
    sim.control(helm)
    return sim, helm


def fly(sim, helm, seconds, pan_deg=0.0, **sticks):
    """The motion at each tick: north, east, depth, heading deg."""
    helm.move(PilotCommand(**sticks), math.radians(pan_deg))
    way = []
    for _ in range(round(seconds * RATE_HZ)):
        sim.tick()
        way.append([*sim.plant.position_n, math.degrees(sim.state().yaw)])
    return np.array(way)


def wrench(sim, helm, stage=None):
    """The wrench commanded in the last interval, at a stage of speed or at the present one."""
    state = sim.state()
    now = helm.schedule.stage(float(state.nu_r[0]))
    return np.array(wrench_of(helm.schedule, stage or now, sim._actuation, state))


def test_without_a_hold_the_sticks_are_the_pilots(rov):
    helm, pilot = Helm(rov), Pilot(rov)
    sticks = PilotCommand(surge=0.5, sway=-0.2, heave=0.3, yaw=0.1)
    helm.move(sticks)
    assert helm.update(make_state(), 0.02).thrusters.tolist() == pilot.command(sticks).thrusters.tolist()
    assert helm.axes == ("surge", "sway", "heave", "roll", "pitch", "yaw") and not helm.setpoint.quantities


def test_heave_of_a_torpedo_is_its_pitch_nose_down_for_down(torpedo):
    helm = Helm(torpedo)
    assert helm.axes == ("surge", "heave", "pitch", "yaw")
    helm.move(PilotCommand(surge=0.5, heave=0.5, sway=1.0))  # sway does nothing
    assert np.array_equal(
        helm.update(make_state(), 0.02).surfaces, Pilot(torpedo).command(surge=0.5, pitch=-0.5).surfaces
    )
    helm.move(PilotCommand(heave=1.0, pitch=-1.0))  # a stop is a stop
    full = Pilot(torpedo).command(pitch=-1.0).surfaces
    assert np.array_equal(helm.update(make_state(), 0.02).surfaces, full)


@pytest.mark.slow
@pytest.mark.parametrize("key", ["bluerov2_heavy", "seagrant1"])
def test_heading_and_depth_are_held_while_the_stick_drives_ahead(key):
    sim, helm = flight(key, heading_deg=30.0)
    fly(sim, helm, 4.0, surge=0.5)
    for name in ("heading", "depth", "level"):
        helm.hold(name, True, sim.state())
    way = fly(sim, helm, 25.0, surge=0.5)
    held = helm.setpoint
    # Steady: integrals have had ten times the slowest loop (3 s); a degree and centimetres are what is left of them.
    assert way[-1, 2] == pytest.approx(held.depth_m, abs=0.02)
    assert (way[-1, 3] - held.heading_deg + 180.0) % 360.0 - 180.0 == pytest.approx(0.0, abs=0.5)
    last = way[-50:, :2]
    course = math.degrees(math.atan2(*(last[-1] - last[0])[::-1]))
    assert (course - held.heading_deg + 180.0) % 360.0 - 180.0 == pytest.approx(0.0, abs=2.0)
    assert np.hypot(*(last[-1] - last[0])) > 0.3  # and it does go ahead


@pytest.mark.slow
def test_a_place_is_held_in_half_a_metre_a_second():
    sim, helm = flight("bluerov2_heavy", STREAM)
    for name in ("heading", "depth", "level", "position"):
        helm.hold(name, True, sim.state())
    north, east = helm.setpoint.north_m, helm.setpoint.east_m
    way = fly(sim, helm, 30.0)
    off = np.hypot(way[:, 0] - north, way[:, 1] - east)
    assert off.max() < 0.5  # the stream takes it before the thrusters answer: less than one second of it
    assert off[-50:].max() < 0.02  # then an integral carries the load
    before = way[-1, :2]
    moved = fly(sim, helm, 4.0, pan_deg=70.0, surge=1.0)[-1, :2] - before
    helm.frame = "camera"
    more = fly(sim, helm, 4.0, pan_deg=70.0, surge=1.0)[-1, :2] - before - moved
    heading = math.radians(way[-1, 3])
    # 4 s of 0.5 m/s or of the loop's own pace, the first second of it spent on getting under way
    assert moved @ [math.cos(heading), math.sin(heading)] > 1.0
    ahead, aside = more @ [math.cos(heading), math.sin(heading)], more @ [-math.sin(heading), math.cos(heading)]
    assert aside > 1.0 and aside > ahead


@pytest.mark.slow
@pytest.mark.parametrize("key", ["bluerov2_heavy", "seagrant1", "phoenix", "iver3", "remus100"])
def test_a_hold_goes_on_and_off_without_a_jump(key):
    """At most a fiftieth of the reach of an axis from one tick to the next, at 50 Hz; a new loop would jump by more."""
    sim, helm = flight(key)
    sticks = {name: value for name, value in (("surge", 0.6), ("yaw", 0.3), ("heave", 0.2)) if name in helm.axes}
    fly(sim, helm, 6.0, **sticks)
    order = [name for name in ("heading", "depth", "level", "speed", "position") if helm.can(name)]
    steps = [(name, True) for name in order] + [(name, False) for name in order if name != "speed"]
    fly(sim, helm, 1.0)  # sticks in the middle: no jump of their own from here on
    for name, on in steps:
        stage = helm.schedule.stage(float(sim.state().nu_r[0]))
        reach = np.array([max(helm.schedule.reach(i, stage), 1.0) for i in range(6)])
        before = wrench(sim, helm, stage)
        helm.hold(name, on, sim.state())
        fly(sim, helm, 0.02)
        assert np.abs((wrench(sim, helm, stage) - before) / reach).max() < 0.02, (name, on)
        fly(sim, helm, 1.0)


def test_a_hold_takes_over_from_a_stick_that_is_pushed():
    sim, helm = flight("bluerov2_heavy")
    fly(sim, helm, 2.0, yaw=0.5)
    before = wrench(sim, helm)
    assert before[5] > 0.3 * helm.schedule.reach(5)
    helm.hold("heading", True, sim.state())
    fly(sim, helm, 0.02)  # let go in the same instant
    assert wrench(sim, helm)[5] == pytest.approx(before[5], abs=0.02 * helm.schedule.reach(5))
    way = fly(sim, helm, 8.0)
    # At rest again, without having been called back: it turned on to one side only, a loop's overshoot of 5 % apart.
    turned = np.degrees(np.unwrap(np.radians(way[:, 3])))
    assert abs(sim.state().nu[5]) < 0.01 and np.ptp(way[-50:, 3]) < 0.5
    assert turned.max() - turned[-1] < 0.05 * np.ptp(turned) + 2.0


def test_sticks_move_what_is_held_at_their_rates():
    sim, helm = flight("bluerov2_heavy")
    for name in ("heading", "depth", "level"):
        helm.hold(name, True, sim.state())
    fly(sim, helm, 3.0)
    way = fly(sim, helm, 6.0, heave=1.0, yaw=-1.0)
    second = way[-1] - way[-1 - round(RATE_HZ)]
    # the pace of the depth loop of this vehicle is a little above 0.5 m/s, and its turning rate limit above 20 deg/s
    assert second[2] == pytest.approx(0.5, rel=0.1)
    turned = (second[3] + 180.0) % 360.0 - 180.0
    assert -30.5 < turned < -18.0
    after = fly(sim, helm, 8.0)
    assert after[-1, 2] == pytest.approx(helm.setpoint.depth_m, abs=0.02)
    assert abs(after[-1, 2] - way[-1, 2]) < 0.6  # it stops soon: within a second or so of its motion


def test_an_altitude_is_held_over_a_bottom_and_puts_the_depth_out():
    sim, helm = flight("bluerov2_heavy")
    helm.hold("depth", True, sim.state())
    helm.hold("altitude", True, sim.state(), 48.0)
    assert helm.modes["altitude"] and not helm.modes["depth"] and helm.setpoint.depth_m is None
    fly(sim, helm, 15.0)
    assert sim.state().altitude_m == pytest.approx(48.0, abs=0.05)
    helm.hold("depth", True, sim.state(), 11.0)
    assert helm.modes["depth"] and not helm.modes["altitude"]
    with pytest.raises(CommandError, match="cannot hold altitude: no bottom is in sight"):
        helm.hold("altitude", True, make_state(altitude=math.nan))
    assert helm.modes["depth"]  # a refusal changes nothing


@pytest.mark.slow
@pytest.mark.parametrize(("frame", "pan_deg", "expected_deg"), [("camera", 50.0, 90.0), ("north", 50.0, 0.0)])
def test_sticks_ahead_move_it_where_the_camera_looks_or_north(frame, pan_deg, expected_deg):
    sim, helm = flight("seagrant1", heading_deg=40.0)
    for name in ("heading", "depth"):
        helm.hold(name, True, sim.state())
    helm.frame = frame
    way = fly(sim, helm, 25.0, pan_deg=pan_deg, surge=0.4)
    step = way[-1, :2] - way[-100, :2]
    # steady, no current; drag of oblique flow is taken axis by axis, and the heading is held within half a degree
    assert math.degrees(math.atan2(step[1], step[0])) == pytest.approx(expected_deg, abs=2.0)
    assert np.hypot(*step) > 1.0


@pytest.mark.slow
def test_a_vehicle_that_dives_by_pitch_takes_way_and_the_surge_stick_sets_it():
    sim, helm = flight("iver3")
    helm.hold("depth", True, sim.state())
    cruise = helm.schedule.cruise
    assert helm.modes["speed"] and helm.setpoint.speed_m_s == pytest.approx(cruise)
    with pytest.raises(
        CommandError, match=r"hold speed is False; .* needs way to hold depth; expected depth to be released first"
    ):
        helm.hold("speed", False, sim.state())
    fly(sim, helm, 2.0, surge=-1.0)
    assert helm.setpoint.speed_m_s == pytest.approx(cruise - 2.0 * 0.2, abs=0.005)
    fly(sim, helm, 20.0, surge=-1.0)
    assert helm.setpoint.speed_m_s == pytest.approx(
        helm.schedule.planes_hold_from
    )  # below, its planes cannot hold depth
    helm.hold("depth", False, sim.state())
    assert not helm.modes["speed"] and not helm.setpoint.quantities
    sim, helm = flight("iver3", surge_m_s=1.8)
    helm.hold("heading", True, sim.state())
    assert helm.setpoint.speed_m_s == pytest.approx(1.8)  # under way: that is kept


def test_level_is_level_and_a_stick_tilts_it_while_it_is_pushed():
    sim, helm = flight("bluerov2_heavy", roll_deg=15.0, pitch_deg=-10.0)
    helm.hold("level", True, sim.state())
    fly(sim, helm, 6.0)
    assert np.degrees([sim.state().roll, sim.state().pitch]) == pytest.approx([0.0, 0.0], abs=0.5)
    fly(sim, helm, 6.0, roll=0.5)
    assert math.degrees(sim.state().roll) == pytest.approx(10.0, abs=0.5)  # half of 20 deg
    fly(sim, helm, 6.0)
    assert math.degrees(sim.state().roll) == pytest.approx(0.0, abs=0.5)


def test_a_position_and_a_speed_put_each_other_out():
    sim, helm = flight("bluerov2_heavy")
    helm.hold("speed", True, sim.state(), 0.4)
    fly(sim, helm, 10.0)
    assert sim.state().nu_r[0] == pytest.approx(0.4, abs=0.01)
    helm.hold("position", True, sim.state())
    assert [name for name, on in helm.modes.items() if on] == ["position"]
    helm.hold("speed", True, sim.state())
    assert [name for name, on in helm.modes.items() if on] == ["speed"] and helm.setpoint.north_m is None


def test_trims_add_to_sticks_up_to_the_stop_and_not_to_what_is_held(rov):
    helm, pilot = Helm(rov), Pilot(rov)
    helm.trim(surge=0.4, yaw=-0.2)
    helm.move(PilotCommand(surge=0.8, yaw=0.1))
    expected = pilot.command(surge=1.0, yaw=-0.1).thrusters
    assert helm.update(make_state(), 0.02).thrusters == pytest.approx(expected, abs=1e-12)
    assert helm.values() == pytest.approx([1.0, 0.0, 0.0, 0.0, 0.0, -0.1, 0.4, 0.0, 0.0, 0.0, 0.0, -0.2])
    assert helm.columns[0] == "stick_surge" and helm.columns[-1] == "trim_yaw" and helm.trims["surge"] == 0.4
    helm.hold("heading", True, make_state())
    helm.move(PilotCommand())
    for _ in range(20):
        helm.update(make_state(), 0.02)
    assert helm.setpoint.heading_deg == 0.0  # a trim does not turn it
    helm.reset()
    assert not any(helm.trims.values()) and not any(helm.modes.values())
    assert not helm.update(make_state(), 0.02).thrusters.any()


def test_impossible_holds_get_a_sentence(rov, torpedo):
    helm, fish = Helm(rov), Helm(torpedo)
    with pytest.raises(CommandError, match=r"there is no hold 'deph'; expected one of .*; did you mean .depth"):
        helm.hold("deph", True, make_state())
    with pytest.raises(CommandError, match="cannot hold a place: it has no thruster that pushes sideways"):
        fish.hold("position", True, make_state())
    with pytest.raises(CommandError, match=r"sticks is 'camera'; .* cannot move sideways; expected body"):
        fish.frame = "camera"
    with pytest.raises(CommandError, match=r"frame of the sticks is 'nort'; .* did you mean \"north\""):
        helm.frame = "nort"
    with pytest.raises(CommandError, match=r"there is no stick 'yawn'; .*did you mean .yaw"):
        helm.trim(yawn=0.1)
    with pytest.raises(CommandError, match="trim of yaw is 2; expected a number from -1 to 1"):
        helm.trim(yaw=2.0)
    with pytest.raises(
        CommandError, match=r"trim of sway is .* no actuator for sway; expected one of surge, heave, pitch, yaw"
    ):
        fish.trim(sway=0.1)
    assert not fish.can("position") and fish.can("depth") and not fish.can("mission")
    assert not any(fish.modes.values()) and fish.frame == helm.frame == "body"


def test_saved_and_flown_again_it_does_the_same_to_the_bit():
    sim, helm = flight("bluerov2_heavy", STREAM)
    helm.hold("heading", True, sim.state())
    fly(sim, helm, 2.0, surge=0.7, yaw=0.3)
    saved = sim.save()

    def rest():
        flown = sim.controller
        flown.hold("depth", True, sim.state())
        first = fly(sim, flown, 2.0, surge=0.2, heave=0.5, yaw=-0.4)
        flown.hold("position", True, sim.state())
        return np.vstack([first, fly(sim, flown, 2.0, sway=0.3)])

    motion = rest()
    sim.restore(saved)
    assert np.array_equal(rest(), motion)
    twin = copy.deepcopy(sim.controller)
    state = sim.state()
    assert np.array_equal(twin.update(state, 0.02).thrusters, sim.controller.update(state, 0.02).thrusters)


def test_sticks_and_trims_are_in_the_log():
    sim, helm = flight("bluerov2_heavy")
    helm.trim(heave=0.25)
    helm.move(PilotCommand(surge=0.5))
    helm.hold("heading", True, sim.state(), 90.0)
    log = sim.run(0.2)
    assert log["stick_surge"][-1] == 0.5 and log["trim_heave"][-1] == 0.25 == log["stick_heave"][-1]
    assert log["cmd_heading_deg"][-1] == 90.0 and np.isnan(log["cmd_depth_m"][-1])


def test_a_pilot_finds_it_level_and_a_vehicle_that_needs_way_for_that_free():
    for key, level in (("bluerov2_heavy", True), ("seagrant1", True), ("rexrov", True), ("iver3", False)):
        sim, helm = flight(key)
        helm.begin(sim.state())
        assert helm.modes == {name: name == "level" and level for name in helm.modes}


@pytest.mark.slow
@pytest.mark.parametrize("key", ["bluerov2_heavy", "bluerov2", "kaxan", "seagrant1", "rexrov"])
def test_full_stick_at_the_usual_gain_neither_tips_it_over_nor_spins_it(key):
    sim, helm = flight(key)
    helm.begin(sim.state())
    helm.move(PilotCommand(surge=1.0))
    tilts = []
    for _ in range(400):
        sim.tick()
        tilts.append(max(abs(sim.state().pitch), abs(sim.state().roll)))
    most = 15.0 if "level" in helm.modes and helm._tilts[1] else 20.0  # deg: held, or by the righting moment alone
    assert math.degrees(max(tilts)) < most
    assert sim.state().nu[0] > 0.3
    sim, helm = flight(key)
    helm.begin(sim.state())
    fly(sim, helm, 10.0, yaw=1.0)
    assert 8.0 < math.degrees(sim.state().nu[5]) < 47.0  # 45 deg/s, and 5 % for what the hull couples to it


def test_the_yaw_stick_turns_against_the_moment_of_drifting_water():
    """Going ahead and aside, the Munk moment (Y_vdot - X_udot) u v of a BlueROV2 Heavy beats the drag of the turn."""
    for sway in (1.0, -1.0):
        sim, helm = flight("bluerov2_heavy")
        helm.begin(sim.state())
        fly(sim, helm, 4.0, surge=1.0, sway=sway)
        for yaw in (1.0, -1.0):
            fly(sim, helm, 3.0, surge=1.0, sway=sway, yaw=yaw)
            assert yaw * math.degrees(sim.state().nu[5]) > 10.0


def test_the_gain_scales_sticks_and_neither_trims_nor_holds(rov):
    helm = Helm(rov)
    helm.move(PilotCommand(surge=0.8))
    helm.gain = 0.25
    quarter = helm.update(make_state(), 0.02).thrusters
    assert quarter == pytest.approx(Pilot(rov).command(PilotCommand(surge=0.2)).thrusters, rel=1e-12)
    helm.move(PilotCommand())
    helm.trim(surge=0.2)
    assert helm.update(make_state(), 0.02).thrusters == pytest.approx(quarter, rel=1e-12)
    helm.reset()
    assert helm.gain == 0.25
    for wrong in (0.0, 1.5, float("nan")):
        with pytest.raises(CommandError, match="gain of the sticks"):
            helm.gain = wrong
