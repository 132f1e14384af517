"""Hulls as stacks of thin sections, for a deterministic quadrature of their wet part.

A body with elliptic sections (cylinder, capsule, ellipsoid, a table of stations) is cut across its axis into slices,
each a disc at the centre of its slice with the slice's volume. A plane cuts a disc in closed form, so only the sum
along the axis is a quadrature. The thickness of a slice is its radius times a fixed number (thin where the body is
thin), so that one matrix C, scaled by the radius, describes thickness and section of all slices of one aspect. Where
height over breadth changes, the body is a chain of short strands, each with the C of its mean aspect.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pelagos.engine.core.neighbours import EIGHT
from pelagos.engine.water.wet import BRICK, EDGE, OVERHANG, STACK, TAPER
from pelagos.vehicle.derive.hull import checked_stations
from pelagos.vehicle.spec import Shape

Array = NDArray[np.float64]

THINNEST = 0.1  # of the largest radius: slices near a tip are not thinner than this makes them
SAME_ASPECT = 0.005  # a body whose half axes over the radius differ by less has one aspect
ASPECT_STEP = 0.05  # change of ln(height/breadth) along a segment for which it is cut once more
MOST_CUTS = 32  # of a segment whose height or breadth starts at zero, where that change has no bound
# half thickness over spacing: second zero of the Bessel function J1 over 2 pi, where overlapping discs leave no ripple
HALF_THICKNESS = 7.01559 / (2.0 * np.pi) * (1.0 + OVERHANG)
RUN = 32  # points that the kernel sums in one pass of its loop: four registers of eight
STRAND = 16  # sections of a strand at most, about
EIGHTS = 4  # groups of eight strands at least, if there are enough sections
_GAUSS_X, _GAUSS_W = np.polynomial.legendre.leggauss(4)


@dataclass(frozen=True)
class Piece:
    """Points of one kind: places (n, 3) m, volumes (n) m^3, sizes (n), and their common C (3, 3) m^2, `spread`.

    A taper has a C for each of its strands, (8 k, 3, 3). Its points are stored by groups of eight strands, and in a
    group one point of each strand at a time.
    """

    kind: int
    places: Array
    volumes: Array
    sizes: Array
    spread: Array

    @property
    def spreads(self) -> Array:
        """C of each point, (n, 3, 3), or (1, 3, 3) if it is common to all."""
        if self.spread.ndim == 2:
            return self.spread[None]
        each = len(self.sizes) // len(self.spread)
        return np.repeat(self.spread.reshape(-1, 1, EIGHT, 3, 3), each, axis=1).reshape(-1, 3, 3)

    @property
    def box_m(self) -> tuple[Array, Array]:
        """Lowest and highest corner of the box around the piece, with its blur."""
        extent = np.sqrt(self.spreads.diagonal(0, 1, 2)) * (1.0 + 3.0 * EDGE if self.kind == BRICK else 1.0)
        extent = self.sizes[:, None] * extent
        return np.min(self.places - extent, axis=0), np.max(self.places + extent, axis=0)

    @property
    def reach_m(self) -> float:
        """Radius of the sphere about O around the piece, with its blur."""
        if self.kind == BRICK:  # EDGE widens the sum of its three half widths
            extent = np.full(len(self.sizes), float(np.sqrt(np.trace(self.spread))) * (1.0 + 3.0 * EDGE))
        else:
            extent = self.sizes * np.sqrt(np.max(np.linalg.eigvalsh(self.spreads), axis=1))
        return float(np.max(np.linalg.norm(self.places, axis=1) + extent))


@dataclass(frozen=True)
class SectionSegment:
    """A part of a body between two places on its axis: its radius along it, and its half axes per radius."""

    low: float
    high: float
    radius: Callable[[Array], Array]
    across: tuple[float, float]  # their product is 1, so that pi radius^2 is the area


def brick(shape: Shape) -> Piece:
    """The piece of a box: one point that the kernel cuts exactly."""
    half = 0.5 * np.array(shape.size_m)
    place = np.array([shape.center_b], dtype=float)
    return Piece(BRICK, place, np.array([8.0 * float(np.prod(half))]), np.ones(1), np.diag(half**2))


def sections(shape: Shape, count: int) -> Piece:
    """About `count` sections of a cylinder, capsule, ellipsoid or table of stations."""
    segments = segments_of(shape)
    thinnest = THINNEST * max(float(np.max(s.radius(np.linspace(s.low, s.high, 65)))) for s in segments)
    across = [segment.across[0] for segment in segments]
    if max(across) < (1.0 + SAME_ASPECT) * min(across):
        return _stack(segments, count, shape, thinnest)
    eights = max(round(count / (STRAND * EIGHT)), min(EIGHTS, count // EIGHT), 1)
    return _taper(segments, eights, max(round(count / (eights * EIGHT)), 1), shape, thinnest)


def segments_of(shape: Shape) -> list[SectionSegment]:
    """The segments of a shape along its axis, its centre at 0."""
    if shape.kind == "cylinder":
        length, radius = shape.size_m
        return [SectionSegment(-0.5 * length, 0.5 * length, lambda u: np.full_like(u, radius), (1.0, 1.0))]
    if shape.kind == "capsule":
        length, radius = shape.size_m
        half = 0.5 * length - radius
        if half < 0.0:  # shorter than it is wide: a sphere flattened along its axis
            return [_ellipsoid(0.5 * length, radius, radius)]

        def cap(u: Array) -> Array:
            return np.sqrt(np.maximum(radius**2 - (np.abs(u) - half) ** 2, 0.0))

        ends = [
            SectionSegment(-half - radius, -half, cap, (1.0, 1.0)),
            SectionSegment(half, half + radius, cap, (1.0, 1.0)),
        ]
        if half == 0.0:
            return ends
        return [ends[0], SectionSegment(-half, half, lambda u: np.full_like(u, radius), (1.0, 1.0)), ends[1]]
    if shape.kind == "ellipsoid":
        a, b, c = shape.size_m
        return [_ellipsoid(a, b, c)]
    return _from_stations(checked_stations(shape.stations))


def _ellipsoid(a: float, b: float, c: float) -> SectionSegment:
    mean = float(np.sqrt(b * c))
    return SectionSegment(-a, a, lambda u: mean * np.sqrt(np.maximum(1.0 - (u / a) ** 2, 0.0)), (b / mean, c / mean))


def _from_stations(table: Array) -> list[SectionSegment]:
    """Segments between stations, cut finer where height over breadth changes along them."""
    segments: list[SectionSegment] = []
    for start, end in pairwise(table):
        # a pointed end has no aspect; a thousandth of the largest size stands for zero
        (height1, breadth1), (height2, breadth2) = np.maximum([start[1:], end[1:]], 1e-3 * np.max(table[:, 1:]))
        change = abs(np.log(height1 / breadth1) - np.log(height2 / breadth2))
        cuts = min(1 + int(change / ASPECT_STEP), MOST_CUTS)
        for first, last in pairwise(np.linspace(start, end, cuts + 1)):
            x, heights, breadths = np.array([first, last]).T
            height, breadth = float(heights[0] + heights[1]), float(breadths[0] + breadths[1])
            if height * breadth > 0.0:
                across = float(np.sqrt(breadth / height))
                radius = partial(_station_radius, first, last)
                segments.append(SectionSegment(float(x[0]), float(x[1]), radius, (across, 1.0 / across)))
    return segments


def _station_radius(start: Array, end: Array, u: Array) -> Array:
    """Radius of the circle of equal area; height and breadth vary linearly between two stations."""
    (x1, height1, breadth1), (x2, height2, breadth2) = start, end
    t = np.clip((u - x1) / (x2 - x1), 0.0, 1.0)  # rounding at the ends
    return 0.5 * np.sqrt((height1 + t * (height2 - height1)) * (breadth1 + t * (breadth2 - breadth1)))


def _stretched(segment: SectionSegment, thinnest: float) -> tuple[Array, Array]:
    """Places along a segment and the length up to each, in units of the local radius (not below `thinnest`)."""
    # places crowd at the ends, where the radius of a tip falls steeply
    u = 0.5 * (segment.low + segment.high) - 0.5 * (segment.high - segment.low) * np.cos(np.linspace(0.0, np.pi, 257))
    rate = 1.0 / np.maximum(segment.radius(u), thinnest)
    return u, np.concatenate([[0.0], np.cumsum(0.5 * (rate[1:] + rate[:-1]) * np.diff(u))])


def _edges(segments: list[SectionSegment], count: int, thinnest: float) -> tuple[Array, float]:
    """The places at which consecutive segments are cut into `count` slices, and their thickness over the radius."""
    tables = [_stretched(segment, thinnest) for segment in segments]
    starts = np.concatenate([[0.0], np.cumsum([s[-1] for _, s in tables])])
    u = np.concatenate([u for u, _ in tables])
    s = np.concatenate([s + start for (_, s), start in zip(tables, starts[:-1], strict=True)])
    return np.interp(np.linspace(0.0, s[-1], count + 1), s, u), float(s[-1] / count)


def apportion(weights: Array, total: int, least: int = 1) -> NDArray[np.int64]:
    """Whole numbers in proportion to the weights that add up to `total`, each at least `least`."""
    ideal = weights / np.sum(weights) * total
    counts = np.maximum(np.floor(ideal).astype(np.int64), least)
    for index in np.argsort(counts - ideal, kind="stable"):
        if counts.sum() < total:
            counts[index] += 1
    while counts.sum() > total and counts.max() > least:
        counts[np.argmax(counts)] -= 1
    return counts


def apportion_in_runs(weights: Array, total: int, least: int = 1) -> NDArray[np.int64]:
    """The same in whole runs of RUN points, which the kernel sums fastest, if there are enough points."""
    if total < 2 * RUN * len(weights):
        return apportion(weights, total, least)
    counts = RUN * apportion(weights, total // RUN, -(-least // RUN))
    counts[np.argmax(counts)] += total % RUN
    return counts


def _taper(segments: list[SectionSegment], eights: int, each: int, shape: Shape, thinnest: float) -> Piece:
    """A taper of 8 `eights` consecutive strands with `each` slices each."""
    strands: list[Piece] = []
    for low, high in pairwise(_edges(segments, EIGHT * eights, thinnest)[0].tolist()):
        inside = [segment for segment in segments if segment.low < high and segment.high > low]
        cut = [replace(segment, low=max(segment.low, low), high=min(segment.high, high)) for segment in inside]
        strands.append(_stack(cut, each, shape, thinnest))

    def stored(of_strands: list[Array]) -> Array:
        blocks = np.array(of_strands).reshape(eights, EIGHT, each, -1)
        return blocks.swapaxes(1, 2).reshape(EIGHT * eights * each, -1)

    return Piece(
        strands[0].kind - STACK + TAPER,
        stored([strand.places for strand in strands]),
        stored([strand.volumes for strand in strands])[:, 0],
        stored([strand.sizes for strand in strands])[:, 0],
        np.array([strand.spread for strand in strands]),
    )


def _stack(segments: list[SectionSegment], count: int, shape: Shape, thinnest: float) -> Piece:
    """A stack of `count` slices of consecutive segments, with their mean aspect, along the shape's axis."""
    edges, thickness = _edges(segments, count, thinnest)
    volumes, moments = np.zeros(count), np.zeros(count)
    squares = np.zeros(2)  # second moments of the sections, summed over the volume
    for segment in segments:
        inner = edges[(edges > segment.low) & (edges < segment.high)]
        cuts = np.concatenate([[segment.low], inner, [segment.high]])
        half, middle = 0.5 * np.diff(cuts), 0.5 * (cuts[:-1] + cuts[1:])
        points = middle[:, None] + half[:, None] * _GAUSS_X
        areas = np.pi * segment.radius(points) ** 2 * _GAUSS_W * half[:, None]
        slices = np.clip(np.searchsorted(edges, middle) - 1, 0, count - 1)
        np.add.at(volumes, slices, np.sum(areas, axis=1))
        np.add.at(moments, slices, np.sum(areas * points, axis=1))
        squares += float(np.sum(areas * segment.radius(points) ** 2)) * np.array(segment.across) ** 2
    axis = "xyz".index(shape.axis)
    places = np.zeros((count, 3))
    places[:, axis] = moments / volumes
    sizes = np.maximum(np.sqrt(volumes / (np.pi * np.diff(edges))), thinnest)
    across = np.sqrt(squares[0] / squares[1]) ** np.array([1.0, -1.0]) * (1.0 + OVERHANG) ** 2
    spread = np.diag(np.roll([(HALF_THICKNESS * thickness) ** 2, across[0], across[1]], axis))
    return Piece(STACK + axis, places + np.array(shape.center_b), volumes, sizes, spread)
