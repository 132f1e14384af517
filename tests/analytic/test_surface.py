"""The free surface: analytic checks B4, E4 and E5, and floating bodies from textbooks."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from pelagos.engine.water.sea import HULL
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.pack.hull import hull_table
from pelagos.vehicle.pack.records import mass_matrix
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Body, Fin, FreeSurfaceModel, Shape, Thruster
from pelagos.world.spec import World
from pelagos.world.waves import Waves
from tests.engine.probe import RHO, G, ball, terms
from tests.engine.water.test_wet import energy

IVER3 = load_vehicle("iver3")
CALM = World().packed()


def afloat(of, **place):
    plant = Plant(of, sea=CALM)
    plant.place(**place)
    return plant


def with_method(of, method, points=512):
    return replace(of, free_surface=FreeSurfaceModel(method, points))


def bare(of):
    """No damping, no actuators: only mass, added mass and the water's pressure."""
    return replace(of, coefficients=(), crossflow=None, fins=(), thrusters=(), surfaces=())


def rest(of):
    """Depth of O and pitch at which neither force nor pitching moment is left.

    Newton with slopes over 4 mm and 0.4 deg: a cloud of points has no smaller ones.
    """
    plant = afloat(of)

    def unbalanced(guess):
        plant.place(position_n=(0.0, 0.0, guess[0]), euler=(0.0, guess[1], 0.0))
        return sum(plant.forces().values())[[2, 4]]

    guess, steps = np.array([0.13, 0.0]), np.array([2e-3, 3.5e-3])
    for _ in range(40):
        slopes = [(unbalanced(guess + d) - unbalanced(guess - d)) / (2.0 * np.abs(d).sum()) for d in np.diag(steps)]
        guess = guess - 0.7 * np.linalg.solve(np.array(slopes).T, unbalanced(guess))
    assert np.abs(unbalanced(guess)).max() < 0.02  # N and N m, of 3.5 N that the mast carries
    return float(guess[0]), math.degrees(guess[1])


@pytest.mark.parametrize("method", ["quadrature", "monte_carlo"])
def test_e5_iver3_at_rest(method):
    """E5: COM 0.130 +- 0.005 m deep, nose 1.18 deg up with the mast 0.073 m aft (document: 0.13 m, nose touching)."""
    depth, pitch = rest(with_method(IVER3, method, 100_000 if method == "monte_carlo" else 512))
    assert depth == pytest.approx(0.130, abs=0.005)
    assert pitch == pytest.approx(1.18, abs=0.1)


def test_e5_mast_amidships_floats_level():
    shapes = (IVER3.shapes[0], replace(IVER3.shapes[1], center_b=(0.0, *IVER3.shapes[1].center_b[1:])))
    depth, pitch = rest(replace(IVER3, shapes=shapes))
    assert depth == pytest.approx(0.130, abs=0.005)
    assert abs(pitch) < 1e-6


def test_e5_iver3_comes_to_rest_there():
    """Let go fully wet, it rises, breaks the surface and stays: simulated as the document does."""
    plant = afloat(IVER3, position_n=(0.0, 0.0, 0.35))
    plant.advance(0.02, 40_000)
    late = []
    for _ in range(100):
        plant.advance(0.02, 100)
        late.append((plant.position_n[2], math.degrees(plant.euler[1])))
    depth, pitch = np.mean(late, axis=0)
    assert depth == pytest.approx(0.130, abs=0.005)
    assert pitch == pytest.approx(1.18, abs=0.15)  # pitch has no linear damping: it still swings by 0.05 deg
    assert plant.local_water().wet_share == pytest.approx(1.0 - 3.53 / (1000.0 * 9.81 * IVER3.body.volume_m3), abs=5e-4)


@pytest.mark.parametrize("method", ["quadrature", "monte_carlo"])
def test_e4_fully_wet_equals_submerged(method):
    """E4: a minute of flight 3 m deep, then the force where the hull is just wet: the same to 1e-11."""
    pair = [afloat(with_method(IVER3, m), position_n=(0.0, 0.0, 3.0)) for m in (method, "submerged")]
    for plant in pair:
        plant.set_actuators(thrusters=[75.0], surfaces=[0.05, -0.05, 0.05, 0.05][: len(IVER3.surfaces)])
        plant.advance(0.02, 500)
    np.testing.assert_allclose(pair[0].position_n, pair[1].position_n, atol=1e-11)
    np.testing.assert_allclose(pair[0].euler, pair[1].euler, atol=1e-11)
    top = 0.0369 + 0.0735 + 0.203  # of the mast above the COM; blur ends 0.1 m above it
    near = [afloat(with_method(IVER3, m), position_n=(0.0, 0.0, top + 0.1)) for m in (method, "submerged")]
    assert near[0].position_n[2] < near[0].hull[0]  # within reach of the surface: the points are evaluated
    weight = IVER3.body.mass_kg * 9.81
    np.testing.assert_allclose(
        near[0].forces()["restoring"], near[1].forces()["restoring"], atol=1e-11 * weight, rtol=0.0
    )


