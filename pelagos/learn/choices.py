"""What a caller may choose, checked once: one sentence for what cannot be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.batch.batch import Batch
from pelagos.errors import CommandError, MissingExtraError
from pelagos.learn.motion import Motion
from pelagos.learn.sensed import Readings, Truth
from pelagos.messages import shown

try:
    from gymnasium.vector import AutoresetMode
except ImportError:
    raise MissingExtraError("gymnasium", "pelagos.learn", "learn") from None

RENDER_MODES = ("rgb_array", "human")


def a_mode(mode: AutoresetMode | str) -> AutoresetMode:
    """When ended episodes begin anew."""
    try:
        return mode if isinstance(mode, AutoresetMode) else AutoresetMode(mode)
    except ValueError:
        names = ", ".join(one.value for one in AutoresetMode)
        raise CommandError(f"autoreset_mode is {shown(mode)}; expected one of {names}") from None


def a_render_mode(mode: str | None) -> str | None:
    """How it is shown."""
    if mode is not None and mode not in RENDER_MODES:
        raise CommandError(f"render_mode is {shown(mode)}; expected one of {', '.join(RENDER_MODES)}, or None")
    return mode


def a_mask(options: Mapping[str, Any] | None, n: int, begun: bool) -> NDArray[np.bool_]:
    """Which environments a reset is for: those of `options["reset_mask"]`, or all."""
    if options is None or "reset_mask" not in options:
        return np.ones(n, bool)
    mask = options["reset_mask"]
    if not (isinstance(mask, np.ndarray) and mask.dtype == np.bool_ and mask.shape == (n,)):
        raise CommandError(f"reset_mask is {shown(mask)}; expected an array of {n} booleans")
    if not mask.any():
        raise CommandError("reset_mask is False for all; expected at least one True")
    if not (begun or mask.all()):
        raise CommandError("the environments have not begun; call reset() of all before one with a reset_mask")
    return mask


def a_pilot(assist: str | None, batch: Batch, interval_s: float) -> Any:
    """The autopilot that an action is added to, or None."""
    if assist is None:
        return None
    if assist != "pid":
        raise CommandError(f"assist is {shown(assist)}; expected 'pid' or None")
    from pelagos.control.many import ManyAutopilot

    return ManyAutopilot(batch.vehicle, batch.n, interval_s=interval_s)


def an_observer(observe: str, batch: Batch, motion: Motion, interval_s: float) -> Truth:
    """What the motion is seen by."""
    if observe not in ("truth", "sensors"):
        raise CommandError(f"observe is {shown(observe)}; expected 'truth' or 'sensors'")
    return Truth(motion) if observe == "truth" else Readings(batch, motion, interval_s)
