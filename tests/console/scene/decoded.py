"""Decode arrays and meshes of a scene, as the page does."""

from base64 import b64decode

import numpy as np

from pelagos.geometry.mesh import Mesh


def unpacked(text, kind):
    """The numbers of a text in one row."""
    return np.frombuffer(b64decode(text, validate=True), dtype=kind)


def mesh_of(text):
    """A mesh from its positions and indices."""
    vertices = unpacked(text["positions"], "<f4").astype(np.float64).reshape(-1, 3)
    return Mesh(vertices, unpacked(text["indices"], "<u4").astype(np.int64).reshape(-1, 3))
