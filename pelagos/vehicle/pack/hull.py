"""The hull record of the engine: points of its volume for the free surface, convex forms and feelers for contact.

The points are shifted together so that their mean is the vehicle's centre of buoyancy, and their shares add up to one:
just under the surface the wet hull equals the submerged one (errata H10). Contact uses the shapes where the file puts
them. Its form of a table of stations is the capsule (round hull) or box around it. Its form of a mesh is the box around
it, with some of the vertices as feelers. A vehicle without [[shape]] is a capsule or box of its main dimensions, if the
file has them.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.checks import Context, choice
from pelagos.engine.core.neighbours import EIGHT
from pelagos.engine.core.views import Layout
from pelagos.engine.water.sea import FORM, HULL
from pelagos.engine.water.wet import TAPER, WET_PIECE
from pelagos.errors import PelagosError
from pelagos.geometry.forms import Form, farthest_m, feelers, form_record
from pelagos.units import split_key
from pelagos.vehicle.pack.sampling import mesh_of, monte_carlo, quadrature
from pelagos.vehicle.pack.sections import Piece
from pelagos.vehicle.spec import SURFACE_METHODS, SURFACE_POINTS, FreeSurfaceModel, Shape, Vec3, Vehicle

Array = NDArray[np.float64]

MAX_VERTICES = 64  # of a mesh that are feelers: enough for a hull, few enough for every step of contact
FORM_AXES = {  # columns: directions of the form's x, y, z for a shape that lies along an axis
    "x": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "y": ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)),
    "z": ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)),
}


def hull_table(vehicle: Vehicle, *, method: str | None = None) -> Array:
    """The flat array of the hull (layout HULL of `engine/water/sea.py`); `method` overrides the vehicle file's."""
    model = vehicle.free_surface
    chosen = model.method if method is None else method
    choice("surface method", chosen, SURFACE_METHODS, context=Context(PelagosError))
    if not vehicle.shapes:
        chosen = "submerged"
    # the file's number of points is for its own method
    points = model.points if chosen == model.method else SURFACE_POINTS[chosen]
    surface_model = FreeSurfaceModel(chosen, points, model.seed)
    # a copy, because the table is cached without the actuators, which two vehicles of one hull may have different
    table = _table(vehicle.shapes, surface_model, vehicle.body.cb_b, _main_form(vehicle)).copy()
    reach = HULL.offset("reach")[0]
    table[reach] = max(table[reach], *_actuator_reach(vehicle))
    return table


@lru_cache(maxsize=64)  # sampling a mesh takes seconds, and every vehicle of a batch needs the same table
def _table(shapes: tuple[Shape, ...], model: FreeSurfaceModel, cb_b: Vec3, main: Form | None) -> Array:
    # the kernel loops over pieces with one C first, then over tapers, so tapers stand last
    pieces = sorted(centered(pieces_of(shapes, model), cb_b), key=is_taper)
    forms = _forms(shapes, main)
    skin = _feelers(shapes, forms)
    n_points = sum(len(piece.volumes) for piece in pieces)
    header = HULL.record()
    header["reach"] = max([farthest_m(forms), *(piece.reach_m for piece in pieces)])
    header["n_points"], header["n_pieces"] = n_points, len(pieces)
    header["n_tapers"] = sum(map(is_taper, pieces))
    header["n_forms"], header["n_feelers"] = len(forms), len(skin)
    parts = {
        "points_at": _runs(pieces),
        "pieces_at": _records(WET_PIECE, _piece_records(pieces)),
        "strands_at": np.concatenate([np.empty(0), *(_strands(piece) for piece in pieces)]),
        "forms_at": _records(FORM, [form_record(form) for form in forms]),
        "feelers_at": skin.ravel(),
    }
    end = HULL.size
    for name, part in parts.items():
        header[name] = end
        end += part.size
    return np.concatenate([HULL.flat(header), *parts.values()])


