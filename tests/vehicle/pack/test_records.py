"""From description to engine records: refused vehicles, density, factors, largest number of parts."""

from dataclasses import replace

import numpy as np
import pytest

from pelagos.engine.core import layout as lay
from pelagos.errors import VehicleFileError
from pelagos.files.library import VEHICLES
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.pack.records import mass_matrix, pack, refuse_bad_mass
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Ballast, ControlSurface, Crossflow, Fin, Thruster
from tests.engine.probe import RHO, ball, put, terms
from tests.reference.everything import everything, situation


def model_of(vehicle, **options):
    return pack(vehicle, **options).model.view(lay.MODEL.dtype)[0]


def structure_of(vehicle):
    return pack(vehicle).structure.view(lay.STRUCTURE.dtype)[0]


@pytest.mark.parametrize("key", VEHICLES.names())
def test_every_library_vehicle_packs(key):
    packed = pack(load_vehicle(key))
    assert packed.model.shape == (lay.MODEL.size,)
    assert packed.structure.shape == (lay.STRUCTURE.size,)
    assert np.all(np.isfinite(packed.model))
    matrix = packed.mass_matrix
    scale = np.sqrt(np.outer(np.diag(matrix), np.diag(matrix)))
    assert np.abs((matrix - matrix.T) / np.where(scale > 0, scale, 1)).max() <= 1e-6


def test_an_asymmetric_mass_matrix_is_refused_with_both_values():
    added = np.diag([50.0, 50.0, 50.0, 1.0, 1.0, 1.0])
    added[1, 5] = 3.0
    with pytest.raises(VehicleFileError) as error:
        pack(ball(added_mass=added))
    sentence = str(error.value)
    assert "Y_rdot" in sentence
    assert "M[2,6] = 3" in sentence
    assert "M[6,2] = 0" in sentence


def test_a_mass_matrix_that_is_not_positive_definite_is_refused():
    added = np.diag([50.0, 50.0, 50.0, 1.0, 1.0, 1.0])
    added[1, 5] = added[5, 1] = 100.0
    with pytest.raises(VehicleFileError, match="eigenvalue of body plus added mass = -"):
        pack(ball(added_mass=added))


def test_a_bad_block_of_held_axes_does_no_harm():
    """Sway and yaw held: their block never enters."""
    added = np.diag([50.0, 50.0, 50.0, 1.0, 1.0, 1.0])
    added[1, 5] = added[5, 1] = 100.0
    held = ball(added_mass=added, free=(True, False, True, True, True, False))
    refuse_bad_mass(held, mass_matrix(held))
    assert pack(held).model.size == lay.MODEL.size


def test_a_vehicle_that_cannot_move_is_refused():
    with pytest.raises(VehicleFileError, match=r"motion\.free"):
        pack(ball(free=(False,) * 6))


SCREW = Thruster("screw", (0, 0, 0), (1.0, 0, 0), "rate", -1.0, 1.0)
STRIPS = lay.MAX_STATIONS + 1


@pytest.mark.parametrize(
    ("key", "parts"),
    [
        ("thrusters", {"thrusters": (SCREW,) * (lay.MAX_THRUSTERS + 1)}),
        ("surfaces", {"surfaces": tuple(ControlSurface(f"s{i}", f"d{i}", 1.0) for i in range(lay.MAX_SURFACES + 1))}),
        ("fins", {"fins": (Fin("fin", -1, (0, 0, 0), (0, 1.0, 0), 0.1, 3.0),) * (lay.MAX_FINS + 1)}),
        ("ballast", {"ballast": (Ballast("b", "tank", "kg", 0, 1, 0, 1),) * (lay.MAX_BALLAST + 1)}),
        ("crossflow", {"crossflow": Crossflow(*[(0.1,) * STRIPS] * 6)}),
        ("hydro.coefficients", {"coefficients": terms({"X u": 1.0}) * (lay.MAX_COEFFICIENTS + 1)}),
        ("table", {"thrusters": (replace(SCREW, table=tuple((float(i), 0.0) for i in range(lay.MAX_TABLE + 1))),)}),
    ],
)
def test_more_parts_than_the_engine_has_room_for_are_refused(key, parts):
    with pytest.raises(VehicleFileError) as error:
        pack(ball(**parts))
    assert key in str(error.value)
    assert "at most" in str(error.value)


def test_hydrodynamics_scale_with_density_and_the_body_does_not():
    """All forces of the water follow the density; a lagged thrust is a state in newtons and stays."""
    vehicle, rng = everything(), np.random.default_rng(19)
    reference, dense = Plant(vehicle), Plant(vehicle, density_kg_m3=1.1 * RHO)
    for _ in range(10):
        now = situation(vehicle, rng)
        now = replace(now, thruster_states=now.thruster_states * [1, 1, 0, 0])
        first, other = put(reference, now).forces(), put(dense, now).forces()
        for name in ("added_mass", "coefficients", "crossflow", "lift_drag", "fins", "thrusters"):
            size = np.abs(first[name]).max()
            np.testing.assert_allclose(other[name], 1.1 * first[name], rtol=0, atol=1e-12 * size, err_msg=name)
        np.testing.assert_array_equal(other["rigid_body"], first["rigid_body"])


def test_mass_matrix_holds_ballast_at_its_initial_value():
    tank = Ballast("tank", "tank", "kg", 0, 5, 2.0, 0.1, mass_per_unit=1.0, position_b=(0.5, 0.0, 0.1))
    matrix = mass_matrix(ball(ballast=(tank,)))
    assert matrix[0, 0] == pytest.approx(152.0)
    assert matrix[1, 5] == pytest.approx(2.0 * 0.5)
    assert matrix[5, 5] == pytest.approx(6.0 + 2.0 * 0.25)
    assert matrix[3, 5] == pytest.approx(-2.0 * 0.5 * 0.1)


def test_inverse_is_zero_on_held_axes():
    model = model_of(ball(free=(True, True, False, False, False, True)))
    inverse, free = model["mass_inverse"].reshape(6, 6), model["free"].astype(bool)
    np.testing.assert_array_equal(inverse[~free], 0.0)
    np.testing.assert_array_equal(inverse[:, ~free], 0.0)
    matrix = mass_matrix(ball())
    np.testing.assert_allclose(inverse[np.ix_(free, free)] @ matrix[np.ix_(free, free)], np.eye(3), atol=1e-14)


def test_terms_are_sorted_by_axis_and_share_products():
    structure = structure_of(
        ball(
            coefficients=terms({"N u |u| dr": 1.0, "Y u |u| dr": 2.0, "X u": 3.0, "Y u |u| dr dr": 4.0}),
            surfaces=(ControlSurface("rudder", "dr", 1.0),),
        )
    )
    np.testing.assert_array_equal(structure["axis_start"], [0, 1, 3, 3, 3, 3, 4])
    assert structure["n_products"] == 2  # u|u| and u|u| dr


def test_an_actuator_without_lag_or_limit_gets_a_huge_rate_not_infinity():
    model = model_of(ball(thrusters=(SCREW,), surfaces=(ControlSurface("rudder", "dr", 1.0),)))
    assert model["thrusters"]["rate"][0] == 1e30
    assert model["servos"]["rate"][0] == model["servos"]["speed"][0] == 1e30


def test_kinematics_of_the_file_can_be_overruled():
    euler = ball(kinematics="euler")
    assert structure_of(euler)["euler_angles"] == 1
    assert pack(euler, euler_angles=False).structure.view(lay.STRUCTURE.dtype)[0]["euler_angles"] == 0
