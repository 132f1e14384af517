"""Fixtures shared by tests of several folders."""

import signal

import pytest
from hypothesis import HealthCheck, settings

# Hypothesis limits the wall time of an example (200 ms) and of drawing them: a busy machine exceeds both.
settings.register_profile("pelagos", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("pelagos")

# A shell starts what it puts in the background with Ctrl-C ignored, and children inherit that: runs that a test
# interrupts would never end.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def in_an_empty_folder(tmp_path, monkeypatch):
    """The working folder: new, and of this test alone."""
    monkeypatch.chdir(tmp_path)
