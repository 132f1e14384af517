"""Functions of outer packages that an inner package offers to its users.

`Log.plot` draws with `analysis`, and `render_mode="human"` of an environment opens the console. `sim` and `learn` do
not import these packages; they call the functions below. The package `pelagos` itself sets them: it is outside all
rings, and Python imports it before any module in it, so they are set whichever module a user imports.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

plot_log: Callable[..., Any]  # (log, columns, path) -> figure
open_viewer: Callable[..., Any]  # (vehicle, world, **options) -> learn.viewer.Viewer
