"""Write the tables of keys, conditions and ready scenarios in docs/scenarios.md, from the descriptions themselves.

python scripts/scenario_keys.py
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

from pelagos.checks import annotation_text
from pelagos.estimation.base import Navigation
from pelagos.files.library import SCENARIOS
from pelagos.files.schema import section_of
from pelagos.guidance.base import Leg
from pelagos.guidance.legs.kinds import KINDS as LEGS
from pelagos.guidance.legs.place import PlaceLeg
from pelagos.guidance.steering import CourseLeg
from pelagos.scenario.schema import COMMANDS
from pelagos.scenario.spec import Control, End, Output, Scenario, ScenarioEvent, Start
from pelagos.sim.faults.conditions import NAMES
from pelagos.sim.faults.kinds import KINDS as FAULTS
from pelagos.sim.faults.kinds import Fault
from pelagos.tether.spec import Tether

PAGE = Path(__file__).parents[1] / "docs" / "scenarios.md"
START, END = "<!-- keys: made by scripts/scenario_keys.py -->", "<!-- end of keys -->"
HIDDEN = ("path",)  # a field that the reader fills
TOP = """```text
vehicle                the name of a library vehicle, a .toml file, or [[vehicle]] tables: see several vehicles
world                  [world] with the keys of a world file; use = NAME starts from a world of the library or a file,
                       and world = NAME takes it as it is
sensor                 true: the instruments of the vehicle's file; or [[sensor]] tables; without it none
tether                 true: the cable of the vehicle's file; or a table [tether]
```"""
PLAIN = {  # what needs no comment in the code
    "name": "for lists, figures and file names; that of the file if left out",
    "summary": "one sentence for lists",
    "seed": "of every random number",
    "control_rate_hz": "how often the controller acts",
    "integrator": "as the vehicle's file says if left out: euler, heun, rk4, ...",
    "step_s": "longest step of the integrator; as the vehicle's file says if left out",
    "kinematics": "quaternion or euler; as the vehicle's file says if left out",
}
NOT_NUMBERS = {
    "touching": "1 or 0", "mission_done": "1 or 0", "tether_parted": "1 or 0", "leg": "counted from 0",
    "contact_with": "a structure's number, -1 the seabed, -3 a vehicle",
    **dict.fromkeys(("q0", "q1", "q2", "q3"), "-1 to 1"),
}  # fmt: skip


def tables() -> str:
    """Everything between the two marks of the page."""
    rows = "\n".join(f"| `{entry.key}` | {entry.summary} |" for entry in SCENARIOS.entries())
    parts = ["## The ready scenarios", f"| name | what happens |\n|---|---|\n{rows}"]
    parts += ["## Keys", "### Outside the tables", TOP, _table(Scenario, texts=PLAIN)]
    for title, spec in (
        ("[start]", Start), ("[control]", Control), ("[navigation]", Navigation), ("[[event]]", ScenarioEvent),
        ("[tether]", Tether), ("[end]", End), ("[output]", Output),
    ):  # fmt: skip
        parts += [f"### {title}", _prose(spec), _table(spec)]
    parts += ["### [[mission]]", f"`kind` chooses one of these. Every leg has:\n\n{_table(Leg)}"]
    for base, which in ((CourseLeg, "is steered by heading"), (PlaceLeg, "keeps a place")):
        kinds = ", ".join(f"`{kind}`" for kind, spec in LEGS.items() if issubclass(spec, base))
        parts += [f"Every leg that {which} has as well ({kinds}):", _table(base, _own(base, Leg))]
    for kind, spec in LEGS.items():
        parts += [_kind(kind, spec, next((base for base in (CourseLeg, PlaceLeg) if issubclass(spec, base)), Leg))]
    parts += ["### [[fault]]", f"`kind` chooses one of these. Every fault has:\n\n{_table(Fault)}"]
    parts += [_kind(kind, spec, Fault) for kind, spec in FAULTS.items()]
    names = "\n".join(f"| `{name}` | {_unit(name)} |" for name in NAMES)
    parts += ["## Names in conditions", f"| name | unit |\n|---|---|\n{names}"]
    return "\n\n".join(parts)


def _kind(kind: str, spec: type, base: type) -> str:
    own = _own(spec, base)
    text = f'**kind = "{kind}"**: {_prose(spec)}'
    return f"{text}\n\n{_table(spec, own)}" if own else text


def _own(spec: type, base: type) -> list[str]:
    known = {key.name for key in section_of(base).keys}
    return [key.name for key in section_of(spec).keys if key.name not in known]


def _prose(spec: type) -> str:
    return (inspect.getdoc(spec) or "").split("\n\n")[0].replace("\n", " ")


def _table(spec: type, only: list[str] | None = None, texts: Mapping[str, str] | None = None) -> str:
    texts, defaults = {**(texts or {}), **meanings(spec)}, {item.name: item for item in fields(spec)}
    known: dict[str, str] = {}
    hints = {key.name: key.hint for key in section_of(spec).keys}
    for name in defaults:  # in the order of the fields
        if name in COMMANDS:
            known[name] = "a table of numbers by name"
        elif name in hints and name not in HIDDEN:
            known[name] = annotation_text(hints[name])
    if spec is Tether:
        known = {"cable": "text in quotes", **known}
    rows = [
        f"| `{key}` | {text} | {_default(defaults[key])} | {texts.get(key, '')} |"
        for key, text in known.items()
        if only is None or key in only
    ]
    return "\n".join(["| key | value | if left out | meaning |", "|---|---|---|---|", *rows])


def meanings(spec: type) -> Mapping[str, str]:
    """What stands behind the fields of a description and of those it derives from, as a comment."""
    texts: dict[str, str] = {}
    for base in reversed(spec.__mro__[:-1]):
        source = textwrap.dedent(inspect.getsource(base))
        texts |= dict(re.findall(r"^    (\w+): [^\n#]*  # (?!type:|fmt:)([^\n]+)$", source, re.M))
    return {key: text.replace("|", "\\|") for key, text in texts.items()}


def _default(item: Any) -> str:
    value = item.default
    if value is MISSING:
        return "must be given" if item.default_factory is MISSING else ""
    if value is None or value == "" or value == ():
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return str(list(value))
    return f"{value:.9g}" if isinstance(value, float) else str(value)


def _unit(name: str) -> str:
    if name in NOT_NUMBERS:
        return NOT_NUMBERS[name]
    for ending, unit in (("_deg_s", "deg/s"), ("_m_s", "m/s"), ("_deg", "deg"), ("_kg", "kg"), ("_m", "m"), ("_s", "s"),
                         ("_N", "N")):  # fmt: skip
        if name.endswith(ending):
            return unit
    return "0 to 1"


def page(text: str) -> str:
    """The page with its tables made anew."""
    before, rest = text.split(START)
    return f"{before}{START}\n\n{tables()}\n\n{END}{rest.split(END)[1]}"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    print(PAGE)
