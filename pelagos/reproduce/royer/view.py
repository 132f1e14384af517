"""What a pilot of 1985 could see of his vehicle, and how well: top view, camera, compass and the figures of a depth.

Each display shows the vehicle as it was at the last of its frames (`Screens`). With the scene reduced to pipe and cube
there were 4 a second (Royer 7.3); those of the camera are taken to be 0.5 s late then, the least of the 0.5 to 1.2 s
of 6.2. `FULL_SCENE` is the other end of what is printed: 1 a second (6.1.b) and 1.2 s. A rate is what changes from one
frame to the next. What is read off a display is wrong by

    sigma^2 = (P pi / T) x^2 + threshold^2

x being the value shown. The first term is the observation noise of the optimal control model of a pilot (Kleinman,
Baron and Levison 1970; Levison, Baron and Kleinman 1969): white, of the density P pi times the power of what is shown,
P = 0.01 (-20 dB) for a trained pilot; a look of T seconds averages it. The second is what an eye can tell, 0.05 deg of
visual angle and 0.1 deg/s, the order of magnitude used with that model.

| display | tells | threshold, of sizes that are assumed: the eye 0.6 m from the screens |
|---|---|---|
| top view | errors and rates in the level plane, north up or ship up | 20 m of sea on 0.2 m of screen |
| camera | bearing, elevation, size of the spot of 25 cm; place of the pipe | 60 deg on 0.25 m; size 5 % besides |
| compass | heading | a dial of 5 cm radius |
| depth, altitude | figures with one digit after the point (figure 6.4) | two readings give a rate |
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from pelagos.training.observation import Observation

Array = NDArray[np.float64]

FRAME_S = 0.25
EYE_M = 0.6
ARC, ARC_RATE = math.radians(0.05), math.radians(0.1)
TOP_SCALE = 20.0 / 0.2  # metres of sea on a metre of screen
TOP_M, TOP_M_S = ARC * EYE_M * TOP_SCALE, ARC_RATE * EYE_M * TOP_SCALE
DIAL_M = 0.05
DIAL_RAD, DIAL_RAD_S = ARC * EYE_M / DIAL_M, ARC_RATE * EYE_M / DIAL_M
PICTURE_M = 0.25
SIZE_SHARE = 0.05  # by which a remembered size is misjudged
DIGIT_M = 0.1


@dataclass(frozen=True)
class Picture:
    """How the camera's picture comes: the time between frames, and how late they are, s."""

    frame_s: float = FRAME_S
    late_s: float = 0.5


REDUCED_SCENE, FULL_SCENE = Picture(), Picture(1.0, 1.2)


class Eye:
    """Reads displays, with errors.

    Args:
        noise: P of the observation noise, 0.01 is -20 dB.
        look_s: how long a look is.
        chance: where the errors come from.
    """

    def __init__(self, noise: float, look_s: float, chance: Generator) -> None:
        self._share, self._chance = math.sqrt(noise * math.pi / look_s), chance

    def read(self, value: float, threshold: float) -> float:
        """A value as it is read."""
        return value + math.hypot(self._share * value, threshold) * float(self._chance.standard_normal())

    def size(self, value: float, threshold: float) -> float:
        """A size beside one that is remembered."""
        return value + math.hypot(SIZE_SHARE * value, threshold) * float(self._chance.standard_normal())


class Screens:
    """What was and is on the screens: frames of the past motion."""

    def __init__(self, picture: Picture = REDUCED_SCENE) -> None:
        self._picture = picture
        self._past: list[Observation] = []

    def record(self, seen: Observation) -> None:
        """The motion now, once a tick."""
        self._past.append(seen)

    def frames(self, camera: bool = False) -> tuple[Observation, Observation, float]:
        """The frame on the screen, the one before it, and the time between the two, s (never 0)."""
        frame_s, late_s = (self._picture.frame_s, self._picture.late_s) if camera else (FRAME_S, 0.0)
        newest = math.floor(self._past[-1].time_s / frame_s + 1e-6) * frame_s - late_s
        now, before = self._at(newest), self._at(newest - frame_s)
        return now, before, max(now.time_s - before.time_s, 1e-3)

    def figure(self, age_s: float = 0.0) -> float:
        """Altitude as it is written on the screen, m, or was a while ago."""
        return round(self._at(self._past[-1].time_s - age_s).altitude_m / DIGIT_M) * DIGIT_M

    def _at(self, time_s: float) -> Observation:
        first, last = self._past[0], self._past[-1]
        k = math.floor((time_s - first.time_s) / max(last.dt, 1e-6) + 1e-6)
        return self._past[min(max(k, 0), len(self._past) - 1)]


