"""Machine code on disk: checked before it is loaded, made in a process of its own where there is none.

Numba's own cache trusts whatever it finds, loads it unseen, and where its folder cannot be written it goes on to
`__pycache__`, where an edit of a callee is not noticed. `DiskCode` stands in its place. One file holds one entry for
one signature, one processor and one version of Numba and Python, named by a hash of all these; it begins with a
checksum of its name and its contents. A file that is cut short, altered or not what its name says is deleted and made
again. Files are written under another name and moved, so none is half written; a folder that cannot be written costs
the next start.

Code that has just been compiled may differ in the last bits from the same code loaded from disk, because its calls then
find functions that were translated one by one. So the compiler runs in a child process (engine.compiler), and this
process loads what the child made, as every later one will.

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
    """The disk cache of one entry, in place of Numba's.

    Args:
        function: the entry.
        folder: where its files are, named by the version of its sources; None: nothing is kept.
        why: why nothing is kept.
    """

    def __init__(self, function: Callable[..., Any], folder: Path | None, why: str = "") -> None:
        self.function, self.folder = function, folder
        self._why = why
        self.sealed: dict[str, bytes] = {}  # in the process of the compiler: the file of each signature
        self.problem = ""  # why the last one could not be kept

    # ---- what Numba calls ------------------------------------------------------------------------------------------

    @property
    def cache_path(self) -> str:
        """The folder, for statistics."""
        return str(self.folder)

    def enable(self) -> None:
        """Nothing: it is always on."""

    disable = flush = enable

    def load_overload(self, sig: Any, context: Any) -> Any:
        """The code for a signature: from disk, else from the compiler's process; None: Numba shall compile it here."""
        context.refresh()
        name = self.name(sig, context)
        found = self._rebuilt(name, self.read(name), context)
        if found is None and not COMPILER.is_here:
            sealed, problem = COMPILER.ask(self, sig, name)
            found = self._rebuilt(name, sealed, context)
            if found is not None and problem:
                WATCH.once(problem)
        return found

    def save_overload(self, sig: Any, result: Any) -> None:
        """Keep what was compiled in this process, if it can be kept."""
        if result.library.has_dynamic_globals or any(not lifted.can_cache for lifted in result.lifted):
            return
        name = self.name(sig, result.target_context)
        sealed = seal(name, dumps(result._reduce()))
        self.problem = self._keep(name, sealed)
        if COMPILER.is_here:
            self.sealed[name] = sealed
        elif self.problem:
            WATCH.once(self.problem)

    # ---- files -----------------------------------------------------------------------------------------------------

    def name(self, sig: Any, context: Any) -> str:
        """The name of the file for a signature on this processor."""
        code, place = self.function.__code__, f"{self.function.__module__}.{self.function.__qualname__}"
        file = Path(code.co_filename).name  # two scripts of one folder are both called __main__
        made_for = f"{place} {file} {sig} {MADE_WITH} {context.codegen().magic_tuple()}"
        key = hashlib.sha256(made_for.encode() + code.co_code).hexdigest()[:20]
        words = place.replace("<", "").replace(">", "").split(".")
        return f"{'.'.join(words[-2:])}.{key}{SUFFIX}"

    def read(self, name: str) -> bytes | None:
        """The file, if it is what its name says; anything else is deleted."""
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
            found = numba_compiler.CompileResult._rebuild(context, *pickle.loads(data))
        except Exception:  # whole, but not for this Numba: a pickle may raise anything
            if self.folder is not None:
                _remove(self.folder / name)
            return None
        if COMPILER.is_here:
            self.sealed[name] = sealed
        return found

    def _keep(self, name: str, sealed: bytes) -> str:
        """Write a file; a sentence if that cannot be."""
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
    """The contents of a file."""
    return MAGIC + hashlib.sha256(name.encode() + data).digest() + data


def unsealed(name: str, sealed: bytes) -> bytes | None:
    """What was sealed under this name, or None if anything of it has changed."""
    head, digest, data = sealed[: len(MAGIC)], sealed[len(MAGIC) : len(MAGIC) + 32], sealed[len(MAGIC) + 32 :]
    return data if head == MAGIC and hashlib.sha256(name.encode() + data).digest() == digest else None


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()


class CompileSteps(event.Listener):
    """Follows Numba through an entry and all functions below it, and tells a watch."""

    def __init__(self, watch: Any) -> None:
        self.watch = watch
        self._stack: list[str] = []
        self._done = 0

    def on_start(self, event: Any) -> None:
        """Numba begins with a function, or with one of its passes."""
        if event.kind == "numba:run_pass":
            if len(self._stack) == 1 and event.data["name"] == "native_lowering":
                self.watch.stage(f"machine code of {self._done + 1} functions")
            return
        dispatcher = event.data["dispatcher"]
        if not self._stack and not isinstance(getattr(dispatcher, "_cache", None), DiskCode):
            return  # none of ours
        name = label(dispatcher.py_func)
        self._stack.append(name)
        if len(self._stack) == 1:
            self._done = 0
            self.watch.begin(name)
        else:
            self.watch.stage(f"function {self._done + 1}, {name}")

    def on_end(self, event: Any) -> None:
        """Numba is done with it, or has failed."""
        if event.kind == "numba:run_pass" or not self._stack:
            return
        self._stack.pop()
        self._done += 1
        if not self._stack:
            self.watch.end(tuple(event.data["args"]) in event.data["dispatcher"].overloads)


def label(function: Callable[..., Any]) -> str:
    """How a function is called in lines of progress."""
    module, users = re.subn("^pelagos_user_[0-9a-f]+_", "core.", function.__module__)  # core.extend names them so
    module = module.removeprefix("pelagos.").removeprefix("engine.")
    return f"{module}.{function.__qualname__}" + (" with a force of the user" if users else "")


STEPS = CompileSteps(WATCH)
for _kind in ("numba:compile", "numba:run_pass"):
    event.register(_kind, STEPS)
