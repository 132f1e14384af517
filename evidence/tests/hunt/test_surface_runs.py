"""Section IV.B without a controller: steady runs along the surface balance, and vehicles that do not fit are caught."""

import math
from dataclasses import replace

import numpy as np
import pytest

from evidence.tests.checked import joined
from pelagos.sim.log.log import Log
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.pack.records import mass_matrix
from pelagos_evidence.claim import ClaimVerdict
from pelagos_evidence.hunt import exact, surface_runs
from pelagos_evidence.hunt.dives import SETTLING_S
from pelagos_evidence.hunt.surface_runs import SteadyRun
from pelagos_evidence.hunt.surfacing_flights import Flights

IVER3 = load_vehicle("iver3")
RUN = SteadyRun(IVER3)


def flight(pitch_deg, depth_m=None):
    """A run that lies still in its turns, on the curve by default."""
    time = np.arange(0.0, 700.0, 2.0)
    leg = np.floor(time / 100.0)
    depth = RUN.depth(np.radians(pitch_deg)) if depth_m is None else depth_m
    assert SETTLING_S < 100.0
    return Log(
        {"time_s": time, "leg": leg, "pitch_deg": np.full_like(time, pitch_deg), "depth_m": np.full_like(time, depth)}
    )


@pytest.fixture(scope="module")
def flights():
    up, plain, other = flight(2.3), flight(1.5), flight(-2.0, -0.2)
    return Flights(up, other, up, plain, other, plain, other)


def verdicts(claims):
    return {claim.key: claim.verdict for claim in claims}


@pytest.mark.slow
def test_rows_hold_and_say_what_was_assumed(flights):
    trim = surface_runs.trim_claims(IVER3, flights)
    assert ClaimVerdict.FAILED not in verdicts(trim).values()
    assert all(claim.assumption for claim in trim if claim.key != "flown-on-the-curve")


@pytest.mark.slow
def test_a_thicker_hull_does_not_run_at_the_printed_depth():
    hull, mast = IVER3.shapes
    thick = replace(IVER3, shapes=(replace(hull, size_m=(hull.size_m[0], 0.1)), mast))
    assert joined(surface_runs, surface_runs.depth_and_pitch_values(thick))[0].verdict is ClaimVerdict.FAILED


def test_another_pitch_is_another_depth(flights):
    steep = replace(flights, hybrid=flight(5.0))
    assert joined(surface_runs, surface_runs.not_circular_values(IVER3, steep))[0].verdict is ClaimVerdict.FAILED


def test_a_flight_off_the_curve_is_caught(flights):
    assert joined(surface_runs, surface_runs.on_the_curve_values(RUN, flights))[0].verdict is ClaimVerdict.REPRODUCED
    off = replace(flights, hybrid=flight(2.3, 0.135))
    assert joined(surface_runs, surface_runs.on_the_curve_values(RUN, off))[0].verdict is ClaimVerdict.FAILED


def test_a_heavy_vehicle_flies_nose_up(flights):
    heavy = replace(IVER3, body=replace(IVER3.body, mass_kg=IVER3.body.mass_kg + 0.8))
    assert verdicts([joined(surface_runs, surface_runs._submerged_pitch(heavy))[0]]) == {
        "submerged-pitch": ClaimVerdict.FAILED
    }


def test_nothing_is_left_but_the_drag():
    pitch = math.radians(2.0)
    depth = RUN.depth(pitch)
    residual = RUN.wrench(depth, pitch, RUN.plane(depth, pitch))
    np.testing.assert_allclose(residual[[1, 2, 3, 4, 5]], 0.0, atol=2e-3)  # 1 um of depth is 1 mN
    assert residual[0] < -20.0


def test_level_flight_without_lift_is_the_balance_of_drag_and_buoyancy():
    """3.53 N cos(pitch) = 1210 w^2 with w = 1.3 sin(pitch): the sine is 0.04155."""
    bare = surface_runs.SteadyRun(surface_runs.without_lift(surface_runs.submerged(IVER3)))
    sine = math.sin(bare.submerged_pitch())
    assert sine == pytest.approx(-math.sqrt(3.53 * math.sqrt(1.0 - sine * sine) / 1210.0) / 1.3, rel=1e-9)


def test_nose_up_at_a_depth_is_the_inverse_of_the_depth():
    pitch = RUN.nose_up_at(0.125)
    assert RUN.depth(pitch) == pytest.approx(0.125, abs=1e-5) and 0.0 < pitch < math.radians(3.0)


def test_it_dives_for_ever_with_the_nose_too_low():
    assert RUN.depth(math.radians(-5.0)) == math.inf


@pytest.mark.parametrize("length", surface_runs.LENGTHS_M)
def test_other_hulls_meet_table_one_and_the_rest(length):
    of = surface_runs.with_length(IVER3, length)
    weight = of.body.mass_kg * 9.81
    assert 9810.0 * of.body.volume_m3 - weight == pytest.approx(3.53, abs=1e-9)
    assert 9810.0 * of.body.volume_m3 * of.body.cb_b[2] == pytest.approx(-12.5, abs=1e-6)
    np.testing.assert_allclose(exact.centroid(of)[2], of.body.cb_b[2], atol=1e-9)
    np.testing.assert_allclose(np.diag(mass_matrix(of)), np.diag(mass_matrix(IVER3)))
    depth, pitch = exact.afloat(of)
    assert depth == pytest.approx(0.13, abs=2e-3)
    nose = depth - 0.5 * length * math.sin(pitch) + (of.shapes[0].center_b[2] - 0.0735) * math.cos(pitch)
    assert nose == pytest.approx(0.0, abs=3e-3)


def test_the_file_has_the_same_solution():
    """Errata H11: mast 0.203 m high, 0.073 m aft, axis of the hull 0.0369 m above the centre of mass."""
    shortened = surface_runs.with_length(IVER3, 1.9)
    for short, full in zip(shortened.shapes, IVER3.shapes, strict=True):
        np.testing.assert_allclose(short.center_b, full.center_b, atol=2e-4)
        np.testing.assert_allclose(short.size_m, full.size_m, atol=2e-4)
    assert shortened.body.mass_kg == pytest.approx(IVER3.body.mass_kg, abs=1e-3)


def test_a_hull_awash_by_hand():
    """1.9 m: 12.5 N m/316.3 N = 0.0395 m above the centre of mass, and 0.0735 m to its top."""
    assert surface_runs.awash_depth(IVER3, 1.9) == pytest.approx(0.0395 + 0.0735, abs=5e-5)
    stiffer = replace(IVER3, water=replace(IVER3.water, density_kg_m3=1025.0))
    assert surface_runs.awash_depth(stiffer, 1.9) < surface_runs.awash_depth(IVER3, 1.9)
