"""Observations made by hand, for tests of judges without a simulation."""

import math

import numpy as np

from pelagos.training.observation import Observation, camera_pose


def observe(north=0.0, east=0.0, depth=0.0, heading_deg=0.0, bottom=100.0, dt=0.1, camera_b=(0.0, 0.0, 0.0), **more):
    """A level vehicle at rest, with its camera at `camera_b`, pan and tilt in rad."""
    yaw = math.radians(heading_deg)
    c, s = math.cos(yaw), math.sin(yaw)
    rotation = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    position = np.array([north, east, depth], dtype=float)
    place, axes = camera_pose(position, rotation, camera_b, more.pop("pan", 0.0), more.pop("tilt", 0.0))
    fields = {"nu": np.zeros(6), "altitude_m": bottom - depth, "camera_n": place, "camera_axes": axes} | more
    return Observation(time_s=0.0, dt=dt, position_n=position, euler=(0.0, 0.0, yaw), **fields)


def count_tick(judge, observation):
    """Process one tick of a running task."""
    judge.update(observation)
    judge.count(observation)
