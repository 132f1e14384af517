"""Names on the pages exist: vehicles, files, links, options, modules; their tables are correct; the citation."""

import argparse
import importlib
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from pelagos.cli.main import _parser
from pelagos.engine.core.motion import Forces
from tests.docs_text import FENCE, ROOT, blocks, code, pages, quoted, read

LIBRARY = {path.stem for path in (ROOT / "pelagos/vehicle/library").glob("*.toml")}
VARIANTS = {
    "dsrv_mss",
    "gavia_author",
    "phoenix_author",
    "phoenix_printed",
    "phoenix_published",
    "remus100_mss",
    "seagrant1_pump",
}
HISTORY = "CHANGELOG.md"  # names things as they were
OF_OTHERS = {"--board", "--master", "--out", "--sim-port-out", "--speedup"}  # options of waf, MAVProxy and ArduSub


# ---- nothing escapes the tests that read the pages -------------------------------------------------------------------


@pytest.mark.parametrize("page", pages())
def test_every_fence_is_seen_and_every_row_has_the_cells_of_its_table(page):
    text = read(page)
    assert len(re.findall(r"^[ \t>]*(?:```|~~~)", text, re.M)) == 2 * len(
        blocks(page)
    )  # none indented, none of another kind
    assert not re.search(r"<(?:pre|code)\b", text)
    cells = None
    for line in FENCE.sub("", text).splitlines():
        bars = len(re.findall(r"(?<!\\)\|", line)) if line.startswith("|") else None
        assert None in (cells, bars) or bars == cells, f"{page}: {line}"
        cells = bars


def options(built):
    """The options of a parser and of all its commands."""
    for action in built._actions:
        yield from action.option_strings
        if isinstance(action, argparse._SubParsersAction):
            for subparser in action.choices.values():
                yield from options(subparser)


def test_options_that_are_named_exist():
    known = {*options(_parser()), *OF_OTHERS}
    for page in pages():
        for text in quoted(page) if page != HISTORY else ():
            for option in re.findall(r"(?<![\w-])--[a-z][\w-]*", text):
                assert option in known, f"{page}: {text}"


def there(name):
    """Whether a dotted name can be imported, or is an attribute of something that can."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        try:
            target = importlib.import_module(".".join(parts[:count]))
        except ModuleNotFoundError:
            continue
        for part in parts[count:]:
            target = getattr(target, part, None)
        return target is not None
    return False


def test_modules_and_functions_that_are_named_exist():
    named = {(match[0], page) for page in pages() if page != HISTORY for text in quoted(page)
             if (match := re.match(r"pelagos(?:\.\w+)+", text))}  # fmt: skip
    assert len(named) > 15
    assert [name for name in sorted(named) if not there(name[0])] == []


# ---- vehicles, links, files ------------------------------------------------------------------------------------------


def test_the_fleet_table_names_every_vehicle_of_the_library():
    fleet = read("README.md").split("## The fleet")[1].split("\n```")[0]
    assert set(re.findall(r"^\| `.*?` \|", fleet, re.M))
    named = {name for row in re.findall(r"^\|(.*?)\|", fleet, re.M) for name in re.findall(r"`([a-z0-9_]+)`", row)}
    assert named == LIBRARY


@cache
def anchors(page):
    """The targets that headings of a page make, as GitHub spells them."""
    bare = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    headings = [
        re.sub(r"[^\w\- ]", "", line.lower()).replace(" ", "-") for line in re.findall(r"^#+ (.*)$", bare, re.M)
    ]
    return {*headings, *re.findall(r'<a (?:id|name)="([^"]+)"', bare)}


@pytest.mark.parametrize("page", pages())
def test_links_lead_somewhere(page):
    for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)]*))?\)", read(page)):
        if target.startswith("https://"):
            continue
        path = (ROOT / page).parent / target if target else ROOT / page
        assert path.exists(), f"{page}: {target}"
        assert not anchor or anchor in anchors(path), f"{page}: {target}#{anchor}"


def test_the_index_has_every_page_and_every_example():
    index = read("docs/README.md")
    linked = set(re.findall(r"\]\(([\w-]+\.md)", index))
    assert linked == {Path(page).name for page in pages() if page.startswith("docs/")} - {"README.md"}
    examples = set(re.findall(r"`(\w+\.py)`", index))
    assert examples == {path.name for path in (ROOT / "examples").glob("*.py")} - {"seabed.py"}  # a part of another


def test_paths_of_the_clone_that_are_named_exist():
    for page in pages():
        for text in quoted(page):
            if re.fullmatch(r"(pelagos|tests|examples|scripts|docs|web)/[\w/.-]+\.(py|toml|md|mjs|js|csv)", text):
                assert (ROOT / text).exists(), f"{page}: {text}"


def test_the_citation_file_has_what_the_format_asks_for():
    """Citation File Format 1.2.0: required keys, known keys, types; equal to pyproject.toml and the README."""
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    citation = dict(re.findall(r'^([a-z-]+): *"?(.*?)"?$', text, re.M))
    required = {"cff-version", "message", "title", "authors"}
    assert required <= citation.keys() <= required | {"type", "abstract", "version", "license", "keywords"}
    assert (citation["cff-version"], citation["type"]) == ("1.2.0", "software")
    assert re.search(r'^authors:\n  - name: "[^"]+"$', text, re.M)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert (citation["version"], citation["license"]) == (project["version"], project["license"])
    (bibtex,) = code("README.md", "bibtex")
    cited = dict(re.findall(r"(\w+) *= \{+(.*?)\}+,?$", bibtex, re.M))
    assert (cited["title"], cited["version"]) == (citation["title"], citation["version"])
    assert cited["author"] == project["authors"][0]["name"] and f'"{cited["author"]}"' in text


def test_the_numbers_that_pages_repeat_are_those_of_the_fleet():
    assert f"| {len(LIBRARY)}, of which {len(VARIANTS)} are variants |" in read("docs/comparison.md")
    assert VARIANTS < LIBRARY


def test_the_terms_of_the_theory_are_those_of_the_engine():
    terms = list(Forces._fields)
    assert re.findall(r"^\| `(\w+)` \|", read("docs/theory.md").split("## The twelve terms")[1], re.M) == terms
    assert len(terms) == 12
    sections = re.findall(r"^## (.+)$", read("docs/forces.md"), re.M)
    assert [name for section in sections for name in section.split(" and ")] == terms
    sums = [block.text for page in ("docs/forces.md", "docs/architecture.md") for block in blocks(page, "text")]
    sums = [text.partition("=")[2].split("+") for text in sums if text.startswith("(M_RB + M_A) nu_dot")]
    assert [[name.strip() for name in names] for names in sums] == [terms, terms]
