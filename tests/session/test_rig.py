"""A task set up without a console: start, depth control, cable, and that equal flights are equal."""

import numpy as np
import pytest

from pelagos.messages import PilotCommand
from pelagos.session.rig import rig
from pelagos.training.conditions import THESIS, Conditions
from pelagos.training.task import load_task

HOVER = load_task("hover")


def test_it_stands_at_the_start_of_the_task():
    flight = rig(HOVER)
    assert flight.simulation.plant.position_n == pytest.approx([42.0, -15.0, 97.5])
    assert np.degrees(flight.simulation.state().yaw) % 360.0 == pytest.approx(180.0)
    assert flight.trial.phase == "ready"


def drift(conditions, sticks, seconds=20.0):
    flight = rig(HOVER, conditions)
    flight.helm.move(sticks)
    flight.trial.start()
    depths = []
    for _ in range(int(seconds * 10)):
        depths.append(flight.tick().position_n[2])
    return flight, np.array(depths)


def test_depth_control_off_by_thrusters_and_perfect():
    down = PilotCommand(heave=0.2)
    _, off = drift(Conditions(current_m_s=0.0), down, 6.0)
    assert off[-1] > 97.5 + 0.3  # m: it goes down
    _, perfect = drift(Conditions(current_m_s=0.0, depth_control="perfect"), down)
    assert np.abs(perfect - 97.5).max() < 1e-9  # m: put back by numbers
    flight, held = drift(Conditions(current_m_s=0.0, depth_control="autopilot"), PilotCommand(surge=0.2))
    assert 1e-9 < np.abs(held - 97.5).max() < 0.2  # m: by thrusters, not perfectly
    assert flight.helm.modes["depth"]


def test_the_cable_pulls():
    flight = rig(HOVER, THESIS["cable"])
    flight.tick()
    line = flight.simulation.tether
    assert line is not None
    assert line.head["tension_b"] > 50.0  # N: Royer's examples of 3.6 have 47 to 426
    assert line.length_m == pytest.approx(1.5 * np.linalg.norm(line.head["end"] - line.head["ship"]), rel=0.02)


@pytest.mark.slow
def test_equal_flights_are_equal_to_the_last_bit():
    results = []
    for _ in range(2):
        flight = rig(HOVER, THESIS["current"], seed=4)
        flight.simulation.command(north_m=34.5, east_m=-15.0, altitude_m=2.5, heading_deg=180.0, speed_m_s=0.4)
        results.append(flight.fly(pilot="Ann", date="today"))
    assert results[0].described() == results[1].described()
    assert results[0].measures == results[1].measures


def test_sticks_are_seen():
    flight = rig(HOVER)
    flight.helm.move(PilotCommand(surge=0.25, yaw=-0.5))
    assert flight.tick().sticks == pytest.approx((0.25, 0.0, 0.0, 0.0, 0.0, -0.5))
