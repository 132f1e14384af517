"""Displays of 1985 and the accuracy with which a pilot reads them: top view, camera, compass and depth in digits.

Each display shows the vehicle as it was at the last of its frames (`DisplayHistory`). With the scene reduced to pipe
and cube there were 4 a second (Royer 7.3). The camera's frames are also late: 0.5 to 1.2 s (6.2) at 3 to 1 a second
(6.1.b), which is 0.2 s and one frame. So at 4 a second the least printed delay is taken, 0.5 s; `MIDDLE` and `LATEST`
are the frames nearest to the middle and the end of the printed range. A rate is the change from one frame to the next.
The standard deviation of a reading is

    sigma^2 = (P pi / T) x^2 + threshold^2

x being the value shown. The first term is the observation noise of the optimal control model of a pilot (Levison, Baron
and Kleinman 1969; Kleinman, Baron and Levison 1970): white, in proportion to the power of what is shown, with P = 0.01
(-20 dB) for a trained pilot; a look of T seconds averages it. The second is the resolution of the eye: about 0.05 deg
of visual angle and 0.1 deg/s, assumed. A line of a raster of 512 is as wide (0.05 deg), so that it adds nothing.

| display | shows | sizes that are assumed: the eye 0.6 m from the screens |
|---|---|---|
| top view | errors and rates in the level plane, north up or ship up | 10 m of sea on 0.2 m of screen |
| camera | bearing, elevation, size of the spot of 25 cm; place of the pipe | 60 deg on 0.25 m, square |
| compass | heading | a dial of 5 cm radius |
| depth, altitude | figures with one digit after the point (figure 6.4) | two readings give a rate |

The top view can be zoomed (6.2): a pilot takes the three lengths of his vehicle or so, and more on the way to a place
that is farther. He sees both triangles in it and has only to make them one.

By the camera alone he sees neither triangle; how far the spot is he has from its size. From look to look a remembered
size is misjudged by 5 %. Beyond that, distances in pictures are misjudged for good: on the average people say 74 % of
the true distance in computed scenes (Renner, Velichkovsky and Helmert 2013, a review). Here the distance at which he
takes himself to be there is wrong by one factor for a whole attempt: 0.74 for who never learned, 1 for who did, and for
both a scatter of 20 % between attempts (assumed, from 10 to 30 %). His gains suffer nothing by it: they are learned on
what he sees. Speed towards the spot shows only as a change of size, from one late frame to the next or from look to
look, whichever is better. Bearing is both: the vehicle aside, and the bow, 1.5 m ahead of its middle, turned. A side
of the spot that is cut by the edge of the picture (2b by 2b, 4.2.b) is not used; its size is seen as long as two
opposite sides are whole, and its place as long as one is; nearer than 0.22 m it fills the picture.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from pelagos.training.observation import Observation
from pelagos_evidence.rows import Array

FRAME_S = 0.25
EYE_M = 0.6
ARC, ARC_RATE = math.radians(0.05), math.radians(0.1)
TOP_SCREEN_M, TOP_SEA_M = 0.2, 10.0
ZOOMED_OUT = 2.5  # sea on the top view over the distance of the place
DIAL_M = 0.05
DIAL_RAD, DIAL_RAD_S = ARC * EYE_M / DIAL_M, ARC_RATE * EYE_M / DIAL_M
PICTURE_M = 0.25
SIZE_SHARE = 0.05  # by which a remembered size is misjudged
DIGIT_M = 0.1


@dataclass(frozen=True)
class Picture:
    """Rate and delay of the camera's picture: the time between frames and their age, s."""

    frame_s: float = FRAME_S
    late_s: float = 0.5


REDUCED_SCENE, MIDDLE, LATEST = Picture(), Picture(late_s=0.75), Picture(late_s=1.25)


class DisplayReader:
    """Reads displays with the errors of a human eye.

    Args:
        noise: P of the observation noise, 0.01 is -20 dB.
        look_s: duration of a look.
        chance: random generator of the errors.
        metre: perceived length of a metre to the spot.
    """

    def __init__(self, noise: float, look_s: float, chance: Generator, metre: float = 1.0) -> None:
        self._share, self._chance, self.metre = math.sqrt(noise * math.pi / look_s), chance, metre
        self.away_m = math.inf  # the spot, when its size was last seen
        self._before = (-math.inf, 0.0)  # the frame of the look before, s, and how far the spot was, m

    def read(self, value: float, threshold: float) -> float:
        """A value with the error of reading."""
        return value + math.hypot(self._share * value, threshold) * float(self._chance.standard_normal())

    def size(self, value: float, threshold: float) -> float:
        """A size as judged by comparison with a remembered one."""
        return value + math.hypot(SIZE_SHARE * value, threshold) * float(self._chance.standard_normal())

    def closing(self, time_s: float, away_m: float, by_frames: float, threshold: float) -> float:
        """Speed towards a thing by its size, m/s: between two frames, or since the look before if that is better."""
        since = time_s - self._before[0]
        by_looks = (self._before[1] - away_m) / since if since > 0.0 else 0.0
        least = math.sqrt(2.0) * SIZE_SHARE * away_m / since if since > 0.0 else math.inf
        self._before = (time_s, away_m)
        return self.read(by_frames, threshold) if threshold < least else self.read(by_looks, least)


class DisplayHistory:
    """Past observations, and the frames that the displays show of them."""

    def __init__(self, picture: Picture = REDUCED_SCENE) -> None:
        self._picture = picture
        self._past: list[Observation] = []

    def record(self, observation: Observation) -> None:
        """Add the present observation, once a tick."""
        self._past.append(observation)

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


