"""Every command line of the pages runs unchanged in a folder with the files it needs.

Flights are shortened. Servers are stopped as soon as they report that they are ready.
"""

import itertools
import json
import re
import runpy
import shutil
import threading
import tomllib
from pathlib import Path

import numpy as np
import pytest

from benchmarks import bench
from evidence.tests.made_up import OTHER, SMALL
from pelagos.analysis import page as figure_page
from pelagos.cli import fly, link, options
from pelagos.cli.main import main
from pelagos.console.server import Console
from pelagos_evidence import documents
from tests.docs_outcome import judge, value_of
from tests.docs_text import BESIDE, ROOT, blocks, code, commands, indented, pages, quoted, words
from tests.training.test_figures import hovering

HISTORY = "CHANGELOG.md"  # names commands as they were
PLACEHOLDERS = {
    "<vehicle>": "lauv",
    "<file>": "my_rov.toml",
    "NAME.csv": "run.csv",
    "NAME": "first-dive",
    "TASK": "hover",
}
NEED_WORDS = {"run", "describe", "check", "plot", "derive", "convert", "link"}  # alone they are names of commands
ELSEWHERE = {  # commands that another test runs whole, or piece by piece because they take minutes
    "run first-dive": "tests/cli/test_main.py",
    "bench": "tests/benchmarks/test_bench.py",
    "reproduce": "evidence/tests/test_command.py",
    "campaign remus-trackline": "tests/campaign/test_library.py",
    "campaign rov-tether-hover": "tests/campaign/test_library.py",
    "campaign gavia-bottom-contact": "tests/campaign/test_library.py",
    "campaign report": "tests/campaign/report/test_report.py",
    "campaign": "tests/campaign/test_campaigns_page.py",
}
SMALLER = {
    "bench",
    "reproduce",
}  # carried out here too, with something small for what takes minutes
PROGRAMS = r"(?:python|python3\.11|pip|node|npm|npx|cd|ruff|\.ci/run|sim_vehicle\.py|build/sitl/bin/ardusub)\b"
WRITTEN = ("--log", "--mcap", "--figure", "--out", "-o", ">")  # a file name behind it is that of a new file
SHORT_S = 2.0  # simulated: all that is written and drawn is there after it
READY = re.compile(r"listens at|waiting for ArduSub|is in the water")
PATIENCE_S = 300.0  # of a machine that compiles first


def filled(command):
    """With something in place of its placeholders."""
    for placeholder, word in PLACEHOLDERS.items():
        command = command.replace(placeholder, word)
    return command


def all_commands():
    """Of all pages, each once; `pelagos` and `pelagos run` alone are names, not orders."""
    filled_commands = [filled(command) for page in pages() if page != HISTORY for command in commands(page)]
    return [
        command for command in dict.fromkeys(filled_commands) if words(command) not in [[], *([w] for w in NEED_WORDS)]
    ]


