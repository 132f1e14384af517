"""A sheet to draw on: our look, a figure that needs no screen when it goes to a file, and the writing of it."""

from __future__ import annotations

import os
import sys
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from pelagos.analysis.plots import INK, STYLE, WITHOUT_SCREEN
from pelagos.errors import CommandError, MissingExtraError

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def styled() -> AbstractContextManager[None]:
    """Our look, for as long as the figure is drawn."""
    try:
        import matplotlib
    except ImportError:
        raise MissingExtraError("matplotlib", "drawing a figure", "plot") from None
    return matplotlib.rc_context(STYLE)


def new_figure(path: object, size: tuple[float, float], title: str) -> Figure:
    """An empty figure. Only one to be shown goes through pyplot, which needs a screen."""
    if path is None:
        from matplotlib import pyplot

        figure = pyplot.figure(figsize=size, layout="constrained")
    else:
        from matplotlib.figure import Figure

        figure = Figure(figsize=size, layout="constrained")
    engine: Any = figure.get_layout_engine()
    engine.set(w_pad=0.09, h_pad=0.06)
    figure.suptitle(title, x=0.01, ha="left", fontsize=12, fontweight="bold", color=INK)
    return figure


def written(figure: Figure, path: str | os.PathLike[str] | None, dpi: int = 110) -> Figure:
    """Write the figure, or show it where there is a screen."""
    import matplotlib

    if path is None:
        from matplotlib import pyplot

        if matplotlib.get_backend().lower() not in WITHOUT_SCREEN:
            pyplot.show()
        else:
            print("pelagos: no screen to show the figure on; write it with path=...", file=sys.stderr)
        return figure
    try:
        # fixed metadata: equal worlds give equal files
        figure.savefig(path, dpi=dpi, metadata={"Software": "pelagos"} if str(path).endswith(".png") else None)
    except (OSError, ValueError) as problem:
        raise CommandError(f"{path}: the figure cannot be written ({problem})") from None
    return figure
