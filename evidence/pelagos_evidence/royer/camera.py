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
from pelagos_evidence.claim import Claim, Proof, bound, contested, number, statement
from pelagos_evidence.royer.given import agrees, sea_grant
from pelagos_evidence.royer.picture import (
    SEEN_M,
    Array,
    Look,
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

PAGE = ("pelagos/console/static/js/frames.js", "pelagos/console/static/js/view/pose.js")
CODE = ("pelagos.training.observation.camera_pose", *PAGE)
TESTS = ("tests/evidence/royer/test_picture.py", "tests/console/js/view_projection.test.js")
A, B = 1.0, math.tan(math.radians(30.0))  # his a and b, for the field of view of the vehicle file
FIELD_SAID = "The ratio b/a, which fixes the field of view, has no number in the text: 60° across."
LOOKS = 60
GREYS = 15  # printed, section 4.3


def random_look(rng: np.random.Generator) -> Look:
    """Any place and attitude, any pan and tilt."""
    n, e, d = (float(x) for x in rng.uniform(-50, 50, 3))
    roll, yaw = (float(x) for x in rng.uniform(-math.pi, math.pi, 2))
    pitch, pan, tilt = float(rng.uniform(-1.3, 1.3)), float(rng.uniform(-3.0, 3.0)), float(rng.uniform(-1.5, 1.5))
    return Look((n, e, d), (roll, pitch, yaw), pan, tilt)


def points_before(look: Look, rng: np.random.Generator, n: int) -> Array:
    """Points (n, 3), NED, before the camera and not too near the edge of the half space."""
    x = rng.uniform(0.5, 40.0, n)
    camera = np.column_stack([x, x * rng.uniform(-3, 3, n), x * rng.uniform(-3, 3, n)])
    at_zero = in_camera(look, np.zeros((1, 3)))
    axes = in_camera(look, np.eye(3)) - at_zero  # rows: camera coordinates of north, east, down
    return (camera - at_zero) @ axes.T


def projection_rows(rng: np.random.Generator) -> list[Claim]:
    """Sections 4.2.a and 4.2.e against the page."""
    off = bare = pose = axis = 0.0
    for _ in range(LOOKS):
        look = random_look(rng)
        points = points_before(look, rng, 50)
        camera = in_camera(look, points)
        a = 0.5 * look.width / math.tan(0.5 * look.fov)  # the distance at which the picture has its size in pixels
        pixels = console_pixels(look, points)
        his = projected(camera, a) + 0.5 * look.width
        off = max(off, float(np.abs(pixels - his).max() / np.abs(his).max()))
        bare = max(bare, float(np.abs(pixels - projected(camera, a, printed=True) - 0.5 * look.width).max()))
        rotation = in_camera(look._replace(mount_b=(0.0, 0.0, 0.0), place_n=(0.0, 0.0, 0.0)), np.eye(3))
        _, axes = camera_pose(np.zeros(3), np.eye(3), (0.0, 0.0, 0.0), look.pan, look.tilt)
        turned = in_camera(Look((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), look.pan, look.tilt, (0.0, 0.0, 0.0)), np.eye(3))
        pose = max(pose, float(np.abs(axes - turned).max()), float(np.abs(rotation @ rotation.T - np.eye(3)).max()))
        _, level = camera_pose(np.zeros(3), np.eye(3), (0.0, 0.0, 0.0), look.pan, 0.0)
        change = axes @ level.T  # the console's tilt alone, in body axes
        said = np.array([-math.sin(look.pan), math.cos(look.pan), 0.0])
        axis = max(axis, float(np.abs(change @ said - said).max()))
    mount = sea_grant().cameras[0].position_b
    return [
        agrees(
            "perspective", "section 4.2.a", "Projection of a point on the picture, against the console's camera matrix",
            "y' = y/x, z' = z/x on the plane x = a", off, states=LOOKS * 50,
            misprint=f"As printed, without the factor a, the picture is up to {bare:.0f} px off: y' = a y/x.",
            proof=Proof(("R30",), CODE, TESTS, ("royer-views",)),
        ),
        agrees(
            "pan-tilt", "section 4.2.e", "Pan about k, then tilt, of the camera", "[c(a) 0 -s(a); 0 1 0; s(a) 0 c(a)] "
            "[c(b) s(b) 0; -s(b) c(b) 0; 0 0 1]", pose, states=LOOKS, proof=Proof((), CODE, TESTS),
        ),
        agrees(
            "tilt-axis", "section 4.2.e", "The tilt turns about the panned lateral axis", "cos(b) j - sin(b) i", axis,
            states=LOOKS, proof=Proof((), CODE, TESTS),
        ),
        statement(
            "camera-place", "section 4.2.e", "The camera's place in the vehicle", "C: x = 1.5 m, y = 0, z = 0",
            f"{mount[0]:g}, {mount[1]:g}, {mount[2]:g} m", tuple(mount) == (1.5, 0.0, 0.0),
            why="A number that is copied.",
            proof=Proof((), ("pelagos/vehicle/library/seagrant1.toml",), ("tests/vehicle/load/test_view.py",)),
            read_back=True,
        ),
        _straight(rng), _smaller(),
    ]  # fmt: skip


def _across(one: Array, two: Array) -> Array:
    """The product of plane vectors that is zero for parallel ones."""
    return one[..., 0] * two[..., 1] - one[..., 1] * two[..., 0]


def _straight(rng: np.random.Generator) -> Claim:
    """Segments stay straight; a convex quadrilateral stays convex."""
    bend, kept, n = 0.0, 0, 300
    for _ in range(n):
        look = random_look(rng)
        ends = points_before(look, rng, 2)
        along = ends[0] + np.linspace(0.0, 1.0, 9)[:, None] * (ends[1] - ends[0])
        p = console_pixels(look, along)
        way = p[-1] - p[0]
        bend = max(bend, float(np.abs(_across(p - p[0], way)).max() / (way @ way)))
        middle, one, two = points_before(look, rng, 1)[0], *rng.normal(size=(2, 3))
        deep = in_camera(look, middle[None])[0, 0]
        size = 0.4 * deep / (np.linalg.norm(one) + np.linalg.norm(two))
        quad = console_pixels(look, middle + size * np.array([one, two, -one, -two]))
        edges = np.roll(quad, -1, axis=0) - quad
        turns = _across(edges, np.roll(edges, -1, axis=0))
        kept += bool((turns > 0.0).all() or (turns < 0.0).all())
    return statement(
        "projection-lines", "section 4.2.a", "The projection keeps segments and convex surfaces",
        "\"it conserves segments and convex surfaces\"",
        f"{n} segments bend by at most {bend:.1e} of their length; {kept} of {n} convex quadrilaterals stay convex",
        bend < 1e-9 and kept == n, tolerance="rounding", why="Exact for surfaces before the camera.",
        numbers={"ours": bend}, proof=Proof((), CODE, TESTS),
    )  # fmt: skip


def _smaller() -> Claim:
    look = Look((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0, 0.0)
    sizes = []
    for away in (5.0, 10.0, 20.0):
        p = console_pixels(look, np.array([[1.5 + away, -1.0, 0.0], [1.5 + away, 1.0, 0.0]]))
        sizes.append(float(p[1, 0] - p[0, 0]))
    return statement(
        "projection-size", "section 4.2.a", "The farther away an object, the smaller its picture",
        "smaller when farther",
        f"2 m across at 5, 10 and 20 m: {sizes[0]:.1f}, {sizes[1]:.1f}, {sizes[2]:.1f} px",
        bool(np.allclose(np.array(sizes) * (5.0, 10.0, 20.0), sizes[0] * 5.0)), tolerance="inverse to the distance",
        why="Exact.", assumption=FIELD_SAID, proof=Proof((), CODE, TESTS),
    )  # fmt: skip


def clipping_rows(rng: np.random.Generator) -> list[Claim]:
    """Section 4.2.b."""
    look = Look((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0, 0.0, (0.0, 0.0, 0.0), 2.0 * math.atan(B / A))
    points = rng.normal(size=(20_000, 3))
    signs = planes(points, A, B) > 0.0
    inside = signs.all(axis=1)
    shown = np.zeros(len(points), bool)
    ahead = points[:, 0] > 0.0
    pixels = console_pixels(look, points[ahead])
    shown[ahead] = ((pixels > 0.0) & (pixels < look.width)).all(axis=1)
    different = int((inside != shown).sum())
    regions = len({tuple(row) for row in signs.tolist()})
    return [
        statement(
            "clip-planes", "section 4.2.b", "The region with all f_i > 0 is what the camera sees",
            "PL1 ... PL4: b x -+ a y, b x +- a z", f"{different} of {len(points)} random points differ from what falls "
            f"into the console's picture ({int(shown.sum())} do)",
            different == 0, tolerance="no point", why="Exact; the picture is square here as in the thesis.",
            assumption=FIELD_SAID, numbers={"ours": float(different)}, unit="points",
            proof=Proof((), CODE, TESTS, ("royer-views",)),
        ),
        contested(
            "clip-regions", "section 4.2.b", "Number of regions that the four planes cut space into", "16 regions",
            "f1 + f3 = f2 + f4 = 2 b x: two of the sixteen patterns of signs, (+,-,+,-) and (-,+,-,+), cannot occur. "
            "Four planes through one point make at most 14 regions.",
            ours=f"{regions} regions", numbers={"published": 16.0, "ours": float(regions)},
            proof=Proof(("R32",), ("pelagos_evidence.royer.picture",), ("tests/evidence/royer/test_camera.py",)),
            off=abs(16.0 - regions), limit=0.0,
        ),
        _poly(rng),
    ]  # fmt: skip


def area(polygon: Array) -> float:
    """Of a plane polygon, (n, 2)."""
    x, y = polygon.T
    return 0.5 * abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1)))