def test_b4_energy_with_the_cloud_of_the_document():
    """B4: 1/2 nu'M nu + rho g (V/N) (depths of the wet points) - m g z is kept; the document's cloud, N = 20000.

    The cloud is not smooth: the check's own drift is 3.1e-4 J on a scale of 0.7 J at this step. Twice that is allowed.
    """
    of = bare(with_method(IVER3, "monte_carlo", 20_000))
    plant = afloat(of, position_n=(0.0, 0.0, 0.35), euler=(0.05, 0.03, 0.0))
    head = plant.hull[: HULL.size].view(HULL.dtype)[0]
    n, at = int(head["n_points"]), int(head["points_at"])
    x, y, z, share = plant.hull[at : at + 4 * n].reshape(4, n)
    density, g = float(plant.water["density"]), float(plant.water["gravity"])
    m = mass_matrix(of)

    def total():
        phi, theta, _ = plant.euler
        down = np.array([-math.sin(theta), math.cos(theta) * math.sin(phi), math.cos(theta) * math.cos(phi)])
        depths = plant.position_n[2] + down @ np.array([x, y, z])
        lift = density * g * of.body.volume_m3 * (share * np.maximum(depths, 0.0)).sum()
        cg = plant.position_n[2] + down @ np.array(of.body.cg_b)
        return 0.5 * plant.nu @ m @ plant.nu + lift - of.body.mass_kg * g * cg

    levels = [total()]
    for _ in range(40):
        plant.advance(0.01, 100)
        levels.append(total())
    assert np.ptp(levels) < 6.2e-4


@pytest.mark.slow
def test_b4_energy_with_the_smooth_hull():
    """B4 for the sections: the energy of the wet part is known in closed form, and RK4 keeps the sum to 1e-6 J."""
    of = bare(IVER3)
    plant = afloat(of, position_n=(0.0, 0.0, 0.35), euler=(0.05, 0.03, 0.0))
    density, g, m = float(plant.water["density"]), float(plant.water["gravity"]), mass_matrix(of)

    def total():
        phi, theta, _ = plant.euler
        down = np.array([-math.sin(theta), math.cos(theta) * math.sin(phi), math.cos(theta) * math.cos(phi)])
        depth = float(plant.position_n[2])
        lift = density * g * of.body.volume_m3 * energy(plant.hull, depth, down)
        return 0.5 * plant.nu @ m @ plant.nu + lift - of.body.mass_kg * g * (depth + down @ np.array(of.body.cg_b))

    levels = [total()]
    wet = []
    for _ in range(80):
        plant.advance(0.01, 50)
        levels.append(total())
        wet.append(plant.local_water().wet_share)
    assert min(wet) < 0.995 and max(wet) == pytest.approx(1.0)  # it went through the surface
    assert np.ptp(levels) < 1e-6


def box(breadth, height=0.4, mass_share=0.5, cg_down=0.0, **parts):
    """A box 1 m long that displaces `mass_share` of itself afloat, O at its middle."""
    volume = 1.0 * breadth * height
    mass = mass_share * RHO * volume
    inertia = mass / 12.0 * np.diag([breadth**2 + height**2, 1.0 + height**2, 1.0 + breadth**2])
    body = Body(mass, volume, (0.0, 0.0, cg_down), (0.0, 0.0, 0.0), inertia)
    drag = terms({"Z w": -200.0, "K p": -4.0, "M q": -20.0})
    return ball(body=body, shapes=(Shape("box", size_m=(1.0, breadth, height)),), coefficients=drag, **parts)


@pytest.mark.parametrize("share", [0.25, 0.5, 0.8])
def test_box_floats_at_its_draught(share):
    """T = H m/(rho V): let go half a box deep, it comes to rest there."""
    plant = afloat(box(0.8, mass_share=share), position_n=(0.0, 0.0, 0.2))
    plant.advance(0.01, 6000)
    draught = 0.2 + plant.position_n[2]
    assert draught == pytest.approx(0.4 * share, abs=1e-4 * 0.4 + 1e-4)


@pytest.mark.parametrize("breadth", [0.3, 0.45, 0.6, 0.8])
def test_righting_moment_is_the_metacentric_height(breadth):
    """K = -m g GM phi with GM = T/2 + B^2/(12 T) - KG, for small phi."""
    phi, draught = math.radians(1.0), 0.2
    gm = draught / 2.0 + breadth**2 / (12.0 * draught) - 0.2
    of = box(breadth)
    moment = afloat(of, position_n=(0.0, 0.0, 0.0), euler=(phi, 0.0, 0.0)).forces()["restoring"][3]
    # higher orders of phi and the blur of the box's edges are below 1 % of BM here
    bm = breadth**2 / (12.0 * draught)
    assert moment == pytest.approx(-of.body.mass_kg * G * gm * phi, abs=0.01 * of.body.mass_kg * G * bm * phi)


