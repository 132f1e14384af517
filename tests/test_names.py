"""One noun, one thing: a public class name occurs once in the package, the evidence and the benchmarks."""

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
TREES = ("pelagos", "evidence/pelagos_evidence", "benchmarks")
MOST_ALLOWED = 12

# name -> why two classes may share it
ALLOWED: dict[str, str] = {}


@cache
def shared_names():
    """Public classes, nested ones included, that more than one module defines, with their modules."""
    modules = defaultdict(set)
    for tree in TREES:
        for path in (ROOT / tree).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    modules[node.name].add(str(path.relative_to(ROOT)))
    return {name: sorted(where) for name, where in modules.items() if len(where) > 1}


def test_a_class_name_occurs_once():
    assert {name: modules for name, modules in shared_names().items() if name not in ALLOWED} == {}


def test_the_exceptions_are_few_needed_and_explained():
    assert len(ALLOWED) <= MOST_ALLOWED
    assert set(ALLOWED) <= set(shared_names())
    assert all(ALLOWED.values())
