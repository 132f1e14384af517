"""Where the numbers of a vehicle come from, and the figures that they must meet."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Fact:
    """Where one number of the vehicle came from."""

    path: str  # key in the file, such as "body.mass_kg" or "hydro.coefficients.Y_uv"
    value: object  # as written in the file (or as derived)
    unit: str
    source: str = ""
    confidence: str = ""
    note: str = ""
    how: str = ""  # for derived numbers: the formula in words


@dataclass(frozen=True)
class Source:
    """One document or data set a vehicle file cites."""

    key: str
    cite: str
    licence: str = ""


@dataclass(frozen=True)
class Check:
    """A published or closed-form figure that the vehicle must meet."""

    id: str
    kind: str  # measured | published | published-sim | reference-run | datasheet | analytic | operator-calibration
    what: str
    value: float | tuple[float, ...]
    unit: str
    tolerance: float  # relative
    source: str = ""
    note: str = ""
    known: str = ""  # why the figure is known not to be met; empty for all others
    test: str = ""  # name of the automatic procedure (see vehicle/evidence.py), empty if only documented
    setup: dict[str, object] = field(default_factory=dict)  # parameters of that procedure
