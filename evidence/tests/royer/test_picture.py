"""Camera pictures of section 4.2: by hand, against the console's JavaScript in node, faces in order and greys."""

import json
import math
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pelagos import frames
from pelagos_evidence.royer import picture
from pelagos_evidence.royer.camera import points_before, random_pose
from pelagos_evidence.royer.picture import console_pixels, in_camera

ROOT = Path(__file__).parents[3]
NODE = shutil.which("node", path=str(Path(sys.executable).parent)) or shutil.which("node")
PAGE = """
import { PerspectiveCamera, Vector3 } from "./pelagos/console/static/vendor/three.js";
import { cameraPose } from "./pelagos/console/static/js/frames.js";
import { applyPose, pixelOf, verticalField } from "./pelagos/console/static/js/view/pose.js";
import { readFileSync } from "node:fs";
const DEG = 180 / Math.PI;
const out = JSON.parse(readFileSync(0, "utf8")).map((look) => {
  const { place, attitude, mount, pan, tilt, fov, width, height, points } = look;
  const camera = new PerspectiveCamera();
  applyPose(camera, cameraPose(place, attitude, mount, pan * DEG, tilt * DEG));
  camera.aspect = width / height;
  camera.fov = verticalField(fov * DEG, 1, camera.aspect) * DEG;
  camera.updateProjectionMatrix();
  camera.matrixWorldInverse.copy(camera.matrixWorld).invert();
  return points.map((point) => pixelOf(camera, point, width, height, new Vector3()));
});
console.log(JSON.stringify(out));
"""


@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_the_page_draws_points_where_the_thesis_says():
    rng, asked, expected = np.random.default_rng(6), [], []
    for k in range(20):
        pose = random_pose(rng)._replace(width=1280.0, height=720.0 if k % 2 else 1280.0)
        points = points_before(pose, rng, 20)
        a = 0.5 * pose.width / math.tan(0.5 * pose.fov)
        his = picture.projected(picture.in_camera(pose, points), a) + 0.5 * np.array([pose.width, pose.height])
        np.testing.assert_allclose(picture.console_pixels(pose, points), his, rtol=1e-11, atol=1e-8)
        expected.append(his)
        asked.append({
            "place": pose.place_n, "attitude": frames.quaternion_from_euler(*pose.euler).tolist(),
            "mount": pose.mount_b,
            "pan": pose.pan, "tilt": pose.tilt, "fov": pose.fov, "width": pose.width, "height": pose.height,
            "points": points.tolist(),
        })  # fmt: skip
    done = subprocess.run(
        [str(NODE), "--input-type=module", "-e", PAGE], input=json.dumps(asked), capture_output=True, text=True,
        timeout=120, cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    # 1e-6 of a pixel: doubles, points of 50 m, some 20 operations; pixels of up to some thousand
    np.testing.assert_allclose(np.array(json.loads(done.stdout)), np.array(expected), atol=1e-6, rtol=1e-9)


def test_ahead_is_the_middle_and_up_is_up():
    pose = picture.CameraPose((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0, 0.0)
    pixels = picture.console_pixels(pose, np.array([[11.5, 0.0, 0.0], [11.5, 1.0, 0.0], [11.5, 0.0, -1.0]]))
    assert pixels[0] == pytest.approx((400.0, 400.0))
    assert pixels[1, 0] > 400.0 and pixels[2, 1] < 400.0  # starboard is right, up is above
    panned = picture.in_camera(pose._replace(pan=math.pi / 2), np.array([[1.5, 7.0, 0.0]]))
    assert panned[0] == pytest.approx((7.0, 0.0, 0.0), abs=1e-12)
    tilted = picture.in_camera(pose._replace(tilt=math.pi / 2), np.array([[1.5, 0.0, -7.0]]))
    assert tilted[0] == pytest.approx((7.0, 0.0, 0.0), abs=1e-12)


def test_planes_bound_the_picture():
    points = np.array([[2.0, 1.9, 0.0], [2.0, 2.1, 0.0], [2.0, 0.0, -2.1], [-2.0, 0.0, 0.0]])
    inside = (picture.planes(points, 1.0, 1.0) > 0.0).all(axis=1)
    assert inside.tolist() == [True, False, False, False]


def test_clipping_by_hand():
    big = np.array([[2.0, -9.0, -9.0], [2.0, 9.0, -9.0], [2.0, 9.0, 9.0], [2.0, -9.0, 9.0]])
    part = picture.clipped(big, 1.0, 1.0)
    assert sorted(map(tuple, np.round(part[:, 1:], 12).tolist())) == [(-2, -2), (-2, 2), (2, -2), (2, 2)]
    small = np.array([[2.0, 0.0, 0.0], [2.0, 1.0, 0.0], [2.0, 1.0, 1.0]])
    np.testing.assert_array_equal(picture.clipped(small, 1.0, 1.0), small)
    assert len(picture.clipped(small - (4.0, 0.0, 0.0), 1.0, 1.0)) == 0  # behind


def test_faces_of_the_nine_areas():
    center, half = np.zeros(3), np.ones(3)
    assert picture.faces_by_area(center, half, np.array([5.0, 0.0, 0.0])) == {(0, 1)}
    assert picture.faces_by_area(center, half, np.array([5.0, -5.0, -3.0])) == {(0, 1), (1, -1), (2, -1)}
    corners = picture.corners_of(center, half, (2, -1))
    assert (corners[:, 2] == -1.0).all() and np.ptp(corners[:, 0]) == 2.0


@pytest.mark.parametrize("pose", [pose for _, pose in picture.VIEWS])
def test_every_view_shows_something_within_the_picture(pose):
    faces, corners = picture.faces(pose)
    assert faces and len(corners) >= 4
    distances = [away for away, _, _ in faces]
    assert distances == sorted(distances, reverse=True)
    for _, flat, grey in faces:
        assert np.abs(flat).max() <= picture.B + 1e-9
        assert 1 <= grey <= picture.GREYS


def test_the_eye_is_where_camera_coordinates_are_zero():
    for _, pose in picture.VIEWS:
        np.testing.assert_allclose(in_camera(pose, picture._camera_place(pose)[None]), 0.0, atol=1e-9)


def test_unclipped_corners_are_those_of_the_console():
    _, pose = picture.VIEWS[1]  # the cube, whole in the picture
    faces, _ = picture.faces(pose)
    nearest = faces[-1][1]
    corners = np.array(
        [(north, east, down) for north in (27.5, 32.5) for east in (-17.5, -12.5) for down in (95.0, 100.0)]
    )
    pixels = console_pixels(pose, corners) / (0.5 * pose.width) - 1.0
    for point in nearest:
        assert np.hypot(*(picture.B * pixels - point).T).min() < 1e-9


def test_a_face_farther_away_is_darker():
    _, pose = picture.VIEWS[2]
    faces, _ = picture.faces(pose)
    assert np.mean([grey for _, _, grey in faces[:4]]) < np.mean([grey for _, _, grey in faces[-4:]])