def pieces_of(shapes: tuple[Shape, ...], model: FreeSurfaceModel) -> list[Piece]:
    """The volume of the hull as points, by the method of the model; empty if the hull is always submerged."""
    if model.method == "submerged":
        return []
    if model.method == "monte_carlo":
        return monte_carlo(shapes, model.points, model.seed)
    return quadrature(shapes, model.points)


def is_taper(piece: Piece) -> bool:
    """Whether a piece consists of strands, each with its own C."""
    return piece.kind >= TAPER


def centered(pieces: list[Piece], cb_b: Vec3) -> list[Piece]:
    """The pieces with their volumes scaled to add up to one, shifted so that their mean is `cb_b`."""
    if not pieces:
        return []
    total = sum(float(np.sum(piece.volumes)) for piece in pieces)
    mean = sum(piece.volumes @ piece.places for piece in pieces) / total
    shift = np.array(cb_b) - mean
    return [
        Piece(piece.kind, piece.places + shift, piece.volumes / total, piece.sizes, piece.spread) for piece in pieces
    ]


def contact_forms(vehicle: Vehicle) -> tuple[Form, ...]:
    """The convex forms of a vehicle for contact: one per shape, else one of the main dimensions, else none."""
    return _forms(vehicle.shapes, _main_form(vehicle))


def _forms(shapes: tuple[Shape, ...], main: Form | None) -> tuple[Form, ...]:
    return tuple(contact_form(shape) for shape in shapes) or ((main,) if main is not None else ())


def contact_form(shape: Shape) -> Form:
    """The convex form of a shape, for contact."""
    if shape.kind == "mesh":
        vertices = mesh_of(shape).vertices
        low, high = vertices.min(axis=0), vertices.max(axis=0)
        return Form("box", _vec3(0.5 * (low + high)), _vec3(0.5 * (high - low)))
    if shape.kind == "stations":
        return _around_stations(np.array(shape.stations), shape.center_b)
    if shape.kind == "box":
        return Form("box", shape.center_b, _vec3(0.5 * np.array(shape.size_m)))
    if shape.kind == "ellipsoid":
        return Form("ellipsoid", shape.center_b, _vec3(shape.size_m))
    length, radius = shape.size_m
    axes = FORM_AXES[shape.axis]
    if shape.kind == "cylinder":
        return Form("cylinder", shape.center_b, (0.5 * length, radius, radius), axes)
    return Form("capsule", shape.center_b, (max(0.5 * length - radius, 0.0), radius, radius), axes)


def _around_stations(table: Array, center_b: Vec3) -> Form:
    x, heights, breadths = table.T
    low, high = x[0], x[-1]
    height, breadth = float(heights.max()), float(breadths.max())
    middle = _vec3(np.array(center_b) + np.array([0.5 * (low + high), 0.0, 0.0]))
    half, radius = 0.5 * float(high - low), 0.5 * max(height, breadth)
    if abs(height - breadth) < 0.05 * height and half > radius:  # nearly round: a capsule fits closer than a box
        return Form("capsule", middle, (half - radius, radius, radius))
    return Form("box", middle, (half, 0.5 * breadth, 0.5 * height))


def _main_form(vehicle: Vehicle) -> Form | None:
    """Capsule or box of the main dimensions, about the centre of buoyancy; None if the vehicle has shapes."""
    if vehicle.shapes or not vehicle.length_m > 0.0:
        return None
    size = main_dimensions(vehicle)
    half = 0.5 * vehicle.length_m
    if "height" in size and "breadth" in size:
        return Form("box", vehicle.body.cb_b, (half, 0.5 * size["breadth"], 0.5 * size["height"]))
    if "diameter" in size:
        radius = 0.5 * size["diameter"]
        return Form("capsule", vehicle.body.cb_b, (max(half - radius, 0.0), radius, radius))
    return None


def main_dimensions(vehicle: Vehicle) -> dict[str, float]:
    """Diameter, height and breadth, m, of [geometry], from the facts: as a number the vehicle keeps only its length."""
    size: dict[str, float] = {}
    for fact in vehicle.facts:
        match = re.match(r"geometry\.(diameter|height|breadth)_", fact.path)
        unit = split_key(fact.path)[1] if match else None
        if match and unit is not None and isinstance(fact.value, float | int):
            size[match[1]] = float(fact.value) * unit.factor
    return size


