"""docs/console.md agrees with the code: options, keys and examples."""

import argparse
import re
import subprocess
from pathlib import Path

import pytest

from pelagos.cli.fly import add_fly
from pelagos.session.orders.table import OF_PAGES
from pelagos.session.realtime import COLUMNS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/console.md").read_text(encoding="utf-8")


def test_the_options_of_the_page_are_those_of_the_command():
    parser = argparse.ArgumentParser()
    add_fly(lambda name, function, *rest: parser)
    known = {word for action in parser._actions for word in action.option_strings if word.startswith("--")}
    table = PAGE.split("## Options")[1].split("\n## ")[0]
    assert set(re.findall(r"--[a-z][a-z-]*", table)) == known - {"--help"}


def test_the_keys_of_the_page_are_those_of_the_console():
    """After a change: node scripts/console_keys.mjs, between the two marks."""
    made = subprocess.run(["node", str(ROOT / "scripts/console_keys.mjs")], capture_output=True, text=True, check=True)
    keys = re.search(r"<!-- keys: .*? -->\n(.*?)<!-- end of keys -->", PAGE, re.S)
    assert keys is not None and keys[1] == made.stdout


def test_columns_and_orders_of_the_page_exist():
    protocol = PAGE.split("## Protocol")[1]
    assert all(f"`{name}`" in protocol for name in COLUMNS)
    row = next(line for line in protocol.splitlines() if line.startswith("| `order`"))
    assert set(re.findall(r"`([a-z_]+)`", row)) - {"order"} <= set(OF_PAGES)


@pytest.mark.slow
def test_the_code_of_the_page_runs(capsys):
    (code,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S)
    names = {}
    exec(compile(code, "docs/console.md", "exec"), names)
    assert names["depth_m"][-1] > names["depth_m"][0]
    assert re.fullmatch(r"it sank by \d\.\d\d m\n", capsys.readouterr().out)
