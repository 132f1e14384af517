"""The cable in motion: an independent program, closed forms of waves and of free fall, momentum and energy."""

import math

import numpy as np
import pytest

from tests.tether.scene import RHO, G, ned, of, rows, still, water

BARE = {"normal_drag": 0.0, "tangential_drag": 0.0}
NONE = np.zeros(3)


def ship(t):
    return ned(0.0, 0.0, -3.0 + min(1.0, t / 5.0) * math.sin(0.8 * t))


def vehicle(t):
    s = min(1.0, t / 5.0)
    return ned(40.0 + 4.0 * s * math.sin(0.25 * t), 6.0 * s * math.sin(0.2 * t), -102.0 + 2.0 * s * math.sin(0.5 * t))


def towed(elements, dt, until=60.0):
    """Forces on ship and vehicle every 0.1 s of the reference run."""
    sea = water([(0.0, 0.0, 0.75, 0.0), (100.0, 0.1, 0.3, 0.0), (500.0, 0.0, 0.3, 0.0)])
    line = still(0.5, 150.0, elements, "dynamic", sea, diameter_m=0.03, damping_Ns=1000.0)
    assert line.settle(vehicle(0.0), ship(0.0))
    forces, per_row = [(line.force_on_ship_n, line.force_on_vehicle_n)], round(0.1 / dt)
    for i in range(round(until / dt)):
        t = i * dt
        line.head["ship_calm"] = ship(t + dt)
        line.step(dt, vehicle(t), (vehicle(t + dt) - vehicle(t)) / dt)
        assert line.status & 256 == 0
        if (i + 1) % per_row == 0:
            forces.append((line.force_on_ship_n, line.force_on_vehicle_n))
    return np.linalg.norm(forces, axis=2).T


def rms(x):
    return float(np.sqrt(np.mean(np.square(x))))


def test_against_moordyn():
    """100 elements and 20 ms against 100 elements and 0.4 ms: 10 N rms, 2 % of the peak, of tensions up to 700 N.

    The slack and snatch at 33 s hangs on how the cable is cut into elements; without it 5 N.
    """
    table = rows("dynamic_moordyn.csv")
    expected = np.array([[np.linalg.norm(of(row, end)) for row in table] for end in ("FA", "FB")])
    tensions = towed(100, 0.02)
    calm = np.r_[0:300, 400:601]
    for mine, other in zip(tensions, expected, strict=True):
        assert rms(mine - other) < 10.0
        assert rms(mine[calm] - other[calm]) < 5.0
        assert mine.max() == pytest.approx(other.max(), rel=0.02)
        assert np.corrcoef(mine, other)[0, 1] > 0.995


def test_shorter_steps_change_little():
    """First order in time: 20 ms against 5 ms, before the snatch, 3 N of 200 N."""
    coarse, fine = towed(50, 0.02, 30.0), towed(50, 0.005, 30.0)
    assert rms(coarse[1] - fine[1]) < 3.0
    assert rms(coarse[0] - fine[0]) < 3.0


def taut(**parts):
    """100 m stretched to 101 m along east: 1000 N."""
    line = still(0.0, 100.0, 50, "dynamic", stiffness_N=1e5, **{**BARE, **parts})
    assert line.settle((0.0, 101.0, 50.0), (0.0, 0.0, 50.0))
    assert line.head["tension_b"] == pytest.approx(1000.0, rel=1e-9)
    return line


def quarter_period(line, shape, dt, axis):
    """Time until the middle of a cable let go at rest in a `shape` is back where it was."""
    end = line.nodes["r"][-1].copy()
    rest = line.nodes["r"][25, axis]
    line.nodes["r"] = line.nodes["r"] + shape
    before, t = line.nodes["r"][25, axis] - rest, 0.0
    while True:
        line.step(dt, end, NONE)
        now = line.nodes["r"][25, axis] - rest
        t += dt
        if now <= 0.0:
            return t - dt * now / (now - before)
        before = now


def test_a_plucked_string_swings_with_the_speed_of_its_waves():
    """First mode across: quarter period L/2c, c = sqrt(T/(m + added)), on the stretched length.

    Implicit Euler with omega dt = 0.003 damps by half of that in a swing and shifts the first zero by 0.2 %.
    """
    line = taut()
    x = np.linspace(0.0, math.pi, 51)
    shape = np.zeros((51, 3))
    shape[:, 2] = 0.1 * np.sin(x)
    mass = float(line.settings["mass"] + line.settings["added"]) / 1.01
    expected = 101.0 / (2.0 * math.sqrt(1000.0 / mass))
    assert quarter_period(line, shape, 2e-3, 2) == pytest.approx(expected, rel=5e-3)


