"""A server of the console in a process of its own and a page of it in a browser, for tests that look at both."""

import io
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib.image
import numpy as np

ROOT = Path(__file__).parents[2]
LIMIT_MS = 60_000  # for something to be seen; the two cores of a test machine may have much else to do
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
]  # fmt: skip
BLOCK = 24  # px: coarse enough not to see drifting particles


class Server:
    """`pelagos fly` in its own process."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.folder = folder
        command = [sys.executable, "-m", "pelagos", "fly", *arguments, "--no-browser", "--port", "0"]
        place = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
        self.process = subprocess.Popen(
            command, cwd=folder, env=place, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.address = self._address()

    def _address(self) -> str:
        assert self.process.stdout is not None
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            address = re.search(r"http://\S+", line)
            if address:
                return address[0]
        raise AssertionError("the server gave no address:\n" + "".join(lines))

    def send(self, number: int) -> None:
        """Stop, wake or end it."""
        self.process.send_signal(number)

    def close(self) -> None:
        """End it as Ctrl-C does; hard if it does not."""
        if self.process.poll() is None:
            self.send(signal.SIGCONT)
            self.send(signal.SIGINT)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


class Console:
    """A page of the console, asked by column and by what it shows."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def get(self, column: str) -> float:
        """A column of the newest state."""
        return float(self.page.evaluate("(name) => window.pelagos.history.latest().get(name)", column))

    def until(self, condition: str, argument: Any = None) -> None:
        """Wait until a condition in the page holds; `s` is the newest state, `x` the argument."""
        code = f"(x) => {{ const s = window.pelagos?.history.latest(); return Boolean(s && ({condition})); }}"
        end = time.monotonic() + LIMIT_MS / 1000
        # polled from here: a poll inside the page needs eval, which its policy forbids
        while not self.page.evaluate(code, argument):
            assert time.monotonic() < end, f"never seen: {condition}"
            self.page.wait_for_timeout(40)

    def order(self, name: str, **values: Any) -> None:
        """As the panels send it."""
        self.page.evaluate("([name, values]) => window.pelagos.link.order(name, values)", [name, values])

    def reset(self) -> None:
        """The flight from its start, as new."""
        self.order("reset")
        self.until("s.time < 1 && s.get('collisions') === 0")

    def picture(self) -> np.ndarray:
        """The stage in blocks of pixels, 0..1."""
        image = matplotlib.image.imread(io.BytesIO(self.page.locator("#stage").screenshot()))[..., :3]
        rows, columns = image.shape[0] // BLOCK, image.shape[1] // BLOCK
        whole = image[: rows * BLOCK, : columns * BLOCK].reshape(rows, BLOCK, columns, BLOCK, 3)
        return whole.mean(axis=(1, 3))

    @contextmanager
    def held(self, key: str) -> Iterator[None]:
        """A key held down."""
        self.page.keyboard.down(key)
        try:
            yield
        finally:
            self.page.keyboard.up(key)


def finished_logs(folder: Path) -> list[Path]:
    """A recording that was switched off is finished beside the flight: wait for its final name."""
    end = time.monotonic() + LIMIT_MS / 1e3
    while time.monotonic() < end:
        logs = sorted([*folder.glob("*.csv"), *folder.glob("*.parquet")])
        if logs and not list(folder.glob("*.unfinished")):
            return logs
        time.sleep(0.05)
    return []
