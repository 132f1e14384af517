"""The whole equation of motion: sums, symmetry, frames, currents, rest."""

from dataclasses import replace

import numpy as np
import pytest

from pelagos.vehicle.pack.records import mass_matrix
from pelagos.vehicle.plant import TERMS, Plant
from tests.engine.probe import EVERY, LIBRARY, MIRROR, plant_of, put, sample, still, vehicle
from tests.reference.everything import everything, situation
from tests.reference.kinematics import rotation
from tests.reference.textbook import Commands, Textbook

FREE = [key for key in EVERY if all(vehicle(key).free) and vehicle(key).legacy.rigid_body_coriolis]
# Lop-sided on purpose, or by their published numbers
LOPSIDED = {
    "npsauv": "products of inertia I_xy and I_yz",
    "rexrov": "products of inertia as published",
    "everything": "invented so",
}


def test_terms_are_named_in_the_order_of_the_equation():
    assert TERMS[:4] == ("rigid_body", "added_mass", "coefficients", "crossflow")
    assert TERMS[4:] == ("lift_drag", "restoring", "fins", "thrusters", "contact", "tether", "external", "user")


@pytest.mark.parametrize("key", EVERY)
def test_mass_times_acceleration_is_the_sum_of_the_forces(key):
    """On the free axes; held ones keep their velocity through the water: nu_dot = d(R^T c)/dt."""
    of, plant = vehicle(key), plant_of(key)
    free = np.array(of.free)
    for moment in sample(key)[:5]:
        now = moment.now
        put(plant, now)
        total, nu_dot = sum(plant.forces().values()), plant.acceleration()
        inertia = Textbook(of).mass_matrix(now.ballast) if of.ballast else mass_matrix(of)
        size = max(np.abs(term).max() for term in moment.engine.values())
        np.testing.assert_allclose((inertia @ nu_dot)[free], total[free], rtol=0, atol=1e-11 * size)
        to_body = rotation(*now.euler).T
        drift = to_body @ now.current_dot_n - np.cross(now.nu[3:], to_body @ now.current_n)
        np.testing.assert_allclose(nu_dot[~free], np.append(drift, np.zeros(3))[~free], rtol=0, atol=1e-14)


@pytest.mark.parametrize("key", EVERY)
def test_at_rest_every_force_is_a_number(key):
    """No 0/0 anywhere; level and at rest nothing but weight and buoyancy acts."""
    of = vehicle(key)
    computed = put(plant_of(key), still(of)).forces()
    for name, force in computed.items():
        assert np.all(np.isfinite(force)), name
        if name != "restoring":
            np.testing.assert_array_equal(force, 0.0, err_msg=name)


@pytest.mark.parametrize("key", EVERY)
@pytest.mark.parametrize("axis", range(6))
def test_pure_motions_are_numbers_too(key, axis):
    """Along or about one axis alone, both ways, the others exactly zero."""
    of = vehicle(key)
    for speed in (0.7, -0.7, 1e-13):
        nu = np.zeros(6)
        nu[axis] = speed
        for force in put(plant_of(key), still(of, nu=nu)).forces().values():
            assert np.all(np.isfinite(force))


@pytest.mark.parametrize("key", [key for key in LIBRARY if key not in LOPSIDED])
def test_port_and_starboard_are_alike(key):
    """Reversing v, p, r, roll, heading and the cross current mirrors every force on an undeflected hull."""
    of, plant = vehicle(key), plant_of(key)
    for moment in sample(key)[:5]:
        level = still(of)  # thrusters and surfaces at zero, ballast amidships
        now = replace(
            moment.now,
            thruster_states=level.thruster_states,
            fin_angles=level.fin_angles,
            ballast=level.ballast,
        )
        mirrored = replace(
            now,
            nu=now.nu * MIRROR,
            euler=now.euler * [-1, 1, -1],
            current_n=now.current_n * [1, -1, 1],
            current_dot_n=now.current_dot_n * [1, -1, 1],
        )
        single, other = put(plant, now).forces(), put(plant, mirrored).forces()
        size = of.body.mass_kg * of.water.gravity_m_s2 + max(np.abs(f).max() for f in single.values())
        for name in TERMS:
            np.testing.assert_allclose(other[name], single[name] * MIRROR, rtol=0, atol=1e-12 * size, err_msg=name)


@pytest.mark.parametrize(
    ("key", "lateral"),
    [
        ("phoenix", (-1, -1, 1, 1)),
        ("torpedo", (-1, 1)),
        ("iver3", (-1, 1)),
        ("lauv", (-1, 1)),
        ("remus100", (-1, 1)),
        ("lrauv_tethys", (-1, 1)),
    ],
)
def test_mirrored_rudders_mirror_the_control_forces(key, lateral):
    of, plant = vehicle(key), plant_of(key)
    for moment in sample(key)[:5]:
        now = replace(moment.now, thruster_states=0 * moment.now.thruster_states, current_n=np.zeros(3))
        mirrored = replace(now, nu=now.nu * MIRROR, fin_angles=now.fin_angles * lateral)
        single, other = put(plant, now).forces(), put(plant, mirrored).forces()
        for name in ("coefficients", "fins"):
            size = max(1.0, np.abs(single[name]).max())
            np.testing.assert_allclose(other[name], single[name] * MIRROR, rtol=0, atol=1e-12 * size)
    assert of.surfaces


