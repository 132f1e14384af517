"""Fixtures for tests of the MAVLink vehicle."""

import pytest

from tests.links.mavlink.deck import Deck


@pytest.fixture(scope="module")
def deck():
    """One for all tests of a file: compiling and building it takes longer than most of them."""
    with Deck() as made:
        yield made
