"""The policy starts as the autopilot, learns, and is reproducible by its seed; docs/learning.md has a long run."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.slow
EXAMPLE = Path(__file__).parents[1] / "examples" / "ppo_station_keeping.py"
PNG = b"\x89PNG\r\n\x1a\n"
SMALL = {"updates": 2, "envs": 16, "seed": 3}


def load():
    spec = importlib.util.spec_from_file_location("example_ppo_station_keeping", EXAMPLE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def torch():
    module = pytest.importorskip("torch", reason="torch, which the example learns with, is not installed")
    threads = module.get_num_threads()
    yield module
    module.set_num_threads(threads)  # the example takes one


@pytest.fixture(scope="module")
def ppo(torch):
    """The example, with a comparison of 8 episodes."""
    module = load()
    module.TESTED, module.RESAMPLED = 8, 20
    return module


@pytest.fixture(scope="module")
def trained(ppo, tmp_path_factory):
    """Outcome and folder of two updates."""
    folder = tmp_path_factory.mktemp("ppo")
    return ppo.main(folder / "new", **SMALL), folder / "new"


def test_before_training_the_policy_is_the_autopilot(ppo, torch, trained, tmp_path):
    torch.manual_seed(0)
    ppo.Agent(13, 8).save(tmp_path / "new.npz")
    flown = ppo.fly(ppo.read_policy(tmp_path / "new.npz"))
    assert np.array_equal(flown.reward, trained[0].pid.reward)  # to the last bit
    assert np.array_equal(flown.distance_m, trained[0].pid.distance_m)
    assert flown.reward.shape == (400, 8) and not flown.failed.any()


def test_training_changes_the_policy_and_writes_it(trained):
    outcome, folder = trained
    assert {path.name for path in folder.iterdir()} == {"ppo_station_keeping.npz", "ppo_station_keeping.png"}
    assert (folder / "ppo_station_keeping.png").read_bytes().startswith(PNG)
    with np.load(folder / "ppo_station_keeping.npz") as file:
        assert file["w2"].shape == (8, 64) and np.abs(file["w2"]).max() > 1e-4  # it was zero
        assert all(np.isfinite(file[name]).all() for name in file.files)
    assert outcome.steps.tolist() == [2 * 64 * 16]  # episodes of 100 steps end in the second update only
    assert 0.0 < outcome.returns[0] < 100.0  # a step is worth at most 1
    assert np.isfinite(outcome.policy.reward).all()
    assert not np.array_equal(outcome.policy.reward, outcome.pid.reward)


def test_the_same_seed_gives_the_same_numbers(ppo, trained, tmp_path):
    outcome, folder = trained
    again = ppo.main(tmp_path, **SMALL)
    assert np.array_equal(again.returns, outcome.returns)
    assert np.array_equal(again.policy.reward, outcome.policy.reward)
    with np.load(folder / "ppo_station_keeping.npz") as a, np.load(tmp_path / "ppo_station_keeping.npz") as b:
        assert all(np.array_equal(a[name], b[name]) for name in a.files)


def test_the_file_holds_the_policy_that_was_trained(ppo, torch, tmp_path):
    torch.manual_seed(5)
    agent = ppo.Agent(13, 8)
    torch.nn.init.normal_(agent.actor[-1].weight)
    agent.save(tmp_path / "any.npz")
    seen = np.random.default_rng(1).normal(size=(4, 13)).astype(np.float32)
    with torch.no_grad():
        actions = agent.actor(torch.from_numpy(seen)).numpy()
    # float32: 64 products of about 1 are summed in another order
    assert ppo.read_policy(tmp_path / "any.npz")(seen) == pytest.approx(actions, abs=1e-4)


def test_advantages_are_those_of_their_definition(ppo, torch):
    """Against the double sum of (gamma lambda)^k delta_k, cut where an episode ended; the critic knows nothing."""
    torch.manual_seed(0)
    training = ppo.Training(2, 0)
    torch.nn.init.zeros_(training.agent.critic[-1].weight)
    rewards, ends, step = [], [], training.envs.step

    def seen_step(actions):
        transition = step(actions)
        rewards.append(transition[1].copy())
        ends.append(transition[2] | transition[3])
        return transition

    training.envs.step = seen_step
    training.rollout()
    *_, better, worth = training.rollout()
    training.envs.close()
    reward, over = np.array(rewards[-ppo.ROLLOUT :]), np.array(ends[-ppo.ROLLOUT :])
    assert over[:, 0].sum() == 1  # step 100 is in the second rollout
    expected = np.zeros_like(reward)
    for t in range(len(reward)):
        for i in range(2):
            for k in range(t, len(reward)):
                expected[t, i] += (ppo.GAMMA * ppo.LAMBDA) ** (k - t) * reward[k, i]
                if over[k, i]:
                    break
    # float32, sums of up to 64 numbers of at most 1
    assert better.reshape(reward.shape).numpy() == pytest.approx(expected, rel=1e-4)
    assert torch.equal(better, worth)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"minutes": 0.0}, "minutes is 0.0; expected a number above 0"),
        ({"updates": 0}, "updates is 0; expected a whole number above 0"),
        ({"envs": 0}, "envs is 0; expected a whole number above 0"),
        ({"seed": 1_999_999}, "seed is 1999999; expected 0 to 1999936; those above are of the comparison"),
    ],
)
def test_what_cannot_be_is_a_sentence(ppo, wrong, sentence, tmp_path):
    from pelagos.errors import CommandError

    with pytest.raises(CommandError) as error:
        ppo.main(tmp_path / "none", **wrong)
    assert str(error.value) == sentence
    assert not (tmp_path / "none").exists()


def test_without_torch_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(SystemExit) as end:
        load()
    message = "examples/ppo_station_keeping.py needs the package torch; install it with pip install torch"
    assert end.value.code == message
