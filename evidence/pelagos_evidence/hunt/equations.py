"""Equations (1) to (7), evaluated at random states as printed and by the engine."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from pelagos import frames
from pelagos.engine.water.sea import HULL
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import FreeSurfaceModel, Thruster, Vehicle
from pelagos.world.spec import World
from pelagos_evidence.document import Findings, Progress
from pelagos_evidence.hunt import printed
from pelagos_evidence.hunt.dives import count_every_point
from pelagos_evidence.rows import Array, Rows, Values

STATES = 200  # random states for each equation: a wrong term shows at almost every one


ROWS = Rows(__file__, STATES=STATES)


def run(progress: Progress) -> Findings:
    """Compare all equations; takes a fraction of a second."""
    values = equation_values(load_vehicle("iver3"))
    progress(1.0)
    return Findings(ROWS.claims(values))


def equation_values(of: Vehicle) -> Values:
    """Rows of section II.C and III.A for a vehicle that should be the document's."""
    return {**_kinematics(of), **_dynamics(of), **_buoyancy(of)}


def _states(seed: int) -> list[tuple[Array, Array, Array]]:
    """Euler angles, velocities and wrenches at random: any roll and heading, pitch up to 80 deg."""
    rng = np.random.default_rng(seed)
    angles = rng.uniform(-1.0, 1.0, (STATES, 3)) * np.array([math.pi, math.radians(80.0), math.pi])
    speeds = rng.normal(size=(STATES, 6)) * np.array([1.5, 0.5, 0.5, 0.3, 0.3, 0.3])
    wrenches = rng.normal(size=(STATES, 6)) * np.array([30.0, 10.0, 10.0, 3.0, 10.0, 10.0])
    return list(zip(angles, speeds, wrenches, strict=True))


def _kinematics(of: Vehicle) -> Values:
    plant = Plant(of, euler_angles=True)
    pose, rate, square, turned, away = 0.0, 0.0, 0.0, 0.0, 0.0
    for euler, v, _ in _states(1):
        plant.reset()
        plant.place(position_n=(1.0, -2.0, 50.0), euler=tuple(euler), nu=v)
        before = np.concatenate([plant.position_n, plant.euler])
        pose = max(pose, float(np.abs(before - [1.0, -2.0, 50.0, *euler]).max()))
        # one step of Euler's method is the rate itself times the step
        plant.advance(0.01, 1, "euler")
        moved = (np.concatenate([plant.position_n, plant.euler]) - before) / 0.01
        rate = max(rate, float(np.abs(moved - printed.pose_rate(euler, v)).max()))
        r = frames.rotation_from_quaternion(plant.quaternion)
        away = max(away, float(np.abs(r - printed.rotation(plant.euler)).max()))
        square = max(square, float(np.abs(r.T @ r - np.eye(3)).max()))
        turned = max(turned, abs(float(np.linalg.det(r)) - 1.0))
    return {
        "pose": pose,
        "kinematics": rate,
        "rotation": {
            "holds": max(square, turned) < 1e-14 and away < 1e-13,
            "square": square,
            "turned": turned,
            "away": away,
        },
    }


def _dynamics(of: Vehicle) -> Values:
    plant = Plant(replace(of, free_surface=FreeSurfaceModel("submerged")))
    worst, power = 0.0, 0.0
    for euler, v, tau in _states(2):
        plant.place(position_n=(0.0, 0.0, 50.0), euler=tuple(euler), nu=v)
        plant.command["external"] = tau
        left = printed.restoring(euler, printed.NET_BUOYANCY_N, printed.RIGHTING_N_M)
        worst = max(worst, float(np.abs(plant.acceleration() - printed.acceleration(v, tau, left)).max()))
        forces = plant.forces()
        c = forces["rigid_body"] + forces["added_mass"]
        power = max(power, abs(float(v @ c)) / float(np.linalg.norm(v) * np.linalg.norm(c)))
    return {"equation-of-motion": worst, "coriolis-power": power, **_linear_in_parameters(of)}


