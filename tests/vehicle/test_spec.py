"""Descriptions of vehicles: frozen, harmless by default, printable, and each number with its provenance."""

from dataclasses import FrozenInstanceError, fields, replace
from math import degrees

import pytest

from pelagos.files.schema import CONFIDENCES
from pelagos.vehicle.describe import describe
from pelagos.vehicle.load.vehicle import load_vehicle, loads
from pelagos.vehicle.spec import (
    AXES,
    COMPUTED_CONTROL,
    COMPUTED_GAINS,
    INTEGRATORS,
    VELOCITIES,
    Camera,
    Check,
    ControlSpec,
    ControlSurface,
    Fact,
    Fin,
    Lamp,
    LiftDrag,
    LoopGains,
    Source,
    Vehicle,
)
from tests.vehicle.plain import PLAIN

LAUV = load_vehicle("lauv")
SOURCED = 'mass_kg = { value = 100.0, source = "BOOK", confidence = "low", note = "p. 3" }'
MORE = """
[sources.BOOK]
cite = "A Book"
licence = "free"
[[check]]
id = "weight"
kind = "analytic"
quantity = "mass times gravity"
value = 980.665
unit = "N"
tolerance = 1e-6
source = "BOOK"
"""
TEXT = PLAIN.replace("mass_kg = 100.0", SOURCED) + MORE


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


def test_gains_are_computed_unless_set_but_the_altitude_filter_has_a_default():
    assert all(getattr(COMPUTED_GAINS, item.name) is None for item in fields(LoopGains))
    names = [item.name for item in fields(ControlSpec)]
    preset = {name for name in names if getattr(COMPUTED_CONTROL, name) not in (None, COMPUTED_GAINS)}
    assert preset == {"altitude_filter_s"}


def test_a_variant_of_the_gains_leaves_the_vehicle_as_it_was():
    other = replace(LAUV, control=replace(LAUV.control, cruise_speed_m_s=1.0))
    assert LAUV.control.cruise_speed_m_s is None and other.control.cruise_speed_m_s == 1.0
    with pytest.raises(FrozenInstanceError):
        setattr(LAUV.control, "cruise_speed_m_s", 2.0)  # noqa: B010


def test_a_plain_camera_is_fixed_and_looks_ahead():
    camera = Camera("eye", (0.5, 0.0, 0.0))
    assert (camera.pan_rad, camera.tilt_rad, camera.zoom_most) == (0.0, 0.0, 1.0)
    assert camera.pan_limit_rad == camera.tilt_limit_rad == (0.0, 0.0)
    assert degrees(camera.fov_rad) == pytest.approx(80.0)


def test_a_plain_lamp_shines_ahead():
    lamp = Lamp("lamp", (0.5, 0.0, 0.0))
    assert lamp.direction_b == (1.0, 0.0, 0.0)
    assert 0.0 < degrees(lamp.beam_rad) <= 180.0


def test_a_camera_is_frozen():
    with pytest.raises(FrozenInstanceError):
        Camera("eye", (0.0, 0.0, 0.0)).fov_rad = 1.0  # type: ignore[misc]


def test_a_fact_is_the_number_as_written_with_its_provenance():
    vehicle = loads(TEXT)
    assert Fact("body.mass_kg", 100.0, "kg", "BOOK", "low", "p. 3") in vehicle.facts
    assert vehicle.sources == (Source("BOOK", "A Book", "free"),)


def test_a_check_is_only_documented_unless_it_names_a_procedure():
    (check,) = loads(TEXT).checks
    assert check == Check("weight", "analytic", "mass times gravity", 980.665, "N", 1e-6, "BOOK")
    assert (check.test, check.known, check.setup) == ("", "", {})
