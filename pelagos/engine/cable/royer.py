"""Static cable of Royer (1985), chapter 3: his planar shooting method and its use between two points of the sea.

In the plane of the cable, by explicit Euler from the ship A to the vehicle B:

    dT/ds   = w sin a - kt |cos a| cos a        x along the current, y up; s from the ship A to the vehicle B
    T da/ds = w cos a + kn |sin a| sin a        a: angle of the tangent from +x, negative (down)
    dx/ds   = cos a,  dy/ds = sin a             kn, kt: rho/2 D C V^2, drag of a metre across and along the current

Inextensible; one current for the whole cable. His step is length/50 with all right sides at the old station, the
tension not below 5 N, the angle not below -178 degrees. His search tests the angles of a fixed set for a trial
tension and bisects the tension by the sign of K; its answer is metres off at worst, so damped least squares
(Levenberg-Marquardt) then finds the root of the same scheme.

In the sea the current gives the heading beta of the axes (v, K x v, K), K down; the vehicle gives the turn gamma of the
cable's plane about v: tan(gamma) = y_r / Z_r. In that plane y is up, so the vehicle is at (x_r, -sqrt(y_r^2 + Z_r^2));
the text prints the positive root and v x K (errata R28, R31). Vectors are NED; forces are by the cable on the body.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from pelagos.engine.compiled import compiled, compiled_apart, entry
from pelagos.engine.core.views import Layout, LayoutField, viewer

FLOOR_N = 5.0  # least tension, his
STOP = math.radians(-178.0)  # least angle, his
LEAST = math.radians(-1e-4)  # flattest start of a refined cable
TOLERATED = 0.005  # of the length: miss at which his search ends
REACHED_WITHIN = 1e-4  # of the length: miss that counts as none
TRIALS = 40  # tensions tried by the search
REFINEMENTS = 60  # steps of the least squares, at most
COLD = 0.1  # of the drag of the whole cable across the current: first tension without a start from before

AT_FLOOR, AT_STOP = 4, 8  # bits of a code: the tension floor acted, the angle stop did
# Kinds of rows in the history of a search: a tested angle, the best angle of a tension, a step of the refinement.
TRIED, BEST, REFINED = 0.0, 1.0, 2.0
COLUMNS = 6  # of the history: tension at A, angle at A, x and y of B, miss, kind of the row
KIND = COLUMNS - 1
NO_SEARCH = np.empty((0, COLUMNS))
# Columns of the angles tested with one tension: x and y of B, miss (below 0: not tested), row in the history
END_X, END_Y, MISS, ROW, N_TRIED = range(5)

# How `royer_pull` ended; the code adds AT_FLOOR and AT_STOP of the plane.
REACHED, NEAREST, UNREACHABLE, UNLOADED = 0, 1, 2, 3
LOADED = 1e-6  # N/m, drag below which the model gives no tension
PULL = Layout(
    "RoyerPull",
    (
        LayoutField("force_b", "N, NED, on the vehicle", 3),
        LayoutField("force_a", "N, NED, on the ship", 3),
        LayoutField("tension_a", "N"),
        LayoutField("tension_b", "N"),
        LayoutField("miss", "m, from the end of the cable to the vehicle"),
        LayoutField("integrations", "how many the search took"),
    ),
)
as_pull = viewer(PULL)
N_PULL = PULL.size


class RoyerLine(NamedTuple):
    """Cable of the planar model: length, drag of a metre across and along the current, weight of a metre, steps."""

    length: Any
    kn: Any
    kt: Any
    weight: Any
    steps: Any


class CableEnd(NamedTuple):
    """End of an integration: position, tension and angle at B, and the floors that acted (AT_FLOOR + AT_STOP)."""

    x: Any
    y: Any
    tension: Any
    angle: Any
    floors: Any


def _angle_set():
    """From -0.25 to -178 degrees: steps of 6 % of the angle where it is small, of 1.5 degrees at the end."""
    degrees = [0.25]
    while degrees[-1] < 178.0:
        degrees.append(degrees[-1] * (1.0 + 0.06 / (1.0 + degrees[-1] / 30.0)))
    return -np.radians(degrees[:-1])


ANGLES = _angle_set()
N_ANGLES = len(ANGLES)
COARSE = N_ANGLES // 6  # first stride through the set
FIRST = int(np.argmin(np.abs(ANGLES + math.radians(20.0))))  # where a cold search starts


@compiled
def rates(line, tension, angle):
    """Right-hand sides dT/ds and da/ds, and their slopes: of dT/ds with a, of da/ds with T and with a."""
    c, s = math.cos(angle), math.sin(angle)
    turn = line.weight * c + line.kn * abs(s) * s
    return (
        line.weight * s - line.kt * abs(c) * c,
        turn / tension,
        line.weight * c + 2.0 * line.kt * abs(c) * s,
        -turn / (tension * tension),
        (2.0 * line.kn * abs(s) * c - line.weight * s) / tension,
    )


@compiled
def station(line, h, x, y, tension, angle, floors):
    """Next station along the cable by explicit Euler, with his floors."""
    dT, da, _, _, _ = rates(line, tension, angle)
    x, y = x + h * math.cos(angle), y + h * math.sin(angle)
    tension, angle = tension + h * dT, angle + h * da
    if tension < FLOOR_N:
        tension, floors = FLOOR_N, floors | AT_FLOOR
    if angle < STOP:
        angle, floors = STOP, floors | AT_STOP
    return x, y, tension, angle, floors


@compiled_apart
def walk(line, tension, angle):
    """End of the cable that leaves A with this tension and angle."""
    h, x, y, floors = line.length / line.steps, 0.0, 0.0, 0
    for _ in range(line.steps):
        x, y, tension, angle, floors = station(line, h, x, y, tension, angle, floors)
    return CableEnd(x, y, tension, angle, floors)


@entry
def integrate(line, tension, angle, shape):
    """End of the cable, as `walk`, with its stations in `shape` (steps + 1, 2)."""
    h, x, y, floors = line.length / line.steps, 0.0, 0.0, 0
    for i in range(line.steps):
        shape[i, 0], shape[i, 1] = x, y
        x, y, tension, angle, floors = station(line, h, x, y, tension, angle, floors)
    shape[line.steps, 0], shape[line.steps, 1] = x, y
    return CableEnd(x, y, tension, angle, floors)


@compiled_apart
def walk_slopes(line, tension, angle):
    """Position x, y of B and its slopes with ln T and ln -a at A: (x, y, x_T, x_a, y_T, y_a)."""
    h = line.length / line.steps
    x, y, x_T, x_a, y_T, y_a = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    T_T, T_a, a_T, a_a = tension, 0.0, 0.0, angle
    for _ in range(line.steps):
        dT, da, dT_a, da_T, da_a = rates(line, tension, angle)
        c, s = h * math.cos(angle), h * math.sin(angle)
        x, y = x + c, y + s
        x_T, x_a, y_T, y_a = x_T - s * a_T, x_a - s * a_a, y_T + c * a_T, y_a + c * a_a
        tension, angle = tension + h * dT, angle + h * da
        T_T, a_T = T_T + h * dT_a * a_T, a_T + h * (da_T * T_T + da_a * a_T)
        T_a, a_a = T_a + h * dT_a * a_a, a_a + h * (da_T * T_a + da_a * a_a)
        if tension < FLOOR_N:
            tension, T_T, T_a = FLOOR_N, 0.0, 0.0
        if angle < STOP:
            angle, a_T, a_a = STOP, 0.0, 0.0
    return x, y, x_T, x_a, y_T, y_a


@compiled
def note(history, count, tension, angle, x, y, miss, step):
    """Store an integration in the history while there is room; returns how many there were."""
    if count < history.shape[0]:
        row = history[count]
        row[0], row[1], row[2], row[3], row[4], row[5] = tension, angle, x, y, miss, step
    return count + 1


@compiled_apart
def best_angle(line, X, Y, tension, start, stride, tried, history, count):
    """Angle of the set that ends nearest to (X, Y): a walk that halves its stride when it gains nothing.

    `tried` (N_ANGLES, N_TRIED) is filled with the angles tested with this tension.
    """
    tried[:, MISS] = -1.0
    best, way, trial = -1, 1, start
    while stride >= 1:
        if tried[trial, MISS] < 0.0:
            end = walk(line, tension, ANGLES[trial])
            miss = math.hypot(end.x - X, end.y - Y)
            tried[trial, END_X], tried[trial, END_Y], tried[trial, MISS], tried[trial, ROW] = end.x, end.y, miss, count
            count = note(history, count, tension, ANGLES[trial], end.x, end.y, miss, TRIED)
        if best < 0 or tried[trial, MISS] < tried[best, MISS]:
            if best >= 0:
                way = 1 if trial > best else -1
            best = trial
        ahead, behind = min(max(best + way * stride, 0), N_ANGLES - 1), min(max(best - way * stride, 0), N_ANGLES - 1)
        if tried[ahead, MISS] < 0.0:
            trial = ahead
        elif tried[behind, MISS] < 0.0:
            trial = behind
        else:
            stride //= 2
            trial = best
    row = int(tried[best, ROW])
    if row < history.shape[0]:
        history[row, KIND] = BEST
    return best, count


@compiled
def above(tried, best, X, Y):
    """Royer's K: positive where the target lies below the line through the two nearest ends (y up, errata R31)."""
    left, right = max(best - 1, 0), min(best + 1, N_ANGLES - 1)
    other = left
    if tried[left, MISS] < 0.0 or left == best or (right != best and 0.0 <= tried[right, MISS] < tried[left, MISS]):
        other = right
    i, j = (best, other) if tried[best, END_X] <= tried[other, END_X] else (other, best)
    x1, y1, x2, y2 = tried[i, END_X], tried[i, END_Y], tried[j, END_X], tried[j, END_Y]
    return (y2 - y1) * X - (x2 - x1) * Y + (x2 * y1 - x1 * y2)


