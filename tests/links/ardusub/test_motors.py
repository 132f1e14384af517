"""Matching of motors to thrusters by geometry, checked with the forces of the vehicle; factors of the frames."""

import dataclasses
import re
from pathlib import Path

import numpy as np
import pytest

from pelagos.errors import CommandError
from pelagos.links.ardusub.motors import BY_COUNT, FRAMES, motors_of
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant
from tests.links.ardusub.fake_autopilot import MIX, mixed

PAGE = Path(__file__).parents[3] / "docs/ardusub.md"
VEHICLES = [("bluerov2", "vectored"), ("bluerov2_heavy", "vectored_6dof"), ("rexrov", "vectored_6dof")]
AXES = ("forward", "lateral", "throttle", "roll", "pitch", "yaw")
CASES = [  # six thrusters do not pitch a vehicle
    (key, frame, axis) for key, frame in VEHICLES for axis in AXES if (frame, axis) != ("vectored", "pitch")
]


def wrench(vehicle, drives):
    plant = Plant(vehicle)
    plant.place(position_n=[0.0, 0.0, 50.0])
    plant.set_actuators(thrusters=drives, at_once=True)
    return plant.forces()["thrusters"]


@pytest.mark.parametrize(("key", "frame", "axis"), CASES)
def test_a_command_of_the_mixer_pushes_along_its_axis(key, frame, axis):
    """Positive commands: ahead, to starboard, UP, roll and yaw to starboard, pitch up; z of the body is down."""
    vehicle = load_vehicle(key)
    motors = motors_of(vehicle)
    assert motors.frame == frame
    tau = wrench(vehicle, motors.drives(mixed(frame, **{axis: 0.5})))
    at = {"forward": 0, "lateral": 1, "throttle": 2, "roll": 3, "pitch": 4, "yaw": 5}[axis]
    sign = -1.0 if axis == "throttle" else 1.0
    assert sign * tau[at] > 0.0
    # The other forces are what the propellers lack in reverse and what REXROV's leaning vertical thrusters lose:
    # below half of the push, and of a moment's own push.
    others = [i for i in range(3) if i != at]
    scale = tau[at] if at < 3 else tau[at] / 0.1
    assert np.abs(tau[others]).max() < 0.5 * abs(scale)


def test_the_mapping_of_the_heavy_is_that_of_its_file():
    motors = motors_of(load_vehicle("bluerov2_heavy"))
    assert motors.names == (
        "front_starboard", "front_port", "rear_starboard", "rear_port",
        "vertical_front_starboard", "vertical_front_port", "vertical_rear_starboard", "vertical_rear_port",
    )  # fmt: skip
    assert motors.signs == (-1,) * 8  # its file lets the front pair push ahead and the vertical ones up
    lines = motors.described()
    assert "vectored_6dof: 8 motors" in lines[0]
    assert "motor 1  front_starboard, reversed" in lines[1] and len(lines) == 9


def test_the_order_of_the_file_does_not_matter():
    heavy = load_vehicle("bluerov2_heavy")
    turned = dataclasses.replace(heavy, thrusters=heavy.thrusters[::-1])
    assert motors_of(turned).names == motors_of(heavy).names
    assert motors_of(turned).thrusters == (7, 6, 5, 4, 3, 2, 1, 0)


def test_throttle_of_a_pulse_width():
    """(pwm - 1500) / 400, full from 1100 and 1900 on, stop outside 1000 to 2000; a minus sign reverses a motor."""
    vehicle = load_vehicle("bluerov2_heavy")
    names = [t.name for t in vehicle.thrusters]
    motors = motors_of(vehicle, named=["front_port", "-rear_port"])

    def throttle_of(width):
        command = motors.drives([width, width] + [0] * 14)
        assert [d for k, d in enumerate(command) if names[k] not in ("front_port", "rear_port")] == [0.0] * 6
        assert command[names.index("rear_port")] == -command[names.index("front_port")]
        return command[names.index("front_port")]

    cases = {1500: 0, 1600: 0.25, 1300: -0.5, 1900: 1, 1100: -1, 1950: 1, 2000: 1, 1000: -1, 2001: 0, 999: 0, 0: 0}
    for width, throttle in {**cases, 65535: 0}.items():
        assert throttle_of(width) == throttle


def test_drives_in_newtons_use_the_limits_of_each_direction():
    rexrov = load_vehicle("rexrov")
    weak = tuple(dataclasses.replace(t, minimum=-500.0) for t in rexrov.thrusters)
    motors = motors_of(dataclasses.replace(rexrov, thrusters=weak))
    command = motors.drives([1700] * 4 + [1500] * 12)  # half throttle, no motor of these reversed
    assert [command[k] for k in motors.thrusters[:4]] == [1000.0] * 4  # N: half of 2000
    command = motors.drives([1300] * 4 + [1500] * 12)
    assert [command[k] for k in motors.thrusters[:4]] == [-250.0] * 4


def test_motors_that_ardusub_has_reversed():
    heavy = load_vehicle("bluerov2_heavy")
    plain, turned = motors_of(heavy), motors_of(heavy, reversed_motors=(1, 6))
    pwm = [1700] * 8
    for k, (a, b) in enumerate(zip(plain.drives(pwm), turned.drives(pwm), strict=True)):
        motor = plain.thrusters.index(k) + 1
        assert b == (-a if motor in (1, 6) else a)


