"""Reinforcement learning: eight tasks as Gymnasium environments, single and vector, on `pelagos.Batch`.

    import gymnasium, pelagos.learn
    env = gymnasium.make("pelagos/StationKeeping-v0")
    envs = gymnasium.make_vec("pelagos/StationKeeping-v0", num_envs=64)

See docs/learning.md. The import registers the ids; it loads neither the compiler nor a task.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pelagos.learn.registration import EPISODE_STEPS, identifier, register_all

if TYPE_CHECKING:
    from pelagos.learn.env import Environment, VectorEnvironment
    from pelagos.learn.observation import Field
    from pelagos.learn.tables import describe
    from pelagos.learn.task import Task

register_all()
IDS = tuple(identifier(task) for task in EPISODE_STEPS)
__all__ = ["IDS", "Environment", "Field", "Task", "VectorEnvironment", "describe", "register_all"]
# No module of this package may have one of these names: its import would replace the object by the module.
_WHERE = {"Environment": "env", "VectorEnvironment": "env", "Task": "task", "Field": "observation",
          "describe": "tables"}  # fmt: skip


def __getattr__(name: str) -> Any:
    """Load a public name at its first access."""
    if name not in _WHERE:
        raise AttributeError(f"module 'pelagos.learn' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"pelagos.learn.{_WHERE[name]}"), name)
