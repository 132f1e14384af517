"""The message hello: strict JSON with vehicle, scene, settings and the menu of faults."""

import json

import pytest

from pelagos.console.hello import hello_of
from pelagos.session.flight import Flight
from pelagos.training.conditions import THESIS, Conditions


@pytest.fixture(scope="module")
def flight():
    flight = Flight("bluerov2_heavy", "royer_field", tether=True, sensors=True, pilot="Ann")
    yield flight
    flight.close()


def test_it_is_strict_json_with_all_that_a_page_needs(flight):
    hello = json.loads(json.dumps(hello_of(flight), allow_nan=False))
    assert set(hello) >= {"mode", "vehicle", "scene", "marks", "waypoints", "task", "tasks", "conditions", "faults",
                          "settings", "pilot_name", "recording"}  # fmt: skip
    assert hello["mode"] == "live" and hello["pilot_name"] == "Ann" and hello["recording"] is None
    vehicle = hello["vehicle"]
    assert vehicle["axes"] == ["surge", "sway", "heave", "roll", "pitch", "yaw"] and vehicle["has_tether"]
    assert set(vehicle["can"]) == {"depth", "altitude", "heading", "position", "level", "speed"}
    assert len(vehicle["thrusters"]) == 8 and vehicle["cameras"] and vehicle["has_battery"]
    assert hello["conditions"]["cable"] is True
    assert hello["settings"]["current_m_s"] == pytest.approx(0.75) and hello["settings"]["current_to_deg"] == 0.0
    assert {"hover", "pipeline"} <= {task["name"] for task in hello["tasks"]}


def test_every_fault_of_the_menu_can_be_given_as_an_order(flight):
    """The order that a panel builds from the menu, with the first choice of each key and a number for the others."""
    menu = hello_of(flight)["faults"]
    kinds = [entry["kind"] for entry in menu]
    assert "fin_jammed" not in kinds  # it has none
    assert {"thruster_lost", "leak", "current_gust", "sensor_bias", "tether_cut"} <= set(kinds)
    for entry in menu:
        values = {"kind": entry["kind"]}
        for key in entry["keys"]:
            assert key["type"] in ("choice", "number", "list", "text")
            if key["type"] == "choice":
                values[key["name"]] = key["choices"][0]
            elif "default" not in key:
                values[key["name"]] = 0.1
            else:
                values[key["name"]] = key["default"]
        flight.order("fault", values)
    flight.tick()
    assert dict(zip(flight.columns, flight.state(), strict=True))["faults_acting"] == len(menu)


def test_the_menu_offers_the_sets_of_the_thesis_and_a_bias_to_begin_with(flight):
    hello = hello_of(flight)
    sets = hello["settings"]["condition_sets"]
    assert set(sets) == set(THESIS)
    assert all(Conditions.of(values) == THESIS[name] for name, values in sets.items())
    bias = next(entry for entry in hello["faults"] if entry["kind"] == "sensor_bias")
    assert next(key for key in bias["keys"] if key["name"] == "bias")["default"] == 0.0
