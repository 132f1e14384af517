"""Frame numbers, rates, sensors and logs, without a socket."""

import numpy as np
import pytest

from pelagos.links.ardusub.physics import LONGEST_S, Physics
from pelagos.links.ardusub.wire import Servos
from pelagos.sim.log.load import load_log
from pelagos.world.spec import World
from tests.links.ardusub.fake_autopilot import mixed, read_line

OFF = (0,) * 16
DOWN = tuple(mixed("vectored_6dof", throttle=-0.5))


def physics(**more):
    return Physics("bluerov2_heavy", **{"start": {"depth_m": 5.0}, **more})


@pytest.mark.parametrize("rate", [50, 301, 400, 777, 1200, 60000])
def test_time_goes_on_by_the_rate(rate):
    made = physics()
    stamps = [read_line(made.answer(Servos(rate, k, OFF)))["/timestamp"] for k in range(5)]
    assert stamps == pytest.approx([(k + 1) / rate for k in range(5)], abs=1e-14)


def test_a_step_that_is_too_long_is_shortened_and_said_once():
    messages = []
    made = physics(report=messages.append)
    stamps = [read_line(made.answer(Servos(2, k, OFF)))["/timestamp"] for k in range(3)]
    assert stamps == pytest.approx([LONGEST_S, 2 * LONGEST_S, 3 * LONGEST_S], abs=1e-14)
    assert made.counts["steps_shortened"] == 3
    assert [text for text in messages if "0.05 s are taken" in text] == messages and len(messages) == 1


def test_the_same_frame_again_gets_the_same_line_and_no_time_passes():
    made = physics()
    made.answer(Servos(400, 7, DOWN))
    line = made.answer(Servos(400, 8, DOWN))
    assert made.answer(Servos(400, 8, OFF)) == line
    assert made.counts["resent"] == 1
    assert read_line(made.answer(Servos(400, 9, DOWN)))["/timestamp"] == pytest.approx(3 / 400, abs=1e-14)


def test_frames_left_out_are_counted():
    made = physics()
    for frame in (100, 101, 105):
        answer = made.answer(Servos(400, frame, OFF))
    assert made.counts["frames_missed"] == 3
    assert read_line(answer)["/timestamp"] == pytest.approx(3 / 400, abs=1e-14)


def test_a_lower_frame_is_a_new_world():
    messages = []
    made = physics(report=messages.append)
    first = [made.answer(Servos(400, k, DOWN)) for k in range(50)]
    assert [made.answer(Servos(400, k, DOWN)) for k in range(50)] == first  # the same run, bit for bit
    assert made.counts["restarts"] == 1 and "began again with frame 0 after 49" in messages[0]
    made.answer(Servos(400, 3, DOWN))
    assert made.counts["restarts"] == 2


def test_before_arming_the_thrusters_stand():
    made, same = physics(), physics()
    for k in range(400):
        line = made.answer(Servos(400, k, OFF))
        other = same.answer(Servos(400, k, (1500,) * 16))
    assert line == other
    assert made.answer(Servos(400, 400, DOWN)) != same.answer(Servos(400, 400, OFF))


def test_channels_beyond_the_motors_do_nothing():
    made, same = physics(), physics()
    for k in range(100):
        line = made.answer(Servos(400, k, DOWN[:8] + (1900,) * 8))
        other = same.answer(Servos(400, k, DOWN[:8] + (0,) * 24))  # 32 channels
    assert line == other


def test_range_finder_and_battery_come_from_the_instruments_of_the_file():
    """A Ping 0.15 m below O, 20 m over the bottom: 1 % of the speed of sound, 0.5 % of noise, 25 deg of cone."""
    made = physics(world=World(depth_m=25.15, density_kg_m3=1007.4))
    for k in range(500):
        values = read_line(made.answer(Servos(500, k, OFF)))
    assert values["/rng_1"] == pytest.approx(20.0, rel=0.06)  # four deviations of scale and noise together
    # V and A: a full pack at 20 W of hotel load, 20 W / 16.7 V, with 0.02 V and 0.1 A of noise
    assert values["battery/voltage"] == pytest.approx(16.7, abs=0.15)
    assert values["battery/current"] == pytest.approx(20.0 / 16.7, abs=0.5)
    for k in range(500, 1000):
        values = read_line(made.answer(Servos(500, k, DOWN)))
    assert values["battery/current"] > 3.0  # A: four thrusters at half throttle


