"""The procedures behind [[check]] entries: closed forms, the flight of a glider, and mistakes in their setup."""

import tomllib
from dataclasses import replace
from math import pi, sqrt

import numpy as np
import pytest
from pytest import approx

from pelagos.errors import VehicleFileError
from pelagos.files.library import VEHICLES
from pelagos.vehicle.check import procedures
from pelagos.vehicle.check.procedures import PROCEDURES, GliderFlight, Setup, compute, fly, glider_flight
from pelagos.vehicle.load.vehicle import load_vehicle, loads
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.trim import glide
from tests.docs_text import code

LAUV = load_vehicle("lauv")


def test_runs_follow_changes_and_instants():
    setup = {"free": ["u"], "thrusters": {"propeller_rpm": 900}, "quantity": ["surge", "north"], "at_s": [50, 100],
             "changes": [{"at_s": 50, "thrusters": {"propeller_rpm": 0}}]}  # fmt: skip
    at_50, north_50, at_100, north_100 = compute(LAUV, "run", setup)
    assert at_50 == approx(0.96836, abs=1e-4)  # the steady speed of the file's own check, 50 s are 8 time constants
    assert 0.0 < at_100 < 0.05 * at_50  # linear and square drag have stopped it
    assert north_100 > north_50 > 0.9 * 45.0


def test_thrust_of_one_among_many():
    kaxan = load_vehicle("kaxan")
    alone = compute(kaxan, "thrust", {"thruster": "port", "drive_V": [4.94601]})
    assert alone == approx([105.82], rel=1e-3)


def test_a_run_that_diverges_is_a_sentence():
    wild = replace(LAUV, step_s=5.0)
    with pytest.raises(VehicleFileError, match="diverges"):
        compute(wild, "steady_speed", {"external": {"X_N": 1e6}, "seconds": 500, "axis": "u"})


def test_every_procedure_is_used_by_the_fleet():
    used = {check.test for key in VEHICLES.names() for check in load_vehicle(key).checks} - {""}
    assert used == set(PROCEDURES)


def test_mass_matrix_and_buoyancy_are_those_of_the_file():
    assert compute(LAUV, "mass_matrix", {"entries": ["11", "66"]}) == approx([19.0, 2.1], rel=1e-9)
    assert compute(LAUV, "net_buoyancy", {}) == approx([1.0], rel=1e-9)


def test_the_righting_period_is_that_of_a_pendulum():
    stiffness = LAUV.body.mass_kg * LAUV.water.gravity_m_s2 * 0.01  # 1 cm under a centre of buoyancy at the origin
    inertia = float(LAUV.body.inertia_o[0, 0] + LAUV.added_mass[3, 3])
    period = compute(LAUV, "righting_period", {"axis": "roll"})
    assert period == approx([2.0 * pi * sqrt(inertia / stiffness)], rel=1e-9)


