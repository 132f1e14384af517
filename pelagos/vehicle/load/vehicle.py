"""Load vehicle files: resolve `extends` and parts, convert units, and build a `Vehicle` with all its sources.

`load_vehicle("remus100")` loads a library vehicle, `load_vehicle("my_rov.toml")` a file and `loads(text)` a text;
`changed_vehicle` loads a vehicle with some keys of its file changed. docs/vehicle-files.md describes the format, and
`keys.py` declares its keys. This module reads mass, shapes and limits itself; its neighbours read the other tables.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from pelagos.errors import PelagosError, VehicleFileError
from pelagos.files import library
from pelagos.files.named import named
from pelagos.files.reader import Place, Table, merge, read_table, require
from pelagos.files.source import parse_toml
from pelagos.vehicle.derive.inertia import Component, combine, steiner
from pelagos.vehicle.load import actuators, hydro, sensors, tether, view
from pelagos.vehicle.load.hydro import crossflow
from pelagos.vehicle.load.keys import LOOPS, VEHICLE
from pelagos.vehicle.load.ledger import Ledger
from pelagos.vehicle.load.mesh import HullMesh, hull_mesh
from pelagos.vehicle.load.parts import parse, with_part
from pelagos.vehicle.spec import (
    SURFACE_POINTS,
    VELOCITIES,
    Body,
    Check,
    ControlSpec,
    FreeSurfaceModel,
    Legacy,
    LoopGains,
    Matrix,
    ReferenceWater,
    Shape,
    Source,
    Vehicle,
)

ORIGIN = (0.0, 0.0, 0.0)
STANDARD_DENSITY = 1025.0  # kg/m3, sea water
STANDARD_GRAVITY = 9.80665  # m/s2


def load_vehicle(name_or_path: str | Path) -> Vehicle:
    """Load a vehicle by its name in the library or by the path of a .toml file."""
    path = library.VEHICLES.path(name_or_path)
    return _assemble(_read(parse(path), path.name, path.parent, (path,)), path.stem, str(path))


def loads(text: str, name: str = "vehicle") -> Vehicle:
    """Load a vehicle from TOML text; errors name `name` as the file, and its stem becomes the vehicle's key."""
    raw = parse_toml(text, name, VehicleFileError)
    return _assemble(_read(raw, name, Path(), ()), Path(name).stem, "")


def changed_vehicle(base: str | Path, changes: Mapping[str, Any], file: str, folder: Path) -> Vehicle:
    """Load the vehicle `base` with the tables `changes` laid over its file; errors in `changes` name `file`."""
    raw = {"extends": str(base), **changes}
    return _assemble(_read(raw, file, folder, ()), Path(base).stem, "")


def _read(raw: dict[str, Any], file: str, folder: Path, chain: tuple[Path, ...]) -> Table:
    """One file as a checked table, laid over the file it extends, its thrusters and tether over their parts.

    `chain` holds the files that extend this one, for a circle of files to be noticed.
    """
    if chain:
        named(chain[-1])  # this file; a text or a change has none
    table = read_table(raw, VEHICLE, Place(file, folder, error=VehicleFileError))
    rows = table.lists.get("thrusters", [])
    for index, row in enumerate(rows):
        if "part" in row:
            rows[index] = with_part(row, table, "thruster")
    if "part" in table.table("tether"):
        table.tables["tether"] = with_part(table.table("tether"), table, "cable")
    if "extends" not in table:
        return table
    base_name = table.get("extends")
    try:
        beside = folder / base_name
        path = beside if base_name.endswith(".toml") and os.path.isfile(beside) else library.VEHICLES.path(base_name)
    except VehicleFileError as problem:
        table.fail_because("extends", problem)
    if path in chain:
        table.fail("extends", "the files extend each other in a circle")
    base = _read(parse(path), path.name, path.parent, (*chain, path))
    tether.drop_inherited_cable(base, table)
    base.lists.pop("check", None)  # a figure was published for the base vehicle, not for a changed one
    return merge(base, table)


