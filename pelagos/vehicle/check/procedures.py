"""Procedures that compute the published figures of a vehicle with the engine; the key `test` of a [[check]] names one.

A procedure takes the vehicle and the check's `setup` table and returns numbers in SI. Actuators, initial values and
drives have their names in the file, with the unit as a suffix: `thrusters = { port_screw_rpm = 700 }`. A list of values
means one run for each. Runs use the integrator and step of the vehicle. Keys that a procedure does not read are errors.

steady_speed   thrusters, surfaces, ballast, external, initial, free, seconds, axis: that velocity at the end
run            the same with quantity (surge .. yaw_rate, north, east, depth, roll, pitch, heading, thrust:NAME), at_s,
               changes (later actuator settings)
wrench         the same actuators and initial values, axis X..N: the sum of all forces at that instant
thrust         thruster, drive: push along its axis at rest in still water
mass_matrix    entries such as "11", "26"        net_buoyancy   buoyancy minus weight, ballast at its initial value
righting_period  axis roll|pitch, coupled        eigenvalues    speed, states, pick real|complex_pair|largest_real
trim           speed, quantity (sway, heave, pitch, roll, thrust, a surface): level flight
formula        name: crossflow_side_area, crossflow_plan_area, allocation, resistance, stability_index
floating_state seconds, quantity depth|pitch: of the centre of mass, released under a flat sea; mean of the last tenth
royer_tension  current, length, offsets (rows of X, Y): tension of the vehicle's cable at the vehicle, Royer 3.6
glider_flight  data (a CSV of a glider's sensors), quantity speed|depth_rate: error of the steady flight model

`glider_flight` compares the steady flight of a glider with its sensors. At every sample the forces along x and z are in
equilibrium at the measured pitch, with the logged setting of the buoyancy engine, in water of the measured density and
at the measured pressure; the speed is sqrt(u^2 + w^2). This is the steady-state flight model of Merckelbach et al.
(2010, 2019), with lift, drag and compressibility from the vehicle file. Columns of the data: t_s, pressure_bar,
pitch_rad, buoyancy_change_cc, density_kg_m3, speed_adcp_m_s (empty where absent).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import hypot, pi, sqrt
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from pelagos import frames
from pelagos.engine.water.sea import SEA
from pelagos.errors import VehicleFileError
from pelagos.files import library
from pelagos.units import split_key
from pelagos.vehicle import trim
from pelagos.vehicle.modes import linearise
from pelagos.vehicle.plant import EMPTY_SEA, Plant
from pelagos.vehicle.spec import AXES, VELOCITIES, Vehicle
from pelagos.vehicle.trim import glide

Array = NDArray[np.float64]

DENSITY_STEP = 0.05  # kg/m^3: samples of nearly the same density use one set of engine records
BAR = 1e5  # Pa, by definition
VELOCITY_INDEX = {letter: i for i, letter in enumerate(VELOCITIES)}
AXIS_INDEX = {letter: i for i, letter in enumerate(AXES)}
RATES = ("surge", "sway", "heave", "roll_rate", "pitch_rate", "yaw_rate")
PLACES = ("north", "east", "depth")
ANGLES = ("roll", "pitch", "heading")
GROUPS = (("thrusters", "thruster"), ("surfaces", "surface"), ("ballast", "ballast"))  # of a vehicle, of a command
FORMULAS = ("crossflow_side_area", "crossflow_plan_area", "allocation", "resistance", "stability_index")


class MissingParameterError(Exception):
    """A setup, or the vehicle file, lacks something that the procedure needs."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Setup:
    """The parameters of a procedure, the table `setup` of a check; it records which keys the procedure reads."""

    def __init__(self, values: dict[str, Any]) -> None:
        self._values = dict(values)
        self._keys_read: set[str] = set()
        self._rows: dict[str, list[Setup]] = {}

    def __getitem__(self, key: str) -> Any:
        self._keys_read.add(key)
        if key not in self._values:
            raise MissingParameterError(key)  # no KeyError: that would be a fault of the program
        return self._values[key]

    def get(self, key: str, default: Any = None) -> Any:
        """The value of a key, or the default."""
        self._keys_read.add(key)
        return self._values.get(key, default)

    def key(self, quantity: str) -> str:
        """The key of a quantity, with whatever unit the setup has it in."""
        return next((key for key in self._values if split_key(key)[0] == quantity), quantity)

    def si(self, quantity: str) -> float:
        """The value of a quantity in SI."""
        key = self.key(quantity)
        return self[key] * _factor(key)

    def rows(self, key: str) -> list[Setup]:
        """The tables of a list of tables."""
        self._rows[key] = [Setup(row) for row in self.get(key, [])]
        return self._rows[key]

    def unread_key(self, path: str = "setup") -> dict[str, Any] | None:
        """The fields of an error about a key that the procedure did not read; None if it read all of them."""
        for key, value in self._values.items():
            if key not in self._keys_read:
                return {"key": f"{path}.{key}", "value": value, "names": sorted(self._keys_read), "misspelt": key}
        for name, rows in self._rows.items():
            for k, row in enumerate(rows):
                if (unread := row.unread_key(f"{path}.{name}[{k}]")) is not None:
                    return unread
        return None


