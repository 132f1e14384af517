"""Draw the figures that `pelagos plot FILE WORDS` names: a plotter case, pages, columns, or the default pages."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from pelagos.analysis.pages.pages import FORMATS, PAGES, draw_page, draw_set, pages
from pelagos.analysis.plots import draw_pages
from pelagos.analysis.plotter.plotter import plot_case, read_plotter
from pelagos.analysis.report import write_report
from pelagos.checks import choice
from pelagos.errors import CommandError, PelagosError
from pelagos.sim.log.load import load_log
from pelagos.sim.log.log import Log, LogError
from pelagos.world.spec import World

ALL = "all"  # in place of names of pages


def draw_request(
    file: str | os.PathLike[str],
    words: Sequence[str] = (),
    *,
    out: str | os.PathLike[str] | None = None,
    form: str | None = None,
    report: bool = False,
    world: World | None = None,
    **motion: Any,
) -> list[str]:
    """Draw the requested figures and return the files written.

    Args:
        file: a log, or a table of the plotter.
        words: one number 1, 2 or 3, a case of the plotter; names of pages, or "all"; or columns. Without any, the run
            on one page and its tether.
        out: name of the figure; several files get a suffix each. Default: beside the log.
        form: png, svg or pdf; default: the ending of `out`.
        report: write the HTML report as well; alone if there are no words.
        world: where it was run.
        motion: options of case 3.
    """
    if form is not None:
        choice("format", form, FORMATS)
    stem, ending = os.path.splitext(os.fspath(out)) if out is not None else (os.path.splitext(os.fspath(file))[0], "")
    form = form or ending.removeprefix(".") or "png"
    if len(words) == 1 and words[0].lstrip("+-").replace(".", "").isdigit():
        if report:
            raise CommandError("a report is made of a log", expected="no case of the plotter with it")
        return plot_case(file, words[0], f"{stem}.{form}" if out is not None or form != "png" else None, **motion)
    if motion:
        raise CommandError(f"{next(iter(motion))} is an option of case 3 of the plotter, which is not asked for")
    log = _load_log(file)
    files: list[str] = []
    if report:
        files.append(write_report(log, f"{stem}.html", world=world))
        if not words:
            return files
    return files + _drawn(log, list(words), stem, form, world)


def _load_log(file: str | os.PathLike[str]) -> Log:
    """Load the log; raise an error that names the missing case if the file is a table of the plotter."""
    try:
        return load_log(file)
    except LogError as problem:
        try:
            read_plotter(file)
        except PelagosError:
            raise problem from None
    raise CommandError("is a table of the plotter", file=file, expected="its case as well: 1, 2 or 3")


def _drawn(log: Log, words: list[str], stem: str, form: str, world: World | None) -> list[str]:
    if words == [ALL]:
        return draw_set(log, stem, (form,), names=pages(log), world=world)
    named = [word for word in words if word in PAGES and word not in log.columns]
    if named and len(named) < len(words):
        other = next(word for word in words if word not in named)
        raise CommandError(f"{other!r} is no page and {named[0]!r} is one", expected="pages only or columns only")
    if len(named) == 1:
        draw_page(log, named[0], f"{stem}.{form}", world=world)
        return [f"{stem}.{form}"]
    if named:
        return draw_set(log, stem, (form,), names=named, world=world)
    return draw_pages(log, f"{stem}.{form}", words, world=world)
