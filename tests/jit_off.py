"""Figures of another interpreter with NUMBA_DISABLE_JIT=1: the same files as plain Python, warnings as errors."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pelagos.engine.compiled import JIT

ROOT = Path(__file__).parents[1]
needs_jit = pytest.mark.skipif(not JIT, reason="the JIT is off already")


def without_jit(module, call):
    """What the expression `call` gives with the names of `module`, sent as JSON: numbers, lists, dictionaries."""
    script = f"from {module} import *; import json; print(json.dumps({call}))"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "error", "-c", script]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
