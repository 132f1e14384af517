"""Draw the picture of docs/control-laws.md: a dive on wrong models, the boundary layer, and an overloaded pump."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from pelagos.control.allocation.allocation import Allocation
from pelagos.control.autopilot.autopilot import Autopilot
from pelagos.control.sliding import controller
from pelagos.control.sliding.controller import SlidingMode
from pelagos.control.sliding.law import make_stage
from pelagos.messages import VehicleState
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle

PICTURE = Path(__file__).parents[2] / "docs" / "images" / "control-laws.png"


def heavier(vehicle: Vehicle, by: float) -> Vehicle:
    """The same with more (or less) mass and inertia, as neutral as before."""
    body = vehicle.body
    body = replace(body, mass_kg=body.mass_kg * by, volume_m3=body.volume_m3 * by, inertia_o=body.inertia_o * by)
    return replace(vehicle, body=body)


def fly(vehicle: Vehicle, pilot: Any, seconds: float, speed: float) -> np.ndarray:
    """Time, depth, heading (deg), first surface (deg), every 0.1 s."""
    plant = Plant(vehicle)
    plant.place(position_n=(0.0, 0.0, 3.0), nu=(speed, 0.0, 0.0, 0.0, 0.0, 0.0))
    steps = max(1, math.ceil(0.1 / vehicle.step_s - 1e-9))
    rows = []
    for k in range(round(10 * seconds)):
        roll, pitch, yaw = plant.euler.tolist()
        truth = VehicleState(0.1 * k, plant.position_n.copy(), roll, pitch, yaw, plant.nu.copy(), plant.nu.copy())
        command = pilot.update(truth, 0.1)
        plant.set_actuators(thrusters=command.thrusters, surfaces=command.surfaces, ballast=command.ballast)
        rows.append([0.1 * k, plant.position_n[2], math.degrees(yaw), math.degrees(command.surfaces[0])])
        plant.advance(0.1 / steps, steps, vehicle.integrator)
    return np.array(rows).T


def dive(axes: Axes) -> None:
    """A depth step of REMUS 100 on models that are 30 % wrong, by both controllers."""
    vehicle = load_vehicle("remus100")
    kinds: tuple[tuple[str, Callable[..., Any], str], ...] = (
        ("autopilot (PID)", Autopilot, "tab:orange"),
        ("sliding mode", SlidingMode, "tab:blue"),
    )
    for label, kind, colour in kinds:
        runs = []
        for mass in (0.7, 1.0, 1.3):
            pilot = kind(vehicle)
            pilot.command(depth_m=8.0, heading_deg=0.0)
            runs.append(fly(heavier(vehicle, mass), pilot, 40.0, pilot.schedule.cruise))
        depths = np.array([run[1] for run in runs])
        axes.fill_between(runs[0][0], depths.min(axis=0), depths.max(axis=0), color=colour, alpha=0.25, lw=0)
        axes.plot(runs[1][0], runs[1][1], color=colour, label=label)
    axes.axhline(8.0, color="0.5", lw=0.8, ls="--")
    axes.invert_yaxis()
    axes.set(xlabel="time, s", ylabel="depth, m", title="REMUS 100, 5 m down\nband: mass and inertia ±30 %")
    axes.legend(loc="upper right", frameon=False)


def layer(axes: Axes) -> None:
    """The rudder of the NPS AUV with the boundary layer and with hardly any."""
    vehicle = load_vehicle("npsauv")
    for share, colour, label in ((0.01, "0.7", "φ / 100"), (1.0, "tab:blue", "φ as computed")):

        def thinner(schedule: Any, stage: Any, share: float = share) -> Any:
            made = make_stage(schedule, stage)
            return replace(made, yaw=replace(made.yaw, phi=share * made.yaw.phi))

        controller.make_stage = thinner
        pilot = SlidingMode(vehicle)
        pilot.command(depth_m=3.0, heading_deg=20.0)
        run = fly(vehicle, pilot, 40.0, pilot.schedule.cruise)
        axes.plot(run[0], run[3], color=colour, label=label, lw=1.2)
    controller.make_stage = make_stage
    axes.set(xlabel="time, s", ylabel="rudder, deg", title="NPS AUV, 20° to starboard\nboundary layer and chatter")
    axes.legend(loc="upper right", frameon=False)


def pump(axes: Axes) -> None:
    """Surge and yaw that come of 60 N m and more and more surge, with 653 N for both screws."""
    allocation = Allocation(load_vehicle("seagrant1_pump"))
    asked = np.linspace(0.0, 1000.0, 101)
    got = np.array([allocation.solve(np.array([x, 0.0, 0.0, 0.0, 0.0, 60.0])).achieved for x in asked])
    # what plain scaling of both screws would leave: f = x/2 +- N/(2 y), y = 0.5 m
    screws = np.stack([0.5 * asked + 60.0, 0.5 * asked - 60.0])
    scaled = 60.0 * np.minimum(1.0, 653.0 / np.abs(screws).sum(axis=0))
    axes.plot(asked, got[:, 0] / 10.0, color="tab:green", label="surge / 10, N")
    axes.plot(asked, got[:, 5], color="tab:blue", label="yaw, N m")
    axes.plot(asked, scaled, color="tab:blue", ls=":", label="yaw if both were scaled")
    axes.set(
        xlabel="surge asked for, N", ylim=(0, 85), title="Sea Grant 1, 60 N m of yaw and surge\nfrom a pump of 653 N"
    )
    axes.legend(loc="lower right", frameon=False)


def main() -> None:
    """Draw and save."""
    figure, axes = plt.subplots(1, 3, figsize=(11.0, 3.6))
    dive(axes[0])
    layer(axes[1])
    pump(axes[2])
    for each in axes:
        each.spines[["top", "right"]].set_visible(False)
        each.grid(alpha=0.25)
        each.title.set_fontsize(10)
    figure.tight_layout()
    figure.savefig(PICTURE, dpi=110)


if __name__ == "__main__":
    main()
