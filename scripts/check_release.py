"""Compare a tag with the versions of the tree and with the changelog; print the changelog section of that version.

    python scripts/check_release.py v0.1.0

The release workflow runs it before it builds, and publishes what it prints as release notes. It exits with 1 and one
sentence per fault if a version differs from the tag or the newest changelog section has no date.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
HEADING = re.compile(r"^## (\S+) \((unreleased|\d{4}-\d\d-\d\d)\)$", re.M)


def versions(root: Path = ROOT) -> dict[str, str]:
    """The version that each file of the tree states."""
    ours, evidence = (
        tomllib.loads((root / name).read_text(encoding="utf-8"))["project"]
        for name in ("pyproject.toml", "evidence/pyproject.toml")
    )
    (pin,) = (re.fullmatch(r"pelagos\[.*\]==(\S+)", text) for text in evidence["dependencies"])
    cited = re.search(r"^version: (\S+)$", (root / "CITATION.cff").read_text(encoding="utf-8"), re.M)
    bibtex = re.search(r"^  version = \{(\S+)\},$", (root / "README.md").read_text(encoding="utf-8"), re.M)
    return {
        "pyproject.toml": ours["version"],
        "evidence/pyproject.toml": evidence["version"],
        "evidence/pyproject.toml, dependencies": pin[1] if pin else "no pinned pelagos",
        "CITATION.cff": cited[1] if cited else "none",
        "README.md, How to cite": bibtex[1] if bibtex else "none",
    }


def sections(changelog: str) -> list[tuple[str, str, str]]:
    """Version, date and text of every section, newest first."""
    parts = HEADING.split(changelog)[1:]
    return [(version, date, text.strip()) for version, date, text in zip(*[iter(parts)] * 3, strict=True)]


def faults(tag: str, root: Path = ROOT) -> list[str]:
    """What keeps this tree from being released under this tag, a sentence each."""
    stated = {f"{name}: version {version}" for name, version in versions(root).items() if f"v{version}" != tag}
    version, date, _ = sections((root / "CHANGELOG.md").read_text(encoding="utf-8"))[0]
    if f"v{version}" != tag:
        stated.add(f"CHANGELOG.md: newest section is {version}")
    wrong = [f"{text}, but the tag is {tag}" for text in sorted(stated)]
    if date == "unreleased":
        wrong.append(f"CHANGELOG.md: section {version} has no date: expected ## {version} (YYYY-MM-DD)")
    return wrong


def main(tag: str) -> int:
    """Print the notes of the release, or its faults."""
    wrong = faults(tag)
    if wrong:
        print(*wrong, sep="\n", file=sys.stderr)
        return 1
    print(sections((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))[0][2])
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python scripts/check_release.py TAG")
    sys.exit(main(sys.argv[1]))
