"""The state of a flight as one row of numbers, many times a second: names with units, and how they are filled.

Units are in the names, NaN is "not known". A thruster is a share of its limit, -1 to 1, what it does and what it was
asked for; `contact_with` is the number of the structure touched, -1 the seabed; `by_link` is 1 while a link orders
single actuators.

What a vehicle draws and what is left in its battery, as its gauge says.

Contacts as a page is told of them: where each is now and how it moves, some times a second while there are any.

The message goes beside the snapshots, since contacts come and go:

    {"type": "contacts", "time_s": 12.3, "contacts": [{"key", "name", "kind", "length_m", "beam_m", "height_m",
     "position_m": [n, e, d], "quaternion": [4], "velocity_m_s": [3, NED], "heard_s", "expires_s"}]}

Positions hold for `time_s`; between two messages the page moves them on by their velocities. `heard_s` is the time for
which the last news holds and `expires_s` when it is forgotten without more, null if never: the page lets old news fade.
When the last contact goes, one empty list says so.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pelagos.control.base import AXIS_NAMES
from pelagos.sensors.battery import Battery
from pelagos.sim.columns import DEGREES, compass
from pelagos.sim.contacts import Contacts, PredictedContact
from pelagos.sim.faults.kinds import SensorLoss
from pelagos.sim.simulation import Simulation
from pelagos.sim.tether import TETHER_COLUMNS, tether_values
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.power import ThrusterPower
from pelagos.vehicle.spec import Vehicle

if TYPE_CHECKING:
    from pelagos.session.flight import Flight


UNKNOWN = (math.nan, math.nan)


class ElectricPower:
    """Power and charge of one simulation."""

    def __init__(self, sim: Simulation) -> None:
        self._sim, vehicle = sim, sim.vehicle
        self._power = ThrusterPower(vehicle, sim.water.density_kg_m3) if vehicle.thrusters else None
        fitted = sim.sensing.suite.sensors if sim.sensing else {}
        found = [(name, sensor) for name, sensor in fitted.items() if isinstance(sensor, Battery)]
        self._name, self._battery = found[0] if found else ("", None)

    def values(self) -> tuple[float, float, float]:
        """Power of the thrusters and all that hangs on the battery, W; charge left, percent; voltage under load."""
        sim, watts = self._sim, 0.0
        if self._power is not None:
            actual = sim.plant.state["actuators"]["thruster"][: len(sim.vehicle.thrusters)]
            watts = self._power.watts(sim.plant.thrust_and_inflow(), actual)
        if self._battery is None or sim.sensing is None:
            return watts, *UNKNOWN
        watts += self._battery.hotel_W
        said = sim.sensing.suite.latest.get(self._name)
        if said is None or self._is_silent():
            return watts, *UNKNOWN
        volts, _, _, left = said.values.tolist()
        return watts, 100.0 * left / self._battery.capacity_Ah, volts

    def _is_silent(self) -> bool:
        """Whether the gauge is lost: what it said last is not what is left."""
        faults = self._sim.faults
        return faults is not None and any(
            isinstance(fault, SensorLoss) and fault.sensor == self._name and faults.acts(i)
            for i, fault in enumerate(faults.faults)
        )


# ---- sightings -------------------------------------------------------------------------------------------------------


PERIOD_S = 0.1  # of the wall: at most so often
MOST = 100  # the nearest ones; more cannot be told apart
STRAIGHT = (2, 3)  # algorithms of dead reckoning along a straight line at a steady speed
AHEAD_S = 0.1  # over which a velocity is measured


class ContactReports:
    """Tells the pages of a flight what else is about."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._told_s, self._some = -math.inf, False

    def tell(self, flight: Flight) -> None:
        """Say where contacts are, if it is time to."""
        contacts = flight.sim.contacts
        if not len(contacts) and not self._some:
            return
        now = self._clock()
        if len(contacts) and now - self._told_s < PERIOD_S:
            return
        self._told_s, self._some = now, len(contacts) > 0
        flight.say(message_of(contacts, flight.time_s, flight.sim.plant.position_n))


def message_of(contacts: Contacts, time_s: float, here_n: Any) -> dict[str, Any]:
    """What a page is told; if there are many, of those that were last heard of nearest."""
    heard = list(contacts)
    if len(heard) > MOST:  # only those are reckoned: this runs between two ticks
        away = np.linalg.norm(np.array([contact.position_m for contact in heard]) - here_n, axis=1)
        heard = [heard[k] for k in np.argsort(away, kind="stable")[:MOST]]
    return {"type": "contacts", "time_s": time_s, "contacts": [_table(contact.at(time_s), time_s) for contact in heard]}


