"""Chapter 4: the rows of the picture, from the projection to the shading, against the camera of the console."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from pelagos.frames import rotation_from_euler
from pelagos.session.realtime import SNAPSHOT_HZ
from pelagos.training.observation import camera_pose
from pelagos.world.load import load_world
from pelagos.world.structure import Structure
from pelagos_evidence.claim import Claim
from pelagos_evidence.rows import Rows, Values
from pelagos_evidence.royer.given import equation, sea_grant
from pelagos_evidence.royer.picture import (
    SEEN_M,
    A,
    Array,
    B,
    CameraPose,
    clipped,
    console_pixels,
    corners_of,
    cut,
    faces_by_area,
    grey_level,
    in_camera,
    planes,
    projected,
)  # fmt: skip

POSES = 60  # random places and attitudes of the camera, with 50 points each


ROWS = Rows(__file__, kinds=(equation,), SEEN_M=SEEN_M)


def random_pose(rng: np.random.Generator) -> CameraPose:
    """A random place and attitude, pan and tilt."""
    n, e, d = (float(x) for x in rng.uniform(-50, 50, 3))
    roll, yaw = (float(x) for x in rng.uniform(-math.pi, math.pi, 2))
    pitch, pan, tilt = float(rng.uniform(-1.3, 1.3)), float(rng.uniform(-3.0, 3.0)), float(rng.uniform(-1.5, 1.5))
    return CameraPose((n, e, d), (roll, pitch, yaw), pan, tilt)


def points_before(pose: CameraPose, rng: np.random.Generator, n: int) -> Array:
    """Points (n, 3), NED, before the camera and not too near the edge of the half space."""
    x = rng.uniform(0.5, 40.0, n)
    camera = np.column_stack([x, x * rng.uniform(-3, 3, n), x * rng.uniform(-3, 3, n)])
    at_zero = in_camera(pose, np.zeros((1, 3)))
    axes = in_camera(pose, np.eye(3)) - at_zero  # rows: camera coordinates of north, east, down
    return (camera - at_zero) @ axes.T


def projection_values(rng: np.random.Generator) -> Values:
    """Sections 4.2.a and 4.2.e against the page."""
    off = bare = pan_tilt_off = axis = 0.0
    for _ in range(POSES):
        pose = random_pose(rng)
        points = points_before(pose, rng, 50)
        camera = in_camera(pose, points)
        a = 0.5 * pose.width / math.tan(0.5 * pose.fov)  # the distance at which the picture has its size in pixels
        pixels = console_pixels(pose, points)
        his = projected(camera, a) + 0.5 * pose.width
        off = max(off, float(np.abs(pixels - his).max() / np.abs(his).max()))
        bare = max(bare, float(np.abs(pixels - projected(camera, a, printed=True) - 0.5 * pose.width).max()))
        rotation = in_camera(pose._replace(mount_b=(0.0, 0.0, 0.0), place_n=(0.0, 0.0, 0.0)), np.eye(3))
        _, axes = camera_pose(np.zeros(3), np.eye(3), (0.0, 0.0, 0.0), pose.pan, pose.tilt)
        turned = in_camera(
            CameraPose((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), pose.pan, pose.tilt, (0.0, 0.0, 0.0)), np.eye(3)
        )
        pan_tilt_off = max(
            pan_tilt_off, float(np.abs(axes - turned).max()), float(np.abs(rotation @ rotation.T - np.eye(3)).max())
        )
        _, level = camera_pose(np.zeros(3), np.eye(3), (0.0, 0.0, 0.0), pose.pan, 0.0)
        change = axes @ level.T  # the console's tilt alone, in body axes
        printed_axis = np.array([-math.sin(pose.pan), math.cos(pose.pan), 0.0])
        axis = max(axis, float(np.abs(change @ printed_axis - printed_axis).max()))
    mount = sea_grant().cameras[0].position_b
    return {
        "perspective": {"difference": off, "states": POSES * 50, "bare": bare},
        "pan-tilt": {"difference": pan_tilt_off, "states": POSES},
        "tilt-axis": {"difference": axis, "states": POSES},
        "camera-place": {"holds": tuple(mount) == (1.5, 0.0, 0.0), "mount": mount},
        **_straight(rng),
        **_smaller(),
    }


def _across(first: Array, second: Array) -> Array:
    """The product of plane vectors that is zero for parallel ones."""
    return first[..., 0] * second[..., 1] - first[..., 1] * second[..., 0]


def _straight(rng: np.random.Generator) -> Values:
    """Segments stay straight; a convex quadrilateral stays convex."""
    bend, kept, n = 0.0, 0, 300
    for _ in range(n):
        pose = random_pose(rng)
        ends = points_before(pose, rng, 2)
        along = ends[0] + np.linspace(0.0, 1.0, 9)[:, None] * (ends[1] - ends[0])
        p = console_pixels(pose, along)
        way = p[-1] - p[0]
        bend = max(bend, float(np.abs(_across(p - p[0], way)).max() / (way @ way)))
        middle, first, second = points_before(pose, rng, 1)[0], *rng.normal(size=(2, 3))
        deep = in_camera(pose, middle[None])[0, 0]
        size = 0.4 * deep / (np.linalg.norm(first) + np.linalg.norm(second))
        quad = console_pixels(pose, middle + size * np.array([first, second, -first, -second]))
        edges = np.roll(quad, -1, axis=0) - quad
        turns = _across(edges, np.roll(edges, -1, axis=0))
        kept += bool((turns > 0.0).all() or (turns < 0.0).all())
    return {"projection-lines": {"holds": bend < 1e-9 and kept == n, "n": n, "bend": bend, "kept": kept}}


def _smaller() -> Values:
    pose = CameraPose((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0, 0.0)
    sizes = []
    for away in (5.0, 10.0, 20.0):
        p = console_pixels(pose, np.array([[1.5 + away, -1.0, 0.0], [1.5 + away, 1.0, 0.0]]))
        sizes.append(float(p[1, 0] - p[0, 0]))
    return {
        "projection-size": {
            "holds": bool(np.allclose(np.array(sizes) * (5.0, 10.0, 20.0), sizes[0] * 5.0)),
            "sizes": sizes,
        }
    }


def clipping_values(rng: np.random.Generator) -> Values:
    """Section 4.2.b."""
    pose = CameraPose((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0, 0.0, (0.0, 0.0, 0.0), 2.0 * math.atan(B / A))
    points = rng.normal(size=(20_000, 3))
    signs = planes(points, A, B) > 0.0
    inside = signs.all(axis=1)
    shown = np.zeros(len(points), bool)
    ahead = points[:, 0] > 0.0
    pixels = console_pixels(pose, points[ahead])
    shown[ahead] = ((pixels > 0.0) & (pixels < pose.width)).all(axis=1)
    different = int((inside != shown).sum())
    regions = len({tuple(row) for row in signs.tolist()})
    return {
        "clip-planes": {"value": different, "points": len(points), "visible_points": int(shown.sum())},
        "clip-regions": {"off": abs(16.0 - regions), "regions": regions},
        **_poly(rng),
    }


def area(polygon: Array) -> float:
    """Area of a plane polygon, (n, 2)."""
    x, y = polygon.T
    return 0.5 * abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1)))


def _poly(rng: np.random.Generator) -> Values:
    """Clip, then project; for surfaces wholly before the camera also project, then count the part in the picture."""
    outside = off = 0.0
    cut = most = 0
    for _ in range(300):
        middle, first, second = (
            np.array([6.0, 0.0, 0.0]) + rng.normal(size=3) * (1.5, 3.5, 3.5),
            *rng.normal(size=(2, 3)),
        )
        quad = middle + 1.5 * np.array([first, second, -first, -second])
        part = clipped(quad, A, B)
        if len(part) < 3:
            continue
        flat = projected(part, A)
        outside = max(outside, float(np.abs(flat).max() - B))
        most = max(most, len(part))
        if len(part) != 4 or not np.allclose(part, quad):
            cut += 1
        if quad[:, 0].min() > 0.2:
            off = max(off, abs(area(flat) - _in_square(projected(quad, A))) / B**2)
    return {
        "clip-poly": {
            "holds": outside < 1e-9 and off < 1e-9 and cut > 50,
            "cut": cut,
            "most": most,
            "beyond_edge": max(outside, 0.0),
            "off": off,
        }
    }


def _in_square(polygon: Array) -> float:
    """Area of a flat convex polygon within the picture, by its half planes in the picture alone."""
    for axis, sign in ((0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0)):
        polygon = cut(polygon, B - sign * polygon[:, axis])
        if not len(polygon):
            return 0.0
    return area(polygon)


def face_values(rng: np.random.Generator) -> Values:
    """Sections 4.2.c and 4.2.d: hidden faces, shading, colours, time."""
    boxes = load_world("royer_field").structures
    cube = next(box for box in boxes if box.name == "wellhead")
    center, half = np.array(cube.center_n(), float), np.array(cube.half_m(), float)
    wrong, n = 0, 2000
    for _ in range(n):
        eye = np.array([*(center[:2] + rng.uniform(-20, 20, 2)), rng.uniform(88.0, 99.5)])
        sides = [(axis, sign) for axis in range(3) for sign in (-1, 1)]
        facing = {side for side in sides if side[1] * (eye[side[0]] - corners_of(center, half, side)[0, side[0]]) > 0.0}
        wrong += faces_by_area(center, half, eye) != facing - {(2, 1)}
    eyes = np.column_stack([rng.uniform(-40, 60, n), rng.uniform(-40, 60, n), rng.uniform(0, 100, n)])
    visible = np.concatenate([(np.abs((eyes - s.center_n()) @ s.axes_n()) > s.half_m()).sum(axis=1) for s in boxes])
    shares = {k: 100.0 * float((visible == k).mean()) for k in (1, 2, 3)}
    return {
        "nine-areas": {"value": wrong, "n": n},
        "face-count": {
            "holds": max(shares, key=lambda k: shares[k]) == 2 and min(shares[1], shares[3]) > 0.0,
            "shares": shares,
            "numbers": {str(k): v for k, v in shares.items()},
        },
        **_shading(cube, rng),
        "colours": float(2**4 - 1),
        **rate_values(),
    }


def _shading(cube: Structure, rng: np.random.Generator) -> Values:
    """Grey levels of the faces of the cube: dependence on angle and distance, difference of neighbours."""
    center, half = np.array(cube.center_n(), float), np.array(cube.half_m(), float)
    bent, apart, pairs = 0.0, 0, 0
    for _ in range(300):
        bearing, away = rng.uniform(-math.pi, math.pi), rng.uniform(8.0, 25.0)
        place = center + np.array([away * math.cos(bearing), away * math.sin(bearing), rng.uniform(-9.0, 1.0)])
        north, east, down = (float(x) for x in place)
        yaw = bearing + math.pi + float(rng.uniform(-0.2, 0.2))
        pose = CameraPose((north, east, down), (0.0, 0.0, yaw), 0.0, 0.0, (0.0, 0.0, 0.0))
        levels = []
        for side in faces_by_area(center, half, place):
            whole = in_camera(pose, corners_of(center, half, side))
            part = clipped(whole, A, B)
            if len(part) < 3:
                continue
            normal = np.cross(whole[1] - whole[0], whole[2] - whole[0])
            bent = max(bent, float(np.abs((part - whole[0]) @ normal).max() / np.linalg.norm(normal)))
            levels.append(grey_level(part))
        apart += sum(a != b for a, b in combinations(levels, 2))
        pairs += len(levels) * (len(levels) - 1) // 2
    square = np.array([[0.0, -1.0, -1.0], [0.0, 1.0, -1.0], [0.0, 1.0, 1.0], [0.0, -1.0, 1.0]])
    angles = np.linspace(0.0, 1.5, 16)
    turned = [grey_level(square @ rotation_from_euler(0.0, 0.0, a).T + np.array([10.0, 0.0, 0.0])) for a in angles]
    farther = [grey_level(square + np.array([x, 0.0, 0.0])) for x in np.linspace(3.0, 100.0, 30)]
    dims = bool(np.all(np.diff(turned) <= 0) and np.all(np.diff(farther) <= 0))
    share = apart / max(pairs, 1)
    return {
        "shading": {
            "holds": share > 0.9 and dims and bent < 1e-9 and turned[0] > turned[-1] and farther[0] > farther[-1],
            "share_percent": 100 * share,
            "pairs": pairs,
            "turned": turned,
            "last_turned": turned[-1],
            "farther": farther,
            "last_farther": farther[-1],
            "bent": bent,
            "share": share,
        }
    }


def rate_values() -> Values:
    """Pictures a second: abstract, chapters 1, 4 and 6."""
    return {"display-rate": SNAPSHOT_HZ, "display-rate-own": {"off": max(2.0 - 1.0 / 0.75, 0.0), "value": 1.0 / 0.75}}


def camera_claims() -> tuple[Claim, ...]:
    """All rows of chapter 4."""
    rng = np.random.default_rng(42)
    return ROWS.claims({**projection_values(rng), **clipping_values(rng), **face_values(rng)})
