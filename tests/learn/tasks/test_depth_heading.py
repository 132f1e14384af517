"""DepthHeading: setpoints change half way, and surfacing ends the episode."""

from tests.learn.tasks.helpers import envs_of, judged


def test_depth_and_heading_change_half_way():
    envs, zero = envs_of("DepthHeading", assist="pid")
    first = envs.task.depth_m.copy()
    envs.reset(seed=0)
    for _ in range(301):
        envs.step(zero)
    assert (envs.task.depth_m != first).all()
    envs.batch.place([0], depth_m=0.3)
    assert judged(envs, zero)[1].tolist() == [True, False]
