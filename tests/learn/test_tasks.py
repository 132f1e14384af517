"""Tasks by name, and tasks of a user by module and class."""

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec

from pelagos.errors import CommandError
from pelagos.learn.tasks import resolve_task

OWN = """
from pelagos.learn import Field, Task

class Dive(Task):
    key, vehicle, episode_s = "Dive", "lauv", 30.0
    fields = (Field("depth_error_m", "m", 5.0, "depth asked for less the depth"),)

    def begin(self, batch, where, draws):
        batch.place(where, depth_m=draws.uniform("depth", 5.0, 15.0), surge_m_s=1.5)

    def observe(self, motion, out):
        out[:, 0] = 10.0 - motion.position_n[:, 2]

    def judge(self, true, batch, effort, left, outcome):
        outcome.reward[:] = 1.0
"""


def test_the_spec_of_a_task_of_ones_own_survives_json(tmp_path, monkeypatch):
    (tmp_path / "own_tasks_of_a_test.py").write_text(OWN, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    gymnasium.register(
        "own/Dive-v0", entry_point="pelagos.learn.env:Environment", max_episode_steps=7,
        vector_entry_point="pelagos.learn.env:VectorEnvironment", kwargs={"task": "own_tasks_of_a_test:Dive"},
    )  # fmt: skip
    env = gymnasium.make("own/Dive-v0", randomise={"damping": [0.5, 2.0]})
    again = gymnasium.make(EnvSpec.from_json(env.spec.to_json()))
    assert again.unwrapped.vector.task.key == "Dive" and again.spec.max_episode_steps == 7
    assert np.array_equal(again.reset(seed=4)[0], env.reset(seed=4)[0])
    envs = gymnasium.make_vec("own/Dive-v0", num_envs=2)
    assert gymnasium.make_vec(EnvSpec.from_json(envs.spec.to_json())).num_envs == 2
    gymnasium.registry.pop("own/Dive-v0")


@pytest.mark.parametrize(
    ("task", "sentence"),
    [
        ("no_such_module:Dive", "there is no module no_such_module on the path of Python"),
        ("dive.py:Dive.Deep", "the task is 'dive.py:Dive.Deep'; expected module:Class"),
        ("pelagos.learn.tasks.docking:Dock", 'did you mean "pelagos.learn.tasks.docking:Docking"'),
        ("pelagos.learn.tasks.docking:World", "expected World to be a subclass of Task"),
    ],
)
def test_a_class_that_is_not_there_gets_one_sentence(task, sentence):
    with pytest.raises(CommandError, match=sentence):
        resolve_task(task)


def test_what_a_module_lacks_itself_is_not_blamed_on_the_task(tmp_path, monkeypatch):
    (tmp_path / "lacking_module_of_a_test.py").write_text("import no_such_package", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="no_such_package"):
        resolve_task("lacking_module_of_a_test:Dive")
