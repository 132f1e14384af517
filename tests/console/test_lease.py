"""Seats of pilot and instructor: hand-over on request, without an answer and on a lost link; never two pilots."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelagos.console.lease import ROLES, SeatChange, Seats
from pelagos.errors import CommandError


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def lease(clock):
    made = Seats(clock)
    for client in ("a", "b", "c"):
        made.join(client)
    return made


def test_the_first_becomes_pilot_and_the_rest_watch(lease):
    assert [lease.role_of(client) for client in "abc"] == ["pilot", "observer", "observer"]


def test_a_request_is_granted_by_the_holder(lease):
    assert lease.act("b", "request", "pilot") == [SeatChange("pilot", "a", "requested", "b")]
    assert lease.holder["pilot"] == "a"  # asking changes nothing yet
    assert lease.act("a", "grant", "pilot", "b") == [SeatChange("pilot", "b", "granted", "b")]
    assert [lease.role_of(client) for client in "ab"] == ["observer", "pilot"]
    assert lease.requests == []


def test_a_request_is_refused_by_the_holder(lease):
    lease.act("b", "request", "pilot")
    assert lease.act("a", "refuse", "pilot") == [SeatChange("pilot", "a", "refused", "b")]
    assert lease.holder["pilot"] == "a" and lease.requests == []


def test_a_request_without_an_answer_is_granted_after_ten_seconds(lease, clock):
    lease.act("b", "request", "pilot")
    clock.now += 9.99
    assert lease.expire() == []
    clock.now += 0.01
    assert lease.expire() == [SeatChange("pilot", "b", "no answer", "b")]


def test_the_second_in_line_waits_for_its_own_ten_seconds_against_the_new_holder(lease, clock):
    lease.act("b", "request", "pilot")
    clock.now += 5.0
    lease.act("c", "request", "pilot")
    clock.now += 5.0
    lease.expire()
    assert lease.holder["pilot"] == "b" and lease.expire() == []
    clock.now += 5.0
    lease.expire()
    assert lease.holder["pilot"] == "c"


def test_the_seat_of_a_pilot_whose_link_is_lost_goes_to_who_asks(lease):
    assert lease.expire(pilot_lost=True) == []  # nobody asked: it may come back
    lease.act("b", "request", "pilot")
    assert lease.expire(pilot_lost=True) == [SeatChange("pilot", "b", "link lost", "b")]


def test_a_lost_pilot_does_not_give_away_the_instructors_seat(lease):
    lease.act("b", "take", "instructor")
    lease.act("c", "request", "instructor")
    lease.expire(pilot_lost=True)
    assert lease.holder["instructor"] == "b"


def test_a_seat_that_is_given_up_goes_to_who_waits_or_is_free(lease):
    assert lease.act("a", "release", "pilot") == [SeatChange("pilot", None, "released", "a")]
    lease.act("b", "take", "pilot")
    lease.act("c", "request", "pilot")
    assert lease.leave("b") == [SeatChange("pilot", None, "left", "b"), SeatChange("pilot", "c", "next", "c")]


def test_a_request_for_a_free_seat_needs_no_answer(lease):
    lease.act("a", "release", "pilot")
    lease.act("b", "request", "pilot")
    assert lease.holder["pilot"] == "b"


def test_who_leaves_does_not_wait_any_more(lease):
    lease.act("b", "request", "pilot")
    lease.leave("b")
    assert lease.requests == [] and lease.clients == ["a", "c"]


def test_a_request_can_be_withdrawn(lease):
    lease.act("b", "request", "pilot")
    assert lease.act("b", "release", "pilot") == [SeatChange("pilot", "a", "withdrawn", "b")]
    assert lease.requests == []


def test_an_instructor_who_becomes_pilot_leaves_the_other_seat(lease):
    lease.act("b", "take", "instructor")
    lease.act("b", "request", "pilot")
    lease.act("a", "grant", "pilot")
    assert lease.holder == {"pilot": "b", "instructor": None}


def test_who_is_left_alone_has_the_controls(lease):
    lease.leave("c")
    assert lease.leave("a") == [SeatChange("pilot", None, "left", "a"), SeatChange("pilot", "b", "alone", "b")]


def test_an_instructor_who_is_left_alone_stays_what_he_is(lease):
    lease.act("b", "take", "instructor")
    lease.leave("c")
    lease.leave("a")
    assert lease.holder == {"pilot": None, "instructor": "b"}


def test_a_newcomer_does_not_become_pilot_while_others_watch(lease):
    lease.act("a", "release", "pilot")
    assert lease.join("d") == []
    assert lease.holder["pilot"] is None


@pytest.mark.parametrize(
    ("client", "do", "to", "message"),
    [
        ("b", "take", None, "seat is 'pilot'; another client has it; expected a request"),
        ("b", "release", None, "you do not have it"),
        ("b", "grant", "c", "you do not have it"),
        ("b", "refuse", None, "you do not have it"),
        ("a", "grant", None, "no client requests it"),
        ("a", "grant", "c", "no client requests it"),
        ("a", "request", None, "you have it already"),
        ("a", "take", None, "you have it already"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(lease, client, do, to, message):
    with pytest.raises(CommandError, match=message):
        lease.act(client, do, "pilot", to)
    assert lease.holder["pilot"] == "a"


def test_a_grant_names_a_client_with_a_request(lease):
    lease.act("b", "request", "pilot")
    with pytest.raises(CommandError, match="requests the seat pilot is 'c'; expected one of b"):
        lease.act("a", "grant", "pilot", "c")


def test_nobody_asks_twice(lease):
    lease.act("b", "request", "pilot")
    with pytest.raises(CommandError, match="asked already"):
        lease.act("b", "request", "pilot")


def test_who_may_order_what(lease):
    assert lease.may_order("a", False) == "" and lease.may_order("a", True) == ""  # nobody is instructor
    assert "pilot" in lease.may_order("b", False) and "instructor" in lease.may_order("b", True)
    lease.act("b", "take", "instructor")
    assert lease.may_order("b", True) == ""
    assert "instructor" in lease.may_order("a", True) and "pilot" in lease.may_order("b", False)


steps = st.tuples(
    st.sampled_from("abcde"),
    st.sampled_from(["join", "leave", "request", "release", "grant", "refuse", "take", "expire", "lost"]),
    st.sampled_from(ROLES),
    st.sampled_from([None, *"abcde"]),
    st.floats(0.0, 12.0),
)


@given(st.lists(steps, max_size=40))
def test_whatever_is_done_seats_have_holders_who_are_there(done):
    clock = Clock()
    lease = Seats(clock)
    for client, do, role, to, wait in done:
        clock.now += wait
        here = client in lease.clients
        try:
            if do == "join" and not here:
                lease.join(client)
            elif do == "leave" and here:
                lease.leave(client)
            elif do in ("expire", "lost"):
                lease.expire(do == "lost")
            elif here and do != "join":
                lease.act(client, do, role, to)
        except CommandError:
            pass
        seated = [holder for holder in lease.holder.values() if holder is not None]
        assert len(set(seated)) == len(seated) and set(seated) <= set(lease.clients)
        requests = [(request.client, request.role) for request in lease.requests]
        assert len(set(requests)) == len(requests) and {client for client, _ in requests} <= set(lease.clients)
        assert all(lease.holder[role] not in (None, client) for client, role in requests)
