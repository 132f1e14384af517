"""Contact detection: contact points of a hull with every solid and the seabed, each with normal and gap.

Convex forms of the hull against boxes, cylinders, spheres and half spaces are exact (`convex.py`, `patch.py`). Against
a distance grid the hull's feelers, points on its surface, are used, and each form is searched for its deepest point.
Against a bottom grid: corners and edges of boxes, lowest points and feelers of round forms, nodes and sides of the grid
(`bottom_grid.py`). Moved by -gap along the normal, the vehicle just touches there.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from pelagos.engine.compiled import compiled, compiled_apart, entry
from pelagos.engine.contact.bottom_grid import add_above, touch_grid
from pelagos.engine.contact.convex import N_SEPARATION, separation
from pelagos.engine.contact.obstacles import N_SOLID, bottom_at, bottom_is_near, near, solid_distance
from pelagos.engine.contact.patch import CORNERS, N_TRAITS, add_contact, add_patch, add_plane, as_traits
from pelagos.engine.contact.shapes import N_SHAPE, ROW_Y, ROW_Z, axis, distance
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
    as_form,
    as_hull,
    as_sea,
    as_shape,
    as_solid,
)

__all__ = ["bottom_at", "detect", "find_contacts", "near", "near_rows", "solid_distance"]

N_FORM = FORM.size
SEARCH = 48  # steps of the descent into a mesh: where none gains, the step shrinks to 0.6^48 = 2e-11 of the first


@compiled_apart
def place_form(hull, at, R, x, y, z, row):
    """Write the form at `at`, body axes, as a shape in NED into `row`."""
    form, shape = as_form(hull[at:]), as_shape(row)
    shape.kind = form.kind
    a, b, c = form.center[0], form.center[1], form.center[2]
    shape.center[0] = x + R.xx * a + R.xy * b + R.xz * c
    shape.center[1] = y + R.yx * a + R.yy * b + R.yz * c
    shape.center[2] = z + R.zx * a + R.zy * b + R.zz * c
    for k in range(3):
        a, b, c = axis(hull[at:], k)
        shape.axes[k] = R.xx * a + R.xy * b + R.xz * c
        shape.axes[ROW_Y + k] = R.yx * a + R.yy * b + R.yz * c
        shape.axes[ROW_Z + k] = R.zx * a + R.zy * b + R.zz * c
        shape.half[k] = form.half[k]


@compiled
def radius_of(row):
    """Radius about a form's centre that holds it, m."""
    shape = as_shape(row)
    half = shape.half
    if shape.kind == BOX:
        return sqrt(half[0] * half[0] + half[1] * half[1] + half[2] * half[2])
    if shape.kind == SPHERE:
        return max(half[0], max(half[1], half[2]))
    return half[0] + half[1]


@compiled_apart
def feel_solid(sea, at, hull, R, x, y, z, margin, traits, contacts, n):
    """Contacts of the feelers with one solid; returns how many there are now, and where the deepest feeler is."""
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
            n = add_contact(contacts, n, px, py, pz, nx, ny, nz, d, traits)
        if d < low:
            low, lx, ly, lz = d, px, py, pz
    return n, lx, ly, lz


@compiled_apart
def deepest_point(sea, at, form, x, y, z):
    """Distance, place and normal of the point of a form that is deepest in a solid, by descent from a start."""
    d, nx, ny, nz = solid_distance(sea, at, x, y, z)
    step = 0.25 * radius_of(form)
    for _ in range(SEARCH):
        px, py, pz = x - step * nx, y - step * ny, z - step * nz
        for _again in range(3):  # project back onto the form; one projection is exact on a face only
            out, ox, oy, oz = distance(form, px, py, pz)
            if out > 0.0:
                px, py, pz = px - out * ox, py - out * oy, pz - out * oz
        e, ex, ey, ez = solid_distance(sea, at, px, py, pz)
        if e < d - 1e-12:  # m, beyond rounding
            d, nx, ny, nz, x, y, z = e, ex, ey, ez, px, py, pz
        else:
            step *= 0.6
    return d, x, y, z, nx, ny, nz


@compiled_apart
def feel_bottom(sea, hull, R, x, y, z, margin, traits, contacts, n):
    """Contacts of the feelers with the seabed under them."""
    h = as_hull(hull)
    first = int(h.feelers_at)
    for i in range(int(h.n_feelers)):
        a, b, c = hull[first + 3 * i], hull[first + 3 * i + 1], hull[first + 3 * i + 2]
        px = x + R.xx * a + R.xy * b + R.xz * c
        py = y + R.yx * a + R.yy * b + R.yz * c
        pz = z + R.zx * a + R.zy * b + R.zz * c
        n = add_above(sea, px, py, pz, margin, traits, contacts, n)
    return n