def _actuator_reach(vehicle: Vehicle) -> list[float]:
    """Distance from O to the far end of each propeller and fin, m: it may leave the water before the hull does."""
    parts = [(item.position_b, item.diameter_m) for item in vehicle.thrusters]
    parts += [(item.position_b, item.span_m) for item in vehicle.fins]
    parts += [(item.position_b, item.span_m) for item in vehicle.surfaces if item.position_b is not None]
    return [0.0, *(float(np.linalg.norm(at)) + 0.5 * size for at, size in parts)]


def _feelers(shapes: tuple[Shape, ...], forms: tuple[Form, ...]) -> Array:
    """Points on the skin that contact tests: those of the forms, and vertices of a mesh instead of those of its box."""
    if not shapes:
        return feelers(forms) if forms else np.empty((0, 3))
    points = [
        _spread_vertices(mesh_of(shape).vertices) if shape.kind == "mesh" else feelers((form,))
        for shape, form in zip(shapes, forms, strict=True)
    ]
    return np.concatenate(points)


def _spread_vertices(vertices: Array) -> Array:
    """At most MAX_VERTICES vertices, each the farthest from those already chosen."""
    chosen = [int(np.argmax(np.linalg.norm(vertices - vertices.mean(axis=0), axis=1)))]
    distance = np.linalg.norm(vertices - vertices[chosen[0]], axis=1)
    while len(chosen) < min(MAX_VERTICES, len(vertices)):
        chosen.append(int(np.argmax(distance)))
        distance = np.minimum(distance, np.linalg.norm(vertices - vertices[chosen[-1]], axis=1))
    return vertices[chosen]


def _runs(pieces: list[Piece]) -> Array:
    """The runs of the kernel: x of all points, then y, z, shares, shares times sizes and one over the sizes."""
    if not pieces:
        return np.empty(0)
    places = np.concatenate([piece.places for piece in pieces])
    shares = np.concatenate([piece.volumes for piece in pieces])
    sizes = np.concatenate([piece.sizes for piece in pieces])
    return np.concatenate([places[:, 0], places[:, 1], places[:, 2], shares, shares * sizes, 1.0 / sizes])


def _piece_records(pieces: list[Piece]) -> list[dict[str, Any]]:
    """The fields of each piece (layout WET_PIECE)."""
    records: list[dict[str, Any]] = []
    first, first_eight = 0, 0
    for piece in pieces:
        eights = len(piece.spread) // EIGHT if is_taper(piece) else 0
        c = piece.spread[0] if is_taper(piece) else piece.spread
        spread = [c[0, 0], c[1, 1], c[2, 2], c[0, 1], c[0, 2], c[1, 2]]
        low, high = piece.box_m
        records.append(
            {
                "kind": piece.kind, "first": first, "count": len(piece.volumes), "spread": spread,
                "middle": 0.5 * (low + high), "half": 0.5 * (high - low),
                "share": np.sum(piece.volumes), "moment": piece.volumes @ piece.places,
                "eights": eights, "first_eight": first_eight,
            }
        )  # fmt: skip
        first += len(piece.volumes)
        first_eight += eights
    return records


def _strands(piece: Piece) -> Array:
    """The diagonal of C of a taper: for each eight strands their xx, then yy, then zz."""
    if not is_taper(piece):
        return np.empty(0)
    return piece.spread.diagonal(0, 1, 2).reshape(-1, EIGHT, 3).transpose(0, 2, 1).ravel()


def _records(layout: Layout, records: list[dict[str, Any]]) -> Array:
    rows = np.zeros(len(records), layout.dtype)
    for row, record in zip(rows, records, strict=True):
        for name, value in record.items():
            row[name] = value
    return rows.view(np.float64).ravel()


def _vec3(values: Any) -> Vec3:
    x, y, z = (float(value) for value in values)
    return (x, y, z)
