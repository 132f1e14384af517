"""The style of all figures, and functions that create a figure and save or show it."""

from __future__ import annotations

import os
import sys
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from pelagos.errors import CommandError, MissingExtraError, PelagosError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's palette first, which colour-blind readers can distinguish.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#5E4FA2", "#8C6D31", "#7F7F7F", "#B2182B")
INK = "#22303C"
FAINT = "#D9DFE4"
COMMAND = "#8A97A3"
SAND, SAND_EDGE = "#E4D3B0", "#8C6D31"
BUILT, BUILT_EDGE = "#E9B872", "#6B4A1B"

STYLE: dict[Any, Any] = {
    "font.size": 8.5,
    "axes.titlesize": 9.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.edgecolor": COMMAND,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": FAINT,
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.4,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
    "legend.fontsize": 7.5,
    "legend.handlelength": 1.4,
    "svg.hashsalt": "pelagos",
    "text.parse_math": False,  # a $ in the name of a vehicle or file is not TeX
}

UNWRITTEN: Any = object()  # in place of a path: neither save nor show the figure
# metadata of a figure file, by ending; without a date, so that equal figures give equal files
METADATA: dict[str, dict[str, Any]] = {
    ".png": {"Software": "pelagos"},
    ".svg": {"Date": None, "Creator": "pelagos"},
    ".pdf": {"CreationDate": None, "Creator": "pelagos"},
}
FILE_BACKENDS = ("agg", "cairo", "pdf", "pgf", "ps", "svg", "template")  # matplotlib backends that only write files


def styled() -> AbstractContextManager[None]:
    """Return a context in which matplotlib draws in the style of Pelagos."""
    try:
        import matplotlib
    except ImportError:
        raise MissingExtraError("matplotlib", "drawing a figure", "plot") from None
    return matplotlib.rc_context(STYLE)


def new_figure(path: object, size: tuple[float, float], title: str | None) -> Figure:
    """Create an empty figure; only a figure to be shown uses pyplot, which needs a screen."""
    if path is None:
        from matplotlib import pyplot

        figure = pyplot.figure(figsize=size, layout="constrained")
    else:
        from matplotlib.figure import Figure

        figure = Figure(figsize=size, layout="constrained")
    engine: Any = figure.get_layout_engine()
    engine.set(w_pad=0.09, h_pad=0.06)
    if title:
        figure.suptitle(title, x=0.01, ha="left", fontsize=12, fontweight="bold", color=INK)
    return figure


def halo() -> list[Any]:
    """Return a white outline that keeps text readable on lines."""
    from matplotlib.patheffects import withStroke

    return [withStroke(linewidth=2.0, foreground="white")]


def colour_bar(ax: Axes, image: Any, label: str) -> Any:
    """Add a colour bar without a frame beside a panel."""
    bar = ax.figure.colorbar(image, ax=ax, shrink=0.85, pad=0.01, aspect=28)
    bar.set_label(label)
    # the stub has the class of the outline in place of an instance
    bar.outline.set_visible(False)  # type: ignore[operator]
    return bar


def save_or_show(
    figure: Figure,
    path: str | os.PathLike[str] | None,
    dpi: int = 110,
    error: type[PelagosError] = CommandError,
) -> Figure:
    """Save the figure to `path`, or show it if `path` is None and there is a screen."""
    import matplotlib

    if path is UNWRITTEN:
        return figure
    if path is None:
        from matplotlib import pyplot

        if matplotlib.get_backend().lower() not in FILE_BACKENDS:
            pyplot.show()
        else:
            print("pelagos: no screen to show the figure on; write it with path=...", file=sys.stderr)
        return figure
    # rounded positions make equal figures equal byte for byte
    settle(figure)
    try:
        figure.savefig(path, dpi=dpi, metadata=METADATA.get(os.path.splitext(str(path))[1].lower()))
    except (OSError, ValueError) as problem:
        raise error(f"the figure cannot be written ({problem})", file=str(path)) from None
    return figure


def powers_of_ten(figure: Figure) -> None:
    """Enable TeX in the tick labels of logarithmic axes, which print 10 to a power."""
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            if axis.get_scale() == "log":
                for label in axis.get_ticklabels(which="both"):
                    label.set_parse_math(True)


def settle(figure: Figure) -> None:
    """Compute the layout of the panels and fix it, rounded: the last digits of the solver differ between runs."""
    powers_of_ten(figure)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for ax in figure.axes:
        # matplotlib takes any four numbers, its stub only a tuple
        ax.set_position([round(float(x), 5) for x in ax.get_position(original=True).bounds])  # type: ignore[arg-type]
