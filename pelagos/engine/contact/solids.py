"""Where a vehicle touches the world: contact points with normal and gap, against every solid and the bottom.

Convex forms of the hull against boxes, cylinders, spheres and half spaces are exact (`convex.py`, `patch.py`). Against
a distance grid the hull's feelers, points on its skin, are used, and each form is searched for its deepest point.
Against a bottom grid: corners and edges of boxes, lowest points and feelers of round forms, nodes and sides of the grid
(`bottom_grid.py`). Moved by -gap along the normal, the vehicle just touches there.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from pelagos.engine.compiled import compiled, compiled_apart, entry
from pelagos.engine.contact.bottom_grid import add_above, touch_grid
from pelagos.engine.contact.convex import separation
from pelagos.engine.contact.obstacles import N_SOLID, bottom_at, bottom_is_near, near, solid_distance
from pelagos.engine.contact.patch import add_contact, add_patch, add_plane
from pelagos.engine.contact.shapes import SHAPE, distance
from pelagos.engine.core.attitude import Attitude, rotation_from_quaternion
from pelagos.engine.core.views import as_numbers
from pelagos.engine.water.sea import (
    BOX,
    DISTANCE_GRID,
    FORM,
    GRID_BOTTOM,
    HALF_SPACE,
    NO_BOTTOM,
    SEABED,
    SPHERE,
    as_hull,
    as_sea,
    as_solid,
)

__all__ = ["bottom_at", "detect", "find_contacts", "near", "near_rows", "solid_distance"]

N_FORM = FORM.size
SEARCH = 48  # steps of the descent into a mesh


@compiled_apart
def place_form(hull, at, R, x, y, z, row):
    """The form at `at`, body axes, as a shape in NED."""
    row[0] = hull[at]
    a, b, c = hull[at + 1], hull[at + 2], hull[at + 3]
    row[1] = x + R.xx * a + R.xy * b + R.xz * c
    row[2] = y + R.yx * a + R.yy * b + R.yz * c
    row[3] = z + R.zx * a + R.zy * b + R.zz * c
    for k in range(3):
        a, b, c = hull[at + 4 + k], hull[at + 7 + k], hull[at + 10 + k]
        row[4 + k] = R.xx * a + R.xy * b + R.xz * c
        row[7 + k] = R.yx * a + R.yy * b + R.yz * c
        row[10 + k] = R.zx * a + R.zy * b + R.zz * c
        row[13 + k] = hull[at + 13 + k]


@compiled
def radius_of(row):
    """Radius about a form's centre that holds it; no form reaches beyond the sum of its half lengths."""
    if row[0] == BOX:
        return sqrt(row[13] * row[13] + row[14] * row[14] + row[15] * row[15])
    if row[0] == SPHERE:
        return max(row[13], max(row[14], row[15]))
    return row[13] + row[14]


@compiled_apart
def feel_solid(sea, at, hull, R, x, y, z, margin, traits, found, n):
    """Feelers against the signed distance of one solid; returns contacts and where the deepest feeler is."""
    h = as_hull(hull)
    first = int(h.feelers_at)
    low, lx, ly, lz = 1e300, x, y, z
    for i in range(int(h.n_feelers)):
        a, b, c = hull[first + 3 * i], hull[first + 3 * i + 1], hull[first + 3 * i + 2]
        px = x + R.xx * a + R.xy * b + R.xz * c
        py = y + R.yx * a + R.yy * b + R.yz * c
        pz = z + R.zx * a + R.zy * b + R.zz * c
        d, nx, ny, nz = solid_distance(sea, at, px, py, pz)
        if d < margin:
            n = add_contact(found, n, px, py, pz, nx, ny, nz, d, traits)
        if d < low:
            low, lx, ly, lz = d, px, py, pz
    return n, lx, ly, lz


@compiled_apart
def sink_into(sea, at, form, x, y, z):
    """Deepest point of a form in a solid, by descent along the distance from a start; stays in the form."""
    d, nx, ny, nz = solid_distance(sea, at, x, y, z)
    step = 0.25 * radius_of(form)
    for _ in range(SEARCH):
        px, py, pz = x - step * nx, y - step * ny, z - step * nz
        for _again in range(3):  # back onto the form
            out, ox, oy, oz = distance(form, px, py, pz)
            if out > 0.0:
                px, py, pz = px - out * ox, py - out * oy, pz - out * oz
        e, ex, ey, ez = solid_distance(sea, at, px, py, pz)
        if e < d - 1e-12:
            d, nx, ny, nz, x, y, z = e, ex, ey, ez, px, py, pz
        else:
            step *= 0.6
    return d, x, y, z, nx, ny, nz