@pytest.mark.parametrize(
    ("test", "setup", "sentence"),
    [
        ("run", {"quantity": "surge"}, "the procedure run needs at_s"),
        ("run", {"quantity": "surg", "at_s": 1}, 'check.setup.quantity = "surg": expected one of surge, sway'),
        ("run", {"quantity": "surge", "at_s": 1, "changes": [{"thrusters": {}}]}, "needs at_s"),
        ("trim", {"speed_m_s": 1.0, "quantity": "thrst"}, 'did you mean "thrust"?'),
        ("trim", {"quantity": "thrust"}, "needs speed"),
        ("formula", {"name": "stability_index", "plane": "vertcal"}, 'did you mean "vertical"?'),
        ("glider_flight", {}, "needs data"),
        ("steady_speed", {"seconds": 1, "axis": "u", "drive": [700, 700]}, "check.setup.drive = [700, 700]: the "),
        ("steady_speed", {"seconds": 1, "axis": "u", "thruster": {}}, 'does not read it; did you mean "thrusters"?'),
        ("run", {"quantity": "surge", "at_s": 1, "seconds": 1}, "setup.seconds = 1: the procedure run does not read"),
        ("run", {"quantity": "surge", "at_s": 1, "changes": [{"at_s": 0, "surface": {}}]}, "setup.changes[0].surface"),
        ("run", {"quantity": "surge", "at_s": 1, "free": ["u", "y"]}, 'setup.free = "y": expected one of u, v, w'),
        ("run", {"quantity": "surge", "at_s": 1, "initial": {"surg_m_s": 1}}, 'did you mean "surge"?'),
        ("wrench", {"axis": "X", "external": {"Q_N": 1}}, 'setup.external = "Q": expected one of X, Y, Z, K, M, N'),
        ("trim", {"speed_m_s": 1.4, "speed_kn": 2, "quantity": "thrust"}, "setup.speed_kn = 2: the procedure trim"),
        ("net_buoyancy", {"depth_m": 5}, "setup.depth_m = 5: the procedure net_buoyancy does not read it"),
        ("righting_period", {"axis": "yaw"}, 'setup.axis = "yaw": expected one of roll, pitch'),
        ("eigenvalues", {"speed_m_s": 1, "states": ["v", "r"], "pick": "reel"}, 'did you mean "real"?'),
        ("afloat", {}, 'did you mean "floating_state"?'),
        ("floating_state", {"seconds": 1, "quantity": "roll"}, 'setup.quantity = "roll": expected one of depth, pitch'),
    ],
)
def test_a_slip_in_the_setup_is_named(test, setup, sentence):
    with pytest.raises(VehicleFileError) as error:
        compute(LAUV, test, setup)
    assert sentence in str(error.value)


def test_the_example_of_the_page_is_met():
    (text,) = [text for text in code("docs/vehicle-files.md", "toml") if "[[check]]" in text]
    (check,) = tomllib.loads(text)["check"]
    phoenix = load_vehicle("phoenix")
    assert compute(phoenix, check["test"], check["setup"]) == approx([check["value"]], rel=check["tolerance"])


def test_a_setup_without_a_procedure_is_refused():
    check = 'id = "mine"\nkind = "measured"\nquantity = "x"\nvalue = 1.0\nsetup = { axis = "u" }\n'
    with pytest.raises(VehicleFileError, match=r"check\[0\].setup = .*: needs test, the procedure whose parameters"):
        loads(f'extends = "lauv"\n[[check]]\n{check}')


def test_a_fault_of_the_program_is_not_blamed_on_the_setup(monkeypatch):
    def faulty(vehicle, setup):
        return [{}["inner"]]

    monkeypatch.setitem(procedures.PROCEDURES, "faulty", faulty)
    with pytest.raises(KeyError, match="inner"):
        compute(LAUV, "faulty", {})


def test_the_pull_of_royers_cable_needs_a_tether_and_follows_the_square_of_the_current():
    setup = {"current_m_s": 0.75, "length_m": 150.0, "offsets_m": [[0.0, 100.0], [-70.0, 70.0]]}
    seagrant = load_vehicle("seagrant1")
    slow = compute(seagrant, "royer_tension", setup)
    fast = compute(seagrant, "royer_tension", {**setup, "current_m_s": 1.5})
    assert fast == approx([4.0 * tension for tension in slow], rel=1e-3)  # the search ends 1e-4 of the length off
    with pytest.raises(VehicleFileError, match=r"needs a .tether. in the file"):
        compute(LAUV, "royer_tension", setup)


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
    u, w, _, converged = glide(plant, float(PITCH))
    assert converged
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
    assert glider_flight(SLOCUM, Setup({"data": str(data)})) == pytest.approx([0.0, 0.0], abs=1e-6)
    assert len(glider_flight(SLOCUM, Setup({"data": str(data), "quantity": "depth_rate"}))) == 1


def test_bias_and_rms_by_hand():
    ours, theirs = np.array([1.0, 2.0]), np.array([0.0, 2.0])
    flight = GliderFlight(ours, theirs, ours, theirs)
    assert (flight.bias, flight.rms) == (0.5, pytest.approx(0.5**0.5))