@entry
def search(line, X, Y, most, tension, angle, warm, history, count):
    """Royer's search, section 3.5: best angle of the set, K test, bisection of the tension.

    Starts from (tension, angle); `warm` takes small steps from there. Returns tension, angle, miss and the number of
    integrations up to now.
    """
    tried = np.empty((N_ANGLES, N_TRIED))
    index, stride, factor = FIRST, COARSE, 2.0
    if warm:
        stride, factor = 2, 1.1
        for i in range(N_ANGLES):
            if abs(ANGLES[i] - angle) < abs(ANGLES[index] - angle):
                index = i
    tension = min(max(tension, FLOOR_N), most)
    low, high = 0.0, 0.0
    best_T, best_a, best_miss = tension, ANGLES[index], math.inf
    for _ in range(TRIALS):
        index, count = best_angle(line, X, Y, tension, index, stride, tried, history, count)
        if tried[index, MISS] < best_miss:
            best_T, best_a, best_miss = tension, ANGLES[index], tried[index, MISS]
        if best_miss < TOLERATED * line.length:
            break
        if above(tried, index, X, Y) > 0.0:
            low = tension
            following = math.sqrt(tension * high) if high > 0.0 else min(factor * tension, most)
        else:
            high = tension
            following = math.sqrt(low * tension) if low > 0.0 else max(tension / factor, FLOOR_N)
        if abs(following - tension) < 5e-3 * tension:
            break
        tension, stride = following, 2 if warm else COARSE // 3
        if index > N_ANGLES - 3:  # all steep angles end near each other: start again from a flat one
            index, stride = FIRST, COARSE
        factor *= 1.5 if factor < 2.0 else 1.0
    return best_T, best_a, best_miss, count


