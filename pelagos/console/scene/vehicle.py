"""The parts of which a vehicle is drawn: hull, thrusters, fins, cameras and lamps, in body axes.

The hull has the shapes of the vehicle file, which also float and collide; slender ones get a nose and a tail inside
them. An ROV whose only shape is a box is drawn inside that box as float, frame and tubes. Thrusters, fins, cameras and
lamps have their positions of the file. A vehicle whose fins are only coefficients gets plates at its tail.
"""

from __future__ import annotations

from math import pi, sqrt

import numpy as np
from numpy.typing import NDArray

from pelagos.console.scene import solids as solid
from pelagos.console.scene.solids import BLACK, BLUE, GLASS, GREY, LIGHT, ORANGE, SILVER, YELLOW, ScenePart
from pelagos.geometry.forms import Form
from pelagos.geometry.mesh import Mesh
from pelagos.vehicle.derive.mesh import read_mesh, revolve
from pelagos.vehicle.pack.hull import contact_forms
from pelagos.vehicle.spec import Camera, ControlSurface, Fin, Shape, Thruster, Vec3, Vehicle
from pelagos.vehicle.thruster_curve import ThrustCurve

Array = NDArray[np.float64]
# Proportions without a unit are chosen by eye.
SMALL_M = 1.0  # ROVs below this length have blue floats, larger ones yellow
FLOAT_HEIGHT = 0.28  # of the height of the vehicle
BAR = 0.05  # half thickness of a bar of the frame, of the smaller of half height and half breadth
X = np.array([1.0, 0.0, 0.0])
DISC_LOAD_PA = 11e3  # full thrust over disc area of a T200, for propellers of unknown size
SLENDER = ("AUV", "glider", "submersible", "submarine")
M, N = 4, 5  # axes of moments


def parts(vehicle: Vehicle) -> list[ScenePart]:
    """The parts of a vehicle, hull first."""
    forms = contact_forms(vehicle) or (_guessed(vehicle),)
    main = forms[0]
    drawn = _hull(vehicle, forms)
    drawn += [_thruster(item, main, _slender(vehicle)) for item in vehicle.thrusters]
    drawn += [_fin(item, vehicle, main) for item in vehicle.fins] or _tail(vehicle, main)
    drawn += _wings(main) if vehicle.vehicle_class == "glider" else []
    size = 2.0 * min(main.box_m[1], main.box_m[2])
    drawn += [_camera(item.position_b, size, item.name) for item in vehicle.cameras]
    return drawn + [_lamp(item.position_b, item.direction_b, size, item.name) for item in vehicle.lamps]


def _guessed(vehicle: Vehicle) -> Form:
    """A tube of the vehicle's length, for a file without shapes."""
    radius = 0.06 * vehicle.length_m
    return Form("capsule", vehicle.body.cb_b, (0.5 * vehicle.length_m - radius, radius, radius))


def _hull(vehicle: Vehicle, forms: tuple[Form, ...]) -> list[ScenePart]:
    if "ROV" in vehicle.vehicle_class and len(forms) == 1 and forms[0].kind == "box" and _no_mesh(vehicle):
        return rov(forms[0], vehicle.thrusters, vehicle.cameras)
    slender = _slender(vehicle)
    shapes = vehicle.shapes or (None,) * len(forms)
    return [
        ScenePart("hull", _skin(shape, form, slender), YELLOW if number == 0 else GREY)
        for number, (shape, form) in enumerate(zip(shapes, forms, strict=True))
    ]


def _slender(vehicle: Vehicle) -> bool:
    return any(word in vehicle.vehicle_class for word in SLENDER)


def _no_mesh(vehicle: Vehicle) -> bool:
    return all(shape.kind != "mesh" for shape in vehicle.shapes)


def _skin(shape: Shape | None, form: Form, slender: bool) -> Mesh:
    """The surface of a shape; without one, the surface of its form."""
    if shape is not None and shape.kind == "mesh":
        mesh = read_mesh(shape.file, shape.scale)
        return Mesh(mesh.vertices + np.array(shape.center_b), mesh.faces)
    if shape is not None and shape.kind == "stations":
        mesh = revolve(shape.stations)
        return Mesh(mesh.vertices + np.array(shape.center_b), mesh.faces)
    a, b, _ = form.half_m
    if form.kind == "box":
        mesh = solid.box(2.0 * np.array(form.half_m))
    elif form.kind == "ellipsoid":
        mesh = solid.ellipsoid(form.half_m)
    elif slender and form.axes_b[0][0] == 1.0 and form.box_m[0] > 4.0 * b:
        mesh = solid.torpedo(form.box_m[0], b)
    else:
        mesh = solid.cylinder(a, b) if form.kind == "cylinder" else solid.capsule(a, b)
    return solid.placed(mesh, np.array(form.axes_b), form.center_b)


