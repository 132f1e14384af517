"""Things in the world that somebody else moves: ships, submarines and robots that other programs tell of.

A contact is what was last heard of one: where it was, how it moved, how large it is. Between two messages it is dead
reckoned (`dead_reckoning`), and it is gone when nothing was heard for too long. Contacts are drawn and are seen by
sonar (`crowd`); they are not solid, and do not move the water.

Numbers of all contacts in one array, so that where they are at a time costs one sum over columns, not a call each.

A row is a contact, in the order they came. Only places are reckoned here, to find out which contacts are near enough to
matter; what an instrument meets is reckoned for itself (`Contact.at`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pelagos.checks import number, numbers
from pelagos.errors import CommandError
from pelagos.sim.dead_reckoning import IN_BODY_AXES, check_algorithm, reckon, reckon_places, turned

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


# ---- contacts --------------------------------------------------------------------------------------------------------


MOST = 1000
FAR_M = 1e7  # the tangent plane means nothing so far out
FAST_M_S = 1e4
SIZES_M = (0.01, 2000.0)
TEXT = 64  # longest key, name or kind
UNIT = 1e-3  # how far a quaternion may be from length 1 before it is taken for a mistake


@dataclass(frozen=True, eq=False)
class Contact:
    """What was last heard of one thing.

    key                its identity; a later contact of the same key takes its place
    name, kind         for people: "Point Sur", "ship"
    length_m ...       of the ellipsoid about `position_m` that stands for it; x, y and z of its body
    position_m         north, east, down
    quaternion         body to NED, scalar first
    velocity_m_s       NED for dead reckoning 1 to 5, body axes for 6 to 9; `velocity_n` is NED for all
    acceleration_m_s2  in the axes of the velocity
    rates_rad_s        body axes
    algorithm          of dead reckoning, 1 to 9
    time_s             simulated time for which all this holds
    expires_s          simulated time after which it is gone
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
        """Refuse what cannot be; each sentence names the key."""
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
                            ("rates_rad_s", 1e3)):  # fmt: skip
            put(self, field, _three(f"contact {field}", getattr(self, field), most))
        put(self, "quaternion", _attitude(self.quaternion))
        put(self, "algorithm", check_algorithm(self.algorithm))
        put(self, "time_s", number("contact time_s", self.time_s))
        if self.expires_s != math.inf:
            put(self, "expires_s", number("contact expires_s", self.expires_s))

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Contact:
        """From a table of these fields, as an order or a file has it; CommandError with a sentence."""
        known = [field.name for field in fields(cls)]
        for key in values:
            if key not in known:
                raise CommandError(f"a contact has no {key!r}", names=known, misspelt=key)
        for key in ("key", "position_m", "time_s"):
            if key not in values:
                raise CommandError(f"contact {key} is missing", expected="it with every contact")
        return cls(**{key: value for key, value in values.items() if not (key == "expires_s" and value is None)})

    def table(self) -> dict[str, Any]:
        """The same as plain values, which JSON can hold; `of` reads them."""
        table = {field.name: getattr(self, field.name) for field in fields(self)}
        table |= {key: value.tolist() for key, value in table.items() if isinstance(value, np.ndarray)}
        return table | {"expires_s": None if math.isinf(self.expires_s) else self.expires_s}

    @property
    def velocity_n(self) -> Array:
        """Velocity when it was heard of, NED, m/s."""
        if self.algorithm in IN_BODY_AXES:
            return np.array(turned(self.quaternion, self.velocity_m_s))
        return self.velocity_m_s

    def at(self, time_s: float) -> PredictedContact:
        """Where it is at a simulated time, dead reckoned."""
        place, attitude = reckon(
            self.algorithm, time_s - self.time_s, self.position_m, self.quaternion, self.velocity_m_s,
            self.acceleration_m_s2, self.rates_rad_s,
        )  # fmt: skip
        return PredictedContact(self, place, attitude)


class PredictedContact(NamedTuple):
    """A contact and where it is now."""

    contact: Contact
    position_n: Array
    quaternion: Array