@compiled_apart
def refine(line, X, Y, most, tension, angle, history, count):
    """Refine (tension, angle) to the root of the Euler scheme, or to its least miss nearby.

    Levenberg-Marquardt on ln T and ln -a; returns tension, angle, miss, number of integrations up to now.
    """
    tension, angle = min(max(tension, FLOOR_N), most), min(max(angle, STOP), LEAST)
    x, y, x_T, x_a, y_T, y_a = walk_slopes(line, tension, angle)
    miss, damping = math.hypot(x - X, y - Y), 1e-6
    count = note(history, count, tension, angle, x, y, miss, REFINED)
    for _ in range(REFINEMENTS):
        if not miss > 1e-10 * line.length:
            break
        g_T, g_a = x_T * (x - X) + y_T * (y - Y), x_a * (x - X) + y_a * (y - Y)
        A, B, C = x_T * x_T + y_T * y_T, x_T * x_a + y_T * y_a, x_a * x_a + y_a * y_a
        # the second part keeps the equations regular at the floors, where slopes vanish
        ridge = damping * (A + C) + 1e-12 * line.length**2
        A, C = A + ridge, C + ridge
        d_T, d_a = (B * g_a - C * g_T) / (A * C - B * B), (B * g_T - A * g_a) / (A * C - B * B)
        d_T, d_a = min(max(d_T, -0.7), 0.7), min(max(d_a, -0.7), 0.7)  # at most by a factor of exp(0.7) = 2
        T_new = min(max(tension * math.exp(d_T), FLOOR_N), most)
        a_new = min(max(angle * math.exp(d_a), STOP), LEAST)
        new = walk_slopes(line, T_new, a_new)
        now = math.hypot(new[0] - X, new[1] - Y)
        count = note(history, count, T_new, a_new, new[0], new[1], now, REFINED)
        if now < miss:
            gain = miss - now
            tension, angle, miss, damping = T_new, a_new, now, 0.1 * damping
            x, y, x_T, x_a, y_T, y_a = new
            if gain < 1e-9 * line.length and miss > REACHED_WITHIN * line.length:
                break
        else:
            damping = max(10.0 * damping, 1e-6)
            if damping > 1e6:  # even a tiny step along the gradient gains nothing
                break
    return tension, angle, miss, count


