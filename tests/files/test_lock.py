"""One writer at a time; the lock of a process that has ended does not block."""

import os
import signal
import subprocess
import sys

from pelagos.files.lock import lock, locked, open_locked

HOLDS = """
import sys, time
from pathlib import Path
from pelagos.files.lock import locked
with locked(Path(sys.argv[1])) as mine:
    print(mine, flush=True)
    time.sleep(60)
"""


def test_a_lock_is_exclusive_and_leaves_no_file(tmp_path):
    path = tmp_path / "a.lock"
    with locked(path) as first, locked(path) as second:
        assert first and not second and path.exists()
    assert not path.exists()
    with locked(path) as again:
        assert again


def test_the_lock_of_a_killed_process_is_free(tmp_path):
    path = tmp_path / "a.lock"
    process = subprocess.Popen([sys.executable, "-c", HOLDS, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "True\n"
    with locked(path) as mine:
        assert not mine
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert path.exists()  # it could not take it away
    with locked(path) as mine:
        assert mine


def test_a_file_that_was_taken_away_meanwhile_is_no_lock(tmp_path):
    path = tmp_path / "a"
    gone = os.open(path, os.O_WRONLY | os.O_CREAT)
    assert lock(gone)
    path.unlink()
    there = open_locked(path)  # another file of the same name, and its own lock
    assert there is not None and os.path.samestat(os.fstat(there), path.stat())
    for descriptor in (gone, there):
        os.close(descriptor)


def test_the_contents_of_a_locked_file_stay(tmp_path):
    path = tmp_path / "a"
    path.write_text("kept")
    descriptor = open_locked(path)
    assert descriptor is not None and open_locked(path) is None and path.read_text() == "kept"
    os.close(descriptor)