def compute(vehicle: Vehicle, test: str, setup: dict[str, Any]) -> list[float]:
    """Run a procedure by its name and return its numbers in SI.

    Raises an error if the name is unknown, or if the setup lacks a key, has a wrong value or a key that is not read.
    """
    if test not in PROCEDURES:
        _refuse(vehicle, "test", "no such procedure", value=test, names=PROCEDURES)
    parameters = Setup(setup)
    try:
        numbers = PROCEDURES[test](vehicle, parameters)
    except MissingParameterError as missing:
        _refuse(vehicle, "setup", f"the procedure {test} needs {missing.name}")
    except (TypeError, ValueError, IndexError) as problem:  # a text for a number, a list of the wrong length, ...
        _refuse(vehicle, "setup", f"does not fit the procedure {test} ({problem})")
    if (unread := parameters.unread_key()) is not None:
        _refuse(vehicle, message=f"the procedure {test} does not read it", **unread)
    return numbers


def steady_speed(vehicle: Vehicle, setup: Setup) -> list[float]:
    """One velocity after `seconds` of constant actuators, for each of their settings."""
    axis = _lookup(vehicle, "axis", VELOCITY_INDEX, setup["axis"])
    ends = [_plants_at(vehicle, setup, case, [setup["seconds"]])[0] for case in range(_cases(setup))]
    return [float(plant.nu[axis]) for plant in ends]


def run(vehicle: Vehicle, setup: Setup) -> list[float]:
    """Quantities at instants of a run, instant by instant."""
    names, times = _several(setup["quantity"]), _several(setup["at_s"])
    return [_quantity(plant, name) for plant in _plants_at(vehicle, setup, 0, times) for name in names]


def wrench(vehicle: Vehicle, setup: Setup) -> list[float]:
    """One component of the sum of all forces, actuators at their settings."""
    axis = _lookup(vehicle, "axis", AXIS_INDEX, setup["axis"])
    plant = _start(vehicle, setup, 0)
    plant.settle_actuators()
    return [float(np.sum(list(plant.forces().values()), axis=0)[axis])]


def thrust(vehicle: Vehicle, setup: Setup) -> list[float]:
    """Thrust of one thruster along its axis, vehicle at rest."""
    index = _index(vehicle, vehicle.thrusters, setup["thruster"])
    key = setup.key("drive")
    direction = np.array(vehicle.thrusters[index].direction_b)
    plant = Plant(vehicle)
    thrusts: list[float] = []
    for value in _several(setup[key]):
        drives = np.zeros(len(vehicle.thrusters))
        drives[index] = value * _factor(key)
        plant.set_actuators(thrusters=drives, at_once=True)
        thrusts.append(float(plant.forces()["thrusters"][:3] @ direction))
    return thrusts


def mass_matrix(vehicle: Vehicle, setup: Setup) -> list[float]:
    """Entries of rigid body plus added mass."""
    matrix = Plant(vehicle).packed.mass_matrix
    return [float(matrix[int(entry[0]) - 1, int(entry[1]) - 1]) for entry in setup["entries"]]


def net_buoyancy(vehicle: Vehicle, setup: Setup) -> list[float]:
    """Buoyancy minus weight, N."""
    del setup  # has no keys: `compute` refuses any
    return [-float(Plant(vehicle).forces()["restoring"][2])]