@entry
def solve(line, X, Y, most, start, history):
    """Tension and angle at A of the cable that ends at (X, Y), y up, below A.

    `start` is (tension, angle, 1) from before, or has a zero at the end. From before: refinement first, the search
    only if that misses. Returns tension, angle, miss, integrations.
    """
    count, best_T, best_a, best_miss = 0, FLOOR_N, LEAST, math.inf
    for attempt in range(6):
        tension, angle = start[0], start[1]
        if attempt == 0 and not start[2] > 0.0:
            continue
        if attempt == 1:
            first = COLD * line.kn * line.length
            tension, angle, _, count = search(line, X, Y, most, first, 0.0, False, history, count)
        elif attempt > 1:  # where a floor begins to act the map has a kink, and a step across it may gain nothing
            change = 1.15 if attempt % 2 == 0 else 1.0 / 1.15
            tension, angle = (best_T * change, best_a) if attempt < 4 else (best_T, best_a * change)
        tension, angle, miss, count = refine(line, X, Y, most, tension, angle, history, count)
        if not miss >= best_miss:
            best_T, best_a, best_miss = tension, angle, miss
        if not best_miss > REACHED_WITHIN * line.length:
            break
    return best_T, best_a, best_miss, count


@compiled
def lay_arc(ship, vehicle, length, shape):
    """Shape of a cable without load: an arc of its length below the chord, or straight toward the vehicle."""
    dx, dy, dz = vehicle[0] - ship[0], vehicle[1] - ship[1], vehicle[2] - ship[2]
    chord, level = math.sqrt(dx * dx + dy * dy + dz * dz), math.hypot(dx, dy)
    share = min(chord / length, 1.0)
    low, high = 0.0, math.pi  # half the angle of the arc: sin(half) / half = share
    for _ in range(50):  # bisection: pi 2^-50 is rounding
        half = 0.5 * (low + high)
        if math.sin(half) > share * half:
            low = half
        else:
            high = half
    ux, uy, uz = (dx / chord, dy / chord, dz / chord) if chord > 0.0 else (1.0, 0.0, 0.0)
    nx, ny, nz = (-uz * dx / level, -uz * dy / level, level / chord) if level > 1e-9 * length else (0.0, 1.0, 0.0)
    last = shape.shape[0] - 1
    for i in range(last + 1):
        at = (2.0 * i / last - 1.0) * low
        along, below = i / last * min(chord, length), 0.0
        if low > 1e-6:  # a straight cable has no radius
            radius = 0.5 * length / low
            along, below = radius * (math.sin(at) + math.sin(low)), radius * (math.cos(at) - math.cos(low))
        shape[i, 0] = ship[0] + along * ux + below * nx
        shape[i, 1] = ship[1] + along * uy + below * ny
        shape[i, 2] = ship[2] + along * uz + below * nz


