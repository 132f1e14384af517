"""Names of the environments in Gymnasium's registry: pelagos/<task>-v0, single and vector."""

from __future__ import annotations

from pelagos.errors import MissingExtraError
from pelagos.learn.names import EPISODE_STEPS, identifier


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
                entry_point="pelagos.learn.single:Environment",
                vector_entry_point="pelagos.learn.vector:VectorEnvironment",
                max_episode_steps=steps,
                kwargs={"task": task},
            )