def _assemble(root: Table, key: str, path: str) -> Vehicle:
    """The vehicle of a merged file."""
    actuators.assign_default_names(root)
    require(root)  # after the merge: a file may inherit required keys
    ledger = Ledger()
    ledger.read(root)
    water = _water(root, ledger)
    shapes = tuple(_shape(row) for row in root.lists.get("shape", []))
    mesh = hull_mesh(root, ledger)
    body = _body(root, water, mesh, ledger)
    length = _length(root, shapes, mesh, ledger)
    surfaces = actuators.surfaces(root)  # before the coefficients, whose names contain their symbols
    polynomial = hydro.Polynomial(root, water, length, tuple(surface.symbol for surface in surfaces))
    mass = hydro.added_mass(root, polynomial, body, water, length, mesh, ledger)
    coriolis, coefficients = hydro.coriolis(root, polynomial, mass, ledger)
    race = actuators.race(root)
    if race is None and polynomial.uses("n"):
        polynomial.table.fail(polynomial.uses("n"), 'has the factor "n"; the table [race] is missing')
    instruments = sensors.sensors(root, Path(path).parent if path else Path(), ledger)
    nose_b, half_height_m = view.nose(shapes, length, body.cb_b)
    cameras = view.cameras(root, nose_b, ledger)
    motion, legacy = root.table("motion"), root.table("legacy")
    free = motion.get("free", list(VELOCITIES))
    return Vehicle(
        key=key, name=root.get("name"), vehicle_class=root.get("class"), summary=root.get("summary", ""),
        water=water, body=body, length_m=length, added_mass=mass, coriolis=coriolis, coefficients=tuple(coefficients),
        fade=hydro.fade(root, polynomial), crossflow=crossflow(root, water, length, ledger),
        lift_drag=hydro.lift_drag(root, water, length, ledger), surfaces=surfaces,
        fins=actuators.fins(root, ledger),
        thrusters=actuators.thrusters(root, water, ledger), supplies=actuators.supplies(root),
        ballast=actuators.ballast(root), tether=tether.tether(root, ledger), sensors=instruments,
        cameras=cameras, lamps=view.lamps(root, cameras[0], half_height_m, ledger), race=race,
        shapes=shapes, free_surface=_free_surface(root, shapes),
        free=tuple(letter in free for letter in VELOCITIES), held_speed_m_s=motion.get("held_speed", 0.0),
        legacy=Legacy(
            legacy.get("acceleration_limit", 0.0), legacy.get("angular_acceleration_limit", 0.0),
            legacy.get("surge_limit", 0.0), legacy.get("rigid_body_coriolis", True),
        ),
        control=_control(root), integrator=motion.get("integrator", "rk4"), step_s=motion.get("step", 0.02),
        kinematics=motion.get("kinematics", "quaternion"), depth_rating_m=root.get("depth_rating", float("inf")),
        facts=tuple(ledger.facts),
        sources=tuple(Source(name, row.get("cite"), row.get("licence", ""))
                      for name, row in root.table("sources").tables.items()),
        checks=_checks(root), flags=tuple(row.get("text") for row in root.lists.get("flag", [])), path=path,
    )  # fmt: skip


def _water(root: Table, ledger: Ledger) -> ReferenceWater:
    table = root.table("water")
    return ReferenceWater(
        ledger.default(table, "density", STANDARD_DENSITY, "kg/m3"),
        ledger.default(table, "gravity", STANDARD_GRAVITY, "m/s2"),
        ledger.default(table, "viscosity", ReferenceWater.viscosity_m2_s, "m2/s"),
    )


def _body(root: Table, water: ReferenceWater, mesh: HullMesh | None, ledger: Ledger) -> Body:
    table = root.table("body")
    rows = root.lists.get("component", [])
    if rows:
        mass, cg, inertia = _components(root, rows, table, water, ledger)
    else:
        mass = _mass(table, water, ledger)
        cg = ledger.default(table, "cg", ORIGIN, "m")
        inertia = _inertia(root, table, mass, cg, mesh, ledger)
    volume = _volume(table, mass, water, mesh, ledger)
    if mesh is not None and "cb" not in table:
        cb = mesh.center_b
        ledger.derived("body.cb_m", cb, "m", f"centre of the volume of {mesh.file}")
    else:
        cb = ledger.default(table, "cb", ORIGIN, "m")
    return Body(mass, volume, cg, cb, inertia, table.get("compressibility", 0.0))


def _mass(table: Table, water: ReferenceWater, ledger: Ledger) -> float:
    if "mass" in table:
        return table.get("mass")
    if "weight" not in table:
        table.fail("mass_kg", "is missing; give mass_kg, weight_N or [[component]]")
    mass = table.get("weight") / water.gravity_m_s2
    ledger.derived("body.mass_kg", mass, "kg", "weight / gravity")
    return mass


