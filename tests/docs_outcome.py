"""Checks the output of commands of the pages: readable files with the content that the options request."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from pelagos.sim.log.load import load_log
from pelagos.vehicle.load.vehicle import load_vehicle

PNG, MCAP = b"\x89PNG\r\n\x1a\n", b"\x89MCAP0\r\n"
LINK_TEXTS = {
    "--dis": "DIS goes to", "--mavlink": "mavlink: ", "--foxglove": "foxglove: ", "--rosbridge": "rosbridge: ",
}  # fmt: skip
TETHERED = {"--tether", "--tether-ratio", "--cable", "--ship"}


def value_of(arguments: list[str], option: str) -> str | None:
    """The word after an option; None without it."""
    return arguments[arguments.index(option) + 1] if option in arguments else None


def judge(arguments: list[str], made: set[Path], out: str, err: str, phases: list[str], short_s: float) -> None:
    """Check a command by its first word."""
    if "--help" in arguments:
        assert out.startswith("usage: pelagos")
    elif arguments[0] == "run":
        judge_run(arguments, made, short_s)
    elif arguments[0] in ("fly", "link"):
        judge_server(arguments, err, phases)
    elif arguments[0] in JUDGES:
        JUDGES[arguments[0]](arguments, made, out)


def judge_run(arguments: list[str], made: set[Path], short_s: float) -> None:
    """The log holds the requested run, to its end."""
    (path,) = (path for path in made if path.suffix == ".csv")
    log = load_log(path)
    assert log.complete and log["time_s"][-1] == pytest.approx(short_s)
    assert any(picture.suffix == ".png" and picture.read_bytes().startswith(PNG) for picture in made)
    if (seed := value_of(arguments, "--seed")) is not None:
        assert log.meta["seed"] == int(seed)
    for option, column in (("--depth-m", "cmd_depth_m"), ("--speed-m-s", "cmd_speed_m_s")):
        if (asked := value_of(arguments, option)) is not None:
            assert log[column][-1] == float(asked), option
    change = value_of(arguments, "--set") or ""
    current = value_of(arguments, "--current-m-s") or change.removeprefix("world.current_m_s=")
    if current:
        flow = math.hypot(log["current_north_m_s"][-1], log["current_east_m_s"][-1])
        assert flow == pytest.approx(float(current))
    assert ("tether_length_m" in log.names) == bool(TETHERED & set(arguments))
    assert ("--report" in arguments) == any(path.suffix == ".html" for path in made)
    if (out_name := value_of(arguments, "--out")) is not None:
        assert path.stem == out_name


def judge_server(arguments: list[str], err: str, phases: list[str]) -> None:
    """The server became ready with the requested links."""
    assert "ready" in phases, err
    for option, word in LINK_TEXTS.items():
        assert (option in arguments) == (word in err), err
    assert ("--mcap" in arguments) == ("mcap: sent" in err), err


def judge_plot(arguments: list[str], made: set[Path], out: str) -> None:
    """Every picture is a valid file, and the pictures named in the command exist."""
    pictures = [path for path in made if path.suffix in (".png", ".svg")]
    assert all(path.read_bytes().startswith(PNG) for path in pictures if path.suffix == ".png")
    if "--report" in arguments:
        (page,) = (path for path in made if path.suffix == ".html")
        assert page.read_text(encoding="utf-8").count("<svg") + page.read_text(encoding="utf-8").count("<img") > 2
    elif "--format" in arguments:
        names = {
            f"{Path(arguments[1]).stem}-{name}.{arguments[-1]}" for name in arguments[2 : arguments.index("--format")]
        }
        assert {path.name for path in pictures} == names
        assert all("<svg" in path.read_text(encoding="utf-8") for path in pictures)
    else:
        assert pictures and all(path.stat().st_size > 5_000 for path in pictures)


def judge_convert(arguments: list[str], made: set[Path], out: str) -> None:
    """A complete MCAP file has its magic bytes at both ends."""
    recorded = Path(arguments[2]).read_bytes()
    assert recorded.startswith(MCAP) and recorded.endswith(MCAP) and len(recorded) > 2_000


def judge_derive(arguments: list[str], made: set[Path], out: str) -> None:
    """The file is a vehicle of that mass and length."""
    vehicle = load_vehicle(Path(str(value_of(arguments, "--out"))))
    assert vehicle.body.mass_kg == pytest.approx(float(str(value_of(arguments, "--mass-kg"))))
    assert vehicle.length_m == pytest.approx(float(str(value_of(arguments, "--length-m"))))


def judge_schema(arguments: list[str], made: set[Path], out: str) -> None:
    """JSON Schema, on the screen or in the file."""
    assert "$schema" in json.loads(out)


def judge_named(arguments: list[str], made: set[Path], out: str) -> None:
    """The output describes what the command names; a list has several lines."""
    assert len(out.splitlines()) > (2 if len(arguments) == 1 else 0)
    if arguments[0] == "describe":
        assert load_vehicle(arguments[1] if not arguments[1].endswith(".toml") else Path(arguments[1])).name in out
    if (figure := value_of(arguments, "--figure")) is not None:
        assert Path(figure).read_bytes().startswith(PNG)
    if "--pilot" in arguments and "--figure" not in arguments:
        assert "hover" in out  # the task of her attempts


JUDGES = {"plot": judge_plot, "convert": judge_convert, "derive": judge_derive, "schema": judge_schema}
JUDGES |= dict.fromkeys(("list", "describe", "check", "scenario", "world", "cable", "training"), judge_named)
