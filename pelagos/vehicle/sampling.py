"""The volume of a hull as weighted points: sections (deterministic) or a random cloud.

Each [[shape]] is sampled by itself, with its own volume, so that a mast of one percent of the volume is resolved as
well as the hull below it. Pieces that overlap count twice.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pelagos.engine.wet import DISCS
from pelagos.vehicle.mesh import Mesh, mesh_form, outward, read_mesh
from pelagos.vehicle.sections import Piece, Segment, brick, sections, segments_of, shared, shared_in_runs
from pelagos.vehicle.spec import Shape

Array = NDArray[np.float64]

FEWEST = 24  # points of a shape, however small
FEWEST_RANDOM = 200


def quadrature(shapes: tuple[Shape, ...], points: int) -> list[Piece]:
    """Deterministic pieces: boxes exact, round bodies as sections, meshes as grains; about `points` in all."""
    pieces = [brick(shape) for shape in shapes if shape.kind == "box"]
    others = [shape for shape in shapes if shape.kind != "box"]
    if others:
        weights = np.array([volume_m3(shape) for shape in others]) ** (2.0 / 3.0)
        room = max(points - len(pieces), len(others))
        least = min(FEWEST, room // len(others))
        for shape, count in zip(others, shared_in_runs(weights, room, least), strict=True):
            if shape.kind == "mesh":
                from pelagos.vehicle.grains import grains

                pieces.append(grains(mesh_of(shape), int(count)))
            else:
                pieces.append(sections(shape, int(count)))
    return pieces


def monte_carlo(shapes: tuple[Shape, ...], points: int, seed: int) -> list[Piece]:
    """A uniform random cloud in every shape, sharp points (Hunt & Whitcomb, sect. III.B)."""
    volumes = np.array([volume_m3(shape) for shape in shapes])
    counts = shared(volumes, points, FEWEST_RANDOM if points > FEWEST_RANDOM * len(shapes) else 1)
    streams = np.random.SeedSequence(seed).spawn(len(shapes))
    pieces: list[Piece] = []
    for shape, volume, count, stream in zip(shapes, volumes, counts, streams, strict=True):
        places = cloud(shape, int(count), np.random.default_rng(stream))
        shares = np.full(len(places), volume / len(places))
        pieces.append(Piece(DISCS, places, shares, np.ones(len(places)), np.zeros((3, 3))))
    return pieces


def volume_m3(shape: Shape) -> float:
    """Volume of one shape."""
    if shape.kind == "mesh":
        return mesh_form(mesh_of(shape)).volume_m3
    return float(np.sum((brick(shape) if shape.kind == "box" else sections(shape, 64)).volumes))


def mesh_of(shape: Shape) -> Mesh:
    """The closed mesh of a shape in body axes, facing outward."""
    mesh = outward(read_mesh(shape.file, shape.scale))
    return replace(mesh, vertices=mesh.vertices + np.array(shape.center_b))


def cloud(shape: Shape, count: int, rng: np.random.Generator) -> Array:
    """`count` points, uniform in the shape, (count, 3) in body axes."""
    if shape.kind == "mesh":
        return _mesh_cloud(mesh_of(shape), count, rng)
    if shape.kind == "box":
        return (rng.random((count, 3)) - 0.5) * np.array(shape.size_m) + np.array(shape.center_b)
    along, radius, across = _axis_points(shape, count, rng)
    r, angle = radius * np.sqrt(rng.random(count)), rng.uniform(0.0, 2.0 * np.pi, count)
    places = np.column_stack([along, r * across[:, 0] * np.cos(angle), r * across[:, 1] * np.sin(angle)])
    return np.roll(places, "xyz".index(shape.axis), axis=1) + np.array(shape.center_b)


def _axis_points(shape: Shape, count: int, rng: np.random.Generator) -> tuple[Array, Array, Array]:
    """Places along the axis with the density of the sectional area, radius and half axes per radius there."""
    segments = segments_of(shape)
    areas = [_area_table(segment) for segment in segments]
    volumes = np.array([table[1][-1] for table in areas])
    which = rng.choice(len(segments), count, p=volumes / volumes.sum())
    along, radius, across = np.empty(count), np.empty(count), np.empty((count, 2))
    for index, (segment, (u, volume)) in enumerate(zip(segments, areas, strict=True)):
        mine = which == index
        along[mine] = np.interp(rng.random(int(mine.sum())) * volume[-1], volume, u)
        radius[mine] = segment.radius(along[mine])
        across[mine] = segment.across
    return along, radius, across


def _area_table(segment: Segment) -> tuple[Array, Array]:
    """Fine places along a segment and the volume up to each, over pi (Simpson on r^2)."""
    u = np.linspace(segment.low, segment.high, 2001)
    middle = 0.5 * (u[:-1] + u[1:])
    end, mid = segment.radius(u) ** 2, segment.radius(middle) ** 2
    return u, np.concatenate([[0.0], np.cumsum((end[:-1] + 4.0 * mid + end[1:]) / 6.0 * np.diff(u))])


def _mesh_cloud(mesh: Mesh, count: int, rng: np.random.Generator) -> Array:
    from pelagos.vehicle.grains import inside

    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    found = np.empty((0, 3))
    while len(found) < count:
        tried = low + rng.random((2 * count, 3)) * (high - low)
        found = np.concatenate([found, tried[inside(mesh, tried)]])
    return found[:count]
