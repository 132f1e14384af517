"""The drum: rates, limits, and the tension winch as part of the solution of a step."""

import numpy as np
import pytest

from pelagos.tether.spec import Cable
from tests.tether.flown import DT, endless, fly, rigged, stay

LIGHT = Cable(diameter_m=0.02, mass_kg_m=0.34, stiffness_N=1e5)


def winch(drag=5.0, speed=1.0, cable=LIGHT, elements=20, **more):
    how = {"payout": "tension", "tension_N": 100.0, "drum_drag_Ns_m": drag, "drum_speed_m_s": speed} | more
    return rigged(cable, endless(), (0.0, 0.0, 0.0), (9.0, 0.0, 0.0), 10.0, elements=elements, **how)


@pytest.mark.parametrize("drag", [1.0, 50.0, 300.0])
def test_the_law_of_the_drum_holds_in_every_step(drag):
    """T = T_set + drag dL/dt, whatever the cable does, as long as the drum is below its greatest speed."""
    line, seen = winch(drag=drag), []
    fly(
        line, (12.0, 0.0, 0.0), (11.0, 1.0, 0.5), (11.0, 1.0, 2.0), speed_m_s=0.3,
        each=lambda q: seen.append((float(q.tensions_N[0]), float(q.head["length_rate"]))),
    )  # fmt: skip
    pull, rate = np.array(seen).T
    free = np.abs(rate) < 0.999
    assert free.sum() > 500
    # 0.2 % of T_set: the stretch of the first element at T_set is taken for that at T
    np.testing.assert_allclose(pull[free], 100.0 + drag * rate[free], atol=0.2)


def test_rate_and_length_belong_together():
    line, seen = winch(), []
    before = line.length_m
    fly(line, (12.0, 0.0, 0.0), speed_m_s=0.3, each=lambda q: seen.append(float(q.head["length_rate"])))
    assert line.length_m - before == pytest.approx(DT * sum(seen), rel=1e-9)
    assert line.nodes["length"][:-1].sum() == pytest.approx(line.length_m, rel=1e-12)


def test_a_stiff_cable_does_not_make_the_drum_hunt():
    stiff = Cable(diameter_m=0.02, mass_kg_m=0.34, stiffness_N=1e7)
    line, seen = winch(cable=stiff, elements=40), []
    stay(line, 20.0)
    stay(line, 5.0, each=lambda q: seen.append(float(q.head["tension_a"])))
    assert np.ptp(seen) < 0.1  # N, of 100


def test_beyond_its_speed_the_drum_turns_as_fast_as_it_can():
    line, rates = winch(speed=0.5), []
    stay(line, 20.0)
    fly(line, (10.5, 0.0, 0.0), speed_m_s=0.8, each=lambda q: rates.append(float(q.head["length_rate"])))
    np.testing.assert_allclose(rates[20:], 0.5, rtol=1e-9)
    assert float(line.head["tension_a"]) > 150.0
    stay(line, 20.0)
    assert float(line.head["tension_a"]) == pytest.approx(100.0, rel=0.01)  # and comes back


def test_the_end_of_the_cable_on_the_drum_holds():
    line = winch(longest_m=10.5)
    fly(line, (10.6, 0.0, 0.0), speed_m_s=0.3)
    assert line.length_m == pytest.approx(10.5, rel=1e-9)
    assert float(line.head["tension_a"]) > 300.0  # 1 % of strain, 1000 N, less what the sag has given
    fly(line, (9.0, 0.0, 0.0), speed_m_s=0.3)
    assert line.length_m < 9.2


def test_a_pilot_changes_the_tension_and_takes_the_drum_over():
    line = winch()
    stay(line, 20.0)
    line.haul(tension_N=200.0)
    stay(line, 20.0)
    assert float(line.head["tension_a"]) == pytest.approx(200.0, rel=0.005)
    line.haul(rate_m_s=0.1)
    before = line.length_m
    stay(line, 2.0)
    assert line.length_m == pytest.approx(before + 0.2, rel=1e-9)
    line.haul(fixed=True)
    stay(line, 1.0)
    assert line.length_m == pytest.approx(before + 0.2, rel=1e-9)


def test_heave_of_the_ship_is_taken_up():
    """The ship's end is moved by hand up and down by 0.5 m: with the winch the tension stays, without it does not."""
    pulls = {}
    for name in ("winch", "fixed"):
        line = winch(speed=3.0)
        stay(line, 20.0)
        if name == "fixed":
            line.haul(fixed=True)
        seen, at, still = [], line.shape_n[-1], np.zeros(3)
        for k in range(400):
            line.head["ship_calm"][0] = 0.5 * np.sin(2.0 * np.pi * k * DT / 8.0)
            line.step(DT, at, still)
            seen.append(float(line.head["tension_a"]))
        pulls[name] = np.ptp(seen)
    # drag 5 N s/m at 0.39 m/s either way: 3.9 N; an element that comes or goes adds some
    assert pulls["winch"] < 6.0
    assert pulls["fixed"] > 1000.0
