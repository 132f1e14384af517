"""What is read from the flights of section IV.B: medians of the settled parts of the turns."""

import numpy as np

from pelagos.sim.log.log import Log
from pelagos_evidence.hunt import surfacing_flights
from pelagos_evidence.hunt.dives import SETTLING_S, TURNS


def test_the_median_of_the_settled_part_of_each_turn():
    """Legs of 100 s: in each turn 9 m until settled, then the number of the leg."""
    time = np.arange(0.0, 700.0, 0.5)
    leg = np.floor(time / 100.0)
    settled = time % 100.0 > SETTLING_S
    log = Log({"time_s": time, "leg": leg, "depth_m": np.where(settled, leg, 9.0)})
    assert surfacing_flights.in_turns(log, "depth_m") == list(map(float, TURNS))