@entry
def royer_pull(length, normal, tangential, most, ship, vehicle, current, warm, shape, pull, history):
    """Pull of Royer's cable between two points of the sea; returns a code, see REACHED and after.

    length: m. normal, tangential: drag of a metre, N per (m/s)^2 (rho/2 D C_n, rho/2 D C_f). most: largest tension,
    N. ship, vehicle: A and B. current: its horizontal part is used. warm: (tension, angle, 1) of the last cable or
    zeros; overwritten. shape (steps + 1, 3), pull (N_PULL) and history (any, COLUMNS) are filled.
    """
    speed = math.hypot(current[0], current[1])
    rx, ry, rz = vehicle[0] - ship[0], vehicle[1] - ship[1], vehicle[2] - ship[2]
    distance = math.sqrt(rx * rx + ry * ry + rz * rz)
    pull[:] = 0.0
    result = as_pull(pull)
    on_b, on_a = result.force_b, result.force_a
    if distance >= length:
        lay_arc(ship, vehicle, length, shape)
        on_b[0], on_b[1], on_b[2] = -most * rx / distance, -most * ry / distance, -most * rz / distance
        on_a[0], on_a[1], on_a[2] = -on_b[0], -on_b[1], -on_b[2]
        result.tension_a, result.tension_b, result.miss = most, most, distance - length
        warm[2] = 0.0
        return UNREACHABLE
    if normal * speed * speed < LOADED:
        lay_arc(ship, vehicle, length, shape)
        warm[2] = 0.0
        return UNLOADED
    # Axes of his plane: v along the current; e from v toward the vehicle, sin(gamma) K x v + cos(gamma) K. y is -e.
    cb, sb = current[0] / speed, current[1] / speed
    X, side = cb * rx + sb * ry, cb * ry - sb * rx
    away = math.hypot(side, rz)
    sg, cg = (side / away, rz / away) if away > 0.0 else (0.0, 1.0)
    ex, ey, ez = -sg * sb, sg * cb, cg
    line = RoyerLine(length, normal * speed * speed, tangential * speed * speed, 0.0, shape.shape[0] - 1)
    tension, angle, miss, count = solve(line, X, -away, most, warm, history)
    end = integrate(line, tension, angle, shape[:, :2])
    for i in range(shape.shape[0]):
        x, down = shape[i, 0], -shape[i, 1]
        shape[i, 0] = ship[0] + x * cb + down * ex
        shape[i, 1] = ship[1] + x * sb + down * ey
        shape[i, 2] = ship[2] + down * ez
    along, down = end.tension * math.cos(end.angle), -end.tension * math.sin(end.angle)
    on_b[0], on_b[1], on_b[2] = -along * cb - down * ex, -along * sb - down * ey, -down * ez
    along, down = tension * math.cos(angle), -tension * math.sin(angle)
    on_a[0], on_a[1], on_a[2] = along * cb + down * ex, along * sb + down * ey, down * ez
    result.tension_a, result.tension_b, result.miss, result.integrations = tension, end.tension, miss, count
    warm[0], warm[1], warm[2] = tension, angle, 1.0
    ended = REACHED if miss <= REACHED_WITHIN * length else NEAREST
    if ended == NEAREST and tension > 0.999999 * most:  # held by the limit: more tension would come nearer
        ended = UNREACHABLE
    return ended + end.floors
