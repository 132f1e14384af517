"""What a caller may choose, checked once: one sentence for what cannot be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from pelagos.batch.batch import Batch
from pelagos.checks import choice, known_key, number, whole
from pelagos.errors import CommandError, MissingExtraError
from pelagos.learn.observation import MotionArrays, SensorObserver, StateObserver

try:
    from gymnasium.vector import AutoresetMode
except ImportError:
    raise MissingExtraError("gymnasium", "pelagos.learn", "learn") from None

RENDER_MODES = ("rgb_array", "human")
LARGEST_SEED = 2**63 - 1


def resolve_autoreset_mode(mode: AutoresetMode | str) -> AutoresetMode:
    """When ended episodes begin anew."""
    if isinstance(mode, AutoresetMode):
        return mode
    return AutoresetMode(choice("autoreset_mode", mode, tuple(one.value for one in AutoresetMode)))


def check_render_mode(mode: str | None) -> str | None:
    """How it is shown."""
    if mode is None:
        return None
    return choice("render_mode", mode, RENDER_MODES, f"one of {', '.join(RENDER_MODES)}, or None")


def resolve_authority(authority: object, usual: float) -> float:
    """Factor on the action."""
    return usual if authority is None else number("authority", authority, 0.0, 1.0)


def resolve_seeds(seed: object, n: int) -> list[int | None]:
    """n seeds: of one, it and the next ones; or one for each. None: no seed."""
    if seed is None:
        return [None] * n
    if isinstance(seed, int | np.integer) and not isinstance(seed, bool):
        given: list[Any] = [int(seed) + i for i in range(n)]
    else:
        given = list(seed) if isinstance(seed, list | tuple | range | np.ndarray) else [seed]
        if len(given) != n:
            raise CommandError(f"there are {len(given)} seeds", expected=f"one, or {n}")
    return [None if one is None else whole("a seed", one, 0, LARGEST_SEED) for one in given]


def check_options(options: object, valid: tuple[str, ...]) -> None:
    """Refuse what `reset(options=...)` does not know."""
    if options is None:
        return
    if not isinstance(options, Mapping):
        raise CommandError(key="options", value=options, expected="a dictionary or None")
    for key in cast("Mapping[object, object]", options):
        known_key("reset", key, valid)


def resolve_reset_mask(options: Mapping[str, Any] | None, n: int, begun: bool) -> NDArray[np.bool_]:
    """Which environments a reset is for: those of `options["reset_mask"]`, or all."""
    if options is None or "reset_mask" not in options:
        return np.ones(n, bool)
    mask = options["reset_mask"]
    if not (isinstance(mask, np.ndarray) and mask.dtype == np.bool_ and mask.shape == (n,)):
        raise CommandError(key="reset_mask", value=mask, expected=f"an array of {n} booleans")
    if not mask.any():
        raise CommandError("reset_mask is False for all", expected="at least one True")
    if not (begun or mask.all()):
        raise CommandError("the environments have not begun; call reset() of all before one with a reset_mask")
    return mask


def make_pilot(assist: str | None, batch: Batch, interval_s: float) -> Any:
    """The autopilot that an action is added to, or None."""
    if assist is None:
        return None
    choice("assist", assist, ("pid",), "'pid' or None")
    from pelagos.control.vectorised.autopilot import VectorAutopilot

    return VectorAutopilot(batch.vehicle, batch.n, interval_s=interval_s)


def make_observer(observe: str, batch: Batch, motion: MotionArrays, interval_s: float) -> StateObserver:
    """What the motion is seen by."""
    choice("observe", observe, ("truth", "sensors"), "'truth' or 'sensors'")
    return StateObserver(motion) if observe == "truth" else SensorObserver(batch, motion, interval_s)
