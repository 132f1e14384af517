"""User-defined forces: compile a function of a user into the kernel.

Write a module with one function, decorated with `compiled`, of this form:

    # brake.py
    from pelagos.engine.core.algebra import Wrench
    from pelagos.engine.compiled import compiled

    @compiled
    def brake(model, structure, kin, water, actuators):
        zero = 0.0 * kin.depth
        return Wrench(-5.0 * kin.water.x, zero, zero, zero, zero, zero)

and pass `user_force="brake.py:brake"` to `Simulation` or `Plant`. Use only + - * / abs and the functions of
`engine.core.lanes` (sqrt, exp, sin, cos, atan2, where_less, constant): then it also runs on lanes. `kin` is a
`kinematics.Kin` (velocities, attitude, position, time), `model`, `water` and `actuators` are the records of `layout`.
The force appears in the log as "user".

How: the kernel modules above the forces are imported once more with the user's function in the place of
`forces/user.py`, under a name with a hash of its source and of what it imports from its folder, so that the disk cache
works and an edit compiles anew. No physics is copied by hand.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from pelagos.engine.compiled import ENGINE
from pelagos.engine.core import adaptive, integrate, legacy

ABOVE_FORCES = ("motion", "steppers", "integrate", "legacy", "adaptive")  # in the order of their imports


@dataclass(frozen=True)
class Kernel:
    """The compiled functions that Python calls, with or without a user's force."""

    advance: Callable[..., int]
    advance_legacy: Callable[..., int]
    advance_adaptive: Callable[..., tuple[bool, float]]
    advance_rows: Callable[..., None]
    advance_blocks: Callable[..., None]
    evaluate: Callable[..., None]
    sample_surroundings: Callable[..., None]


def _kernel(integrate: Any, legacy: Any, adaptive: Any) -> Kernel:
    return Kernel(
        integrate.advance,
        legacy.advance_legacy,
        adaptive.advance_adaptive,
        integrate.advance_rows,
        integrate.advance_blocks,
        integrate.evaluate,
        integrate.sample_surroundings,
    )


KERNEL = _kernel(integrate, legacy, adaptive)


class UserForceError(Exception):
    """A user force that cannot be loaded."""

    def __init__(self, path: str, function: str, expected: str) -> None:
        super().__init__(f"{path}:{function}: expected {expected}")
        self.path = path
        self.function = function
        self.expected = expected


def kernel_with(user_force: str) -> Kernel:
    """The kernel with the user force `FILE.py:FUNCTION`; UserForceError if there is no such function."""
    file, _, function = user_force.rpartition(":")
    path = Path(file).resolve()
    if not file or not path.is_file():
        raise UserForceError(file, function, "FILE.py:FUNCTION with a file that exists")
    source = path.read_text(encoding="utf-8")
    if not re.search(rf"^def {re.escape(function)}\(", source, re.MULTILINE):
        raise UserForceError(file, function, f"a function of {path.name}: it has none of this name")
    made_by = (__name__, "kernel_with", (f"{path}:{function}",))
    force = f"{_stem(function, source)}_force"
    _module(force, path, source, made_by)
    stem = _stem(function, source, *_helpers(source, path.parent))
    made: dict[str, ModuleType] = {}
    for name in ABOVE_FORCES:
        text = (ENGINE / "core" / f"{name}.py").read_text(encoding="utf-8")
        text = text.replace("from pelagos.engine.forces.user import user", f"from {force} import {function} as user")
        for other in ABOVE_FORCES:
            text = text.replace(f"from pelagos.engine.core.{other} import", f"from {stem}_{other} import")
        made[name] = _module(f"{stem}_{name}", ENGINE / "core" / f"{name}.py", text, made_by)
    return _kernel(made["integrate"], made["legacy"], made["adaptive"])


def _stem(*texts: str) -> str:
    return "pelagos_user_" + hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


def _helpers(source: str, folder: Path) -> list[str]:
    """Sources of all modules in `folder` that `source`, already imported, imports directly or indirectly."""
    helpers: dict[Path, str] = {}
    unread = [source]
    while unread:
        for node in ast.walk(ast.parse(unread.pop())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
            if isinstance(node, ast.ImportFrom):
                names = [f"{node.module}.{name}" for name in names] + [str(node.module)]
            for name in names:
                path = Path(getattr(sys.modules.get(name), "__file__", None) or "")
                if path.suffix == ".py" and path not in helpers and path.resolve().is_relative_to(folder):
                    helpers[path] = path.read_text(encoding="utf-8")
                    unread.append(helpers[path])
    return [helpers[path] for path in sorted(helpers)]


def _module(name: str, path: Path, text: str, made_by: tuple[str, str, tuple[str]]) -> ModuleType:
    """Import `text` as a module, once; `path` is where it comes from, `made_by` how another process makes it."""
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None:
        raise UserForceError(str(path), "", "a Python module, a file that ends in .py")
    module = importlib.util.module_from_spec(spec)
    module.MADE_BY = made_by  # type: ignore[attr-defined]  # a module takes any attribute
    sys.modules[name] = module  # before exec: Numba looks the module of a function up while it decorates
    try:
        exec(compile(text, path, "exec"), module.__dict__)
    except BaseException:
        del sys.modules[name]
        raise
    return module
