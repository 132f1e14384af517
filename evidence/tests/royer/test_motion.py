"""Thrusters, speeds and steps: hand-calculated closed forms, wrong vehicles that must fail, and the figure."""

import math
from dataclasses import replace

import numpy as np
import pytest

from evidence.tests.checked import joined
from pelagos_evidence.claim import ClaimVerdict
from pelagos_evidence.royer import motion
from pelagos_evidence.royer.given import sea_grant
from pelagos_evidence.royer.motion import run


def by_key(rows):
    return {row.key: row for row in rows}


def test_the_limit_speed_by_hand():
    rows = by_key(joined(motion, motion.speed_values()))
    # 150 (u^2 + u) = 1000 N: u = 2.12996 m/s = 4.140 kn
    assert rows["limit-speed"].numbers["ours"] == pytest.approx(4.1403, abs=5e-4)
    assert rows["limit-speed"].verdict is ClaimVerdict.REFUTED
    assert "653 N" in rows["limit-speed"].why
    assert rows["pump"].holds and "no agreement" in rows["pump"].assumption
    assert rows["steady-heave"].numbers["ours"] == pytest.approx(1.79129, abs=5e-6)


def test_another_drag_is_caught(monkeypatch):
    vehicle = sea_grant()
    wrong = tuple(replace(c, value=1.05 * c.value) for c in vehicle.coefficients)
    monkeypatch.setattr(motion, "sea_grant", lambda: replace(vehicle, coefficients=wrong))
    rows = by_key([*joined(motion, motion.speed_values()), *joined(motion, motion.data_values())])
    assert not any(rows[f"steady-{name}"].holds for name in ("surge", "sway", "heave"))
    assert not rows["vehicle-numbers"].holds and "C1 of u" in rows["vehicle-numbers"].ours


def test_thrusters_the_other_way_round_and_another_lag_are_caught(monkeypatch):
    vehicle = sea_grant()
    first, second, *rest = vehicle.thrusters
    turned = replace(first, direction_b=(-1.0, 0.0, 0.0), time_constant_s=0.4)
    monkeypatch.setattr(motion, "sea_grant", lambda: replace(vehicle, thrusters=(turned, second, *rest)))
    rows = by_key(joined(motion, motion.thruster_values()))
    assert not rows["thrusters"].holds and not rows["thruster-lag"].holds


def test_a_pump_without_a_limit_is_caught(monkeypatch):
    monkeypatch.setattr(motion, "load_vehicle", lambda name: sea_grant())
    assert not joined(motion, motion._pump(653.0))[0].holds


def test_four_degrees_of_freedom_by_hand(monkeypatch):
    row = joined(motion, motion._four_degrees())[0]
    # 150 N on an arm of 0.5 m against 400 g 0.2 m of righting: 5.5 deg of roll
    assert row.holds and row.numbers["six"] == pytest.approx(5.5, abs=1.5)


def test_the_lag_by_hand():
    rows = by_key(joined(motion, motion.thruster_values()))
    numbers = rows["lag-yaw"].numbers
    # 200 r' + 800 (r + r^2) = 250: without lag r(0.5 s) is near its end, 0.2500; with the lag it is about half
    assert numbers["without"] == pytest.approx(0.5 * (math.sqrt(2.25) - 1.0), rel=0.06)
    assert 0.4 < numbers["with lag"] / numbers["without"] < 0.6
    assert numbers["time constant of yaw"] == pytest.approx(0.25)


def test_the_newton_method_is_of_first_order_and_runge_kutta_is_not():
    exact = motion.weave("rk4", 0.002)
    euler = [float(np.linalg.norm((motion.weave("euler", dt) - exact)[:3])) for dt in (0.1, 0.05)]
    rk4 = [float(np.linalg.norm((motion.weave("rk4", dt) - exact)[:3])) for dt in (0.2, 0.1)]
    assert 1.8 < euler[0] / euler[1] < 2.3
    assert rk4[0] / rk4[1] > 8.0
    rows = by_key(joined(motion, motion.integration_values()))
    assert (
        rows["newton-order"].holds
        and rows["newton-cost"].numbers["runge-kutta"] < rows["newton-cost"].numbers["newton"]
    )


def test_the_sets_roll_the_vehicle_about_twice_as_far_as_the_matrix():
    matrix, sets = (run(sea_grant(), [0.0, 0.0, 500.0], 3.0, by_sets)[:, 2].max() for by_sets in (False, True))
    assert 1.5 < sets / matrix < 2.5


def test_a_run_up_ends_at_the_steady_speed():
    t, knots, roll, rate = run(sea_grant(), [500.0, 500.0], 12.0)[-1]
    assert (t, roll, rate) == pytest.approx((12.0, 0.0, 0.0), abs=1e-9)
    assert knots == pytest.approx(4.14, abs=0.01)


def test_without_roll_to_speak_of_both_forms_turn_alike():
    matrix, sets = (run(sea_grant(), [250.0, -250.0], 2.0, by_sets)[-1, 3] for by_sets in (False, True))
    assert sets == pytest.approx(matrix, rel=0.02)  # Euler against RK4 at 0.02 s