def _table(sighting: PredictedContact, time_s: float) -> dict[str, Any]:
    contact = sighting.contact
    if contact.algorithm in STRAIGHT:
        velocity = contact.velocity_n
    else:
        # as it is reckoned, not as it was heard: one that stands still by its algorithm may have a velocity too
        velocity = (contact.at(time_s + AHEAD_S).position_n - sighting.position_n) / AHEAD_S
    return {
        "key": contact.key,
        "name": contact.name,
        "kind": contact.kind,
        "length_m": contact.length_m,
        "beam_m": contact.beam_m,
        "height_m": contact.height_m,
        "position_m": [round(x, 3) for x in sighting.position_n.tolist()],
        "quaternion": [round(x, 5) for x in sighting.quaternion.tolist()],
        "velocity_m_s": [round(x, 3) for x in velocity.tolist()],
        "heard_s": contact.time_s,
        "expires_s": None if math.isinf(contact.expires_s) else contact.expires_s,
    }


# ---- snapshot --------------------------------------------------------------------------------------------------------


MOTION = (
    "north_m", "east_m", "depth_m", "q0", "q1", "q2", "q3", "roll_deg", "pitch_deg", "heading_deg",
    "surge_m_s", "sway_m_s", "heave_m_s", "roll_rate_deg_s", "pitch_rate_deg_s", "yaw_rate_deg_s",
    "speed_m_s", "course_deg", "depth_rate_m_s", "altitude_m", "below_surface_m",
    "current_north_m_s", "current_east_m_s", "current_down_m_s", "contact_N", "contact_with",
)  # fmt: skip
STICKS = (*(f"stick_{name}" for name in AXIS_NAMES), *(f"trim_{name}" for name in AXIS_NAMES))
HELD = ("depth_m", "altitude_m", "heading_deg", "north_m", "east_m", "speed_m_s", "roll_deg", "pitch_deg")
HOLDS = (*(f"hold_{name}" for name in HELD), "hold_mission")
CAMERA = ("stick_frame", "gain", "pan_deg", "tilt_deg", "zoom", "lights", "camera_index")
STATUS = ("power_W", "battery_percent", "battery_V", "flooded_kg", "faults_acting", "recording", "armed", "by_link")
CRASH = ("collisions", "crash_age_s", "crash_north_m", "crash_east_m", "crash_depth_m")
SHIP = ("ship_north_m", "ship_east_m", "ship_depth_m")
DRUM = ("tether_payout",)  # what it keeps to: the number of one of tether.spec.PAYOUTS
TASK = ("task_phase", "task_time_s")
FRAMES = ("body", "camera", "north")
SLOW_M_S = 0.02  # below it a course says nothing


def actuator_columns(vehicle: Vehicle) -> tuple[str, ...]:
    """Where each actuator is and what it was told."""
    return (
        *(f"thruster_{t.name}" for t in vehicle.thrusters),
        *(f"surface_{s.name}_deg" for s in vehicle.surfaces),
        *(f"cmd_thruster_{t.name}" for t in vehicle.thrusters),
        *(f"cmd_surface_{s.name}_deg" for s in vehicle.surfaces),
    )


def course_of(north: float, east: float) -> float:
    """Course over ground, 0 to 360 deg; NaN at rest."""
    return compass(math.atan2(east, north) * DEGREES) if math.hypot(north, east) > SLOW_M_S else math.nan


def over_ground(q0: Any, q1: Any, q2: Any, q3: Any, u: Any, v: Any, w: Any) -> tuple[Any, Any, Any]:
    """Velocity north, east, down: v_n = R_nb (u, v, w) of a unit quaternion; for numbers or for arrays of them."""
    # R v = v + 2 r x (r x v + q0 v), r = (q1, q2, q3)
    a, b, c = q2 * w - q3 * v + q0 * u, q3 * u - q1 * w + q0 * v, q1 * v - q2 * u + q0 * w
    return u + 2.0 * (q2 * c - q3 * b), v + 2.0 * (q3 * a - q1 * c), w + 2.0 * (q1 * b - q2 * a)


class Limits:
    """What counts as full ahead and full astern of each thruster: of its state, and of its demand."""

    def __init__(self, vehicle: Vehicle, density_kg_m3: float | None = None) -> None:
        self.told = np.array([(-t.minimum, t.maximum) for t in vehicle.thrusters]).reshape(-1, 2)
        self.actual = self.told.copy()
        if any(t.lag_on == "thrust" for t in vehicle.thrusters):  # their state is a force: what full drive comes to
            plant, n = Plant(vehicle, density_kg_m3=density_kg_m3), len(vehicle.thrusters)  # denser water, more thrust
            for i, t in enumerate(vehicle.thrusters):
                for side, drive in enumerate((t.minimum, t.maximum)):
                    plant.set_actuators(thrusters=[drive if k == i else 0.0 for k in range(n)], at_once=True)
                    self.actual[i, side] = abs(float(plant.state["actuators"]["thruster"][i]))

    @staticmethod
    def shares(values: NDArray[np.float64], limits: NDArray[np.float64]) -> list[float]:
        """Values over the limit of their side."""
        return [
            0.0 if value == 0.0 else value / limit if (limit := pair[1] if value > 0.0 else pair[0]) > 0.0 else 0.0
            for value, pair in zip(values.tolist(), limits.tolist(), strict=True)
        ]


