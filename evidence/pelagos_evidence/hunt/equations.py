"""Equations (1) to (7): the print, evaluated at random states, against the engine."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pelagos import frames
from pelagos.engine.water.sea import HULL
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import FreeSurfaceModel, Thruster, Vehicle
from pelagos.world.spec import World
from pelagos_evidence.claim import Claim, Proof, agreed, statement
from pelagos_evidence.document import Findings, Part, Tell
from pelagos_evidence.hunt import printed
from pelagos_evidence.hunt.dives import count_every_point

Array = NDArray[np.float64]

STATES = 200
ROUNDING = "both sides do the same sums in double precision in another order; four decades are left for cancellation"
HERE = "tests/evidence/hunt/test_equations.py"


def run(tell: Tell) -> Findings:
    """All of it takes a fraction of a second."""
    claims = equation_claims(load_vehicle("iver3"))
    tell(1.0)
    return Findings(tuple(claims))


def equation_claims(of: Vehicle) -> list[Claim]:
    """Rows of section II.C and III.A for a vehicle that should be the document's."""
    return [*_kinematics(of), *_dynamics(of), *_buoyancy(of)]


def _states(seed: int) -> list[tuple[Array, Array, Array]]:
    """Euler angles, velocities and wrenches at random: any roll and heading, pitch up to 80 deg."""
    rng = np.random.default_rng(seed)
    angles = rng.uniform(-1.0, 1.0, (STATES, 3)) * np.array([math.pi, math.radians(80.0), math.pi])
    speeds = rng.normal(size=(STATES, 6)) * np.array([1.5, 0.5, 0.5, 0.3, 0.3, 0.3])
    wrenches = rng.normal(size=(STATES, 6)) * np.array([30.0, 10.0, 10.0, 3.0, 10.0, 10.0])
    return list(zip(angles, speeds, wrenches, strict=True))


def _kinematics(of: Vehicle) -> list[Claim]:
    plant = Plant(of, euler_angles=True)
    pose, rate, square, turned, away = 0.0, 0.0, 0.0, 0.0, 0.0
    for euler, v, _ in _states(1):
        plant.reset()
        plant.place(position_n=(1.0, -2.0, 50.0), euler=tuple(euler), nu=v)
        before = np.concatenate([plant.position_n, plant.euler])
        pose = max(pose, float(np.abs(before - [1.0, -2.0, 50.0, *euler]).max()))
        # one step of Euler's method is the rate itself times the step
        plant.advance(0.01, 1, "euler")
        gone = (np.concatenate([plant.position_n, plant.euler]) - before) / 0.01
        rate = max(rate, float(np.abs(gone - printed.pose_rate(euler, v)).max()))
        r = frames.rotation_from_quaternion(plant.quaternion)
        away = max(away, float(np.abs(r - printed.rotation(plant.euler)).max()))
        square = max(square, float(np.abs(r.T @ r - np.eye(3)).max()))
        turned = max(turned, abs(float(np.linalg.det(r)) - 1.0))
    proof = Proof(
        code=("pelagos.engine.core.attitude", "pelagos.engine.core.kinematics"),
        tests=(HERE, "tests/engine/core/test_attitude.py"),
    )
    return [
        agreed(
            "pose",
            "equations 1, 2",
            "The state is position x, y, z (NED) and roll, pitch, heading: put in and read back",
            "x = [s; φ]",
            pose,
            1e-12,
            "m or rad",
            why="nothing is computed; a copy may round once",
            proof=proof,
            read_back=True,
        ),
        agreed(
            "kinematics",
            "equations 3, 4",
            f"Rate of the pose is J(angles) v: printed J against the engine, {STATES} random states",
            "[s-dot; φ-dot] = J(φ) v",
            rate,
            1e-10,
            "m/s or rad/s",
            why="the engine's rate is read from a step of 0.01 s at 50 m depth, which leaves 1e-14/0.01",
            proof=proof,
        ),
        statement(
            "rotation",
            "equation 4",
            "R turns body into world coordinates and is a rotation (element of SO(3)): R of the running vehicle at "
            f"{STATES} random attitudes",
            "R^T R = 1, det R = 1",
            f"off by {square:.1e} and {turned:.1e} at most; {away:.1e} from three turns about z, y, x",
            max(square, turned) < 1e-14 and away < 1e-13,
            tolerance="1e-14; 1e-13 from the printed R",
            why="rounding of nine products and of the angles",
            proof=proof,
        ),
    ]


def _dynamics(of: Vehicle) -> list[Claim]:
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
    code = ("pelagos.engine.core.motion", "pelagos.engine.forces.rigid_body", "pelagos.engine.forces.added_mass")
    return [
        agreed(
            "equation-of-motion",
            "equation 5",
            "M v-dot + C v + D v + g = tau with table I: acceleration of the printed equation against the "
            f"engine, {STATES} random states and wrenches",
            "M v-dot + C(v) v + D(v) v + g = τ",
            worst,
            1e-9,
            "m/s² or rad/s²",
            why="the file gives the centre of buoyancy to nine digits: 1.3e-8 of 12.5 N m over 19.8 kg m²",
            assumption="C(v) is not printed; it is built from the whole M (erratum H6). D v is read as D |v| v (H4).",
            proof=Proof(("H4", "H6"), code, (HERE, "tests/engine/core/test_motion.py")),
        ),
        agreed(
            "coriolis-power",
            "equation 5",
            "Centripetal and Coriolis forces do no work: v·C v over |v||C v|",
            f"0, C skew-symmetric ({printed.NOT_PRINTED})",
            power,
            1e-14,
            "",
            why="C is skew-symmetric; what is left is rounding",
            assumption="C(v) is not printed; it is built from the whole M (erratum H6).",
            proof=Proof(("H6",), code[1:], (HERE, "tests/analytic/test_conservation.py")),
        ),
        _linear_in_parameters(of),
    ]


