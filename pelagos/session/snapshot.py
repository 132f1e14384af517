"""State of a flight for the console: one row of numbers per snapshot, and messages about contacts beside it.

Column names carry their units, and NaN means unknown. Thrusters are fractions of their limits, -1 to 1, both the
actual value and the command (`cmd_`); `contact_with` is the number of the structure touched, -1 for the seabed;
`by_link` is 1 while a link commands single actuators.

Contacts come and go, so they are not columns but a message, sent up to ten times a second while there are any:

    {"type": "contacts", "time_s": 12.3, "contacts": [{"key", "name", "kind", "length_m", "beam_m", "height_m",
     "position_m": [n, e, d], "quaternion": [4], "velocity_m_s": [3, NED], "received_s", "expires_s"}]}

Positions are those at `time_s`; the page extrapolates them with the velocities until the next message. `received_s` is
the time of the last report of a contact, `expires_s` its timeout (null: none); the page fades stale contacts out. An
empty list follows the last contact.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pelagos.control.base import AXIS_NAMES
from pelagos.control.pilot.helm import FRAMES
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
CONTACTS_PERIOD_S = 0.1  # wall time between two messages
MOST_CONTACTS = 100  # the nearest ones: a picture with more is unreadable
STRAIGHT = (2, 3)  # DIS dead-reckoning algorithms with constant velocity (IEEE 1278.1: DRM FPW, RPW)
AHEAD_S = 0.1  # interval of the finite difference for other velocities
MOTION = (
    "north_m", "east_m", "depth_m", "q0", "q1", "q2", "q3", "roll_deg", "pitch_deg", "heading_deg",
    "surge_m_s", "sway_m_s", "heave_m_s", "roll_rate_deg_s", "pitch_rate_deg_s", "yaw_rate_deg_s",
    "speed_m_s", "course_deg", "depth_rate_m_s", "altitude_m", "below_surface_m",
    "current_north_m_s", "current_east_m_s", "current_down_m_s", "contact_N", "contact_with",
)  # fmt: skip
STICKS = (*(f"stick_{name}" for name in AXIS_NAMES), *(f"trim_{name}" for name in AXIS_NAMES))
HOLD_NAMES = ("depth_m", "altitude_m", "heading_deg", "north_m", "east_m", "speed_m_s", "roll_deg", "pitch_deg")
HOLDS = (*(f"hold_{name}" for name in HOLD_NAMES), "hold_mission")
CAMERA = ("stick_frame", "gain", "pan_deg", "tilt_deg", "zoom", "lights", "camera_index")
STATUS = ("power_W", "battery_percent", "battery_V", "flooded_kg", "faults_acting", "recording", "armed", "by_link")
CRASH = ("collisions", "crash_age_s", "crash_north_m", "crash_east_m", "crash_depth_m")
SHIP = ("ship_north_m", "ship_east_m", "ship_depth_m")
DRUM = ("tether_payout",)  # index of the mode of the winch in tether.spec.PAYOUTS
TASK = ("task_phase", "task_time_s")
SLOW_M_S = 0.02  # below this speed a course is noise


class ElectricPower:
    """Power and battery charge of one simulation."""

    def __init__(self, sim: Simulation) -> None:
        self._sim, vehicle = sim, sim.vehicle
        self._power = ThrusterPower(vehicle, sim.water.density_kg_m3) if vehicle.thrusters else None
        fitted = sim.sensing.suite.sensors if sim.sensing else {}
        batteries = [(name, sensor) for name, sensor in fitted.items() if isinstance(sensor, Battery)]
        self._name, self._battery = batteries[0] if batteries else ("", None)

    def values(self) -> tuple[float, float, float]:
        """Power of thrusters and hotel load, W; remaining charge, percent; voltage under load, V."""
        sim, watts = self._sim, 0.0
        if self._power is not None:
            actual = sim.plant.state["actuators"]["thruster"][: len(sim.vehicle.thrusters)]
            watts = self._power.watts(sim.plant.thrust_and_inflow(), actual)
        if self._battery is None or sim.sensing is None:
            return watts, *UNKNOWN
        watts += self._battery.hotel_W
        reading = sim.sensing.suite.latest.get(self._name)
        if reading is None or self._is_lost():
            return watts, *UNKNOWN
        volts, _, _, left = reading.values.tolist()  # columns of the sensor: voltage, current, used, left
        return watts, 100.0 * left / self._battery.capacity_Ah, volts

    def _is_lost(self) -> bool:
        """Whether a fault has silenced the battery sensor, so that its last reading is stale."""
        faults = self._sim.faults
        return faults is not None and any(
            isinstance(fault, SensorLoss) and fault.sensor == self._name and faults.acts(i)
            for i, fault in enumerate(faults.faults)
        )


class ContactReports:
    """Publishes the contacts of a flight to its pages, at most once in CONTACTS_PERIOD_S."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._published_s, self._some = -math.inf, False

    def publish(self, flight: Flight) -> None:
        """Publish the contacts if a message is due."""
        contacts = flight.sim.contacts
        if not len(contacts) and not self._some:
            return
        now = self._clock()
        if len(contacts) and now - self._published_s < CONTACTS_PERIOD_S:
            return
        self._published_s, self._some = now, len(contacts) > 0
        flight.publish(contacts_message(contacts, flight.time_s, flight.sim.plant.position_n))


