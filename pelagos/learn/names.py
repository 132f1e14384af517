"""The tasks by name, and how many steps an episode has: known without loading them, for the registry.

`tests/learn` holds the numbers against the tasks' own.
"""

from __future__ import annotations

EPISODE_STEPS = {
    "StationKeeping": 400,
    "DepthHeading": 600,
    "Trackline": 900,
    "Docking": 600,
    "PipelineFollowing": 600,
    "TerrainFollowing": 600,
    "TetheredHover": 400,
    "ThrusterFault": 400,
}


def identifier(task: str) -> str:
    """The id of a task's environments: "pelagos/StationKeeping-v0"."""
    return f"pelagos/{task}-v0"