def _linear_in_parameters(of: Vehicle) -> Values:
    """Doubling a group of parameters adds the force of that group once more and changes nothing else."""
    body = of.body
    groups = {
        "mass, inertia and added mass": replace(
            of,
            body=replace(body, mass_kg=2.0 * body.mass_kg, inertia_o=2.0 * body.inertia_o),
            added_mass=2.0 * of.added_mass,
        ),
        "drag": replace(of, coefficients=tuple(replace(c, value=2.0 * c.value) for c in of.coefficients)),
        "buoyancy": replace(of, body=replace(body, volume_m3=2.0 * body.volume_m3)),
        "propeller": replace(of, thrusters=_twice(of)),
    }
    both = replace(
        groups["drag"],
        body=replace(groups["mass, inertia and added mass"].body, volume_m3=2.0 * body.volume_m3),
        added_mass=2.0 * of.added_mass,
        thrusters=_twice(of),
    )
    worst = 0.0
    for euler, v, v_dot in _states(3)[:20]:
        needed = [_needed(vehicle, euler, v, v_dot) for vehicle in (of, *groups.values(), both)]
        worst = max(worst, float(np.abs(needed[-1] - 2.0 * needed[0]).max()), _additive(needed))
    return {"linear-in-parameters": worst}


def _twice(of: Vehicle) -> tuple[Thruster, ...]:
    names = ("k_forward", "k_reverse", "torque_forward", "torque_reverse")
    return tuple(replace(t, **{name: 2.0 * getattr(t, name) for name in names}) for t in of.thrusters)


def _additive(needed: list[Array]) -> float:
    first, *doubled, _ = needed
    return float(np.abs(sum(term - first for term in doubled) - first).max())


def _needed(of: Vehicle, euler: Array, v: Array, v_dot: Array) -> Array:
    """Wrench that tau of (5) must add for a motion, submerged, fins at 6 deg and the propeller at 60 rad/s."""
    plant = Plant(replace(of, free_surface=FreeSurfaceModel("submerged")))
    plant.place(position_n=(0.0, 0.0, 50.0), euler=tuple(euler), nu=v)
    plant.set_actuators(surfaces=[0.1, -0.1], thrusters=[60.0], at_once=True)
    return plant.packed.mass_matrix @ v_dot - sum(plant.forces().values(), np.zeros(6))


def _buoyancy(of: Vehicle) -> Values:
    sea = World().packed()
    deep = Plant(replace(of, free_surface=FreeSurfaceModel("submerged")), sea=sea)
    cloud = Plant(replace(of, free_surface=FreeSurfaceModel("monte_carlo", 20_000)), sea=sea)
    smooth = Plant(of, sea=sea)
    for plant in (cloud, smooth):
        count_every_point(plant.hull)
    head = cloud.hull[: HULL.size].view(HULL.dtype)[0]
    at, n = int(head["points_at"]), int(head["n_points"])
    places, shares = cloud.hull[at : at + 3 * n].reshape(3, n).T, cloud.hull[at + 3 * n : at + 4 * n]
    weight = of.body.mass_kg * of.water.gravity_m_s2
    whole = weight + printed.NET_BUOYANCY_N
    worst, partly, same, in_air, wettest = 0.0, 0.0, 0.0, 0.0, [1.0, 0.0]
    rng = np.random.default_rng(4)
    for euler, _, _ in _states(5):
        deep.place(position_n=(0.0, 0.0, 50.0), euler=tuple(euler))
        submerged = -deep.forces()["restoring"]
        worst = max(
            worst,
            float(np.abs(submerged - printed.restoring(euler, printed.NET_BUOYANCY_N, printed.RIGHTING_N_M)).max()),
        )
        deep.place(position_n=(0.0, 0.0, -50.0))
        in_air = max(in_air, float(np.abs(-deep.forces()["restoring"] - submerged).max()))
        depth = float(rng.uniform(-0.2, 0.3))
        cloud.place(position_n=(0.0, 0.0, depth), euler=tuple(euler))
        share, mean = printed.wet_part(places, shares, depth, euler)
        wettest = [min(wettest[0], share), max(wettest[1], share)]
        expected = printed.restoring(euler, whole * share - weight, whole * share * mean)
        partly = max(partly, float(np.abs(-cloud.forces()["restoring"] - expected).max()))
        for hybrid in (cloud, smooth):
            hybrid.place(position_n=(0.0, 0.0, 1.3), euler=tuple(euler))
            same = max(same, float(np.abs(-hybrid.forces()["restoring"] - submerged).max()))
    deep.place(position_n=(0.0, 0.0, 50.0), euler=(0.2, 0.1, 0.0))
    roll, pitch = deep.forces()["restoring"][3:5]
    return {
        "submerged-restoring": worst,
        "restoring-signs": {"holds": roll < 0.0 and pitch < 0.0, "roll": roll, "pitch": pitch},
        "hybrid-restoring": {"difference": partly, "wettest": wettest},
        "hybrid-is-submerged-when-wet": same,
        "submerged-model-in-air": in_air,
    }
