"""The description of a vehicle: it cannot be changed, its defaults are harmless, it prints itself."""

from dataclasses import FrozenInstanceError, replace

import pytest

from pelagos.vehicle.describe import describe
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.spec import AXES, CONFIDENCES, INTEGRATORS, VELOCITIES, ControlSurface, Fin, LiftDrag, Vehicle

LAUV = load_vehicle("lauv")


def test_a_vehicle_does_not_change_and_a_variant_is_another():
    with pytest.raises(FrozenInstanceError):
        LAUV.length_m = 3.0  # type: ignore[misc]
    longer = replace(LAUV, length_m=3.0)
    assert (longer.length_m, LAUV.length_m) == (3.0, load_vehicle("lauv").length_m)


def test_it_prints_as_described():
    assert str(LAUV) == describe(LAUV)


def test_defaults_are_harmless():
    assert Vehicle.integrator in INTEGRATORS
    assert Vehicle.free == (True,) * 6
    surface = ControlSurface("rudder", "dr", 0.3)
    assert surface.time_constant_s == 0.0 and surface.rate_rad_s == float("inf")
    assert Fin("f", -1, (0.0, 0.0, 0.0), (0.0, 1.0, 0.0), 0.01, 3.0).wash_thruster == -1  # no slipstream
    numbers = [value for name, value in vars(LiftDrag()).items() if name != "sideslip"]
    assert set(numbers) == {0.0}


def test_letters_go_with_their_axes():
    assert dict(zip(VELOCITIES, AXES, strict=True)) == {"u": "X", "v": "Y", "w": "Z", "p": "K", "q": "M", "r": "N"}
    assert CONFIDENCES.index("high") < CONFIDENCES.index("low") < CONFIDENCES.index("guess")
