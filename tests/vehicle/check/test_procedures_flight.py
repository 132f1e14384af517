"""The flight model of gliders: it finds the speed that made the data, and says how far off others are."""

from dataclasses import replace

import numpy as np
import pytest

from pelagos.vehicle.check.procedures import GliderFlight, fly, glider_flight
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.trim import glide

SLOCUM = load_vehicle("slocum")
RHO = 1005.0
PITCH = np.radians(-25.0)


@pytest.fixture
def data(tmp_path):
    """Ten samples of a steady dive at 20 m, with the speed that the engine itself gives: what must come back."""
    vehicle = replace(SLOCUM, free=(True, False, True, False, False, False))
    plant = Plant(vehicle, density_kg_m3=RHO)
    plant.state["actuators"]["ballast"][next(i for i, b in enumerate(vehicle.ballast) if b.kind == "engine")] = -2e-4
    plant.place(position_n=[0.0, 0.0, 20.0])
    u, w, _, found = glide(plant, float(PITCH))
    assert found
    pressure = 20.0 * RHO * vehicle.water.gravity_m_s2 / 1e5
    path = tmp_path / "dive.csv"
    head = "t_s,pressure_bar,pitch_rad,buoyancy_change_cc,density_kg_m3,speed_adcp_m_s\n"
    path.write_text(head + "".join(f"{4 * k},{pressure},{PITCH},-200,{RHO},{np.hypot(u, w)}\n" for k in range(10)))
    return path


def test_the_speed_that_made_the_data_comes_back(data):
    flight = fly(SLOCUM, data)
    assert flight.speed_m_s.size == 10
    assert flight.rms == pytest.approx(0.0, abs=1e-6)  # m/s: the equilibrium is found to that
    assert flight.sink_m_s.min() > 0.05  # it does sink; the pressure of the file stands still
    assert flight.depth_rate_rms == pytest.approx(flight.sink_m_s.mean(), rel=1e-6)


def test_a_heavier_glider_dives_faster_and_samples_are_chosen(data):
    assert fly(SLOCUM, data, mass_kg=70.3).bias > 0.02
    assert fly(SLOCUM, data, pitch_above_deg=30.0).speed_m_s.size == 0  # none is that steep
    assert fly(SLOCUM, data, depth_m=(30.0, 60.0)).speed_m_s.size == 0


def test_the_procedure_gives_bias_and_rms_or_the_depth_rate(data):
    assert glider_flight(SLOCUM, {"data": str(data)}) == pytest.approx([0.0, 0.0], abs=1e-6)
    assert len(glider_flight(SLOCUM, {"data": str(data), "quantity": "depth_rate"})) == 1


def test_bias_and_rms_by_hand():
    ours, theirs = np.array([1.0, 2.0]), np.array([0.0, 2.0])
    flight = GliderFlight(ours, theirs, ours, theirs)
    assert (flight.bias, flight.rms) == (0.5, pytest.approx(0.5**0.5))
