"""Pack a `Vehicle` into the engine records Model and Structure; no other module writes a whole one.

Numbers that depend on the density of the water (added mass, coefficients, strips, fins, thrust) hold for the vehicle's
reference density; `pack` scales them to the density of the water around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.checks import Context
from pelagos.engine.core import layout as lay
from pelagos.errors import VehicleFileError
from pelagos.vehicle.spec import AXES, VELOCITIES, Thruster, Vehicle

INSTANT = 1e30  # rate (1/s) of an actuator without lag: exp(-t rate) is 0 for any step
THRUST = (  # fields of a thruster that are proportional to force or torque
    "k_forward", "k_reverse", "linear", "inflow_forward", "inflow_reverse", "inflow_square",
    "torque_forward", "torque_reverse", "torque_inflow",
)  # fmt: skip
UNLIMITED = 1e30  # not inf: the kernel multiplies some limits by a drive or step that may be 0, and 0 * inf is NaN


@dataclass(frozen=True)
class Packed:
    """Engine records of one vehicle as flat arrays, and its mass matrix."""

    model: NDArray[np.float64]
    structure: NDArray[np.int64]
    mass_matrix: NDArray[np.float64]  # 6x6, rigid body and added mass, ballast at its initial value


def rigid_body_matrix(mass: float, cg: Sequence[float], inertia_o: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mass matrix of a rigid body about O: M_RB = [m 1, -m S(r_G); m S(r_G), I_O] (Fossen 2011, eq. 3.44)."""
    x, y, z = (mass * c for c in cg)
    s = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.block([[mass * np.eye(3), -s], [s, inertia_o]])


def mass_matrix(vehicle: Vehicle, density: float | None = None) -> NDArray[np.float64]:
    """Mass matrix of a vehicle: rigid body, added mass, and each ballast item at its initial value."""
    body = vehicle.body
    scale = 1.0 if density is None else density / vehicle.water.density_kg_m3
    total = rigid_body_matrix(body.mass_kg, body.cg_b, body.inertia_o) + scale * vehicle.added_mass
    return total + ballast_matrix(vehicle)


def ballast_matrix(vehicle: Vehicle) -> NDArray[np.float64]:
    """Contribution of the ballast to the mass matrix, each item at its initial value."""
    total = np.zeros((6, 6))
    for item in vehicle.ballast:
        at = np.array(item.position_b) + np.array(item.axis_b) * item.initial
        mass = item.mass_kg + item.mass_per_unit * item.initial
        point = mass * (at @ at * np.eye(3) - np.outer(at, at))
        total = total + rigid_body_matrix(mass, tuple(at), point)
    return total


def pack(vehicle: Vehicle, *, density_kg_m3: float | None = None, euler_angles: bool | None = None) -> Packed:
    """The engine records of a vehicle.

    Raises an error if the vehicle has more parts than the records hold, or if its mass matrix is not positive definite.
    """
    density = density_kg_m3 or vehicle.water.density_kg_m3
    scale = density / vehicle.water.density_kg_m3
    model, structure = lay.MODEL.record(), lay.STRUCTURE.record()
    matrix = _inertia(vehicle, model, density)
    structure["n_held"] = 6 - sum(vehicle.free)
    structure["added_mass_coriolis"] = vehicle.coriolis == "full"
    structure["rigid_body_coriolis"] = vehicle.legacy.rigid_body_coriolis
    structure["euler_angles"] = vehicle.kinematics == "euler" if euler_angles is None else euler_angles
    _polynomial(vehicle, model, structure, scale)
    _hull(vehicle, model, structure, density, scale)
    _surfaces(vehicle, model, structure, density)
    _thrusters(vehicle, model, structure, scale)
    _ballast(vehicle, model, structure)
    model["acceleration_limit"] = vehicle.legacy.acceleration_limit
    model["angular_limit"] = vehicle.legacy.angular_acceleration_limit
    model["surge_limit"] = vehicle.legacy.surge_limit_m_s
    return Packed(lay.MODEL.flat(model).copy(), lay.STRUCTURE.flat(structure).copy(), matrix)


