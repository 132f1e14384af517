"""Fixtures for tests of an exercise."""

import pytest

from pelagos.links.dis.exercise import Exercise
from tests.links.dis.afloat import Afloat, Clock, Peer
from tests.links.dis.at_sea import Sea, simulation


@pytest.fixture
def sea():
    """A vehicle, an exercise on a clock turned by hand, and another program."""
    messages, clock = [], Clock()
    with Peer() as peer:
        session = Afloat(simulation())
        exercise = Exercise(f"127.0.0.1:{peer.port}", report=messages.append, clock=clock)
        exercise.begin(session)
        try:
            yield Sea(session, exercise, peer, clock, messages)
        finally:
            exercise.close()
