"""`Line`: a tether with named access to the records of the engine, its winch commands and its ship."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.checks import TETHER, number, numbers
from pelagos.engine.cable import layout as rec
from pelagos.engine.cable.step import drive_line, follow_line, settle_line, step_line
from pelagos.engine.contact.obstacles import bottom_at
from pelagos.engine.water.sea import NO_BOTTOM, SEA
from pelagos.errors import CommandError
from pelagos.tether.spec import MODES, PAYOUTS, SHIPS, Cable, Status, Tether

NO_SEA = SEA.flat(SEA.record())
NO_SEA[SEA.offset("depth")[0]] = 1e9  # m: deep water
BOTTOM = getattr(bottom_at, "py_func", bottom_at)  # called once or twice: not worth compiling
DRUM_SLOPE = 0.1  # excess tension at full drum speed, relative to the set tension
SHIP_SPEED = 1.0  # m/s, of a ship on its way to a point, if the tether sets no speed
ITERATIONS = 20  # of the solver; a snap load needs about ten, and stopping early can add energy
COUNT = rec.CHAIN.offset("n")[0]
FLOAT64 = np.dtype(np.float64)
Vector = NDArray[np.float64]


class Line:
    """A tether between a ship and a vehicle, with its shape and tension.

    Args:
        cable: properties of the cable.
        tether: settings of the tether; by default dynamic with 50 elements and fixed length.
        sea: the world as packed by `World.packed()`; by default water without surface and bottom.
        density_kg_m3: of the water.
        gravity_m_s2: gravity.
        current_n: uniform current, m/s NED, added to that of the sea.
    """

    def __init__(
        self,
        cable: Cable,
        tether: Tether | None = None,
        *,
        sea: Vector | None = None,
        density_kg_m3: float = 1025.0,
        gravity_m_s2: float = 9.81,
        current_n: ArrayLike = (0.0, 0.0, 0.0),
    ) -> None:
        for name, value, kind in (("cable", cable, Cable), ("tether", tether, Tether | None)):
            if not isinstance(value, kind):
                raise CommandError(key=name, value=value, expected=f"a {name.capitalize()}")
        self.cable, self.tether = cable, tether or Tether()
        self.density_kg_m3, self.gravity_m_s2 = density_kg_m3, gravity_m_s2
        capacity = 2 * self.tether.elements
        corners = max(len(self.tether.ship_path_m), 2)  # room for a later `move_ship`
        self._work = np.zeros(rec.scratch_size(capacity))
        line = np.concatenate([rec.LINE.flat(rec.LINE.record()), np.zeros(2 * corners)])
        self.lies_in(line, np.zeros(rec.chain_size(capacity)))
        self._current = np.zeros(6)
        self._current[:3] = numbers("current_n", current_n, 3)
        self.sea = NO_SEA if sea is None else sea
        self.reset()

    def __deepcopy__(self, memo: dict[int, Any]) -> Line:
        """Copy the line; the sea stays shared."""
        other = Line(
            self.cable, self.tether, sea=self.sea, density_kg_m3=self.density_kg_m3, gravity_m_s2=self.gravity_m_s2
        )
        other.restore(self.save())
        memo[id(self)] = other
        return other

    def reset(self) -> None:
        """Reset winch and ship to the settings of the tether; the shape stays until `settle`."""
        capacity = 2 * self.tether.elements
        t, c, rho = self.tether, self.cable, self.density_kg_m3
        half = 0.5 * rho * c.diameter_m
        drum = DRUM_SLOPE * t.tension_N / t.drum_speed_m_s if t.drum_drag_Ns_m is None else t.drum_drag_Ns_m
        values = {
            "mode": MODES.index(t.mode), "diameter": c.diameter_m,
            "weight": c.weight_in(rho, self.gravity_m_s2), "weight_in_air": c.mass_in(rho) * self.gravity_m_s2,
            "mass": c.mass_in(rho), "displaced": rho * c.area_m2, "added": c.added_mass * rho * c.area_m2,
            "normal": half * c.normal_drag, "tangential": half * math.pi * c.tangential_drag,
            "stiffness": c.stiffness_N, "damping": c.damping_Ns, "breaking": c.breaking_load_N,
            "parts": float(t.parts), "ground": t.bottom_stiffness_N_m2,
            "elements": t.elements, "capacity": capacity, "iterations": ITERATIONS,
            "payout": PAYOUTS.index(t.payout), "ratio": t.ratio, "rate": t.rate_m_s, "tension": t.tension_N,
            "gain": drum, "fastest": t.drum_speed_m_s, "shortest": t.shortest_m, "longest": t.longest_m,
            "heaves": float(t.heaves), "ship_lag": t.ship_lag_s, "path": rec.N_LINE,
        }  # fmt: skip
        for name, value in values.items():
            self.settings[name] = value
        self._sail(t.ship, t.ship_speed_m_s, t.ship_path_m)

    def _sail(self, ship: str, speed_m_s: float, path_m: Sequence[tuple[float, float]] = ()) -> None:
        """Set how the ship moves from now on."""
        self.settings["ship"], self.settings["ship_speed"] = SHIPS.index(ship), speed_m_s
        self.settings["n_path"], self.head["travelled"] = len(path_m), 0.0
        corners = np.array(path_m, dtype=float).ravel()
        self._line[rec.N_LINE : rec.N_LINE + len(corners)] = corners

    @property
    def nodes(self) -> NDArray[Any]:
        """Records of the nodes from the ship to the vehicle, `engine.cable.layout.NODE`; the last has no element."""
        return self._nodes[: int(self.head["n"]) + 1]

    def lies_in(self, line: Vector, chain: Vector) -> None:
        """Use these rows as memory from now on, such as those of one tether of a batch."""
        self._line, self._chain = line, chain
        # views into the rows: a change of `settings` acts in the next step, `head` holds the results
        self.settings: Any = line[: rec.N_LINE].view(rec.LINE.dtype)[0]
        self.head: Any = chain[: rec.N_CHAIN].view(rec.CHAIN.dtype)[0]
        self._nodes: NDArray[Any] = chain[rec.N_CHAIN :].view(rec.NODE.dtype)

    @property
    def length_m(self) -> float:
        """Unstretched length between ship and vehicle."""
        return float(self.head["length"])

    @property
    def shape_n(self) -> Vector:
        """Positions of the nodes, NED, m, from the ship to the vehicle."""
        return self.nodes["r"].copy()

    @property
    def tensions_N(self) -> Vector:
        """Tension of each element."""
        return self.nodes["tension"][:-1].copy()

    @property
    def status(self) -> Status:
        """Status of the last solution."""
        return Status(int(self.head["status"]))

    @property
    def force_on_vehicle_n(self) -> Vector:
        """Force of the tether on the vehicle, N, NED."""
        return self.head["force_b"].copy()

    @property
    def force_on_ship_n(self) -> Vector:
        """Force of the tether on the ship, N, NED."""
        return self.head["force_a"].copy()

    def points(self, count: int) -> Vector:
        """Return the positions, NED, m, of `count` points evenly spaced along the cable, ends included."""
        nodes = self.nodes
        along = np.concatenate([[0.0], np.cumsum(nodes["length"][:-1])])
        stations = np.linspace(0.0, along[-1], count)
        return np.column_stack([np.interp(stations, along, nodes["r"][:, k]) for k in range(3)])

    def ship_start_n(self, vehicle_n: Vector) -> Vector:
        """Return where the cable leaves the ship at the start, in still water; the vehicle starts at `vehicle_n`."""
        t = self.tether
        north = vehicle_n[0] if t.ship_north_m is None else t.ship_north_m
        east = vehicle_n[1] if t.ship_east_m is None else t.ship_east_m
        north, east = t.ship_path_m[0] if t.ship == "path" else (north, east)
        return np.array([north, east, t.ship_depth_m], dtype=float)

    def settle(self, vehicle_n: ArrayLike, ship_n: ArrayLike | None = None, length_m: float | None = None) -> bool:
        """Find the equilibrium shape between ship and vehicle; returns False and sets the status if there is none."""
        end, head, t = numbers("vehicle_n", vehicle_n, 3), self.head, self.tether
        ship = self.ship_start_n(end) if ship_n is None else numbers("ship_n", ship_n, 3)
        distance = float(np.linalg.norm(end - ship))
        length = t.length_m if length_m is None else length_m
        if t.payout == "ratio" and length_m is None:
            length = min(max(float(self.settings["ratio"]) * distance, t.shortest_m), t.longest_m)
        if length is None:
            TETHER.fail("length_m", "is missing", expected="a length in m")
        length = number("length_m", length, 0.0, above=True, context=TETHER)
        for name, place in (("vehicle_n", end), ("ship_n", ship)):
            if self.sea[SEA.offset("bottom")[0]] != NO_BOTTOM:
                z = BOTTOM(self.sea, place[0], place[1])[0]
                if place[2] > z:
                    TETHER.fail(name, value=place.tolist(), expected=f"a place above the seabed, here at {z:g} m")
        time_s = float(head["time"])
        self._chain[:] = 0.0
        self._sail(t.ship, t.ship_speed_m_s, t.ship_path_m)
        head["time"], head["length"], head["end"], head["obstacle"] = time_s, length, end, -2.0
        head["ship"], head["ship_calm"] = ship, ship
        if t.mode == "royer":
            return self._royer()
        return bool(settle_line(self._line, self._chain, self._work, self.sea, self._current, False))

    def _royer(self) -> bool:
        from pelagos.tether.royer_line import solve_royer  # a separate kernel: compiled only for this mode

        self.head["n"] = self.tether.elements
        return solve_royer(self, self.nodes, self._current[:3])

    def step(self, dt: float, vehicle_n: ArrayLike, velocity_n: ArrayLike) -> None:
        """Advance by dt with the vehicle end at vehicle_n, moving with velocity_n; call `follow` afterwards."""
        dt = self._check_step(dt)
        end, velocity = _vector("vehicle_n", vehicle_n), _vector("velocity_n", velocity_n)
        if self.tether.mode == "royer":
            drive_line(self._line, self._chain, self.sea, dt, end)
            self._royer()
            return
        step_line(self._line, self._chain, self._work, self.sea, self._current, dt, end, velocity)

    def follow(self, dt: float, vehicle_n: ArrayLike) -> None:
        """Move the vehicle end of the cable to its position after the step."""
        follow_line(self._line, self._chain, _vector("vehicle_n", vehicle_n), self._check_step(dt))

    def _check_step(self, dt: float) -> float:
        """A step of time, for a line that has a shape."""
        if self._chain.item(COUNT) < 1.0:  # faster than the record
            raise CommandError("the tether has no shape yet; settle it first: line.settle(vehicle_n, ship_n)")
        if type(dt) is float and 0.0 < dt < math.inf:
            return dt
        return number("dt", dt, 0.0, above=True, expected="a positive number of seconds")

    def set_current(self, current_n: ArrayLike, rate_n: ArrayLike = (0.0, 0.0, 0.0)) -> None:
        """Set the uniform current (m/s) and its rate of change (m/s^2), NED."""
        self._current[:3], self._current[3:] = current_n, rate_n

    def haul(
        self,
        *,
        ratio: float | None = None,
        rate_m_s: float | None = None,
        tension_N: float | None = None,
        length_m: float | None = None,
        fixed: bool = False,
    ) -> None:
        """Command the winch: a ratio, a rate (out positive), a tension at the ship, a length, or a stop (`fixed`).

        Towards a length the drum turns at its full speed, or at `rate_m_s`, and stops there. A command beyond the
        limits of drum or cable raises a `CommandError`.
        """
        commands = {"ratio": ratio, "rate": rate_m_s, "tension": tension_N, "length": length_m}
        keys = {"ratio": "ratio", "rate": "rate_m_s", "tension": "tension_N", "length": "length_m"}
        commanded = [name for name, value in commands.items() if value is not None] + (["fixed"] if fixed else [])
        if len(commanded) != 1 and commanded != ["rate", "length"]:
            raise CommandError(
                key="command to haul",
                value=", ".join(keys.get(name, name) for name in commanded) or None,
                expected="one of ratio, rate_m_s, tension_N, fixed, length_m (with or without rate_m_s)",
            )
        name = commanded[-1]
        if name != "fixed":
            dataclasses.replace(self.tether, **{keys[key]: commands[key] for key in commanded})  # validates them
        self._check_haul(rate_m_s, tension_N, length_m)
        settings, t = self.settings, self.tether
        settings["shortest"], settings["longest"] = t.shortest_m, t.longest_m
        if length_m is not None:
            # a temporary limit of the drum at the commanded length stops it there
            out = length_m >= self.length_m
            settings["longest" if out else "shortest"] = length_m
            speed = t.drum_speed_m_s if rate_m_s is None else abs(rate_m_s)
            settings["rate"], name = speed if out else -speed, "rate"
        elif name != "fixed":
            settings[name] = commands[name]
        if name == "tension" and t.drum_drag_Ns_m is None:
            settings["gain"] = DRUM_SLOPE * float(settings["tension"]) / t.drum_speed_m_s
        settings["payout"] = PAYOUTS.index(name)

    def _check_haul(self, rate_m_s: float | None, tension_N: float | None, length_m: float | None) -> None:
        """Raise a CommandError for commands beyond the limits of drum and cable."""
        fastest, breaking = self.tether.drum_speed_m_s, self.cable.breaking_load_N
        if rate_m_s is not None and abs(rate_m_s) > fastest:
            raise CommandError(
                key="rate_m_s", value=rate_m_s, expected=f"{-fastest:g} to {fastest:g}: the drum is no faster"
            )
        if rate_m_s is not None and length_m is not None and rate_m_s == 0.0:
            expected = f"another rate to reach length_m {length_m:g}, or none"
            raise CommandError(key="rate_m_s", value=rate_m_s, expected=expected)
        if tension_N is not None and tension_N > breaking:
            raise CommandError(key="tension_N", value=tension_N, expected=f"at most {breaking:g}, the breaking load")

    def move_ship(self, *, north_m: float, east_m: float, speed_m_s: float | None = None) -> None:
        """Send the ship straight to a point, where it stays; default speed is that of the tether, or 1 m/s."""
        there = number("ship north_m", north_m), number("ship east_m", east_m)
        if self._chain.item(COUNT) < 1.0:
            raise CommandError("the tether has no shape yet; settle it first: line.settle(vehicle_n, ship_n)")
        limit = self.tether.ship_speed_m_s
        speed = (
            (limit if math.isfinite(limit) else SHIP_SPEED)
            if speed_m_s is None
            else number("ship speed_m_s", speed_m_s, 0.0, above=True)
        )
        north, east, _ = self.head["ship_calm"].tolist()
        self._sail("path", speed, ((north, east), there))

    def ship_follows(self) -> None:
        """Let the ship follow the vehicle from now on, with the lag and speed limit of the tether."""
        self._sail("follow", self.tether.ship_speed_m_s)

    def stop_ship(self) -> None:
        """Stop the ship where it is."""
        self._sail("moored", self.tether.ship_speed_m_s)

    def cut(self) -> None:
        """Cut the cable: no force at either end from now on."""
        for name in ("force_a", "force_b", "pull", "end_stiffness", "tension_a", "tension_b", "largest", "least"):
            self.head[name] = 0.0
        self.head["status"] = float(Status.PARTED)

    def save(self) -> dict[str, Vector]:
        """Return a copy of the complete state."""
        return {"line": self._line.copy(), "chain": self._chain.copy(), "current": self._current.copy()}

    def restore(self, saved: Mapping[str, Vector]) -> None:
        """Restore a saved state bit for bit."""
        self._line[:], self._chain[:], self._current[:] = saved["line"], saved["chain"], saved["current"]


def _vector(name: str, value: ArrayLike) -> Vector:
    """Three finite numbers as a contiguous array; arrays from a simulation pass without a copy."""
    if type(value) is np.ndarray and value.dtype is FLOAT64 and value.shape == (3,) and value.flags.carray:
        x, y, z = value.tolist()
        if math.isfinite(x + y + z):
            return value
    return np.array(numbers(name, value, 3))
