"""The line ArduPilot reads: JSON with a newline before and after it, made for readers that do not parse JSON.

For years the reader has looked for the text of a section, from there for the text of a key, skipped two characters
and read a number, or the numbers between [ and ]. Hence: no spaces, no exponents, three numbers as [a,b,c]; a key is
inside no other key and in no other field; every number is finite. Newer development versions parse,
and read the same line.

Both `attitude` and `quaternion` are there: the first releases know only the angles, the later ones prefer the
quaternion, and some take `rng_1` only from a line that has angles in it.

The time stamp has all digits of a double: ArduPilot makes its next rate of the difference of two of them, as a 32-bit
float that is then cut to a whole number, and a difference that is off by 1e-7 of itself would hold it back.

Reference: ArduPilot, libraries/SITL/SIM_JSON (facts, no code).
Frames: NED and body axes, as ours. Units: s, rad/s, m/s2, m, rad, m/s, V, A.
"""

from __future__ import annotations

from collections.abc import Sequence

_LINE = (
    '\n{"timestamp":%.15f,"imu":{"gyro":[%.9f,%.9f,%.9f],"accel_body":[%.9f,%.9f,%.9f]},'
    '"position":[%.6f,%.6f,%.6f],"attitude":[%.9f,%.9f,%.9f],"quaternion":[%.9f,%.9f,%.9f,%.9f],'
    '"velocity":[%.7f,%.7f,%.7f]%s}\n'
)
MOST_RANGES = 6


def line(
    time_s: float,
    gyro: Sequence[float],
    accel: Sequence[float],
    position_n: Sequence[float],
    euler: Sequence[float],
    quaternion: Sequence[float],
    velocity_n: Sequence[float],
    more: str = "",
) -> bytes:
    """The whole answer; `more` is what `instruments` made."""
    return (_LINE % (time_s, *gyro, *accel, *position_n, *euler, *quaternion, *velocity_n, more)).encode()


def instruments(ranges_m: Sequence[float], battery: tuple[float, float] | None) -> str:
    """The fields of range finders (at most six) and battery (V, A), to be put at the end of a line."""
    text = "".join(f',"rng_{i}":{metres:.3f}' for i, metres in enumerate(ranges_m[:MOST_RANGES], start=1))
    if battery is not None:
        text += f',"battery":{{"voltage":{battery[0]:.3f},"current":{battery[1]:.3f}}}'
    return text
