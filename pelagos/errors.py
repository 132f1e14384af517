"""Errors that a user can cause, with fields for programs and a sentence for people.

Every such error derives from `PelagosError`. Code that raises an error passes fields (`file`, `key`, `value`,
`expected`, `names`), code that catches it reads fields, and `str(error)` composes the sentence:

    rov.toml: thrusters[2].direction = [0, 0, 0]: expected a direction other than zero
    rov.toml: thruster: unknown key; did you mean "thrusters"?
    integrator is 'rk5'; expected one of euler, heun, rk4; did you mean "rk4"?

The command line prints that sentence and nothing else.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any, Self, TypeVar, cast, overload

LONGEST_WORD = 200  # letters compared with valid names: the time of the comparison grows with the square
LONGEST_SENTENCE = 2000
REPLACED = {  # keys and names in files: old, new
    "surface": "free_surface",
    "surfaces": "control_surfaces",
    "trim": "ballast",
    "what": "quantity",
    "afloat": "floating_state",
}

E = TypeVar("E", bound="PelagosError")


class _Absent:
    """The value of an error that has none; None is a value."""

    def __reduce__(self) -> str:
        return "ABSENT"  # pickle returns the one object of this name


ABSENT: Any = _Absent()


class PelagosError(Exception):
    """Base class of all errors that a user can cause.

    - `message`: a fact that needs no value ("is missing", "the log is empty")
    - `file`: the file, or the description ("world", "sensor"), that holds the key
    - `key`, `value`: which setting, and what it is
    - `expected`: what it could be, as it follows the word "expected"
    - `suggestion`: the valid name that was probably meant

    `names` are the valid names: the one nearest to `misspelt` (default: the value) becomes the suggestion, and all of
    them are what was expected if neither `message` nor `expected` is given.
    """

    log: object = None  # samples up to the error, if the run is recorded

    def __init__(
        self,
        message: str = "",
        *,
        file: str | os.PathLike[str] = "",
        key: str = "",
        value: object = ABSENT,
        expected: str = "",
        suggestion: str = "",
        names: Iterable[str] = (),
        misspelt: object = ABSENT,
    ) -> None:
        valid = tuple(names)
        self.message = message
        self.file = os.fspath(file)
        self.key = key
        self.value = value
        self.expected = expected or ("" if message or not valid else one_of(valid))
        self.suggestion = suggestion or _nearest(value if misspelt is ABSENT else misspelt, valid)
        super().__init__(message)

    def __str__(self) -> str:
        text = escaped(self._sentence())
        half = LONGEST_SENTENCE // 2  # keep both ends: file and key come first, the expected value last
        return text if len(text) <= LONGEST_SENTENCE else f"{text[: half - 3]}...{text[-half:]}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the fields, because the constructors of the subclasses take different arguments."""
        return _from_fields, (type(self), vars(self))

    @overload
    def at(self, kind: None = None, **changes: Any) -> Self: ...
    @overload
    def at(self, kind: type[E], **changes: Any) -> E: ...
    def at(self, kind: Any = None, **changes: Any) -> Any:
        """Return a copy of this error with other fields, and of another class if `kind` is set."""
        if "file" in changes:
            changes["file"] = os.fspath(changes["file"])
        return _from_fields(kind or type(self), vars(self) | changes)

    def _sentence(self) -> str:
        has_value = self.value is not ABSENT
        claims = self.message
        subject = self.key
        if has_value and self.file and self.key:
            subject = f"{self.key} = {_show_as_toml(self.value)}"
        elif has_value and self.key:
            subject = f"{self.key} is {shown(self.value)}"
        elif has_value:
            claims = f"{self.message} {_show_as_toml(self.value) if self.file else shown(self.value)}".strip()
        head = ": ".join(part for part in (self.file, subject) if part)
        hint = f'did you mean "{self.suggestion}"?' if self.suggestion else ""
        expected = f"expected {self.expected}" if self.expected else ""
        tail = "; ".join(part for part in (claims, expected, hint) if part)
        between = "; " if has_value and self.key and not self.file else ": "
        return between.join(part for part in (head, tail) if part)


class FileError(PelagosError):
    """A file that cannot be used."""


class VehicleFileError(FileError):
    """A vehicle file, or a request for one, that cannot be used."""