@pytest.mark.parametrize("key", EVERY)
def test_turning_the_world_changes_nothing(key):
    """Heading and current turned together by any angle: the same forces in body axes."""
    plant = plant_of(key)
    for moment, turn in zip(sample(key)[:5], (0.7, 1.5, 2.9, -2.0, -0.4), strict=True):
        world = rotation(0.0, 0.0, turn)
        turned = replace(
            moment.now,
            euler=moment.now.euler + np.array([0, 0, turn]),
            current_n=world @ moment.now.current_n,
            current_dot_n=world @ moment.now.current_dot_n,
        )
        computed = put(plant, turned).forces()
        for name in TERMS:
            # the weight of the vehicle bounds what rounding of the attitude can do
            size = max(np.abs(moment.engine[name]).max(), plant.vehicle.body.mass_kg * 9.81)
            np.testing.assert_allclose(computed[name], moment.engine[name], rtol=0, atol=1e-12 * size, err_msg=name)


HELD = ["slocum", "dsrv", "delphin2"]  # a held velocity is held through the water, so Galileo holds for these too


@pytest.mark.parametrize("key", [*(key for key in FREE if key != "remus100_mss"), *HELD])
def test_a_steady_current_only_carries_the_vehicle(key):
    """Galileo (errata B15): the same velocity through the water gives the same acceleration through the water."""
    plant = plant_of(key)
    for moment in sample(key)[:5]:
        now = replace(moment.now, current_dot_n=np.zeros(3))
        quiet = put(plant, replace(now, current_n=np.zeros(3))).acceleration()
        c_b = rotation(*now.euler).T @ now.current_n
        carried = replace(now, nu=now.nu + np.append(c_b, np.zeros(3)))
        nu_dot = put(plant, carried).acceleration()
        nu_dot[:3] += np.cross(now.nu[3:], c_b)  # minus d(R^T c)/dt
        np.testing.assert_allclose(nu_dot, quiet, rtol=0, atol=1e-11 * max(1.0, np.abs(quiet).max()))


def test_a_published_slip_depends_on_the_ground():
    """MSS remus100 takes its low-speed damping from the speed over ground: Galileo does not hold, as published."""
    of, plant = vehicle("remus100_mss"), plant_of("remus100_mss")
    now = still(of, nu=np.array([0.2, 0.1, 0, 0, 0, 0]))
    carried = replace(now, nu=now.nu + np.array([1.0, 0, 0, 0, 0, 0]), current_n=np.array([1.0, 0, 0]))
    difference = put(plant, now).acceleration() - put(plant, carried).acceleration()
    assert np.abs(difference).max() > 1e-3


@pytest.mark.parametrize("key", [key for key in FREE if not vehicle(key).lift_drag])
def test_neutral_body_at_rest_moves_with_accelerating_water(key):
    """Froude-Krylov and M_A c-dot together: CG at CB and W = B, at rest in the water, nu-dot = R^T c-dot."""
    of = vehicle(key)
    body = replace(
        of.body, volume_m3=of.body.mass_kg / of.water.density_kg_m3, cb_b=of.body.cg_b, compressibility_1_pa=0.0
    )
    of = replace(of, body=body, ballast=())
    euler, c_dot = np.array([0.2, -0.4, 1.0]), np.array([0.1, -0.2, 0.05])
    level = tuple(c for c in of.coefficients if not {"phi", "theta"} & set(c.factors))
    plant = put(Plant(replace(of, coefficients=level)), still(of, euler=euler, current_dot_n=c_dot))
    expected = np.append(rotation(*euler).T @ c_dot, np.zeros(3))
    np.testing.assert_allclose(plant.acceleration(), expected, atol=1e-11)  # rounding of W/m over small inertias


@pytest.mark.slow
def test_a_run_equals_the_textbook_run():
    """Every part at work for 2 s in a current, Euler angles in both: RK4 with the same stages, so rounding only.

    The servo's rate limit is left out: the engine takes the smaller of two changes in the step where it stops
    binding, the twin switches inside the step.
    """
    of = everything()
    of = replace(of, surfaces=tuple(replace(s, rate_rad_s=float("inf")) for s in of.surfaces))
    twin, plant = Textbook(of), Plant(of, euler_angles=True)
    start = twin.start([1.0, 0, 0, 0, 0, 0], (0.1, 0.05, 0.3), 20.0)
    commands = {"thrusters": [120.0, 10.0, 0.9, -0.7], "surfaces": [0.2, -0.25], "ballast": [2.5, 1e-4, 0.03]}
    current = np.array([0.2, -0.1, 0.05])
    end = twin.rk4(start, Commands(*(np.array(d) for d in commands.values()), current), 0.02, 100)
    plant.place(position_n=start.position_n, euler=tuple(start.euler), nu=start.nu)
    plant.water["current"] = current
    plant.set_actuators(**commands)
    plant.advance(0.02, 100)
    np.testing.assert_allclose(plant.nu, end.nu, atol=1e-11)
    np.testing.assert_allclose(plant.position_n, end.position_n, atol=1e-11)
    np.testing.assert_allclose(plant.euler, end.euler, atol=1e-11)


@pytest.mark.parametrize("density", [998.0, 1060.0])
def test_other_water_equals_the_textbook_in_other_water(density):
    of, rng = everything(), np.random.default_rng(15)
    plant, twin = Plant(of, density_kg_m3=density, gravity_m_s2=9.7), Textbook(of, density, 9.7)
    for _ in range(10):
        now = situation(of, rng)
        computed, expected = put(plant, now).forces(), twin.forces(*now.arguments())
        for name, force in expected.items():
            np.testing.assert_allclose(computed[name], force, rtol=0, atol=1e-10 * max(1.0, np.abs(force).max()))