class Sight(NamedTuple):
    """An error and its rate as they were read, ahead, to starboard and down: where the vehicle should be, from it."""

    error: tuple[float, float, float]
    rate: tuple[float, float, float]


def turned(vector: Array, angle: float) -> tuple[float, float]:
    """A level vector (north, east) on a display whose upper side is `angle` to starboard of north."""
    c, s = math.cos(angle), math.sin(angle)
    north, east = vector.tolist()
    return c * north + s * east, -s * north + c * east


def compass(screens: Screens, eye: Eye, wanted_rad: float) -> tuple[float, float]:
    """How far the heading is to port of the wanted one, rad, and how fast that changes, as read."""
    now, before, dt = screens.frames()
    error = math.remainder(wanted_rad - now.euler[2], math.tau)
    rate = -math.remainder(now.euler[2] - before.euler[2], math.tau) / dt
    return eye.read(error, DIAL_RAD), eye.read(rate, DIAL_RAD_S)


def in_camera(seen: Observation, point_n: Array) -> tuple[float, float, float]:
    """A point in the camera's axes: along its optical axis, to the right, down; m."""
    ahead, right, down = ((point_n - seen.camera_n) @ seen.camera_axes).tolist()
    return ahead, right, down


def arcs(seen: Observation) -> tuple[float, float]:
    """The eye's thresholds in tangents of the picture, and in tangents a second."""
    screen = 0.5 * PICTURE_M / math.tan(math.radians(0.5 * seen.fov_deg))
    return ARC * EYE_M / screen, ARC_RATE * EYE_M / screen


def spot_sight(screens: Screens, eye: Eye, spot_n: Array, size_m: float, stand_off_m: float) -> Sight | None:
    """Place before the spot by its bearing, elevation and size in the picture; None if it is not in it."""
    now, before, dt = screens.frames(camera=True)
    if not now.in_picture(spot_n[np.newaxis])[0]:
        return None
    (x, y, z), old = in_camera(now, spot_n), in_camera(before, spot_n)
    arc, arc_rate = arcs(now)
    size = max(eye.size(size_m / x, math.sqrt(2.0) * arc), 0.1 * size_m / x)
    away = size_m / size
    closing = eye.read((old[0] - x) / dt, math.sqrt(2.0) * arc_rate * x * x / size_m)
    bearing, elevation = eye.read(y / x, arc), eye.read(z / x, arc)
    aside, below = (eye.read((a / x - b / max(old[0], 0.1)) / dt, arc_rate) for a, b in ((y, old[1]), (z, old[2])))
    return Sight((away - stand_off_m, away * bearing, away * elevation), (-closing, away * aside, away * below))


def pipe_sight(screens: Screens, eye: Eye, line_n: Array) -> Sight | None:
    """How far the pipe is to starboard where it enters the picture from below; None if it is not in the picture."""
    now, before, dt = screens.frames(camera=True)
    visible = line_n[now.in_picture(line_n)]
    if len(visible) == 0:
        return None
    near = visible[np.argmin(np.linalg.norm(visible - now.camera_n, axis=1))]
    (x, y, z), old = in_camera(now, near), in_camera(before, near)
    arc, arc_rate = arcs(now)
    aside = eye.read(y / x, arc)
    sliding = eye.read((y / x - old[1] / max(old[0], 0.1)) / dt, arc_rate)
    below = eye.read(z / x, arc)
    sinking = eye.read((z / x - old[2] / max(old[0], 0.1)) / dt, arc_rate)
    return Sight((0.0, x * aside, x * below), (0.0, x * sliding, x * sinking))
