"""Tethers in every difficult state: the status reports it, and forces stay finite and below their cap."""

import math

import numpy as np
import pytest

from pelagos.errors import CommandError, ScenarioError
from pelagos.tether.line import Line
from pelagos.tether.spec import Status, Tether
from tests.tether.scene import RHO, G, cable, oracle_line, still, water

NONE = np.zeros(3)
SHIP, END = np.zeros(3), np.array([20.0, 0.0, 60.0])
DT = 0.02


def sound(line):
    """Everything finite, both pulls at most the breaking load, or EA."""
    cap = min(line.cable.breaking_load_N, line.cable.stiffness_N)
    for force in (line.force_on_vehicle_n, line.force_on_ship_n):
        assert np.isfinite(force).all()
        assert np.linalg.norm(force) <= cap * (1.0 + 1e-12)
    head = line.head
    for name in ("tension_a", "tension_b", "largest", "least", "strain", "end_stiffness", "wrap", "aground"):
        assert np.isfinite(head[name]).all(), name
    return line.status


def test_an_ordinary_cable_has_no_status():
    line = still(1.0, 80.0)
    assert line.settle(END, SHIP)
    assert sound(line) == Status.OK


def test_slack():
    """Ends 0.3 m apart, 100 m of cable: the bight carries half an element, 1/2000 of what the ends carry."""
    line = still(1.0, 100.0, 2000)
    assert line.settle((0.3, 0.0, 20.0), (0.0, 0.0, 20.0))
    assert sound(line) & Status.SLACK
    assert line.force_on_vehicle_n[2] == pytest.approx(50.0, rel=1e-3)  # half the cable, nothing lost
    assert line.force_on_ship_n[2] == pytest.approx(50.0, rel=1e-3)


def test_slack_for_a_while():
    """A vehicle that dashes towards the ship along a taut cable: it pulls no more, and does not push."""
    line = still(0.0, 100.0, 50, "dynamic")
    assert line.settle((0.0, 0.0, 100.1), SHIP)
    for i in range(20):
        line.step(DT, np.array([0.0, 0.0, 100.1 - 0.02 * i]), np.array([0.0, 0.0, -1.0]))
    assert sound(line) & Status.SLACK
    # pushed by the drag and the inertia of the last elements at most: 0.5 rho pi D Ct v^2 of 20 m, and their stop
    assert abs(line.force_on_vehicle_n[2]) < 50.0


def test_unloaded():
    """Neither current nor weight: no force, a smooth shape, and the status gives the reason."""
    line = still(0.0, 100.0)
    for _ in range(3):
        assert line.settle(END, SHIP)
        assert sound(line) == Status.UNLOADED
        np.testing.assert_allclose(line.force_on_vehicle_n, 0.0)
        steps = np.linalg.norm(np.diff(line.shape_n, axis=0), axis=1)
        np.testing.assert_allclose(steps, 2.0, rtol=0.05)
        line.step(DT, END, NONE)
    assert sound(line) == Status.UNLOADED


def test_unloaded_in_motion():
    """What moves has drag, so a dynamic cable is hardly ever without load: its status is slack.

    The filler shape's chords are up to 1 % shorter than their arcs, and slack elements push with 1e-6 of EA: 10 mN.
    """
    line = still(0.0, 100.0, 50, "dynamic")
    assert line.settle(END, SHIP)
    for _ in range(100):
        line.step(DT, END, NONE)
        assert sound(line) & (Status.UNLOADED | Status.SLACK)
        assert np.linalg.norm(line.force_on_vehicle_n) < 0.02


def test_unloaded_but_taut_is_not_unloaded():
    line = still(0.0, 60.0)
    assert line.settle(END, SHIP)
    assert sound(line) == Status.TAUT
    chord = float(np.linalg.norm(END))
    assert line.head["tension_b"] == pytest.approx(1e6 * (chord / 60.0 - 1.0), rel=1e-6)