def contacts_message(contacts: Contacts, time_s: float, position_n: Any) -> dict[str, Any]:
    """The message about contacts at a time; if there are many, about those reported nearest to a position."""
    nearest = list(contacts)
    if len(nearest) > MOST_CONTACTS:  # by reported positions: predicting all of them would take long between two ticks
        distances = np.linalg.norm(np.array([contact.position_m for contact in nearest]) - position_n, axis=1)
        nearest = [nearest[k] for k in np.argsort(distances, kind="stable")[:MOST_CONTACTS]]
    tables = [_table(contact.at(time_s), time_s) for contact in nearest]
    return {"type": "contacts", "time_s": time_s, "contacts": tables}


def _table(prediction: PredictedContact, time_s: float) -> dict[str, Any]:
    contact = prediction.contact
    if contact.algorithm in STRAIGHT:
        velocity = contact.velocity_n
    else:
        # The predicted velocity, not the reported one: a contact with a velocity may stand still by its algorithm.
        velocity = (contact.at(time_s + AHEAD_S).position_n - prediction.position_n) / AHEAD_S
    return {
        "key": contact.key,
        "name": contact.name,
        "kind": contact.kind,
        "length_m": contact.length_m,
        "beam_m": contact.beam_m,
        "height_m": contact.height_m,
        "position_m": [round(x, 3) for x in prediction.position_n.tolist()],
        "quaternion": [round(x, 5) for x in prediction.quaternion.tolist()],
        "velocity_m_s": [round(x, 3) for x in velocity.tolist()],
        "received_s": contact.time_s,
        "expires_s": None if math.isinf(contact.expires_s) else contact.expires_s,
    }


def actuator_columns(vehicle: Vehicle) -> tuple[str, ...]:
    """Columns of the actuators: actual values, then commands."""
    return (
        *(f"thruster_{t.name}" for t in vehicle.thrusters),
        *(f"surface_{s.name}_deg" for s in vehicle.surfaces),
        *(f"cmd_thruster_{t.name}" for t in vehicle.thrusters),
        *(f"cmd_surface_{s.name}_deg" for s in vehicle.surfaces),
    )


def snapshot_columns(vehicle: Vehicle, tether: Iterable[str] = (), scores: Iterable[str] = ()) -> tuple[str, ...]:
    """Names of the values of a snapshot, in order."""
    state = *MOTION, *STICKS, *HOLDS, *CAMERA, *STATUS, *CRASH
    return *state, *actuator_columns(vehicle), *tether, *TASK, *scores


def course_of(north: float, east: float) -> float:
    """Course over ground from a velocity, 0 to 360 deg; NaN at rest."""
    return compass(math.atan2(east, north) * DEGREES) if math.hypot(north, east) > SLOW_M_S else math.nan


def over_ground(q0: Any, q1: Any, q2: Any, q3: Any, u: Any, v: Any, w: Any) -> tuple[Any, Any, Any]:
    """Velocity over ground in NED from body velocities and a unit quaternion; for numbers or arrays."""
    # R v = v + 2 r x (r x v + q0 v), r = (q1, q2, q3)
    a, b, c = q2 * w - q3 * v + q0 * u, q3 * u - q1 * w + q0 * v, q1 * v - q2 * u + q0 * w
    return u + 2.0 * (q2 * c - q3 * b), v + 2.0 * (q3 * a - q1 * c), w + 2.0 * (q1 * b - q2 * a)


class Limits:
    """Limits of each thruster astern and ahead, for its actual value and for its command."""

    def __init__(self, vehicle: Vehicle, density_kg_m3: float | None = None) -> None:
        self.commanded = np.array([(-t.minimum, t.maximum) for t in vehicle.thrusters]).reshape(-1, 2)
        self.actual = self.commanded.copy()
        # The state of a thruster whose lag acts on the thrust is a force: its limit is the thrust at full command,
        # which grows with the density of the water.
        if any(t.lag_on == "thrust" for t in vehicle.thrusters):
            plant, n = Plant(vehicle, density_kg_m3=density_kg_m3), len(vehicle.thrusters)
            for i, t in enumerate(vehicle.thrusters):
                for side, drive in enumerate((t.minimum, t.maximum)):
                    plant.set_actuators(thrusters=[drive if k == i else 0.0 for k in range(n)], at_once=True)
                    self.actual[i, side] = abs(float(plant.state["actuators"]["thruster"][i]))

    @staticmethod
    def shares(values: NDArray[np.float64], limits: NDArray[np.float64]) -> list[float]:
        """Values as fractions of the limit of their direction."""
        return [
            0.0 if value == 0.0 else value / limit if (limit := pair[1] if value > 0.0 else pair[0]) > 0.0 else 0.0
            for value, pair in zip(values.tolist(), limits.tolist(), strict=True)
        ]


