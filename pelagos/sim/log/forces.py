"""Force terms of a log: their wrenches over time (`ForceLog`) and at one instant (`ForceTable`).

A wrench is X Y Z K M N at the body origin, in body axes, N and N m.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.errors import PelagosError

Array = NDArray[np.float64]

WRENCH = ("X_N", "Y_N", "Z_N", "K_N_m", "M_N_m", "N_N_m")  # column endings of one force term
NO_FORCES = (
    "this log holds no forces: a file gets them on request only; "
    "run again with forces=True, or in a scenario with forces = true under [output]"
)


class LogError(PelagosError):
    """A log that cannot be read or written, or whose columns are inconsistent."""


class ColumnError(PelagosError, KeyError):
    """A column or force term that the log does not have."""


class ForceTable(Mapping[str, Array]):
    """One wrench (X Y Z K M N, body axes, N and N m) for each force term; its text is a table."""

    def __init__(self, rows: Mapping[str, Array]) -> None:
        self._rows = dict(rows)

    def __getitem__(self, term: str) -> Array:
        return self._rows[known(term, self._rows, "force term")]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def total(self) -> Array:
        """Sum over the terms, (6,)."""
        return np.sum(list(self._rows.values()), axis=0) if self._rows else np.zeros(6)

    def __str__(self) -> str:
        rows = [*self._rows.items(), ("total", self.total)]
        width = max(len("term"), *(len(name) for name, _ in rows))
        head = f"{'term':<{width}}" + "".join(f"{unit:>11}" for unit in WRENCH)
        # adding 0.0 turns a rounded -0.000 into 0.000
        body = [f"{name:<{width}}" + "".join(f"{round(x, 3) + 0.0:11.3f}" for x in row) for name, row in rows]
        return "\n".join([head, *body])

    __repr__ = __str__


class ForceLog(Mapping[str, Array]):
    """The wrench of every force term over time: `forces["thrusters"]` is (n, 6), X Y Z K M N in body axes.

    It is empty if the forces were not recorded; reading a term is then an error that explains how to record them.
    """

    def __init__(self, time_s: Array, wrenches: Mapping[str, Array]) -> None:
        self._time_s = time_s
        self._wrenches = dict(wrenches)

    def __getitem__(self, term: str) -> Array:
        if not self._wrenches:
            raise ColumnError(NO_FORCES)
        return self._wrenches[known(term, self._wrenches, "force term")]

    def __contains__(self, term: object) -> bool:
        return term in self._wrenches

    def __iter__(self) -> Iterator[str]:
        return iter(self._wrenches)

    def __len__(self) -> int:
        return len(self._wrenches)

    def __repr__(self) -> str:
        return f"ForceLog of {len(self._time_s)} samples: {', '.join(self.terms) or 'no terms'}"

    @property
    def terms(self) -> tuple[str, ...]:
        """Names of the force terms, in the order of the equation of motion."""
        return tuple(self._wrenches)

    def total(self) -> Array:
        """Sum over the terms, (n, 6)."""
        if not self._wrenches:
            raise LogError(NO_FORCES)
        return np.sum(list(self._wrenches.values()), axis=0)

    def mean(self, start_s: float = -np.inf, end_s: float = np.inf) -> ForceTable:
        """Mean wrench of each term between two times, both included."""
        if not self._wrenches:
            raise LogError(NO_FORCES)
        inside = (self._time_s >= start_s) & (self._time_s <= end_s)
        if not inside.any():
            message, key = "the log has no sample in this interval", "interval of forces.mean"
            raise LogError(message, key=key, value=(float(start_s), float(end_s)))
        return ForceTable({term: wrench[inside].mean(axis=0) for term, wrench in self._wrenches.items()})


def column_names(columns: Mapping[str, Any] | Sequence[str], terms: Sequence[str]) -> tuple[str, ...]:
    """Names of the columns followed by the six of each force term."""
    return (*columns, *(f"{term}_{unit}" for term in terms for unit in WRENCH))


def split_names(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """The inverse of `column_names`: plain columns, and the terms of the trailing groups of six."""
    plain = list(names)
    terms: list[str] = []
    while len(plain) >= 6:
        term = plain[-6].removesuffix("_X_N")
        if tuple(plain[-6:]) != column_names((), (term,)):
            break
        terms.insert(0, term)
        del plain[-6:]
    return plain, terms


def known(name: str, names: Mapping[str, Any] | Sequence[str], kind: str) -> str:
    """`name` if it is one of `names`, otherwise a ColumnError that suggests the nearest."""
    if name in names:
        return name
    error = ColumnError(f"the log has no {kind}", value=name, names=names)
    some = ", ".join(list(names)[:12])  # not all: a log has hundreds of columns
    raise error if error.suggestion else error.at(expected=f"a name such as {some}")
