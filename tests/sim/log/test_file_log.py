"""A file of whole blocks: what is put is there at once, and a failed write leaves no half line."""

import os
import subprocess
import sys

import pytest

from pelagos.sim.log.file import BlockFile
from pelagos.sim.log.log import LogError

LIMITED = """
import resource, sys
from pelagos.sim.log.log import LogError
from pelagos.sim.log.file import BlockFile
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
file = BlockFile(sys.argv[1], line_end=sys.argv[2].encode())
try:
    for k in range(100):
        file.put(b"%03d,abcdef\\n" % k * 7, 7)  # 77 bytes; 12 blocks make 924, the 13th is cut after 76
except LogError as error:
    print(error)
file.close()
print(file.rows)
"""


def test_what_is_put_can_be_read_at_once(tmp_path):
    file = BlockFile(tmp_path / "a")
    file.put(b"one\n", 1)
    file.put(b"two\nthree\n", 2)
    assert (tmp_path / "a").read_bytes() == b"one\ntwo\nthree\n"
    assert file.rows == 3
    file.close()
    file.close()  # twice is once


@pytest.mark.skipif(sys.platform == "win32", reason="no file size limits")
@pytest.mark.parametrize("line_end", ["\n", ""])
def test_a_block_that_does_not_fit_is_cut_to_whole_lines(tmp_path, line_end):
    command = [sys.executable, "-c", LIMITED, str(tmp_path / "a"), line_end]
    said, rows = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert said == f"{tmp_path / 'a'}: the log cannot be written any further (File too large); " + (
        "what was written can be read"
    )
    lines = (tmp_path / "a").read_bytes().split(b"\n")
    assert lines[-1] == b"" and set(map(len, lines[:-1])) == {10}
    # 1000 bytes hold 90 lines of 11; of blocks of 7 lines, 12 whole ones
    assert len(lines) - 1 == (90 if line_end else 84)
    assert int(rows) == len(lines) - 1


@pytest.mark.skipif(sys.platform == "win32", reason="no named pipes")
def test_a_pipe_takes_blocks_too(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    file = BlockFile(tmp_path / "pipe")
    file.put(b"one\n")
    file.put(b"two\n")
    file.close()
    assert os.read(reader, 100) == b"one\ntwo\n"
    os.close(reader)


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(LogError, match="the log cannot be written"):
        BlockFile(tmp_path)
