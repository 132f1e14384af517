"""Winch on the ship: rate of the tether's length.

    FIXED_LENGTH  L stays
    RATIO         L = ratio x distance from ship to vehicle (Royer 1985, 6.2), as fast as the drum turns
    RATE          dL/dt as ordered
    TENSION       T = T_set + (drag of the drum) dL/dt at the ship, as long as the drum can follow

always within the speed of the drum, the length on it and the shortest length. In the dynamic mode a tension winch is
part of the solution of a step: the first element has the tension of the drum instead of its elastic law, and its
length is the cable paid out. So the drum does not hunt, however stiff the cable is. Where the drum is too slow for
that, the length is prescribed and the tension follows. Units: m, m/s, N.
"""

from __future__ import annotations

from math import sqrt

from pelagos.engine.cable.chain import node, stretch
from pelagos.engine.cable.layout import DYNAMIC, RATE, RATIO, TENSION
from pelagos.engine.compiled import compiled, compiled_apart

SHORTENED = 0.8  # of the first element, most that can be hauled in within a step


@compiled_apart
def length_rate(line, head, dt):
    """Prescribed dL/dt of the next step, m/s, out positive; 0 where the step solves for it (head.drum is then 1)."""
    head.drum = 0.0
    target = 0.0
    x, y, z = head.end[0] - head.ship[0], head.end[1] - head.ship[1], head.end[2] - head.ship[2]
    far = sqrt(x * x + y * y + z * z) + 1e-300
    if line.payout == RATIO:
        target = (line.ratio * far - head.length) / dt
    elif line.payout == RATE:
        target = line.rate
    elif line.payout == TENSION and line.mode == DYNAMIC:
        head.drum = 1.0
    elif line.payout == TENSION:  # a static cable: as if it were straight and its ends kept their velocities
        v, w = head.end_velocity, head.ship_velocity
        parts = (x * (v[0] - w[0]) + y * (v[1] - w[1]) + z * (v[2] - w[2])) / far
        per_speed = dt * line.stiffness / head.length
        target = (head.tension_a - line.tension + per_speed * parts) / (line.gain + per_speed)
    return _within(line, head, target, dt)


@compiled
def _within(line, head, rate, dt):
    """The nearest rate within the speed of the drum and the shortest and longest length."""
    rate = min(max(rate, -line.fastest), line.fastest)
    return (min(max(head.length + dt * rate, line.shortest), line.longest) - head.length) / dt


@compiled_apart
def reel(line, head, chain, dt, done):
    """Check a tension winch after an iteration: True if it is too slow, and the step goes on with a prescribed length.

    When all is `done` the first element gets the length of the solution.
    """
    a = node(chain, 0)
    needed = (stretch(chain, 0)[3] * (1.0 - max(a.tension, 0.0) / line.stiffness) - a.length) / dt
    rate = max(_within(line, head, needed, dt), -SHORTENED * a.length / dt)
    limited = abs(rate - needed) > 1e-9  # m/s, beyond rounding
    if limited:
        head.drum = 0.0
    if limited or done:
        a.length += dt * rate
        head.length += dt * rate
        head.length_rate = rate
    return limited
