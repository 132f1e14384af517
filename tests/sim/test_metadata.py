"""What a log says of the run that made it."""

import pelagos
from pelagos.sim.metadata import meta_of


def test_world_and_method_are_spelled_out():
    world = pelagos.World(
        depth_m=20.0,
        waves=pelagos.Waves(kind="regular", height_m=0.5, period_s=6.0),
        structures=(pelagos.Structure(kind="sphere", name="float", center_m=(9.0, 9.0, 9.0), radius_m=1.0),),
    )
    said = meta_of(pelagos.Simulation("remus100", world, seed=4))
    assert said["seed"] == 4 and said["vehicle"] == "remus100"
    assert said["surface"] == "quadrature" and "height_m=0.5" in said["waves"]
    assert said["seabed"] == "flat" and said["water_depth_m"] == 20.0 and said["structures"] == "float"


def test_endless_and_without_surface():
    said = meta_of(pelagos.Simulation("npsauv", pelagos.World(surface=False)))
    assert said["surface"] == "none" and said["water_depth_m"] == "endless" and said["seabed"] == "none"
    assert meta_of(pelagos.Simulation("npsauv"))["surface"] == "submerged"