def _poly(rng: np.random.Generator) -> Claim:
    """Clip, then project; for surfaces wholly before the camera also project, then count the part in the picture."""
    outside = off = 0.0
    cut = most = 0
    for _ in range(300):
        middle, one, two = np.array([6.0, 0.0, 0.0]) + rng.normal(size=3) * (1.5, 3.5, 3.5), *rng.normal(size=(2, 3))
        quad = middle + 1.5 * np.array([one, two, -one, -two])
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
    return statement(
        "clip-poly", "section 4.2.b", "A surface of four points, clipped and then projected, stays within the picture",
        "the projection \"stays within the limit of the projection surface\"",
        f"{cut} clipped surfaces of up to {most} corners: none beyond the edge by more than "
        f"{max(outside, 0.0):.0e}; areas "
        f"as by clipping the projected surface, to {off:.0e} of the picture",
        outside < 1e-9 and off < 1e-9 and cut > 50, tolerance="rounding",
        why="Exact: a projection keeps straight lines, so the order of clipping and projecting does not matter.",
        numbers={"ours": off}, proof=Proof((), ("pelagos_evidence.royer.picture.clipped",), TESTS),
    )  # fmt: skip


def _in_square(polygon: Array) -> float:
    """Area of a flat convex polygon within the picture, by its half planes in the picture alone."""
    for axis, sign in ((0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0)):
        polygon = cut(polygon, B - sign * polygon[:, axis])
        if not len(polygon):
            return 0.0
    return area(polygon)