def inverse_of(matrix: NDArray[np.float64], free: Sequence[bool]) -> NDArray[np.float64]:
    """Inverse of mass matrices (..., 6, 6) on the free axes, zero on the held ones."""
    inverse = np.zeros_like(matrix)
    rows, columns = np.ix_(np.array(free), np.array(free))
    inverse[..., rows, columns] = np.linalg.inv(matrix[..., rows, columns])
    return inverse


def matrices_of(records: Any) -> NDArray[np.float64]:
    """The mass matrices of many Model records, (m, 6, 6), without their ballast."""
    count = len(records)
    matrix = records["added_mass"].reshape(count, 6, 6).copy()
    x, y, z = records["moment"].T
    for i in range(3):
        matrix[:, i, i] += records["mass"]
    # the elements of m S(r_G), as in `rigid_body_matrix`
    for i, j, value in ((0, 4, z), (0, 5, -y), (1, 3, -z), (1, 5, x), (2, 3, y), (2, 4, -x)):
        matrix[:, i, j] += value
        matrix[:, j, i] += value
    # the record holds the inertia as xx, yy, zz, xy, xz, yz
    for i, j, k in ((3, 3, 0), (4, 4, 1), (5, 5, 2), (3, 4, 3), (3, 5, 4), (4, 5, 5)):
        matrix[:, i, j] += records["inertia"][:, k]
        if i != j:
            matrix[:, j, i] += records["inertia"][:, k]
    return matrix


def lightest_at(inverse: NDArray[Any], point_b: Sequence[float]) -> NDArray[Any]:
    """Least effective mass at a point over all directions of force, kg, of inverse mass matrices (..., 6, 6)."""
    x, y, z = point_b
    jacobian = np.hstack([np.eye(3), np.array([[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]])])
    mobility = jacobian @ inverse @ jacobian.T
    return 1.0 / np.linalg.eigvalsh(0.5 * (mobility + np.swapaxes(mobility, -1, -2)))[..., -1]


def refuse_bad_mass(vehicle: Vehicle, matrix: NDArray[np.float64]) -> None:
    """Raise an error if the mass matrix is not symmetric positive definite: such a body gains energy by itself."""
    context = Context(VehicleFileError, vehicle.path or vehicle.key)
    # elements of mass, moment and inertia have different units: compare them with their own diagonal
    scale = np.sqrt(np.abs(np.outer(np.diag(matrix), np.diag(matrix))))
    skew = np.abs(matrix - matrix.T) / np.where(scale > 0.0, scale, 1.0)
    pairs = [(i, j) for i in range(6) for j in range(i + 1, 6) if skew[i, j] > 1e-6]
    if pairs:
        names = [(f"{AXES[i]}_{VELOCITIES[j]}dot", f"{AXES[j]}_{VELOCITIES[i]}dot") for i, j in pairs]
        disagreements = (
            f"{name} and {other} must agree (M[{i + 1},{j + 1}] = {matrix[i, j]:.6g}, "
            f"M[{j + 1},{i + 1}] = {matrix[j, i]:.6g})"
            for (name, other), (i, j) in zip(names, pairs, strict=True)
        )
        key = "hydro.coefficients" if len(pairs) > 1 else f"hydro.coefficients.{names[0][0]}"
        if any(fact.path == "added_mass.matrix" for fact in vehicle.facts):
            key = "added_mass.matrix"
        context.fail(
            key,
            f"the mass matrix is not symmetric: {', '.join(disagreements)}",
            expected="equal pairs, or symmetrise = true in [added_mass], which takes the mean of each",
        )
    free = np.array(vehicle.free)  # a held motion may be without data
    if not free.any():
        context.fail("motion.free", value=[], expected="at least one of u, v, w, p, q, r")
    eigenvalues = np.linalg.eigvalsh(matrix[np.ix_(free, free)])
    if not eigenvalues.min() > 0.0:
        context.fail(
            "smallest eigenvalue of body plus added mass",
            value=float(f"{eigenvalues.min():.6g}"),
            expected="a positive definite mass matrix (kinetic energy above zero for every motion)",
        )


