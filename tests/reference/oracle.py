"""Reading the stored reference data in tests/data: tables of named columns."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from .kinematics import Array

DATA = Path(__file__).resolve().parent.parent / "data"
RATES = ("udot", "vdot", "wdot", "pdot", "qdot", "rdot")


class Table:
    """A CSV file with a header; columns by name, several at once as an (n, k) array."""

    def __init__(self, *path: str) -> None:
        with DATA.joinpath(*path).open(newline="") as file:
            rows = list(csv.reader(file))
        self.names = rows[0]
        self.values = np.array(rows[1:], float)

    def __getitem__(self, names: str | tuple[str, ...] | list[str]) -> Array:
        if isinstance(names, str):
            return self.values[:, self.names.index(names)]
        return self.values[:, [self.names.index(name) for name in names]]

    def __len__(self) -> int:
        return len(self.values)


def matrix(*path: str) -> Array:
    """A CSV file without a header: a matrix."""
    return np.loadtxt(DATA.joinpath(*path), delimiter=",")


def relative_error(computed: Array, expected: Array) -> float:
    """Largest difference of a row over the largest entry of that row, the worst row."""
    scale = np.abs(expected).max(axis=-1, keepdims=True)
    return float((np.abs(computed - expected) / np.where(scale > 0.0, scale, 1.0)).max())