class UnknownVehicleError(VehicleFileError):
    """A name that belongs to no library vehicle and no vehicle file."""


class ScenarioError(PelagosError):
    """A scenario or world file, or a description in one, that cannot be used."""


class CommandError(PelagosError):
    """A command, an option or an argument that the vehicle or the program cannot follow."""


class MessageError(PelagosError):
    """A message that breaks the rules of its link; the receiver ignores the whole message."""


class DivergedError(PelagosError):
    """The motion left the range of finite numbers.

    `last_good` holds the last state that was still finite, by column name.
    """

    def __init__(self, time_s: float, largest_force: str, last_good: dict[str, float]) -> None:
        self.time_s = time_s
        self.largest_force = largest_force
        self.last_good = last_good
        state = ", ".join(f"{name} = {value:.4g}" for name, value in last_good.items())
        message = f"the motion diverged at {time_s:.3f} s; the largest force was {largest_force}"
        super().__init__(f"{message}; last good state: {state}" if state else message)


class MissingExtraError(PelagosError):
    """A feature needs an optional package that is not installed."""

    def __init__(self, package: str, feature: str, extra: str = "") -> None:
        self.package = package
        self.feature = feature
        self.extra = extra
        install = f'pip install ".[{extra}]" in the clone of Pelagos' if extra else f"pip install {package}"
        super().__init__(f"{feature} needs the package {package}; install it with {install}")


def escaped(text: str) -> str:
    r"""Return the text on one line; line breaks, terminal escapes and other invisible characters as `\n`, `\x1b`."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def shown(value: object) -> str:
    """Return a Python value as one line of readable length; a float in as few digits as identify it."""
    if isinstance(value, float):
        short = f"{value:g}"
        text = short if float(short) == value or math.isnan(value) else repr(float(value))
    elif isinstance(value, int):
        text = _decimal(value)
    else:
        text = " ".join(repr(value).split())
    return text if len(text) <= 80 else text[:77] + "..."


def foreign_text(problem: BaseException) -> str:
    """Return the text of an error of Python or of another library on one line, to be quoted in a sentence."""
    if isinstance(problem, OSError) and (problem.errno or 0) > 0:
        return os.strerror(cast(int, problem.errno))
    text = " ".join((getattr(problem, "strerror", None) or str(problem)).split())
    return text if len(text) <= 200 else text[:197] + "..."


def one_of(names: Iterable[str]) -> str:
    """List valid names as they follow the word "expected"."""
    listed = tuple(names)
    return f"one of {', '.join(listed)}" if listed else "none"


def _from_fields(kind: type[PelagosError], fields: dict[str, object]) -> PelagosError:
    error = kind.__new__(kind)
    error.args = (fields["message"],)
    vars(error).update(fields)
    return error


def _nearest(word: object, valid: Sequence[str]) -> str:
    """Return the valid name closest to a misspelt word, or "" if none is close."""
    if not isinstance(word, str):
        return ""
    if REPLACED.get(word) in valid:
        return REPLACED[word]
    lower = {name.lower(): name for name in valid}
    # cutoff: chosen, a little below the default 0.6 of difflib
    close = get_close_matches(word[:LONGEST_WORD].lower(), list(lower), n=1, cutoff=0.55)
    return lower[close[0]] if close else ""


def _show_as_toml(value: object) -> str:
    """Return the value as TOML, cut to a readable length."""
    value = getattr(value, "tolist", lambda: value)()  # numbers and arrays of numpy
    if isinstance(value, str):
        text = f'"{escaped(value[:100])}"'
    elif isinstance(value, bool):
        text = str(value).lower()
    elif isinstance(value, float):
        text = repr(value)
    elif isinstance(value, list | tuple):
        items = cast("Sequence[object]", value[:40])
        text = "[" + ", ".join(_show_as_toml(item) for item in items) + "]"
    elif isinstance(value, dict):
        pairs = cast("dict[str, object]", value).items()
        text = "{" + ", ".join(f"{key} = {_show_as_toml(item)}" for key, item in pairs) + "}"
    elif isinstance(value, int):
        text = _decimal(value)
    else:
        return shown(value)
    return text if len(text) <= 80 else text[:77] + "..."


def _decimal(value: int) -> str:
    return str(value) if value.bit_length() < 10_000 else hex(value)  # Python limits decimals to 4300 digits