def idle_advance(t: Thruster) -> float:
    """Inflow per drive at which the thrust k - i J + j J^2 vanishes: the first positive root of the quadratic.

    The kernel caps the inflow there, because the square term would push again beyond it; without one there is no cap.
    """
    if t.inflow_square == 0.0:
        return UNLIMITED
    roots = np.roots([t.inflow_square, -t.inflow_forward, t.k_forward])
    positive = [root.real for root in roots if abs(root.imag) < 1e-12 and root.real > 0.0]
    return min(positive, default=UNLIMITED)


def _room(vehicle: Vehicle | None, key: str, items: Sequence[Any], most: int) -> None:
    if len(items) > most:
        file = vehicle.path or vehicle.key if vehicle else ""
        raise VehicleFileError(f"has {len(items)} entries", file=file, key=key, expected=f"at most {most}")


def _inertia(vehicle: Vehicle, model: Any, density: float) -> NDArray[np.float64]:
    body = vehicle.body
    matrix = mass_matrix(vehicle, density)
    refuse_bad_mass(vehicle, matrix)
    i = body.inertia_o
    model["mass"], model["volume"] = body.mass_kg, body.volume_m3
    model["moment"] = body.mass_kg * np.array(body.cg_b)
    model["volume_moment"] = body.volume_m3 * np.array(body.cb_b)
    model["inertia"] = [i[0, 0], i[1, 1], i[2, 2], i[0, 1], i[0, 2], i[1, 2]]
    model["compressibility"] = body.compressibility_1_pa
    model["added_mass"] = (vehicle.added_mass * density / vehicle.water.density_kg_m3).ravel()
    model["mass_inverse"], model["free"] = inverse_of(matrix, vehicle.free).ravel(), vehicle.free
    return matrix


def _polynomial(vehicle: Vehicle, model: Any, structure: Any, scale: float) -> None:
    """Write the coefficients by axis, each with two factors; longer monomials share products of two factors."""
    _room(vehicle, "hydro.coefficients", vehicle.coefficients, lay.MAX_COEFFICIENTS)
    places = {"1": lay.FACTOR_ONE, "n": lay.FACTOR_RACE, "phi": lay.FACTOR_PHI, "theta": lay.FACTOR_THETA}
    places["fade"] = lay.FACTOR_FADE
    for i, name in enumerate(VELOCITIES):
        places[name], places[f"|{name}|"] = lay.FACTOR_VELOCITY + i, lay.FACTOR_SPEED + i
    for i, surface in enumerate(vehicle.surfaces):
        places[surface.symbol] = lay.FACTOR_SURFACE + i
    products: dict[tuple[int, int], int] = {}

    def product(a: int, b: int) -> int:
        key = (min(a, b), max(a, b))  # u v and v u are one product
        if key not in products:
            n = len(products)
            if n == lay.MAX_PRODUCTS:
                Context(VehicleFileError, vehicle.path or vehicle.key).fail(
                    "hydro.coefficients",
                    "has too many different products of three factors or more",
                    expected=f"at most {lay.MAX_PRODUCTS}",
                )
            structure["product_a"][n], structure["product_b"][n] = key
            products[key] = lay.FACTOR_PRODUCT + n
        return products[key]

    ordered = sorted(vehicle.coefficients, key=lambda c: c.axis)
    used: set[str] = set()
    for i, term in enumerate(ordered):
        used.update(term.factors)
        factors = [places[f] for f in term.factors] or [lay.FACTOR_ONE]
        while len(factors) > 2:
            factors = [product(factors[0], factors[1]), *factors[2:]]
        a, b = (factors[0], factors[1]) if len(factors) == 2 else (factors[0], lay.FACTOR_ONE)
        structure["term_a"][i], structure["term_b"][i] = a, b
        model["coefficients"][i] = term.value * scale
    structure["n_products"] = len(products)
    axes = np.array([c.axis for c in ordered], dtype=np.int64)
    # terms of axis i are axis_start[i] to axis_start[i + 1], so the kernel needs no axis per term
    structure["axis_start"] = np.searchsorted(axes, np.arange(7))
    structure["uses_angles"] = bool(used & {"phi", "theta"})
    if "fade" in used and vehicle.fade:
        structure["uses_fade"] = 2 if vehicle.fade.published_slip else 1
        model["fade"] = vehicle.fade.rate_s_m
    if "n" in used and vehicle.race:
        structure["uses_race"], structure["race_thruster"] = 1, vehicle.race.thruster
        model["race_advance"], model["race_ct"] = vehicle.race.advance_m, vehicle.race.ct


