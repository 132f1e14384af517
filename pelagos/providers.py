"""Callbacks through which inner packages use outer packages without importing them.

`Log.plot` draws with `analysis`, and `render_mode="human"` of an environment opens the console. `sim` and `learn` must
not import these packages, so they call the functions below. `pelagos/__init__.py` sets both: Python runs it before any
module of the package, so they are set whichever module a user imports first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

plot_log: Callable[..., Any]  # (log, columns, path) -> figure
open_viewer: Callable[..., Any]  # (vehicle, world, **options) -> learn.viewer.Viewer
