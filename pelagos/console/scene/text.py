"""Arrays and meshes as text for JSON: base64 of little-endian bytes."""

from __future__ import annotations

from base64 import b64encode

import numpy as np
from numpy.typing import ArrayLike

from pelagos.geometry.mesh import Mesh


def packed_text(values: ArrayLike, kind: str) -> str:
    """Encode numbers row by row as base64; `kind` is "<f4" or "<u4"."""
    return b64encode(np.ascontiguousarray(values, dtype=kind).tobytes()).decode("ascii")


def mesh_text(mesh: Mesh) -> dict[str, str]:
    """Encode a mesh: positions (x, y, z of each vertex, float32) and indices (three of each triangle, uint32)."""
    return {"positions": packed_text(mesh.vertices, "<f4"), "indices": packed_text(mesh.faces, "<u4")}
