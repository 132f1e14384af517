"""A tag is released only if every version of the tree and the changelog agree with it."""

import importlib.util
import re
import shutil
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = ("pyproject.toml", "evidence/pyproject.toml", "CITATION.cff", "README.md", "CHANGELOG.md")


def script():
    spec = importlib.util.spec_from_file_location("check_release", ROOT / "scripts" / "check_release.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def tree(tmp_path):
    """The files that state a version, with a dated changelog."""
    for name in FILES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    log = tmp_path / "CHANGELOG.md"
    log.write_text(log.read_text(encoding="utf-8").replace("(unreleased)", "(2027-01-31)", 1), encoding="utf-8")
    return tmp_path


def test_every_version_of_this_tree_agrees():
    check = script()
    (version,) = set(check.versions().values())
    newest = check.sections((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    assert newest[0][0] == version
    assert all(date != "unreleased" for _, date, _ in newest[1:])
    headings = re.findall(r"^## .*$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert len(headings) == len(newest)  # no heading without version and date


def test_a_dated_tree_is_released_under_its_own_tag_only(tree):
    check = script()
    version = check.versions(tree)["pyproject.toml"]
    assert check.faults(f"v{version}", tree) == []
    assert len(check.faults("v99.0.0", tree)) == len(check.versions(tree)) + 1
    assert len(check.faults(version, tree)) == len(check.versions(tree)) + 1  # a tag begins with v


@pytest.mark.parametrize("name", FILES)
def test_one_file_with_another_version_is_a_fault(tree, name):
    check = script()
    version = check.versions(tree)["pyproject.toml"]
    path = tree / name
    path.write_text(path.read_text(encoding="utf-8").replace(version, "99.0.0"), encoding="utf-8")
    wrong = check.faults(f"v{version}", tree)
    assert wrong and all(text.startswith(name) and "99.0.0" in text for text in wrong)


def test_a_section_without_a_date_is_a_fault(tree):
    shutil.copy(ROOT / "CHANGELOG.md", tree / "CHANGELOG.md")
    path = tree / "CHANGELOG.md"
    path.write_text(re.sub(r"\(\d{4}-\d\d-\d\d\)", "(unreleased)", path.read_text(encoding="utf-8")), encoding="utf-8")
    check = script()
    (fault,) = check.faults("v" + check.versions(tree)["pyproject.toml"], tree)
    assert "has no date" in fault


def test_pre_commit_and_the_extra_dev_run_the_same_ruff():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    (pinned,) = (text.removeprefix("ruff==") for text in extras["dev"] if text.startswith("ruff"))
    config = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    assert re.findall(r"ruff-pre-commit\n +rev: v(\S+)", config) == [pinned]
