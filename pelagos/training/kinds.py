"""The kinds of target that a task can have, by the name in its file, from the plain to the hard."""

from __future__ import annotations

from collections.abc import Mapping

from pelagos.training.docking import Docking
from pelagos.training.hover import Hover
from pelagos.training.inspection import Inspection
from pelagos.training.pipeline import Pipeline
from pelagos.training.search import Search

KINDS: Mapping[str, type] = {
    "pipeline": Pipeline,
    "hover": Hover,
    "docking": Docking,
    "inspection": Inspection,
    "search": Search,
}
