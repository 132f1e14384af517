"""Test the consistency of the estimator: NEES of ready missions over many seeds, against its chi-square band.

python scripts/nees_study.py                                  every mission, ten seeds
python scripts/nees_study.py lawnmower --seeds 200-219        one mission, these seeds
python scripts/nees_study.py rov --without imu.accel_scale_ppm imu.gyro_scale_ppm
                                                              with these errors of the instruments set to zero
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from pelagos.estimation.error_state import nees_bounds
from pelagos.estimation.navigator import DOF
from pelagos.scenario.read import load_scenario
from pelagos.scenario.spec import Scenario
from pelagos.sim.faults.kinds import SensorLoss


@dataclass(frozen=True)
class Mission:
    """A ready scenario and what is changed in it."""

    scenario: str
    summary: str
    changes: dict[str, Any] = field(default_factory=dict[str, Any])
    tether: bool = True
    lost_s: tuple[float, float] | None = None  # DVL silent from when, for how long

    def load(self, without: Sequence[str] = ()) -> Scenario:
        """The scenario; `without`: keys such as "dvl.scale" that are set to zero."""
        scenario = load_scenario(self.scenario, {"log_rate_hz": 1.0, **self.changes})
        craft = scenario.vehicles[0]
        sensors = list(craft.sensors)
        for key in without:
            kind, _, name = key.partition(".")
            sensors = [replace(s, **{name: type(getattr(s, name))(0)}) if s.kind == kind else s for s in sensors]
        craft = replace(craft, sensors=tuple(sensors), tether=craft.tether if self.tether else None)
        if self.lost_s is not None:
            start, seconds = self.lost_s
            craft = replace(craft, faults=(SensorLoss(sensor="dvl", at_s=start, seconds_s=seconds),))
        return replace(scenario, vehicles=(craft,))


MISSIONS = {
    "lawnmower-900": Mission("remus-lawnmower", "REMUS 100, DVL, first 900 s", {"duration_s": 900.0}),
    "lawnmower": Mission("remus-lawnmower", "REMUS 100, DVL, 2400 s", {"duration_s": 2400.0}),
    "surfacing": Mission("iver3-surfacing", "Iver3, DVL, fixes at the surface", {"navigation.use": "truth"}),
    "rov": Mission(
        "bluerov-tether-inspection", "BlueROV2 Heavy, DVL, without its tether",
        {"navigation.use": "truth", "sensor": True}, tether=False,
    ),
    "model": Mission(
        "remus-lawnmower", "REMUS 100, model-aided, no DVL from 400 s to 700 s",
        {"duration_s": 900.0, "navigation.mode": "model"}, lost_s=(400.0, 300.0),
    ),
}  # fmt: skip


def study(name: str, seeds: Sequence[int], without: Sequence[str] = ()) -> None:
    """Fly one mission with each seed and print what came of it."""
    scenario, means = MISSIONS[name].load(without), []
    for seed in seeds:
        start = time.process_time()
        log = replace(scenario, seed=seed).run()
        nees = log["nees"]
        means.append(float(np.nanmean(nees)))
        parts = " ".join(f"{np.nanmean(part):5.1f}" for part in np.array_split(nees, 6))
        off = np.hypot(log["est_north_m"] - log["north_m"], log["est_east_m"] - log["east_m"])[-1]
        sigma = np.hypot(log["est_north_sigma_m"], log["est_east_sigma_m"])[-1]
        print(
            f"{name} seed {seed}: NEES {means[-1]:5.2f}, by sixths {parts}; at the end {off:.2f} m off, "
            f"sigma {sigma:.2f} m; {time.process_time() - start:.0f} s of CPU",
            flush=True,
        )
    low, high = nees_bounds(len(means), DOF)
    verdict = "inside" if low < np.mean(means) < high else "OUTSIDE"
    print(f"{name}: {len(means)} runs, mean {np.mean(means):.2f}, {verdict} {low:.2f} to {high:.2f}", flush=True)


def main() -> None:
    """Read the orders."""
    orders = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    orders.add_argument("missions", nargs="*", metavar="mission", help=", ".join(MISSIONS))
    orders.add_argument("--seeds", default="200-209", help="first-last")
    orders.add_argument("--without", nargs="*", default=[], metavar="kind.key")
    given = orders.parse_args()
    first, _, last = given.seeds.partition("-")
    for name in given.missions or MISSIONS:
        study(name, range(int(first), int(last or first) + 1), given.without)


if __name__ == "__main__":
    main()
