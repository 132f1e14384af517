"""Errors carry fields, their sentence is made from these, and no code reads meaning out of a sentence."""

import ast
import pickle
from pathlib import Path

import pytest

from pelagos import errors
from pelagos.errors import CommandError, DivergedError, MissingExtraError, PelagosError, ScenarioError, VehicleFileError

ROOT = Path(__file__).parent.parent
FOLDERS = ("pelagos", "evidence/pelagos_evidence", "benchmarks")
READ_BY = {"startswith", "endswith", "partition", "rpartition", "split", "rsplit", "splitlines", "removeprefix"}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
TEXT_FIELDS = ("key", "file", "expected", "suggestion")
SEARCHES = (ast.In, ast.NotIn)  # searches the right-hand side
READ_BY |= {"removesuffix", "find", "index", "count", "replace", "match", "search", "fullmatch", "findall", "sub"}
# Errors of other libraries that offer nothing but text:
ALLOWED = {
    "pelagos/errors.py": "foreign_text puts the text of any error on one line, to be shown",
}


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"file": "a.toml"}, "a.toml"),
        ({"file": "a.toml", "key": "body.mass_kg"}, "a.toml: body.mass_kg"),
        ({"file": "a.toml", "key": "k", "value": -1.0, "expected": "more"}, "a.toml: k = -1.0: expected more"),
        ({"file": "a.toml", "key": "k", "value": True, "message": "x"}, "a.toml: k = true: x"),
        ({"file": "a.toml", "key": "k", "value": ["u", 1]}, 'a.toml: k = ["u", 1]'),
        ({"file": "a.toml", "key": "k", "value": {"a": "b"}}, 'a.toml: k = {a = "b"}'),
        ({"file": "a.toml", "key": "k", "message": "unknown", "suggestion": "key"},
         'a.toml: k: unknown; did you mean "key"?'),
        ({"file": "a.toml", "message": "is empty", "expected": "a log"}, "a.toml: is empty; expected a log"),
        ({"key": "k", "value": None, "expected": "a number"}, "k is None; expected a number"),
        ({"key": "k", "value": 3.0, "message": "too much"}, "k is 3; too much"),
        ({"key": "k", "message": "is missing"}, "k: is missing"),
        ({"message": "there is no fin", "value": "x", "expected": "one of a, b"},
         "there is no fin 'x'; expected one of a, b"),
        ({"message": "the log is empty"}, "the log is empty"),
    ],
)  # fmt: skip
def test_the_sentence_is_made_from_the_fields(fields, sentence):
    error = VehicleFileError(**fields)
    assert str(error) == str(CommandError(**fields)) == sentence
    assert all(getattr(error, name) == value for name, value in fields.items())


def test_names_give_the_suggestion_and_what_was_expected():
    error = CommandError(key="integrator", value="rk5", names=["euler", "rk4"])
    assert (error.expected, error.suggestion) == ("one of euler, rk4", "rk4")
    assert str(error) == "integrator is 'rk5'; expected one of euler, rk4; did you mean \"rk4\"?"
    assert ScenarioError("unknown key", key="body.MAS_kg", names=["mass_kg"], misspelt="MAS_kg").suggestion == "mass_kg"
    assert CommandError(key="k", value="zzz", names=["mass_kg"]).suggestion == ""
    assert CommandError(key="k", value=5, names=["mass_kg"]).suggestion == ""
    assert CommandError("no such thing", value="a", names=()).expected == ""


def test_another_context_copies_the_fields():
    error = CommandError(key="depth_m", value=-1.0, expected="0 or more", suggestion="altitude_m")
    there = error.at(ScenarioError, file="a.toml", key="control.depth_m")
    assert type(there) is ScenarioError and type(error.at()) is CommandError
    assert (there.value, there.expected, there.suggestion) == (-1.0, "0 or more", "altitude_m")
    assert str(there) == 'a.toml: control.depth_m = -1.0: expected 0 or more; did you mean "altitude_m"?'
    assert error.file == "" and str(DivergedError(1.0, "x", {}).at(CommandError)).startswith("the motion diverged")


def test_long_values_are_cut():
    for value in (list(range(1000)), "x" * 1000, 10**5000, {"a": "b" * 1000}):
        for file in ("", "a.toml"):
            sentence = str(VehicleFileError(file=file, key="k", value=value))
            assert len(sentence) < 110 and "..." in sentence


def test_a_diverged_run_keeps_its_last_good_state():
    error = DivergedError(1.5, "thrusters", {"surge_m_s": 9.0})
    assert (error.time_s, error.largest_force, error.last_good) == (1.5, "thrusters", {"surge_m_s": 9.0})
    assert str(error) == (
        "the motion diverged at 1.500 s; the largest force was thrusters; last good state: surge_m_s = 9"
    )


def test_a_missing_package_says_how_to_install_it():
    assert str(MissingExtraError("capytaine", "a panel method", "bem")).endswith(
        'pip install ".[bem]" in the clone of Pelagos'
    )
    assert str(MissingExtraError("capytaine", "a panel method")).endswith("pip install capytaine")


def test_every_error_is_one_that_the_command_line_catches():
    classes = [item for item in vars(errors).values() if isinstance(item, type) and issubclass(item, Exception)]
    assert len(classes) > 4
    assert all(issubclass(item, PelagosError) for item in classes)


