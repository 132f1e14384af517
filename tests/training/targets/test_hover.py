"""Hovering at the wellhead: the two triangles, the sign in the cube, the time that counts, and flights."""

import math

import numpy as np
import pytest

from pelagos.errors import CommandError
from pelagos.messages import PilotCommand
from pelagos.session.rig import rig
from pelagos.training.conditions import Conditions
from pelagos.training.targets.hover import Hover
from pelagos.training.task import load_task
from tests.training.observations import count_tick, observe

TASK = load_task("hover")
WORLD = TASK.world_for()
# the cube: 5 m about north 30, east -15; its north face at 32.5. Half a metre before it the bow of a hull 3 m long:
# the body origin, in the middle of the hull, at 32.5 + 0.5 + 1.5
FIT = (34.5, -15.0, 97.5)


def make_judge():
    return TASK.target.judge(WORLD, TASK.vehicle(), 0)


def test_a_complete_fit_is_where_the_triangles_overlap():
    judge = make_judge()
    judge.update(observe(*FIT, heading_deg=180.0))
    assert judge.now == pytest.approx({"distance_m": 0.0, "altitude_error_m": 0.0, "heading_error_deg": 0.0}, abs=1e-9)
    (triangle, _), (bow,) = TASK.marks(WORLD), TASK.target.vehicle_marks(TASK.vehicle())
    turn = np.array([[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]])  # heading 180
    placed = np.array(bow["points"]) @ turn.T + FIT
    assert np.sort(placed, axis=0) == pytest.approx(np.sort(np.array(triangle["points"]), axis=0), abs=1e-9)


@pytest.mark.parametrize(
    ("heading", "north", "east"), [(180.0, 36.0, -14.2), (200.0, 35.0, -16.0), (90.0, 36.0, -15.0)]
)
def test_the_distance_is_that_between_the_middles_of_the_triangles(heading, north, east):
    (triangle, _), (bow,) = TASK.marks(WORLD), TASK.target.vehicle_marks(TASK.vehicle())
    yaw = math.radians(heading)
    turn = np.array([[math.cos(yaw), -math.sin(yaw)], [math.sin(yaw), math.cos(yaw)]])
    placed = np.array(bow["points"])[:, :2] @ turn.T + (north, east)
    expected = math.dist(placed.mean(axis=0), np.array(triangle["points"])[:, :2].mean(axis=0))
    judge = make_judge()
    judge.update(observe(north, east, 97.0, heading_deg=heading))
    assert judge.now["distance_m"] == pytest.approx(expected)
    assert judge.now["heading_error_deg"] == pytest.approx(heading - 180.0)
    assert judge.now["altitude_error_m"] == pytest.approx(0.5)


def test_in_the_cube_the_distance_is_negative():
    judge = make_judge()
    judge.update(observe(33.9, -15.0, 97.5, heading_deg=180.0))  # the bow 0.1 m behind the face, 0.6 m too far
    assert judge.now["distance_m"] == pytest.approx(-0.6)
    judge.update(observe(34.1, -15.0, 97.5, heading_deg=180.0))  # 0.1 m before the face
    assert judge.now["distance_m"] == pytest.approx(0.4)


def test_the_spot_is_on_the_face():
    spot = TASK.marks(WORLD)[1]
    corners = np.array(spot["points"])
    assert corners[:, 0] == pytest.approx(32.5, abs=0.01)  # m: a hair before the face
    assert np.ptp(corners, axis=0) == pytest.approx([0.0, 0.25, 0.25])  # 25 cm by 25 cm
    assert corners.mean(axis=0)[1:] == pytest.approx([-15.0, 97.5])


