"""Write the tables of topics in docs/foxglove.md, from the code that fills them.

python scripts/ros_topics.py
"""

from __future__ import annotations

from pathlib import Path

from pelagos.links.ros.messages import full_name
from pelagos.links.ros.readings import KINDS, OTHER
from pelagos.links.ros.rosbridge.orders import COMMANDS, MODES, SERVICES
from pelagos.links.ros.topics import PER_VEHICLE, SHARED

PAGE = Path(__file__).parents[1] / "docs" / "foxglove.md"
START, END = "<!-- topics: made by scripts/ros_topics.py -->", "<!-- end of topics -->"


def tables() -> str:
    """Topics of the run, of a vehicle, of each kind of instrument; what can be asked over rosbridge."""
    lines = [
        "| topic | type | what |",
        "|---|---|---|",
        *(f"| `{topic.suffix}` | `{full_name(topic.type)}` | {topic.words} |" for topic in SHARED),
        *(f"| `/pelagos/VEHICLE{topic.suffix}` | `{full_name(topic.type)}` | {topic.words} |" for topic in PER_VEHICLE),
        "",
        "| instrument | topic behind `/pelagos/VEHICLE` | type | what |",
        "|---|---|---|---|",
    ]
    for name, kind in [*KINDS.items(), ("any other", OTHER)]:
        word = f"`{name}`" if name in KINDS else name
        lines += [f"| {word} | `/NAME{s.suffix}` | `{full_name(s.type)}` | {s.words} |" for s in kind.topics]
    lines += ["", "| rosbridge takes | type |", "|---|---|"]
    lines += [f"| topic `{name}` | `{full_name(kind)}` |" for name, kind in COMMANDS.items()]
    lines += [f"| service `{name}` | `{kind}` |" for name, kind in SERVICES.items()]
    lines += ["", "| mode | holds | and, where the vehicle can |", "|---|---|---|"]
    for mode, (needed, optional) in MODES.items():
        lines.append(f"| `{mode}` | {', '.join(needed) or '-'} | {', '.join(optional) or '-'} |")
    return "\n".join(lines)


if __name__ == "__main__":
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(START)
    PAGE.write_text(f"{before}{START}\n{tables()}\n{END}{rest.partition(END)[2]}", encoding="utf-8")
