"""The procedures behind [[check]] entries, against closed forms and against slips in their setup."""

import tomllib
from dataclasses import replace
from math import pi, sqrt

import pytest
from pytest import approx

from pelagos.errors import VehicleFileError
from pelagos.vehicle.check import procedures
from pelagos.vehicle.check.procedures import PROCEDURES, compute
from pelagos.vehicle.library import keys
from pelagos.vehicle.load.vehicle import load_vehicle, loads
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
    used = {check.test for key in keys() for check in load_vehicle(key).checks} - {""}
    assert used == set(PROCEDURES)


def test_mass_matrix_and_buoyancy_are_those_of_the_file():
    assert compute(LAUV, "mass_matrix", {"entries": ["11", "66"]}) == approx([19.0, 2.1], rel=1e-9)
    assert compute(LAUV, "net_buoyancy", {}) == approx([1.0], rel=1e-9)


def test_the_righting_period_is_that_of_a_pendulum():
    stiffness = LAUV.body.mass_kg * LAUV.water.gravity_m_s2 * 0.01  # 1 cm under a centre of buoyancy at the origin
    inertia = float(LAUV.body.inertia_o[0, 0] + LAUV.added_mass[3, 3])
    found = compute(LAUV, "righting_period", {"axis": "roll"})
    assert found == approx([2.0 * pi * sqrt(inertia / stiffness)], rel=1e-9)


@pytest.mark.parametrize(
    ("test", "setup", "said"),
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
        ("afloat", {"seconds": 1, "quantity": "roll"}, 'setup.quantity = "roll": expected one of depth, pitch'),
    ],
)
def test_a_slip_in_the_setup_is_named(test, setup, said):
    with pytest.raises(VehicleFileError) as error:
        compute(LAUV, test, setup)
    assert said in str(error.value)


def test_the_example_of_the_page_is_met():
    (text,) = [text for text in code("docs/vehicle-files.md", "toml") if "[[check]]" in text]
    (check,) = tomllib.loads(text)["check"]
    phoenix = load_vehicle("phoenix")
    assert compute(phoenix, check["test"], check["setup"]) == approx([check["value"]], rel=check["tolerance"])


def test_a_setup_without_a_procedure_is_refused():
    check = 'id = "mine"\nkind = "measured"\nwhat = "x"\nvalue = 1.0\nsetup = { axis = "u" }\n'
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
