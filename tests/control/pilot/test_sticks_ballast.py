"""A glider by its ballast: the engine for heave, the moving mass for pitch."""

import math

import numpy as np
import pytest

from pelagos.control.base import HEAVE, PITCH, ROLL
from pelagos.control.pilot.helm import Helm
from pelagos.control.pilot.sticks import BallastSticks
from pelagos.messages import PilotCommand
from pelagos.sim.simulation import Simulation
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.world.spec import World


def glide(seconds, **sticks):
    sim = Simulation("slocum", World(depth_m=200.0), control_rate_hz=10.0)
    sim.place(depth_m=50.0)
    helm = Helm(sim.vehicle, sim.water, sim.interval_s)
    sim.control(helm)
    helm.move(PilotCommand(**sticks))
    for _ in range(round(10 * seconds)):
        sim.tick()
    return sim.state(), helm


def test_the_heave_stick_sinks_a_glider_and_raises_it():
    still, helm = glide(60.0)
    assert helm.axes == ("heave", "pitch")
    down, up = glide(60.0, heave=1.0)[0], glide(60.0, heave=-1.0)[0]
    assert down.pos_n[2] > still.pos_n[2] + 2.0 and up.pos_n[2] < still.pos_n[2] - 2.0


def test_the_pitch_stick_moves_the_mass_aft_for_nose_up():
    level, up = glide(5.0)[0], glide(5.0, pitch=1.0)[0]
    assert math.degrees(up.pitch - level.pitch) > 5.0


def test_a_stick_is_a_rate_and_stops_at_the_end():
    vehicle = load_vehicle("seawing")
    ballast = BallastSticks(vehicle, (HEAVE, ROLL, PITCH))
    assert ballast.axes == (HEAVE, ROLL, PITCH)
    engine = next(k for k, one in enumerate(vehicle.ballast) if one.kind == "engine")
    stick = np.zeros(6)
    stick[HEAVE] = 0.5
    ballast.move(stick, 2.0)
    item = vehicle.ballast[engine]
    assert ballast.demand[engine] == pytest.approx(item.initial - item.rate)  # half of its rate for two seconds
    ballast.move(np.zeros(6), 10.0)
    assert ballast.demand[engine] == pytest.approx(item.initial - item.rate)  # let go: it stays
    ballast.move(stick, 1e6)
    assert ballast.demand[engine] == item.minimum


def test_a_vehicle_with_thrusters_or_planes_keeps_them():
    for key in ("bluerov2_heavy", "iver3", "lrauv_tethys"):
        assert Helm(load_vehicle(key))._ballast.axes == ()
