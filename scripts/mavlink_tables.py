"""Write the tables of docs/mavlink.md from the code: python scripts/mavlink_tables.py."""

from __future__ import annotations

import re
from pathlib import Path

from pelagos.links.mavlink import commands, guided, mission, modes, sticks
from pelagos.links.mavlink.parameters import REAL32, TABLE
from pelagos.links.mavlink.streams import STREAMS

PAGE = Path(__file__).parents[1] / "docs/mavlink.md"
ON_REQUEST = "on request"


def messages() -> str:
    """What is streamed, and at which rate at first."""
    rates = {parameter.name: parameter.value for parameter in TABLE}
    rows = ["| message | Hz at first | set by |", "|---|---|---|", "| `HEARTBEAT` | 1 | |"]
    for name, group in STREAMS.items():
        rows.append(f"| `{name}` | {rates[group]:g} | `{group}` |" if group else f"| `{name}` | {ON_REQUEST} | |")
    return "\n".join(rows)


def parameters() -> str:
    """All parameters; the buttons in two lines."""
    rows = ["| parameter | type | at first | from | to | meaning |", "|---|---|---|---|---|---|"]
    for parameter in TABLE:
        if parameter.name.startswith("BTN"):
            continue
        kind = "float" if parameter.kind == REAL32 else "int"
        fixed = " (fixed)" if parameter.fixed else ""
        limits = f"{parameter.value:g} | {parameter.low:g} | {parameter.high:g}"
        rows.append(f"| `{parameter.name}` | {kind} | {limits} | {parameter.words}{fixed} |")
    rows.append("| `BTN0_FUNCTION` to `BTN15_FUNCTION` | int | see [sticks](#sticks) | | | what a button does |")
    rows.append("| `BTN0_SFUNCTION` to `BTN15_SFUNCTION` | int | 0 | | | the same while a shift button is held |")
    return "\n".join(rows)


def usual_buttons() -> str:
    """What the buttons do at first."""
    return ", ".join(f"{button}: {function}" for button, function in sticks.USUAL_FUNCTIONS.items())


def docstring_table(module: object) -> str:
    """Return the first table in the docstring of a module."""
    table = re.search(r"(^\|.*\|\n)+", f"{module.__doc__}\n", re.MULTILINE)
    assert table is not None
    return table[0].rstrip()


def tables() -> dict[str, str]:
    """Every table by its name on the page."""
    return {
        "messages": messages(),
        "modes": docstring_table(modes),
        "parameters": parameters(),
        "functions": docstring_table(sticks),
        "buttons": usual_buttons(),
        "commands": docstring_table(commands),
        "items": docstring_table(mission),
        "targets": docstring_table(guided),
    }


def page(text: str) -> str:
    """The page with its tables made anew."""
    for name, table in tables().items():
        start, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        before, rest = text.split(start)
        text = f"{before}{start}\n{table}\n{end}{rest.split(end)[1]}"
    return text


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    print(PAGE)
