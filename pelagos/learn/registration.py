"""Names of the environments in Gymnasium's registry: pelagos/<task>-v0, single and vector.

The tasks by name, and how many steps an episode has: known without loading them, for the registry.

`tests/learn` holds the numbers against the tasks' own.
"""

from __future__ import annotations

from pelagos.errors import MissingExtraError

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


# ---- registration ----------------------------------------------------------------------------------------------------


def register_all() -> None:
    """Add the environments to Gymnasium's registry; doing it again changes nothing.

    Importing `pelagos.learn` does it, and Gymnasium imports that by itself for an id such as
    "pelagos.learn:pelagos/StationKeeping-v0". Nothing of the compiler or of a task is loaded before one is made.
    """
    try:
        from gymnasium.envs.registration import register, registry
    except ImportError:
        raise MissingExtraError("gymnasium", "pelagos.learn", "learn") from None
    for task, steps in EPISODE_STEPS.items():
        name = identifier(task)
        if name not in registry:
            register(
                id=name,
                entry_point="pelagos.learn.env:Environment",
                vector_entry_point="pelagos.learn.env:VectorEnvironment",
                max_episode_steps=steps,
                kwargs={"task": task},
            )