@pytest.mark.parametrize("weight", [1e-3, 1e-4, 1e-5])
def test_weak_load(weight):
    """EA/(w L) from 1e7 to 1e9: an inextensible catenary's forces are proportional to its weight, to T/EA and 1e-4."""
    weak, usual = still(weight, 100.0), still(1.0, 100.0, stiffness_N=1e9)
    assert weak.settle(END, SHIP) and usual.settle(END, SHIP)
    assert not sound(weak) & (Status.NOT_CONVERGED | Status.UNLOADED)
    np.testing.assert_allclose(weak.force_on_vehicle_n / weight, usual.force_on_vehicle_n, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("mode", ["static", "dynamic"])
def test_taut(mode):
    """Ends farther apart than the cable is long: T = EA (d/L - 1), give or take half its weight."""
    line = still(0.5, 100.0, 50, mode)
    assert line.settle((0.0, 0.0, 100.2), SHIP)
    line.step(DT, np.array([0.0, 0.0, 100.2]), NONE)
    assert sound(line) == Status.TAUT
    assert line.head["strain"] == pytest.approx(0.002, rel=0.02)
    assert line.head["tension_b"] == pytest.approx(2000.0 - 25.0, rel=1e-3)


@pytest.mark.parametrize("mode", ["static", "dynamic"])
def test_overload_is_limited_to_the_breaking_load(mode):
    line = still(0.5, 100.0, 50, mode, breaking_load_N=1500.0)
    assert line.settle((0.0, 0.0, 100.2), SHIP)
    line.step(DT, np.array([0.0, 0.0, 100.2]), NONE)
    assert sound(line) == Status.TAUT | Status.OVERLOAD
    assert np.linalg.norm(line.force_on_vehicle_n) == pytest.approx(1500.0, rel=1e-9)
    assert line.force_on_vehicle_n[2] < 0.0 < line.force_on_ship_n[2]
    for i in range(100):
        line.step(DT, np.array([0.0, 0.0, 100.2 - 0.01 * i]), np.array([0.0, 0.0, -0.5]))
    assert not sound(line) & (Status.OVERLOAD | Status.PARTED)  # it did not break


def test_no_pull_above_what_doubles_the_length():
    """Without a breaking load the cap is EA."""
    line = still(0.5, 20.0, stiffness_N=1e4)
    line.settle((0.0, 0.0, 100.0), SHIP)
    assert sound(line) & Status.TAUT
    assert np.linalg.norm(line.force_on_vehicle_n) == pytest.approx(1e4, rel=1e-9)


@pytest.mark.parametrize("mode", ["static", "dynamic"])
def test_parting(mode):
    rig = Tether(mode=mode, length_m=100.0, parts=True)
    line = Line(cable(0.5, breaking_load_N=1500.0), rig, density_kg_m3=RHO, gravity_m_s2=G)
    assert line.settle((0.0, 0.0, 99.0), SHIP)
    assert not sound(line) & Status.PARTED
    for depth in (100.2, 99.0, 50.0):  # it stays broken
        line.step(DT, np.array([0.0, 0.0, depth]), NONE)
        line.follow(DT, np.array([0.0, 0.0, depth]))
        assert sound(line) & Status.PARTED
        np.testing.assert_allclose(line.force_on_vehicle_n, 0.0)
        np.testing.assert_allclose(line.head["end_stiffness"], 0.0)


@pytest.mark.parametrize(("name", "elements", "shown"), [("royer3_hairpin_Bdown", 50, True), ("royer1", 50, False)])
def test_hairpin(name, elements, shown):
    line, ship, end = oracle_line(name, elements)
    assert line.settle(end, ship)
    assert bool(sound(line) & Status.UNDER_RESOLVED) == shown


def test_reversal_in_time_static():
    """The current turns round at once: a new start finds the mirrored shape, exactly as from nothing."""
    line = still(0.2, 100.0, current_n=(0.5, 0.0, 0.0))
    end = np.array([0.0, 0.0, 60.0])
    assert line.settle(end, SHIP)
    before = line.shape_n
    line.set_current((-0.5, 0.0, 0.0))
    line.step(DT, end, NONE)
    assert not sound(line) & Status.NOT_CONVERGED
    np.testing.assert_allclose(line.shape_n, before * (-1.0, 1.0, 1.0), atol=1e-3)


def test_reversal_in_time_dynamic():
    """Through slack water and back: every step converges and the pull ends on the other side."""
    line = still(0.0, 100.0, 50, "dynamic", current_n=(0.5, 0.0, 0.0))
    end = np.array([0.0, 0.0, 60.0])
    assert line.settle(end, SHIP)
    first = line.force_on_vehicle_n
    for i in range(1000):
        speed = 0.5 * math.cos(math.pi * min(i / 500.0, 1.0))
        line.set_current((speed, 0.0, 0.0))
        line.step(0.5, end, NONE)
        assert not sound(line) & Status.NOT_CONVERGED
    np.testing.assert_allclose(line.force_on_vehicle_n, first * (-1.0, 1.0, 1.0), atol=0.02 * np.abs(first).max())


def test_reversal_with_depth():
    sea = water([(0.0, 0.5, 0.0, 0.0), (60.0, -0.5, 0.0, 0.0)])
    line = still(0.0, 100.0, sea=sea)
    assert line.settle((0.0, 0.0, 60.0), SHIP)
    assert sound(line) & Status.MULTI_BRANCH_POSSIBLE
    before = line.shape_n
    line.step(DT, np.array([0.01, 0.0, 60.0]), NONE)  # from the shape before: its branch is kept
    assert not sound(line) & (Status.MULTI_BRANCH_POSSIBLE | Status.NOT_CONVERGED)
    assert np.abs(line.shape_n - before).max() < 1.0


@pytest.mark.parametrize("mode", ["static", "dynamic"])
def test_not_converged_keeps_the_last_good_pull_and_recovers(mode):
    line = still(1.0, 80.0, 50, mode, current_n=(0.3, 0.0, 0.0))
    assert line.settle(END, SHIP)
    good = line.force_on_vehicle_n
    line.set_current((1e160, 0.0, 0.0))
    line.step(DT, END, NONE)
    assert sound(line) & Status.NOT_CONVERGED
    np.testing.assert_allclose(line.force_on_vehicle_n, good, rtol=0, atol=0)
    line.set_current((0.3, 0.0, 0.0))
    for _ in range(200):
        line.step(DT, END, NONE)
    assert not sound(line) & Status.NOT_CONVERGED
    np.testing.assert_allclose(line.force_on_vehicle_n, good, atol=0.05 * np.linalg.norm(good))


def test_too_few_iterations_are_not_passed_off_as_a_solution():
    line = still(1.0, 80.0, 50, "dynamic")
    assert line.settle(END, SHIP)
    line.settings["iterations"] = 1
    line.step(DT, END, np.array([0.0, 5e4, 0.0]))
    assert sound(line) & Status.NOT_CONVERGED
    assert line.head["residual"] > 1e-4


def test_a_cold_start_that_fails_says_so():
    line = still(1.0, 80.0, current_n=(1e160, 0.0, 0.0))
    assert not line.settle(END, SHIP)
    assert sound(line) & Status.NOT_CONVERGED


def test_aground_is_reported():
    line = still(2.0, 100.0, sea=water(bottom_m=30.0))
    assert line.settle((40.0, 0.0, 29.0), SHIP)
    assert sound(line) & Status.AGROUND
    assert 0.0 < line.head["aground"] < 100.0


@pytest.mark.parametrize("end", [(0.0, 0.0, 31.0), (500.0, 20.0, 30.5)])
def test_an_end_below_the_seabed_is_refused(end):
    line = still(2.0, 100.0, sea=water(bottom_m=30.0))
    with pytest.raises(ScenarioError, match="seabed"):
        line.settle(end, SHIP)
    with pytest.raises(ScenarioError, match="seabed"):
        line.settle((0.0, 0.0, 5.0), end)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_what_is_no_number_is_refused(bad):
    line = still(1.0, 80.0)
    for ends in (((bad, 0.0, 60.0), SHIP), (END, (0.0, bad, 0.0))):
        with pytest.raises(CommandError):
            line.settle(*ends)
    with pytest.raises(ScenarioError):
        line.settle(END, SHIP, bad)
    with pytest.raises(CommandError):
        still(1.0, 80.0, current_n=(bad, 0.0, 0.0))


@pytest.mark.parametrize(
    ("key", "value"), [("length_m", 0.0), ("length_m", -3.0), ("elements", 1), ("length_m", math.nan)]
)
def test_what_cannot_be_rigged_is_refused(key, value):
    with pytest.raises(ScenarioError, match=key):
        Tether(**{"length_m": 10.0, key: value})


def test_a_length_of_nothing_is_refused():
    line = still(1.0, 80.0)
    for length in (0.0, -1.0):
        with pytest.raises(ScenarioError, match="length_m"):
            line.settle(END, SHIP, length)
