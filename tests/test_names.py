"""Names: a public class name occurs once, and a variable is named by its content."""

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TREES = ("pelagos", "evidence/pelagos_evidence", "benchmarks")
MOST_ALLOWED = 12

# name -> why two classes may share it
ALLOWED: dict[str, str] = {}
# names that need the line before to be understood
VAGUE = {"found", "one", "said", "told"}
VAGUE_IN_PACKAGE = VAGUE | {"asked", "craft", "given", "look", "own", "seen", "truth", "wanted", "what"}
# "what" is a key of the rows' files, of errata.toml and of the JSON report
KEYS_OF_FILES = {"evidence/pelagos_evidence/claim.py": {"what"}, "evidence/pelagos_evidence/errata.py": {"what"}}


@cache
def syntax_tree(path):
    return ast.parse(path.read_text("utf-8"))


@cache
def shared_names():
    """Public classes, nested ones included, that more than one module defines, with their modules."""
    modules = defaultdict(set)
    for tree in TREES:
        for path in (ROOT / tree).rglob("*.py"):
            for node in ast.walk(syntax_tree(path)):
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    modules[node.name].add(str(path.relative_to(ROOT)))
    return {name: sorted(where) for name, where in modules.items() if len(where) > 1}


@pytest.mark.slow
def test_a_class_name_occurs_once():
    assert {name: modules for name, modules in shared_names().items() if name not in ALLOWED} == {}


@pytest.mark.slow
def test_the_exceptions_are_few_needed_and_explained():
    assert len(ALLOWED) <= MOST_ALLOWED
    assert set(ALLOWED) <= set(shared_names())
    assert all(ALLOWED.values())


def stored_names(tree):
    """Variables, parameters, functions and attributes that a module defines, with their lines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id if isinstance(node, ast.Name) else node.attr
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.lineno, node.name


@pytest.mark.slow
def test_a_variable_is_named_by_its_content():
    vague = []
    for tree in (*TREES, "examples", "scripts", "tests", "evidence/tests"):
        for path in sorted((ROOT / tree).rglob("*.py")):
            file = path.relative_to(ROOT).as_posix()
            avoided = (VAGUE_IN_PACKAGE if tree in TREES else VAGUE) - KEYS_OF_FILES.get(file, set())
            vague += [
                f"{file}:{line} {name}" for line, name in stored_names(syntax_tree(path)) if name.lstrip("_") in avoided
            ]
    assert vague == []


def test_a_variable_of_the_page_is_named_by_its_content():
    names = "|".join(sorted(VAGUE))
    defines = re.compile(rf"\b(?:const|let|function) (?:{names})\b|\b(?:{names})(?=\)? =>)")
    vague = [
        f"{path.relative_to(ROOT)}:{number} {line.strip()}"
        for folder in ("pelagos/console/static/js", "tests/console/js")
        for path in sorted((ROOT / folder).rglob("*.js"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if defines.search(line)
    ]
    assert vague == []