class Snapshot:
    """Values of all columns for one flight; the flight makes a new one whenever the columns change."""

    def __init__(self, flight: Flight) -> None:
        vehicle = flight.sim.vehicle
        self._limits = Limits(vehicle, flight.sim.world.surface_density_kg_m3)
        self._n = len(vehicle.thrusters), len(vehicle.surfaces)
        tether = (*TETHER_COLUMNS, *SHIP, *DRUM) if flight.sim.tether else ()
        scores = flight.attempt.columns if flight.attempt else ()
        self.columns = snapshot_columns(vehicle, tether, scores)
        self._row = np.full(len(self.columns), np.nan)
        self._contacts = ContactReports()

    def into(self, row: NDArray[np.float32], flight: Flight) -> None:
        """Write the present state to the start of a row, and publish contacts if a message is due."""
        row[: len(self.columns)] = self.values(flight)
        self._contacts.publish(flight)

    def values(self, flight: Flight) -> NDArray[np.float64]:
        """The present state, in an array that the next call overwrites."""
        # In the order of `columns`.
        values = self._motion(flight)
        values += flight.helm.values()
        values += self._holds(flight)
        mount, sim, crash = flight.camera_mount, flight.sim, flight.collisions
        values += (
            float(FRAMES.index(flight.helm.frame)), flight.helm.gain,
            mount.pan_deg, mount.tilt_deg, mount.zoom, mount.lights, float(mount.index),
        )  # fmt: skip
        values += (*flight.electric.values(), *flight.damage(), float(flight.recordings.current is not None))
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
            out[at : at + len(SHIP)] = sim.tether.head["ship"]
            at += len(SHIP)
            out[at] = sim.tether.settings["payout"]
            at += len(DRUM)
        out[at:] = flight.score()
        return out

    def _motion(self, flight: Flight) -> list[float]:
        sim = flight.sim
        state = sim.evaluate()
        local_water = state.local_water
        north, east, depth = state.position_n.tolist()
        q0, q1, q2, q3 = state.quaternion.tolist()
        u, v, w, p, q, r = state.nu.tolist()
        roll, pitch, yaw = state.euler
        # Velocity over ground, NED: the rows of R_nb times (u, v, w). `over_ground` gives the same but for the last
        # bits, and recorded flights are compared bit by bit.
        v_north = (q0 * q0 + q1 * q1 - q2 * q2 - q3 * q3) * u + 2.0 * (
            (q1 * q2 - q0 * q3) * v + (q1 * q3 + q0 * q2) * w
        )
        v_east = (q0 * q0 - q1 * q1 + q2 * q2 - q3 * q3) * v + 2.0 * ((q1 * q2 + q0 * q3) * u + (q2 * q3 - q0 * q1) * w)
        v_down = (q0 * q0 - q1 * q1 - q2 * q2 + q3 * q3) * w + 2.0 * ((q1 * q3 - q0 * q2) * u + (q2 * q3 + q0 * q1) * v)
        touch = sim.plant.state["touch"]
        x, y, z = touch["wrench"][:3].tolist()
        c_north, c_east, c_down = local_water.velocity_n.tolist()
        return [
            north, east, depth, q0, q1, q2, q3, roll * DEGREES, pitch * DEGREES, compass(yaw * DEGREES),
            u, v, w, p * DEGREES, q * DEGREES, r * DEGREES,
            math.sqrt(u * u + v * v + w * w), course_of(v_north, v_east), v_down, state.altitude_m,
            local_water.below_m if sim.world.surface else math.nan, c_north, c_east, c_down,
            math.sqrt(x * x + y * y + z * z), float(touch["obstacle"]) if touch["count"] > 0 else math.nan,
        ]  # fmt: skip

    def _holds(self, flight: Flight) -> list[float]:
        held = flight.sim.held
        values = [math.nan if (value := getattr(held, name)) is None else value for name in HOLD_NAMES]
        if held.north_m is not None:
            values[HOLD_NAMES.index("speed_m_s")] = math.nan  # with a position the speed is a limit, not a setpoint
        if flight.perfect_depth_m is not None:
            values[HOLD_NAMES.index("depth_m")] = flight.perfect_depth_m
        values.append(float(flight.flies_mission))
        return values

    def _actuators(self, flight: Flight) -> list[float]:
        plant, limits, (nt, ns) = flight.sim.plant, self._limits, self._n
        actual, command = plant.state["actuators"], plant.command["actuators"]
        return [
            *limits.shares(actual["thruster"][:nt], limits.actual),
            *(actual["surface"][:ns] * DEGREES).tolist(),
            *limits.shares(command["thruster"][:nt], limits.commanded),
            *(command["surface"][:ns] * DEGREES).tolist(),
        ]
