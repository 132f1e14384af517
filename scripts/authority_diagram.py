"""Print the state diagram of control authority for docs/architecture.md, made from the transitions of the program.

    python scripts/authority_diagram.py

A test compares the page with it.
"""

from __future__ import annotations

from pelagos.session.authority import AT_REST, TRANSITIONS, Signal


def diagram() -> str:
    """The diagram as Mermaid text."""
    lines = ["stateDiagram-v2", "    [*] --> waiting", "    [*] --> mission", "    [*] --> program"]
    for state, row in TRANSITIONS.items():
        lines += [f"    {state.value} --> {after.value}: {signal.value}" for signal, after in row.items()]
    lines += [f"    {state.value} --> [H]: {Signal.ARM.value}" for state in AT_REST]
    return "\n".join(lines)


if __name__ == "__main__":
    print(diagram())
