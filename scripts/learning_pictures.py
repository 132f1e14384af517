"""Pictures of docs/learning.md: frames of environments under the autopilot, and the console that watches one.

    python scripts/learning_pictures.py                 both, into docs/images/

The second needs Chromium and the package playwright.
"""

from __future__ import annotations

import shutil
import threading
import time
from pathlib import Path

import numpy as np
from PIL import Image

from pelagos.learn.env import VectorEnvironment

IMAGES = Path(__file__).parents[1] / "docs" / "images"
# steps before the picture
FRAMES = {"Docking": 150, "PipelineFollowing": 400, "TerrainFollowing": 500, "Trackline": 600}
FLAGS = ("--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")


def frames() -> None:
    """One frame a task, one under another."""
    rows = []
    for task, steps in FRAMES.items():
        envs = VectorEnvironment(task, 1, assist="pid", render_mode="rgb_array")
        envs.reset(seed=12)
        for _ in range(steps):
            envs.step(np.zeros(envs.action_space.shape, np.float32))  # type: ignore[arg-type]
        rows.append(envs.render()[0])  # type: ignore[index]
    pairs = [np.concatenate(rows[i : i + 2], axis=1) for i in range(0, len(rows), 2)]
    picture = Image.fromarray(np.concatenate(pairs, axis=0)).quantize(128)
    picture.save(IMAGES / "learning-frames.png", optimize=True)


def console() -> None:
    """The page while a policy flies: here, the autopilot."""
    from playwright.sync_api import sync_playwright

    envs = VectorEnvironment("Docking", 1, assist="pid", render_mode="human", randomise={})
    envs.reset(seed=3)
    watch, ended = envs._viewer, threading.Event()

    def fly() -> None:
        while not ended.is_set():
            envs.step(np.zeros(envs.action_space.shape, np.float32))  # type: ignore[arg-type]

    flight = threading.Thread(target=fly)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=list(FLAGS))
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.goto(watch.address)
        page.wait_for_function("window.pelagos?.history?.latest()", timeout=90_000)
        flight.start()
        time.sleep(9.0)
        places = []
        for _ in range(2):
            places.append(page.evaluate("window.pelagos.history.latest().get('north_m')"))
            time.sleep(2.0)
        print(f"north on the page: {places[0]:.2f} m, two seconds later {places[1]:.2f} m")
        page.screenshot(path=str(IMAGES / "learning-console.png"))
        ended.set()
        flight.join()
        browser.close()
    envs.close()
    picture = Image.open(IMAGES / "learning-console.png").convert("RGB").quantize(200)
    picture.save(IMAGES / "learning-console.png", optimize=True)


if __name__ == "__main__":
    frames()
    console()
