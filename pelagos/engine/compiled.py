"""Decorators that compile engine functions with Numba, and the folder of their machine code.

`@compiled` marks a function of the kernel, `@also_python` one that Python calls as it is, too; `@entry` marks the few
that Python calls compiled, whose machine code is cached on disk (engine.machine_code) and compiled in a child process
(engine.compiler). Numba's disk cache checks only the file of
the cached function: after an edit in a force term it would return the old code. So the code lives in a folder named by
a hash of every engine source, of the Numba version and of the options; any edit makes a new folder.

Environment: PELAGOS_CACHE_DIR moves the cache; NUMBA_DISABLE_JIT=1 runs the same files as plain Python.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.extending import register_jitable

from pelagos.engine.machine_code import DiskCode

# No nnan/ninf: a diverging state must stay visible as NaN. reassoc lets LLVM vectorise sums over stations, and arcp
# divide by multiplying. The price of reassoc: the order of a sum depends on what LLVM inlines, so an edit that leaves
# the arithmetic as it is (a view in place of an index) can still change last bits. Compare with scripts/behaviour.py.
FASTMATH = {"contract", "reassoc", "nsz", "arcp"}
OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True, "boundscheck": None, "fastmath": FASTMATH}

F = TypeVar("F", bound=Callable[..., Any])

ENGINE = Path(__file__).parent
JIT = not numba.config.DISABLE_JIT  # pyright: ignore[reportAttributeAccessIssue]


def source_hash(files: Iterable[Path] | None = None) -> str:
    """Hash of all engine sources (or of `files`), the Numba version and the compile options."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version_info[:2]} {sorted(FASTMATH)}".encode())
    for path in sorted(files or ENGINE.rglob("*.py")):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_root() -> Path | None:
    """Folder that holds one sub-folder per version of the engine; None if the user has no home directory."""
    override, windows = os.environ.get("PELAGOS_CACHE_DIR"), sys.platform == "win32"
    if override:
        return Path(override).absolute()
    base = os.environ.get("LOCALAPPDATA" if windows else "XDG_CACHE_HOME")
    try:
        return (Path(base) if base else Path.home() if windows else Path.home() / ".cache") / "pelagos"
    except RuntimeError:
        return None


ROOT = cache_root()
CACHE = None if ROOT is None else ROOT / source_hash()


@functools.cache
def _folder(sources: Path) -> Path | None:
    """Cache folder of entries whose file lies in `sources`, outside of the engine."""
    if CACHE is None:
        return None
    return CACHE.with_name(f"{CACHE.name}-{source_hash([*ENGINE.parent.glob('*.py'), *sources.glob('*.py')])}")


def cached_on_disk(function: Callable[..., Any], dispatcher: Any, folder: Path | None) -> Any:
    """The Numba dispatcher of a function, with its machine code cached in `folder`."""
    if JIT:
        nowhere = "there is no home directory; PELAGOS_CACHE_DIR names a folder"
        why = nowhere if ROOT is None else f"{function.__qualname__} depends on more than a file of source"
        dispatcher._cache = DiskCode(function, None if function.__closure__ else folder, why)
    return dispatcher


def compiled(function: Callable[..., Any]) -> Any:
    """Compile a small function of the kernel: inlined into its caller, not cached by itself."""
    return numba.njit(forceinline=True, **OPTIONS)(function)


def also_python(function: F) -> F:
    """Mark a small function of the kernel that stays plain Python outside of it."""
    return register_jitable(forceinline=True, **OPTIONS)(function)


def compiled_apart(function: Callable[..., Any]) -> Any:
    """Compile a large function of the kernel once, apart from its callers; LLVM may still inline it."""
    return numba.njit(forceinline=False, **OPTIONS)(function)


def entry(function: Callable[..., Any]) -> Any:
    """Compile a function that Python calls: on first use, with its machine code cached on disk."""
    file = Path(function.__code__.co_filename)
    folder = CACHE if file.is_relative_to(ENGINE) else _folder(file.parent) if file.is_file() else None
    return cached_on_disk(function, numba.njit(forceinline=False, **OPTIONS)(function), folder)
