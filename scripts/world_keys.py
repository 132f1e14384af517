"""Write the tables of keys and of library worlds in docs/world-files.md, from the descriptions themselves.

python scripts/world_keys.py
"""

from __future__ import annotations

import inspect
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

from pelagos.checks import annotation_text
from pelagos.files.library import list_worlds
from pelagos.files.schema import Section
from pelagos.world.load import WORLD

PAGE = Path(__file__).parents[1] / "docs" / "world-files.md"
START, END = "<!-- keys: made by scripts/world_keys.py -->", "<!-- end of keys -->"

TOP = """```text
name, summary          for lists and figures; the name is that of the file if left out
depth_m                of the water: a flat bottom there unless [seabed] says more, and what waves feel
surface                false: water without end above as well, every vehicle fully wet
density_kg_m3          of the water without a table [water], growing by density_gradient_kg_m4 with each metre of depth;
                       left out: the density that the vehicle's numbers hold for, and so with gravity_m_s2
current_m_s            a uniform current towards current_to_deg, without a table [[current]]; they add up
visibility_m           how far a black thing is seen against the water, where its contrast is down to 2 %: light fades
                       as exp(-3.9 r / visibility). For pictures only, as is water_colour: blue, turquoise, green,
                       brown, clear, or three numbers from 0 to 1
origin_lat_deg         where north = east = 0 lies on the earth, with origin_lon_deg: for files in degrees
sources                a list of texts; each source and note of a table is added to it
```"""


def tables() -> str:
    """Everything between the two marks of the page."""
    parts = ["### Outside the tables", TOP, _table(WORLD)]
    for name, section in WORLD.tables.items():
        title = f"[[{name}]]" if section.many else f"[{name}]"
        if section.kinds:
            parts += [f"### {title}\n\n`kind` chooses one of these."]
            for kind, inner in section.kinds.items():
                parts += [f'**kind = "{kind}"**: {_prose(inner.spec)}', _table(inner)]
        else:
            parts += [f"### {title}", _prose(section.spec), _table(section)]
    rows = "\n".join(f"| `{entry.key}` | {entry.summary} |" for entry in list_worlds())
    parts += ["## The worlds that come with Pelagos", f"| name | what is there |\n|---|---|\n{rows}"]
    return "\n\n".join(parts)


def _prose(spec: type | None) -> str:
    """The docstring; lines in columns are kept as they are."""
    text = inspect.getdoc(spec) or ""
    blocks = [part for part in text.split("\n\n") if part.strip()]
    return "\n\n".join(f"```text\n{part}\n```" if _is_table(part) else part for part in blocks)


def _is_table(block: str) -> bool:
    lines = block.splitlines()
    return sum("  " in line.strip() for line in lines) > len(lines) / 2


def _table(section: Section) -> str:
    defaults = {item.name: item.default for item in fields(section.spec)}
    rows = [
        f"| `{key.name}` | {annotation_text(key.hint)} | {_default(defaults[key.name])} |"
        for key in section.keys
        if key.name != "kind" or section in WORLD.tables.values()
    ]
    return "\n".join(["| key | value | if left out |", "|---|---|---|", *rows])


def _default(value: Any) -> str:
    if value is MISSING:
        return "must be given"
    if value is None or value == "" or value == ():
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.9g}" if isinstance(value, float) else str(value)


def page(text: str) -> str:
    """The page with its tables made anew."""
    before, rest = text.split(START)
    return f"{before}{START}\n\n{tables()}\n\n{END}{rest.split(END)[1]}"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    print(PAGE)
