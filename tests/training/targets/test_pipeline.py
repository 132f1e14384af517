"""Following a pipeline: errors against its axis, the way made, and a flight from end to end."""

import math

import numpy as np
import pytest

from pelagos.errors import CommandError
from pelagos.session.rig import rig
from pelagos.training.conditions import THESIS
from pelagos.training.targets.pipeline import Pipeline
from pelagos.training.task import load_task
from tests.training.observations import count_tick, observe

TASK = load_task("pipeline")


def judged(target):
    return target.judge(TASK.world_for(), TASK.vehicle(), 0)


def test_the_error_is_positive_to_starboard_and_the_way_runs_along_the_axis():
    # an axis to the north-east: 30 m north, 40 m east, 50 m long; cos = 0.6, sin = 0.8
    judge = judged(Pipeline(from_m=(10.0, 20.0, 99.0), to_m=(40.0, 60.0, 99.0), altitude_m=2.0))
    along, aside = 12.0, 1.5
    north, east = 10.0 + 0.6 * along - 0.8 * aside, 20.0 + 0.8 * along + 0.6 * aside
    count_tick(judge, observe(north, east, 97.0, heading_deg=60.0, bottom=100.0))
    assert judge.now["path_error_m"] == pytest.approx(aside)
    assert judge.now["along_m"] == pytest.approx(along)
    assert judge.now["altitude_error_m"] == pytest.approx(3.0 - 2.0)
    assert judge.now["heading_error_deg"] == pytest.approx(60.0 - math.degrees(math.atan2(0.8, 0.6)))
    assert judge.progress == pytest.approx(12.0 / 50.0)


def test_the_way_does_not_count_outside_the_corridor_and_is_never_lost():
    judge = judged(Pipeline(from_m=(0.0, 0.0, 99.0), to_m=(0.0, 100.0, 99.0), corridor_m=5.0))
    count_tick(judge, observe(0.0, 30.0, 97.0))
    count_tick(judge, observe(5.1, 60.0, 97.0))
    assert judge.progress == pytest.approx(0.3)
    count_tick(judge, observe(4.9, 60.0, 97.0))
    count_tick(judge, observe(0.0, 10.0, 97.0))
    assert judge.progress == pytest.approx(0.6)
    assert not judge.completed
    count_tick(judge, observe(0.0, 100.0, 97.0))
    assert judge.completed and judge.progress == 1.0


def test_a_sine_over_the_pipe_has_the_rms_of_a_sine():
    judge = judged(Pipeline(from_m=(0.0, 0.0, 99.0), to_m=(0.0, 100.0, 99.0)))
    for x in np.arange(0.0, 100.0, 0.1):
        count_tick(judge, observe(0.8 * math.sin(2.0 * math.pi * x / 20.0), x, 97.5))
    measures = judge.measures()
    assert measures["path_error_rms_m"] == pytest.approx(0.8 / math.sqrt(2.0), rel=1e-9)  # five whole periods
    assert measures["altitude_error_rms_m"] == pytest.approx(0.0, abs=1e-12)
    assert measures["heading_error_mean_deg"] == pytest.approx(-90.0)  # bow to the north all the way


def test_the_line_lies_on_the_pipe_of_the_world():
    world = TASK.world_for()
    pipe = next(item for item in world.structures if item.name == "pipeline")
    (line, end) = TASK.marks(world)
    for n, e, d in line["points"]:
        assert pipe.contains([n, e, d + 1e-6])  # a hair inside: on its top
    assert end["center"][:2] == line["points"][1][:2]


def test_a_way_without_length_is_refused():
    with pytest.raises(CommandError, match="a way to follow"):
        Pipeline(from_m=(0.0, 0.0, 90.0), to_m=(0.0, 0.5, 99.0))


def follow(flight, now, heading):
    ahead = min(float(now.position_n[:2].mean()) + 2.8, 63.0)
    flight.simulation.command(north_m=ahead, east_m=ahead, altitude_m=2.5, heading_deg=heading, speed_m_s=0.6)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "heading"), [("calm", 45.0), ("cable", 150.0)])
def test_an_autopilot_follows_it_from_end_to_end(name, heading):
    """In the current with the cable the lateral thruster alone is too weak: the bow is turned into the current."""
    flight = rig(TASK, THESIS[name])
    track = []

    def act(flight, now):
        track.append(now.position_n.copy())
        follow(flight, now, heading)

    result = flight.fly(act)
    assert result.completed and result.collisions == 0
    track = np.array(track)
    on_pipe = track[track[:, :2].sum(axis=1) >= 2.0 * 13.7]  # where the task's line begins
    # the axis runs to the north-east through the origin; the judge has one more sample than the track
    aside = (on_pipe[:, 1] - on_pipe[:, 0]) / math.sqrt(2.0)
    assert result.measures["path_error_rms_m"] == pytest.approx(np.sqrt(np.mean(aside**2)), rel=0.01, abs=1e-6)
    assert flight.simulation.plant.position_n[:2].sum() >= 2.0 * 60.9  # m: the far end of the pipe
    assert result.measures["path_error_rms_m"] < (0.01 if name == "calm" else 5.0)  # m: nothing pushes; corridor