class Contacts:
    """All contacts of a world, in the order they came."""

    most = MOST

    def __init__(self) -> None:
        self._contacts: dict[str, Contact] = {}
        self._row: dict[str, int] = {}  # of the table
        self._table = ContactTable()
        self._reckoned: tuple[float, list[PredictedContact]] | None = None
        self._spheres: tuple[float, Array] | None = None
        self._names: tuple[str, ...] | None = None
        self._first_out_s = math.inf  # no contact goes before

    def __len__(self) -> int:
        """How many."""
        return len(self._contacts)

    def __iter__(self) -> Iterator[Contact]:
        """As they were last heard of."""
        return iter(self._contacts.values())

    def __contains__(self, key: object) -> bool:
        """Whether there is one of this key."""
        return key in self._contacts

    def put(self, contact: Contact) -> None:
        """A new one, or news of a known one; CommandError where there are too many."""
        if contact.key not in self._contacts and len(self._contacts) >= self.most:
            raise CommandError(f"there are {self.most} contacts already; {contact.key} is one too many")
        before = self._contacts.get(contact.key)
        self._contacts[contact.key] = contact
        if before is None:
            self._row[contact.key] = len(self._table)
            self._table.add(contact)
        else:
            self._table.put(self._row[contact.key], contact)
        if before is None or before.name != contact.name:
            self._names = None
        self._first_out_s = min(self._first_out_s, contact.expires_s)
        self._reckoned = self._spheres = None

    def remove(self, key: str) -> bool:
        """Take one away; whether it was there."""
        if self._contacts.pop(key, None) is None:
            return False
        self._table.remove(self._row[key])
        self._row = {one: row for row, one in enumerate(self._contacts)}
        self._reckoned = self._spheres = self._names = None
        return True

    def clear(self) -> None:
        """Take all away."""
        self._contacts.clear()
        self._row.clear()
        self._table.clear()
        self._reckoned = self._spheres = self._names = None
        self._first_out_s = math.inf

    def expire(self, time_s: float) -> list[str]:
        """Take away what was not heard of for too long; their keys."""
        if time_s <= self._first_out_s:
            return []
        gone = [key for key, contact in self._contacts.items() if time_s > contact.expires_s]
        for key in gone:
            self.remove(key)
        self._first_out_s = min((contact.expires_s for contact in self), default=math.inf)
        return gone

    def at(self, time_s: float) -> list[PredictedContact]:
        """Where all are at a simulated time; reckoned once for everybody who asks."""
        if self._reckoned is None or self._reckoned[0] != time_s:
            self._reckoned = time_s, [contact.at(time_s) for contact in self]
        return self._reckoned[1]

    def spheres(self, time_s: float) -> Array:
        """Middle and radius of the sphere about each, (n, 4), at a simulated time: little work, however many."""
        if self._spheres is None or self._spheres[0] != time_s:
            self._spheres = time_s, self._table.spheres(time_s)
        return self._spheres[1]

    @property
    def names(self) -> tuple[str, ...]:
        """What people call them; the key of one without a name."""
        if self._names is None:
            self._names = tuple(contact.name or contact.key for contact in self)
        return self._names

    def save(self) -> tuple[Contact, ...]:
        """Everything that changes."""
        return tuple(self)

    def restore(self, saved: tuple[Contact, ...]) -> None:
        """Back to what was saved."""
        self.clear()
        for contact in saved:
            self.put(contact)


def _three(what: str, value: object, most: float) -> Array:
    vector = np.zeros(3) if value is None else numbers(what, value, 3).copy()
    if float(np.abs(vector).max()) > most:
        raise CommandError(key=what, value=vector.tolist(), expected=f"numbers within +-{most:g}")
    return vector


def _attitude(value: object) -> Array:
    q = np.array([1.0, 0.0, 0.0, 0.0]) if value is None else numbers("contact quaternion", value, 4)
    length = float(np.linalg.norm(q))
    if abs(length - 1.0) > UNIT:
        raise CommandError(f"contact quaternion has length {length:g}", expected="1")
    return q / length