def face_rows(rng: np.random.Generator) -> list[Claim]:
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
    seen = np.concatenate([(np.abs((eyes - s.center_n()) @ s.axes_n()) > s.half_m()).sum(axis=1) for s in boxes])
    shares = {k: 100.0 * float((seen == k).mean()) for k in (1, 2, 3)}
    scene = "Camera 0.5 to 12 m above the bottom within 20 m of the assumed cube of 5 m."
    anywhere = "Camera anywhere in the 100 m of water of the assumed scene, all ten boxes."
    code = ("pelagos/console/static/js/view/solids.js", "pelagos_evidence.royer.picture.faces_by_area")
    tests = ("tests/evidence/royer/test_picture.py", "tests/console/test_camera_view.py")
    return [
        statement(
            "nine-areas", "section 4.2.c, figure 4.6",
            "Nine areas around the cube, and the altitude, select its visible faces",
            "only the corresponding faces are drawn",
            f"{wrong} of {n} camera places select other faces than those that "
            "face the camera",
            wrong == 0, tolerance="no place",
            why="Exact for a box; the console leaves the same faces out and has a depth buffer besides.",
            assumption=scene, numbers={"ours": float(wrong)}, proof=Proof((), code, tests, ("royer-views",)),
        ),
        statement(
            "face-count", "section 4.2", "A filled box is reduced to mainly 2, sometimes 1 or 3 surfaces",
            "\"mainly 2, sometimes 1 or 3\"",
            f"1: {shares[1]:.0f} %, 2: {shares[2]:.0f} %, 3: {shares[3]:.0f} % of the places",
            max(shares, key=lambda k: shares[k]) == 2 and min(shares[1], shares[3]) > 0.0,
            tolerance="2 the most frequent", why="Depends on where one looks from; see the assumption.",
            assumption=f"\"Mainly\" is read as most often. {anywhere}",
            numbers={str(k): v for k, v in shares.items()}, unit="%", proof=Proof((), code, tests),
        ),
        _shading(cube, rng),
        number(
            "colours", "section 4.3, appendix B",
            "Grey levels of a picture that may use 4 of 8 colour planes, one erased",
            float(GREYS), float(2**4 - 1), "levels", absolute=0.0,
            why="The document's own numbers against each other: 256 colours are 8 planes; half of them for each of two "
            "images leave 16, one of them the erased screen. The figure here uses as many.",
            proof=Proof((), (), (), ("royer-views",)),
        ),
        *rate_rows(),
    ]  # fmt: skip


