"""Draw docs/images/pelagos.jpg, the first picture of the README.

The console (docs/images/console-chase.jpg, by scripts/console_screenshots.py); the heave forces of `first-dive`; the
track of `remus-lawnmower` with its estimate; the errors of the fleet, read from the table of docs/accuracy.md.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
import numpy as np
from matplotlib import pyplot as plt

from pelagos.analysis.page import INK, PALETTE, styled
from pelagos.scenario.read import load_scenario

DOCS = Path(__file__).parents[2] / "docs"
KINDS = {  # of evidence in the table, from strict to true
    "closed form": ("analytic",),
    "another program": ("reference-run", "published-sim"),
    "published": ("published", "datasheet"),
    "measured": ("measured", "operator-calibration"),
}
LEAST = 1e-4  # %: what is smaller is drawn here


def fleet_errors() -> dict[str, list[tuple[float, bool]]]:
    """Size of the errors in percent by kind of evidence, and whether the figure was met."""
    errors: dict[str, list[tuple[float, bool]]] = {name: [] for name in KINDS}
    for row in (DOCS / "accuracy.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]]
        error = re.match(r"([-+]?[\d.e+-]+) %|0$", cells[6]) if len(cells) == 8 else None
        for name, words in KINDS.items():
            if error and cells[3] in words:
                errors[name].append((max(abs(float(error[1] or 0.0)), LEAST), "not met" not in cells[6]))
    return errors


def draw_forces(axes: Any) -> None:
    """Which force did what."""
    log = load_scenario("first-dive", {"duration_s": 20.0}).run()
    for name, colour in (("thrusters", PALETTE[0]), ("coefficients", PALETTE[2]), ("restoring", PALETTE[4])):
        caption = "drag (coefficients)" if name == "coefficients" else name
        axes.plot(log.time_s, log[f"{name}_Z_N"], color=colour, lw=1.4, label=caption)
    axes.set(
        title="which force did what", xlabel="time [s]", ylabel="heave force, down [N]", xlim=(0, 20), ylim=(-75, 75)
    )
    axes.legend(loc="upper right", fontsize=7)


def draw_survey(axes: Any) -> None:
    """As flown, and as the estimator believes."""
    log = load_scenario("remus-lawnmower").run()
    axes.plot(log["east_m"], log["north_m"], color=PALETTE[8], lw=2.2, label="flown")
    axes.plot(log["est_east_m"], log["est_north_m"], color=PALETTE[1], lw=1.0, label="believed")
    axes.set(title="a survey by its own instruments", xlabel="east [m]", ylabel="north [m]")
    axes.set_ylim(-90, 370)
    axes.set_aspect("equal", adjustable="datalim")
    axes.legend(loc="lower right", ncols=2, fontsize=7)


def draw_evidence(axes: Any) -> None:
    """Every published figure of the fleet that can be repeated."""
    rng = np.random.default_rng(1)  # only spreads points that would cover each other
    for k, errors in enumerate(fleet_errors().values()):
        for met, colour in ((True, PALETTE[0]), (False, PALETTE[1])):
            values = [value for value, was in errors if was == met]
            spread = k + 0.3 * (rng.random(len(values)) - 0.5)
            axes.semilogx(values, spread, "o", ms=4, color=colour, alpha=0.6, mec="none")
    axes.set_yticks(range(len(KINDS)), [f"{name} ({len(e)})" for name, e in fleet_errors().items()])
    axes.set(
        title="the fleet against published figures",
        xlabel="error [%]; orange: beyond its tolerance",
        xlim=(0.6 * LEAST, 150),
    )
    axes.set_xticks([1e-4, 1e-2, 1, 100], ["below 0.0001", "0.01", "1", "100"])
    axes.invert_yaxis()


def main() -> None:
    """Console above, three panels below."""
    with styled():
        figure = plt.figure(figsize=(11.6, 9.6))
        top = figure.add_axes((0.0, 0.32, 1.0, 0.68))
        top.imshow(plt.imread(DOCS / "images" / "console-chase.jpg"), aspect="auto")
        top.axis("off")
        for x, width, draw in ((0.055, 0.245, draw_forces), (0.375, 0.245, draw_survey), (0.755, 0.225, draw_evidence)):
            axes = figure.add_axes((x, 0.06, width, 0.215))
            draw(axes)
            axes.title.set_color(INK)
        figure.savefig(DOCS / "images" / "pelagos.jpg", dpi=110, pil_kwargs={"quality": 88})


if __name__ == "__main__":
    main()
