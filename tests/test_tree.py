"""The tests mirror the tree: each module of some length has a test file of its own path and name."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MOST_MODULES = 15  # of a folder
SHORT = 40  # lines: below, a module is tested with what uses it

# module -> the files that cover it, and why it has no test file of its own name
ELSEWHERE = {
    "pelagos/__init__.py": ["tests/test_package.py"],  # a package has no module name to mirror
    "pelagos/engine/water/sea.py": [
        "tests/engine/core/test_views.py",
        "tests/world/test_writer.py",
    ],  # layouts and constants only
    "pelagos/engine/cable/rest.py": ["tests/tether/test_static.py", "tests/tether/test_settle.py"],  # whole cables
    "pelagos/engine/cable/status.py": [
        "tests/tether/test_failures.py",
        "tests/engine/cable/test_step.py",
    ],  # of whole cables
    "pelagos/control/base.py": ["tests/control/autopilot/test_autopilot.py"],  # a protocol and constants
}


HOMES = {"pelagos": "tests", "benchmarks": "tests/benchmarks", "evidence/pelagos_evidence": "evidence/tests"}


def modules():
    for home in HOMES:
        for path in sorted((ROOT / home).rglob("*.py")):
            if len(path.read_text().splitlines()) > SHORT:
                yield path.relative_to(ROOT)


def mirrors_of(module):
    (home,) = (tree for tree in HOMES if module.is_relative_to(tree))
    folder = (ROOT / HOMES[home] / module.relative_to(home)).parent
    if module.name == "__init__.py":
        return sorted(folder.parent.glob(f"test_{folder.name}.py"))
    tests = [*folder.glob(f"test_{module.stem}.py"), *folder.glob(f"test_{module.stem}_*.py")]
    neighbours = {path.stem for path in (ROOT / module).parent.glob("*.py")} - {module.stem}
    return [path for path in tests if path.stem.removeprefix("test_") not in neighbours]  # theirs, not ours


def test_every_module_has_its_test_file():
    missing = []
    for module in modules():
        if str(module) not in ELSEWHERE and not mirrors_of(module):
            missing.append(str(module))
    assert missing == []


def test_the_exceptions_are_needed_and_name_files_that_exist():
    module_names = {str(module) for module in modules()}
    for module, files in ELSEWHERE.items():
        assert module in module_names, f"{module} is no exception any more"
        assert all((ROOT / name).exists() for name in files)


def test_the_test_files_contain_tests():
    for path in [*(ROOT / "tests").rglob("test_*.py"), *(ROOT / "evidence/tests").rglob("test_*.py")]:
        text = path.read_text()
        assert "def test_" in text and ("assert" in text or "raises" in text), path.name


def test_the_map_of_the_architecture_names_every_package():
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    named = re.findall(r"^  ([a-z_]+)/", text.partition("```text\npelagos/\n")[2].partition("```")[0], re.M)
    assert sorted(named) == sorted(path.parent.name for path in (ROOT / "pelagos").glob("*/__init__.py"))


def test_no_folder_is_crowded():
    crowded = {}
    for pattern, roots in {"*.py": HOMES, "*.js": ["pelagos/console/static/js"]}.items():
        for root in roots:
            for folder in {path.parent for path in (ROOT / root).rglob(pattern)}:
                modules = [path for path in folder.glob(pattern) if not path.name.startswith("__")]
                if len(modules) > MOST_MODULES:
                    crowded[str(folder.relative_to(ROOT))] = len(modules)
    assert crowded == {}


@pytest.mark.slow
def test_the_package_reads_nothing_of_the_tests():
    for path in (ROOT / "pelagos").rglob("*.py"):
        strings = {node.value for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Constant)}
        paths = [text for text in strings if isinstance(text, str) and re.match(r"(\.\./)*tests(/\S*)?$", text)]
        assert paths == [], path
