"""Sliding-mode laws of real vehicles: what they are made of."""

import math

import numpy as np
import pytest

from pelagos.control.base import HEAVE, PITCH, YAW
from pelagos.control.sliding.law import DRAG_KNOWN, NO_DRAG, axis_drag, hover_law, known_drag, make_stage
from pelagos.control.tuning.gains import NO_LOOP
from pelagos.control.tuning.schedule import Schedule


def test_drag_of_an_axis_is_fitted_exactly_where_it_is_linear_and_square(rov):
    """The test ROV has Z = -33 w - 190 w|w| by its coefficients."""
    drag = axis_drag(Schedule(rov), HEAVE, 0.5)
    assert drag.linear == pytest.approx(33.0, rel=1e-6) and drag.square == pytest.approx(190.0, rel=1e-6)
    assert known_drag(drag, -0.3) == pytest.approx(DRAG_KNOWN * (-33.0 * 0.3 - 190.0 * 0.09), rel=1e-6)


def test_hovering_law_of_a_mass(rov):
    """One axis: k = M w, h = 1 / w, gain = M w with w the frequency that was found."""
    schedule = Schedule(rov)
    law, _ = hover_law(schedule, HEAVE, schedule.heave)
    mass = float(schedule.response.mass[2, 2])
    w = 1.0 / law.h[0]
    assert law.k[0] == pytest.approx(mass * w, rel=1e-9)
    assert law.gain == pytest.approx(mass * w, rel=1e-9)
    assert law.eta <= schedule.heave.error_limit / schedule.heave.approach_s + 1e-12
    assert law.bears <= schedule.allocation.limit(HEAVE, 1.0)


def test_no_thrust_no_law(torpedo):
    schedule = Schedule(torpedo)
    law, drag = hover_law(schedule, HEAVE, NO_LOOP)
    assert not law.works and drag is NO_DRAG


def test_a_torpedo_steers_with_two_states_and_dives_with_three(torpedo):
    schedule = Schedule(torpedo)
    made = make_stage(schedule, schedule.stage(schedule.cruise))
    assert len(made.yaw.k) == 2 and len(made.dive.k) == 3
    assert made.yaw.gain > 0.0 and made.dive.gain < 0.0  # a nose-up moment takes the depth away
    assert made.served == {0, PITCH, YAW} and made.mask.tolist() == [0, 0, 0, 0, 1, 1]
    # eta of the dive: steady descent with the pitch that can be held, w small beside u theta.
    stage = schedule.stage(schedule.cruise)
    assert made.dive.eta <= stage.speed * math.sin(stage.pitch_limit)


def test_level_flight_needs_what_the_stage_says(torpedo):
    """At the trim of the stage the kernel has no heave force and no pitch moment left."""
    schedule = Schedule(torpedo)
    stage = schedule.stage(schedule.cruise)
    made = make_stage(schedule, stage)
    tau = np.zeros(6)
    tau[PITCH] = made.trim_moment
    nu = np.array([stage.speed, 0.0, made.trim_heave, 0.0, 0.0, 0.0])
    left = schedule.response.wrench(nu, stage.mix.solve(tau), pitch=stage.trim_pitch)
    # The trim is that of the linear model; 3.3 N of buoyancy are left to within a tenth.
    assert abs(left[HEAVE]) < 0.33 and abs(left[PITCH]) < 0.1