class Snapshot:
    """Fills rows for one flight; made anew whenever the columns change."""

    def __init__(self, flight: Flight) -> None:
        vehicle = flight.sim.vehicle
        self._limits = Limits(vehicle, flight.sim.world.surface_density_kg_m3)
        self._n = len(vehicle.thrusters), len(vehicle.surfaces)
        tether = (*TETHER_COLUMNS, *SHIP, *DRUM) if flight.sim.tether else ()
        self.columns = (
            *MOTION, *STICKS, *HOLDS, *CAMERA, *STATUS, *CRASH, *actuator_columns(vehicle), *tether, *TASK,
            *(flight.attempt.columns if flight.attempt else ()),
        )  # fmt: skip
        self._row = np.full(len(self.columns), np.nan)
        self._sightings = ContactReports()

    def into(self, row: NDArray[np.float32], flight: Flight) -> None:
        """The state now into the beginning of a row; contacts, which are no columns, are told in a message."""
        row[: len(self.columns)] = self.values(flight)
        self._sightings.tell(flight)

    def values(self, flight: Flight) -> NDArray[np.float64]:
        """The state now, in an array that the next call fills anew."""
        values = self._motion(flight)
        values += flight.helm.values()
        values += self._holds(flight)
        aim, sim, crash = flight.aim, flight.sim, flight.collisions
        values += (
            float(FRAMES.index(flight.helm.frame)), flight.helm.gain,
            aim.pan_deg, aim.tilt_deg, aim.zoom, aim.lights, float(aim.index),
        )  # fmt: skip
        values += (*flight.electric.values(), *flight.damage(), float(flight.recordings.now is not None))
        values += (float(flight.armed), float(flight.direct is not None))
        values.append(float(crash.count))
        last = crash.last
        values += (math.nan,) * 4 if last is None else (sim.time_s - last.time_s, *last.place_n)
        values += self._actuators(flight)
        out, at = self._row, len(values)
        out[:at] = values
        if sim.tether:
            out[at : at + len(TETHER_COLUMNS)] = tether_values(sim.tether)
            at += len(TETHER_COLUMNS)
            out[at : at + 3] = sim.tether.head["ship"]
            out[at + 3] = sim.tether.settings["payout"]
            at += 4
        out[at:] = flight.score()
        return out

    def _motion(self, flight: Flight) -> list[float]:
        sim = flight.sim
        look = sim.evaluate()
        around = look.around
        north, east, depth = look.position_n.tolist()
        q0, q1, q2, q3 = look.quaternion.tolist()
        u, v, w, p, q, r = look.nu.tolist()
        roll, pitch, yaw = look.euler
        # velocity over ground, NED: the rows of R_nb times (u, v, w)
        v_north = (q0 * q0 + q1 * q1 - q2 * q2 - q3 * q3) * u + 2.0 * (
            (q1 * q2 - q0 * q3) * v + (q1 * q3 + q0 * q2) * w
        )
        v_east = (q0 * q0 - q1 * q1 + q2 * q2 - q3 * q3) * v + 2.0 * ((q1 * q2 + q0 * q3) * u + (q2 * q3 - q0 * q1) * w)
        v_down = (q0 * q0 - q1 * q1 - q2 * q2 + q3 * q3) * w + 2.0 * ((q1 * q3 - q0 * q2) * u + (q2 * q3 + q0 * q1) * v)
        touch = sim.plant.state["touch"]
        x, y, z = touch["wrench"][:3].tolist()
        c_north, c_east, c_down = around.velocity_n.tolist()
        return [
            north, east, depth, q0, q1, q2, q3, roll * DEGREES, pitch * DEGREES, compass(yaw * DEGREES),
            u, v, w, p * DEGREES, q * DEGREES, r * DEGREES,
            math.sqrt(u * u + v * v + w * w), course_of(v_north, v_east), v_down, look.altitude_m,
            around.below_m if sim.world.surface else math.nan, c_north, c_east, c_down,
            math.sqrt(x * x + y * y + z * z), float(touch["what"]) if touch["count"] > 0 else math.nan,
        ]  # fmt: skip

    def _holds(self, flight: Flight) -> list[float]:
        held = flight.sim.held
        values = [math.nan if (value := getattr(held, name)) is None else value for name in HELD]
        if held.north_m is not None:
            values[5] = math.nan  # it is then the fastest way to the place, not a speed to hold
        if flight.perfect_depth_m is not None:
            values[0] = flight.perfect_depth_m
        values.append(float(flight.flies_mission))
        return values

    def _actuators(self, flight: Flight) -> list[float]:
        plant, limits, (nt, ns) = flight.sim.plant, self._limits, self._n
        actual, told = plant.state["actuators"], plant.command["demand"]
        return [
            *limits.shares(actual["thruster"][:nt], limits.actual),
            *(actual["surface"][:ns] * DEGREES).tolist(),
            *limits.shares(told["thruster"][:nt], limits.told),
            *(told["surface"][:ns] * DEGREES).tolist(),
        ]
