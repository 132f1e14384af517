"""Write the tables of topics in docs/foxglove.md, from the code that fills them.

python scripts/ros_topics.py
"""

from __future__ import annotations

from pathlib import Path

from pelagos.links.ros.messages import full_name
from pelagos.links.ros.readings import KINDS, OTHER
from pelagos.links.ros.rosbridge.orders import MODES, SERVICES, STEERS
from pelagos.links.ros.topics import OWN, SHARED

PAGE = Path(__file__).parents[1] / "docs" / "foxglove.md"
START, END = "<!-- topics: made by scripts/ros_topics.py -->", "<!-- end of topics -->"


def tables() -> str:
    """Topics of the run, of a vehicle, of each kind of instrument; what can be asked over rosbridge."""
    told = [
        "| topic | type | what |",
        "|---|---|---|",
        *(f"| `{said.suffix}` | `{full_name(said.type)}` | {said.words} |" for said in SHARED),
        *(f"| `/pelagos/VEHICLE{said.suffix}` | `{full_name(said.type)}` | {said.words} |" for said in OWN),
        "",
        "| instrument | topic behind `/pelagos/VEHICLE` | type | what |",
        "|---|---|---|---|",
    ]
    for name, kind in [*KINDS.items(), ("any other", OTHER)]:
        word = f"`{name}`" if name in KINDS else name
        told += [f"| {word} | `/NAME{s.suffix}` | `{full_name(s.type)}` | {s.words} |" for s in kind.topics]
    told += ["", "| rosbridge takes | type |", "|---|---|"]
    told += [f"| topic `{name}` | `{full_name(kind)}` |" for name, kind in STEERS.items()]
    told += [f"| service `{name}` | `{kind}` |" for name, kind in SERVICES.items()]
    told += ["", "| mode | holds | and, where the vehicle can |", "|---|---|---|"]
    for mode, (needed, wished) in MODES.items():
        told.append(f"| `{mode}` | {', '.join(needed) or '-'} | {', '.join(wished) or '-'} |")
    return "\n".join(told)


if __name__ == "__main__":
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(START)
    PAGE.write_text(f"{before}{START}\n{tables()}\n{END}{rest.partition(END)[2]}", encoding="utf-8")