@pytest.mark.parametrize(
    ("key", "options", "message"),
    [
        ("phoenix", {}, "no thruster of phoenix matches motor 1 of frame vectored"),
        ("seagrant1", {}, "number of thrusters of seagrant1 is 5; expected 6"),
        (
            "bluerov2",
            {"frame": "vectored_6dof"},
            "thrusters of bluerov2 is 6; expected 8, one for each motor of frame vectored_6dof",
        ),
        ("bluerov2", {"frame": "vectored6dof"}, 'did you mean "vectored_6dof"'),
        ("bluerov2", {"named": ["front_prot"]}, 'did you mean "front_port"'),
        (
            "bluerov2",
            {"named": ["front_port", "-front_port"]},
            "is '-front_port'; another motor already drives this thruster",
        ),
        ("bluerov2", {"named": []}, "number of named motors is 0; expected 1 to 16"),
        (
            "bluerov2",
            {"named": ["front_port"], "frame": "vectored"},
            "motors is [0-9]+; expected 6, one for each motor of frame vectored",
        ),
        ("bluerov2", {"named": ["front_port"], "frame": "vectord"}, 'did you mean "vectored"'),
        ("bluerov2", {"reversed_motors": (7,)}, "reversed motor is 7; expected a whole number from 1 to 6"),
    ],
)
def test_what_does_not_fit_is_refused(key, options, message):
    with pytest.raises(CommandError, match=message):
        motors_of(load_vehicle(key), **options)


def test_motors_named_for_a_frame():
    heavy = load_vehicle("bluerov2_heavy")
    by_geometry = motors_of(heavy)
    named = [f"-{name}" for name in by_geometry.names]
    assert motors_of(heavy, frame="vectored_6dof", named=named) == by_geometry
    assert motors_of(heavy, named=named).frame == ""
    assert "one motor on channel 1" in motors_of(heavy, named=["front_port"]).described()[0]


def test_two_thrusters_that_do_the_same_are_refused():
    heavy = load_vehicle("bluerov2_heavy")
    doubled = dataclasses.replace(heavy, thrusters=(*heavy.thrusters[:7], heavy.thrusters[6]))
    with pytest.raises(
        CommandError, match="vertical_rear_starboard, vertical_rear_starboard of bluerov2_heavy all match motor 7"
    ):
        motors_of(doubled)


def test_the_code_of_the_page_runs(capsys):
    (code,) = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    names = {}
    exec(compile(code, PAGE.name, "exec"), names)
    assert names["mine"].signs == (-1, -1, -1, -1, 1, 1)
    output = capsys.readouterr().out
    assert "frame vectored_6dof: 8 motors" in output and "motors as given: 6 motors" in output


def test_the_table_of_the_page_is_what_geometry_finds():
    rows = [
        line.split("|")[1:-1] for line in PAGE.read_text(encoding="utf-8").splitlines() if re.match(r"\| \d \|", line)
    ]
    for column, key in ((3, "bluerov2_heavy"), (4, "bluerov2")):
        motors = motors_of(load_vehicle(key))
        expected_names = [
            f"{n}{', reversed' if s < 0 else ''}" for n, s in zip(motors.names, motors.signs, strict=True)
        ]
        assert [row[column].strip() for row in rows if row[column].strip()] == expected_names


@pytest.mark.parametrize("frame", FRAMES)
def test_the_factors_are_those_of_the_mixer(frame):
    assert [tuple(motor) for motor in FRAMES[frame]] == [tuple(map(float, row)) for row in MIX[frame]]
    assert BY_COUNT[len(FRAMES[frame])] == frame


@pytest.mark.parametrize("frame", FRAMES)
def test_each_command_moves_its_own_axis_only(frame):
    """The mixer's columns are orthogonal: what one command does to all motors does nothing along another axis."""
    table = np.array(FRAMES[frame])
    product = table.T @ table
    assert np.array_equal(product, np.diag(np.diag(product)))
    driven = np.diag(product) > 0.0  # roll, pitch, yaw, throttle, forward, lateral
    assert driven.tolist() == [True, frame == "vectored_6dof", True, True, True, True]


@pytest.mark.parametrize("frame", FRAMES)
def test_a_motor_has_a_place_where_its_push_turns_as_it_says(frame):
    """Some corner (+-1, +-1) of the vehicle gives each motor the moment of its factors, and each corner only one."""
    places = {}
    for number, motor in enumerate(FRAMES[frame], start=1):
        fits = []
        for x in (1.0, 0.0, -1.0):
            for y in (1.0, -1.0):
                moment = np.cross([x, y, 0.0], motor.push_b)
                named = np.array(motor.moment_b) != 0.0
                if np.array_equal(np.sign(moment)[named], np.array(motor.moment_b)[named]):
                    fits.append((x, y))
        assert fits
        places[number] = fits
    assert (1.0, 1.0) in places[1] and (1.0, -1.0) in places[2]  # front starboard, front port
    assert (-1.0, 1.0) in places[3] and (-1.0, -1.0) in places[4]  # rear
    if frame == "vectored_6dof":
        assert [places[k] for k in (5, 6, 7, 8)] == [[(1.0, 1.0)], [(1.0, -1.0)], [(-1.0, 1.0)], [(-1.0, -1.0)]]
