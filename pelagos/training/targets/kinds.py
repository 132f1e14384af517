"""The kinds of target, by their names in task files, easiest first."""

from __future__ import annotations

from collections.abc import Mapping

from pelagos.training.targets.docking import DockingTarget
from pelagos.training.targets.hover import Hover
from pelagos.training.targets.inspection import Inspection
from pelagos.training.targets.pipeline import Pipeline
from pelagos.training.targets.search import Search

KINDS: Mapping[str, type] = {
    "pipeline": Pipeline,
    "hover": Hover,
    "docking": DockingTarget,
    "inspection": Inspection,
    "search": Search,
}
