"""Disk cache of compiled machine code: verified before loading, compiled in a child process where missing.

Numba's cache loads any file without a check, and where its folder cannot be written it falls back to `__pycache__`,
where an edit of a callee goes unnoticed. `DiskCode` replaces it. One file holds one entry for one signature, one
processor and one version of Numba and Python, named by a hash of all these; it begins with a checksum of its name and
its contents. A file that is truncated, altered or renamed is deleted and compiled again. Files are written under
another name and moved, so none is half written; where the folder cannot be written, the next start compiles again.

Code that has just been compiled may differ in the last bits from the same code loaded from disk, because its calls then
go to functions that were translated one by one. So the compiler runs in a child process (engine.compiler), and this
process loads the sealed code, as every later one will.

Insides of Numba that this module, `compiled` and `compiler` touch: `Dispatcher._cache` with the methods that Numba
calls on it, `CompileResult._reduce` and `_rebuild`, `magic_tuple` of the code generator, the events of compiling.
"""

from __future__ import annotations

import contextlib
import hashlib
import pickle
import re
import sys
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import compiler as numba_compiler
from numba.core import event
from numba.core.serialize import dumps

from pelagos.engine.compiler import COMPILER
from pelagos.engine.waiting import WATCH

MAGIC = b"pelagos machine code 1\n"
SUFFIX = ".code"
MADE_WITH = f"{numba.__version__} {sys.implementation.cache_tag}"


class DiskCode:
    """Disk cache of one entry, in place of Numba's.

    Args:
        function: the entry.
        folder: where its files are, named by the version of its sources; None: nothing is saved.
        why: why nothing is saved.
    """

    def __init__(self, function: Callable[..., Any], folder: Path | None, why: str = "") -> None:
        self.function, self.folder = function, folder
        self._why = why
        self.sealed: dict[str, bytes] = {}  # in the process of the compiler: the file of each signature
        self.problem = ""  # why the last one could not be saved

    # Numba calls cache_path, enable, disable, flush, load_overload and save_overload; the rest is ours.

    @property
    def cache_path(self) -> str:
        """The folder, for statistics."""
        return str(self.folder)

    def enable(self) -> None:
        """Do nothing: the cache is always on."""

    disable = flush = enable

    def load_overload(self, sig: Any, context: Any) -> Any:
        """The code for a signature: from disk, else from the compiler process; None: Numba compiles it here."""
        context.refresh()
        name = self.name(sig, context)
        code = self._rebuilt(name, self.read(name), context)
        if code is None and not COMPILER.is_here:
            sealed, problem = COMPILER.compile_entry(self, sig, name)
            code = self._rebuilt(name, sealed, context)
            if code is not None and problem:
                WATCH.once(problem)
        return code

    def save_overload(self, sig: Any, result: Any) -> None:
        """Save code that was compiled in this process, if it can be saved."""
        if result.library.has_dynamic_globals or any(not lifted.can_cache for lifted in result.lifted):
            return
        name = self.name(sig, result.target_context)
        sealed = seal(name, dumps(result._reduce()))
        self.problem = self._keep(name, sealed)
        if COMPILER.is_here:
            self.sealed[name] = sealed
        elif self.problem:
            WATCH.once(self.problem)

    def name(self, sig: Any, context: Any) -> str:
        """Name of the file for a signature on this processor."""
        code, place = self.function.__code__, f"{self.function.__module__}.{self.function.__qualname__}"
        file = Path(code.co_filename).name  # two scripts of one folder are both called __main__
        made_for = f"{place} {file} {sig} {MADE_WITH} {context.codegen().magic_tuple()}"
        key = hashlib.sha256(made_for.encode() + code.co_code).hexdigest()[:20]
        words = place.replace("<", "").replace(">", "").split(".")
        return f"{'.'.join(words[-2:])}.{key}{SUFFIX}"

    def read(self, name: str) -> bytes | None:
        """Contents of a file if its checksum holds; otherwise the file is deleted."""
        if self.folder is None:
            return None
        path = self.folder / name
        try:
            read = path.read_bytes() if path.is_file() else None
        except OSError:
            return None
        if read is not None and unsealed(name, read) is None:
            _remove(path)
            return None
        return read

    def _rebuilt(self, name: str, sealed: bytes | None, context: Any) -> Any:
        data = None if sealed is None else unsealed(name, sealed)
        if sealed is None or data is None:
            return None
        try:
            code = numba_compiler.CompileResult._rebuild(context, *pickle.loads(data))
        except Exception:  # intact, but not for this Numba: a pickle may raise anything
            if self.folder is not None:
                _remove(self.folder / name)
            return None
        if COMPILER.is_here:
            self.sealed[name] = sealed
        return code

    def _keep(self, name: str, sealed: bytes) -> str:
        """Write a file; returns a sentence if that fails, else an empty string."""
        if self.folder is None:
            return f"compiled code is not kept, the next start compiles again: {self._why}"
        spare = self.folder / f"{name}.{uuid.uuid4().hex[:12]}.new"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            spare.write_bytes(sealed)
            spare.replace(self.folder / name)
        except OSError as problem:
            _remove(spare)
            return (
                f"compiled code is not kept, the next start compiles again: {self.folder.parent} cannot be written "
                f"({problem.strerror}); PELAGOS_CACHE_DIR names another folder"
            )
        return ""


