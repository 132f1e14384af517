"""A function in a child process: results, errors, hangs and crashes."""

import os
import signal
import time

import pytest

from pelagos.errors import CommandError, MissingExtraError
from pelagos.files.child import in_child


def test_an_answer_and_the_same_process_for_the_next():
    assert in_child(60.0, CommandError, divmod, 7, 2) == (3, 1)
    first = in_child(60.0, CommandError, os.getpid)
    assert first == in_child(60.0, CommandError, os.getpid) != os.getpid()


def test_what_it_raises_is_raised_here():
    with pytest.raises(ZeroDivisionError):
        in_child(60.0, CommandError, divmod, 7, 0)
    with pytest.raises(MissingExtraError, match="b needs the package a") as caught:
        in_child(60.0, CommandError, _missing)
    assert caught.value.package == "a"


def _missing():
    raise MissingExtraError("a", "b")


@pytest.mark.slow
def test_a_call_that_never_ends_is_ended_and_the_next_succeeds():
    with pytest.raises(CommandError, match="cannot be read: its reader took more than 1 s"):
        in_child(1.0, CommandError, time.sleep, 1e6)
    assert in_child(60.0, CommandError, divmod, 7, 2) == (3, 1)


@pytest.mark.slow
def test_a_child_that_crashes_is_an_error():
    with pytest.raises(CommandError, match="cannot be read: its reader ended with exit code -6"):
        in_child(60.0, CommandError, os.abort)
    with pytest.raises(CommandError, match="exit code 3"):
        in_child(60.0, CommandError, os._exit, 3)
    assert signal.SIGABRT == 6
