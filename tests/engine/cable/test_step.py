"""One step of a tether and of many: rows equal single tethers, and an end predicted correctly changes nothing."""

from __future__ import annotations

import numpy as np
import pytest

from pelagos.engine.cable.layout import N_CHAIN
from pelagos.engine.cable.step import drive_line, follow_lines, step_lines
from pelagos.tether.line import Line
from pelagos.tether.spec import Cable, Status, Tether

CABLE = Cable(diameter_m=0.02, mass_kg_m=0.5, stiffness_N=1e6, damping_Ns=100.0)
VELOCITY = np.array([0.5, -0.3, 0.2])
DT = 0.02


def hung(i: int = 0, **rigged) -> Line:
    line = Line(CABLE, Tether(**{"length_m": 60.0, "elements": 20, **rigged}), current_n=(0.4, 0.1, 0.0))
    assert line.settle((10.0 + i, 5.0, 40.0), (0.0, 0.0, 1.0))
    return line


def test_many_rows_are_the_single_ones():
    """Each in a current of its own; row 1 of four is left out, and stays."""
    singles = [hung(i) for i in range(4)]
    rows = [hung(i) for i in range(4)]
    lines, chains = np.array([r._line for r in rows]), np.array([r._chain for r in rows])
    which, velocities = np.array([0, 2, 3]), np.tile(VELOCITY, (3, 1))
    ends = np.array([[10.0 + i, 5.0, 40.0] for i in range(4)])
    currents = np.array([[0.4 + 0.1 * i, 0.1, 0.0, 0.0, 0.02 * i, 0.0] for i in range(4)])
    for k in range(20):
        now = ends + k * DT * VELOCITY
        step_lines(which, lines, chains, rows[0]._work, rows[0].sea, currents[which], DT, now[which], velocities)
        follow_lines(which, lines, chains, now[which] + DT * VELOCITY, DT)
        for i in which:
            singles[i].set_current(currents[i, :3], currents[i, 3:])
            singles[i].step(DT, now[i], VELOCITY)
            singles[i].follow(DT, now[i] + DT * VELOCITY)
    for i, line in enumerate(singles):
        np.testing.assert_array_equal(chains[i, :N_CHAIN], line._chain[:N_CHAIN])


def test_an_end_predicted_correctly_changes_nothing():
    line = hung()
    line.step(DT, np.array([10.0, 5.0, 40.0]), VELOCITY)
    before = line.save()
    line.follow(DT, np.array([10.0, 5.0, 40.0]) + DT * VELOCITY)
    np.testing.assert_allclose(line._chain, before["chain"], atol=1e-9, rtol=1e-12)


def test_following_the_end_is_the_linear_part_of_knowing_its_motion():
    """Step with a wrong velocity, then follow; against a step that knew. Shapes differ by the square of the way, 4 mm.

    The one that had to follow has also sped up its last half element in the step, which the other one found moving:
    (m + m_a across) half / dt times the change of velocity. What is left is of second order, 5 % of that.
    """
    end, knew, guessed, away = np.array([10.0, 5.0, 40.0]), hung(), hung(), np.array([0.2, 0.1, 0.8])
    for line in (knew, guessed):  # both drawn away from the ship first, so that nothing is slack
        for k in range(25):
            line.step(DT, end + k * DT * away, away)
            line.follow(DT, end + (k + 1) * DT * away)
    end = end + 25 * DT * away
    change = np.array([0.1, 0.1, 0.15])
    knew.step(DT, end, away + change)
    guessed.step(DT, end, away)
    guessed.follow(DT, end + DT * (away + change))
    t = np.diff(knew.shape_n, axis=0)[-1]
    t /= np.linalg.norm(t)
    half, added = 1.5, 1025.0 * CABLE.area_m2
    inertia = half / DT * (0.5 * change + added * (change - t * (t @ change)))
    computed = knew.force_on_vehicle_n - guessed.force_on_vehicle_n
    np.testing.assert_allclose(computed, inertia, atol=0.05 * np.linalg.norm(inertia))
    np.testing.assert_allclose(guessed.shape_n, knew.shape_n, atol=1e-4)


def test_pull_is_never_larger_than_the_breaking_load():
    weak = Cable(diameter_m=0.02, mass_kg_m=0.5, stiffness_N=1e6, breaking_load_N=500.0)
    line = Line(weak, Tether(length_m=40.0, elements=20))
    line.settle((0.0, 0.0, 39.9))
    end = np.array([0.0, 0.0, 39.9])
    for _ in range(60):
        line.step(DT, end, np.array([0.0, 0.0, 1.0]))
        end = end + np.array([0.0, 0.0, DT])
        line.follow(DT, end)
    assert line.status & Status.OVERLOAD and line.status & Status.TAUT
    assert np.linalg.norm(line.force_on_vehicle_n) == pytest.approx(500.0)
    assert np.linalg.norm(line.force_on_ship_n) == pytest.approx(500.0)
    line.follow(DT, end + np.array([0.0, 0.0, 0.1]))
    assert np.linalg.norm(line.force_on_vehicle_n) == pytest.approx(500.0)  # a limited pull does not grow


def test_drum_and_ship_alone_move_as_in_a_step():
    single, other = hung(payout="rate", rate_m_s=0.5, ship="follow"), hung(payout="rate", rate_m_s=0.5, ship="follow")
    end = np.array([10.0, 5.0, 40.0])
    for _ in range(10):
        single.step(DT, end, np.zeros(3))
        drive_line(other._line, other._chain, other.sea, DT, end)
    assert single.length_m == pytest.approx(other.length_m, abs=1e-12)
    np.testing.assert_allclose(single.head["ship"], other.head["ship"], atol=1e-12)