def test_nothing_in_reach_reads_as_beyond_the_largest_range():
    made = physics(world=World())
    values = read_line(made.answer(Servos(400, 0, OFF)))
    assert values["/rng_1"] == 101.0  # m: a Ping reaches 100
    bare = Physics("bluerov2")  # its file has no sensors
    assert not any("rng" in key or "battery" in key for key in read_line(bare.answer(Servos(400, 0, OFF))))


def test_a_stop_lasts_until_the_next_packet():
    made = physics()
    for k in range(200):
        made.answer(Servos(400, k, DOWN))
    thrust = made.sim.plant.state["actuators"]["thruster"]
    assert abs(thrust[4]) > 5.0  # N
    made.stop()
    assert not thrust[:8].any()
    for k in range(200, 400):
        made.answer(Servos(400, k, DOWN))
    assert abs(thrust[4]) > 5.0


def test_the_log_of_each_run(tmp_path):
    path = tmp_path / "dive.csv"
    made = physics(log=path)
    for k in range(480):
        made.answer(Servos(400, k, DOWN))
    for k in range(120):
        made.answer(Servos(400, k, OFF))
    made.close()
    first, second = load_log(path), load_log(tmp_path / "dive-2.csv")
    # first: 1.2 s, a sample at the start and at the first packet past each tenth of a second
    assert first["time_s"] == pytest.approx([0.1 * k for k in range(13)], abs=1e-9)
    assert first["depth_m"][-1] > first["depth_m"][0] and first.meta["link"] == "ardusub"
    assert first.meta["ardusub_motors"][0] == "-front_starboard"
    assert [event.kind for event in first.events] == ["restart"]
    assert second["time_s"][-1] == pytest.approx(0.3, abs=1e-9) and second["depth_m"][0] == 5.0
    heights = first["altimeter_altitude_m"][1:]
    assert 45.0 == pytest.approx(heights[np.isfinite(heights)].mean(), rel=0.06)  # m, as in the test of the line


def test_one_that_begins_again_at_once_is_told_once_and_fills_no_disk(tmp_path):
    """Frames that count down are a restart each. Nothing has been looked at between them: one sentence, one log."""
    messages = []
    made = physics(log=tmp_path / "dive.csv", report=messages.append)
    for frame in range(300, 200, -1):
        made.answer(Servos(400, frame, OFF))
    assert made.counts["restarts"] == 99
    assert len(messages) == 1 and "began again with frame 299 after 300" in messages[0]
    for frame in range(201, 281):  # 0.2 s
        made.answer(Servos(400, frame, OFF))
    made.close()
    assert made.logs == [tmp_path / "dive.csv"]
    log = load_log(tmp_path / "dive.csv")
    # the last of the restarted worlds took one step, then came 80 more: looks at 0.1 and 0.2 s
    assert log["time_s"] == pytest.approx([0.0, 0.1, 0.2], abs=1e-9) and log.complete


def test_a_bump_between_two_looks_is_in_the_log(tmp_path):
    """It comes down on the bottom and is off it again before the next tenth of a second: the log has the mean force."""
    made = physics(world=World(depth_m=5.3, density_kg_m3=1100.0), start={"depth_m": 5.09, "heave_m_s": 0.5})
    forces, touched = [], []
    for k in range(120):
        made.answer(Servos(1200, k, OFF))
        touch = made.sim.plant.state["touch"]
        if k < 119:  # the 120th step ends in the look, which writes the whole of it there
            forces.append(np.array(touch["wrench"][:3]))
            touched.append(float(touch["count"]))
    assert max(touched) > 0.0 and touched[-1] == 0.0
    touch_state = made.sim.plant.state["touch"]
    assert touch_state["count"] == max(touched) and touch_state["obstacle"] == -1.0  # the seabed
    assert touch_state["wrench"][:3] == pytest.approx(np.sum(forces, axis=0) / 120.0, rel=1e-9)
