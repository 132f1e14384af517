"""A vehicle as it looks: its hull from the shapes of its file, and what is fixed to it, in body axes.

The shapes are those that float and collide; slender ones get a nose and a tail inside them. Thrusters, fins, cameras
and lamps are drawn where the file puts them. A vehicle whose fins are only coefficients gets some at its tail.
"""

from __future__ import annotations

from math import pi, sqrt

import numpy as np
from numpy.typing import NDArray

from pelagos.console import scene_solids as solid
from pelagos.console.scene_part import BLACK, GLASS, GREY, LIGHT, ORANGE, YELLOW, Part
from pelagos.console.scene_rov import rov
from pelagos.geometry.forms import Form
from pelagos.geometry.mesh import Mesh
from pelagos.vehicle.hull_table import contact_forms
from pelagos.vehicle.mesh import read_mesh, revolve
from pelagos.vehicle.spec import Fin, Shape, Surface, Thruster, Vec3, Vehicle

Array = NDArray[np.float64]
X = np.array([1.0, 0.0, 0.0])
DISC_LOAD_PA = 11e3  # full thrust over propeller disc of a T200: how large a propeller of unknown size is drawn
SLENDER = ("AUV", "glider", "submersible", "submarine")
M, N = 4, 5  # axes of moments


def parts(vehicle: Vehicle) -> list[Part]:
    """All pieces, hull first."""
    forms = contact_forms(vehicle) or (_guessed(vehicle),)
    main = forms[0]
    found = _hull(vehicle, forms)
    found += [_thruster(item, main, _slender(vehicle)) for item in vehicle.thrusters]
    found += [_fin(item, vehicle, main) for item in vehicle.fins] or _tail(vehicle, main)
    found += _wings(main) if vehicle.vehicle_class == "glider" else []
    size = 2.0 * min(main.box_m[1], main.box_m[2])
    found += [_camera(item.position_b, size, item.name) for item in vehicle.cameras]
    return found + [_lamp(item.position_b, item.direction_b, size, item.name) for item in vehicle.lamps]


def _guessed(vehicle: Vehicle) -> Form:
    """A tube of the vehicle's length, where the file says nothing of its shape."""
    radius = 0.06 * vehicle.length_m
    return Form("capsule", vehicle.body.cb_b, (0.5 * vehicle.length_m - radius, radius, radius))


def _hull(vehicle: Vehicle, forms: tuple[Form, ...]) -> list[Part]:
    if "ROV" in vehicle.vehicle_class and len(forms) == 1 and forms[0].kind == "box" and _no_mesh(vehicle):
        return rov(forms[0], vehicle.thrusters, vehicle.cameras)
    slender = _slender(vehicle)
    shapes = vehicle.shapes or (None,) * len(forms)
    return [
        Part("hull", _skin(shape, form, slender), YELLOW if number == 0 else GREY)
        for number, (shape, form) in enumerate(zip(shapes, forms, strict=True))
    ]


def _slender(vehicle: Vehicle) -> bool:
    return any(word in vehicle.vehicle_class for word in SLENDER)


def _no_mesh(vehicle: Vehicle) -> bool:
    return all(shape.kind != "mesh" for shape in vehicle.shapes)


def _skin(shape: Shape | None, form: Form, slender: bool) -> Mesh:
    """The surface of a shape; of a form where the file has no shape."""
    if shape is not None and shape.kind == "mesh":
        mesh = read_mesh(shape.file, shape.scale)
        return Mesh(mesh.vertices + np.array(shape.center_b), mesh.faces)
    if shape is not None and shape.kind == "stations":
        mesh = revolve(shape.stations)
        return Mesh(mesh.vertices + np.array(shape.center_b), mesh.faces)
    a, b, _ = form.half_m
    if form.kind == "box":
        own = solid.box(2.0 * np.array(form.half_m))
    elif form.kind == "ellipsoid":
        own = solid.ellipsoid(form.half_m)
    elif slender and form.axes_b[0][0] == 1.0 and form.box_m[0] > 4.0 * b:
        own = solid.torpedo(form.box_m[0], b)
    else:
        own = solid.cylinder(a, b) if form.kind == "cylinder" else solid.capsule(a, b)
    return solid.placed(own, np.array(form.axes_b), form.center_b)


# ---- what pushes -----------------------------------------------------------------------------------------------------


def _thruster(item: Thruster, main: Form, slender: bool) -> Part:
    """A screw in a duct; on a slender hull a tunnel as rings on its skin, or a bare screw behind its tail."""
    diameter = min(_diameter(item), 0.9 * min(main.box_m[1], main.box_m[2]))
    place, axes = np.array(item.position_b), solid.along(item.direction_b)
    more = {"thruster": item.name, "position_m": item.position_b, "direction": item.direction_b}
    stern = main.center_b[0] - main.box_m[0]
    if slender and abs(item.direction_b[0]) > 0.9 and place[0] < main.center_b[0]:
        place[0] = min(place[0], stern - 0.2 * diameter)
        shaft = solid.cylinder(0.5 * (stern - place[0]) + 0.1 * diameter, 0.08 * diameter)
        middle = (0.5 * (stern + place[0]), place[1], place[2])
        meshes = [solid.placed(solid.screw(diameter), axes, place), solid.placed(shaft, np.eye(3), middle)]
        return Part("thruster", solid.joined(meshes), BLACK, more)
    if slender and abs(item.direction_b[0]) < 0.3 and bool(main.inside(place[None, :])[0]):
        reach = np.array(item.direction_b) * np.abs(item.direction_b) @ np.diag(main.box_m)
        ring = solid.duct(diameter, 0.25 * diameter)  # both mouths of the tunnel, half sunk into the skin
        mouths = [solid.placed(ring, axes, place + sign * reach) for sign in (-1.0, 1.0)]
        return Part("thruster", solid.joined(mouths), BLACK, more)
    mesh = solid.joined([solid.duct(diameter, 0.55 * diameter), solid.screw(diameter)])
    return Part("thruster", solid.placed(mesh, axes, place), BLACK, more)