@compiled_apart
def touch_bottom(sea, hull, R, x, y, z, margin, form, corners, traits, contacts, n):
    """Contacts of the hull with the seabed."""
    h, v = as_sea(sea), as_hull(hull)
    reach = v.reach + margin
    if h.bottom == NO_BOTTOM or not bottom_is_near(sea, x, y, z, reach):
        return n
    trait = as_traits(traits)
    trait.friction, trait.stiffness, trait.damping, trait.number = h.friction, h.stiffness, h.damping, SEABED
    felt = v.n_forms == 0
    for i in range(int(v.n_forms)):
        place_form(hull, int(v.forms_at) + i * N_FORM, R, x, y, z, form)
        if h.bottom == GRID_BOTTOM:
            felt = felt or as_shape(form).kind != BOX
            n = touch_grid(sea, form, margin, v.reach, traits, contacts, n, corners[0])
            continue
        up = 1.0 / sqrt(1.0 + h.plane[1] * h.plane[1] + h.plane[2] * h.plane[2])
        nx, ny, nz = h.plane[1] * up, h.plane[2] * up, -up
        n = add_plane(form, nx, ny, nz, -h.plane[0] * up, margin, traits, corners, contacts, n)
    return feel_bottom(sea, hull, R, x, y, z, margin, traits, contacts, n) if felt else n


@compiled_apart
def find_contacts(sea, hull, R, x, y, z, margin, contacts):
    """Write the contacts with a gap below `margin` into `contacts` (MAX_CONTACTS, CONTACT.size); returns how many."""
    h, v = as_sea(sea), as_hull(hull)
    form, shape, best, traits = np.empty(N_SHAPE), np.empty(N_SHAPE), np.empty(N_SEPARATION), np.empty(N_TRAITS)
    work, corners = np.empty((13, 4)), np.empty((3 * CORNERS, 3))
    reach = v.reach + margin
    n = 0 * int(h.bottom)  # not the constant 0, with which every function below would be compiled twice
    for number in range(int(h.n_solids)):
        at = int(h.solids_at) + number * N_SOLID
        s = as_solid(sea[at:])
        dx, dy, dz = x - s.center[0], y - s.center[1], z - s.center[2]
        bound = reach + s.bound
        if dx * dx + dy * dy + dz * dz > bound * bound:
            continue
        kind = int(s.kind)
        if kind != DISTANCE_GRID and solid_distance(sea, at, x, y, z)[0] > reach:
            continue
        trait = as_traits(traits)
        trait.friction, trait.stiffness, trait.damping, trait.number = s.friction, s.stiffness, s.damping, number
        for k in range(N_SHAPE):
            shape[k] = sea[at + k]
        if kind == SPHERE:  # as an ellipsoid, which the shapes of hulls are
            half = as_shape(shape).half
            half[1], half[2] = half[0], half[0]
        lx, ly, lz = x, y, z
        if kind == DISTANCE_GRID or v.n_forms == 0:
            n, lx, ly, lz = feel_solid(sea, at, hull, R, x, y, z, margin, traits, contacts, n)
        for i in range(int(v.n_forms)):
            place_form(hull, int(v.forms_at) + i * N_FORM, R, x, y, z, form)
            if kind == HALF_SPACE:
                ax, ay, az = axis(shape, 2)
                nx, ny, nz = -ax, -ay, -az
                level = nx * s.center[0] + ny * s.center[1] + nz * s.center[2]
                n = add_plane(form, nx, ny, nz, level, margin, traits, corners, contacts, n)
            elif kind == DISTANCE_GRID:
                gap, px, py, pz, nx, ny, nz = deepest_point(sea, at, form, lx, ly, lz)
                if gap < margin:
                    n = add_contact(contacts, n, px, py, pz, nx, ny, nz, gap, traits)
            elif _center_distance(shape, form) < radius_of(form) + margin:
                gap = separation(form, shape, margin, work, best)
                if gap < margin:
                    n = add_patch(form, shape, best, gap, margin, traits, corners, contacts, n)
    return touch_bottom(sea, hull, R, x, y, z, margin, form, corners, traits, contacts, n)


@compiled
def _center_distance(shape, form):
    """Signed distance of a shape at the centre of a form, m."""
    center = as_shape(form).center
    return distance(shape, center[0], center[1], center[2])[0]


@entry
def near_rows(sea, hull, positions, margins, is_near):
    """Set is_near[i] to 1 if anything may be within margins[i] of a vehicle at positions[i], whatever its attitude."""
    world, body = as_numbers(sea), as_numbers(hull)
    for i in range(positions.shape[0]):
        is_near[i] = near(world, body, positions[i, 0], positions[i, 1], positions[i, 2], margins[i])


@entry
def detect(sea, hull, position, quaternion, margin, contacts):
    """Contacts of a vehicle at a position (NED) and attitude (unit quaternion, scalar first); returns how many."""
    R = rotation_from_quaternion(Attitude(quaternion[0], quaternion[1], quaternion[2], quaternion[3]))
    if not near(sea, hull, position[0], position[1], position[2], margin):
        return 0
    return find_contacts(sea, hull, R, position[0], position[1], position[2], margin, contacts)
