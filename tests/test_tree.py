"""The tests mirror the tree: each module of some length has a test file of its own path and name."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
SHORT = 40  # lines: below, a module is tested with what uses it

# module -> the files that cover it, and why not one of its own
ELSEWHERE = {
    "pelagos/__init__.py": ["tests/test_package.py"],  # a package has no module name to mirror
    "pelagos/engine/sea.py": ["tests/engine/test_views.py", "tests/world/test_writer.py"],  # layouts and constants only
    "pelagos/engine/chain_rest.py": ["tests/tether/test_static.py", "tests/tether/test_settle.py"],  # whole cables
    "pelagos/engine/chain_status.py": ["tests/tether/test_failures.py", "tests/engine/test_tow.py"],  # of whole cables
    "pelagos/control/base.py": ["tests/control/test_autopilot.py"],  # a protocol and constants
    "pelagos/batch/tether_rows.py": ["tests/batch/test_tethers.py"],  # one thing with tethers.py, cut for length
    "pelagos/batch/tether_step.py": ["tests/batch/test_tethers.py"],  # likewise
}


def modules():
    for path in sorted((ROOT / "pelagos").rglob("*.py")):
        if len(path.read_text().splitlines()) > SHORT:
            yield path.relative_to(ROOT)


def test_every_module_has_its_test_file():
    missing = []
    for module in modules():
        own = ROOT / "tests" / module.relative_to("pelagos").with_name(f"test_{module.name}")
        if str(module) not in ELSEWHERE and not own.exists():
            missing.append(str(module))
    assert missing == []


def test_the_exceptions_are_needed_and_name_files_that_exist():
    found = {str(module) for module in modules()}
    for module, files in ELSEWHERE.items():
        assert module in found, f"{module} is no exception any more"
        assert all((ROOT / name).exists() for name in files)


def test_the_test_files_contain_tests():
    for path in (ROOT / "tests").rglob("test_*.py"):
        text = path.read_text()
        assert "def test_" in text and ("assert" in text or "raises" in text), path.name
