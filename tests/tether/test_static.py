"""The shape at rest against independent solvers and closed forms; see tests/data/README.md for the reference data."""

import math

import numpy as np
import pytest

from tests.tether.scene import RHO, G, cable, case_rows, ned, of, oracle_line, rows, still, water

CASES = tuple(case_rows())
HAIRPINS = ("royer3_hairpin_Bdown", "royer4_hairpin_Bup")
GROUNDED = ("seabed_nocurrent",)


def reference(name):
    """The continuum's row, or the finest chain's where the seabed rules that out."""
    usable = [row for row in rows("results.csv") if row["case"] == name and row["usable"] == "1"]
    solver, count = ("nodal_chain", "400") if name in GROUNDED else ("continuum_bvp", None)
    return next(row for row in usable if row["solver"] == solver and count in (None, row["n_elements"]))


def settled(name, elements):
    line, ship, end = oracle_line(name, elements)
    assert line.settle(end, ship)
    return line


def off(line, row):
    """Relative difference of the force vectors at the ship and at the vehicle."""
    pairs = ((line.force_on_ship_n, of(row, "FA")), (line.force_on_vehicle_n, of(row, "FB")))
    return [float(np.linalg.norm(actual - expected) / np.linalg.norm(expected)) for actual, expected in pairs]


@pytest.mark.parametrize("name", CASES)
def test_fifty_elements_against_the_continuum(name):
    """0.5 % of each force: lumping errs by (l/radius)^2; a hairpin of 0.4 m radius is lost on elements of 3 m."""
    assert max(off(settled(name, 50), reference(name))) < (0.25 if name in HAIRPINS else 0.005)


@pytest.mark.parametrize("name", CASES)
def test_four_hundred_elements_against_the_continuum(name):
    """64 times closer: 0.01 %, where the fold of a hairpin is resolved by its radius only: 1 %.

    The reference's drag acts on the stretched length, here (as in MoorDyn) on the unstretched one: the strain on top.
    """
    line = settled(name, 400)
    assert max(off(line, reference(name))) < (0.01 if name in HAIRPINS else 1e-4 + line.head["strain"])


@pytest.mark.parametrize("name", CASES)
def test_shape_and_tension_along_the_cable(name):
    """0.1 m (hairpins 0.1 m with 400 elements), tension 1 % of the largest."""
    line = settled(name, 400 if name in HAIRPINS else 50)
    solver = "nodal_chain_400" if name in GROUNDED else "continuum_bvp"
    stations = [r for r in rows("shapes.csv") if r["case"] == name and r["solver"] == solver]
    assert len(stations) == 21
    shape = line.points(21)
    expected = np.array([ned(float(r["x_m"]), float(r["y_m"]), float(r["z_m"])) for r in stations])
    assert np.linalg.norm(shape - expected, axis=1).max() < 0.1
    along = np.cumsum(line.nodes["length"][:-1]) - 0.5 * line.nodes["length"][:-1]
    s = np.array([float(r["s_unstretched_m"]) for r in stations])
    tension = np.array([float(r["tension_N"]) for r in stations])
    inside = (s > along[0]) & (s < along[-1])
    np.testing.assert_allclose(np.interp(s, along, line.tensions_N)[inside], tension[inside], atol=0.01 * tension.max())


@pytest.mark.parametrize("name", CASES)
def test_second_opinions(name):
    """Third-party programs, each with the same number of elements as here or the closed form.

    Stored agreement: MoorDyn within 0.45 %, chains of 20 MoorPy lines 0.35 %, of 10 lines 1.5 %, MoorPy's catenary
    0.01 %. The hairpins depend on how the fold is cut into elements: tensions 3 % alike.
    """
    compared = 0
    for row in rows("results.csv"):
        if row["case"] != name or row["usable"] != "1" or not row["solver"].startswith("moor"):
            continue
        count = int(row["n_elements"])
        line = settled(name, max(count, 50) if row["solver"] != "moorpy_1.3.0_catenary" else 400)
        close = {"moordyn_2.7.2": 0.005, "moorpy_1.3.0_multiline": 0.005 * (20 / count) ** 2}.get(row["solver"], 3e-4)
        tensions = [line.head["tension_a"], line.head["tension_b"]]
        expected = [float(row["TA_N"]), float(row["TB_N"])]
        np.testing.assert_allclose(tensions, expected, rtol=0.03 if name in HAIRPINS else close, err_msg=row["solver"])
        compared += 1
    assert compared >= 1


def test_plane_reduction_of_the_thesis():
    """Ends and current turned about the vertical, or about the current for a neutral cable: the tensions stay."""
    tensions = []
    for turn in (0.0, 0.7, 1.9):
        line = still(0.0, 150.0, current_n=(0.75, 0.0, 0.0), diameter_m=0.035)
        assert line.settle((20.0, 100.0 * math.sin(turn), 200.0 + 100.0 * math.cos(turn)), (0.0, 0.0, 200.0))
        tensions.append((line.head["tension_a"], line.head["tension_b"]))
    np.testing.assert_allclose(tensions, [tensions[0]] * 3, rtol=1e-6)  # residual 1e-7 of the tension