@pytest.mark.parametrize(
    ("face", "heading", "place"), [("south", 0, (27.5, -15)), ("east", 270, (30, -12.5)), ("west", 90, (30, -17.5))]
)
def test_other_faces(face, heading, place):
    target = Hover(structure="wellhead", face=face)
    assert target.heading_deg == heading
    assert target.spot_n(WORLD)[:2] == pytest.approx(place)
    # to the right of who looks at the face
    aside = Hover(structure="wellhead", face=face, aside_m=1.0).spot_n(WORLD) - target.spot_n(WORLD)
    to = math.radians(heading + 90.0)
    assert aside[:2] == pytest.approx([math.cos(to), math.sin(to)], abs=1e-12)


def test_the_time_counts_from_the_first_approach_on():
    judge = make_judge()
    for _ in range(50):
        count_tick(judge, observe(42.0, -15.0, 97.5, heading_deg=180.0))
    assert judge.progress == 0.0 and math.isnan(judge.measures()["distance_rms_m"])
    for _ in range(600):
        count_tick(judge, observe(*FIT, heading_deg=180.0))
    for _ in range(600):  # drifted off again: it still counts
        count_tick(judge, observe(38.5, -15.0, 97.5, heading_deg=180.0))
    assert judge.completed and judge.progress == 1.0
    measures = judge.measures()
    assert measures["hovered_s"] == pytest.approx(120.0)
    assert measures["distance_rms_m"] == pytest.approx(4.0 / math.sqrt(2.0), rel=1e-6)  # half the time 0, half 4 m
    assert measures["time_s"] == pytest.approx(125.0)


def test_a_face_or_a_box_that_is_not_there_is_refused():
    with pytest.raises(CommandError, match='did you mean "north"'):
        Hover(structure="wellhead", face="nord")
    with pytest.raises(CommandError, match='did you mean "wellhead"'):
        Hover(structure="well head").solids(WORLD, 0)


@pytest.mark.slow
def test_by_sticks_at_the_helm_with_perfect_depth():
    """Flown as in the thesis: sticks for surge, sway and yaw, the depth held by numbers."""
    flight = rig(TASK, Conditions(current_m_s=0.5, depth_control="perfect"))
    track = []

    def act(flight, now):
        track.append(now.position_n.copy())
        ahead, right = FIT[0] - now.position_n[0], FIT[1] - now.position_n[1]  # heading 180: ahead is south
        surge = np.clip(-0.5 * ahead - 1.2 * now.nu[0] + 0.3, -1, 1)
        sway = np.clip(-0.8 * right - 1.5 * now.nu[1], -1, 1)
        off = (now.euler[2] - math.pi + math.pi) % (2 * math.pi) - math.pi
        flight.helm.move(PilotCommand(surge=surge, sway=sway, yaw=np.clip(-1.5 * off - 2.0 * now.nu[5], -1, 1)))

    result = flight.fly(act)
    assert result.completed and result.collisions == 0
    assert result.measures["altitude_error_rms_m"] < 0.01  # m: held by numbers
    near = np.hypot(*(np.array(track) - FIT)[:, :2].T)
    first = int(np.argmax(near < 2.0))
    # the bow keeps the heading, so that the origin is off by as much as the triangle; heading within a degree or two
    assert result.measures["distance_rms_m"] == pytest.approx(np.sqrt(np.mean(near[first:] ** 2)), abs=0.03)
    assert result.measures["distance_rms_m"] < 0.6  # m: the approach from 2 m, then steady
    assert result.score > 60.0


@pytest.mark.slow
def test_driven_into_the_cube_it_is_negative_and_a_collision():
    flight = rig(TASK)
    flight.simulation.command(north_m=33.0, east_m=-15.0, altitude_m=2.5, heading_deg=180.0, speed_m_s=0.4)
    result = flight.fly()
    assert result.collisions >= 1
    assert result.measures["inside_s"] > 60.0  # s: pressed against the face
    assert min(result.curve["distance_m"]) == pytest.approx(-0.5, abs=0.05)  # m: bow at the face, half a metre too far
    assert min(result.curve["north_m"]) > 33.9  # m: stopped by it
