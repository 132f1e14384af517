"""Factors on packed parameters give the vehicle whose file has these numbers."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from pelagos.batch.batch import Batch
from pelagos.batch.parameters import scalable, scale_model, scaled_records
from pelagos.engine.core import layout as lay
from pelagos.errors import CommandError, VehicleFileError
from pelagos.vehicle.library import list_vehicles
from pelagos.vehicle.load.vehicle import changed_vehicle, load_vehicle
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


def of_file(vehicle: Vehicle) -> dict[str, float]:
    """Numbers of [hydro.coefficients] by their names."""
    table = "hydro.coefficients."
    return {
        fact.path.removeprefix(table): fact.value
        for fact in vehicle.facts
        if fact.path.startswith(table) and " " not in fact.path
    }


def with_numbers(vehicle: Vehicle, numbers: dict[str, float]) -> Vehicle:
    """The vehicle of a file with other numbers."""
    return changed_vehicle(vehicle.key, {"hydro": {"coefficients": numbers}}, "changed", Path())


def assert_same(model: np.ndarray, expected: Vehicle) -> None:
    """But for rounding: of a coefficient by the added mass taken out of it, of an inverse by its largest number."""
    record, expected_record = (
        row[np.newaxis].view(lay.MODEL.dtype)[0, 0] for row in (model.copy(), pack(expected).model)
    )
    for field in record.dtype.names:
        if record[field].dtype.names is not None:  # actuators, strips: nothing is taken out of anything
            assert record[field].tobytes() == expected_record[field].tobytes(), field
            continue
        largest = max(
            np.abs(expected_record[f]).max() for f in ((field, "added_mass") if field == "coefficients" else (field,))
        )
        np.testing.assert_allclose(
            record[field], expected_record[field], rtol=1e-12, atol=1e-14 * largest, err_msg=field
        )


@pytest.mark.slow
@pytest.mark.parametrize("key", [entry.key for entry in list_vehicles()])
def test_a_coefficient_is_the_number_of_the_file(key):
    """Each by itself. Refused as in a file: one of two names of the same element of the added mass."""
    vehicle = load_vehicle(key)
    packed = pack(vehicle)
    for name, number in of_file(vehicle).items():
        try:
            expected = with_numbers(vehicle, {name: 1.2 * number})
            assert pack(expected).structure.tolist() == packed.structure.tolist()
        except VehicleFileError as refused:
            assert "must agree" in str(refused)
            with pytest.raises(CommandError, match=r"^scale \w+: \w+ in the file.* is the same element of the added"):
                scaled(vehicle, name, 1.2)
            continue
        model = scaled(vehicle, name, 1.2)
        assert number == 0.0 or np.abs(model - packed.model).max() > 0.0, name
        assert_same(model, expected)


def test_added_mass_is_that_of_the_file_also_where_coefficients_hold_a_part_of_it():
    vehicle = load_vehicle("remus100")
    numbers = {name: 1.2 * number for name, number in of_file(vehicle).items() if name.endswith("dot")}
    assert_same(scaled(vehicle, "added_mass", 1.2), with_numbers(vehicle, numbers))
    mss = load_vehicle("remus100_mss")
    diagonal = (1.2 * np.diag(mss.added_mass)).tolist()
    expected = changed_vehicle("remus100_mss", {"added_mass": {"diagonal": diagonal}}, "changed", Path())
    assert_same(scaled(mss, "added_mass", 1.2), expected)


def test_factors_accumulate_in_any_order():
    vehicle = load_vehicle("remus100")
    models = []
    for order in (("N_uv", "Y_vdot", "N_uv"), ("Y_vdot", "N_uv", "N_uv")):
        rows = pack(vehicle, density_kg_m3=1000.0).model[np.newaxis].copy()
        for name in order:
            scale_model(rows, vehicle, name, 1.2)
        models.append(rows[0])
    file = of_file(vehicle)
    expected = with_numbers(vehicle, {"N_uv": 1.44 * file["N_uv"], "Y_vdot": 1.2 * file["Y_vdot"]})
    dense = pack(expected, density_kg_m3=1000.0).model
    for row in models:
        np.testing.assert_allclose(row, dense, rtol=1e-12)


@pytest.mark.parametrize("key", ["phoenix", "bluerov2_heavy", "dsrv", "torpedo"])
@pytest.mark.parametrize("name", CHANGED)
def test_body_and_water_as_packed_from_a_changed_vehicle(key, name):
    vehicle = load_vehicle(key)
    model = scaled(vehicle, name, 1.1)
    assert np.abs(model - pack(vehicle).model).max() > 0.0
    assert_same(model, CHANGED[name](vehicle, 1.1))


def test_damping_does_not_change_the_control_surfaces():
    vehicle = load_vehicle("remus100")
    symbols = {surface.symbol for surface in vehicle.surfaces}
    changed = tuple(
        c if symbols & set(c.factors) else dataclasses.replace(c, value=2.0 * c.value) for c in vehicle.coefficients
    )
    expected = pack(dataclasses.replace(vehicle, coefficients=changed)).model
    np.testing.assert_allclose(scaled(vehicle, "damping", 2.0), expected, rtol=1e-15)
    assert any(symbols & set(c.factors) for c in vehicle.coefficients)


@pytest.mark.slow
@pytest.mark.parametrize("key", [entry.key for entry in list_vehicles()])
def test_every_name_changes_something_and_one_changes_nothing(key):
    vehicle = load_vehicle(key)
    packed = pack(vehicle).model
    for name in scalable(vehicle):
        nothing = (name == "thrust" and not vehicle.thrusters) or (name == "fins" and not vehicle.fins)
        nothing = nothing or (
            name == "damping" and not (vehicle.coefficients or vehicle.crossflow or vehicle.lift_drag)
        )
        zero = of_file(vehicle).get(name) == 0.0
        zero = zero or (name == "added_mass" and not vehicle.added_mass.any())
        assert (np.abs(scaled(vehicle, name, 1.01) - packed).max() > 0.0) != (nothing or zero), name
        assert_same(scaled(vehicle, name, 1.0), vehicle)


def test_thrust_is_a_factor_on_the_force():
    """Half the thrust in every thruster: half the initial acceleration of a vehicle at rest."""
    batch = Batch("bluerov2_heavy", 3, step_s=1e-3, control_rate_hz=1000.0)
    batch.place(depth_m=5.0)
    batch.scale("thrust", 0.5, where=[1])
    batch.scale("thruster:" + batch.vehicle.thrusters[0].name, 0.0, where=[2])
    batch.actuators.set(thrusters=[0.5 * t.maximum for t in batch.vehicle.thrusters], at_once=True)
    still = Batch("bluerov2_heavy", 1, step_s=1e-3, control_rate_hz=1000.0)
    still.place(depth_m=5.0)
    for each in (batch, still):
        each.advance()
    gained = batch.view.nu - still.view.nu
    np.testing.assert_allclose(gained[1], 0.5 * gained[0], rtol=1e-4, atol=1e-9)  # 1 ms of drag of what is gained
    assert np.abs(gained[2] - gained[0]).max() > 1e-4


def test_each_vehicle_has_its_own_and_blocks_of_equals_share():
    batch = Batch("remus100", 40)
    group = batch.groups[0]
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
    ("name", "factor", "message"),
    [
        ("mas", 1.0, 'did you mean "mass"'),
        ("Y_uvr", 1.0, "or the name of a coefficient"),
        ("mass", 0.0, "factor is 0; expected a number above 0"),
        ("damping", -1.0, "factor is -1; expected a number of at least 0"),
        ("Y_rdot", 1.2, "N_vdot in the file of remus100 is the same element of the added mass"),
        ("thrust", [1.0, 2.0], "one number or 3"),
    ],
)
def test_a_wrong_factor_gets_one_sentence(name, factor, message):
    with pytest.raises(CommandError) as caught:
        Batch("remus100", 3).scale(name, factor)
    assert message in str(caught.value)


def test_no_factor_leaves_a_body_that_gains_energy_by_itself():
    with pytest.raises(CommandError, match=r"factor is 0\.001; expected .* the mass matrix is not positive definite"):
        scaled(load_vehicle("torpedo"), "inertia", 1e-3)


def test_scaled_records_have_the_mass_matrix_of_the_scaled_body():
    vehicle = load_vehicle("remus100")
    heavier = body(vehicle, mass_kg=1.1 * vehicle.body.mass_kg, inertia_o=1.1 * vehicle.body.inertia_o)
    scaled_packed, expected = scaled_records(pack(vehicle), vehicle, {"mass": 1.1}), pack(heavier)
    assert scaled_packed.mass_matrix == pytest.approx(expected.mass_matrix, rel=1e-13, abs=1e-13)
    assert scaled_packed.model == pytest.approx(expected.model, rel=1e-12, abs=1e-12, nan_ok=True)
    same = scaled_records(pack(vehicle), vehicle, {})
    assert same.mass_matrix.tobytes() == pack(vehicle).mass_matrix.tobytes()
