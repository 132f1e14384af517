"""From length, radius and mass to a description that loads, floats level and makes its stated speed."""

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pelagos.errors import PelagosError
from pelagos.files.writer import to_toml
from pelagos.vehicle.derive import torpedo
from pelagos.vehicle.derive.hull import hull_form
from pelagos.vehicle.load.vehicle import loads


def vehicle(*args, **options):
    return loads(to_toml(torpedo(*args, **options)), "torpedo.toml")


def surge_balance(v, speed, rate):
    """Net surge force of a level, straight run, from the loaded vehicle's numbers."""
    drag = next(c.value for c in v.coefficients if c.name == "X_u|u|") * speed**2
    for fin in v.fins:
        drag -= 0.5 * v.water.density_kg_m3 * fin.area_m2 * fin.drag_0 * (fin.hull_flow * speed) ** 2
    (screw,) = v.thrusters
    return drag + screw.k_forward * rate**2 - screw.inflow_forward * rate * (1.0 - screw.wake) * speed


def test_generic_torpedo_of_document_002():
    v = vehicle(2.0, 0.1, 64.4)
    assert v.body.mass_kg == 64.4
    assert v.length_m == 2.0
    assert np.diag(v.added_mass)[[1, 5]] == pytest.approx([64.403, 21.468], abs=1e-3)  # three decimals printed
    at_cg = np.diag(v.body.inertia_o) - 64.4 * 0.02**2 * np.array([1.0, 1.0, 0.0])
    assert at_cg == pytest.approx([0.322, 21.628, 21.628], rel=1e-4)
    with_tenth = vehicle(2.0, 0.1, 64.4, added_mass="cylinder")
    assert with_tenth.added_mass[0, 0] == pytest.approx(6.44, rel=1e-6)


@settings(max_examples=25)
@given(
    radius=st.floats(0.05, 1.0), slender=st.floats(4.0, 16.0), fullness=st.floats(0.45, 1.0), speed=st.floats(0.5, 4.0)
)
def test_any_size_loads_and_balances(radius, slender, fullness, speed):
    length = 2.0 * radius * slender
    mass = fullness * 1025.0 * math.pi * radius**2 * length
    v = vehicle(length, radius, mass, speed_m_s=speed)
    assert v.body.volume_m3 == pytest.approx(mass / 1025.0, rel=1e-5)  # neutral, to the six digits written
    assert v.body.cg_b[:2] == v.body.cb_b[:2] and v.body.cg_b[2] > v.body.cb_b[2]  # level and upright at rest
    inertia = v.body.inertia_o
    rigid = np.zeros((6, 6))
    rigid[:3, :3] = np.eye(3) * mass
    x, _, z = v.body.cg_b
    rigid[:3, 3:] = mass * np.array([[0, z, 0], [-z, 0, x], [0, -x, 0]])
    rigid[3:, :3] = rigid[:3, 3:].T
    rigid[3:, 3:] = inertia
    assert np.min(np.linalg.eigvalsh(rigid + v.added_mass)) > 0.0
    (screw,) = v.thrusters
    force = surge_balance(v, speed, screw.maximum / 1.5)
    largest = screw.k_forward * (screw.maximum / 1.5) ** 2
    assert abs(force) < 1e-4 * largest  # numbers are rounded to 1e-6 and nearly cancel
    assert surge_balance(v, speed, screw.maximum) > 0.0


def test_hull_displaces_the_mass_and_the_fins_hold_the_course():
    for length, radius, mass in ((2.0, 0.1, 55.0), (6.0, 0.3, 1400.0), (1.08, 0.075, 17.0)):
        description = torpedo(length, radius, mass)
        form = hull_form(description["shape"][0]["stations_m"]["value"])
        assert 1025.0 * form.volume_m3 == pytest.approx(mass, rel=0.01)  # 12 chords on each end
        assert description["body"]["cb_m"]["value"][0] == pytest.approx(form.centroid_x_m, abs=2e-5 * length)
        index = float(description["fins"][0]["area_m2"]["note"].split("stability index ")[1])
        assert index >= 0.2


def test_positive_rudder_turns_to_port_and_positive_planes_push_the_nose_down():
    fins = {fin.name: fin for fin in vehicle(2.0, 0.1, 55.0).fins}
    for fin in fins.values():
        moment = np.cross(fin.position_b, fin.normal_b)
        assert (moment[2] if "rudder" in fin.name else moment[1]) < 0.0
    rolls = [float(np.cross(fin.position_b, fin.normal_b)[0]) for fin in fins.values()]
    assert sum(rolls) == pytest.approx(0.0, abs=1e-15)  # no roll from equal angles


