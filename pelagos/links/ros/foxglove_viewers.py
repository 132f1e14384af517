"""Viewers of the live server that know no manners: what the package says of them is counted, and none holds up the end.

The package tells its troubles to the logger `foxglove`, a line for every message that is none. Hundred thousands of
them from one viewer would fill the terminal and keep the interpreter from the simulation; so they are counted here, and
after MOST_HEARD the logger is deaf for DEAF_S. The package itself then sends away who asks without listening.

Its server ends when every line has ended. One that never finished to open, or is full, would take for ever: after
GOODBYE_S such lines are cut.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
from collections.abc import Callable

from pelagos.links.counts import Counts

MOST_HEARD = 50
DEAF_S = 5.0
GOODBYE_S = 1.0
LOGGER = "foxglove"


class Overheard(logging.Handler):
    """Counts what the package says of viewers; from when it is made until it is closed."""

    def __init__(self, counts: Counts, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(logging.INFO)
        self._counts, self._clock = counts, clock
        self._heard, self._deaf_s = 0, 0.0
        self._logger = logging.getLogger(LOGGER)
        self._before = self._logger.level, self._logger.propagate
        self._logger.addHandler(self)
        self._logger.propagate = False
        self._logger.setLevel(logging.INFO)

    def emit(self, record: logging.LogRecord) -> None:
        """One line of the package; in any of its threads."""
        if record.levelno >= logging.WARNING:
            self._counts.drop("malformed", "a viewer sends what is no message, or asks for what is not there")
        elif "outbox" in record.getMessage():
            self._counts.drop("stalled", "a viewer does not take what it asked for; the oldest of it is left out")
        self._heard += 1
        if self._heard >= MOST_HEARD and self._logger.level <= logging.CRITICAL:
            self._deaf_s = self._clock()
            self._logger.setLevel(logging.CRITICAL + 1)

    def listen(self) -> None:
        """Hear again, if it has been deaf for long enough."""
        if self._heard and self._clock() - self._deaf_s >= DEAF_S:
            self._heard, self._deaf_s = 0, self._clock()
            self._logger.setLevel(logging.INFO)

    def close(self) -> None:
        """The logger is as before."""
        self._logger.removeHandler(self)
        level, self._logger.propagate = self._before
        self._logger.setLevel(level)
        super().close()


def stop_within(stop: Callable[[], object], port: int, goodbye_s: float = GOODBYE_S) -> bool:
    """Call what ends a server at a port, and cut its lines if that takes too long; whether it ended."""
    thread = threading.Thread(target=stop, name="pelagos-foxglove-stop", daemon=True)
    thread.start()
    thread.join(goodbye_s)
    if thread.is_alive():
        hang_up(port)
        thread.join(5.0 * goodbye_s)
    return not thread.is_alive()


def hang_up(port: int) -> int:
    """Cut every line of this process that came in at one of its ports; how many. The package has no word for it."""
    n = 0
    try:
        known = [int(name) for name in os.listdir("/dev/fd")]
    except OSError:  # a system without: its lines end with the program
        return 0
    for fd in known:
        try:
            with socket.socket(fileno=os.dup(fd)) as line:  # a second hold on it: the number may go to another any time
                if line.getsockname()[1] == port and line.getpeername():
                    line.shutdown(socket.SHUT_RDWR)
                    n += 1
        except (OSError, IndexError, TypeError):  # no socket, not of the internet, or ended meanwhile
            continue
    return n