def _points(target: Any, points: Sequence[tuple[float, float]], y_scale: float = 1.0) -> int:
    """Write a table of (x, y) with the slope from each point to the next; slope 0 at the first point of a jump."""
    for i, (x, y) in enumerate(points):
        target["x"][i], target["y"][i] = x, y * y_scale
        if i + 1 < len(points) and points[i + 1][0] > x:
            target["slope"][i] = (points[i + 1][1] - y) * y_scale / (points[i + 1][0] - x)
    return len(points)


def _hull(vehicle: Vehicle, model: Any, structure: Any, density: float, scale: float) -> None:
    flow = vehicle.crossflow
    if flow:
        _room(vehicle, "crossflow", flow.x_m, lay.MAX_STATIONS)
        _room(vehicle, "crossflow.cd_curve", flow.curve, lay.MAX_CURVE)
        n = len(flow.x_m)
        weight = 0.5 * density * np.array(flow.weight_m)
        stations = model["stations"]
        stations["x"][:n] = flow.x_m
        stations["drag_y"][:n] = weight * np.array(flow.cd_y) * np.array(flow.height_m)
        stations["drag_z"][:n] = weight * np.array(flow.cd_z) * np.array(flow.breadth_m)
        structure["n_stations"] = n
        structure["crossflow"] = 1 if flow.flow == "independent" else (2 if flow.guard_m_s > 0.0 else 0)
        model["crossflow_guard"] = flow.guard_m_s
        structure["n_curve"] = _points(model["curve"], flow.curve)
    if vehicle.lift_drag:
        structure["lift_drag"] = 2 if vehicle.lift_drag.sideslip else 1
        for field in lay.LIFT_DRAG.fields:
            model["lift_drag"][field.name] = getattr(vehicle.lift_drag, field.name) * scale


def _surfaces(vehicle: Vehicle, model: Any, structure: Any, density: float) -> None:
    _room(vehicle, "surfaces", vehicle.surfaces, lay.MAX_SURFACES)
    _room(vehicle, "fins", vehicle.fins, lay.MAX_FINS)
    structure["n_surfaces"], structure["n_fins"] = len(vehicle.surfaces), len(vehicle.fins)
    for i, surface in enumerate(vehicle.surfaces):
        servo = model["servos"][i]
        servo["rate"] = 1.0 / surface.time_constant_s if surface.time_constant_s > 0.0 else INSTANT
        servo["speed"] = min(surface.rate_rad_s, UNLIMITED)
        servo["limit"] = min(surface.limit_rad, UNLIMITED)
        if surface.position_b is not None:  # else 0: always wet
            servo["x"], servo["y"], servo["z"] = surface.position_b
            servo["per_reach"] = 2.0 / surface.span_m
    structure["fin_surface"], structure["fin_wash"] = -1, -1  # none
    for i, fin in enumerate(vehicle.fins):
        record = model["fins"][i]
        record["x"], record["y"], record["z"] = fin.position_b
        record["ny"], record["nz"] = fin.normal_b[1:]
        record["area"] = 0.5 * density * fin.area_m2  # the kernel multiplies by the speed squared
        record["slope"], record["slope_after"] = fin.lift_slope_1_rad, fin.slope_after_stall_1_rad
        record["stall"] = min(fin.stall_rad, UNLIMITED)
        record["drag_0"], record["drag_a"], record["drag_aa"] = fin.drag_0, fin.drag_a, fin.drag_aa
        record["gain"], record["hull_flow"] = fin.gain, fin.hull_flow
        record["wash"], record["per_reach"] = fin.wash_m, 2.0 / fin.span_m
        record["wash_momentum"] = fin.wash_momentum * vehicle.water.density_kg_m3 / density  # 2/(rho A)
        structure["fin_surface"][i], structure["fin_wash"][i] = fin.surface, fin.wash_thruster


