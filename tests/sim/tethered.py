"""A vehicle on a tether, in deep water with a current to the east."""

import pelagos
from pelagos.world.spec import World

DEEP = World(depth_m=80.0, current_m_s=0.3, current_to_deg=90.0)


def rov(tether=True, world=DEEP, depth_m=20.0, **more):
    sim = pelagos.Simulation("bluerov2_heavy", world, tether=tether, **more)
    sim.place(depth_m=depth_m)
    return sim