def test_line_breaks_and_terminal_escapes_are_shown_escaped():
    sentence = str(ScenarioError(file="a\x1b[2J.toml", key="k\n", value="x\r\x07\u202e", expected="text"))
    assert sentence == r'a\x1b[2J.toml: k\n = "x\r\x07\u202e": expected text'
    assert str(PelagosError("a\nb")) == r"a\nb"
    assert len(str(PelagosError("x" * 10_000))) == 2000


def test_errors_cross_a_pipe_with_their_fields():
    made = (MissingExtraError("a", "b", "c"), DivergedError(1.0, "x", {"u": 2.0}), ScenarioError(file="a", key="b"))
    for error in made:
        back = pickle.loads(pickle.dumps(error))
        assert (type(back), str(back), vars(back)) == (type(error), str(error), vars(error))


def is_text_of(node: ast.AST, caught: set[str], texts: set[str], fields: bool = False) -> bool:
    """Whether an expression is the text of a caught error: str(error), f"{error}", error.args, a name of one.

    With `fields` also error.key and other fields that hold text: they may be compared, but not taken apart.
    """
    if isinstance(node, ast.Name):
        return node.id in texts
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("str", "repr"):
        return any(isinstance(item, ast.Name) and item.id in caught for item in node.args)
    if isinstance(node, ast.FormattedValue):
        return isinstance(node.value, ast.Name) and node.value.id in caught
    if isinstance(node, ast.JoinedStr):
        return any(is_text_of(item, caught, texts, fields) for item in node.values)
    if isinstance(node, ast.Attribute) and node.attr in ("args", "message", "msg"):
        return isinstance(node.value, ast.Name) and node.value.id in caught
    if fields and isinstance(node, ast.Attribute) and node.attr in TEXT_FIELDS:
        return isinstance(node.value, ast.Name) and node.value.id in caught
    if isinstance(node, ast.Subscript):
        return is_text_of(node.value, caught, texts, fields)
    if isinstance(node, ast.BoolOp):
        return any(is_text_of(item, caught, texts, fields) for item in node.values)
    return False


def readings(source: str) -> list[int]:
    """Lines that read meaning out of the text of a caught error."""
    lines: list[int] = []
    tree = ast.parse(source)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    top = ast.Module([node for node in tree.body if not isinstance(node, FUNCTIONS)], [])
    for scope in (top, *functions):
        nodes = list(ast.walk(scope))
        caught = {node.name for node in nodes if isinstance(node, ast.ExceptHandler) and node.name}
        if not isinstance(scope, ast.Module):  # a helper that is given the error
            arguments = [*scope.args.args, *scope.args.kwonlyargs]
            hints = {argument.arg: ast.unparse(argument.annotation) for argument in arguments if argument.annotation}
            caught |= {name for name, hint in hints.items() if "Error" in hint or "Exception" in hint}
        texts, of_fields = (
            {
                target.id
                for node in nodes
                if isinstance(node, ast.Assign) and not isinstance(node.value, ast.JoinedStr)
                for target in node.targets
                if isinstance(target, ast.Name) and is_text_of(node.value, caught, set(), fields)
            }
            for fields in (False, True)
        )
        for node in nodes:
            parts: list[ast.expr] = []  # that must not be the text of an error
            inner: list[ast.expr] = []  # nor one of its fields
            if isinstance(node, ast.Compare):
                parts = [node.left, *node.comparators]
                inner = [
                    part for part, how in zip(node.comparators, node.ops, strict=True) if isinstance(how, SEARCHES)
                ]
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in READ_BY:
                parts = inner = [node.func.value, *node.args]
            if any(is_text_of(part, caught, texts) for part in parts) or any(
                is_text_of(part, caught, of_fields, fields=True) for part in inner
            ):
                lines.append(node.lineno)
    return sorted(set(lines))


@pytest.mark.parametrize(
    "line",
    [
        'if str(error).startswith("--set"): pass',
        'if "no such" in str(error): pass',
        'if error.args[0] == "x": pass',
        'key = str(error).partition("; ")[2]',
        're.search("x", str(error))',
        'text = str(error)\n    if "x" in text: pass',
        'if f"{error}" != "": pass',
        'name = error.key.removeprefix("setpoint ")',
        'if error.file.endswith(".toml"): pass',
        'if "one of" in error.expected: pass',
        'name = error.key.split(".")[-1]',
        're.split("x", error.key)',
        'key = error.key\n    if key.startswith("x"): pass',
        "if name.endswith(error.key): pass",
    ],
)
def test_the_search_finds_a_reading(line):
    assert readings(f"try:\n    pass\nexcept ValueError as error:\n    {line}\n")


def test_text_that_is_only_shown_is_allowed():
    shown = 'print(str(error))\n    raise OSError(f"it failed: {error}") from None'
    assert not readings(f"try:\n    pass\nexcept ValueError as error:\n    {shown}\n")
    assert not readings("try:\n    pass\nexcept OSError as error:\n    if error.errno == 5: pass\n")
    field = 'if error.key == "depth_m" or error.file in ("a", "b"): pass'
    assert not readings(f"try:\n    pass\nexcept ValueError as error:\n    {field}\n")


@pytest.mark.slow
def test_no_code_reads_meaning_out_of_a_message():
    read = {
        str(path.relative_to(ROOT)): lines
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
        if (lines := readings(path.read_text(encoding="utf-8")))
    }
    assert {name: lines for name, lines in read.items() if name not in ALLOWED} == {}
    assert set(read) == set(ALLOWED), "every exception of the list is still needed"
    assert all(len(lines) == 1 for lines in read.values())
