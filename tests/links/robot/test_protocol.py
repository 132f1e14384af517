"""The control lease, and the protocol without sockets: peers that keep their lines, a clock of the test, a driver."""

import json

import pytest

from pelagos.links.robot.protocol import BAD_LINES, DEADMAN_S, SILENT_S, ControlLease
from tests.links.robot.tabled import Kept, Table


def test_one_has_the_controls_until_it_leaves():
    lease = ControlLease()
    assert lease.request("a", "", 0.0)
    assert not lease.request("b", "", 1.0)
    lease.release("b")  # was not the holder
    assert lease.holder == "a"
    lease.release("a")
    assert lease.request("b", "", 2.0)
    assert lease.holder == "b"


def test_one_that_is_silent_loses_them_only_when_another_asks():
    lease = ControlLease()
    lease.request("a", "", 0.0)
    lease.received_s = 100.0
    assert not lease.request("b", "", 100.0 + 0.99 * SILENT_S)
    assert lease.holder == "a"
    assert lease.request("b", "", 100.0 + SILENT_S)
    assert lease.holder == "b"


def test_numbers_go_on_for_the_same_session_and_begin_anew_for_another():
    lease = ControlLease()
    lease.request("a", "dive 7", 0.0)
    lease.last_seq, lease.answer = 41, b"state 41"
    assert lease.request("a again", "dive 7", 0.1)  # at once, though the old connection still seems to be there
    assert (lease.last_seq, lease.answer) == (41, b"state 41")
    lease.release("a again")
    assert lease.request("a once more", "dive 7", 50.0)
    assert lease.last_seq == 41
    lease.release("a once more")
    assert lease.request("b", "another", 60.0)
    assert (lease.last_seq, lease.answer) == (0, b"")


def test_without_a_session_only_the_same_connection_is_the_same_client():
    lease = ControlLease()
    lease.request("a", "", 0.0)
    lease.last_seq = 5
    assert lease.request("a", "", 1.0) and lease.last_seq == 5
    lease.release("a")
    assert lease.request("b", "", 2.0) and lease.last_seq == 0


@pytest.fixture
def make():
    made = []

    def new(*args, **changes):
        made.append(Table(*args, **changes))
        return made[-1]

    yield new
    for table in made:
        table.world.close(True)


def test_one_order_one_interval_one_answer(make):
    table = make()
    robot, hello = table.join("robot")
    assert (hello["role"], hello["last_seq"], hello["tick"], hello["interval_s"]) == ("controller", 0, 0, 0.1)
    for n in (1, 2, 3):
        (state,) = table.say(robot, "order", seq=n, thrusters={"port_screw_rpm": 100.0 * n})
        assert (state["type"], state["seq"], state["tick"], state["time_s"]) == ("state", n, n, n / 10.0)
        assert state["vehicles"]["phoenix"]["ordered"]["thrusters"]["port_screw_rpm"] == pytest.approx(100.0 * n)


def test_an_exchange_may_have_several_ticks_and_the_readings_of_all(make):
    table = make(every=10)
    robot, hello = table.join("robot")
    assert (hello["rate_hz"], hello["interval_s"], hello["control_rate_hz"]) == (1.0, 1.0, 10.0)
    (state,) = table.say(robot, "order", seq=1)
    assert (state["tick"], state["time_s"]) == (10, 1.0)
    assert {"imu", "gps", "depth"} & set(state["vehicles"]["phoenix"]["sensors"])


def test_the_same_number_again_gets_the_same_answer_and_time_stands(make):
    table = make()
    robot, _ = table.join("robot")
    table.say(robot, "order", seq=5, sticks={"surge": 1.0})
    table.say(robot, "order", seq=5, sticks={"surge": -1.0})
    assert robot.got[-1] == robot.got[-2]
    assert table.world.ticks == 1
    assert table.counts["repeated"] == 1
    (refused,) = table.say(robot, "order", seq=6, setpoint={"depth_m": 99.0})
    assert table.say(robot, "order", seq=6, setpoint={"depth_m": 5.0}) == [refused]  # a refusal is an answer too
    assert table.world.ticks == 1


def test_a_lower_number_is_refused_with_the_last(make):
    table = make()
    robot, _ = table.join("robot")
    table.say(robot, "order", seq=8)
    (refused,) = table.say(robot, "order", seq=7, sticks={"surge": 1.0})
    assert (refused["type"], refused["seq"], refused["last_seq"]) == ("refused", 7, 8)
    assert table.world.ticks == 1
    (state,) = table.say(robot, "order", seq=20)  # numbers may be left out
    assert (state["seq"], state["tick"]) == (20, 2)


def test_a_refused_order_does_nothing_and_time_stands(make):
    table = make()
    robot, _ = table.join("robot")
    (refused,) = table.say(robot, "order", seq=1, thrusters={"port_screw_rpm": 9999})
    assert (refused["type"], refused["seq"]) == ("refused", 1)
    assert "outside its limits; expected -700 to 700" in refused["text"]
    assert table.world.ticks == 0
    assert robot.bad == 0  # a vehicle's no is not a broken line


