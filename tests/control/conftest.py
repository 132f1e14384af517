"""Three small vehicles made by hand, and a loop that flies them with the slow textbook model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from pelagos.control.base import Controller
from pelagos.messages import VehicleState
from pelagos.vehicle.spec import (
    AXES,
    Ballast,
    Body,
    Coefficient,
    ControlSurface,
    Crossflow,
    Fin,
    LiftDrag,
    ReferenceWater,
    Thruster,
    Vehicle,
)
from tests.reference.kinematics import rotation
from tests.reference.textbook import Commands, Textbook

RHO, G = 1025.0, 9.81
# A T200-like table at 14 V: dead zone, weaker astern.
T200 = ((-1.0, -34.5), (-0.6, -14.0), (-0.2, -1.6), (-0.06, 0.0), (0.06, 0.0), (0.2, 2.0), (0.6, 18.0), (1.0, 44.4))


def terms(table: dict[str, float]) -> tuple[Coefficient, ...]:
    """Coefficients from {"Y |u| v": value}: axis, then factors."""
    made = []
    for key, value in table.items():
        axis, *factors = key.split()
        made.append(Coefficient(key.replace(" ", "_"), AXES.index(axis), tuple(factors), value, value))
    return tuple(made)


def make_rov() -> Vehicle:
    """A BlueROV2 Heavy by the numbers of von Benzon et al. (JMSE 2022): 8 thrusters, all six axes, 1.3 N heavy."""
    s = 2.0**-0.5
    h, v = (0.156, 0.111, 0.085), (0.12, 0.218, 0.0)
    corners = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
    rows = [((x * h[0], y * h[1], h[2]), (s * x, -s * y, 0.0)) for x, y in corners]
    rows += [((x * v[0], y * v[1], v[2]), (0.0, 0.0, -1.0)) for x, y in corners]
    thrusters = tuple(
        Thruster(f"t{i}", at, along, "throttle", -1.0, 1.0, time_constant_s=0.1, lag_on="thrust", table=T200)
        for i, (at, along) in enumerate(rows)
    )
    linear = dict(zip("uvwpqr", (13.7, 0.0, 33.0, 0.0, 0.8, 0.0), strict=True))
    square = dict(zip("uvwpqr", (141.0, 217.0, 190.0, 1.19, 0.47, 1.5), strict=True))
    drag = {f"{a} {x}": -linear[x] for a, x in zip(AXES, "uvwpqr", strict=True) if linear[x]}
    drag |= {f"{a} {x} |{x}|": -square[x] for a, x in zip(AXES, "uvwpqr", strict=True)}
    return Vehicle(
        key="rov", name="test ROV", vehicle_class="ROV", summary="",
        water=ReferenceWater(RHO, G),
        body=Body(13.5, 0.0134 * 1000 / RHO, (0.0, 0.0, 0.0), (0.0, 0.0, -0.01), np.diag([0.26, 0.23, 0.37])),
        length_m=0.46,
        added_mass=np.diag([6.36, 7.12, 18.68, 0.189, 0.135, 0.222]),
        coriolis="full",
        coefficients=terms(drag),
        thrusters=thrusters,
    )  # fmt: skip


def make_torpedo() -> Vehicle:
    """A REMUS 100 by Prestero's coefficients (MIT/WHOI 2001): screw, rudder dr, stern plane ds; 3.3 N light."""
    added = np.diag([0.93, 35.5, 35.5, 0.0704, 4.88, 4.88])
    added[1, 5] = added[5, 1] = -1.93
    added[2, 4] = added[4, 2] = 1.93
    # Prestero's Y_uv, M_uw ... hold the added-mass Coriolis part; taken out here because coriolis = "full".
    table = {
        "X u |u|": -2.2,
        "Y |u| v": -28.6, "Y |u| r": 5.22 - (-0.93), "Y v |v|": -131.0, "Y r |r|": 0.632, "Y u |u| dr": 9.64,
        "Z |u| w": -28.6, "Z |u| q": -5.22 + (-0.93), "Z w |w|": -131.0, "Z q |q|": -0.632, "Z u |u| ds": -9.64,
        "K p |p|": -0.13,
        "M |u| w": 24.0 - 34.57, "M |u| q": -2.0 - 1.93, "M w |w|": 3.18, "M q |q|": -188.0, "M u |u| ds": -6.15,
        "N |u| v": -24.0 + 34.57, "N |u| r": -2.0 - 1.93, "N v |v|": -3.18, "N r |r|": -94.0, "N u |u| dr": -6.15,
    }  # fmt: skip
    screw = Thruster(
        "screw", (-0.7, 0.0, 0.0), (1.0, 0.0, 0.0), "rate", -160.0, 160.0, time_constant_s=0.3,
        k_forward=6.279e-4, k_reverse=6.279e-4, inflow_forward=6.0e-3, inflow_reverse=6.0e-3, wake=0.2,
        torque_forward=-1.0e-6, torque_reverse=-1.0e-6,
    )  # fmt: skip
    return Vehicle(
        key="torpedo", name="test torpedo", vehicle_class="AUV", summary="",
        water=ReferenceWater(RHO, G),
        body=Body(30.48, 302.34 / (RHO * G), (0.0, 0.0, 0.0196), (0.0, 0.0, 0.0), np.diag([0.177, 3.45, 3.45])),
        length_m=1.33,
        added_mass=added,
        coriolis="full",
        coefficients=terms(table),
        surfaces=(ControlSurface("rudder", "dr", 0.24, 0.1), ControlSurface("stern plane", "ds", 0.24, 0.1)),
        thrusters=(screw,),
    )  # fmt: skip


