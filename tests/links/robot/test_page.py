"""The tables and examples of docs/robot-link.md agree with the code."""

import json
import re
from pathlib import Path

from jsonschema import Draft202012Validator

from pelagos.links.robot.messages import LARGEST_LINE, SETPOINTS, STICKS, link_schema, parse
from pelagos.links.robot.vehicle import STATE
from tests.links.robot.linked import TABLES, served, tank_host

PAGE = (Path(__file__).parents[3] / "docs/robot-link.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.M | re.S)


def test_its_program_runs(capsys):
    (code,) = blocks("python")
    names = {}
    with served(tank_host(TABLES | {"world": {"depth_m": 15.0}})) as server:
        exec(compile(code.replace("9100", str(server.port)), "docs/robot-link.md", "exec"), names)
    assert (names["answer"]["seq"], names["answer"]["time_s"]) == (50, 5.0)
    assert "controller ['port_screw_rpm'" in capsys.readouterr().out
    assert names["state"]["surge_m_s"] > 0.03  # m/s: two screws ahead from rest


def test_its_messages_are_read():
    (text,) = blocks("json")
    judge = Draft202012Validator({**link_schema(), "anyOf": [{"$ref": "#/$defs/from_client"}]})
    kinds = set()
    for line in text.splitlines():
        kinds.add(type(parse(line.encode())).__name__)
        judge.validate(json.loads(line))
    assert kinds == {"Hello", "RobotOrder", "Reset", "Bye"}


def test_it_names_every_key():
    words = set(re.findall(r"[a-z0-9_]+", PAGE, re.I))
    assert {*STICKS, *SETPOINTS} <= words
    assert set(STATE) - {"q1", "q2"} <= words  # q0..q3
    for name, table in link_schema()["$defs"].items():
        assert set(table.get("properties", {})) <= words | {"q1", "q2"}, name
    assert f"{LARGEST_LINE:,}" in PAGE