def test_followers_get_every_state_and_may_not_order(make):
    table = make()
    robot, _ = table.join("robot", name="nps")
    watcher, hello = table.join("watcher", role="follower")
    assert hello["role"] == "follower"
    second, hello = table.join("second")  # asks for the controls
    assert hello["role"] == "follower" and "nps (robot) has the controls" in hello["text"]
    for n in range(1, 6):
        table.say(robot, "order", seq=n)
    assert watcher.got[1:] == robot.got[1:] == second.got[1:]
    (refused,) = table.say(watcher, "order", seq=1)
    assert refused["type"] == "refused" and "a follower only watches" in refused["text"]
    (refused,) = table.say(watcher, "bye", end=True)
    assert "only the controller" in refused["text"] and not table.protocol.over
    assert table.world.ticks == 5


def test_forces_go_to_those_who_asked(make):
    table = make()
    robot, _ = table.join("robot")
    watcher, _ = table.join("watcher", role="follower", forces=True)
    table.say(robot, "order", seq=1)
    assert "forces" not in robot.last["vehicles"]["phoenix"]
    assert len(watcher.last["vehicles"]["phoenix"]["forces"]["thrusters"]) == 6


def test_control_goes_on_when_the_controller_leaves(make):
    table = make()
    robot, _ = table.join("robot")
    watcher, _ = table.join("watcher", role="follower")
    table.say(robot, "order", seq=3, sticks={"surge": 1.0})
    table.say(robot, "bye")
    assert [peer for peer, _ in table.protocol.dropped] == [robot]
    table.protocol.remove(robot)
    (hello,) = table.say(watcher, "hello", schema=1)
    assert (hello["role"], hello["last_seq"], hello["tick"]) == ("controller", 0, 1)  # the world was not begun anew
    (state,) = table.say(watcher, "order", seq=1)
    assert (state["seq"], state["tick"]) == (1, 2)


def test_a_silent_controller_is_displaced_only_by_one_who_asks_and_is_told(make):
    table = make()
    robot, _ = table.join("robot")
    table.now += 0.9 * SILENT_S
    _, hello = table.join("early")
    assert hello["role"] == "follower"
    table.now += SILENT_S
    (state,) = table.say(robot, "order", seq=1)  # still may
    assert state["type"] == "state"
    table.now += 1.1 * SILENT_S
    _, hello = table.join("late")
    assert hello["role"] == "controller"
    assert (robot.last["type"], robot.last["role"]) == ("hello", "follower")
    (refused,) = table.say(robot, "order", seq=2)
    assert refused["type"] == "refused"


def test_the_same_session_comes_back_where_it_was(make):
    table = make()
    robot, _ = table.join("robot", session="dive 7")
    (state,) = table.say(robot, "order", seq=12, sticks={"surge": 1.0})
    table.protocol.remove(robot)
    again, hello = table.join("robot, another port", session="dive 7")
    assert (hello["role"], hello["last_seq"]) == ("controller", 12)
    assert table.say(again, "order", seq=12, sticks={"surge": 1.0}) == [state]  # its answer had been lost
    assert table.world.ticks == 1


def test_a_refusal_bears_the_number_of_the_line_if_it_can_be_read(make):
    table = make()
    robot, _ = table.join("robot")
    watcher, _ = table.join("watcher", role="follower")
    for values in ({"thruster": {}}, {"thrusters": {"a": 1e99}}, {"sticks": {}, "setpoint": {}}):
        (refused,) = table.say(robot, "order", seq=7, **values)
        assert (refused["type"], refused["seq"], refused["last_seq"]) == ("refused", 7, 0)
    (refused,) = table.say(watcher, "order", seq=9)
    assert refused["seq"] == 9
    (refused,) = table.say(robot, "order", seq=-1)
    assert refused["seq"] is None
    (state,) = table.say(robot, "order", seq=7)  # a line of no use has not had its number
    assert (state["type"], state["seq"]) == ("state", 7)


FIRST_LINES = {
    b'{"type":"order","seq":1}': "the first message is not a hello",
    b'{"type":"bye","end":true}': "the first message is not a hello",
    b'{"type":"hello","schema":2}': "hello has the schema 2; expected 1",
    b'{"type":"hello"}': "hello schema: is missing; expected the version of these messages, 1",
    b"POST / HTTP/1.1\r": "the line is not JSON; expected a table of names and values",
    b"": "the line is not JSON; expected a table of names and values",
    None: "the line is too long and was ignored; expected at most 65536 bytes",
}


@pytest.mark.parametrize("line", FIRST_LINES, ids=str)
def test_who_does_not_begin_with_a_hello_is_sent_away_at_its_first_line(make, line):
    table = make()
    stranger = Kept("stranger")
    table.protocol.receive(stranger, line)
    ((peer, text),) = table.protocol.dropped
    assert peer is stranger and text == f"a client must begin with a hello: {FIRST_LINES[line]}"
    assert stranger.got == [] and table.protocol.peers == [] and not table.protocol.over and table.world.ticks == 0


