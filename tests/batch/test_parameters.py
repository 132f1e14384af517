"""Factors on packed parameters are those of a vehicle file with these numbers in it."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from pelagos.batch.batch import Batch
from pelagos.batch.parameters import scalable, scale_model
from pelagos.engine.core import layout as lay
from pelagos.errors import CommandError
from pelagos.vehicle.library import list_vehicles
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.pack.records import pack
from pelagos.vehicle.spec import Vehicle


def scaled(vehicle: Vehicle, name: str, factor: float) -> np.ndarray:
    rows = pack(vehicle).model[np.newaxis].copy()
    scale_model(rows, vehicle, name, factor)
    return rows[0]


def body(vehicle: Vehicle, **changes: object) -> Vehicle:
    return dataclasses.replace(vehicle, body=dataclasses.replace(vehicle.body, **changes))


CHANGED = {
    "mass": lambda v, k: body(v, mass_kg=k * v.body.mass_kg, inertia_o=k * v.body.inertia_o),
    "inertia": lambda v, k: body(v, inertia_o=k * v.body.inertia_o),
    "buoyancy": lambda v, k: body(v, volume_m3=k * v.body.volume_m3),
    "added_mass": lambda v, k: dataclasses.replace(v, added_mass=k * v.added_mass),
}


@pytest.mark.parametrize("key", ["remus100", "bluerov2_heavy", "dsrv", "torpedo"])
@pytest.mark.parametrize("name", CHANGED)
def test_body_and_water_as_packed_from_a_changed_vehicle(key, name):
    """1e-12 relative: the inverse of the mass matrix is found another way."""
    vehicle = load_vehicle(key)
    wanted = pack(CHANGED[name](vehicle, 1.1)).model
    found = scaled(vehicle, name, 1.1)
    assert np.abs(found - pack(vehicle).model).max() > 0.0
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-15 * np.abs(wanted).max())


def test_a_coefficient_by_its_name():
    vehicle = load_vehicle("remus100")
    name = vehicle.coefficients[3].name
    changed = tuple(dataclasses.replace(c, value=0.5 * c.value) if c.name == name else c for c in vehicle.coefficients)
    wanted = pack(dataclasses.replace(vehicle, coefficients=changed)).model
    np.testing.assert_allclose(scaled(vehicle, name, 0.5), wanted, rtol=1e-15)


def test_damping_leaves_the_control_surfaces_alone():
    vehicle = load_vehicle("remus100")
    symbols = {surface.symbol for surface in vehicle.surfaces}
    changed = tuple(
        c if symbols & set(c.factors) else dataclasses.replace(c, value=2.0 * c.value) for c in vehicle.coefficients
    )
    wanted = pack(dataclasses.replace(vehicle, coefficients=changed)).model
    np.testing.assert_allclose(scaled(vehicle, "damping", 2.0), wanted, rtol=1e-15)
    assert any(symbols & set(c.factors) for c in vehicle.coefficients)


@pytest.mark.parametrize("key", [entry.key for entry in list_vehicles()])
def test_every_name_changes_something_and_one_changes_nothing(key):
    vehicle = load_vehicle(key)
    packed = pack(vehicle).model
    for name in scalable(vehicle):
        nothing = (name == "thrust" and not vehicle.thrusters) or (name == "fins" and not vehicle.fins)
        nothing = nothing or (
            name == "damping" and not (vehicle.coefficients or vehicle.crossflow or vehicle.lift_drag)
        )
        zero = any(c.name == name and c.value == 0.0 for c in vehicle.coefficients)
        zero = zero or (name == "added_mass" and not vehicle.added_mass.any())
        assert (np.abs(scaled(vehicle, name, 1.5) - packed).max() > 0.0) != (nothing or zero), name
        np.testing.assert_allclose(scaled(vehicle, name, 1.0), packed, rtol=1e-11, atol=1e-14 * np.abs(packed).max())


def test_thrust_is_a_factor_on_the_force():
    """Half the thrust in every thruster: half the initial acceleration of a vehicle at rest."""
    batch = Batch("bluerov2_heavy", 3, step_s=1e-3, control_rate_hz=1000.0)
    batch.place(depth_m=5.0)
    batch.scale("thrust", 0.5, where=[1])
    batch.scale("thruster:" + batch.vehicle.thrusters[0].name, 0.0, where=[2])
    batch.set_actuators(thrusters=[0.5 * t.maximum for t in batch.vehicle.thrusters], at_once=True)
    still = Batch("bluerov2_heavy", 1, step_s=1e-3, control_rate_hz=1000.0)
    still.place(depth_m=5.0)
    for each in (batch, still):
        each.advance()
    gained = batch.nu - still.nu
    np.testing.assert_allclose(gained[1], 0.5 * gained[0], rtol=1e-4, atol=1e-9)  # 1 ms of drag of what is gained
    assert np.abs(gained[2] - gained[0]).max() > 1e-4


def test_each_vehicle_has_its_own_and_blocks_of_equals_share():
    batch = Batch("remus100", 40)
    group = batch._groups[0]
    assert len(group.models) == 1
    factors = np.linspace(0.8, 1.2, 40)
    batch.scale("mass", factors)
    assert len(group.models) == 5
    mass = lay.MODEL.offset("mass")[0]
    packed = pack(batch.vehicle).model[mass]
    np.testing.assert_allclose(group.model_rows(np.arange(40))[:, mass], packed * factors, rtol=1e-15)
    batch.scale("mass", 2.0, where=[7])
    assert group.model_rows(np.array([7]))[0, mass] == pytest.approx(2.0 * factors[7] * packed, rel=1e-15)


@pytest.mark.parametrize(
    ("name", "factor", "says"),
    [
        ("mas", 1.0, 'did you mean "mass"'),
        ("Y_uvr", 1.0, "or the name of a coefficient"),
        ("mass", 0.0, "factor 0; expected a finite number above 0"),
        ("damping", -1.0, "of 0 or above"),
        ("thrust", [1.0, 2.0], "one number or 3"),
    ],
)
def test_what_is_wrong_is_said(name, factor, says):
    with pytest.raises(CommandError) as caught:
        Batch("remus100", 3).scale(name, factor)
    assert says in str(caught.value)
