"""Two invented small documents: every kind of row, a picture, and parts that misbehave on request."""

import os
import time

from pelagos.analysis.page import UNWRITTEN, new_figure, styled
from pelagos.errors import CommandError
from pelagos_evidence.claim import Proof, Row, bound, contested, no_data, number, statement
from pelagos_evidence.document import Document, Findings, Part, drawn


def picture(name):
    with styled():
        figure = new_figure(UNWRITTEN, (8.0, 3.0), "A made-up curve")
        ax = figure.add_subplot()
        ax.plot([0.0, 1.0, 2.0], [0.0, 1.0, 0.5])
        ax.set(xlabel="time [s]", ylabel="speed [m/s]")
        return drawn(figure, name, "Speed against time, as in figure 7 of a document that has <none> of it")


def speeds(progress):
    for k in range(5):
        progress(k / 4)
    proof = Proof(
        errata=("B16", "B24"), code=("pelagos.engine.core.motion",), tests=("tests/engine/core/test_motion.py",)
    )
    drag = Row(
        "drag", "table 1", "drag | of M_u|u|dpb, 1*j = -j <b>", "the hull is a *spheroid* of `k_1` = 0.1",
        Proof(figures=("small-curve",)),
    )  # fmt: skip
    claims = (
        number(
            Row("top", "equation 6.37", "top speed", proof=proof), 2.0, 2.01, "ft/s", relative=0.01, why="two digits"
        ),
        number(drag, 4.0, 4.1, "N", absolute=0.2, why="one digit"),
        bound(
            Row("gap", "section IV.A", "differences of two forms"), "below", 1e-11, 2e-13, "m", why="as printed"
        ),
        contested(Row("wrong", "page 2", "a sum"), "4", "2 and 3 are 5", off=1.0, limit=0.0, ours="5"),
        contested(
            Row("luck", "page 3", "a gain"), "10 m", "it may be luck", off=4.0, limit=1.0, unit="m", ours="6 m",
            otherwise="not met",
        ),
        number(Row("copy", "table 2", "a mass"), 3.0, 3.0, "kg", absolute=0.0, why="copied", read_back=True),
    )  # fmt: skip
    return Findings(claims, (picture("small-curve"),))


def words(progress):
    progress(1.0)
    claims = (
        statement(Row("sign", "figure 5", "pitch is positive"), "positive", "+1.2 deg", True, why="a sign"),
        no_data(Row("lost", "figure 9", "measured track"), "a curve", "the curve is lost in the scan"),
    )
    return Findings(claims)


def fails(progress):
    claim = number(Row("off", "page 3", "a length"), 1.0, 2.0, "m", relative=0.01, why="two digits")
    return Findings((claim,))


def raises(progress):
    raise ValueError("the mass is negative\nand more")


def complains(progress):
    raise CommandError("the vehicle has no rudder")


def vanishes(progress):
    os._exit(7)


def waits(progress):
    for k in range(600):
        progress(k / 600)
        time.sleep(0.1)
    return Findings()


ABOUT = "A document with a [page](conventions.md) and `code`; it is **short**.\n\n- one\n- two"


def part(run, key=None):
    return Part(key or run.__name__, f"Part {key or run.__name__}", "It leads in.", run)


SMALL = Document(
    "small", "Small 2001", "S. Small, A small document, 2001.", ABOUT, (part(speeds), part(words)), ("drag", "top", "x")
)
OTHER = Document("other", "Other 2002", "O. Other & Sons, 2002.", "Nothing <but> words.", (part(words),))
BAD = Document(
    "bad", "Bad 2003", "B. Bad, 2003.", "It fails.", (part(fails), part(raises), part(complains), part(words))
)
GONE = Document("gone", "Gone 2004", "G. Gone, 2004.", "It ends.", (part(words), part(vanishes), part(speeds)))
SLOW = Document("slow", "Slow 2005", "S. Slow, 2005.", "It waits.", (part(words), part(waits), part(speeds)))
