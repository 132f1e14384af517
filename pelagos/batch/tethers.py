"""The tethers of a batch: one for each vehicle, rigged as the tether of a `Simulation` is, told and read as arrays.

    batch = pelagos.Batch("bluerov2_heavy", 64, tether=Tether(length_m=40.0, elements=20))
    batch.place(depth_m=20.0)
    batch.set_tether(length_m=numpy.linspace(30.0, 60.0, 64), ship_north_m=12.0)
    batch.advance(10.0)
    batch.tension_n, batch.tether_status                 # (64,), (64,)

A tether is hung at rest before the first interval after its vehicle was put somewhere, and again after each `reset` and
`place`, for those vehicles only. One that parts, or for which no shape is found, is no concern of the others.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.batch.asked import one_each
from pelagos.batch.group import Indices
from pelagos.batch.tether_rows import TetherRows
from pelagos.batch.told import Told
from pelagos.errors import CommandError
from pelagos.messages import shown
from pelagos.sim.towing import a_line, a_tether
from pelagos.tether.line import Line
from pelagos.tether.spec import Tether
from pelagos.vehicle.plant import Plant

Array = NDArray[np.float64]


def a_tether_for_many(given: object, dtype: str) -> Tether | None:
    """What `Simulation` takes, as far as rows of tethers can be computed."""
    tether = a_tether(given)
    if tether is not None and tether.mode == "royer":
        raise CommandError(
            'tether mode is "royer"; expected "dynamic" or "static" in a batch: Royer\'s is for one vehicle'
        )
    if tether is not None and dtype != "float64":
        raise CommandError(
            f'dtype is "{dtype}"; expected "float64" with tethers: seven digits are too few for the stretch of a cable'
        )
    return tether


class Tethered(Told):
    """The part of a batch that is tied to ships."""

    tether: Tether | None
    threads: int
    integrator: str
    n_steps: int
    _n_cable: int
    _pool: ThreadPoolExecutor | None
    _tethers: list[TetherRows]

    def _tie(self, plants: Sequence[Plant]) -> list[Line]:
        """Before the vehicles become lanes: whether a pull acts belongs to their structure."""
        return [a_line(self.tether, plant.vehicle, plant) for plant in plants] if self.tether else []

    def _reeve(self, lines: Sequence[Line]) -> None:
        """Rows for the vehicles of each group, whose plants are those that were tied."""
        of = {id(vehicle): line for vehicle, line in zip(self.vehicles, lines, strict=False)}
        self._tethers = [TetherRows(g, [of[id(v)] for v in g.vehicles]) for g in self._groups] if lines else []

    def set_tether(
        self,
        where: ArrayLike | None = None,
        *,
        length_m: ArrayLike | None = None,
        ship_north_m: ArrayLike | None = None,
        ship_east_m: ArrayLike | None = None,
    ) -> None:
        """Lengths and ships of single tethers, numbers or one each, until told otherwise; those are hung anew."""
        tether = self._a_tether()
        chosen = self._chosen(where)
        told = {"length_m": length_m, "ship_north_m": ship_north_m, "ship_east_m": ship_east_m}
        values = {key: one_each(f"tether {key}", v, chosen) for key, v in told.items() if v is not None}
        if "length_m" in values and tether.payout == "ratio":
            raise CommandError('length_m of a tether with payout "ratio"; expected none: its length is in the ratio')
        if values.keys() & {"ship_north_m", "ship_east_m"} and tether.ship == "path":
            raise CommandError(
                "ship_north_m, ship_east_m of a ship on a path; expected none: it starts where that does"
            )
        for key, value in values.items():
            for extreme in (value.min(), value.max()) if len(value) else ():
                dataclasses.replace(tether, **{key: float(extreme)})  # checks it
        for rows, local, mine in self._tether_parts(chosen):
            if "length_m" in values:
                rows.length_m[local] = values["length_m"][mine]
            for k, key in enumerate(("ship_north_m", "ship_east_m")):
                if key in values:
                    rows.ship_m[local, k] = values[key][mine]
            rows.hangs[local] = False

    def tether_of(self, index: int) -> Line:
        """The tether of one vehicle: `haul`, `cut`, `move_ship`, `shape_n`, ... of it act on the batch."""
        self._hang()
        one = self._chosen(index)
        if len(one) != 1:
            raise CommandError(f"index is {shown(index)}; expected the number of one vehicle, 0 to {self.n - 1}")
        i = one[0]
        return self._tethers[self._group_of[i]].line(int(self._local[i]))

    # ---- read ----------------------------------------------------------------------------------------------------

    @property
    def tension_n(self) -> Array:
        """Tension at the vehicle, N: (n,)."""
        return self._heads("tension_b")

    @property
    def ship_tension_n(self) -> Array:
        """Tension at the ship, N: (n,)."""
        return self._heads("tension_a")

    @property
    def tether_force_n(self) -> Array:
        """Force of the tether on the vehicle, N, NED: (n, 3)."""
        return self._heads("force_b")

    @property
    def tether_length_m(self) -> Array:
        """Unstretched length between ship and vehicle: (n,)."""
        return self._heads("length")

    @property
    def tether_status(self) -> NDArray[np.int64]:
        """Bits of `tether.spec.Status`, 0 where there is nothing to say: (n,)."""
        return self._heads("status").astype(np.int64)

    @property
    def ship_n(self) -> Array:
        """Where the cable leaves the ship, NED, m: (n, 3)."""
        return self._heads("ship")

    def _heads(self, name: str) -> Array:
        self._hang()
        first = self._tethers[0].heads[name]
        out = np.zeros((self.n, *first.shape[1:]))
        for rows in self._tethers:
            out[rows.group.index] = rows.heads[name]
        return out

    # ---- details -------------------------------------------------------------------------------------------------

    def _a_tether(self) -> Tether:
        if self.tether is None:
            raise CommandError("the vehicles of this batch are on no tethers; expected Batch(..., tether=True)")
        return self.tether

    def _tether_parts(self, chosen: Indices) -> list[tuple[TetherRows, Indices, Any]]:
        of = {id(rows.group): rows for rows in self._tethers}
        return [(of[id(group)], local, mine) for group, local, mine in self._parts(chosen)]

    def _slip(self, chosen: Indices, *, anew: bool = False) -> None:
        """They were put elsewhere: hang their tethers before they move; `anew` with drum and ship as at first."""
        for rows, local, _ in self._tether_parts(chosen) if self._tethers else ():
            if anew:
                rows.reset(local)
            rows.hangs[local] = False

    def _hang(self) -> None:
        self._a_tether()
        if all(rows.hangs.all() for rows in self._tethers):
            return
        self._water_now()
        for rows in self._tethers:
            rows.hang(self.world, self._pool, self.threads)

    def _advance_towed(self, pool: ThreadPoolExecutor | None) -> list[bool]:
        """Vehicles and tethers through an interval; whether all steps were sound, of each group."""
        self._hang()
        split = self._n_cable, self.n_steps // self._n_cable, self.integrator
        return [rows.advance(self.interval_s, *split, pool, self.threads) for rows in self._tethers]
