"""Contacts: ships, submarines and robots that other programs report and move.

A contact holds the last report of one object: position, motion and size. Between two reports its position is dead
reckoned (`pelagos.dead_reckoning`); without a report it expires. The console draws contacts and sonar detects them
(`moving_obstacles`); they are not solid and do not disturb the water.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pelagos.checks import known_key, needed, number, numbers
from pelagos.dead_reckoning import IN_BODY_AXES, body_to_world, check_algorithm, reckon, reckon_positions
from pelagos.errors import CommandError

Array = NDArray[np.float64]
MOST = 1000  # contacts at most: bounds the memory that another program can claim (a choice)
FAR_M = 1e7  # about the earth's quadrant: the tangent plane of the world is meaningless beyond
FAST_M_S = 1e4  # above any vehicle; catches wrong units
FAST_RAD_S = 1e3  # 160 turns a second; catches wrong units
SIZES_M = (0.01, 2000.0)  # smaller than any vehicle, longer than any ship; catches wrong units
TEXT = 64  # longest key, name or kind
UNIT = 1e-3  # largest error of the length of a quaternion before it counts as a mistake

# Columns of the table of contacts.
ALGORITHM, TIME, RADIUS = 0, 1, 2
POSITION, QUATERNION, VELOCITY = slice(3, 6), slice(6, 10), slice(10, 13)
ACCELERATION, RATES = slice(13, 16), slice(16, 19)
WIDTH = 19  # columns in all
FIRST_ROWS = 16  # rows of a new table, which doubles when it is full


class ContactTable:
    """The numbers of all contacts as one array, a row each, so that all positions are predicted in one operation.

    Only positions are predicted here, to find the contacts within range; `Contact.at` also gives the attitude.
    """

    def __init__(self) -> None:
        self._rows = np.zeros((FIRST_ROWS, WIDTH))
        self._n = 0

    def __len__(self) -> int:
        """Number of contacts."""
        return self._n

    def add(self, contact: Contact) -> None:
        """Append a row."""
        if self._n == len(self._rows):
            self._rows = np.concatenate([self._rows, np.zeros_like(self._rows)])
        self._n += 1
        self.put(self._n - 1, contact)

    def put(self, row: int, contact: Contact) -> None:
        """Overwrite a row."""
        values = self._rows[row]
        values[ALGORITHM], values[TIME] = contact.algorithm, contact.time_s
        values[RADIUS] = 0.5 * max(contact.length_m, contact.beam_m, contact.height_m)
        values[POSITION], values[QUATERNION] = contact.position_m, contact.quaternion
        values[VELOCITY], values[ACCELERATION] = contact.velocity_m_s, contact.acceleration_m_s2
        values[RATES] = contact.rates_rad_s

    def remove(self, row: int) -> None:
        """Remove a row; later rows move up by one."""
        self._rows[row : self._n - 1] = self._rows[row + 1 : self._n]
        self._n -= 1

    def clear(self) -> None:
        """Remove all rows."""
        self._n = 0

    def spheres(self, time_s: float) -> Array:
        """Centre (NED, m) and radius of the bounding sphere of each contact at a simulated time, (n, 4)."""
        rows = self._rows[: self._n]
        result = np.empty((self._n, 4))
        result[:, :3] = reckon_positions(
            rows[:, ALGORITHM], time_s - rows[:, TIME], rows[:, POSITION], rows[:, QUATERNION], rows[:, VELOCITY],
            rows[:, ACCELERATION], rows[:, RATES],
        )  # fmt: skip
        result[:, 3] = rows[:, RADIUS]
        return result


@dataclass(frozen=True, eq=False)
class Contact:
    """The last report of one object.

    key                its identity; a later contact with the same key replaces it
    name, kind         for people: "Point Sur", "ship"
    length_m ...       axes of the ellipsoid about `position_m` that represents it; x, y and z of its body
    position_m         north, east, down
    quaternion         body to NED, scalar first
    velocity_m_s       NED for dead reckoning 1 to 5, body axes for 6 to 9; `velocity_n` is NED for all
    acceleration_m_s2  in the axes of the velocity
    rates_rad_s        body axes
    algorithm          of dead reckoning, 1 to 9
    time_s             simulated time of the report
    expires_s          simulated time after which the contact is removed
    """

    key: str
    position_m: Array
    time_s: float
    name: str = ""
    kind: str = ""
    length_m: float = 1.0
    beam_m: float = 1.0
    height_m: float = 1.0
    # None in the constructor stands for upright and at rest; __post_init__ replaces it, so readers get arrays
    quaternion: Array = None  # type: ignore[assignment]
    velocity_m_s: Array = None  # type: ignore[assignment]
    acceleration_m_s2: Array = None  # type: ignore[assignment]
    rates_rad_s: Array = None  # type: ignore[assignment]
    algorithm: int = 1
    expires_s: float = math.inf

    def __post_init__(self) -> None:
        """Check and convert every field."""
        put = object.__setattr__  # values as checked: the record is frozen once this method ends
        if not isinstance(self.key, str) or not 0 < len(self.key) <= TEXT:
            raise CommandError(key="contact key", value=self.key, expected=f"1 to {TEXT} characters")
        for field in ("name", "kind"):
            value = getattr(self, field)
            if not isinstance(value, str) or len(value) > TEXT:
                raise CommandError(key=f"contact {field}", value=value, expected=f"at most {TEXT} characters")
        for field in ("length_m", "beam_m", "height_m"):
            put(self, field, number(f"contact {field}", getattr(self, field), *SIZES_M))
        for field, most in (("position_m", FAR_M), ("velocity_m_s", FAST_M_S), ("acceleration_m_s2", FAST_M_S),
                            ("rates_rad_s", FAST_RAD_S)):  # fmt: skip
            put(self, field, _vector(f"contact {field}", getattr(self, field), most))
        put(self, "quaternion", _attitude(self.quaternion))
        put(self, "algorithm", check_algorithm(self.algorithm))
        put(self, "time_s", number("contact time_s", self.time_s))
        if self.expires_s != math.inf:
            put(self, "expires_s", number("contact expires_s", self.expires_s))

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Contact:
        """The contact of a table of these fields, as an order or a file has them; CommandError if it is invalid."""
        known = [field.name for field in fields(cls)]
        for key in values:
            known_key("a contact", key, known)
        needed("a contact", values, "key", "position_m", "time_s")
        return cls(**{key: value for key, value in values.items() if not (key == "expires_s" and value is None)})

    def table(self) -> dict[str, Any]:
        """The fields as plain values for JSON; the inverse of `of`."""
        table = {field.name: getattr(self, field.name) for field in fields(self)}
        table |= {key: value.tolist() for key, value in table.items() if isinstance(value, np.ndarray)}
        return table | {"expires_s": None if math.isinf(self.expires_s) else self.expires_s}

    @property
    def velocity_n(self) -> Array:
        """Velocity at the time of the report, NED, m/s."""
        if self.algorithm in IN_BODY_AXES:
            return np.array(body_to_world(self.quaternion, self.velocity_m_s))
        return self.velocity_m_s

    def at(self, time_s: float) -> PredictedContact:
        """Predicted position and attitude at a simulated time."""
        place, attitude = reckon(
            self.algorithm, time_s - self.time_s, self.position_m, self.quaternion, self.velocity_m_s,
            self.acceleration_m_s2, self.rates_rad_s,
        )  # fmt: skip
        return PredictedContact(self, place, attitude)


class PredictedContact(NamedTuple):
    """A contact with its predicted position and attitude."""

    contact: Contact
    position_n: Array
    quaternion: Array


class Contacts:
    """All contacts of a world, in the sequence of their first reports."""

    most = MOST

    def __init__(self) -> None:
        self._contacts: dict[str, Contact] = {}
        self._row: dict[str, int] = {}  # key -> row of the table
        self._table = ContactTable()
        # Predictions are cached for one time: several sensors and links read them at each tick.
        self._predicted: tuple[float, list[PredictedContact]] | None = None
        self._spheres: tuple[float, Array] | None = None
        self._names: tuple[str, ...] | None = None
        self._next_expiry_s = math.inf

    def __len__(self) -> int:
        """Number of contacts."""
        return len(self._contacts)

    def __iter__(self) -> Iterator[Contact]:
        """Iterate over the last reports."""
        return iter(self._contacts.values())

    def __contains__(self, key: object) -> bool:
        """Whether there is a contact with this key."""
        return key in self._contacts

    def put(self, contact: Contact) -> None:
        """Add a contact, or replace the one with its key; CommandError if there are too many."""
        if contact.key not in self._contacts and len(self._contacts) >= self.most:
            expected = f"at most {self.most} contacts"
            raise CommandError("there is no room for contact", value=contact.key, expected=expected)
        before = self._contacts.get(contact.key)
        self._contacts[contact.key] = contact
        if before is None:
            self._row[contact.key] = len(self._table)
            self._table.add(contact)
        else:
            self._table.put(self._row[contact.key], contact)
        if before is None or before.name != contact.name:
            self._names = None
        self._next_expiry_s = min(self._next_expiry_s, contact.expires_s)
        self._predicted = self._spheres = None

    def remove(self, key: str) -> bool:
        """Remove a contact; False if there is none with this key."""
        if self._contacts.pop(key, None) is None:
            return False
        self._table.remove(self._row[key])
        self._row = {other: row for row, other in enumerate(self._contacts)}
        self._predicted = self._spheres = self._names = None
        return True

    def clear(self) -> None:
        """Remove all contacts."""
        self._contacts.clear()
        self._row.clear()
        self._table.clear()
        self._predicted = self._spheres = self._names = None
        self._next_expiry_s = math.inf

    def expire(self, time_s: float) -> list[str]:
        """Remove expired contacts and return their keys."""
        if time_s <= self._next_expiry_s:
            return []
        expired = [key for key, contact in self._contacts.items() if time_s > contact.expires_s]
        for key in expired:
            self.remove(key)
        self._next_expiry_s = min((contact.expires_s for contact in self), default=math.inf)
        return expired

    def at(self, time_s: float) -> list[PredictedContact]:
        """All contacts, predicted at a simulated time."""
        if self._predicted is None or self._predicted[0] != time_s:
            self._predicted = time_s, [contact.at(time_s) for contact in self]
        return self._predicted[1]

    def spheres(self, time_s: float) -> Array:
        """Centre (NED, m) and radius of the bounding sphere of each contact at a simulated time, (n, 4)."""
        if self._spheres is None or self._spheres[0] != time_s:
            self._spheres = time_s, self._table.spheres(time_s)
        return self._spheres[1]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the contacts; the key for one without a name."""
        if self._names is None:
            self._names = tuple(contact.name or contact.key for contact in self)
        return self._names

    def save(self) -> tuple[Contact, ...]:
        """Return all contacts, for `restore`."""
        return tuple(self)

    def restore(self, saved: tuple[Contact, ...]) -> None:
        """Return to saved contacts."""
        self.clear()
        for contact in saved:
            self.put(contact)


def _vector(name: str, value: object, most: float) -> Array:
    vector = np.zeros(3) if value is None else numbers(name, value, 3).copy()
    if float(np.abs(vector).max()) > most:
        raise CommandError(key=name, value=vector.tolist(), expected=f"numbers within +-{most:g}")
    return vector


def _attitude(value: object) -> Array:
    q = np.array([1.0, 0.0, 0.0, 0.0]) if value is None else numbers("contact quaternion", value, 4)
    length = float(np.linalg.norm(q))
    if abs(length - 1.0) > UNIT:
        raise CommandError(key="length of contact quaternion", value=length, expected="1")
    return q / length