@compiled_apart
def feel_bottom(sea, hull, R, x, y, z, margin, traits, found, n):
    """Feelers above the bottom."""
    h = as_hull(hull)
    first = int(h.feelers_at)
    for i in range(int(h.n_feelers)):
        a, b, c = hull[first + 3 * i], hull[first + 3 * i + 1], hull[first + 3 * i + 2]
        px = x + R.xx * a + R.xy * b + R.xz * c
        py = y + R.yx * a + R.yy * b + R.yz * c
        pz = z + R.zx * a + R.zy * b + R.zz * c
        n = add_above(sea, px, py, pz, margin, traits, found, n)
    return n


@compiled_apart
def touch_bottom(sea, hull, R, x, y, z, margin, form, room, traits, found, n):
    """Contacts with the bottom."""
    h, v = as_sea(sea), as_hull(hull)
    reach = v.reach + margin
    if h.bottom == NO_BOTTOM or not bottom_is_near(sea, x, y, z, reach):
        return n
    traits[0], traits[1], traits[2], traits[3] = h.friction, h.stiffness, h.damping, SEABED
    felt = v.n_forms == 0
    for i in range(int(v.n_forms)):
        place_form(hull, int(v.forms_at) + i * N_FORM, R, x, y, z, form)
        if h.bottom == GRID_BOTTOM:
            felt = felt or form[0] != BOX
            n = touch_grid(sea, form, margin, v.reach, traits, found, n, room[0])
            continue
        up = 1.0 / sqrt(1.0 + h.plane[1] * h.plane[1] + h.plane[2] * h.plane[2])
        nx, ny, nz = h.plane[1] * up, h.plane[2] * up, -up
        n = add_plane(form, nx, ny, nz, -h.plane[0] * up, margin, traits, room, found, n)
    return feel_bottom(sea, hull, R, x, y, z, margin, traits, found, n) if felt else n


@compiled_apart
def find_contacts(sea, hull, R, x, y, z, margin, found):
    """Write the contacts with a gap below `margin` into `found` (MAX_CONTACTS, CONTACT.size); returns how many."""
    h, v = as_sea(sea), as_hull(hull)
    form, shape, best, traits = np.empty(SHAPE), np.empty(SHAPE), np.empty(6), np.empty(4)
    work, room = np.empty((13, 4)), np.empty((48, 3))
    reach = v.reach + margin
    n = 0 * int(h.bottom)  # not the constant 0, with which every function below would be compiled twice
    for what in range(int(h.n_solids)):
        at = int(h.solids_at) + what * N_SOLID
        s = as_solid(sea[at:])
        dx, dy, dz = x - s.center[0], y - s.center[1], z - s.center[2]
        bound = reach + s.bound
        if dx * dx + dy * dy + dz * dz > bound * bound:
            continue
        kind = int(s.kind)
        if kind != DISTANCE_GRID and solid_distance(sea, at, x, y, z)[0] > reach:
            continue
        traits[0], traits[1], traits[2], traits[3] = s.friction, s.stiffness, s.damping, what
        for k in range(SHAPE):
            shape[k] = sea[at + k]
        if kind == SPHERE:
            shape[14], shape[15] = shape[13], shape[13]
        lx, ly, lz = x, y, z
        if kind == DISTANCE_GRID or v.n_forms == 0:
            n, lx, ly, lz = feel_solid(sea, at, hull, R, x, y, z, margin, traits, found, n)
        for i in range(int(v.n_forms)):
            place_form(hull, int(v.forms_at) + i * N_FORM, R, x, y, z, form)
            if kind == HALF_SPACE:
                nx, ny, nz = -shape[6], -shape[9], -shape[12]
                level = nx * shape[1] + ny * shape[2] + nz * shape[3]
                n = add_plane(form, nx, ny, nz, level, margin, traits, room, found, n)
            elif kind == DISTANCE_GRID:
                gap, px, py, pz, nx, ny, nz = sink_into(sea, at, form, lx, ly, lz)
                if gap < margin:
                    n = add_contact(found, n, px, py, pz, nx, ny, nz, gap, traits)
            elif distance(shape, form[1], form[2], form[3])[0] < radius_of(form) + margin:
                gap = separation(form, shape, margin, work, best)
                if gap < margin:
                    n = add_patch(form, shape, best, gap, margin, traits, room, found, n)
    return touch_bottom(sea, hull, R, x, y, z, margin, form, room, traits, found, n)


@entry
def near_rows(sea, hull, positions, margins, found):
    """found[i] is 1 if anything may be within margins[i] of a vehicle at positions[i], whatever its attitude."""
    world, body = as_numbers(sea), as_numbers(hull)
    for i in range(positions.shape[0]):
        found[i] = near(world, body, positions[i, 0], positions[i, 1], positions[i, 2], margins[i])


@entry
def detect(sea, hull, position, quaternion, margin, found):
    """Contacts of a vehicle at a position (NED) and attitude (unit quaternion, scalar first); returns how many."""
    R = rotation_from_quaternion(Attitude(quaternion[0], quaternion[1], quaternion[2], quaternion[3]))
    if not near(sea, hull, position[0], position[1], position[2], margin):
        return 0
    return find_contacts(sea, hull, R, position[0], position[1], position[2], margin, found)
