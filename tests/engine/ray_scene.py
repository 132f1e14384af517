"""Small worlds for rays, and slow, independent calculations of the same ranges."""

import numpy as np

from pelagos.engine.water.sea import BOX, CYLINDER, GRID_BOTTOM, HALF_SPACE, PLANE_BOTTOM, SOLID, SPHERE
from pelagos.world.rays import Rays
from pelagos.world.writer import SeaWriter


def packed(*, plane=None, grid=None, origin=(0.0, 0.0), step=(1.0, 1.0), solids=()):
    writer = SeaWriter()
    if plane is not None:
        writer.header["bottom"], writer.header["plane"] = PLANE_BOTTOM, plane
    if grid is not None:
        writer.header["bottom"], writer.header["grid_at"] = GRID_BOTTOM, writer.append(grid)
        writer.header["grid_origin"], writer.header["grid_step"] = origin, step
        writer.header["grid_count"] = np.shape(grid)
    writer.header["n_solids"], writer.header["solids_at"] = len(solids), writer.append_records(SOLID, list(solids))
    return writer.finish()


def rays(triangles=(), **scene):
    return Rays(packed(**scene), triangles)


def rotation(rng):
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    turn[:, 0] *= np.linalg.det(turn)
    return turn


def solid(kind, half, center=(0.0, 0.0, 0.0), axes=None):
    axes = np.eye(3) if axes is None else axes
    return {"kind": kind, "half": half, "center": center, "axes": np.ravel(axes), "bound": 1e3}


def some_solid(rng, kind):
    half = rng.uniform(0.3, 3.0, 3)
    half = {SPHERE: np.full(3, half[0]), CYLINDER: half * (1.0, 1.0, 0.0)}.get(kind, half)
    return solid(kind, half, rng.uniform(-5.0, 5.0, 3), rotation(rng))


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def solid_range(item, origin, direction):
    """Nearest crossing of one solid's skin by textbook algebra in its own axes; infinite if none."""
    axes = np.reshape(item["axes"], (3, 3))
    o, d = axes.T @ (origin - np.asarray(item["center"])), axes.T @ unit(direction)
    half, crossings = np.asarray(item["half"]), []
    if item["kind"] == SPHERE:
        crossings = list(np.roots([d @ d, 2.0 * o @ d, o @ o - half[0] ** 2]))
    elif item["kind"] == HALF_SPACE:
        crossings = [-o[2] / d[2]]
    elif item["kind"] == CYLINDER:
        side = np.roots([d[1:] @ d[1:], 2.0 * o[1:] @ d[1:], o[1:] @ o[1:] - half[1] ** 2])
        crossings = [t for t in side if np.isreal(t) and abs((o + t.real * d)[0]) <= half[0]]
        ends = [(s * half[0] - o[0]) / d[0] for s in (-1.0, 1.0)]
        crossings += [t for t in ends if np.hypot(*(o + t * d)[1:]) <= half[1]]
    elif item["kind"] == BOX:
        for k in range(3):
            others = [n for n in range(3) if n != k]
            for s in (-1.0, 1.0):
                t = (s * half[k] - o[k]) / d[k]
                if (np.abs(o + t * d)[others] <= half[others]).all():
                    crossings.append(t)
    ahead = [t.real for t in np.atleast_1d(crossings) if abs(np.imag(t)) == 0.0 and t.real >= 0.0]
    return min(ahead, default=np.inf)


def triangle_ranges(corners, origin, direction):
    """Range to each triangle (m, 3, 3), by solving o + t d = (1 - u - v) a + u b + v c as a 3 x 3 system."""
    d = unit(direction)
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    matrix = np.stack([np.broadcast_to(-d, a.shape), b - a, c - a], axis=-1)
    t, u, v = np.linalg.solve(matrix, (origin - a)[..., None])[..., 0].T
    return np.where((t >= 0.0) & (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0), t, np.inf)


def ball_mesh(radius=1.0, around=24, center=(0.0, 0.0, 0.0)):
    """A closed mesh of a ball, (m, 3, 3)."""
    angle, slope = np.linspace(0.0, 2.0 * np.pi, around + 1), np.linspace(0.0, np.pi, around // 2 + 1)
    x, r = np.cos(slope)[:, None] + 0.0 * angle, np.sin(slope)[:, None]
    net = radius * np.stack([x, r * np.cos(angle), r * np.sin(angle)], -1) + center
    a, b, c, d = net[:-1, :-1], net[1:, :-1], net[1:, 1:], net[:-1, 1:]
    both = np.concatenate([np.stack([a, b, c], -2).reshape(-1, 3, 3), np.stack([a, c, d], -2).reshape(-1, 3, 3)])
    return both[np.linalg.norm(np.cross(both[:, 1] - both[:, 0], both[:, 2] - both[:, 0]), axis=1) > 1e-12]
