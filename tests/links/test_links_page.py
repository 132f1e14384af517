"""docs/links.md: its code runs, and its orders and fields are those of the program."""

import re
from pathlib import Path

import pytest

from pelagos.cli.link import LINK_EXAMPLES, add_link
from pelagos.cli.options import LINKS
from pelagos.session.links import LONGEST_S, MOST_LONG
from pelagos.session.orders.table import ORDERS, WITHOUT_PILOT

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "links.md").read_text(encoding="utf-8")


def test_the_code_of_the_page_runs(capsys):
    (code,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S)
    names = {}
    exec(compile(code, "links.md", "exec"), names)
    assert names["link"].deepest_m == pytest.approx(3.0, abs=0.3)  # m: it holds 3 m, with a little overshoot
    assert capsys.readouterr().out.startswith("session: bluerov2_heavy\nas deep as ")


def test_the_orders_of_the_page_are_those_of_the_program():
    table = PAGE.split("## Orders of links")[1].split("\n## ")[0]
    first = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    assert set(re.findall(r"`(\w+)`", " ".join(first))) == {"arm"} | {
        name for name, order in ORDERS.items() if order.role == "program"
    }
    without = PAGE.split("A session without a pilot takes")[1].split(".")[0]
    assert set(re.findall(r"`(\w+)`", without)) == set(WITHOUT_PILOT)


def test_every_link_has_its_page_and_its_words():
    for name in (*LINKS, "ardusub"):
        assert f"--{name}" in PAGE and f"--{name}" in LINK_EXAMPLES
    pages = set(re.findall(r"docs/([\w-]+\.md)", LINK_EXAMPLES))
    assert {"robot-link.md", "ardusub.md", "mavlink.md", "dis.md", "foxglove.md", "links.md"} == pages
    assert pages - {"links.md"} <= set(re.findall(r"\]\(([\w-]+\.md)\)", PAGE))


def test_the_words_of_the_page_exist():
    import argparse

    parser = argparse.ArgumentParser()
    add_link(lambda name, function, *rest: parser)
    known = {word for action in parser._actions for word in action.option_strings} | {"--record", "--help"}
    assert set(re.findall(r"(?<![\w-])(--[a-z][a-z-]+)", PAGE)) <= known


def test_the_limits_of_the_page_are_those_of_the_program():
    assert f"longer than {LONGEST_S:g} s, eight in a row" in PAGE and MOST_LONG == 8
