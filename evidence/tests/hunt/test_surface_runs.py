"""Section IV.B without a controller: rows from made-up flights, and vehicles that do not fit are caught."""

from dataclasses import replace

import numpy as np
import pytest

from evidence.tests.checked import joined
from pelagos.sim.log.log import Log
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos_evidence.claim import ClaimVerdict
from pelagos_evidence.hunt import surface_runs
from pelagos_evidence.hunt.dives import SETTLING_S
from pelagos_evidence.hunt.surface_runs import SteadyRun
from pelagos_evidence.hunt.surfacing_flights import Flights

IVER3 = load_vehicle("iver3")
RUN = SteadyRun(IVER3)


def flight(pitch_deg, depth_m=None):
    """A run that lies still in its turns, on the curve unless told otherwise."""
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


def test_rows_hold_and_say_what_was_assumed(flights):
    found = surface_runs.trim_claims(IVER3, flights)
    assert ClaimVerdict.FAILED not in verdicts(found).values()
    assert all(claim.assumption for claim in found if claim.key != "flown-on-the-curve")


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
