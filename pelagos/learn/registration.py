"""Registration of the environments with Gymnasium, as pelagos/<task>-v0, single and vector.

The registry needs the number of steps of an episode. `EPISODE_STEPS` repeats it, so that a registration does not load
the tasks; a test compares the numbers with those of the tasks.
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
    """Return the id of a task's environments, such as "pelagos/StationKeeping-v0"."""
    return f"pelagos/{task}-v0"


def register_all() -> None:
    """Add the environments to Gymnasium's registry; a second call changes nothing.

    The import of `pelagos.learn` calls it, and Gymnasium imports that package for an id such as
    "pelagos.learn:pelagos/StationKeeping-v0". The compiler and the task are loaded when an environment is made.
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