def rov(form: Form, thrusters: tuple[Thruster, ...], cameras: tuple[Camera, ...]) -> list[ScenePart]:
    """An ROV: a float on top, an open frame on both sides down to the skids, two tubes between them."""
    center, half = np.array(form.center_b), np.array(form.half_m)
    colour = BLUE if 2.0 * half[0] < SMALL_M else YELLOW
    return [
        ScenePart("float", solid.moved(_float(half, center, thrusters, cameras), center), colour),
        ScenePart("frame", solid.moved(_frame(half), center), BLACK),
        ScenePart("hull", solid.moved(_tubes(half), center), SILVER),
    ]


def _float(half: Array, center: Array, thrusters: tuple[Thruster, ...], cameras: tuple[Camera, ...]) -> Mesh:
    """A block as large as the vehicle, less the room of outboard vertical thrusters and of forward cameras."""
    x, y, z = half
    inner = [
        abs(item.position_b[1] - center[1]) - 0.7 * item.diameter_m
        for item in thrusters
        if abs(item.direction_b[2]) > 0.7 and abs(item.position_b[1] - center[1]) > 0.45 * y
        and item.position_b[2] - center[2] > -0.5 * z
    ]  # fmt: skip
    broad = max(0.35 * y, min([0.96 * y, *inner]))
    high = FLOAT_HEIGHT * z
    lenses = [np.array(item.position_b) - center for item in cameras]
    ahead = [lens[0] - 0.08 * x for lens in lenses if lens[0] > 0.5 * x and lens[2] < 2.0 * high - z]
    stern, bow = -0.96 * x, min([0.96 * x, *ahead])
    block = solid.block((bow - stern, 2.0 * broad, 2.0 * high), 0.5 * high)
    return solid.moved(block, (0.5 * (stern + bow), 0.0, high - z))


def _frame(half: Array) -> Mesh:
    """Side frames of posts and rails with a skid below, joined by cross bars."""
    x, y, z = half
    t = BAR * min(y, z)
    top, middle = -z + 2.0 * FLOAT_HEIGHT * z, 0.25 * z
    bars: list[Mesh] = []
    for side in (-1.0, 1.0):
        at = side * (y - t)
        bars.append(solid.box((2.0 * x, 2.0 * t, 3.0 * t), (0.0, at, z - 1.5 * t)))  # skid
        bars.append(solid.box((1.9 * x, 2.0 * t, 2.0 * t), (0.0, at, top)))  # below the float
        bars.append(solid.box((1.9 * x, 2.0 * t, 2.0 * t), (0.0, at, middle)))
        for along in (-0.93 * x, -0.31 * x, 0.31 * x, 0.93 * x):
            bars.append(solid.box((2.4 * t, 2.0 * t, z - top - t), (along, at, 0.5 * (z + top) - 0.5 * t)))
    for along in (-0.93 * x, 0.0, 0.93 * x):
        bars.append(solid.box((2.4 * t, 2.0 * y - 2.0 * t, 2.0 * t), (along, 0.0, z - 2.0 * t)))
        bars.append(solid.box((2.4 * t, 2.0 * y - 2.0 * t, 2.0 * t), (along, 0.0, top)))
    return solid.joined(bars)


def _tubes(half: Array) -> Mesh:
    """A large tube for electronics with a dome ahead, and a smaller one for batteries below it."""
    x, y, z = half
    upper, lower = min(0.30 * z, 0.30 * y), min(0.20 * z, 0.22 * y)
    first = solid.moved(solid.capsule(0.80 * x - upper, upper), (0.1 * x, 0.0, -0.08 * z))
    second = solid.moved(solid.cylinder(0.70 * x, lower), (0.0, 0.0, z - lower - 0.2 * z))
    return solid.joined([first, second])


def _thruster(item: Thruster, main: Form, slender: bool) -> ScenePart:
    """A propeller in a duct; on a slender hull two rings of a tunnel, or a bare propeller behind the tail."""
    diameter = min(_diameter(item), 0.9 * min(main.box_m[1], main.box_m[2]))  # not larger than the hull
    place, axes = np.array(item.position_b), solid.along(item.direction_b)
    more = {"thruster": item.name, "position_m": item.position_b, "direction": item.direction_b}
    stern = main.center_b[0] - main.box_m[0]
    if slender and abs(item.direction_b[0]) > 0.9 and place[0] < main.center_b[0]:
        # A propeller inside the hull would be hidden: it is drawn behind the stern, on a shaft.
        place[0] = min(place[0], stern - 0.2 * diameter)
        shaft = solid.cylinder(0.5 * (stern - place[0]) + 0.1 * diameter, 0.08 * diameter)
        middle = (0.5 * (stern + place[0]), place[1], place[2])
        meshes = [solid.placed(solid.screw(diameter), axes, place), solid.moved(shaft, middle)]
        return ScenePart("thruster", solid.joined(meshes), BLACK, more)
    if slender and abs(item.direction_b[0]) < 0.3 and bool(main.inside(place[None, :])[0]):
        reach = np.array(item.direction_b) * np.abs(item.direction_b) @ np.diag(main.box_m)
        ring = solid.duct(diameter, 0.25 * diameter)  # both mouths of the tunnel, half inside the hull
        mouths = [solid.placed(ring, axes, place + sign * reach) for sign in (-1.0, 1.0)]
        return ScenePart("thruster", solid.joined(mouths), BLACK, more)
    mesh = solid.joined([solid.duct(diameter, 0.55 * diameter), solid.screw(diameter)])
    return ScenePart("thruster", solid.placed(mesh, axes, place), BLACK, more)


