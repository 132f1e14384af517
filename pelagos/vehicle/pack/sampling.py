"""The volume of a hull as weighted points: deterministic (sections of round bodies, samples of meshes) or random.

Each [[shape]] is sampled separately, with its own volume, so that a mast of one percent of the volume is resolved as
well as the hull below it. Pieces that overlap count twice.

Samples of a mesh are made from a fine lattice of points inside it: the set of points is cut in two across its longest
direction, again and again, until there are as many cells as samples, all of nearly the same volume. A sample lies at
the middle of its cell, and its blur is that of the mean cell.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pelagos.engine.water.wet import DISCS
from pelagos.errors import PelagosError
from pelagos.vehicle.derive.mesh import Mesh, MeshForm, mesh_form, outward, placed_mesh
from pelagos.vehicle.pack.sections import (
    Piece,
    SectionSegment,
    apportion,
    apportion_in_runs,
    brick,
    sections,
    segments_of,
)
from pelagos.vehicle.spec import Shape

Array = NDArray[np.float64]

FEWEST = 24  # points of a shape, however small
FEWEST_RANDOM = 200  # the same for a random cloud, whose error falls only with the square root of their number
PER_SAMPLE = 80  # lattice points for each sample: enough for the middle and the covariance of its cell
# an odd rotation of the lattice: a wall of the hull along a body axis does not coincide with a row of points
_LATTICE_AXES = np.linalg.qr(np.array([[1.0, 0.31, 0.17], [0.0, 1.0, 0.43], [0.0, 0.0, 1.0]]) @ np.array(
    [[0.8, -0.6, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 1.0]]) @ np.array(
    [[0.96, 0.0, 0.28], [0.0, 1.0, 0.0], [-0.28, 0.0, 0.96]]))[0]  # fmt: skip


def quadrature(shapes: tuple[Shape, ...], points: int) -> list[Piece]:
    """Deterministic pieces of the shapes: boxes exact, round bodies as sections, meshes as samples; about `points`."""
    pieces = [brick(shape) for shape in shapes if shape.kind == "box"]
    others = [shape for shape in shapes if shape.kind != "box"]
    if others:
        # by surface rather than by volume: small shapes get more points than their share of the volume
        weights = np.array([volume_m3(shape) for shape in others]) ** (2.0 / 3.0)
        room = max(points - len(pieces), len(others))
        least = min(FEWEST, room // len(others))
        for shape, count in zip(others, apportion_in_runs(weights, room, least), strict=True):
            if shape.kind == "mesh":
                pieces.append(mesh_samples(mesh_of(shape), int(count)))
            else:
                pieces.append(sections(shape, int(count)))
    return pieces


def monte_carlo(shapes: tuple[Shape, ...], points: int, seed: int) -> list[Piece]:
    """A uniform random cloud of sharp points in every shape (Hunt & Whitcomb, sect. III.B)."""
    volumes = np.array([volume_m3(shape) for shape in shapes])
    counts = apportion(volumes, points, FEWEST_RANDOM if points > FEWEST_RANDOM * len(shapes) else 1)
    streams = np.random.SeedSequence(seed).spawn(len(shapes))
    pieces: list[Piece] = []
    for shape, volume, count, stream in zip(shapes, volumes, counts, streams, strict=True):
        places = cloud(shape, int(count), np.random.default_rng(stream))
        shares = np.full(len(places), volume / len(places))
        pieces.append(Piece(DISCS, places, shares, np.ones(len(places)), np.zeros((3, 3))))
    return pieces


def volume_m3(shape: Shape) -> float:
    """Volume of one shape, m3."""
    if shape.kind == "mesh":
        return mesh_form(mesh_of(shape)).volume_m3
    return float(np.sum((brick(shape) if shape.kind == "box" else sections(shape, 64)).volumes))


def mesh_of(shape: Shape) -> Mesh:
    """The closed mesh of a shape in body axes, facing outward."""
    return outward(placed_mesh(shape.file, shape.scale, shape.center_b))


def cloud(shape: Shape, count: int, rng: np.random.Generator) -> Array:
    """Random points, uniform in a shape, (count, 3) in body axes."""
    if shape.kind == "mesh":
        return _mesh_cloud(mesh_of(shape), count, rng)
    if shape.kind == "box":
        return (rng.random((count, 3)) - 0.5) * np.array(shape.size_m) + np.array(shape.center_b)
    along, radius, across = _axis_points(shape, count, rng)
    r, angle = radius * np.sqrt(rng.random(count)), rng.uniform(0.0, 2.0 * np.pi, count)
    places = np.column_stack([along, r * across[:, 0] * np.cos(angle), r * across[:, 1] * np.sin(angle)])
    return np.roll(places, "xyz".index(shape.axis), axis=1) + np.array(shape.center_b)


def inside(mesh: Mesh, points: Array) -> NDArray[np.bool_]:
    """Whether points (n, 3) lie inside a closed mesh: then a ray along +z crosses it an odd number of times."""
    order = np.argsort(points[:, 0], kind="stable")  # sorted along x, a triangle meets one slice of the points only
    sorted_points = points[order]
    x = sorted_points[:, 0]
    crossings = np.zeros(len(points), np.int64)
    corners = mesh.corners()
    first = np.searchsorted(x, corners[:, :, 0].min(axis=1))
    last = np.searchsorted(x, corners[:, :, 0].max(axis=1))
    for (a, b, c), start, end in zip(corners, first, last, strict=True):
        if start == end:
            continue
        p = sorted_points[start:end]
        e1, e2 = b - a, c - a
        det = e1[0] * e2[1] - e1[1] * e2[0]
        if det == 0.0:  # seen edge on along z
            continue
        dx, dy = p[:, 0] - a[0], p[:, 1] - a[1]
        s = (dx * e2[1] - dy * e2[0]) / det
        t = (dy * e1[0] - dx * e1[1]) / det
        crossings[start:end] += (s >= 0.0) & (t >= 0.0) & (s + t < 1.0) & (a[2] + s * e1[2] + t * e2[2] > p[:, 2])
    is_inside = np.zeros(len(points), bool)
    is_inside[order] = crossings % 2 == 1
    return is_inside


def mesh_samples(mesh: Mesh, count: int) -> Piece:
    """Samples of nearly equal volume that fill a mesh; volume and centre are exact."""
    form = mesh_form(mesh)
    center = np.array(form.center_b)
    places = _lattice(mesh, form, PER_SAMPLE * count)
    if len(places) < 8 * count:  # cells of fewer points have no meaningful middle and blur
        raise PelagosError(f"too thin to be filled with {count} points", file=mesh.file, expected="a solid hull")
    cells = [places]
    while len(cells) < count:
        cells = _halved(cells, count)
    stretch = _stretch(form)
    middles = np.array([cell.mean(axis=0) for cell in cells]) @ stretch.T + center
    volumes = np.array([float(len(cell)) for cell in cells])
    volumes *= form.volume_m3 / np.sum(volumes)
    middles += center - volumes @ middles / form.volume_m3
    # C of a sample is four times its covariance: a disc seen edge on has the variance h^2/4 along n
    spread = 4.0 * np.mean([np.cov(cell.T, bias=True) for cell in cells], axis=0)
    return Piece(DISCS, middles, volumes, np.ones(count), stretch @ spread @ stretch.T)


def _axis_points(shape: Shape, count: int, rng: np.random.Generator) -> tuple[Array, Array, Array]:
    """Random places along the axis, distributed as the sectional area; radius and half axes per radius there."""
    segments = segments_of(shape)
    areas = [_area_table(segment) for segment in segments]
    volumes = np.array([table[1][-1] for table in areas])
    segment_of = rng.choice(len(segments), count, p=volumes / volumes.sum())
    along, radius, across = np.empty(count), np.empty(count), np.empty((count, 2))
    for index, (segment, (u, volume)) in enumerate(zip(segments, areas, strict=True)):
        here = segment_of == index
        along[here] = np.interp(rng.random(int(here.sum())) * volume[-1], volume, u)
        radius[here] = segment.radius(along[here])
        across[here] = segment.across
    return along, radius, across


def _area_table(segment: SectionSegment) -> tuple[Array, Array]:
    """Fine places along a segment and the volume up to each, over pi (Simpson on r^2)."""
    u = np.linspace(segment.low, segment.high, 2001)
    middle = 0.5 * (u[:-1] + u[1:])
    end, mid = segment.radius(u) ** 2, segment.radius(middle) ** 2
    return u, np.concatenate([[0.0], np.cumsum((end[:-1] + 4.0 * mid + end[1:]) / 6.0 * np.diff(u))])


def _mesh_cloud(mesh: Mesh, count: int, rng: np.random.Generator) -> Array:
    """Random points, uniform in a mesh, by rejection from the box around it."""
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    points = np.empty((0, 3))
    while len(points) < count:
        tried = low + rng.random((2 * count, 3)) * (high - low)
        points = np.concatenate([points, tried[inside(mesh, tried)]])
    return points[:count]


def _stretch(form: MeshForm) -> Array:
    """The linear map from a body of equal extent in all directions to the mesh: even cuts stay even under it."""
    center = np.array(form.center_b)
    second = 0.5 * np.trace(form.inertia_per_density) * np.eye(3) - form.inertia_per_density
    values, axes = np.linalg.eigh(second / form.volume_m3 - np.outer(center, center))
    return axes * np.sqrt(values) * np.sign(np.linalg.det(axes))


def _lattice(mesh: Mesh, form: MeshForm, count: int) -> Array:
    """About `count` points of a rotated cubic lattice inside the mesh, in the coordinates before `_stretch`."""
    stretch, center = _stretch(form), np.array(form.center_b)
    radius = float(np.max(np.linalg.norm((mesh.vertices - center) @ np.linalg.inv(stretch).T, axis=1)))
    step = float(form.volume_m3 / np.linalg.det(stretch) / count) ** (1.0 / 3.0)
    line = np.arange(-radius, radius + step, step)
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    x, y = (part.ravel() for part in np.meshgrid(line, line))
    layers: list[Array] = []
    for z in line:
        layer = np.column_stack([x, y, np.full(x.size, z)]) @ _LATTICE_AXES.T
        places = layer @ stretch.T + center
        layers.append(layer[np.all((places > low) & (places < high), axis=1)])
    points = np.concatenate(layers)
    return points[inside(mesh, points @ stretch.T + center)]


def _halved(cells: list[Array], count: int) -> list[Array]:
    """The cells cut in two across their longest direction, the largest first, until there are `count`."""
    room = count - len(cells)
    order = np.argsort([-len(cell) for cell in cells], kind="stable")
    chosen = set(order[:room].tolist())
    halves: list[Array] = []
    for index, cell in enumerate(cells):
        if index not in chosen:
            halves.append(cell)
            continue
        centered = cell - cell.mean(axis=0)
        direction = np.linalg.eigh(centered.T @ centered)[1][:, -1]
        rank = np.argsort(centered @ direction, kind="stable")
        halves += [cell[rank[: len(cell) // 2]], cell[rank[len(cell) // 2 :]]]
    return halves