def _shading(cube: Structure, rng: np.random.Generator) -> Claim:
    """The law of the text on the faces of the cube: it depends on angle and distance, and tells neighbours apart."""
    center, half = np.array(cube.center_n(), float), np.array(cube.half_m(), float)
    bent, apart, pairs = 0.0, 0, 0
    for _ in range(300):
        bearing, away = rng.uniform(-math.pi, math.pi), rng.uniform(8.0, 25.0)
        place = center + np.array([away * math.cos(bearing), away * math.sin(bearing), rng.uniform(-9.0, 1.0)])
        north, east, down = (float(x) for x in place)
        yaw = bearing + math.pi + float(rng.uniform(-0.2, 0.2))
        look = Look((north, east, down), (0.0, 0.0, yaw), 0.0, 0.0, (0.0, 0.0, 0.0))
        levels = []
        for side in faces_by_area(center, half, place):
            whole = in_camera(look, corners_of(center, half, side))
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
    return statement(
        "shading", "section 4.2.d", "One level for a surface by the angle of its normal to the camera's axis and by "
        "its distance: light that comes from the camera, and surfaces that can be told apart",
        "\"allows the surfaces to be differentiated visually\"; \"simulate the light coming from the camera\"",
        f"{100 * share:.0f} % of {pairs} pairs of faces seen at once have different levels; a square turned from 0 to "
        f"86° goes from level {turned[0]} to {turned[-1]}, moved from 3 to 100 m from {farther[0]} to {farther[-1]}; "
        f"clipped surfaces stay plane within {bent:.0e} m",
        share > 0.9 and dims and bent < 1e-9 and turned[0] > turned[-1] and farther[0] > farther[-1],
        tolerance="nine of ten pairs; darker with angle and distance, never brighter",
        why="15 levels cannot tell every pair apart; the law itself is checked at every step of angle and distance",
        assumption="How the two are combined is not in the text: the cosine of the angle, with 0.35 left for a face "
        f"seen edge on, times a fall to nothing at {SEEN_M:g} m. Camera 8 to 25 m from the cube.",
        numbers={"ours": share},
        proof=Proof((), ("pelagos_evidence.royer.picture.grey_level",), TESTS, ("royer-views",)),
    )  # fmt: skip


def rate_rows() -> list[Claim]:
    """Pictures a second: abstract, chapters 1, 4 and 6."""
    code, tests = ("pelagos.session.realtime",), ("tests/session/test_realtime_runner.py",)
    return [
        bound(
            "display-rate", "abstract, chapter 1", "Pictures of the scene in a second", "above", 2.0,
            SNAPSHOT_HZ, "1/s",
            why="States sent to every page in a second, as the program sets it, whatever the scene.",
            assumption="The page draws at the rate of the reader's screen, which is not timed here.",
            proof=Proof((), code, tests),
        ),
        contested(
            "display-rate-own", "abstract, sections 4.3, 6.1.b, 6.2", "His own pictures a second",
            "at least 2 a second; 0.45 s for clipping the structure, 0.75 s for the whole scene",
            "Times of a PDP-11/34 (0.02 ms a multiplication) cannot be measured again. The document contradicts "
            "itself: "
            "0.75 s is 1.3 pictures a second, and section 6.1.b gives 1 to 3.",
            ours=f"{1.0 / 0.75:.2f} pictures a second by his 0.75 s",
            proof=Proof((), code, tests), off=max(2.0 - 1.0 / 0.75, 0.0), limit=0.0, unit="1/s",
        ),
    ]  # fmt: skip


def camera_rows() -> list[Claim]:
    """All rows of chapter 4."""
    rng = np.random.default_rng(42)
    return projection_rows(rng) + clipping_rows(rng) + face_rows(rng)
