"""Contact in the kernel: bodies come to rest or slide, never pass through each other and never gain energy."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from pelagos.engine.core import layout as lay
from pelagos.engine.core.integrate import METHODS, RK4, advance_rows
from pelagos.engine.water.sea import HULL
from pelagos.vehicle.pack.records import mass_matrix
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Body, Shape
from pelagos.world.seabed.seabed import Seabed
from pelagos.world.spec import World
from pelagos.world.structure import Structure
from tests.engine.probe import LIBRARY, RHO, G, ball, terms, vehicle

SIZE = (1.2, 0.8, 0.5)
HEAVY = 5.0  # kg heavier than the water it displaces
WEIGHT = HEAVY * G
DRAG = terms({"X u |u|": -80.0, "Y v |v|": -120.0, "Z w |w|": -150.0, "K p": -8.0, "M q": -8.0, "N r": -8.0})


def crate(**parts):
    """A box of 105 kg, 5 kg heavier than water, with 50 kg of added mass."""
    body = Body(100.0 + HEAVY, 100.0 / RHO, (0.0, 0.0, 0.02), (0.0, 0.0, 0.0), np.diag([6.0, 14.0, 18.0]))
    return replace(ball(body=body, shapes=(Shape("box", size_m=SIZE),)), **parts)


def on(world, of=None, **place):
    plant = Plant(of or crate(), sea=world.packed())
    plant.place(**{"position_n": (0.0, 0.0, 5.0), **place})
    return plant


def energy(plant):
    """Kinetic energy with the added mass, and the weight in water over the depth."""
    depth = float(plant.position_n[2])
    cg = (105.0 * G) * 0.02 * math.cos(plant.euler[0]) * math.cos(plant.euler[1])
    return 0.5 * plant.nu @ mass_matrix(plant.vehicle) @ plant.nu - WEIGHT * depth - cg


def deepest(plant):
    return max(0.0, -min((float(hit["gap"]) for hit in plant.contacts(0.05)), default=0.0))


FLAT = World(depth_m=6.0, surface=False)


@pytest.mark.slow
@pytest.mark.parametrize("dt", [0.002, 0.02, 0.1, 1.0])
@pytest.mark.parametrize("euler", [(0.0, 0.0, 0.0), (0.3, -0.2, 1.0), (0.5, 0.4, -2.0)])
def test_dropped_on_the_bottom_it_settles_at_zero_net_force(dt, euler):
    """Any step, any attitude: flat on the bottom, as deep as the spring needs, and all forces in balance."""
    plant = on(FLAT, crate(coefficients=DRAG), position_n=(0.0, 0.0, 5.0), euler=euler)
    plant.advance(dt, round(40.0 / dt))
    plant.advance(dt, 1)  # the log's contact force is the mean over a call
    # four corners share the weight: each sinks weight/4/k = 1.2e-5 m; the spring is the only length here
    assert plant.position_n[2] == pytest.approx(6.0 - 0.5 * SIZE[2] + WEIGHT / 4e6, abs=1e-6)
    assert np.abs(plant.euler[:2]).max() < 1e-6
    assert np.abs(plant.nu).max() < 1e-8
    assert np.abs(sum(plant.forces().values())).max() < 1e-6 * WEIGHT
    assert plant.forces()["contact"][2] == pytest.approx(-WEIGHT, rel=1e-6)
    assert plant.state["touch"]["obstacle"] == -1


@pytest.mark.slow
def test_resting_contact_does_not_drift():
    """Less than a millimetre in ten minutes, on a slope of half the friction angle."""
    slope = World(seabed=Seabed(kind="slope", depth_m=6.0, slope_deg=13.0, friction=0.5), surface=False)
    plant = on(slope, crate(coefficients=DRAG), euler=(0.0, -math.radians(13.0), 0.0))
    plant.advance(0.05, 400)
    start = plant.position_n.copy()
    plant.advance(0.05, 12000)
    assert np.linalg.norm(plant.position_n - start) < 1e-3


@pytest.mark.parametrize(("angle_deg", "slides"), [(20.0, False), (26.0, False), (27.1, True), (35.0, True)])
def test_slides_beyond_the_friction_angle(angle_deg, slides):
    """Friction 0.5 holds up to 26.565 deg; beyond, a = W' (sin - mu cos)/(m + m_a) (no drag)."""
    slope = World(
        seabed=Seabed(kind="slope", depth_m=6.0, slope_deg=angle_deg, down_to_deg=0.0, friction=0.5), surface=False
    )
    a = math.radians(angle_deg)
    touching = 6.0 - 0.5 * SIZE[2] / math.cos(a)
    plant = on(slope, position_n=(0.0, 0.0, touching), euler=(0.0, -a, 0.0))
    plant.advance(0.01, 200)
    way = float(np.linalg.norm(plant.position_n - [0.0, 0.0, touching]))
    if not slides:
        assert way < 1e-3  # it settles into the spring, no more
        return
    pull = WEIGHT * (math.sin(a) - 0.5 * math.cos(a)) / (105.0 + 50.0)
    # contact steps are of first order: h/t = 0.01/2 of the way, plus the settling
    assert way == pytest.approx(0.5 * pull * 4.0, rel=0.01, abs=1e-3)
    assert plant.nu[0] == pytest.approx(2.0 * pull, rel=1e-3)


