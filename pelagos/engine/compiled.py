"""How engine functions are compiled, and where the machine code is kept.

`@compiled` marks a function of the kernel; `@entry` marks the few that Python calls, whose machine code is
cached on disk. Numba's own cache looks only at the file of the cached function: after an edit in a force term it
would go on serving the old code. So the cache lives in a folder named by a hash of every engine source, of the
Numba version and of the options; any edit makes a new folder.

Environment: PELAGOS_CACHE_DIR moves the cache; NUMBA_DISABLE_JIT=1 runs the same files as plain Python.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numba

# No nnan/ninf: a diverging state must stay visible as NaN. reassoc lets LLVM vectorise sums over stations.
FASTMATH = {"contract", "reassoc", "nsz", "arcp"}
OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True, "boundscheck": None, "fastmath": FASTMATH}

ENGINE = Path(__file__).parent
JIT = not numba.config.DISABLE_JIT  # pyright: ignore[reportAttributeAccessIssue]


def source_hash(files: Iterable[Path] | None = None) -> str:
    """Hash of all engine sources (or of `files`), the Numba version and the compile options."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version_info[:2]} {sorted(FASTMATH)}".encode())
    for path in sorted(files or ENGINE.rglob("*.py")):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """Folder that holds one sub-folder per version of the engine."""
    if "PELAGOS_CACHE_DIR" in os.environ:
        return Path(os.environ["PELAGOS_CACHE_DIR"])
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", str(Path.home())))
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache")))
    return base / "pelagos"


CACHE = cache_root() / source_hash()


def is_warm() -> bool:
    """Whether machine code for this engine is already on disk (the first run need not compile)."""
    return CACHE.is_dir() and any(CACHE.rglob("*.nbc"))


def compiled(function: Callable[..., Any]) -> Any:
    """A small function of the kernel: made part of its caller, not cached by itself."""
    return numba.njit(forceinline=True, **OPTIONS)(function)


def compiled_apart(function: Callable[..., Any]) -> Any:
    """A large function of the kernel that is called from several places: compiled once, called."""
    return numba.njit(forceinline=False, **OPTIONS)(function)


def entry(function: Callable[..., Any]) -> Any:
    """A function called from Python: compiled on first use and cached on disk."""
    config: Any = numba.config
    before = config.CACHE_DIR
    config.CACHE_DIR = str(CACHE)
    try:
        return numba.njit(cache=JIT, forceinline=False, **OPTIONS)(function)
    finally:
        config.CACHE_DIR = before
