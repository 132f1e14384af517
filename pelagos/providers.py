"""Callbacks through which inner packages use outer packages without importing them.

`Simulation.run` and `Scenario.run` open a session, `Log.plot` draws with `analysis`, and `render_mode="human"` of an
environment opens the console. `sim`, `scenario` and `learn` must not import these packages, so they call the
functions below. `pelagos/__init__.py` sets them: Python runs it before any module of the package, so they are set
whichever module a user imports first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

run: Callable[..., list[Any]]  # see `session.run.run`
run_scenario: Callable[..., Any]  # see `session.scenario_run.run_scenario`
plot_log: Callable[..., Any]  # (log, columns, path) -> figure
open_viewer: Callable[..., Any]  # (vehicle, world, **options) -> learn.viewer.Viewer