class TargetReading(NamedTuple):
    """Error and error rate as read, ahead, to starboard and down: the goal relative to the vehicle."""

    error: tuple[float, float, float]
    rate: tuple[float, float, float]


def turned(vector: Array, angle: float) -> tuple[float, float]:
    """A level vector (north, east) on a display whose upper side is `angle` to starboard of north."""
    c, s = math.cos(angle), math.sin(angle)
    north, east = vector.tolist()
    return c * north + s * east, -s * north + c * east


def compass(history: DisplayHistory, reader: DisplayReader, setpoint_rad: float) -> tuple[float, float]:
    """Heading setpoint minus heading, rad, and its rate, as read."""
    now, before, dt = history.frames()
    error = math.remainder(setpoint_rad - now.euler[2], math.tau)
    rate = -math.remainder(now.euler[2] - before.euler[2], math.tau) / dt
    return reader.read(error, DIAL_RAD), reader.read(rate, DIAL_RAD_S)


def in_camera(observation: Observation, point_n: Array) -> tuple[float, float, float]:
    """A point in the camera's axes: along its optical axis, to the right, down; m."""
    ahead, right, down = ((point_n - observation.camera_n) @ observation.camera_axes).tolist()
    return ahead, right, down


def arcs(observation: Observation) -> tuple[float, float]:
    """The eye's thresholds in tangents of the picture, and in tangents a second."""
    screen = 0.5 * PICTURE_M / math.tan(math.radians(0.5 * observation.fov_deg))
    return ARC * EYE_M / screen, ARC_RATE * EYE_M / screen


def square(observation: Observation) -> float:
    """The tangent from the middle of the picture to its edges: 2b by 2b at the distance a (4.2.b)."""
    return math.tan(math.radians(0.5 * observation.fov_deg)) / observation.zoom


def top_view(error_m: float) -> tuple[float, float]:
    """The eye's thresholds on the top view, m and m/s, when the place is so far."""
    scale = max(TOP_SEA_M, ZOOMED_OUT * error_m) / TOP_SCREEN_M
    return ARC * EYE_M * scale, ARC_RATE * EYE_M * scale


def read_spot(
    history: DisplayHistory, reader: DisplayReader, spot_n: Array, size_m: float, stand_off_m: float
) -> TargetReading | None:
    """Place before the spot by its sides in the picture; None if nothing of it is in the picture."""
    now, before, dt = history.frames(camera=True)
    (x, y, z), old = in_camera(now, spot_n), in_camera(before, spot_n)
    edge, half = square(now), 0.5 * size_m
    if x <= 0.0 or max(abs(y), abs(z)) - half >= x * edge:
        return None
    arc, arc_rate = arcs(now)
    width, height = (min(v / x + half / x, edge) - max(v / x - half / x, -edge) for v in (y, z))
    closing = 0.0
    if min(abs(y), abs(z)) + half < x * edge:
        size = max(reader.size(size_m / x, math.sqrt(2.0) * arc), 0.1 * size_m / x)
        reader.away_m = size_m / size
        closing = reader.closing(now.time_s, x, (old[0] - x) / dt, math.sqrt(2.0) * arc_rate * x * x / size_m)
    else:
        reader.away_m = min(reader.away_m, size_m / max(width, height))  # it is at least as large as what is seen of it
    away = reader.away_m
    aside, sliding = _side(reader, y, x, half, edge, away, arc)
    below, sinking = _side(reader, z, x, half, edge, away, arc)
    rates = [
        away * reader.read((a / x - b / max(old[0], 0.1)) / dt, arc_rate) if rate else 0.0
        for a, b, rate in ((y, old[1], sliding), (z, old[2], sinking))
    ]
    return TargetReading((away - stand_off_m / reader.metre, aside, below), (-closing, rates[0], rates[1]))


def _side(
    reader: DisplayReader, offset: float, x: float, half: float, edge: float, away: float, arc: float
) -> tuple[float, bool]:
    """Lateral distance of the middle of the spot as judged, m, and whether a side of it is visible."""
    low, high = (offset - half) / x, (offset + half) / x
    if low > -edge and high < edge:
        return away * reader.read(offset / x, arc), True
    if low > -edge:
        return away * reader.read(low, arc) + half, True
    if high < edge:
        return away * reader.read(high, arc) - half, True
    return 0.0, False


def read_pipe(history: DisplayHistory, reader: DisplayReader, line_n: Array) -> TargetReading | None:
    """Distance of the pipe to starboard where it enters the picture from below; None if it is not in the picture."""
    now, before, dt = history.frames(camera=True)
    ahead, right, down = ((line_n - now.camera_n) @ now.camera_axes).T
    visible = line_n[(ahead > 0.0) & (np.maximum(np.abs(right), np.abs(down)) < ahead * square(now))]
    if len(visible) == 0:
        return None
    near = visible[np.argmin(np.linalg.norm(visible - now.camera_n, axis=1))]
    (x, y, z), old = in_camera(now, near), in_camera(before, near)
    arc, arc_rate = arcs(now)
    aside = reader.read(y / x, arc)
    sliding = reader.read((y / x - old[1] / max(old[0], 0.1)) / dt, arc_rate)
    below = reader.read(z / x, arc)
    sinking = reader.read((z / x - old[2] / max(old[0], 0.1)) / dt, arc_rate)
    return TargetReading((0.0, x * aside, x * below), (0.0, x * sliding, x * sinking))