def _diameter(item: Thruster) -> float:
    """The diameter of the file, or, if larger, the one at which the thrust loads the disc with DISC_LOAD_PA."""
    return max(item.diameter_m, sqrt(4.0 * ThrustCurve(item).high / (pi * DISC_LOAD_PA)))


def _fin(item: Fin, vehicle: Vehicle, main: Form) -> ScenePart:
    """A plate of the chord and span of a fin, extended to the hull."""
    name = vehicle.surfaces[item.surface].name if item.surface >= 0 else None
    place, normal = np.array(item.position_b), np.array(item.normal_b)
    out = np.cross(X, normal)
    away = float((place - np.array(main.center_b)) @ out)
    inner, outer = abs(away) - 0.5 * item.span_m, abs(away) + 0.5 * item.span_m
    root = min(inner, 0.25 * main.box_m[1]) if inner > 0.0 else inner  # a tail is thinner than the hull
    middle = place + np.sign(away) * (0.5 * (root + outer) - abs(away)) * out
    return _plate(middle, normal, item.area_m2 / item.span_m, outer - root, name, item.gain)


def _plate(place: Array, normal: Array, chord: float, span: float, surface: str | None, gain: float = 1.0) -> ScenePart:
    """A plate of a control surface: the page rotates it about `axis` by the deflection times `gain`.

    A positive rotation moves the leading edge towards the normal.
    """
    axis = np.cross(X, normal)
    outward = float(place[1:] @ axis[1:]) >= 0.0
    mesh = solid.plate(chord, span, 0.25 * chord)
    axes = np.column_stack([X, axis, -normal]) if outward else np.column_stack([X, -axis, normal])
    more = {"surface": surface, "hinge_m": place.tolist(), "axis": axis.tolist(), "gain": gain}
    return ScenePart("fin", solid.placed(mesh, axes, place), ORANGE if surface else GREY, more)


def _tail(vehicle: Vehicle, main: Form) -> list[ScenePart]:
    """Two plates, at tail or bow, for each control surface that acts by coefficients alone."""
    radius = main.box_m[1]
    plates: list[ScenePart] = []
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
            plates.append(_plate(place, normal, 1.1 * radius, 1.1 * radius, item.name))
    return plates


def _turning(vehicle: Vehicle, item: ControlSurface) -> tuple[int, float] | None:
    """Whether a surface yaws (N) or pitches (M) the vehicle, and the sign of the force on the tail."""
    sums = {axis: 0.0 for axis in (M, N)}
    for term in vehicle.coefficients:
        if item.symbol in term.factors and term.axis in sums:
            sums[term.axis] += term.value
    axis = max(sums, key=lambda moment: abs(sums[moment]))
    if sums[axis] == 0.0:
        return None
    return axis, float(np.sign(sums[axis])) * (-1.0 if axis == N else 1.0)


def _wings(main: Form) -> list[ScenePart]:
    """Swept wings of a glider, whose file has coefficients of the whole vehicle and no wings."""
    half_span, chord = 0.28 * main.box_m[0] * 2.0, 0.12 * main.box_m[0]
    plates: list[ScenePart] = []
    for side in (-1.0, 1.0):
        place = np.array(main.center_b) + np.array([0.0, side * (0.5 * half_span + 0.7 * main.box_m[1]), 0.0])
        mesh = solid.plate(chord, half_span, 0.6 * half_span)
        axes = np.diag([1.0, side, side])  # the port wing is rotated by 180 degrees about x
        plates.append(ScenePart("fin", solid.placed(mesh, axes, place), GREY, {"surface": None}))
    return plates


def _camera(place: Vec3, size: float, name: str) -> ScenePart:
    radius = 0.10 * size if size < 1.0 else 0.1
    return ScenePart("camera", solid.moved(solid.ellipsoid((radius,) * 3), place), GLASS, {"camera": name})


def _lamp(place: Vec3, direction: Vec3, size: float, name: str) -> ScenePart:
    radius = 0.06 * size if size < 1.0 else 0.06
    mesh = solid.placed(solid.cylinder(1.2 * radius, radius), solid.along(direction), place)
    return ScenePart("lamp", mesh, LIGHT, {"lamp": name})
