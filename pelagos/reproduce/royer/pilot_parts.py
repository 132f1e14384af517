"""Parts of Royer's chapter 7: the experiments, flown by a simulated pilot."""

from __future__ import annotations

from pelagos.reproduce.document import Part

PARTS: tuple[Part, ...] = ()
