"""Claims as rows of a TOML file: the file holds the claims of a document, Python adds only computed values.

A module `equations.py` has its rows beside it in `equations.toml`, one table a claim:

    [claim.drag]
    kind = "number"                  # a function of `claim`, or of the module: it makes the `Claim`
    place = "equation 6.2"           # the other keys are those of `Row` and the arguments of that function
    what = "drag at {speed:g} m/s"   # a text may have fields for computed values; {speed:q} is `quantity(speed)`
    published = 1.25
    ...
    errata = ["B1"]                  # errata, code, tests and figures make its `Proof`

The module computes a mapping from the key of each claim to its values, and `Rows.claims` joins the two. The values of a
claim are a dictionary of arguments that the row leaves open and of fields of its texts, or the one open argument alone.
A row whose name has a field in braces, [claim."drag-{hull}"], serves every key of that form, and its texts may use the
field. The texts of a `threshold` may use its limits: tolerance = "more than {above:g} N m". `[default]` has keys that
hold for each row without them, `[text]` texts that rows share.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import cached_property
from pathlib import Path
from string import Formatter
from typing import Any, get_type_hints

import numpy as np
from numpy.typing import NDArray

from pelagos.checks import Context, annotated
from pelagos.errors import FileError
from pelagos.files.source import read_toml
from pelagos_evidence.claim import (
    Claim,
    Proof,
    Row,
    agreed,
    bound,
    contested,
    no_data,
    number,
    quantity,
    statement,
    threshold,
)

Array = NDArray[np.float64]
Values = dict[str, Any]  # key of a claim -> what is computed for it
Kind = Callable[..., Claim]
KINDS: tuple[Kind, ...] = (number, bound, statement, threshold, contested, no_data, agreed)
PROOF = tuple(field.name for field in fields(Proof))
MADE = ("row", "key", "proof", "return")  # not keys of a row
TABLES = ("default", "text", "claim")
LIMITS = ("above", "below", "least", "most")  # of a threshold: its texts may use them


class _Template(Formatter):
    """Texts with fields; {x:q} writes a number as `quantity` does, and a list has commas between its items."""

    def format_field(self, value: Any, format_spec: str) -> str:
        """One field by its format."""
        if isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim):
            return ", ".join(self.format_field(item, format_spec) for item in value)
        return quantity(float(value)) if format_spec == "q" else super().format_field(value, format_spec)


TEMPLATE = _Template()


class _Names(dict[str, Any]):
    """Values by name for the texts of a row; a shared text may have fields of its own. Remembers which were used."""

    def __init__(self, texts: Mapping[str, str], values: Values) -> None:
        super().__init__(values)
        self.texts = texts
        self.used: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self.used.add(name)
        if name in self or name not in self.texts:
            return super().__getitem__(name)
        return TEMPLATE.vformat(self.texts[name], (), self)


def _required(function: Callable[..., Any]) -> dict[str, bool]:
    """Arguments of `Row` or of a kind of claim, and whether each is required."""
    parameters = inspect.signature(function).parameters.items()
    return {name: parameter.default is parameter.empty for name, parameter in parameters if name not in MADE}


class Rows:
    """The rows of one TOML file.

    Args:
        module: file of the module that computes their values; the rows are in the TOML file of the same name.
        kinds: functions that make claims of this file, besides those of `claim`.
        shared: values that every text may use.
    """

    def __init__(self, module: str, kinds: Sequence[Kind] = (), **shared: Any) -> None:
        self.path = Path(module).with_suffix(".toml")
        self.kinds = {kind.__name__: kind for kind in (*KINDS, *kinds)}
        self.shared = shared
        self.texts: dict[str, str] = {}

    @cached_property
    def rows(self) -> dict[str, dict[str, Any]]:
        """The rows by name, read and checked once."""
        tables = read_toml(self.path, FileError)
        for name in tables:
            if name not in TABLES:
                raise self.error(name, "no such table", names=TABLES, misspelt=name)
        self.texts = tables.get("text", {})
        return {
            name: self._checked(name, tables.get("default", {}), row) for name, row in tables.get("claim", {}).items()
        }

    def claims(self, values: Values) -> tuple[Claim, ...]:
        """Every claim of the file, in the order of the values; each row needs a value and each value a row."""
        claims = tuple(self.claim(key, computed) for key, computed in values.items())
        used = {self._row_of(key)[0] for key in values}
        for name in self.rows:
            if name not in used:
                raise self.error(name, "no value is computed for this row")
        return claims

    def claim(self, key: str, computed: Any) -> Claim:
        """One claim: its row and what is computed for it."""
        name, captured = self._row_of(key)
        row = self.rows[name]
        kind = self.kinds[row["kind"]]
        common = _required(Row)
        required = common | _required(kind)
        values = computed if isinstance(computed, Mapping) else {self._open(name, required): computed}
        limits = {name: row[name] for name in LIMITS if name in row}
        names = _Names(self.texts, {**self.shared, **limits, **captured, **values})
        arguments = {
            argument: self._filled(name, argument, value, names)
            for argument, value in row.items()
            if argument in required
        }
        for argument, value in values.items():
            if argument in required:
                arguments[argument] = value
            elif argument not in names.used and argument not in PROOF:
                raise self.error(f"{key}.{argument}", "computed, but neither an argument nor in a text")
        for argument in required:
            if required[argument] and argument not in arguments:
                raise self.error(f"{key}.{argument}", "neither the row nor its values have it")
        proof = Proof(**{part: tuple(values.get(part, row.get(part, ()))) for part in PROOF})
        filled = {argument: arguments.pop(argument) for argument in common if argument in arguments}
        return kind(Row(key, proof=proof, **filled), **arguments)

    def _checked(self, name: str, default: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
        word = row.get("kind", default.get("kind"))
        if word not in self.kinds:
            raise self.error(f"{name}.kind", value=word, names=self.kinds)
        hints = get_type_hints(Row) | get_type_hints(self.kinds[word])
        hints = {argument: hint for argument, hint in hints.items() if argument not in MADE}
        hints |= dict.fromkeys(PROOF, tuple[str, ...]) | {"kind": str}
        for key, value in row.items():
            if key not in hints:
                raise self.error(f"{name}.{key}", "no such key", names=hints, misspelt=key)
            if key != "numbers" and not isinstance(value, dict):
                annotated(f"claim {name}.{key}", value, hints[key], context=Context(FileError, self.path.name))
        return {key: value for key, value in default.items() if key in hints} | row

    def _row_of(self, key: str) -> tuple[str, dict[str, str]]:
        """Name of the row that serves a key, and the fields of that name."""
        if key in self.rows:
            return key, {}
        for name in sorted(self.rows, key=len, reverse=True):  # the most specific form first
            if "{" in name:
                pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>[a-z0-9-]+)", re.escape(name))
                match = re.fullmatch(pattern, key)
                if match:
                    return name, match.groupdict()
        raise self.error(key, "no row of this name", names=self.rows, misspelt=key)

    def _open(self, name: str, required: Mapping[str, bool]) -> str:
        """Name of the only argument that a row leaves to be computed."""
        left = [argument for argument in required if required[argument] and argument not in self.rows[name]]
        if len(left) != 1:
            raise self.error(name, expected=f"values by name, for {', '.join(left) or 'texts alone'}")
        return left[0]

    def _filled(self, name: str, argument: str, value: Any, names: _Names) -> Any:
        """The argument with its fields filled; `numbers` names values, by their own or other names."""
        try:
            if argument == "numbers":
                named = value if isinstance(value, dict) else {word: word for word in value}
                numbers = {word: TEMPLATE.get_field(source, (), names)[0] if isinstance(source, str) else source
                           for word, source in named.items()}  # fmt: skip
                return {word: float(number) for word, number in numbers.items()}
            return TEMPLATE.vformat(value, (), names) if isinstance(value, str) else value
        except (KeyError, AttributeError, IndexError, ValueError) as problem:
            raise self.error(f"{name}.{argument}", f"a field has no value ({problem})", value=value) from None

    def error(self, key: str, message: str = "", **fields: Any) -> FileError:
        """The error about a mistake in the file."""
        return FileError(message, file=self.path.name, key=f"claim {key}", **fields)