COLUMN = Structure(kind="cylinder", name="column", from_m=(0.0, 0.0, -5.0), to_m=(0.0, 0.0, 15.0), radius_m=0.15)


@pytest.mark.slow
@pytest.mark.parametrize("dt", [0.01, 0.05, 0.2])
@pytest.mark.parametrize("seed", range(6))
def test_rams_a_column_and_never_passes_through(seed, dt):
    """2 m/s at any angle and offset, pushed on by 300 N: it may glance off, it may not overlap."""
    rng = np.random.default_rng(seed)
    world = World(structures=(COLUMN,), surface=False)
    for _ in range(5):
        way, side, yaw = rng.uniform(0.0, 2.0 * math.pi), rng.uniform(-0.5, 0.5), rng.uniform(-math.pi, math.pi)
        ahead, across = np.array([math.cos(way), math.sin(way)]), np.array([-math.sin(way), math.cos(way)])
        start = -2.0 * ahead + side * across
        body = np.array([[math.cos(yaw), math.sin(yaw)], [-math.sin(yaw), math.cos(yaw)]]) @ ahead
        plant = on(
            world, crate(coefficients=DRAG), position_n=(*start, 5.0), euler=(0.0, 0.0, yaw),
            nu=(*(2.0 * body), 0.0, 0.0, 0.0, rng.uniform(-0.5, 0.5)),
        )  # fmt: skip
        touched = False
        for _ in range(round(4.0 / dt)):
            turn = plant.euler[2]
            push = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]]) @ (300.0 * ahead)
            plant.command["external"][:3] = (*push, -WEIGHT)
            assert plant.advance(dt, 1) == 1
            touched |= plant.state["touch"]["count"] > 0
            # gaps are closed to first order in a step of 10 ms: at 2 m/s round a column of 15 cm that is millimetres
            assert deepest(plant) < 0.01
        assert touched or abs(side) > 0.3


@pytest.mark.parametrize("seed", range(4))
def test_energy_never_grows(seed):
    """No drag, no thrust: only contact may change the energy, and only downwards."""
    rng = np.random.default_rng(100 + seed)
    pillar = Structure(kind="cylinder", from_m=(1.5, -4.0, 5.2), to_m=(1.5, 4.0, 5.2), radius_m=0.3)
    world = World(depth_m=6.0, surface=False, structures=(pillar,))
    plant = on(
        world, position_n=(0.0, 0.0, 4.5), euler=rng.uniform(-0.5, 0.5, 3),
        nu=(*rng.uniform(-1.0, 2.0, 3), *rng.uniform(-0.5, 0.5, 3)),
    )  # fmt: skip
    levels = [energy(plant)]
    for _ in range(400):
        plant.advance(0.02, 1)
        levels.append(energy(plant))
    scale = max(levels) - min(levels)
    assert scale > 10.0  # there was something to lose, J
    # free flight by RK4 keeps 1e-9 of it; a spring that is let go gives back at most what it held, p^2/2k = 3e-4 J
    assert np.diff(levels).max() < 1e-4 * scale
    assert levels[-1] < levels[0]


@pytest.mark.parametrize("dt", [0.005, 0.02, 0.1])
@pytest.mark.parametrize("kind", ["cylinder", "ellipsoid"])
def test_a_round_body_rolls_on_at_its_speed(kind, dt):
    """Rolling without slipping, no drag: never faster. Body axes turn with it; the contact must not mind."""
    size = (1.0, 0.3) if kind == "cylinder" else (0.3, 0.3, 0.3)
    body = Body(100.0 + HEAVY, 100.0 / RHO, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), np.diag([4.0, 4.0, 4.0]))
    of = crate(body=body, added_mass=np.diag([0.0, 50.0, 50.0, 0.0, 0.0, 0.0]), shapes=(Shape(kind, size_m=size),))
    plant = on(FLAT, of, position_n=(0.0, 0.0, 6.0 - 0.3), nu=(0.0, 1.0, 0.0, 1.0 / 0.3, 0.0, 0.0))
    start = 0.5 * plant.nu @ mass_matrix(of) @ plant.nu
    plant.advance(dt, round(20.0 / dt))
    end = 0.5 * plant.nu @ mass_matrix(of) @ plant.nu
    assert end <= start * (1.0 + 1e-9)
    assert end > 0.5 * start  # steps of 10 ms turn it by 2 deg: rolling resistance of the order of that


