"""Small worlds and hulls for the tests of contact, written straight into records."""

import math

import numpy as np

from pelagos.engine.contact.solids import detect
from pelagos.engine.water.sea import CONTACT, FORM, HULL, MAX_CONTACTS, SOLID
from pelagos.geometry.forms import farthest_m, form_record
from pelagos.world.writer import SeaWriter


def rotation(rng):
    """A random rotation matrix."""
    q = rng.normal(size=4)
    return matrix(q / np.linalg.norm(q))


def matrix(q):
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def heading(angle):
    return np.array([math.cos(angle / 2), 0.0, 0.0, math.sin(angle / 2)])


def hull_of(*forms, feelers=()):
    header = HULL.record()
    rows = np.zeros(len(forms), FORM.dtype)
    for row, form in zip(rows, forms, strict=True):
        for name, value in form_record(form).items():
            row[name] = value
    points = np.asarray(feelers, dtype=float).reshape(-1, 3)
    header["reach"] = farthest_m(forms) if forms else np.max(np.linalg.norm(points, axis=1))
    header["n_forms"], header["forms_at"] = len(forms), HULL.size
    header["n_feelers"], header["feelers_at"] = len(points), HULL.size + rows.view(float).size
    return np.concatenate([HULL.flat(header).copy(), rows.view(float).ravel(), points.ravel()])


def solid(kind, center, half, axes=None, bound=None):
    return {
        "kind": kind,
        "center": center,
        "axes": np.ravel(np.eye(3) if axes is None else axes),
        "half": half,
        "bound": np.linalg.norm(half) + 1e-6 if bound is None else bound,
        "friction": 0.4,
        "stiffness": 1e6,
        "damping": 2e4,
    }


def sea_of(solids=(), bottom=None, **header):
    """A world of solids; `bottom` is a grid (origin, step, heights)."""
    writer = SeaWriter()
    writer.header["n_solids"] = len(solids)
    writer.header["solids_at"] = writer.append_records(SOLID, list(solids))
    if bottom is not None:
        origin, step, heights = bottom
        header |= {"bottom": 2, "grid_origin": origin, "grid_step": step, "grid_count": heights.shape}
        header |= {"grid_at": writer.append(heights), "highest": heights.min()}
    for name, value in header.items():
        writer.header[name] = value
    return writer.finish()


def contacts(sea, hull, position=(0.0, 0.0, 0.0), q=(1.0, 0.0, 0.0, 0.0), margin=0.1):
    """Records of the contacts found, by field name."""
    table = np.zeros((MAX_CONTACTS, CONTACT.size))
    n = detect(sea, hull, np.array(position, float), np.array(q, float), margin, table)
    return np.ascontiguousarray(table[:n]).view(CONTACT.dtype)[:, 0]
