from pelagos.links.robot.protocol import SILENT_S, ControlLease


def test_one_has_the_controls_until_it_leaves():
    lease = ControlLease()
    assert lease.ask("a", "", 0.0)
    assert not lease.ask("b", "", 1.0)
    lease.leave("b")  # was not the holder
    assert lease.holder == "a"
    lease.leave("a")
    assert lease.ask("b", "", 2.0)
    assert lease.holder == "b"


def test_one_that_is_silent_loses_them_only_when_another_asks():
    lease = ControlLease()
    lease.ask("a", "", 0.0)
    lease.heard_s = 100.0
    assert not lease.ask("b", "", 100.0 + 0.99 * SILENT_S)
    assert lease.holder == "a"
    assert lease.ask("b", "", 100.0 + SILENT_S)
    assert lease.holder == "b"


def test_numbers_go_on_for_the_same_session_and_begin_anew_for_another():
    lease = ControlLease()
    lease.ask("a", "dive 7", 0.0)
    lease.last_seq, lease.answer = 41, b"state 41"
    assert lease.ask("a again", "dive 7", 0.1)  # at once, though the old connection still seems to be there
    assert (lease.last_seq, lease.answer) == (41, b"state 41")
    lease.leave("a again")
    assert lease.ask("a once more", "dive 7", 50.0)
    assert lease.last_seq == 41
    lease.leave("a once more")
    assert lease.ask("b", "another", 60.0)
    assert (lease.last_seq, lease.answer) == (0, b"")


def test_without_a_session_only_the_same_connection_is_the_same_client():
    lease = ControlLease()
    lease.ask("a", "", 0.0)
    lease.last_seq = 5
    assert lease.ask("a", "", 1.0) and lease.last_seq == 5
    lease.leave("a")
    assert lease.ask("b", "", 2.0) and lease.last_seq == 0