def _diameter(item: Thruster) -> float:
    """That of the file; of a propeller too small for its thrust the one of a like load on the disc."""
    push = max((row[1] for row in item.table), default=item.k_forward * item.maximum**2 + item.linear * item.maximum)
    return max(item.diameter_m, sqrt(4.0 * max(push, 0.0) / (pi * DISC_LOAD_PA)))


# ---- what steers -----------------------------------------------------------------------------------------------------


def _fin(item: Fin, vehicle: Vehicle, main: Form) -> Part:
    """A plate of the fin's chord and span, with a root that reaches the hull."""
    name = vehicle.surfaces[item.surface].name if item.surface >= 0 else None
    place, normal = np.array(item.position_b), np.array(item.normal_b)
    out = np.cross(X, normal)
    away = float((place - np.array(main.center_b)) @ out)
    inner, outer = abs(away) - 0.5 * item.span_m, abs(away) + 0.5 * item.span_m
    root = min(inner, 0.25 * main.box_m[1]) if inner > 0.0 else inner  # a tail is thinner than the hull
    middle = place + np.sign(away) * (0.5 * (root + outer) - abs(away)) * out
    return _plate(middle, normal, item.area_m2 / item.span_m, outer - root, name, item.gain)


def _plate(place: Array, normal: Array, chord: float, span: float, surface: str | None, gain: float = 1.0) -> Part:
    """Turned about `axis` by the angle of its surface times `gain`, its leading edge goes to the normal."""
    axis = np.cross(X, normal)
    outward = float(place[1:] @ axis[1:]) >= 0.0
    own = solid.plate(chord, span, 0.25 * chord)
    axes = np.column_stack([X, axis, -normal]) if outward else np.column_stack([X, -axis, normal])
    more = {"surface": surface, "hinge_m": place.tolist(), "axis": axis.tolist(), "gain": gain}
    return Part("fin", solid.placed(own, axes, place), ORANGE if surface else GREY, more)


def _tail(vehicle: Vehicle, main: Form) -> list[Part]:
    """Two plates for each surface that turns the vehicle by coefficients alone, across its tail, or its bow."""
    radius = main.box_m[1]
    found: list[Part] = []
    for item in vehicle.surfaces:
        turn = _turning(vehicle, item)
        if turn is None or main.box_m[0] < 3.0 * radius:
            continue
        across, sign = turn
        at_bow = item.symbol.endswith("b") or item.symbol.startswith("db")
        share = 0.6 if at_bow else -0.85
        x = item.position_b[0] if item.position_b is not None else main.center_b[0] + share * main.box_m[0]
        normal = sign * np.roll(np.array([0.0, 1.0, 0.0]), 0 if across == N else 1)
        for side in (-1.0, 1.0):
            out = side * 1.15 * (main.box_m[2] if across == N else main.box_m[1])
            place = np.array(main.center_b) + np.array([0.0, 0.0, out] if across == N else [0.0, out, 0.0])
            place[0] = x
            found.append(_plate(place, normal, 1.1 * radius, 1.1 * radius, item.name))
    return found


def _turning(vehicle: Vehicle, item: Surface) -> tuple[int, float] | None:
    """Whether a surface yaws (N) or pitches (M) the vehicle, and to which side its positive angle pushes the tail."""
    sums = {axis: 0.0 for axis in (M, N)}
    for term in vehicle.coefficients:
        if item.symbol in term.factors and term.axis in sums:
            sums[term.axis] += term.value
    axis = max(sums, key=lambda one: abs(sums[one]))
    if sums[axis] == 0.0:
        return None
    return axis, float(np.sign(sums[axis])) * (-1.0 if axis == N else 1.0)


def _wings(main: Form) -> list[Part]:
    """Swept wings of a glider, whose lift its file has as numbers of the whole."""
    half_span, chord = 0.28 * main.box_m[0] * 2.0, 0.12 * main.box_m[0]
    found: list[Part] = []
    for side in (-1.0, 1.0):
        place = np.array(main.center_b) + np.array([0.0, side * (0.5 * half_span + 0.7 * main.box_m[1]), 0.0])
        mesh = solid.plate(chord, half_span, 0.6 * half_span)
        axes = np.diag([1.0, side, side])  # a half turn about x for the port one
        found.append(Part("fin", solid.placed(mesh, axes, place), GREY, {"surface": None}))
    return found


# ---- what sees -------------------------------------------------------------------------------------------------------


def _camera(place: Vec3, size: float, name: str) -> Part:
    radius = 0.10 * size if size < 1.0 else 0.1
    return Part("camera", solid.placed(solid.ellipsoid((radius,) * 3), np.eye(3), place), GLASS, {"camera": name})


def _lamp(place: Vec3, direction: Vec3, size: float, name: str) -> Part:
    radius = 0.06 * size if size < 1.0 else 0.06
    mesh = solid.placed(solid.cylinder(1.2 * radius, radius), solid.along(direction), place)
    return Part("lamp", mesh, LIGHT, {"lamp": name})