def floating_state(vehicle: Vehicle, setup: Setup) -> list[float]:
    """Depth of the centre of mass (m) or pitch (rad) of the vehicle afloat, once its motion has died away."""
    of_depth = _lookup(vehicle, "quantity", {"depth": True, "pitch": False}, setup["quantity"])
    sea = EMPTY_SEA.copy()
    sea[SEA.offset("surface")[0]] = 1.0
    plant = Plant(vehicle, sea=sea)
    plant.place(position_n=(0.0, 0.0, vehicle.length_m))  # submerged: it comes up by itself
    steps = round(setup.si("seconds") / vehicle.step_s)
    plant.advance(vehicle.step_s, steps - steps // 10)
    late = []
    for _ in range(100):  # the mean of the last tenth removes the rest of the oscillation
        plant.advance(vehicle.step_s, max(1, steps // 1000))
        down = frames.rotation_from_quaternion(plant.quaternion)[2]
        depth = float(plant.position_n[2] + down @ np.array(vehicle.body.cg_b))
        late.append(depth if of_depth else float(plant.euler[1]))
    return [float(np.mean(late))]


def righting_period(vehicle: Vehicle, setup: Setup) -> list[float]:
    """Undamped period of roll or pitch, 2 pi sqrt(m / k); with `coupled` the other motions are free."""
    axis = _lookup(vehicle, "axis", {"roll": 3, "pitch": 4}, setup["axis"])
    stiffness = float(trim.righting_lever(vehicle)[2])
    matrix = Plant(vehicle).packed.mass_matrix
    inertia = 1.0 / np.linalg.inv(matrix)[axis, axis] if setup.get("coupled") else matrix[axis, axis]
    return [2.0 * pi * sqrt(inertia / stiffness)]


def eigenvalues(vehicle: Vehicle, setup: Setup) -> list[float]:
    """Eigenvalues of chosen states straight ahead at a speed: real, complex_pair (its parts), largest_real."""
    plant = Plant(vehicle)
    plant.place(nu=[setup.si("speed"), 0.0, 0.0, 0.0, 0.0, 0.0])
    values = np.linalg.eigvals(linearise(plant, setup["states"]))
    pick = _lookup(vehicle, "pick", {name: name for name in ("real", "complex_pair", "largest_real")}, setup["pick"])
    if pick == "complex_pair":
        root = max(values, key=lambda value: value.imag)
        return [float(root.real), float(root.imag)]
    # real eigenvalues may come with an imaginary part of rounding
    real = values[np.abs(values.imag) < 1e-9].real if pick == "real" else [values.real.max()]
    return sorted(float(value) for value in real)


def level_trim(vehicle: Vehicle, setup: Setup) -> list[float]:
    """Attitude, thrust and surface angles of level flight at a surge speed."""
    flight = trim.level(vehicle, setup.si("speed"))
    if not flight.converged:
        _refuse(vehicle, "setup", "no level flight at this speed")
    known = {"sway": flight.nu[1], "heave": flight.nu[2], "roll": flight.euler[0], "pitch": flight.euler[1]}
    known["thrust"] = flight.thrust_n
    known |= {s.name: angle for s, angle in zip(vehicle.surfaces, flight.surfaces, strict=True)}
    return [float(_lookup(vehicle, "quantity", known, name)) for name in _several(setup["quantity"])]


def formula(vehicle: Vehicle, setup: Setup) -> list[float]:
    """Figures that follow from the vehicle's tables or from one evaluation of its forces."""
    name = _lookup(vehicle, "name", {formula: formula for formula in FORMULAS}, setup["name"])
    flow = vehicle.crossflow
    if name in ("crossflow_side_area", "crossflow_plan_area"):
        if flow is None:
            raise MissingParameterError("a [crossflow] in the file")
        width = flow.height_m if name == "crossflow_side_area" else flow.breadth_m
        return [float(np.dot(width, flow.weight_m))]
    if name == "allocation":
        rows = [vehicle.thrusters[_index(vehicle, vehicle.thrusters, thruster)] for thruster in setup["thrusters"]]
        columns = [np.concatenate([t.direction_b, np.cross(t.position_b, t.direction_b)]) for t in rows]
        axis = _lookup(vehicle, "axis", AXIS_INDEX, setup["axis"])
        return [float(column[axis]) for column in columns]
    if name == "resistance":
        key = setup.key("speed")
        return [-_force(Plant(vehicle), 0, value * _factor(key), 0.0)[0] for value in _several(setup[key])]
    return [_stability_index(vehicle, setup["plane"])]


def royer_tension(vehicle: Vehicle, setup: Setup) -> list[float]:
    """Tension of Royer's static cable at the vehicle, N; X = XA - XB is downstream, as in his solver (R29)."""
    from pelagos.tether.royer import royer_cable  # has its own kernel: imported only where it is needed

    if vehicle.tether is None:
        raise MissingParameterError("a [tether] in the file")
    speed, length = setup.si("current"), setup.si("length")
    return [
        royer_cable(
            vehicle.tether.cable, length, (0.0, 0.0, 0.0), (x, 0.0, abs(y)), (speed, 0.0, 0.0),
            density_kg_m3=vehicle.water.density_kg_m3,
        ).tension_vehicle_N
        for x, y in setup["offsets_m"]
    ]  # fmt: skip


@dataclass(frozen=True)
class GliderFlight:
    """Speeds of a glider at each sample: flight model and measurement."""

    speed_m_s: NDArray[np.float64]
    measured_m_s: NDArray[np.float64]
    sink_m_s: NDArray[np.float64]  # of the model, positive down
    depth_rate_m_s: NDArray[np.float64]  # from the pressure, mean of 5 samples

    @property
    def bias(self) -> float:
        """Mean of model minus measurement, m/s."""
        return float((self.speed_m_s - self.measured_m_s).mean())

    @property
    def rms(self) -> float:
        """Root mean square of model minus measurement, m/s."""
        return float(np.sqrt(((self.speed_m_s - self.measured_m_s) ** 2).mean()))

    @property
    def depth_rate_rms(self) -> float:
        """Root mean square of the error of the vertical speed, m/s."""
        return float(np.sqrt(((self.sink_m_s - self.depth_rate_m_s) ** 2).mean()))


def fly(
    vehicle: Vehicle, data: Path, *, mass_kg: float | None = None, pitch_above_deg: float = 11.0,
    depth_m: tuple[float, float] = (10.0, 35.0),
) -> GliderFlight:  # fmt: skip
    """Steady flight at the samples that have a measured speed, a steep enough pitch and a depth within the range."""
    log = np.genfromtxt(data, delimiter=",", names=True)
    depth = log["pressure_bar"] * BAR / (log["density_kg_m3"] * vehicle.water.gravity_m_s2)
    # pressure is noisy: the mean of five samples before the derivative
    rate = np.gradient(np.convolve(np.pad(depth, 2, mode="edge"), np.full(5, 0.2), "valid"), log["t_s"])
    chosen = np.isfinite(log["speed_adcp_m_s"]) & (np.abs(np.degrees(log["pitch_rad"])) > pitch_above_deg)
    chosen &= (depth > depth_m[0]) & (depth < depth_m[1])
    if mass_kg is not None:
        # the measured mass is that of the whole glider, the mass of the body is without ballast
        moving = sum(item.mass_kg + item.mass_per_unit * item.initial for item in vehicle.ballast)
        vehicle = replace(vehicle, body=replace(vehicle.body, mass_kg=mass_kg - moving))
    vehicle = replace(vehicle, free=tuple(letter in "uw" for letter in VELOCITIES))  # the pitch is measured
    engine = next(i for i, item in enumerate(vehicle.ballast) if item.kind == "engine")
    plants: dict[int, Plant] = {}
    speed, sink = np.empty(chosen.sum()), np.empty(chosen.sum())
    for k, sample in enumerate(np.flatnonzero(chosen)):
        row = log[sample]
        step = round(float(row["density_kg_m3"]) / DENSITY_STEP)
        if step not in plants:
            plants[step] = Plant(vehicle, density_kg_m3=step * DENSITY_STEP)
        plant = plants[step]
        plant.water["density"] = row["density_kg_m3"]  # buoyancy by the exact density, drag by the rounded one
        plant.state["actuators"]["ballast"][engine] = row["buoyancy_change_cc"] * 1e-6
        plant.place(position_n=[0.0, 0.0, depth[sample]])
        pitch = float(row["pitch_rad"])
        u, w, _, converged = glide(plant, pitch)
        speed[k] = hypot(u, w) if converged else np.nan
        sink[k] = w * np.cos(pitch) - u * np.sin(pitch)
    return GliderFlight(speed, log["speed_adcp_m_s"][chosen], sink, rate[chosen])


def glider_flight(vehicle: Vehicle, setup: Setup) -> list[float]:
    """Bias and rms of speed (m/s) against the data, or with quantity = "depth_rate" the rms of the vertical speed."""
    of_depth_rate = _lookup(vehicle, "quantity", {"speed": False, "depth_rate": True}, setup.get("quantity", "speed"))
    low, high = setup.get("depth_m", (10.0, 35.0))
    flight = fly(
        vehicle, _data_file(vehicle, setup["data"]), mass_kg=setup.get("mass_kg"),
        pitch_above_deg=setup.get("pitch_above_deg", 11.0), depth_m=(float(low), float(high)),
    )  # fmt: skip
    return [flight.depth_rate_rms] if of_depth_rate else [flight.bias, flight.rms]


def _stability_index(vehicle: Vehicle, plane: str) -> float:
    """Directional stability index at 1 m/s, negative if unstable: G = 1 - M_w (Z_q + m) / (M_q Z_w), or horizontally.

    The slopes are taken of the sum of all forces, so Coriolis forces (the m of Z_q + m) are included.
    """
    cross, turn = _lookup(vehicle, "plane", {"vertical": (2, 4), "horizontal": (1, 5)}, plane)
    plant, h = Plant(vehicle), 1e-6  # m/s or rad/s: small against 1 m/s, large against rounding

    def slope(axis: int) -> Array:
        return (_force(plant, axis, 1.0, h) - _force(plant, axis, 1.0, -h)) / (2.0 * h)

    by_cross, by_turn = slope(cross), slope(turn)
    return float(1.0 - by_cross[turn] * by_turn[cross] / (by_turn[turn] * by_cross[cross]))


def _force(plant: Plant, axis: int, speed: float, disturbance: float) -> Array:
    """Sum of all forces straight ahead at a speed, with a disturbance of one velocity."""
    nu = np.array([speed, 0.0, 0.0, 0.0, 0.0, 0.0])
    nu[axis] += disturbance
    plant.place(nu=nu)
    return np.sum(list(plant.forces().values()), axis=0)


def _cases(setup: Setup) -> int:
    """The number of runs of a setup: the length of its lists of actuator settings."""
    return max((len(x) for group, _ in GROUPS for x in setup.get(group, {}).values() if isinstance(x, list)), default=1)


def _start(vehicle: Vehicle, setup: Setup, case: int) -> Plant:
    """A plant in the initial state of the setup; actuators have their commands and start to move."""
    free = setup.get("free", ())
    for letter in free:
        _lookup(vehicle, "free", VELOCITY_INDEX, letter)
    if free:
        vehicle = replace(vehicle, free=tuple(letter in free for letter in VELOCITIES))
    plant = Plant(vehicle)
    nu, euler, position = plant.nu.copy(), plant.euler, plant.position_n.copy()
    for key, value in setup.get("initial", {}).items():
        name, si = split_key(key)[0], value * _factor(key)
        if name in RATES:
            nu[RATES.index(name)] = si
        elif name in PLACES:
            position[PLACES.index(name)] = si
        elif name in ANGLES:
            euler[ANGLES.index(name)] = si
        else:
            also = (*RATES, *PLACES, *ANGLES)
            plant.state["actuators"]["thruster"][_index(vehicle, vehicle.thrusters, key, also)] = si
    plant.place(nu=nu, euler=tuple(euler), position_n=position)
    for key, value in setup.get("external", {}).items():
        axis = _lookup(vehicle, "external", AXIS_INDEX, split_key(key)[0])
        plant.command["external"][axis] = value * _factor(key)
    _set_actuators(plant, setup, case)
    return plant


def _set_actuators(plant: Plant, setup: Setup, case: int) -> None:
    """Write the actuator settings of a setup, or of one of its changes, into the command of the plant."""
    vehicle = plant.vehicle
    for group, name in GROUPS:
        for key, value in setup.get(group, {}).items():
            index = _index(vehicle, getattr(vehicle, group), key)
            setting = value[case] if isinstance(value, list) else value
            # "port_m" may be a name without a unit: then the setting is in SI
            is_name = any(item.name == key for item in getattr(vehicle, group))
            plant.command["actuators"][name][index] = setting * (1.0 if is_name else _factor(key))


def _plants_at(vehicle: Vehicle, setup: Setup, case: int, times: Sequence[float]) -> list[Plant]:
    """Copies of the plant at some instants of one run; an error if the run diverges."""
    plant = _start(vehicle, setup, case)
    changes = {float(change["at_s"]): change for change in setup.rows("changes")}
    plants: list[Plant] = []
    for instant in sorted({*changes, *(float(t) for t in times)}):
        steps = round((instant - plant.time_s) / vehicle.step_s)
        if plant.advance(vehicle.step_s, steps, vehicle.integrator) < steps:
            _refuse(vehicle, "setup", f"the run diverges at {plant.time_s:.1f} s")
        if instant in times:
            copy = Plant(plant.vehicle)  # the run goes on with the original
            copy.restore(plant.save())
            plants.append(copy)
        _set_actuators(plant, changes.get(instant, Setup({})), case)
    return plants


def _quantity(plant: Plant, name: str) -> float:
    """A quantity of `run` in SI: a velocity, a coordinate, an angle or the thrust of one thruster."""
    if name.startswith("thrust:"):
        index = _index(plant.vehicle, plant.vehicle.thrusters, name.removeprefix("thrust:"))
        # the engine reports the sum of all thrusters, so the others stop for a moment
        drives = plant.state["actuators"]["thruster"].copy()
        plant.state["actuators"]["thruster"][:] = np.where(np.arange(drives.size) == index, drives, 0.0)
        force = float(plant.forces()["thrusters"][:3] @ np.array(plant.vehicle.thrusters[index].direction_b))
        plant.state["actuators"]["thruster"][:] = drives
        return force
    values = {**dict(zip(RATES, plant.nu, strict=True)), **dict(zip(PLACES, plant.position_n, strict=True))}
    values |= dict(zip(ANGLES, plant.euler, strict=True))
    return float(_lookup(plant.vehicle, "quantity", values, name))


def _refuse(vehicle: Vehicle, key: str, message: str = "", **fields: Any) -> NoReturn:
    raise VehicleFileError(message, file=vehicle.path or vehicle.key, key=f"check.{key}", **fields)


def _data_file(vehicle: Vehicle, name: str) -> Path:
    """The path of a measurement: beside the vehicle file, or in the library of the vehicle that it extends."""
    for folder in (Path(vehicle.path).parent, library.VEHICLES.folder):
        if (folder / name).is_file():
            return folder / name
    _refuse(vehicle, "setup.data", "no such file beside the vehicle file", value=name)


def _index(vehicle: Vehicle, items: Sequence[Any], key: str, also: tuple[str, ...] = ()) -> int:
    """Index of an actuator by its name, with or without a unit; `also` are other names to suggest in the error."""
    names = [item.name for item in items]
    for name in (key, split_key(key)[0]):
        if name in names:
            return names.index(name)
    names = [*also, *names]
    _refuse(vehicle, "setup", value=key, names=names, misspelt=split_key(key)[0])


def _lookup(vehicle: Vehicle, key: str, known: dict[str, Any], name: str) -> Any:
    """The value that a word of a setup stands for."""
    if name not in known:
        _refuse(vehicle, f"setup.{key}", value=name, names=known)
    return known[name]


def _factor(key: str) -> float:
    unit = split_key(key)[1]
    return unit.factor if unit else 1.0


def _several(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


PROCEDURES: dict[str, Callable[[Vehicle, Setup], list[float]]] = {
    "steady_speed": steady_speed, "run": run, "wrench": wrench, "thrust": thrust, "mass_matrix": mass_matrix,
    "net_buoyancy": net_buoyancy, "righting_period": righting_period, "eigenvalues": eigenvalues, "trim": level_trim,
    "formula": formula, "floating_state": floating_state, "royer_tension": royer_tension,
    "glider_flight": glider_flight,
}  # fmt: skip