def test_capsizes_when_gm_is_negative_and_not_otherwise():
    """B = 0.3 m: GM = -62 mm, it falls over. B = 0.6 m: GM = +50 mm, it stands up again."""
    ends = []
    for breadth in (0.3, 0.6):
        plant = afloat(box(breadth), position_n=(0.0, 0.0, 0.0), euler=(math.radians(2.0), 0.0, 0.0))
        plant.advance(0.01, 6000)
        ends.append(abs(math.degrees(plant.euler[0])))
    assert ends[0] > 30.0
    assert ends[1] < 0.1


def test_a_small_float_follows_a_long_wave():
    """Wave of 8 s and 1 m, 100 m long; a float of 0.3 m: it keeps its draught and goes round with the water."""
    wave = Waves(kind="regular", height_m=1.0, period_s=8.0, to_deg=0.0)
    volume = 0.027
    body = Body(0.5 * RHO * volume, volume, (0.0, 0.0, 0.05), (0.0, 0.0, 0.0), np.diag([0.2, 0.2, 0.2]))
    drag = terms({"X u": -60.0, "Y v": -60.0, "Z w": -60.0, "K p": -2.0, "M q": -2.0, "N r": -2.0})
    added = np.diag([7.0, 7.0, 7.0, 0.0, 0.0, 0.0])
    of = ball(body=body, added_mass=added, shapes=(Shape("box", size_m=(0.3, 0.3, 0.3)),), coefficients=drag)
    world = World(waves=wave)
    plant = Plant(of, sea=world.packed(gravity_m_s2=G))
    plant.place(position_n=(0.0, 0.0, float(world.surface_m(0.0, 0.0))))
    plant.advance(0.02, 2000)
    north, depth, below = [], [], []
    for _ in range(81):
        plant.advance(0.02, 5)
        north.append(plant.position_n[0])
        depth.append(plant.position_n[2])
        below.append(plant.local_water().below_m)
    assert np.ptp(depth) == pytest.approx(1.0, rel=0.02)  # 0.3 m/100 m of the wave is 2 %
    assert np.ptp(below) < 0.05
    drift = np.linspace(0.0, north[-1] - north[0], len(north))  # one period later it would be back but for this
    assert np.ptp(np.array(north) - drift) == pytest.approx(1.0, rel=0.03)


def test_a_propeller_and_a_fin_out_of_the_water_lose_their_force():
    """Half out: half the force; fully out: none; fully in: all of it (and all of it without a surface)."""
    screw = Thruster("screw", (-0.5, 0.0, 0.0), (1.0, 0.0, 0.0), "force", -100.0, 100.0, linear=1.0, diameter_m=0.2)
    fin = Fin("rudder", -1, (-0.5, 0.0, 0.0), (0.0, 1.0, 0.0), 0.02, lift_slope_1_rad=3.0, span_m=0.2)
    shapes = (Shape("cylinder", size_m=(1.2, 0.15)),)
    of = ball(shapes=shapes, thrusters=(screw,), fins=(fin,))
    forces_by_depth = {}
    for depth in (-0.12, 0.0, 0.12, 5.0):
        plant = afloat(of, position_n=(0.0, 0.0, depth), nu=(1.0, 0.3, 0.0, 0.0, 0.0, 0.0))
        plant.set_actuators(thrusters=[50.0], at_once=True)
        forces = plant.forces()
        forces_by_depth[depth] = (forces["thrusters"][0], forces["fins"][1])
    assert forces_by_depth[5.0][0] == pytest.approx(50.0)
    assert forces_by_depth[-0.12] == (0.0, 0.0)
    np.testing.assert_allclose(forces_by_depth[0.0], np.array(forces_by_depth[5.0]) / 2.0, rtol=1e-12)
    np.testing.assert_allclose(forces_by_depth[0.12], forces_by_depth[5.0], rtol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("key", ["lrauv_tethys", "remus100", "lauv", "gavia"])
def test_thrust_does_not_jump_as_the_propeller_goes_under(key):
    """Nose down, the propeller is the last to go under, beyond the end of the hull: thrust grows without a step."""
    of = load_vehicle(key)
    thrusts = []
    for depth in np.linspace(0.5, 2.5, 400):
        plant = afloat(of, position_n=(0.0, 0.0, depth), euler=(0.0, -math.radians(89.9), 0.0))
        plant.set_actuators(thrusters=[0.5 * of.thrusters[0].maximum] + [0.0] * (len(of.thrusters) - 1), at_once=True)
        thrusts.append(float(np.linalg.norm(plant.forces()["thrusters"][:3])))
    assert max(np.abs(np.diff(thrusts))) < 0.12 * max(thrusts)  # 5 mm of a disc of 0.1 m and more
    assert thrusts[0] == 0.0 and thrusts[-1] > 0.0


def test_hull_of_a_vehicle_without_shape_is_always_wet():
    assert hull_table(ball())[HULL.offset("n_points")[0]] == 0
