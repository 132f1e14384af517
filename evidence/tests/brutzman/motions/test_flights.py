"""Flights in feet and degrees: those of an independent port of the equations, and a run that ends early."""

from dataclasses import replace

import numpy as np
import pytest

from pelagos_evidence.brutzman.motions.flights import SCREWS, fly, held, phoenix, plant_of, track
from tests.reference.oracle import Table

COLUMNS = ("u_fps", "v_fps", "w_fps", "x_ft", "y_ft", "z_ft")
RUNS = {
    "turn_bow+10_stern-10_700rpm": dict(rpm=SCREWS, fins_deg=(10, -10, 0, 0), surge_ft_s=2.0),
    "dive_bow-5_stern+5_700rpm": dict(rpm=SCREWS, fins_deg=(0, 0, -5, 5), surge_ft_s=2.0),
    "hover_heave_+24V_+24V": dict(volts=(24, 24, 0, 0)),
    "runup_700rpm": dict(rpm=SCREWS),
}


@pytest.mark.parametrize("name", RUNS)
def test_a_minute_is_that_of_the_independent_port(name):
    """RK4 at 0.02 s against its 0.01 s: 1e-6 ft covers both errors."""
    run = Table("phoenix", f"{name}__corrected.csv")
    flight = fly(phoenix(), 60.0, every_s=1.0, **RUNS[name])
    rows = [int(np.argmin(np.abs(run["t_s"] - t))) for t in flight.time_s]
    np.testing.assert_allclose(np.hstack([flight.nu[:, :3], flight.place_ft]), run[COLUMNS][rows], atol=1e-6)
    angles = np.degrees(run[("phi_rad", "theta_rad", "psi_rad")][rows])
    np.testing.assert_allclose(flight.euler_deg, angles, atol=1e-5)


def test_the_nearest_sample_and_what_is_held():
    flight = fly(held(phoenix(), "u"), 4.0, rpm=SCREWS, fins_deg=(10, -10, -5, 5))
    assert flight.time_s[flight.at(1.9)] == pytest.approx(2.0) and flight.sound
    assert np.all(flight.nu[:, 1:] == 0.0) and flight.nu[-1, 0] > 0.3


def test_a_run_that_diverges_ends_before():
    plant = plant_of(replace(phoenix(), crossflow=None))
    plant.command["external"][0] = 1e12
    flight = track(plant, 50.0, step_s=1.0, every_s=1.0)
    assert not flight.sound and len(flight.time_s) < 51 and np.isfinite(flight.nu).all()
