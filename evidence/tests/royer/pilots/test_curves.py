"""Figures of the pilots."""

from __future__ import annotations

import struct

import pytest

from pelagos_evidence.document import Drawing
from pelagos_evidence.royer.pilots.curves import example, hover_curves, out_and_back, pipe_curves, summary
from pelagos_evidence.royer.pilots.experiments import HOVER_NORTH_UP
from pelagos_evidence.royer.pilots.rows import Attempts

pytestmark = pytest.mark.slow  # whichever test comes first waits for the fixture


def drawn_well(drawing: Drawing) -> bool:
    width, height = struct.unpack(">II", drawing.png[16:24])
    return drawing.png[:4] == b"\x89PNG" and (width, height) == (drawing.width_px, drawing.height_px) and width >= 880


def test_figures(flown: Attempts) -> None:
    drawings = (
        example(flown.hovering),
        hover_curves(flown.hovering),
        pipe_curves(flown.following),
        out_and_back(flown.following),
        summary(flown.hovering, flown.following, (HOVER_NORTH_UP,)),
    )
    assert all(map(drawn_well, drawings))
    assert all(20_000 < len(drawing.png) < 150_000 for drawing in drawings)
    assert "7.3" in drawings[0].caption
