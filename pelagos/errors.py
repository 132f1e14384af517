"""What can go wrong, said in one sentence each.

Every error a user can cause derives from `PelagosError`; `str(error)` is the whole message.
The command line prints that sentence and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import cast

LONGEST_WORD = 200  # letters that are compared with valid names
LONGEST_SENTENCE = 2000
REPLACED = {"surface": "free_surface", "surfaces": "control_surfaces", "trim": "ballast"}  # keys of files: old, new


class PelagosError(Exception):
    """Base of all errors that a user can cause and read."""

    log: object = None  # what was recorded up to then, if a run was being recorded

    def __str__(self) -> str:
        text = escaped(super().__str__())
        half = LONGEST_SENTENCE // 2  # file and key stand first, what was expected last
        return text if len(text) <= LONGEST_SENTENCE else f"{text[: half - 3]}...{text[-half:]}"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled as it is: the sentence is not made anew from other arguments in the process that gets it."""
        return _as_it_was, (type(self), self.args, vars(self))


class FileError(PelagosError):
    """A file that cannot be used, of whatever it may be a part.

    The sentence is `file: key = value: expected; did you mean suggestion?`, without the parts that are empty.
    """

    def __init__(
        self, file: str, key: str = "", value: object = None, expected: str = "", suggestion: str = ""
    ) -> None:
        self.file = file
        self.key = key
        self.value = value
        self.expected = expected
        self.suggestion = suggestion
        super().__init__(_sentence(file, key, value, expected, suggestion))


class VehicleFileError(FileError):
    """A vehicle file (or a request for one) that cannot be used."""


class ScenarioError(PelagosError):
    """A scenario or world file that cannot be used; same sentence as `VehicleFileError`."""

    def __init__(
        self, message: str, key: str = "", value: object = None, expected: str = "", suggestion: str = ""
    ) -> None:
        self.key = key
        self.value = value
        self.expected = expected
        self.suggestion = suggestion
        super().__init__(_sentence(message, key, value, expected, suggestion))


class CommandError(PelagosError):
    """An order that the vehicle or the program cannot follow."""


class MessageError(PelagosError):
    """A message from a page that breaks the rules of the link; nothing of it was acted upon."""


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
    """A feature that needs an optional package which is not installed."""

    def __init__(self, package: str, feature: str, extra: str = "") -> None:
        self.package = package
        self.feature = feature
        self.extra = extra
        install = f'pip install ".[{extra}]" in the clone of Pelagos' if extra else f"pip install {package}"
        super().__init__(f"{feature} needs the package {package}; install it with {install}")


def escaped(text: str) -> str:
    r"""The text on one line: line breaks, terminal escapes and what else cannot be seen as `\n`, `\x1b`, ..."""
    return text if text.isprintable() else "".join(one if one.isprintable() else repr(one)[1:-1] for one in text)


def _as_it_was(kind: type[PelagosError], args: tuple[object, ...], state: dict[str, object]) -> PelagosError:
    error = kind.__new__(kind)
    error.args = args
    vars(error).update(state)
    return error


def nearest(word: str, valid: list[str] | tuple[str, ...]) -> str:
    """The valid name closest to a misspelt one, or "" if none is close."""
    if REPLACED.get(word) in valid:
        return REPLACED[word]
    lower = {name.lower(): name for name in valid}
    found = get_close_matches(word[:LONGEST_WORD].lower(), list(lower), n=1, cutoff=0.55)
    return lower[found[0]] if found else ""


def _sentence(file: str, key: str, value: object, expected: str, suggestion: str) -> str:
    where = key if value is None else f"{key} = {_show(value)}"
    text = ": ".join(part for part in (file, where, expected) if part)
    return f'{text}; did you mean "{suggestion}"?' if suggestion else text


def _show(value: object) -> str:
    """The value as it would stand in a TOML file, cut to a readable length."""
    if isinstance(value, str):
        text = f'"{escaped(value[:100])}"'
    elif isinstance(value, bool):
        text = str(value).lower()
    elif isinstance(value, float):
        text = repr(float(value))  # repr of a numpy float names its type
    elif isinstance(value, list | tuple):
        items = cast("Sequence[object]", value[:40])
        text = "[" + ", ".join(_show(item) for item in items) + "]"
    elif isinstance(value, dict):
        pairs = cast("dict[str, object]", value).items()
        text = "{" + ", ".join(f"{key} = {_show(item)}" for key, item in pairs) + "}"
    elif isinstance(value, int):
        text = str(value) if value.bit_length() < 10_000 else hex(value)  # Python makes no longer decimals
    else:
        text = str(value)
    return text if len(text) <= 80 else text[:77] + "..."
