"""Numbers of all contacts in one array, so that where they are at a time costs one sum over columns, not a call each.

A row is a contact, in the order they came. Only places are reckoned here, to find out which contacts are near enough to
matter; what an instrument meets is reckoned for itself (`Contact.at`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pelagos.sim.dead_reckoning import reckon_places

if TYPE_CHECKING:
    from pelagos.sim.contacts import Contact

Array = NDArray[np.float64]
ALGORITHM, TIME, RADIUS = 0, 1, 2
POSITION, QUATERNION, VELOCITY = slice(3, 6), slice(6, 10), slice(10, 13)
ACCELERATION, RATES = slice(13, 16), slice(16, 19)
WIDTH = 19
FIRST = 16  # rows to begin with


class ContactTable:
    """Rows that come and go."""

    def __init__(self) -> None:
        self._rows = np.zeros((FIRST, WIDTH))
        self._n = 0

    def __len__(self) -> int:
        """How many rows."""
        return self._n

    def add(self, contact: Contact) -> None:
        """A row at the end."""
        if self._n == len(self._rows):
            self._rows = np.concatenate([self._rows, np.zeros_like(self._rows)])
        self._n += 1
        self.put(self._n - 1, contact)

    def put(self, row: int, contact: Contact) -> None:
        """Other numbers in a row."""
        values = self._rows[row]
        values[ALGORITHM], values[TIME] = contact.algorithm, contact.time_s
        values[RADIUS] = 0.5 * max(contact.length_m, contact.beam_m, contact.height_m)
        values[POSITION], values[QUATERNION] = contact.position_m, contact.quaternion
        values[VELOCITY], values[ACCELERATION] = contact.velocity_m_s, contact.acceleration_m_s2
        values[RATES] = contact.rates_rad_s

    def remove(self, row: int) -> None:
        """Take one away; those behind it move up."""
        self._rows[row : self._n - 1] = self._rows[row + 1 : self._n]
        self._n -= 1

    def clear(self) -> None:
        """Take all away."""
        self._n = 0

    def spheres(self, time_s: float) -> Array:
        """Middle (NED, m) and radius of the sphere about each contact at a simulated time, (n, 4)."""
        rows = self._rows[: self._n]
        found = np.empty((self._n, 4))
        found[:, :3] = reckon_places(
            rows[:, ALGORITHM], time_s - rows[:, TIME], rows[:, POSITION], rows[:, QUATERNION], rows[:, VELOCITY],
            rows[:, ACCELERATION], rows[:, RATES],
        )  # fmt: skip
        found[:, 3] = rows[:, RADIUS]
        return found
