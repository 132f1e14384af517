"""The costs of the world are all measured and reported. What they are is not judged here: machines are noisy."""

import pytest

from pelagos import bench_world


@pytest.fixture(scope="module")
def result():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bench_world, "ROUNDS", 1)
        patch.setattr(bench_world, "STEPS", 20)
        patch.setattr(bench_world, "rays_case", lambda: bench_rays())
        return bench_world.measure_world()


def bench_rays():
    from pelagos.world.rays_case import rays_case

    return rays_case(rays=2000, repeats=1)


def test_every_case_is_timed_against_empty_water(result):
    empty = result["empty water"]["ns_per_step"]
    assert set(result) == {*bench_world.CASES, "rays"}
    for name in bench_world.CASES:
        assert result[name]["ns_per_step"] > 0.0
        assert result[name]["ns_more"] == pytest.approx(result[name]["ns_per_step"] - empty)
    assert all(value > 0.0 for value in result["rays"].values())


def test_the_cases_are_what_they_say():
    """The hull that breaks the surface is half wet, the one on the bottom touches it, the deep ones are fully wet."""
    afloat, _ = bench_world.CASES["surface, hull breaks it, 512 sections"]()
    assert afloat.around().wet_share < 1.0
    pressed, touching = bench_world.CASES["pressed on the bottom, in contact"]()
    pressed.advance(0.01, 100)
    assert touching and pressed.state["touch"]["count"] > 0
    deep, touching = bench_world.CASES["surface, hull deep"]()
    assert touching is None and deep.around().wet_share == 1.0


def test_the_report_names_every_case(result):
    text = "\n".join(bench_world.report_world(result))
    assert all(name in text for name in bench_world.CASES) and "million rays" in text