def seal(name: str, data: bytes) -> bytes:
    """Contents of a file: magic line, checksum of name and data, data."""
    return MAGIC + hashlib.sha256(name.encode() + data).digest() + data


def unsealed(name: str, sealed: bytes) -> bytes | None:
    """Data of a file with this name, or None if the checksum does not hold."""
    head, digest, data = sealed[: len(MAGIC)], sealed[len(MAGIC) : len(MAGIC) + 32], sealed[len(MAGIC) + 32 :]
    return data if head == MAGIC and hashlib.sha256(name.encode() + data).digest() == digest else None


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()


class CompileSteps(event.Listener):
    """Listener of Numba's compile events: reports an entry and all functions below it to a `CompileWatch`.

    Events come from the thread that holds Numba's global compiler lock: `_stack` needs no lock of its own.
    """

    def __init__(self, watch: Any) -> None:
        self.watch = watch
        self._stack: list[str] = []
        self._done = 0

    def on_start(self, event: Any) -> None:
        """Numba starts to compile a function, or starts a pass."""
        if event.kind == "numba:run_pass":
            if len(self._stack) == 1 and event.data["name"] == "native_lowering":
                self.watch.stage(f"machine code of {self._done + 1} functions")
            return
        dispatcher = event.data["dispatcher"]
        if not self._stack and not isinstance(getattr(dispatcher, "_cache", None), DiskCode):
            return  # a function of another library
        name = label(dispatcher.py_func)
        self._stack.append(name)
        if len(self._stack) == 1:
            self._done = 0
            self.watch.begin(name)
        else:
            self.watch.stage(f"function {self._done + 1}, {name}")

    def on_end(self, event: Any) -> None:
        """Numba has finished a function or pass, or has failed."""
        if event.kind == "numba:run_pass" or not self._stack:
            return
        self._stack.pop()
        self._done += 1
        if not self._stack:
            self.watch.end(tuple(event.data["args"]) in event.data["dispatcher"].overloads)


def label(function: Callable[..., Any]) -> str:
    """Name of a function in progress lines."""
    module, users = re.subn("^pelagos_user_[0-9a-f]+_", "core.", function.__module__)  # core.extend names them so
    module = module.removeprefix("pelagos.").removeprefix("engine.")
    return f"{module}.{function.__qualname__}" + (" with a force of the user" if users else "")


STEPS = CompileSteps(WATCH)
for _kind in ("numba:compile", "numba:run_pass"):
    event.register(_kind, STEPS)
