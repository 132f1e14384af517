"""Draw the picture of docs/plotter.md: a Gavia with its navigation sonar in front of a mound, case 3 of the plotter."""

from __future__ import annotations

import tempfile
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

from pelagos import Simulation
from pelagos.analysis.page import save_or_show, styled
from pelagos.analysis.plotter.motion import MotionScene, motion_of, silenced
from pelagos.analysis.plotter.plotter import read_plotter, write_plotter
from pelagos.sensors.sound.navigation_sonar import NavigationSonar

PICTURE = Path(__file__).parents[2] / "docs" / "images" / "plotter.png"
SHOWN_S = 26.0  # into the run

if __name__ == "__main__":
    sonar = NavigationSonar(name="sonar", rate_hz=2.0, n_beams=6, fan_deg=40.0, tilt_deg=20.0)
    sim = Simulation("gavia", "gavia_bottom", seed=2, sensors=[sonar])
    sim.place(depth_m=8.0, heading_deg=90.0)
    sim.command(depth_m=12.0, heading_deg=90.0, speed_m_s=1.5)
    with tempfile.TemporaryDirectory() as folder:
        write_plotter(sim.run(100.0), f"{folder}/data.txt", spread_deg=40.0, tilt_deg=20.0)
        data = read_plotter(f"{folder}/data.txt")
    with styled():
        scene = MotionScene(silenced(motion_of(data)), "data.txt, case 3")
        scene.show(round(SHOWN_S * sim.control_rate_hz))
        save_or_show(scene.figure, PICTURE, dpi=110)
    print(PICTURE)
