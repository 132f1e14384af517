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
}

# test_X_part.py beside test_X.py -> why the two are not one file
APART = {
    "tests/links/dis/test_exercise_live.py": "too long together",
    "tests/links/dis/wire/test_pdu_tshark.py": "needs tshark",
    "tests/session/test_realtime_links.py": "too long together",
    "tests/session/test_realtime_runner.py": "too long together",
    "tests/vehicle/load/test_vehicle_errors.py": "too long together",
}

HOMES = {"pelagos": "tests", "benchmarks": "tests/benchmarks", "evidence/pelagos_evidence": "evidence/tests"}


def modules(longer_than=SHORT):
    for home in HOMES:
        for path in sorted((ROOT / home).rglob("*.py")):
            if len(path.read_text().splitlines()) > longer_than:
                yield path.relative_to(ROOT)


def named(module):
    return module.parent if module.name == "__init__.py" else module  # a package is tested beside its folder


def mirror_of(module):
    (home,) = (tree for tree in HOMES if module.is_relative_to(tree))
    return (Path(HOMES[home]) / named(module).relative_to(home)).with_name(f"test_{named(module).stem}.py")


def parts_of(module):
    """Further test files of a module, test_X_part.py beside test_X.py."""
    path = ROOT / mirror_of(module)
    siblings = {sibling.stem for sibling in (ROOT / named(module)).parent.iterdir()}  # test_X_part.py tests X_part.py
    return [part for part in path.parent.glob(f"{path.stem}_*.py") if part.stem.removeprefix("test_") not in siblings]


def test_every_module_has_its_test_file():
    missing = [str(module) for module in modules() if not (ROOT / mirror_of(module)).exists()]
    assert sorted(missing) == sorted(ELSEWHERE)


def test_a_second_test_file_of_a_module_has_a_reason():
    parts = {str(part.relative_to(ROOT)) for module in modules(0) for part in parts_of(module)}
    assert parts == set(APART)


def test_the_exceptions_name_files_that_exist():
    assert all((ROOT / name).exists() for files in ELSEWHERE.values() for name in files)


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