@pytest.fixture(scope="module")
def cupboard(tmp_path_factory):
    """The files that the commands read: those the pages themselves show, a log, a drawn bottom, a pilot's results."""
    from PIL import Image

    from pelagos.links.ros.mcap import convert
    from pelagos.scenario.read import load_scenario

    folder = tmp_path_factory.mktemp("cupboard")
    for name, text in {
        "my_rov.toml": next(t for t in code("README.md", "toml") if "extends" in t),
        "file.toml": next(t for t in code("docs/vehicle-files.md", "toml") if t.startswith("name")),
        "scenario.toml": code("docs/scenarios.md", "toml")[0],
        "mine.toml": code("docs/scenarios.md", "toml")[0],
        "my_sea.toml": code("docs/world-files.md", "toml")[0],
        "jetty.toml": code("docs/training.md", "toml")[0],
        "data.txt": "\n".join(line for line in indented("docs/plotter.md") if line.endswith(",")),
    }.items():
        (folder / name).write_text(text, encoding="utf-8")
    load_scenario("first-dive", {"duration_s": SHORT_S, "tether.mode": "static"}).run(str(folder / "bluerov2_heavy"))
    log = load_scenario("first-dive", {"duration_s": SHORT_S}).run()
    for name in ("run.csv", "first-dive.csv"):
        log.to_csv(folder / name)
    log.to_parquet(folder / "run.parquet")
    convert(folder / "run.csv", folder / "whole.mcap")
    recorded = (folder / "whole.mcap").read_bytes()
    (folder / "cut-short.mcap").write_bytes(recorded[: len(recorded) // 2])
    (folder / "whole.mcap").unlink()
    drawn = np.full((60, 200), 255, dtype=np.uint8)
    drawn[40, :] = 0
    Image.fromarray(drawn).save(folder / "bottom.jpg", quality=100)
    return folder


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Two attempts of Ann."""
    from pelagos.training.results import ResultStore

    folder = tmp_path_factory.mktemp("data")
    for _ in range(2):
        ResultStore(folder / "training").keep(hovering(pilot="Ann"))
    return folder


@pytest.fixture
def table(cupboard, results, tmp_path, monkeypatch):
    """A working folder with the files, free ports, no browser."""
    for path in cupboard.iterdir():
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PELAGOS_DATA_DIR", str(results))
    for module, name in ((fly, "PORT"), (link, "ROBOT_PORT"), (link, "ARDUSUB_PORT")):
        monkeypatch.setattr(module, name, 0)
    monkeypatch.setattr(options, "FOXGLOVE", "0")
    monkeypatch.setattr(options, "ROSBRIDGE", "0")
    monkeypatch.setattr(fly, "_open", lambda address: None)
    # the slow half of a figure: where its panels lie, which tests/analysis look at
    monkeypatch.setattr(figure_page, "settle", lambda figure: figure.set_layout_engine("none"))
    return tmp_path


@pytest.fixture
def phases(monkeypatch):
    """What a server went through until it was ready; it ends then."""
    gone_through = end_when_ready(monkeypatch)
    yield gone_through
    assert "failed" not in gone_through


def end_when_ready(monkeypatch):
    """Let `fly` and `link` stop by themselves once they serve; the phases they went through."""
    ready, phases = threading.Event(), []
    say, tell, run = link._report, fly.print_status, Console.run

    def heard(text):
        say(text)
        if READY.search(text):
            phases.append("ready")
            ready.set()

    def watch_status(message):
        tell(message)
        if message["type"] == "status":
            phases.append(message["phase"])
            if message["phase"] in ("ready", "failed"):
                ready.set()

    def run_until_ready(console):
        def stop():
            ready.wait(PATIENCE_S)  # not ready by then: it ends, and `phases` shows that
            console._server.should_exit = True

        waiting = threading.Thread(target=stop, daemon=True)
        waiting.start()
        run(console)
        ready.set()
        waiting.join()

    monkeypatch.setattr(link, "_report", heard)
    monkeypatch.setattr(fly, "print_status", watch_status)
    monkeypatch.setattr(link, "print_status", watch_status)
    monkeypatch.setattr(Console, "run", run_until_ready)
    monkeypatch.setattr(link, "stopping", lambda: Stopping(ready))
    return phases


class Stopping:
    """In place of the signals of a terminal."""

    def __init__(self, event):
        self.event = event

    def __enter__(self):
        self.patience = threading.Timer(PATIENCE_S, self.event.set)
        self.patience.daemon = True
        self.patience.start()
        return self.event

    def __exit__(self, *_):
        self.patience.cancel()


def carried_out(arguments, capsys):
    """Exit code and what was printed; what goes `>` into a file is there afterwards."""
    arguments, into = (
        (arguments[: arguments.index(">")], Path(arguments[-1])) if ">" in arguments else (arguments, None)
    )
    short = ["--duration", f"{SHORT_S:g}"] if arguments[0] == "run" else []
    try:
        code = main([*arguments, *short])
    except SystemExit as end:  # --help
        code = end.code
    out, err = capsys.readouterr()
    if into is not None:
        into.write_text(out)
    return code, out, err


def dated(folder):
    """Its files with the instant at which each was written last."""
    return {(path, path.stat().st_mtime_ns) for path in folder.iterdir()}


def elsewhere(command):
    """The words of ELSEWHERE that this command begins with; None for one that is carried out here."""
    text = " ".join(words(command))
    return next((known for known in ELSEWHERE if text.startswith(known) and "--list" not in text), None)


@pytest.mark.slow
@pytest.mark.parametrize("command", [command for command in all_commands() if elsewhere(command) is None])
def test_every_command_of_the_pages_runs(command, table, phases, capsys):
    arguments = words(command)
    new = {table / name for before, name in itertools.pairwise(arguments) if before in WRITTEN and "." in name}
    new |= {table / arguments[2]} if arguments[0] == "convert" else set()
    for path in new:
        path.unlink(missing_ok=True)
    before = dated(table)
    code, out, err = carried_out(arguments, capsys)
    assert code == 0, f"{out}{err}"
    assert "Traceback" not in err
    assert all(path.stat().st_size > 0 for path in new)
    if arguments[0] in ("list", "describe", "check", "schema", "scenario", "world", "cable", "training"):
        assert out and not err
    judge(arguments, {path for path, _ in dated(table) - before}, out, err, phases, SHORT_S)


@pytest.mark.slow
@pytest.mark.parametrize("command", [command for command in all_commands() if elsewhere(command) in SMALLER])
def test_long_commands_accept_their_arguments(command, table, capsys, monkeypatch):
    """Documents of a few rows stand for the five, whose names are checked; a figure stands for the benchmark."""
    real = documents.documents
    monkeypatch.setattr(documents, "documents", lambda names=(): (SMALL, OTHER)[: len(real(names))])
    monkeypatch.setattr(bench, "measure", lambda *_: {"ns_per_step": 400.0})
    monkeypatch.setattr(bench, "report", lambda result: f"{result['ns_per_step']} ns a step")
    arguments = words(command)
    code, out, err = carried_out(arguments, capsys)
    assert code == 0 and "Traceback" not in err
    if arguments[0] == "bench":
        assert json.loads(out) == {"ns_per_step": 400.0} if "--json" in arguments else out == "400.0 ns a step\n"
    else:
        html = value_of(arguments, "--out") or "reproduction.html"
        data = value_of(arguments, "--json") or "reproduction.json"
        assert SMALL.short in (table / html).read_text(encoding="utf-8")
        assert json.loads((table / data).read_text(encoding="utf-8"))["complete"]


def test_a_server_that_never_serves_is_noticed():
    with pytest.raises(AssertionError):
        judge(["fly"], set(), "", "", ["compiling"], SHORT_S)
    with pytest.raises(AssertionError):
        judge(["fly", "--dis"], set(), "", "nothing rides along", ["compiling", "ready"], SHORT_S)


def test_commands_run_by_other_tests_are_run_there():
    assert {elsewhere(command) for command in all_commands()} == {None, *ELSEWHERE}
    for begins, test in ELSEWHERE.items():
        assert all(word in (ROOT / test).read_text() for word in begins.split())


# ---- other programs ------------------------------------------------------------------------------------------------


def lines():
    """Every line of a block of commands, and every command of another program in running text."""
    for page in pages():
        shown = [line for block in blocks(page, "sh") for line in block.text.splitlines()]
        inline = [line for line in [*quoted(page), *indented(page)] if re.match(PROGRAMS, line)]
        yield from ((page, BESIDE.split(line)[0]) for line in [*shown, *inline] if line)


def test_every_line_of_a_block_of_commands_is_of_a_known_kind():
    known = rf"pelagos |{PROGRAMS}"
    assert all(re.match(known, line) for _, line in lines())


def test_installed_extras_exist():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    named = {name for _, line in lines() for name in re.findall(r'pip install .*?"(?:pelagos|\.)\[(\w+)\]"', line)}
    assert len(named) > 6 and named <= set(extras)


def test_scripts_and_examples_that_are_named_exist():
    named = {name for _, line in lines() for name in re.findall(r"(?:python|node) ((?:scripts|examples)/\S+)", line)}
    assert len(named) > 6 and all((ROOT / name).exists() for name in named)


@pytest.mark.parametrize("script", sorted((ROOT / "scripts").rglob("*.py")), ids=lambda script: script.stem)
def test_every_script_finds_what_it_imports(script):
    """They take minutes; those that make tables of the pages are run by the tests of these pages."""
    assert runpy.run_path(str(script), run_name="imported")["__doc__"]


def test_the_commands_of_the_study_are_accepted(monkeypatch):
    main = runpy.run_path(str(ROOT / "scripts/nees_study.py"), run_name="imported")["main"]
    flown = []
    main.__globals__["study"] = lambda *order: flown.append(order)
    for _, line in lines():
        if line.startswith("python scripts/nees_study.py"):
            monkeypatch.setattr("sys.argv", line.split()[1:])
            main()
    missions = main.__globals__["MISSIONS"]
    assert [name for name, *_ in flown] == [*missions, "lawnmower", "lawnmower-900"]
    assert set(missions) >= {"lawnmower", "lawnmower-900"} and flown[-2][1] == range(400, 420) and flown[-1][2]


def test_ci_runs_the_commands_of_contributing():
    ci = (ROOT / ".ci/run").read_text()
    documented = [part for page, line in lines() if page == "CONTRIBUTING.md" for part in line.split(" && ")]
    for part in ("ruff check .", "ruff format --check .", "pyright", "lint-imports", "npm ci", "tsc -p .", "[dev]"):
        assert part in ci and any(part in command for command in documented), part
    assert any("tests/console/js/*.test.js" in command for command in documented)
    assert '"*.test.js"' in (ROOT / "tests/console/test_web_units.py").read_text()
