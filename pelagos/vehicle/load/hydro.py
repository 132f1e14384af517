"""Hydrodynamics of a vehicle file: coefficients, added mass, Coriolis terms, lift and drag, cross-flow drag.

The functions read the tables [hydro], [added_mass], [lift_drag] and [crossflow] and return numbers in SI and SNAME
body axes. Where a file holds only the main dimensions, estimates of `pelagos.vehicle.derive` fill in.

Published programs differ in how they sum the cross-flow drag over stations; the key `rule` reproduces each sum:
trapezoid (half weight at the ends), left (a station has the weight of the gap after it), full_ends (every station has
the same weight, so the ends count in full) and midpoint (stations in the middle of equal strips).
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import isclose

import numpy as np
from numpy.typing import NDArray

from pelagos.errors import PelagosError
from pelagos.files.reader import Table
from pelagos.vehicle.load.coefficient_names import (
    DERIVATIVES,
    CoefficientNameError,
    Term,
    apply_u_rule,
    parse_name,
    prime_power,
    si_unit,
)
from pelagos.vehicle.load.keys import LIFT_NAMES
from pelagos.vehicle.load.ledger import Ledger
from pelagos.vehicle.load.mesh import HullMesh
from pelagos.vehicle.spec import (
    AXES,
    VELOCITIES,
    Body,
    Coefficient,
    Crossflow,
    Fade,
    LiftDrag,
    Matrix,
    ReferenceWater,
    Vec3,
)

Array = NDArray[np.float64]
Pair = tuple[int, tuple[str, str]]  # axis, two velocities

# entries of C_A (row, column from 1) that MSS sets to zero for remus100, which removes the Munk moment
MSS_ZEROED = ((5, 3), (3, 5), (5, 1), (1, 5), (6, 1), (1, 6), (6, 2), (2, 6))
SYMMETRY = 1e-6  # relative difference up to which A_ij and A_ji are the same number, rounded


class Polynomial:
    """The hydrodynamic coefficients of a file in SI: force terms and added-mass derivatives."""

    def __init__(self, root: Table, water: ReferenceWater, length_m: float, symbols: tuple[str, ...]) -> None:
        hydro = root.table("hydro")
        self.table = hydro.table("coefficients")
        self.u_rule: str = hydro.get("u_rule", "abs")
        prime = hydro.get("nondimensional", "none") == "prime"
        if prime and not length_m:
            hydro.fail("nondimensional", "needs the length L of [geometry]")
        self.terms: dict[str, Term] = {}
        self.si: dict[str, float] = {}
        self.published: dict[str, float] = {}
        names: dict[tuple[int, tuple[str, ...]], str] = {}
        for name, value in self.table.values.items():
            if value.value is None:
                continue
            try:
                term = parse_name(name, symbols)
            except CoefficientNameError as problem:
                self.table.fail_because(name, problem)
            # Y_uv and Y_vu are one term
            monomial = (term.axis, tuple(sorted(term.factors)) or (DERIVATIVES[term.derivative],))
            if monomial in names:
                self.table.fail(name, f'is the same term as "{names[monomial]}"; keep one')
            names[monomial] = name
            scale = 0.5 * water.density_kg_m3 * length_m ** prime_power(term) if prime else 1.0
            self.terms[name], self.si[name], self.published[name] = term, value.value * scale, value.value

    def uses(self, factor: str) -> str:
        """The first coefficient name with a factor, or ""."""
        return next((name for name, term in self.terms.items() if factor in term.factors), "")

    def derivatives(self) -> dict[tuple[int, int], str]:
        """The names of the added-mass derivatives (X_udot) by their matrix element (row, column)."""
        return {(term.axis, term.derivative): name for name, term in self.terms.items() if term.derivative >= 0}

    def coefficients(self) -> list[Coefficient]:
        """The force terms with the |u| rule applied."""
        return [
            Coefficient(name, term.axis, apply_u_rule(term, self.u_rule), self.si[name], self.published[name])
            for name, term in self.terms.items()
            if term.derivative < 0
        ]


def fade(root: Table, polynomial: Polynomial) -> Fade | None:
    """The factor "fade" of coefficients: damping at low speed that vanishes under way; None without [hydro.fade]."""
    table = root.table("hydro").tables.get("fade")
    name = polynomial.uses("fade")
    if table is None:
        if name:
            polynomial.table.fail(name, 'has the factor "fade"; [hydro.fade] with rate_s_m is missing')
        return None
    return Fade(table.get("rate"), table.get("published_slip", False))


def added_mass(
    root: Table,
    polynomial: Polynomial,
    body: Body,
    water: ReferenceWater,
    length_m: float,
    mesh: HullMesh | None,
    ledger: Ledger,
) -> Matrix:
    """The 6x6 added mass, positive, from whichever form the file has; zero where the file has no data."""
    table = root.table("added_mass")
    named = polynomial.derivatives()
    form = next((name for name in ("diagonal", "matrix", "from_hull", "total_diagonal") if name in table), "")
    total = root.table("body").get("total_mass_matrix_diagonal")
    if total is not None and form:
        table.fail(form, "body.total_mass_matrix_diagonal gives the added mass too; keep one")
    if named and (form not in ("", "from_hull") or total is not None):
        polynomial.table.fail(next(iter(named.values())), f"[{table.path}] gives the added mass too; keep one")
    symmetrise = table.get("symmetrise", False)
    if form == "matrix":
        return _symmetric(np.array(table.get("matrix")), symmetrise, ledger)
    if form == "diagonal":
        return np.diag(table.get("diagonal"))
    if form == "total_diagonal" or total is not None:
        if total is None:
            return _from_total(table, "total_diagonal", body, ledger)
        return _from_total(root.table("body"), "total_mass_matrix_diagonal", body, ledger)
    matrix = np.zeros((6, 6))
    if form == "from_hull":
        matrix = _from_hull(root, table, body, water, length_m, mesh, ledger)
    for (row, column), name in named.items():
        matrix[row, column] = -polynomial.si[name]  # X_udot is a force coefficient, the added mass its negative
        if (column, row) not in named:  # publications often print one of a symmetric pair
            matrix[column, row] = matrix[row, column]
    return _symmetric(matrix, symmetrise, ledger)


def coriolis(root: Table, polynomial: Polynomial, mass: Matrix, ledger: Ledger) -> tuple[str, list[Coefficient]]:
    """The treatment of C_A by the kernel ("full" or "none") and the coefficients that go with it.

    in_coefficients: the published terms contain -C_A nu. That part is subtracted from them and left to the kernel, so
    that each term is as published ahead, and astern only the rest follows the |u| rule. Terms of C_A without a
    published coefficient act as well. mss_remus100: C_A with some entries zeroed, as terms.
    """
    hydro = root.table("hydro")
    choice: str = hydro.get("coriolis", "full")
    terms = polynomial.coefficients()
    if choice in ("full", "none"):
        return choice, terms
    if choice == "mss_remus100":
        shares = coriolis_shares(MSS_ZEROED)
        for (axis, factors), value in coriolis_terms(mass, MSS_ZEROED).items():
            name = f"{AXES[axis]}_{''.join(factors)}"
            ledger.derived(f"hydro.coefficients.{name} (C_A)", value, _unit(name), "-C_A nu, some entries zeroed (MSS)")
            terms.append(Coefficient(name, axis, factors, value, value, shares[axis, factors], named=False))
        return "none", terms
    # where each published term stands, with its factors as written: the |u| rule has changed those of `terms`
    place = {(term.axis, tuple(sorted(polynomial.terms[term.name].factors))): index for index, term in enumerate(terms)}
    values = coriolis_terms(mass)
    for (axis, factors), shares in coriolis_shares().items():
        index = place.get((axis, tuple(sorted(factors))))
        if index is None:  # not published: the kernel's potential-flow term stays, or C_A would not be passive
            continue
        name, published, value = terms[index].name, terms[index].value, values.get((axis, factors), 0.0)
        same = isclose(published, value, rel_tol=1e-12)  # a difference by rounding must not become a lift term
        # with the shares a batch that varies the added mass varies the term with it
        out = tuple((row, column, -k) for row, column, k in shares)
        terms[index] = replace(terms[index], value=0.0 if same else published - value, of_added_mass=out)
        if value and not same:
            how = f"{published:.5g} less {value:.5g}, its added-mass part"
            ledger.derived(f"hydro.coefficients.{name} (lift)", published - value, _unit(name), how)
    return "full", terms


def coriolis_shares(zeroed: tuple[tuple[int, int], ...] = ()) -> dict[Pair, tuple[tuple[int, int, float], ...]]:
    """The terms of -C_A(nu) nu as sums over the added mass: k A[row, column] for each (row, column, k).

    C_A = [[0, -S(a1)], [-S(a1), -S(a2)]] with (a1, a2) = A nu (Fossen 2011, eq. 3.46); entries in `zeroed` left out.
    """
    shares: dict[Pair, tuple[tuple[int, int, float], ...]] = {}
    # (i, j, m, s): the element -S(a)[i, j] of a skew matrix is s a[m]
    turns = [(i, (i + s) % 3, (i - s) % 3, float(s)) for i in range(3) for s in (1, -1)]
    entries = [(i, 3 + j, m, s) for i, j, m, s in turns]
    entries += [(3 + i, j, m, s) for i, j, m, s in turns] + [(3 + i, 3 + j, 3 + m, s) for i, j, m, s in turns]
    for k in range(6):
        for axis, j, row, sign in entries:
            if (axis + 1, j + 1) not in zeroed:
                first, second = sorted((j, k))
                key = (axis, (VELOCITIES[first], VELOCITIES[second]))
                shares[key] = (*shares.get(key, ()), (row, k, -sign))
    return dict(sorted(shares.items()))


def coriolis_terms(mass: Matrix, zeroed: tuple[tuple[int, int], ...] = ()) -> dict[Pair, float]:
    """The coefficients of -C_A(nu) nu that are not zero for an added mass."""
    shares = coriolis_shares(zeroed)
    sums = {key: float(sum(k * mass[row, column] for row, column, k in items)) for key, items in shares.items()}
    largest = max((abs(value) for value in sums.values()), default=0.0)
    # sums of equal and opposite elements leave a rounding error instead of zero
    return {key: value for key, value in sums.items() if abs(value) > 1e-14 * largest}


def lift_drag(root: Table, water: ReferenceWater, length_m: float, ledger: Ledger) -> LiftDrag | None:
    """Lift and drag of the whole hull, None without [lift_drag].

    Dimensionless c... keys become K = rho/2 S c (moments: times L).
    """
    table = root.tables.get("lift_drag")
    if table is None:
        return None
    numbers: dict[str, float] = {}
    for c_name, k_name in LIFT_NAMES.items():
        if k_name in table:
            numbers[k_name] = table.get(k_name)
        elif c_name in table:
            if "area" not in table:
                table.fail(c_name, "needs area_m2 beside it")
            moment = k_name.startswith(("roll", "pitch", "yaw"))
            arm = table.get("length", length_m) if moment else 1.0
            if not arm:
                table.fail(c_name, "needs length_m beside it or in [geometry]")
            value = table.get(c_name) * 0.5 * water.density_kg_m3 * table.get("area") * arm
            numbers[k_name] = value
            ledger.derived(f"lift_drag.{k_name}", value, "SI", f"{c_name} rho/2 area{' length' if moment else ''}")
    return LiftDrag(**numbers, sideslip=table.get("sideslip", True))


def crossflow(root: Table, water: ReferenceWater, length_m: float, ledger: Ledger) -> Crossflow | None:
    """The cross-flow strips, estimated from [geometry] or [[shape]] if [crossflow] has no profile; None without it."""
    table = root.tables.get("crossflow")
    if table is None:
        return None
    is_written = "x" in table or "height" in table
    strips = _strips(table, length_m) if is_written else _estimated_strips(root, table, water, length_m, ledger)
    count = len(strips.x_m)
    curve = _curve(table, water)
    cd_y, cd_z = _column(table, "cd_y", count), _column(table, "cd_z", count)
    if cd_y is None and cd_z is None:
        if is_written and not curve:
            table.fail("cd_y", "is missing; give cd_y and cd_z, cd_curve or cd_of_reynolds")
        curve = curve or strips.curve
        cd_y = cd_z = np.ones(count)
    elif curve:
        table.fail("cd_y" if cd_y is not None else "cd_z", "a curve of cd is given too; keep one")
    cd_y, cd_z = (cd_z if cd_y is None else cd_y), (cd_y if cd_z is None else cd_z)  # one may hold for both planes
    assert cd_y is not None and cd_z is not None
    density_ratio = table.get("density", water.density_kg_m3) / water.density_kg_m3
    return replace(
        strips, cd_y=tuple((cd_y * density_ratio).tolist()), cd_z=tuple((cd_z * density_ratio).tolist()), curve=curve,
        flow=table.get("flow", "coupled"), guard_m_s=table.get("guard", 0.0),
    )  # fmt: skip


def _strips(table: Table, length_m: float) -> Crossflow:
    """The strips whose profile the file has, without drag coefficients."""
    x = _stations(table, length_m)
    height = _column(table, "height", len(x))
    if height is None:
        table.fail("x", "needs height_m beside it")
    breadth = _column(table, "breadth", len(x))
    sizes = (x, height, height if breadth is None else breadth, _weights(table, x))
    return Crossflow(*(tuple(size.tolist()) for size in sizes), cd_y=(), cd_z=())


def _hull_profile(root: Table) -> tuple[list[tuple[float, float, float]] | None, Vec3]:
    """The stations of the hull in body axes (None if the file has none) and the centre of its first shape."""
    rows = root.lists.get("shape", [])
    for row in rows:
        if "stations" in row:
            x, y, z = row.get("center", (0.0, 0.0, 0.0))
            profile = [(x + along, height, breadth) for along, height, breadth in row.get("stations")]
            return profile, (0.0, y, z)
    return None, rows[0].get("center", (0.0, 0.0, 0.0)) if rows else (0.0, 0.0, 0.0)


def _from_total(table: Table, name: str, body: Body, ledger: Ledger) -> Matrix:
    rigid = np.concatenate([np.full(3, body.mass_kg), np.diag(body.inertia_o)])
    added = np.array(table.get(name)) - rigid
    if (added < -1e-9 * rigid).any():  # an element without added mass may be below 0 by rounding
        least = [round(float(x), 4) for x in rigid]
        table.fail(name, "is less than the body alone", expected=f"at least {least}")
    added = np.maximum(added, 0.0)
    ledger.derived("added_mass.diagonal", added, "kg, kg m2", "total minus the body's diagonal")
    return np.diag(added)


def _from_hull(
    root: Table,
    table: Table,
    body: Body,
    water: ReferenceWater,
    length_m: float,
    mesh: HullMesh | None,
    ledger: Ledger,
) -> Matrix:
    from pelagos.vehicle.derive import added_mass_from_hull  # only loaded where a file needs an estimate

    kind = table.get("from_hull")
    if kind == "mesh":
        if mesh is None:
            table.fail("from_hull", 'needs a [[shape]] of kind "mesh"')
        matrix, how = mesh.added_mass(water.density_kg_m3)
        ledger.derived("added_mass.diagonal", np.diag(matrix), "kg, kg m2", how)
        return matrix
    diameter = root.table("geometry").get("diameter")
    stations, center = _hull_profile(root)
    if not length_m or (diameter is None and stations is None):
        table.fail("from_hull", "needs length_m and diameter_m in [geometry]")
    # the estimate for a cylinder (document 002) takes a tenth of the vehicle's mass along x
    mass = {"mass_kg": body.mass_kg} if kind == "cylinder" else {}
    try:
        matrix, how = added_mass_from_hull(
            kind, length_m=length_m, diameter_m=diameter or 0.0, density_kg_m3=water.density_kg_m3,
            inertia_xx=float(body.inertia_o[0, 0]), roll_factor=table.get("roll_factor", 0.0), stations=stations,
            center_b=center, **mass,
        )  # fmt: skip
    except PelagosError as problem:
        table.fail_because("from_hull", problem)
    ledger.derived("added_mass.diagonal", np.diag(matrix), "kg, kg m2", how)
    return matrix


def _symmetric(matrix: Matrix, symmetrise: bool, ledger: Ledger) -> Matrix:
    """Average pairs that differ by rounding only; other pairs stay unequal, and `pack` refuses them.

    With `symmetrise`, a key of the file, every pair is averaged, and the ledger records those that differ.
    """
    result = matrix.copy()
    for row in range(6):
        for column in range(row):
            a, b = matrix[row, column], matrix[column, row]
            rounding = isclose(a, b, rel_tol=SYMMETRY)
            if rounding or symmetrise:
                result[row, column] = result[column, row] = 0.5 * (a + b)
            if symmetrise and not rounding:
                unit = ("kg", "kg m", "kg m2")[(row >= 3) + (column >= 3)]
                how = f"symmetrise: mean of A{column + 1}{row + 1} = {b:.5g} and A{row + 1}{column + 1} = {a:.5g}"
                ledger.derived(f"added_mass.A{column + 1}{row + 1}", float(result[row, column]), unit, how)
    return result


def _unit(name: str) -> str:
    try:
        return si_unit(parse_name(name))
    except CoefficientNameError:
        return "SI"


def _stations(table: Table, length_m: float) -> Array:
    if "x" in table:
        for name in ("from", "to"):
            if name in table:
                table.fail(name, "belongs to n_stations, but x is given")
        x = np.array(table.get("x"))
        if len(x) < 2 or not (np.diff(x) > 0).all():
            table.fail("x", expected="two stations or more that ascend")
        return x
    if "n_stations" not in table:
        table.fail("n_stations", "is missing; give it or the list x_m")
    count = table.get("n_stations")
    start, end = table.get("from", -0.5 * length_m), table.get("to", 0.5 * length_m)
    if not end > start:
        key = "to" if "to" in table else "from"
        table.fail(key, f"stations go from {start:g} to {end:g} m", expected="stations that ascend")
    if count < 2:
        table.fail("n_stations", expected="2 or more")
    if table.get("rule") == "midpoint":
        half = 0.5 * (end - start) / count
        return np.linspace(start + half, end - half, count)
    return np.linspace(start, end, count)


def _weights(table: Table, x: Array) -> Array:
    """Quadrature weight of each station, m."""
    rule = table.get("rule", "trapezoid")
    gaps = np.diff(x)
    if rule == "left":
        return np.append(gaps, 0.0)
    if rule in ("full_ends", "midpoint"):  # one weight for all stations
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
        table.fail(name, f"has {len(column)} entries", expected=f"one for each of the {count} stations")
    return np.broadcast_to(column, count).copy()


def _curve(table: Table, water: ReferenceWater) -> tuple[tuple[float, float], ...]:
    """Rows of cross-flow speed m/s and drag coefficient; empty if the file has no curve."""
    name = "cd_of_reynolds" if "cd_of_reynolds" in table else "cd_curve"
    rows = table.get(name, ())
    if any(x2 < x1 for (x1, _), (x2, _) in pairwise(rows)):  # equal: a jump, as at the drag crisis
        table.fail(name, expected="rows that ascend in the first column")
    if any(x < 0 or cd < 0 for x, cd in rows):
        table.fail(name, expected="numbers of at least 0")
    if name == "cd_curve":
        return rows
    if "reynolds_length" not in table:
        table.fail(name, "needs reynolds_length_m beside it")
    speed = water.viscosity_m2_s / table.get("reynolds_length")  # at a Reynolds number of 1
    return tuple((reynolds * speed, cd) for reynolds, cd in rows)


def _estimated_strips(root: Table, table: Table, water: ReferenceWater, length_m: float, ledger: Ledger) -> Crossflow:
    """Strips of the stations in [[shape]], or of a cylinder of length and diameter."""
    from pelagos.vehicle.derive import crossflow_from_hull  # only loaded where a file needs an estimate

    geometry = root.table("geometry")
    stations, center = _hull_profile(root)
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
        table.fail_because("n_stations", problem)
    ledger.derived("crossflow.stations", len(strips.x_m), "", how)
    return strips
