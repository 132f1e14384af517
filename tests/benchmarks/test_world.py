"""The benchmark of the world measures and reports every case. Speed itself is not tested: machines are noisy."""

import pytest

from benchmarks import world
from benchmarks.rays import measure_rays


@pytest.fixture(scope="module")
def result():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(world, "ROUNDS", 1)
        patch.setattr(world, "STEPS", 20)
        patch.setattr(world, "measure_rays", lambda: measure_rays(rays=2000, repeats=1))
        return world.measure_world()


def test_every_case_is_timed_against_empty_water(result):
    empty = result["empty water"]["ns_per_step"]
    assert set(result) == {*world.CASES, "rays"}
    for name in world.CASES:
        assert result[name]["ns_per_step"] > 0.0
        assert result[name]["ns_more"] == pytest.approx(result[name]["ns_per_step"] - empty)
    assert all(value > 0.0 for value in result["rays"].values())


def test_the_cases_match_their_names():
    """The hull that breaks the surface is half wet, the one on the bottom touches it, the deep ones are fully wet."""
    afloat, _ = world.CASES["surface, hull breaks it, 512 sections"]()
    assert afloat.local_water().wet_share < 1.0
    pressed, touching = world.CASES["pressed on the bottom, in contact"]()
    pressed.advance(0.01, 100)
    assert touching and pressed.state["touch"]["count"] > 0
    deep, touching = world.CASES["surface, hull deep"]()
    assert touching is None and deep.local_water().wet_share == 1.0


def test_the_report_names_every_case(result):
    text = "\n".join(world.report_world(result))
    assert all(name in text for name in world.CASES) and "million rays" in text
