"""Write the tables of docs/learning.md from the tasks.

python scripts/learning_tables.py
"""

from __future__ import annotations

from pathlib import Path

from pelagos.learn.tables import field_table, task_table

PAGE = Path(__file__).parents[1] / "docs" / "learning.md"


def main() -> None:
    """Each table from its head to the next empty line."""
    lines = PAGE.read_text().splitlines()
    for table in (task_table(), field_table()):
        first = lines.index(table[0])
        last = next((k for k in range(first, len(lines)) if not lines[k].startswith("|")), len(lines))
        lines[first:last] = table
    PAGE.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