def test_every_estimated_number_says_how_and_what_it_is_worth():
    v = vehicle(2.0, 0.1, 55.0)
    inputs = {"body.mass_kg", "geometry.length_m", "geometry.diameter_m"} | {
        f"water.{key}" for key in ("density_kg_m3", "gravity_m_s2", "viscosity_m2_s")
    }
    facts = {fact.path: fact for fact in v.facts}
    assert [path for path, fact in facts.items() if path not in inputs and not (fact.note or fact.how)] == []
    assert all(facts[path].confidence == "" for path in inputs)  # the user's own
    guessed = {re.sub(r"^.*\.", "", path) for path, fact in facts.items() if fact.confidence == "guess"}
    assert guessed == {
        "cg_m", "limit_deg", "time_constant_s", "rate_deg_s", "stall_deg", "diameter_m", "thrust_deduction", "wake",
        "hand",
    }  # fmt: skip
    assert facts["fins[0].hull_flow"].confidence == "low"  # measured, on another hull


def test_a_note_speaks_of_its_own_number():
    facts = {fact.path: fact for fact in vehicle(2.0, 0.1, 55.0).facts}
    assert [path for path, fact in facts.items() if "rpm" in fact.note] == ["thrusters[0].maximum_rpm"]
    assert [path for path, fact in facts.items() if "Whicker" in fact.note] == [
        f"fins[{i}].lift_slope_1_rad" for i in range(4)
    ]
    assert "series propeller" in facts["thrusters[0].propeller.kt0"].note


def test_impossible_torpedoes_are_refused_in_one_sentence():
    with pytest.raises(PelagosError, match=r"torpedo: mass_kg = 70\.0: expected at most 64\.4 kg"):
        torpedo(2.0, 0.1, 70.0)
    with pytest.raises(PelagosError, match=r"length_m = 0\.3: expected at least two diameters"):
        torpedo(0.3, 0.1, 5.0)
    with pytest.raises(PelagosError, match=r"speed_m_s = 0\.0: expected a number from 0\.001"):
        torpedo(2.0, 0.1, 55.0, speed_m_s=0.0)
    with pytest.raises(PelagosError, match='did you mean "strips"'):
        torpedo(2.0, 0.1, 55.0, added_mass="strip")


def test_sway_and_yaw_die_out_under_way():
    """Eigenvalues of the linear sway-yaw motion, put together from the loaded vehicle, not from the sizing rule."""
    v = vehicle(2.0, 0.1, 55.0)
    value = {c.name: c.value for c in v.coefficients}
    m, (xg, _, _), a = v.body.mass_kg, v.body.cg_b, v.added_mass
    damping = np.array([[value["Y_uv"], value["Y_ur"]], [value["N_uv"], value["N_ur"]]])
    for fin in v.fins:
        if fin.normal_b[1] == 1.0:
            f = 0.5 * v.water.density_kg_m3 * fin.area_m2 * fin.lift_slope_1_rad * fin.hull_flow**2
            x = fin.position_b[0]
            damping -= f * np.array([[1.0, x], [x, x * x]])
    munk = np.array([[0.0, -m - a[0, 0]], [-(a[1, 1] - a[0, 0]), -m * xg - a[1, 5]]])
    mass = np.array([[m + a[1, 1], m * xg + a[1, 5]], [m * xg + a[1, 5], v.body.inertia_o[2, 2] + a[5, 5]]])
    roots = np.linalg.eigvals(np.linalg.solve(mass, damping + munk) * 1.5)
    assert np.max(roots.real) < -0.01  # 1/s at 1.5 m/s: stable, not by rounding
    assert np.max(np.linalg.eigvals(np.linalg.solve(mass, munk) * 1.5).real) > 0.5  # without fins and lift it tumbles


@pytest.mark.parametrize(
    "change", [{"length_m": 1e300}, {"mass_kg": 1e-30}, {"radius_m": 1e-200}, {"speed_m_s": 1e200}], ids=str
)
def test_sizes_beyond_any_vehicle_are_refused(change):
    (key,) = change
    with pytest.raises(PelagosError, match=f"torpedo: {key} = .*: expected a number from"):
        torpedo(**{"length_m": 2.0, "radius_m": 0.1, "mass_kg": 55.0, **change})
