"""The compiler in a separate process."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.engine.toy import CALL, Toy

SLOW = """
import time
from pelagos.engine.compiled import entry
open({file!r}, "a").write(f"{{__import__('os').getpid()}}\\n")
time.sleep({wait})

@entry
def slow(x):
    return 2.0 * x
"""


@pytest.mark.slow
def test_processes_that_start_together_and_forks_all_get_their_code(tmp_path: Path) -> None:
    """A fork has its parent's compiler in its memory, and must not use it."""
    toy = Toy(tmp_path)
    if not hasattr(os, "fork"):
        pytest.skip("no fork on this system")
    script = (
        "import multiprocessing, toy.caller as c\n"
        "c.one(10.0)\n"
        "def work(send): send.send(c.two(10.0))\n"
        "context = multiprocessing.get_context('fork')\n"
        "pairs = [context.Pipe() for _ in range(2)]\n"
        "workers = [context.Process(target=work, args=(pair[1],)) for pair in pairs]\n"
        "for worker in workers: worker.start()\n"
        "values = [pair[0].recv() for pair in pairs]\n"
        "for worker in workers: worker.join()\n"
        "values.append(c.three(10.0))"
    )
    assert toy.run(script) == ([21.0, 21.0, 22.0], ["one", "three"])
    assert {path.suffix for path in toy.files()} == {".code"} and len(toy.files()) == 3  # nothing half written
    assert "inside this process" not in toy.stderr
    assert toy.run("import toy.caller as c\nvalues = [c.one(1.0), c.two(1.0), c.three(1.0)]")[1] == []


@pytest.mark.slow
def test_ctrl_c_while_it_compiles_ends_both_processes(tmp_path: Path) -> None:
    toy, log_file = Toy(tmp_path), tmp_path / "seen"
    source = SLOW.format(file=str(log_file), wait="60.0 * ('pelagos.engine.compiler' in sys.orig_argv[-1])")
    (toy.sources / "toy" / "slow.py").write_text("import sys\n" + source)
    command = toy.command("import toy.slow\nvalues = [toy.slow.slow(1.0)]")
    process = subprocess.Popen(
        command, env=toy.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    end = time.monotonic() + 60.0
    while not (log_file.exists() and log_file.read_text().count("\n") == 2):
        assert time.monotonic() < end and process.poll() is None, "the compiler's process did not import the entry"
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    errors = process.communicate(timeout=60.0)[1]
    assert process.returncode != 0 and "KeyboardInterrupt" in errors
    compiler = int(log_file.read_text().split()[1])
    assert compiler != process.pid
    with pytest.raises(ProcessLookupError):
        while time.monotonic() < end:
            os.kill(compiler, 0)
            time.sleep(0.05)


@pytest.mark.slow
def test_a_function_that_numba_refuses_gives_its_error_alone(tmp_path: Path) -> None:
    toy = Toy(tmp_path)
    script = (
        "import toy.caller\ntry: toy.caller.one('ten')\nexcept Exception as problem: values = type(problem).__name__"
    )
    assert toy.run(script) == ("TypingError", [])
    assert "inside this process" not in toy.stderr


@pytest.mark.slow
def test_sources_that_were_edited_meanwhile_are_not_taken_for_those_in_memory(tmp_path: Path) -> None:
    """The entry is read, its file changes, then it is called: what was read is what runs."""
    toy = Toy(tmp_path)
    script = (
        "import toy.caller, pathlib\n"
        "file = pathlib.Path(toy.caller.__file__).with_name('term.py')\n"
        "file.write_text(file.read_text().replace('2.0 *', '5.0 *'))\n"
        "values = [toy.caller.one(10.0)]"
    )
    assert toy.run(script) == ([20.0], ["one"])
    assert "was edited after this process had read it" in toy.stderr
    assert toy.run(CALL) == ([50.0], ["one"])
