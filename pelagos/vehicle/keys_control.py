"""The keys of the [control] table of a vehicle file: gains and limits of its autopilot."""

from __future__ import annotations

from pelagos.vehicle.keytypes import Key, Section, number

# the loops of the autopilot and the units of their gains; a speed has no derivative
LOOPS = {
    "heading": {"kp": "N m/rad", "ki": "N m/(rad s)", "kd": "N m s/rad"},
    "pitch": {"kp": "N m/rad", "ki": "N m/(rad s)", "kd": "N m s/rad"},
    "roll": {"kp": "N m/rad", "ki": "N m/(rad s)", "kd": "N m s/rad"},
    "depth": {"kp": "N/m", "ki": "N/(m s)", "kd": "N s/m"},
    "place": {"kp": "N/m", "ki": "N/(m s)", "kd": "N s/m"},
    "speed": {"kp": "N s/m", "ki": "N/m"},
}


def _keys() -> tuple[Key, ...]:
    keys: list[Key] = []
    for loop, gains in LOOPS.items():
        keys.append(
            number(f"{loop}_frequency", "natural frequency, w", "angular rate", sign="positive", group=f"{loop}_kp")
        )
        if "kd" in gains:
            keys.append(
                number(f"{loop}_damping", "damping ratio, zeta, default 1", sign="positive", group=f"{loop}_kd")
            )
        for gain, unit in gains.items():
            sign = "positive" if gain == "kp" else "nonnegative"
            keys.append(
                number(f"{loop}_{gain}", f"instead of the computed gain, {unit}", sign=sign, group=f"{loop}_{gain}")
            )
    return tuple(keys)


CONTROL = Section("gains and limits of the autopilot, instead of those computed from the model", (
    *_keys(),
    number("dive_frequency", "depth by pitch: natural frequency, w_z", "angular rate", sign="positive"),
    number("dive_rate", "depth by pitch: t_z, s of depth rate that count as depth", "time", sign="nonnegative"),
    number("cruise_speed", "taken when way is needed and no speed is asked for", "speed", sign="positive"),
    number("planes_from", "speed from which planes hold depth where thrusters could", "speed", sign="positive"),
    number("pitch_limit", "largest pitch asked for to change depth, default 25 deg", "angle", sign="positive"),
    number("yaw_rate_limit", "largest rate of turn asked for, default 30 deg/s", "angular rate", sign="positive"),
    number("depth_rate_limit", "largest vertical speed asked of thrusters, default 1.5 m/s", "speed", sign="positive"),
    number("place_speed", "on the way to a place to keep, if no speed is given", "speed", sign="positive"),
    number("altitude_filter", "time constant of the bottom under the altitude hold, default 1 s", "time",
           sign="positive"),
))  # fmt: skip
