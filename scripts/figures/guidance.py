"""Draw docs/images/guidance.png: a trackline, a lawnmower and a spiral in a current, and bottom following."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
import numpy as np
from matplotlib import pyplot as plt

from pelagos.control import Autopilot
from pelagos.guidance import BottomFollow, Lawnmower, Leg, Mission, Spiral, Trackline
from pelagos.sensors.sound.navigation_sonar import NavigationSonar
from pelagos.sim.simulation import Simulation
from pelagos.world.spec import World

OUT = Path(__file__).parents[2] / "docs" / "images" / "guidance.png"
BLUE, ORANGE, GREEN, PURPLE, GREY = "#1f5f99", "#d9772b", "#3a8f5c", "#8a5fa8", "0.55"


def flown(leg: Leg, start: dict[str, Any], current: float = 0.3, to_deg: float = 90.0) -> tuple[Any, ...]:
    """North and east of a REMUS 100 in a current, until the leg is over."""
    sim = Simulation("remus100", World(depth_m=50.0, current_m_s=current, current_to_deg=to_deg))
    sim.place(depth_m=5.0, surge_m_s=1.5, **start)
    mission = Mission(Autopilot(sim.vehicle, sim.water), [leg])
    sim.control(mission)
    places = []
    for _ in range(20000):
        sim.tick()
        if mission.done:
            break
        places.append(sim.plant.position_n[:2].copy())
    return tuple(np.array(places).T)


def draw_trackline(axes: Any) -> None:
    """Four laws onto one line."""
    keys = {"from_m": (0.0, 0.0), "to_m": (250.0, 0.0), "speed_m_s": 1.5, "depth_m": 5.0}
    looks = (("los", ORANGE), ("alos", BLUE), ("ilos", GREEN), ("cross_track", PURPLE))
    for law, color in looks:
        north, east = flown(Trackline(law=law, **keys), {"east_m": 10.0})  # type: ignore[arg-type]
        axes.plot(north, east, color=color, label=law)
    axes.axhline(0.0, color=GREY, lw=0.8, ls="--")
    steady = 12.0 * np.tan(np.arcsin(0.3 / 1.5))
    axes.annotate("Δ tan β = 2.4 m", (205.0, steady), (150.0, 5.0), arrowprops={"arrowstyle": "-", "color": GREY})
    axes.set(
        xlabel="along the line, m", ylabel="cross-track error, m", title="trackline, 0.3 m/s across", xlim=(0, 250)
    )
    axes.legend(ncol=2, loc="upper right")


def draw_lawnmower(axes: Any) -> None:
    """The same lines with and without learning the drift."""
    for law, color in (("los", ORANGE), ("alos", BLUE)):
        leg = Lawnmower(
            corner_m=(80.0, 0.0), direction_deg=90.0, length_m=150.0, width_m=80.0, spacing_m=20.0, overrun_m=15.0,
            speed_m_s=1.5, depth_m=5.0, law=law,  # type: ignore[arg-type]
        )  # fmt: skip
        north, east = flown(leg, {"north_m": 80.0, "east_m": -60.0, "heading_deg": 90.0}, to_deg=0.0)
        axes.plot(east, north, color=color, label=law, lw=1.2)
        if law == "los":
            track = np.array(leg.points())
            axes.plot(track[:, 1], track[:, 0], color=GREY, lw=0.8, ls="--", zorder=0)
    axes.add_patch(plt.Rectangle((0.0, 0.0), 150.0, 80.0, color="0.93", zorder=-1))
    axes.annotate("current", (-45.0, 55.0), (-58.0, 15.0), arrowprops={"arrowstyle": "->", "color": GREY}, color="0.3")
    axes.set(xlabel="east, m", ylabel="north, m", title="lawnmower, REMUS 100", aspect="equal", ylim=(-30, 120))
    axes.legend(loc="upper right", ncol=2)


def draw_spiral(axes: Any) -> None:
    """Out from the middle, in still water and in a current."""
    leg = Spiral(center_m=(0.0, 0.0), spacing_m=15.0, turns=3.0, first_radius_m=20.0, speed_m_s=1.5, depth_m=5.0)
    for current, color, label in ((0.0, GREEN, "still water"), (0.3, BLUE, "0.3 m/s to the east")):
        north, east = flown(leg, {"north_m": -20.0, "heading_deg": 270.0}, current)
        axes.plot(east, north, color=color, label=label, lw=1.2)
    theta = np.linspace(0.0, 6.0 * np.pi, 600)
    radius = 20.0 + 15.0 * theta / (2.0 * np.pi)
    axes.plot(radius * np.sin(theta + np.pi), radius * np.cos(theta + np.pi), color=GREY, lw=0.8, ls="--", zorder=0)
    axes.set(
        xlabel="east, m", ylabel="north, m", title="spiral, law = alos", aspect="equal", ylim=(-72, 66), xlim=(-60, 135)
    )
    axes.legend(loc="upper right")


def draw_bottom(axes: Any) -> None:
    """A Gavia over its drawn bottom: the look ahead starts the climb."""
    for reach, color in ((100.0, BLUE), (50.0, ORANGE)):
        sonar = NavigationSonar(
            name="nose", n_beams=16, fan_deg=40.0, tilt_deg=5.0, max_range_m=reach, rate_hz=5.0,
            position_m=(0.97, 0.0, 0.0),
        )  # fmt: skip
        sim = Simulation("gavia", "gavia_bottom", sensors=[sonar])
        sim.place(depth_m=36.0, east_m=-45.0, heading_deg=90.0, surge_m_s=4.0)
        leg = BottomFollow(
            points_m=((0.0, 240.0),), altitude_m=12.0, speed_m_s=4.0, sonar="nose", climb_deg=11.0, lead_s=3.0,
            beams_deg=tuple(sonar.elevations_deg.tolist()), sonar_ahead_m=0.97, sonar_range_m=reach,
        )  # fmt: skip
        sim.control(Mission(Autopilot(sim.vehicle, sim.water), [leg]))
        log = sim.run(68)
        axes.plot(log["east_m"], log["depth_m"], color=color, label=f"sonar reaches {reach:.0f} m")
    x = np.linspace(-48.0, 240.0, 600)
    bottom = sim.world.bottom_m(0.0 * x, x)
    axes.fill_between(x, bottom, 90.0, color="#cbb994")
    axes.plot(x, bottom - 12.0, color=GREY, lw=0.8, ls="--", label="12 m over the bottom")
    axes.set(xlabel="east, m", ylabel="depth, m", title="bottom following, Gavia", ylim=(90, 0), xlim=(-48, 240))
    axes.legend(loc="upper right")


def main() -> None:
    """Four panels."""
    plt.rcParams.update({"font.size": 8, "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False})
    figure, axes = plt.subplots(2, 2, figsize=(9.0, 7.4), layout="constrained")
    for draw, panel in zip((draw_trackline, draw_lawnmower, draw_spiral, draw_bottom), axes.flat, strict=True):
        draw(panel)
    figure.savefig(OUT, dpi=100)


if __name__ == "__main__":
    main()