def catenary(weight, stiffness, length, across, along):
    """Elastic catenary (Irvine 1981): pulls (across, down) on A at the top, by Newton's method on two unknowns."""

    def place(h, v):
        upper, lower = math.hypot(h, v), math.hypot(h, v - weight * length)
        x = h * length / stiffness + h / weight * (math.asinh(v / h) - math.asinh((v - weight * length) / h))
        z = length * (v - 0.5 * weight * length) / stiffness + (upper - lower) / weight
        return np.array([x - across, z - along])

    unknown = np.array([0.3 * weight * length, 0.5 * weight * length + 0.4 * weight * along])
    for _ in range(100):
        wrong = place(*unknown)
        slopes = np.column_stack([(place(*(unknown + step)) - wrong) / 1e-6 for step in 1e-6 * np.eye(2)])
        change = np.linalg.solve(slopes, wrong)
        unknown = unknown - change * min(1.0, 0.5 * unknown[0] / max(abs(change[0]), 1e-12))
    return unknown


@pytest.mark.parametrize("stiffness", [2e3, 1e5, 1e7])
def test_elastic_catenary(stiffness):
    """Still water, down to a cable that stretches by 8 %: 400 elements err by (l/a)^2/24, some 1e-4."""
    line = still(2.0, 120.0, elements=400, stiffness_N=stiffness)
    assert line.settle((60.0, 0.0, 130.0), (0.0, 0.0, 50.0))
    across, down = catenary(2.0, stiffness, 120.0, 60.0, 80.0)
    np.testing.assert_allclose(line.force_on_ship_n, (across, 0.0, down), rtol=3e-4, atol=1e-6)
    np.testing.assert_allclose(line.force_on_vehicle_n, (-across, 0.0, 240.0 - down), rtol=3e-4, atol=1e-2)


def test_a_straight_cable_stretches_by_its_pull():
    """Hanging plumb and taut: T = EA (d/L - 1) +- half its weight, exactly, for any number of elements."""
    line = still(0.5, 100.0, elements=7, stiffness_N=1e5)
    assert line.settle((0.0, 0.0, 101.0), (0.0, 0.0, 0.0))
    assert line.head["tension_a"] == pytest.approx(1000.0 + 25.0, rel=1e-6)
    assert line.head["tension_b"] == pytest.approx(1000.0 - 25.0, rel=1e-6)


def test_a_long_neutral_cable_across_the_stream_is_a_catenary_of_drag():
    """Almost straight across: normal drag k U^2 is a uniform load, so T = k U^2 L^2 / (8 sag), sag from the slack.

    With 0.1 % slack the slope is 4 %: the load varies by 0.2 % and the parabola's formula errs by as much.
    """
    length, span, speed = 100.1, 100.0, 0.5
    line = still(0.0, length, elements=200, current_n=(speed, 0.0, 0.0), stiffness_N=1e10, tangential_drag=0.0)
    assert line.settle((0.0, span, 50.0), (0.0, 0.0, 50.0))
    load = 0.5 * RHO * cable().diameter_m * 1.2 * speed**2
    sag = math.sqrt(3.0 / 8.0 * span * (length - span))
    assert line.head["tension_a"] == pytest.approx(load * span**2 / (8.0 * sag), rel=5e-3)


def random_case(rng, sheared):
    """Lengths, weights, stiffnesses and currents of small and large ROVs, ends anywhere within reach and beyond."""
    length, way = rng.uniform(30.0, 300.0), rng.normal(size=3)
    diameter = rng.uniform(0.005, 0.04)
    lightest = -0.9 * RHO * 0.25 * math.pi * diameter**2 * G  # N/m: floats with a tenth of the water's density
    weight = max(rng.choice([0.0, rng.uniform(-0.3, 0.3), rng.uniform(-3.0, 3.0)]), lightest)
    parts = {"diameter_m": diameter, "stiffness_N": 10 ** rng.uniform(4.5, 7.0)}
    ship = np.array([0.0, 0.0, 400.0])
    end = ship + way / np.linalg.norm(way) * rng.uniform(0.1, 1.02) * length
    sea, current = None, (0.0, 0.0, 0.0)
    if sheared:
        depths = np.sort(rng.uniform(50.0, 750.0, rng.integers(2, 6)))
        sea = water([(z, *rng.uniform(-1.0, 1.0, 2), 0.0) for z in depths])
    else:
        speed, angle = 10 ** rng.uniform(-1.5, 0.2), rng.uniform(0.0, 2.0 * math.pi)
        current = (speed * math.cos(angle), speed * math.sin(angle), 0.0)
    return still(weight, length, sea=sea, current_n=current, **parts), ship, end


@pytest.mark.slow
@pytest.mark.parametrize(("sheared", "least"), [(False, 0.995), (True, 0.98)])
def test_cold_starts_find_a_shape(sheared, least):
    """400 random cases; a shape in which an element pushes by 1 % of the largest tension is wrong: 1 % at most."""
    rng, settled, pressed = np.random.default_rng(2026 + sheared), 0, 0
    for _ in range(400):
        line, ship, end = random_case(rng, sheared)
        settled += line.settle(end, ship)
        assert np.isfinite(line.force_on_vehicle_n).all()
        pressed += line.tensions_N.min() < -0.01 * line.tensions_N.max()
    assert settled / 400 >= least
    assert pressed / 400 <= 0.01