def test_a_stretched_string_swings_along_itself_without_added_mass():
    """First mode along it: c = sqrt(EA/m), in unstretched metres a second, and a quarter period of L/2c."""
    line = taut()
    x = np.linspace(0.0, math.pi, 51)
    shape = np.zeros((51, 3))
    shape[:, 1] = 0.01 * np.sin(x)
    expected = 100.0 / (2.0 * math.sqrt(1e5 / float(line.settings["mass"])))
    # omega dt = 0.0018: as above
    assert quarter_period(line, shape, 1e-4, 1) == pytest.approx(expected, rel=5e-3)


def straight(line, span, end_depth):
    """A straight level cable at rest, without pull."""
    line.settle((0.0, span, end_depth), (0.0, 0.0, end_depth))
    line.nodes["r"] = np.linspace((0.0, 0.0, end_depth), (0.0, span, end_depth), len(line.nodes))
    line.nodes["v"], line.nodes["tension"] = 0.0, 0.0
    return line


def test_a_level_cable_falls_as_its_drag_lets_it():
    """From rest: v = V tanh(t/tau), V = sqrt(w/kn), tau = (m + added) V/w; ends carried along, so nothing pulls.

    A step of 5 ms errs by dt/2 of the first second's change of velocity: 0.5 % of V.
    """
    weight, dt = 2.0, 0.005
    line = straight(still(weight, 50.0, 20, "dynamic"), 50.0, 20.0)
    s = line.settings
    final = math.sqrt(weight / s["normal"])
    tau = float(s["mass"] + s["added"]) * final / weight

    def depth(t):
        return np.array([0.0, 0.0, 20.0 + final * tau * math.log(math.cosh(t / tau))])

    t, worst = 0.0, 0.0
    while t < 5.0:
        line.head["ship_calm"] = depth(t + dt)
        end = depth(t) + np.array([0.0, 50.0, 0.0])
        line.step(dt, end, (depth(t + dt) - depth(t)) / dt)
        t += dt
        middle = line.nodes[10]
        worst = max(worst, abs(middle["v"][2] - final * math.tanh(t / tau)))
    assert worst < 0.01 * final
    assert middle["v"][2] == pytest.approx(final, rel=1e-3)
    assert abs(middle["r"][2] - depth(t)[2]) < 0.01 * final


def test_a_neutral_cable_goes_with_water_that_gathers_speed():
    """Mass and displaced water alike: what accelerates the water carries the cable, the ends need no force."""
    dt, rate = 0.02, np.array([0.1, 0.05, 0.02])
    line = straight(still(0.0, 50.0, 20, "dynamic"), 50.0, 20.0)
    first = line.shape_n
    for i in range(100):
        t = i * dt
        line.set_current(rate * t, rate)
        # places of implicit Euler: v at the end of each step
        place = 0.5 * rate * dt * dt * i * (i + 1)
        after = place + rate * dt * (t + dt)
        line.head["ship_calm"] = first[0] + after
        line.step(dt, first[-1] + place, rate * t)
        line.follow(dt, first[-1] + after)
    # 1 % of the force that would be needed without the water's help
    needed = 50.0 * float(line.settings["mass"] + line.settings["added"]) * np.linalg.norm(rate)
    assert np.linalg.norm(line.force_on_vehicle_n + line.force_on_ship_n) < 0.01 * needed
    np.testing.assert_allclose(line.nodes["v"][1:-1], np.broadcast_to(rate * 2.0, (19, 3)), atol=1e-3)


def inertia(line):
    """Mass matrices of the nodes: half of each element, its added mass across it."""
    nodes, s = line.nodes, line.settings
    blocks = np.zeros((len(nodes), 3, 3))
    for e in range(len(nodes) - 1):
        way = nodes["r"][e + 1] - nodes["r"][e]
        t = way / np.linalg.norm(way)
        part = 0.5 * nodes["length"][e] * (s["mass"] * np.eye(3) + s["added"] * (np.eye(3) - np.outer(t, t)))
        blocks[e] += part
        blocks[e + 1] += part
    return blocks