def make_finned() -> Vehicle:
    """A 2 m hull with four independent tail fins given as geometry, cross-flow drag and a force-driven screw."""
    n = 21
    x = np.linspace(-1.0, 1.0, n)
    weight = np.full(n, 0.1)
    weight[[0, -1]] = 0.05
    strip = tuple(np.full(n, 0.2))
    at = ((0.0, -0.1), (0.1, 0.0), (0.0, 0.1), (-0.1, 0.0))  # top, starboard, bottom, port: y, z
    fins = tuple(
        Fin(f"fin {i}", i, (-0.9, y, z), (0.0, 1.0, 0.0) if y == 0.0 else (0.0, 0.0, 1.0), 0.012, 3.0, 0.4, drag_0=0.01)
        for i, (y, z) in enumerate(at)
    )
    mass = RHO * 0.055
    return Vehicle(
        key="finned", name="test finned AUV", vehicle_class="AUV", summary="",
        water=ReferenceWater(RHO, G),
        body=Body(mass, 0.055, (0.0, 0.0, 0.02), (0.0, 0.0, 0.0), np.diag([0.3, 15.0, 15.0])),
        length_m=2.0,
        added_mass=np.diag([2.0, 50.0, 50.0, 0.1, 12.0, 12.0]),
        coriolis="full",
        coefficients=terms({"X u |u|": -3.0, "K p": -0.3, "K p |p|": -0.3}),
        crossflow=Crossflow(tuple(x), strip, strip, tuple(weight), (1.1,) * n, (1.1,) * n),
        surfaces=tuple(ControlSurface(f"fin {i}", f"d{i}", 0.35, 0.1) for i in range(4)),
        fins=fins,
        thrusters=(Thruster("jet", (-1.0, 0.0, 0.0), (1.0, 0.0, 0.0), "force", -15.0, 25.0, linear=1.0),),
    )  # fmt: skip


def make_glider() -> Vehicle:
    """A hull with wings and a buoyancy engine, nothing else."""
    engine = Ballast("engine", "engine", "m3", -3e-4, 3e-4, 0.0, 2e-5, volume_per_unit=1.0, position_b=(0.7, 0.0, 0.0))
    return Vehicle(
        key="glider", name="test glider", vehicle_class="glider", summary="",
        water=ReferenceWater(RHO, G),
        body=Body(52.0, 52.0 / RHO, (0.0, 0.0, 0.005), (0.0, 0.0, 0.0), np.diag([1.0, 10.0, 10.0])),
        length_m=1.8,
        added_mass=np.diag([2.0, 50.0, 50.0, 0.5, 10.0, 10.0]),
        coriolis="full",
        lift_drag=LiftDrag(lift_a=250.0, drag_0=5.0, drag_aa=80.0, pitch_a=-30.0, pitch_q=-50.0),
        ballast=(engine,),
    )  # fmt: skip


@dataclass
class Flight:
    """What came of a run, one row per control period."""

    time: np.ndarray
    depth: np.ndarray
    roll: np.ndarray
    pitch: np.ndarray
    yaw: np.ndarray
    speed: np.ndarray  # through the water, ahead
    thrusters: np.ndarray
    surfaces: np.ndarray


Flyer = Callable[..., Flight]


def fly_textbook(
    vehicle: Vehicle,
    controller: Controller,
    seconds: float,
    current: tuple[float, float, float] = (0.0, 0.0, 0.0),
    nu: tuple[float, ...] = (0.0,) * 6,
    depth: float = 0.0,
) -> Flight:
    """Fly at 10 Hz on Runge-Kutta steps of 0.1 s (the lags inside are exact), from the given velocity over ground."""
    model = Textbook(vehicle)
    state = model.start(nu=nu, depth=depth)
    rows, drives, angles = [], [], []
    for k in range(round(seconds * 10)):
        r_nb = rotation(*state.euler)
        nu_r = state.nu.copy()
        nu_r[:3] -= r_nb.T @ np.array(current)
        measured = VehicleState(0.1 * k, state.position_n, *state.euler, state.nu, nu_r)
        command = controller.update(measured, 0.1)
        state = model.rk4(state, Commands(command.thrusters, command.surfaces, command.ballast, current), 0.1, 1)
        rows.append([0.1 * (k + 1), state.position_n[2], *state.euler, nu_r[0]])
        drives.append(command.thrusters)
        angles.append(command.surfaces)
    return Flight(*np.array(rows).T, np.array(drives), np.array(angles))


@pytest.fixture(scope="session")
def rov() -> Vehicle:
    return make_rov()


@pytest.fixture(scope="session")
def torpedo() -> Vehicle:
    return make_torpedo()


@pytest.fixture(scope="session")
def finned() -> Vehicle:
    return make_finned()


@pytest.fixture(scope="session")
def glider() -> Vehicle:
    return make_glider()


@pytest.fixture
def fly() -> Flyer:
    return fly_textbook
