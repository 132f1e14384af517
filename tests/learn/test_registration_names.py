"""The registry is told what the tasks say of themselves."""

import gymnasium

from pelagos.learn.registration import EPISODE_STEPS, identifier
from pelagos.learn.tasks import CLASSES, resolve_task


def test_the_registry_knows_what_the_tasks_say():
    assert set(EPISODE_STEPS) == set(CLASSES)
    for name, steps in EPISODE_STEPS.items():
        kind = resolve_task(name)
        assert kind.key == name
        assert steps == round(kind.episode_s * kind.rate_hz)
        assert gymnasium.spec(identifier(name)).max_episode_steps == steps