def test_forces_on_the_ends_and_weight_make_the_momentum():
    """Newton's second law for the whole cable in each step of a wild motion, without drag: -F + W = M dv/dt."""
    dt = 0.02
    line = still(1.5, 60.0, 20, "dynamic", damping_Ns=300.0, **BARE)
    assert line.settle((20.0, 0.0, 50.0), (0.0, 0.0, 0.0))
    rng = np.random.default_rng(4)
    end, velocity = np.array([20.0, 0.0, 50.0]), np.zeros(3)
    for _ in range(50):
        faster = velocity + 0.1 * rng.normal(size=3)
        before = np.vstack([line.nodes["v"][:-1], velocity])
        # the vehicle's new velocity is given with the step; its end is kept at it, so its own part has no change
        line.step(dt, end, faster)
        before[-1] = faster
        end, velocity = end + dt * faster, faster
        push = np.einsum("jkl,jl->jk", inertia(line), line.nodes["v"] - before).sum(axis=0) / dt
        pulls = line.force_on_ship_n + line.force_on_vehicle_n
        # to what a step's last iteration leaves, 1e-5 of an element's length, times EA
        np.testing.assert_allclose(pulls - (0.0, 0.0, 1.5 * 60.0) + push, 0.0, atol=0.02 * np.abs(push).max() + 0.05)


def energy(line):
    """Kinetic (with added mass), of stretch (a slack element's is 1e-6 of a taut one's), and of height."""
    nodes, s = line.nodes, line.settings
    moving = 0.5 * np.einsum("ji,jik,jk->", nodes["v"], inertia(line), nodes["v"])
    l0 = nodes["length"][:-1]
    strain = np.linalg.norm(np.diff(nodes["r"], axis=0), axis=1) / l0 - 1.0
    stretch = 0.5 * s["stiffness"] * np.sum(np.where(strain > 0.0, 1.0, 1e-6) * strain**2 * l0)
    height = -s["weight"] * np.sum(0.5 * (nodes["r"][:-1, 2] + nodes["r"][1:, 2]) * l0)
    return moving + stretch + height


STARTS = {
    "plucked": {"weight_N_m": 1.0, "length_m": 80.0, "shape": 5.0},
    "slack": {"weight_N_m": 1.0, "length_m": 150.0, "shape": 15.0},
    "stiff": {"weight_N_m": 1.0, "length_m": 75.0, "shape": 2.0, "stiffness_N": 1e7},
    "taut": {"weight_N_m": 0.0, "length_m": 69.0, "shape": 1.0, "stiffness_N": 1e5},
    "no drag": {"weight_N_m": 1.0, "length_m": 80.0, "shape": 5.0, **BARE},
    "kicked": {"weight_N_m": -0.5, "length_m": 90.0, "shape": 0.0, "speed": 3.0},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", STARTS)
@pytest.mark.parametrize("dt", [0.02, 0.002])
def test_energy_never_grows_in_still_water(name, dt):
    """Ends fixed, let go from a crooked shape. 1e-6 of what was put in, per step, is the iteration's rounding."""
    parts = dict(STARTS[name])
    size, speed = parts.pop("shape"), parts.pop("speed", 0.0)
    line = still(mode="dynamic", elements=30, **parts)
    end = np.array([0.0, 40.0, 80.0])
    assert line.settle(end, (0.0, 0.0, 20.0))
    least = energy(line)
    x = np.linspace(0.0, math.pi, 31)[1:-1]
    inner = line.nodes[1:-1]
    inner["r"] += size * np.column_stack([np.sin(2.0 * x), 0.5 * np.sin(x), -0.7 * np.sin(3.0 * x)])
    inner["v"] += speed * np.column_stack([np.sin(x), np.sin(2.0 * x), 0.0 * x])
    first = energy(line)
    before = first
    for _ in range(300):
        line.step(dt, end, NONE)
        now = energy(line)
        assert now <= before + 1e-6 * (first - least)
        before = now
    assert before < first


def test_it_comes_to_rest_in_its_static_shape():
    """Drag and weight bring a displaced cable back: 1 cm after ten minutes."""
    line = still(1.0, 80.0, 20, "dynamic")
    end = np.array([0.0, 40.0, 80.0])
    assert line.settle(end, (0.0, 0.0, 20.0))
    shape = line.shape_n
    line.nodes["r"][1:-1] += 2.0 * np.random.default_rng(1).normal(size=(19, 3))
    for _ in range(6000):
        line.step(0.1, end, NONE)
    np.testing.assert_allclose(line.shape_n, shape, atol=0.01)
    weight = float(line.settings["weight"])
    assert weight == pytest.approx(line.cable.mass_kg_m * G - RHO * line.cable.area_m2 * G, rel=1e-12)
    total = line.force_on_ship_n + line.force_on_vehicle_n
    np.testing.assert_allclose(total, (0.0, 0.0, 80.0 * weight), atol=1e-2)