@pytest.mark.parametrize("method", ["rk4", "adaptive"])
@pytest.mark.parametrize("dt", [0.5, 1.0])
def test_an_obstacle_reached_within_a_long_step_acts(dt, method):
    """At rest 0.2 m above the bottom a heavy ball falls 3.5 m in a second: it must not be thrown out again."""
    body = Body(400.0, 100.0 / RHO, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), np.diag([20.0, 20.0, 20.0]))
    plant = on(FLAT, crate(body=body, shapes=(Shape("ellipsoid", size_m=(0.3, 0.3, 0.3)),)))
    plant.place(position_n=(0.0, 0.0, 6.0 - 0.3 - 0.2))
    for _ in range(round(6.0 / dt)):
        assert plant.advance(dt, 1, method) == 1
        assert plant.position_n[2] == pytest.approx(5.7, abs=0.01)


def test_a_heavy_body_does_not_bounce():
    """30 t at 2 m/s: the damper is at least critical, whatever the mass."""
    body = Body(30_000.0, 29_000.0 / RHO, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), np.diag([3e4, 3e4, 3e4]))
    plant = on(FLAT, crate(body=body), position_n=(0.0, 0.0, 5.0), nu=(0.0, 0.0, 2.0, 0.0, 0.0, 0.0))
    speeds = []
    for _ in range(300):
        plant.advance(0.01, 1)
        speeds.append(float(plant.nu[2]))
    assert min(speeds) > -0.2  # a tenth of the 2 m/s it came with
    assert abs(speeds[-1]) < 0.01


@pytest.mark.slow
@pytest.mark.parametrize("method", sorted(METHODS))
def test_every_integrator_rests(method):
    plant = on(FLAT, crate(coefficients=DRAG), euler=(0.1, 0.1, 0.0))
    assert plant.advance(0.02, 1500, method) == 1500
    assert plant.position_n[2] == pytest.approx(5.75, abs=1e-3)
    assert np.abs(plant.nu).max() < 1e-3


@pytest.mark.slow
@pytest.mark.parametrize("key", LIBRARY)
def test_every_vehicle_is_stopped_by_the_bottom(key):
    """Pushed down by a tenth of its weight for 20 s, no part of it ends up below the bottom."""
    of = vehicle(key)
    plant = Plant(of, sea=World(depth_m=10.0, surface=False).packed())
    assert plant.can_touch
    if not of.free[2]:  # held in heave: it cannot be pushed down
        return
    head = plant.hull[: HULL.size].view(HULL.dtype)[0]
    skin = plant.hull[int(head["feelers_at"]) :][: 3 * int(head["n_feelers"])].reshape(-1, 3)
    plant.place(position_n=(0.0, 0.0, 10.0 - skin[:, 2].max() - 0.1))
    heaviest = np.diag(mass_matrix(of))[:3].max()
    push, touched, hit = 0.1 * of.body.mass_kg * G, False, 0.0
    for _ in range(200):
        roll, pitch, _ = plant.euler  # down in the world, whatever the attitude
        axis = np.array([-math.sin(pitch), math.cos(pitch) * math.sin(roll), math.cos(pitch) * math.cos(roll)])
        plant.command["external"][:3] = push * axis
        assert plant.advance(0.02, 5) == 5
        touched |= plant.state["touch"]["count"] > 0
        # the spring of the bottom (1e6 N/m) under a single corner: push/k, and v sqrt(m/k) when it has just hit
        hit = max(hit, float(plant.state["touch"]["speed"]))
        assert deepest(plant) < 2e-3 + push / 1e6 + hit * math.sqrt(heaviest / 1e6)
    assert touched


def test_rows_are_the_scalar_kernel_in_contact():
    """Eight crates at different places, some touching, some not: the same numbers as one by one."""
    of, rng = crate(coefficients=DRAG), np.random.default_rng(3)
    world = World(depth_m=6.0, surface=False, structures=(COLUMN,))
    plant = on(world, of)
    rows = [row.copy() for row in plant.rows[:6]]
    states = np.repeat(rows[0][np.newaxis], 8, axis=0)
    for i, row in enumerate(states):
        state = row.view(lay.STATE.dtype)[0]
        state["position"] = (-1.5 - 0.2 * i, 0.1 * i, 5.0 + 0.1 * i)
        state["nu"] = (1.0, *rng.uniform(-0.2, 0.2, 5))
    single = []
    for row in states:
        plant._state[:] = row
        plant.advance(0.05, 40)
        single.append(plant._state.copy())
    waters, commands = (np.repeat(row[np.newaxis], 8, axis=0) for row in (rows[3], rows[4]))
    touches, done, of_all = states.copy(), np.zeros(8, np.int64), np.zeros(8, np.int64)
    advance_rows(
        touches, rows[1][np.newaxis], of_all, rows[2], waters, commands, rows[5], plant.sea, plant.hull,
        0.05, 40, RK4, True, done,
    )  # fmt: skip
    # rounding of the same steps, laid out otherwise by the compiler, times what a stiff contact makes of it
    np.testing.assert_allclose(touches[:, :13], np.array(single)[:, :13], atol=1e-7)
    np.testing.assert_array_equal(done, 40)
    assert (touches[:, lay.STATE.offset("touch")[0] + 6] > 0).any()
