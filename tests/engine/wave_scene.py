"""Packed waves, and the kernel's values at a point, for the tests of waves."""

from __future__ import annotations

import math

import numba
import numpy as np
from scipy.optimize import root_scalar

from pelagos.engine.compiled import OPTIONS
from pelagos.engine.core.algebra import Vec3
from pelagos.engine.core.views import Layout, LayoutField, viewer
from pelagos.engine.water.sea import WAVE
from pelagos.engine.water.waves import following, wave_pressure_head, waves
from pelagos.world.writer import SeaWriter

G = 9.81
LAYER = 4.0  # m, thickness of the stretched layer: the waves of these tests stay below 2 m
INPUTS = ("north", "east", "down", "time", "v_north", "v_east", "v_down")
VECTORS = ("value", "by_time", "by_north", "by_east", "by_down", "rate", "acceleration")
OUTPUTS = (
    *(LayoutField(name, "probe", 3) for name in VECTORS),
    LayoutField("slope", "1", 2),
    LayoutField("level", "m"),
    LayoutField("head", "m"),
)
PROBE = Layout("WaveProbe", (*(LayoutField(name, "probe") for name in INPUTS), *OUTPUTS))
as_probe = viewer(PROBE)


@numba.njit(**OPTIONS)
def fill(target, v):
    """Write a vector."""
    target[0], target[1], target[2] = v.x, v.y, v.z


@numba.njit(**OPTIONS)
def probe(sea, row):
    """Fill the outputs of one row, or of one block of lanes."""
    p = as_probe(row)
    at = Vec3(p.north, p.east, p.down)
    here = waves(sea, at, p.time)
    g = here.motion
    p.level, p.slope[0], p.slope[1] = here.level, here.slope_north, here.slope_east
    fill(p.value, g.value)
    fill(p.by_time, g.time)
    fill(p.by_north, g.north)
    fill(p.by_east, g.east)
    fill(p.by_down, g.down)
    fill(p.rate, following(g, Vec3(p.v_north, p.v_east, p.v_down)))
    fill(p.acceleration, following(g, g.value))
    p.head = wave_pressure_head(sea, at, p.time)


class State:
    """The kernel's values at one point."""

    def __init__(self, sea, position, time, velocity=(0.0, 0.0, 0.0)):
        row = np.zeros(PROBE.size)
        row[:7] = *position, time, *velocity
        probe(sea, row)
        outputs = row.view(PROBE.dtype)[0]
        self.level, self.slope, self.head = float(outputs["level"]), outputs["slope"], float(outputs["head"])
        self.velocity, self.by_time = outputs["value"], outputs["by_time"]
        self.gradient = np.column_stack([outputs["by_north"], outputs["by_east"], outputs["by_down"]])
        self.rate, self.acceleration = outputs["rate"], outputs["acceleration"]
        self.water = np.append(row[7:28], self.head)


def wave_number(omega, depth):
    """Root of omega^2 = g k tanh(kd), by bisection."""
    deep = omega**2 / G
    if math.isinf(depth):
        return deep
    return root_scalar(
        lambda k: G * k * math.tanh(k * depth) - omega**2, bracket=(0.9 * deep, 1e3), method="brentq"
    ).root


def components(count, depth, height=1.0, seed=3):
    """Rows (a, omega, k, direction, phase), longest first."""
    rng = np.random.default_rng(seed)
    omega = np.sort(rng.uniform(0.5, 2.5, count))
    k = np.array([wave_number(w, depth) for w in omega])
    turn = rng.uniform(0.0, 2.0 * math.pi, (2, count))
    return np.column_stack([height * rng.uniform(0.5, 1.0, count) / count, omega, k, *turn])


def sea_of(rows, depth, layer=LAYER):
    """The packed array."""
    writer = SeaWriter()
    records = [
        {
            "amplitude": a,
            "omega": omega,
            "number": k,
            "phase": phase,
            "north": k * math.cos(to),
            "east": k * math.sin(to),
            "echo": math.exp(-2.0 * k * depth),
        }
        for a, omega, k, to, phase in rows
    ]
    writer.header["waves_at"] = writer.append_records(WAVE, records)
    writer.header["n_waves"], writer.header["depth"] = len(records), min(depth, 1e9)
    writer.header["stretch"] = min(layer, depth)
    return writer.finish()


def gradient(sea, position, time, of, step=1e-3):
    """Central differences: column j is the derivative along axis j."""
    columns = []
    for axis in np.eye(3):
        ahead, behind = State(sea, position + step * axis, time), State(sea, position - step * axis, time)
        columns.append((of(ahead) - of(behind)) / (2.0 * step))
    return np.array(columns).T
