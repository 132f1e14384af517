"""A vehicle at rest in calm water, with faults."""

import pelagos
from pelagos.sim.faults.effects import Faults
from pelagos.sim.simulation import Simulation

CALM = pelagos.World(depth_m=60.0)


def rov(*faults, world=CALM, **how):
    sim = Simulation("bluerov2_heavy", world, **how)
    sim.place(depth_m=20.0)
    sim.faults = Faults(faults, sim.vehicle, tether=sim.tether is not None)
    return sim
