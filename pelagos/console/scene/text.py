"""Arrays and meshes as text for JSON: base64 of little-endian bytes."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.geometry.mesh import Mesh


def packed_text(values: ArrayLike, kind: str) -> str:
    """Encode numbers row by row as base64; `kind` is "<f4" or "<u4"."""
    return b64encode(np.ascontiguousarray(values, dtype=kind).tobytes()).decode("ascii")


def unpacked(text: str, kind: str) -> NDArray[Any]:
    """Decode the numbers of such a text into one row."""
    return np.frombuffer(b64decode(text, validate=True), dtype=kind)


def mesh_text(mesh: Mesh) -> dict[str, str]:
    """Encode a mesh: positions (x, y, z of each vertex, float32) and indices (three of each triangle, uint32)."""
    return {"positions": packed_text(mesh.vertices, "<f4"), "indices": packed_text(mesh.faces, "<u4")}


def mesh_of(text: Mapping[str, str]) -> Mesh:
    """Decode a mesh."""
    vertices = unpacked(text["positions"], "<f4").astype(np.float64).reshape(-1, 3)
    return Mesh(vertices, unpacked(text["indices"], "<u4").astype(np.int64).reshape(-1, 3))