def test_broken_lines_are_counted_and_their_sender_dropped(make):
    table = make()
    robot, _ = table.join("robot")
    for _ in range(BAD_LINES - 1):
        table.protocol.receive(robot, b"{")
    assert robot.last["type"] == "refused" and table.protocol.dropped == []
    table.say(robot, "order", seq=1)  # a sound one between them
    for line in [b"{", None, b'{"type": "order"}'] * BAD_LINES:
        table.protocol.receive(robot, line)
        if table.protocol.dropped:
            break
    ((peer, text),) = table.protocol.dropped
    assert peer is robot and "20 lines in a row" in text
    assert table.counts["dropped_malformed"] == 2 * BAD_LINES - 1
    table.protocol.receive(robot, b"  ")  # an empty line is nothing


def test_when_the_scenario_is_over_orders_are_refused_until_a_reset(make):
    table = make(duration_s=0.3)
    robot, _ = table.join("robot")
    states = [table.say(robot, "order", seq=n)[0] for n in (1, 2, 3)]
    assert [state["done"] for state in states] == [False, False, True]
    (refused,) = table.say(robot, "order", seq=4)
    assert "tank is over; expected a reset or a bye" in refused["text"]
    (state,) = table.say(robot, "reset", seq=5)
    assert (state["type"], state["seq"], state["tick"], state["done"]) == ("state", 5, 0, False)
    assert table.say(robot, "reset", seq=5) == [state]
    (state,) = table.say(robot, "order", seq=6)
    assert state["tick"] == 1


def test_by_a_clock_orders_latch_and_states_come_when_they_are_due(make):
    table = make("realtime")
    robot, hello = table.join("robot")
    assert (hello["clock"], hello["deadman_s"]) == ("realtime", DEADMAN_S)
    assert table.say(robot, "order", seq=1, thrusters={"port_screw_rpm": 300.0}) == []
    assert table.say(robot, "order", seq=1, thrusters={"port_screw_rpm": 300.0}) == []
    (refused,) = table.say(robot, "order", seq=2, thrusters={"port_screw": 1e6})
    assert refused["seq"] == 2
    table.now += 0.1
    assert table.clock.due()
    table.protocol.exchange()
    # the state is no answer to the order that was refused: who lost the refusal must not take it for one
    assert (robot.last["seq"], robot.last["tick"], robot.last["overruns"]) == (1, 1, 0)
    assert table.say(robot, "order", seq=2, thrusters={"port_screw": 1e6}) == [refused]
    table.say(robot, "order", seq=3)
    table.now += 0.1
    table.protocol.exchange()
    assert (robot.last["type"], robot.last["seq"]) == ("state", 3)
    (state,) = table.say(robot, "order", seq=3)
    assert (state["type"], state["seq"], state["tick"]) == ("state", 3, 2)
    assert robot.last["vehicles"]["phoenix"]["ordered"]["thrusters"]["port_screw_rpm"] == pytest.approx(300.0)


def test_time_begins_with_the_first_controller_and_does_not_stop_when_it_leaves(make):
    table = make("realtime")
    table.join("watcher", role="follower")
    assert not table.clock.running
    robot, _ = table.join("robot")
    assert table.clock.running
    table.protocol.remove(robot)
    table.now += 0.1
    assert table.clock.due()


def test_a_robot_that_falls_silent_by_a_clock_is_put_to_rest(make):
    table = make("realtime")
    robot, _ = table.join("robot")
    watcher, _ = table.join("watcher", role="follower")
    table.say(robot, "order", seq=1, thrusters={"port_screw_rpm": 300.0})
    ordered = []
    table.protocol.remove(robot)
    for _ in range(25):
        table.now += 0.1
        table.protocol.exchange()
        ordered.append(watcher.last["vehicles"]["phoenix"]["ordered"]["thrusters"]["port_screw_rpm"])
    driven = sum(rpm > 0.0 for rpm in ordered)
    assert driven in (20, 21) and ordered[driven:] == [0.0] * (25 - driven)  # 2 s, give or take a tick of rounding
    assert table.counts["deadman"] == 1
    events = [event for line in watcher.got for event in json.loads(line).get("events", [])]
    assert [event["kind"] for event in events] == ["link"]


def test_a_word_from_the_robot_keeps_it_going_and_a_setpoint_is_held_without(make):
    table = make("realtime")
    robot, _ = table.join("robot")
    table.say(robot, "order", seq=1, thrusters={"port_screw_rpm": 300.0})
    for n in range(2, 30):
        table.now += 1.0
        table.say(robot, "order", seq=n)  # nothing new
        table.protocol.exchange()
    assert robot.last["vehicles"]["phoenix"]["ordered"]["thrusters"]["port_screw_rpm"] == pytest.approx(300.0)
    table.say(robot, "order", seq=30, setpoint={"depth_m": 5.0})
    table.now += 10.0
    table.protocol.exchange()
    assert robot.last["vehicles"]["phoenix"]["setpoint"] == {"depth_m": 5.0}
