"""What tests of several folders ask for by name."""

import signal

import pytest

# A shell starts what it puts in the background with Ctrl-C ignored, and children inherit that: runs that a test
# interrupts would never end.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def in_an_empty_folder(tmp_path, monkeypatch):
    """The working folder: new, and of this test alone."""
    monkeypatch.chdir(tmp_path)
