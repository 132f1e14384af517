"""The four walks of docs/architecture.md: their paths are called as listed, and each goes through the rings once."""

import json
import os
import re
import subprocess
import sys
import tomllib
from itertools import groupby, pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
CONTRACT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"][0]
RINGS = {name.strip(): k for k, ring in enumerate(CONTRACT["layers"]) for name in re.split(r"[|:]", ring)}
# Title on the page: name in walk_probe, and whether the kernel runs as plain Python, into which the tracer sees. The
# others tune an autopilot first, which takes a minute without compiled code.
WALKS = {
    "Stick to screen": ("stick", False),
    "TOML key to force": ("key", True),
    "pelagos run to log": ("run", False),
    "Gymnasium step": ("step", True),
}


def paths(title):
    """The paths of a walk: the functions of each, and whether it goes out."""
    section = PAGE.split(f"\n### {title}\n")[1].split("\n#")[0]
    items = re.findall(r"^- (.*(?:\n  .*)*)", section, re.M)
    return [(re.findall(r"`([\w.]+)`", item), item.startswith("out:")) for item in items]


def test_the_page_has_all_walks():
    assert re.findall(r"^### (.*)", PAGE.split("## Four walks")[1].split("\n## ")[0], re.M) == list(WALKS)
    assert all(len(functions) > 1 for title in WALKS for functions, _ in paths(title))


@pytest.mark.parametrize("title", WALKS)
def test_a_path_passes_each_package_once_in_the_order_of_the_rings(title):
    for functions, out in paths(title):
        packages = [name for name, _ in groupby(function.split(".")[0] for function in functions)]
        rings = [RINGS[package] for package in packages]
        assert all(a > b if out else a < b for a, b in pairwise(rings)), packages


@pytest.mark.slow
@pytest.mark.parametrize("title", WALKS)
def test_a_walk_goes_where_the_page_says(title, tmp_path):
    name, plain_python = WALKS[title]
    environment = os.environ | {"PYTHONPATH": str(ROOT)} | ({"NUMBA_DISABLE_JIT": "1"} if plain_python else {})
    command = [sys.executable, str(ROOT / "tests" / "walk_probe.py"), name, str(tmp_path / "chains")]
    subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True, timeout=900)
    chains = [json.loads(line) for line in (tmp_path / "chains").read_text(encoding="utf-8").splitlines()]
    missing = [path for path, _ in paths(title) if not any(is_part(path, chain) for chain in chains)]
    assert not missing


def is_part(path, chain):
    """Whether the functions of a path occur in this order in a chain of calls."""
    rest = iter(chain)
    return all(function in rest for function in path)
