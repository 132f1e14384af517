"""The cross-flow strips of a vehicle file: stations, quadrature weights and drag coefficients.

The published programs differ in how they sum over stations; `rule` keeps each sum as it was:
trapezoid (half weight at the ends), left (each station stands for the gap after it), full_ends (every station has
the same weight, so the ends count in full) and midpoint (stations in the middle of equal strips).
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pelagos.errors import PelagosError
from pelagos.vehicle.ledger import Ledger
from pelagos.vehicle.load_hydro import hull_profile
from pelagos.vehicle.read import Table
from pelagos.vehicle.spec import Crossflow, ReferenceWater

Array = NDArray[np.float64]


def crossflow(root: Table, water: ReferenceWater, length_m: float, ledger: Ledger) -> Crossflow | None:
    """The strips of [crossflow]; from [geometry] or [[shape]] where the file gives no profile; None without it."""
    table = root.tables.get("crossflow")
    if table is None:
        return None
    if "x" not in table and "height" not in table:
        return _derived(root, table, water, length_m, ledger)
    x = _stations(table, length_m)
    height = _column(table, "height", len(x))
    if height is None:
        table.fail("x", "needs height_m beside it")
    breadth = _column(table, "breadth", len(x))
    curve = _curve(table, water)
    cd_y = _column(table, "cd_y", len(x))
    cd_z = _column(table, "cd_z", len(x))
    if curve and (cd_y is not None or cd_z is not None):
        table.fail("cd_y" if cd_y is not None else "cd_z", "a curve of cd stands beside it; keep one")
    if curve:
        cd_y = cd_z = np.ones(len(x))
    elif cd_y is None and cd_z is None:
        table.fail("cd_y", "is missing; give cd_y and cd_z, cd_curve or cd_of_reynolds")
    cd_y, cd_z = (cd_z if cd_y is None else cd_y), (cd_y if cd_z is None else cd_z)
    assert cd_y is not None and cd_z is not None
    own = table.get("density", water.density_kg_m3) / water.density_kg_m3
    return Crossflow(
        x_m=_floats(x), height_m=_floats(height), breadth_m=_floats(height if breadth is None else breadth),
        weight_m=_floats(_weights(table, x)), cd_y=_floats(cd_y * own), cd_z=_floats(cd_z * own),
        flow=table.get("flow", "coupled"), guard_m_s=table.get("guard", 0.0), curve=curve,
    )  # fmt: skip


def _stations(table: Table, length_m: float) -> Array:
    if "x" in table:
        for name in ("from", "to"):
            if name in table:
                table.fail(name, "belongs to n_stations, but x is given")
        x = np.array(table.get("x"))
        if len(x) < 2 or not (np.diff(x) > 0).all():
            table.fail("x", "must ascend, with two stations or more")
        return x
    if "n_stations" not in table:
        table.fail("n_stations", "is missing; give it or the list x_m")
    count = table.get("n_stations")
    start, end = table.get("from", -0.5 * length_m), table.get("to", 0.5 * length_m)
    if not end > start:
        table.fail("to" if "to" in table else "from", f"stations go from {start:g} to {end:g} m; must ascend")
    if count < 2:
        table.fail("n_stations", "must be 2 or more")
    if table.get("rule") == "midpoint":
        half = 0.5 * (end - start) / count
        return np.linspace(start + half, end - half, count)
    return np.linspace(start, end, count)


def _weights(table: Table, x: Array) -> Array:
    rule = table.get("rule", "trapezoid")
    gaps = np.diff(x)
    if rule == "left":
        return np.append(gaps, 0.0)
    if rule in ("full_ends", "midpoint"):
        if not np.allclose(gaps, gaps[0], rtol=1e-6):
            table.fail("rule", "needs evenly spaced stations")
        return np.full(len(x), gaps.mean())
    return 0.5 * (np.append(gaps, 0.0) + np.append(0.0, gaps))


def _column(table: Table, name: str, count: int) -> Array | None:
    """One number for all stations or one for each."""
    value = table.get(name)
    if value is None:
        return None
    column = np.atleast_1d(np.array(value, dtype=float))
    if len(column) not in (1, count) or (isinstance(value, tuple) and len(column) != count):
        table.fail(name, f"has {len(column)} entries, expected one for each of the {count} stations")
    return np.broadcast_to(column, count).copy()


def _curve(table: Table, water: ReferenceWater) -> tuple[tuple[float, float], ...]:
    name = "cd_of_reynolds" if "cd_of_reynolds" in table else "cd_curve"
    rows = table.get(name, ())
    if any(b[0] < a[0] for a, b in pairwise(rows)):
        table.fail(name, "must ascend in its first column")
    if any(row[0] < 0 or row[1] < 0 for row in rows):
        table.fail(name, "must not be negative")
    if name == "cd_curve":
        return tuple((row[0], row[1]) for row in rows)
    if "reynolds_length" not in table:
        table.fail(name, "needs reynolds_length_m beside it")
    speed = water.viscosity_m2_s / table.get("reynolds_length")
    return tuple((row[0] * speed, row[1]) for row in rows)


def _derived(root: Table, table: Table, water: ReferenceWater, length_m: float, ledger: Ledger) -> Crossflow:
    """Strips of the profile in [[shape]] stations, or of a cylinder of length and diameter."""
    from pelagos.vehicle.derive import crossflow_from_hull  # only where a file asks for an estimate

    geometry = root.table("geometry")
    stations, center = hull_profile(root)
    diameter = geometry.get("diameter")
    if not length_m or diameter is None:
        table.fail("height", "is missing; give x_m, height_m and breadth_m, or length_m and diameter_m in [geometry]")
    try:
        strips, how = crossflow_from_hull(
            length_m=length_m, diameter_m=diameter, viscosity_m2_s=water.viscosity_m2_s, stations=stations,
            center_x_m=center[0], n_stations=table.get("n_stations", 21),
            cd=1.0 if "cd_y" in table or "cd_z" in table else None,
        )  # fmt: skip
    except PelagosError as problem:
        table.fail("n_stations", str(problem))
    ledger.derived("crossflow.stations", len(strips.x_m), "", how)
    count = len(strips.x_m)
    curve = _curve(table, water)
    cd_y, cd_z = _column(table, "cd_y", count), _column(table, "cd_z", count)
    own = table.get("density", water.density_kg_m3) / water.density_kg_m3
    if curve:
        strips = replace(strips, curve=curve, cd_y=(1.0,) * count, cd_z=(1.0,) * count)
    elif cd_y is not None or cd_z is not None:
        first = cd_y if cd_y is not None else cd_z
        second = cd_z if cd_z is not None else cd_y
        assert first is not None and second is not None
        strips = replace(strips, cd_y=_floats(first), cd_z=_floats(second))
    return replace(
        strips, flow=table.get("flow", "coupled"), guard_m_s=table.get("guard", 0.0),
        cd_y=tuple(own * cd for cd in strips.cd_y), cd_z=tuple(own * cd for cd in strips.cd_z),
    )  # fmt: skip


def _floats(values: Array) -> tuple[float, ...]:
    return tuple(float(value) for value in values)
