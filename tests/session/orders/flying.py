"""A flight that the tests of orders share, and its state by column."""

import pytest

from pelagos.session.flight import Flight


@pytest.fixture(scope="module")
def flying(tmp_path_factory):
    flight = Flight("bluerov2_heavy", "royer_field", tether=True, record_dir=tmp_path_factory.mktemp("tapes"))
    yield flight
    flight.close()


@pytest.fixture
def flight(flying):
    flying.order("reset", {})
    flying.take_events()
    return flying


def state(flight, ticks=1):
    for _ in range(ticks):
        flight.tick()
    return dict(zip(flight.columns, flight.state().tolist(), strict=True))
