"""What differs from one episode to the next: the water, the vehicle's numbers, the noise of what is seen.

`randomise` is a mapping from a name to a range (low, high), drawn anew for each environment at every reset:

    current_m_s   speed of a uniform current, towards a direction drawn as well
    noise         factor on the noise of each field of the observation (`Field.noise`); the noise is new at every step
    anything that `Batch.scale` takes: mass, inertia, buoyancy, added_mass, damping, thrust, thruster:NAME, or a
    coefficient by its name such as Y_uv: a factor on it

A range may be one number. `{}` draws nothing; None takes the task's own ranges.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pelagos.batch.batch import Batch
from pelagos.batch.parameters import ABOVE_ZERO, FAMILIES, scalable
from pelagos.errors import CommandError, nearest
from pelagos.learn.draws import Draws
from pelagos.messages import is_number, shown
from pelagos.vehicle.spec import Vehicle

Range = tuple[float, float]
NOT_FACTORS = ("current_m_s", "noise")


class Randomise:
    """Ranges, checked, and what was drawn of them."""

    def __init__(self, ranges: Mapping[str, object], n: int, vehicle: Vehicle, scaled: bool = False) -> None:
        """`scaled`: the task scales parameters itself."""
        if not isinstance(ranges, Mapping):
            raise CommandError(
                f"randomise is {shown(ranges)}; expected names with ranges, such as {{'mass': (0.9, 1.1)}}"
            )
        _known(ranges, vehicle)
        self.ranges = {name: _range(name, value) for name, value in ranges.items()}
        self._scaled = scaled or any(name not in NOT_FACTORS for name in self.ranges)
        self.noise = np.zeros(n)
        self.current_n = np.zeros((n, 3))

    def begin(self, batch: Batch, where: NDArray[np.int64], draws: Draws) -> None:
        """New numbers for the environments of `where`."""
        if self._scaled:
            batch.unscale(where)  # the factors of the last episode, and what the task did to the vehicle
        for name, (low, high) in self.ranges.items():
            drawn = draws.uniform(f"randomise {name}", low, high)
            if name == "current_m_s":
                to = draws.uniform("randomise current_to", 0.0, 2.0 * np.pi)
                flow = np.stack([drawn * np.cos(to), drawn * np.sin(to), np.zeros(len(drawn))], axis=1)
                self.current_n[where] = flow
                batch.set_current(flow, where)
            elif name == "noise":
                self.noise[where] = drawn
            else:
                batch.scale(name, drawn, where)


def _known(names: Mapping[str, object], vehicle: Vehicle) -> None:
    """A sentence for a name that nothing is called by."""
    valid = (*NOT_FACTORS, *scalable(vehicle))
    for name in names:
        if name not in valid:
            close = nearest(str(name), valid)
            hint = f'; did you mean "{close}"?' if close else ""
            raise CommandError(
                f"randomise {shown(name)}: {vehicle.key} has no such parameter; expected {', '.join(NOT_FACTORS)}, "
                f"{', '.join(FAMILIES)}, thruster:NAME or the name of a coefficient{hint}"
            )


def _range(name: str, value: object) -> Range:
    """(low, high), or a sentence."""
    pair = (value, value) if is_number(value) else value
    if not (isinstance(pair, tuple | list) and len(pair) == 2 and all(is_number(v) for v in pair)):
        raise CommandError(f"randomise {name} is {shown(value)}; expected a range (low, high) or one number")
    low, high = float(pair[0]), float(pair[1])  # type: ignore[arg-type]
    above = name in ABOVE_ZERO  # there is no body without mass
    if not (np.isfinite(low) and np.isfinite(high) and 0.0 <= low <= high) or (above and low == 0.0):
        raise CommandError(f"randomise {name} is ({low:g}, {high:g}); expected 0 {'<' if above else '<='} low <= high")
    return low, high
