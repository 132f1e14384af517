"""The keys of [control] are those of its description: none is read into nothing, none is missing."""

from dataclasses import fields

from pelagos.vehicle.load.keys import CONTROL, LOOPS
from pelagos.vehicle.spec import ControlSpec, LoopGains


def test_every_field_of_the_description_has_a_key():
    keys = {spelling for key in CONTROL.keys for spelling in key.spellings()}
    for item in fields(ControlSpec):
        if item.name in LOOPS:
            gains = {gain.name for gain in fields(LoopGains)} - ({"kd", "damping"} if item.name == "speed" else set())
            assert {f"{item.name}_{gain}" for gain in gains} <= keys
        else:
            assert item.name in keys


def test_a_frequency_and_its_gain_exclude_each_other():
    groups = {key.name: key.group for key in CONTROL.keys}
    for loop in LOOPS:
        assert groups[f"{loop}_frequency"] == groups[f"{loop}_kp"] != ""