def _linear_in_parameters(of: Vehicle) -> Claim:
    """Each group of parameters doubled adds once more what that group gives, and nothing else."""
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
        needed = [_needed(one, euler, v, v_dot) for one in (of, *groups.values(), both)]
        worst = max(worst, float(np.abs(needed[-1] - 2.0 * needed[0]).max()), _additive(needed))
    return agreed(
        "linear-in-parameters",
        "section I",
        "The model is linear in the parameters of mass and added mass, drag, buoyancy and actuators: the "
        "force that is missing for given motions when each group, and when all are doubled",
        "linear",
        worst,
        1e-9,
        "N or N m",
        why=f"forces of up to 1000 N; {ROUNDING}",
        assumption="Actuators: fins (doubled with the drag) and propeller of the vehicle file (H13).",
        proof=Proof(("H13",), ("pelagos.vehicle.pack.records",), (HERE,)),
    )


def _twice(of: Vehicle) -> tuple[Thruster, ...]:
    names = ("k_forward", "k_reverse", "torque_forward", "torque_reverse")
    return tuple(replace(t, **{name: 2.0 * getattr(t, name) for name in names}) for t in of.thrusters)


def _additive(needed: list[Array]) -> float:
    first, *doubled, _ = needed
    return float(np.abs(sum(one - first for one in doubled) - first).max())


def _needed(of: Vehicle, euler: Array, v: Array, v_dot: Array) -> Array:
    """What tau of (5) must add for a motion, submerged, fins at 6 deg and the propeller at 60 rad/s."""
    plant = Plant(replace(of, free_surface=FreeSurfaceModel("submerged")))
    plant.place(position_n=(0.0, 0.0, 50.0), euler=tuple(euler), nu=v)
    plant.set_actuators(surfaces=[0.1, -0.1], thrusters=[60.0], at_once=True)
    return plant.packed.mass_matrix @ v_dot - sum(plant.forces().values(), np.zeros(6))


def _buoyancy(of: Vehicle) -> list[Claim]:
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
    proof = Proof(("H1",), ("pelagos.engine.forces.restoring",), (HERE, "tests/analytic/test_surface.py"))
    hybrid_proof = Proof(
        ("H2", "H3", "H10", "H15"),
        ("pelagos.engine.water.wet", "pelagos.vehicle.pack.sampling.monte_carlo"),
        (HERE, "tests/engine/water/test_wet.py"),
    )
    deep.place(position_n=(0.0, 0.0, 50.0), euler=(0.2, 0.1, 0.0))
    roll, pitch = deep.forces()["restoring"][3:5]
    return [
        agreed(
            "submerged-restoring",
            "equation 6",
            f"g_s of the fully submerged vehicle: print against engine, {STATES} attitudes",
            "g_s = [(ρV_s - m) g R^T e3; ρ g V_s (r_s × R^T e3)]",
            worst,
            2e-8,
            "N or N m",
            why="the file gives the centre of buoyancy to nine digits: 1e-9 of 12.5 N m",
            proof=proof,
        ),
        statement(
            "restoring-signs",
            "equations 5, 6",
            "With g on the left and the centre of buoyancy above that of mass the vehicle rights itself",
            f"righting moments ({printed.NOT_PRINTED})",
            f"rolled and pitched by +0.2 and +0.1 rad: K = {roll:.3f}, M = {pitch:.3f} N m",
            roll < 0.0 and pitch < 0.0,
            why="the sign decides whether the vehicle stays upright; the print is right as it stands (H1)",
            proof=proof,
        ),
        agreed(
            "hybrid-restoring",
            "equation 7",
            "g_h with V_h and r_h from a cloud of 20,000 points: print against engine for the same "
            f"points, {STATES} random depths and attitudes (wet share {wettest[0]:.2f} to "
            f"{wettest[1]:.2f})",
            "(6) with V_h, r_h",
            partly,
            1e-9,
            "N or N m",
            why="20,000 shares of 320 N are added in double precision; a point is wet or not on both sides alike",
            assumption="r_h is the arithmetic mean of the wet points (printed: geometric, H2), 0 if none is wet (H3).",
            proof=hybrid_proof,
        ),
        agreed(
            "hybrid-is-submerged-when-wet",
            "equation 7",
            "Fully submerged, (7) is identical to (6): both hybrid hulls, every point counted, at 1.3 m "
            f"against the submerged model, {STATES} attitudes",
            "identical",
            same,
            1e-9,
            "N or N m",
            why="20,000 shares of 320 N are added in double precision",
            proof=replace(hybrid_proof, errata=("H10",)),
        ),
        agreed(
            "submerged-model-in-air",
            "section IV.B",
            "The submerged model behaves as if fully submerged even above the surface: its g at 50 m "
            "height against 50 m depth",
            "as if fully submerged",
            in_air,
            0.0,
            "N or N m",
            why="the same numbers are computed",
            proof=proof,
        ),
    ]


PART = Part(
    "equations",
    "Equations 1 to 7",
    "The equations of sections II and III were typed in once more as printed and evaluated at "
    "random states, beside the engine that flies the vehicle. C(v) is not printed, D is printed "
    "without its magnitude bars and r_h with the wrong kind of mean; the rows say what was taken. "
    "Equations 8 to 13 define differences and stand with the dive of section IV.A.",
    run,
)