def _thrusters(vehicle: Vehicle, model: Any, structure: Any, scale: float) -> None:
    _room(vehicle, "thrusters", vehicle.thrusters, lay.MAX_THRUSTERS)
    _room(vehicle, "supplies", vehicle.supplies, lay.MAX_SUPPLIES)
    structure["n_thrusters"], structure["n_supplies"] = len(vehicle.thrusters), len(vehicle.supplies)
    structure["supply"] = -1
    for i, supply in enumerate(vehicle.supplies):
        model["supply_limit"][i] = supply.limit_n
    for i, thruster in enumerate(vehicle.thrusters):
        model["thrusters"][i] = thruster_record(thruster, scale, vehicle)
        structure["lag_on_thrust"][i] = thruster.lag_on == "thrust"
        structure["n_table"][i] = len(thruster.table)
        structure["inflow_speed"][i] = thruster.inflow_from == "speed"
        structure["supply"][i] = thruster.group
        structure["uses_tunnel_loss"] |= thruster.tunnel_loss_s2_m2 > 0.0


def thruster_record(t: Thruster, density_ratio: float, vehicle: Vehicle | None = None) -> Any:
    """The record of one thruster in water of `density_ratio` times the reference density; `vehicle` is for errors."""
    _room(vehicle, f"thrusters.{t.name}.table", t.table, lay.MAX_TABLE)
    record = lay.THRUSTER.record()
    # the command of a force drive is the thrust itself, so it does not depend on the density
    scale = 1.0 if t.drive == "force" else density_ratio
    record["x"], record["y"], record["z"] = t.position_b
    record["ex"], record["ey"], record["ez"] = t.direction_b
    for name in THRUST:
        record[name] = getattr(t, name) * scale
    record["one_minus_wake"], record["tunnel_loss"] = 1.0 - t.wake, t.tunnel_loss_s2_m2
    record["inflow_cap"], record["per_blade"] = idle_advance(t), 2.0 / t.diameter_m
    record["lowest"], record["highest"] = max(t.minimum, -UNLIMITED), min(t.maximum, UNLIMITED)
    record["dead_low"], record["dead_high"] = t.dead_low, t.dead_high
    record["rate"] = 1.0 / t.time_constant_s if t.time_constant_s > 0.0 else INSTANT
    _points(record["table"], t.table, scale)
    return record


def scale_thrust(record: Any, factor: Any) -> None:
    """Multiply all that scales with the thrust of a propeller: of one record, or of n by n factors."""
    for name in THRUST:
        record[name] *= factor
    for name in ("y", "slope"):  # of the table; its abscissa is the command
        record["table"][name] *= np.asarray(factor)[..., np.newaxis]


def _ballast(vehicle: Vehicle, model: Any, structure: Any) -> None:
    _room(vehicle, "ballast", vehicle.ballast, lay.MAX_BALLAST)
    structure["n_ballast"] = len(vehicle.ballast)
    for i, item in enumerate(vehicle.ballast):
        record = model["ballast"][i]
        record["mass"], record["mass_s"], record["volume_s"] = item.mass_kg, item.mass_per_unit, item.volume_per_unit
        record["x"], record["y"], record["z"] = item.position_b
        record["ax"], record["ay"], record["az"] = item.axis_b
        record["speed"] = min(item.rate, UNLIMITED)
        record["lowest"], record["highest"] = max(item.minimum, -UNLIMITED), min(item.maximum, UNLIMITED)