def _components(
    root: Table, rows: list[Table], table: Table, water: ReferenceWater, ledger: Ledger
) -> tuple[float, tuple[float, float, float], Matrix]:
    for name in ("mass", "weight", "cg", "inertia"):
        if name in table:
            table.fail(name, "follows from [[component]]; keep one of the two")
    parts: list[Component] = []
    for index, row in enumerate(rows):
        if "mass" not in row and "weight" not in row:
            row.fail("mass_kg", "is missing; give mass_kg or weight_N")
        inertia = np.array(row.get("inertia", ORIGIN))
        mass = row.get("mass") if "mass" in row else row.get("weight") / water.gravity_m_s2
        name = row.get("name", f"component {index + 1}")
        parts.append(Component(name, mass, row.get("position"), np.diag(inertia) if inertia.ndim == 1 else inertia))
    try:
        mass, cg, inertia = combine(parts)
    except PelagosError as problem:
        root.fail_because("component", problem)
    how = f"sum of {len(parts)} components"
    ledger.derived("body.mass_kg", mass, "kg", how)
    ledger.derived("body.cg_m", cg, "m", how)
    ledger.derived("body.inertia_kg_m2", np.diag(inertia), "kg m2", how + ", about the origin")
    return mass, cg, inertia


def _inertia(
    root: Table, table: Table, mass: float, cg: tuple[float, float, float], mesh: HullMesh | None, ledger: Ledger
) -> Matrix:
    """The inertia tensor about the origin, from moments and products or a tensor, moved there by Steiner."""
    total = table.get("total_mass_matrix_diagonal", root.table("added_mass").get("total_diagonal"))
    if "inertia" not in table and total is not None:
        # the mass matrix is right without a split; `hydro.added_mass` finds nothing left for the water
        ledger.derived("body.inertia_kg_m2", tuple(total[3:]), "kg m2", "the total, since no split is published")
        return np.diag(total[3:])
    if "inertia" not in table and mesh is not None:
        tensor, how = mesh.inertia(mass, cg)
        ledger.derived("body.inertia_kg_m2", np.diag(tensor), "kg m2", how)
        return tensor
    if "inertia" not in table:
        table.fail("inertia_kg_m2", "is missing; give it or [[component]]")
    written = np.array(table.get("inertia"))
    tensor = np.diag(written) if written.ndim == 1 else written.copy()
    if written.ndim == 2 and "inertia_products" in table:
        table.fail("inertia_products", "the tensor holds them already; keep one")
    if "inertia_products" in table:
        xy, yz, xz = table.get("inertia_products")
        # the tensor holds -int x y dm; files hold either the integral or the element of the tensor
        sign = -1.0 if table.get("products_sign", "integral") == "integral" else 1.0
        tensor += sign * np.array([[0.0, xy, xz], [xy, 0.0, yz], [xz, yz, 0.0]])
    elif written.ndim == 2 and table.get("products_sign") == "integral":  # flip the sign off the diagonal
        tensor = 2.0 * np.diag(np.diag(tensor)) - tensor
    if not np.allclose(tensor, tensor.T, rtol=1e-9, atol=0.0):
        table.fail("inertia", expected="a symmetric tensor")
    if not (np.linalg.eigvalsh(tensor) > 0.0).all():
        if "inertia_products" in table:  # an extending file often adds only these, so they are the likelier mistake
            moments = ", ".join(f"{moment:g}" for moment in np.diag(tensor))
            table.fail("inertia_products", f"too large for the moments {moments} kg m2: not positive definite")
        table.fail("inertia", expected="positive definite numbers")
    return tensor if table.get("inertia_about", "cg") == "origin" else steiner(tensor, mass, cg)


def _volume(table: Table, mass: float, water: ReferenceWater, mesh: HullMesh | None, ledger: Ledger) -> float:
    density, gravity = water.density_kg_m3, water.gravity_m_s2
    if "volume" in table:
        return table.get("volume")
    if "buoyancy" in table:
        volume, how = table.get("buoyancy") / (density * gravity), "buoyancy / (density gravity)"
    elif "net_buoyancy" in table:
        volume, how = mass / density + table.get("net_buoyancy") / (density * gravity), "weight plus net buoyancy"
        if volume <= 0.0:
            table.fail("net_buoyancy", f"leaves no volume; the vehicle weighs {mass * gravity:.5g} N")
    elif table.get("neutral", False):
        volume, how = mass / density, "mass / density, neutral"
    elif mesh is not None:
        volume, how = mesh.volume_m3, f"volume of {mesh.file}"
    else:
        table.fail("buoyancy_N", "is missing; give buoyancy_N, volume_m3, net_buoyancy_N or neutral = true")
    ledger.derived("body.volume_m3", volume, "m3", how)
    return volume


