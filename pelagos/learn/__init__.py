"""Environments for learning: eight tasks as Gymnasium environments, single and vector, on `pelagos.Batch`.

    import gymnasium, pelagos.learn
    env = gymnasium.make("pelagos/StationKeeping-v0")
    envs = gymnasium.make_vec("pelagos/StationKeeping-v0", num_envs=64)

See docs/learning.md.
"""

from pelagos.learn.names import EPISODE_STEPS, identifier
from pelagos.learn.registration import register_all

register_all()
IDS = tuple(identifier(task) for task in EPISODE_STEPS)
__all__ = ["IDS", "register_all"]
