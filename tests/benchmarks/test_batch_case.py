"""The vehicle of the batch benchmark has every force term and stays under way."""

import numpy as np

from benchmarks.batch_case import COMMAND, CURRENT_N, DT, REPLACED, SPEED_M_S, STATIONS, case_vehicle
from pelagos.vehicle.plant import Plant


def test_it_has_strips_fins_and_lags_in_place_of_the_coefficients_for_them():
    vehicle = case_vehicle()
    assert vehicle.crossflow is not None and len(vehicle.crossflow.x_m) == STATIONS
    assert len(vehicle.fins) == 4 and vehicle.thrusters[0].time_constant_s > 0.0
    assert all(surface.time_constant_s > 0.0 for surface in vehicle.surfaces)
    assert len(REPLACED) == len(set(REPLACED))


def test_it_keeps_under_way_for_as_long_as_it_is_timed():
    """The timed vehicle moves normally: 10 s ahead at more than 1 m/s, upright."""
    plant = Plant(case_vehicle())
    plant.place(position_n=(0.0, 0.0, 20.0), nu=(SPEED_M_S, 0.0, 0.0, 0.0, 0.0, 0.0))
    plant.water["current"][:] = CURRENT_N
    plant.set_actuators(**COMMAND)
    assert plant.advance(DT, round(10.0 / DT)) == round(10.0 / DT)
    assert plant.nu[0] > 1.0 and np.abs(plant.euler[:2]).max() < 1.0