def _length(root: Table, shapes: tuple[Shape, ...], mesh: HullMesh | None, ledger: Ledger) -> float:
    geometry = root.table("geometry")
    if "length" in geometry:
        return geometry.get("length")
    boxes = [view.box_around(shape) for shape in shapes if shape.kind != "mesh"]
    if not boxes and mesh is not None:
        ledger.derived("geometry.length_m", mesh.length_m, "m", f"from {mesh.file}")
        return mesh.length_m
    if not boxes:
        geometry.fail("length_m", "is missing")
    length = float(max(high[0] for _, high in boxes) - min(low[0] for low, _ in boxes))
    ledger.derived("geometry.length_m", length, "m", "from [[shape]]")
    return length


def _shape(row: Table) -> Shape:
    kind = row.get("kind")
    needed = {
        "cylinder": ("length", "radius"), "capsule": ("length", "radius"), "ellipsoid": ("semi_axes",),
        "box": ("size",), "stations": ("stations",), "mesh": ("file",),
    }[kind]  # fmt: skip
    for name in needed:
        if name not in row:
            row.fail(name, f"is missing; a {kind} needs {' and '.join(needed)}")
    for name in row.values:
        extra = ("scale",) if kind == "mesh" else ("axis",) if "radius" in needed else ()
        if name not in (*needed, "kind", "center", *extra):
            row.fail(name, f"does not belong to a {kind}, which has {' and '.join(needed)}")
    stations = row.get("stations", ())
    if len(stations) == 1 or any(x2 <= x1 for (x1, *_), (x2, *_) in pairwise(stations)):
        row.fail("stations", expected="two rows or more that ascend in x")
    size = (row.get("length"), row.get("radius")) if "radius" in needed else row.get(needed[0], ())
    return Shape(
        kind, row.get("center", ORIGIN), size if kind in ("cylinder", "capsule", "ellipsoid", "box") else (),
        stations, row.get("file", ""), row.get("axis", "x"), row.get("scale", 1.0),
    )  # fmt: skip


def _free_surface(root: Table, shapes: tuple[Shape, ...]) -> FreeSurfaceModel:
    """The settings of [free_surface]; a vehicle without [[shape]] is always fully submerged."""
    table = root.table("free_surface")
    method = table.get("method", "quadrature" if shapes else "submerged")
    if method != "submerged" and not shapes:
        table.fail("method", "needs the hull as [[shape]]; without it only submerged is possible")
    return FreeSurfaceModel(method, int(table.get("points", SURFACE_POINTS[method])), int(table.get("seed", 0)))


def _control(root: Table) -> ControlSpec:
    """Gains and limits of the autopilot; None for those that [control] does not set, which are computed."""
    table = root.table("control")
    return ControlSpec(
        **{loop: _gains(table, loop) for loop in LOOPS},
        dive_frequency_rad_s=table.get("dive_frequency"),
        dive_rate_s=table.get("dive_rate"),
        cruise_speed_m_s=table.get("cruise_speed"),
        planes_from_m_s=table.get("planes_from"),
        pitch_limit_rad=table.get("pitch_limit"),
        yaw_rate_limit_rad_s=table.get("yaw_rate_limit"),
        depth_rate_limit_m_s=table.get("depth_rate_limit"),
        place_speed_m_s=table.get("place_speed"),
        altitude_filter_s=table.get("altitude_filter", ControlSpec.altitude_filter_s),
    )


def _gains(table: Table, loop: str) -> LoopGains:
    return LoopGains(
        frequency_rad_s=table.get(f"{loop}_frequency"),
        damping=table.get(f"{loop}_damping"),
        **{gain: table.get(f"{loop}_{gain}") for gain in LOOPS[loop]},
    )


def _checks(root: Table) -> tuple[Check, ...]:
    rows = root.lists.get("check", [])
    names: set[str] = set()
    checks: list[Check] = []
    for row in rows:
        name = row.get("id")
        if name in names:
            row.fail("id", "another check has this id; they must differ")
        names.add(name)
        setup = row.get("setup", {})
        if not isinstance(setup, dict):
            row.fail("setup", expected="a table")
        words = {part: row.get(part, "") for part in ("unit", "source", "note", "known", "test")}
        if setup and not words["test"]:
            row.fail("setup", "needs test, the procedure whose parameters these are")
        checks.append(
            Check(name, row.get("kind"), row.get("quantity"), row.get("value"), tolerance=row.get("tolerance", 0.0),
                  setup=setup, **words)
        )  # fmt: skip
    return tuple(checks)
