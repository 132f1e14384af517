"""Checks of the options of environments: modes, seeds, masks, assist and observer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from pelagos.batch.batch import Batch
from pelagos.checks import choice, known_key, number, whole
from pelagos.errors import CommandError, one_of
from pelagos.learn.observation import MotionArrays, SensorObserver, StateObserver

RENDER_MODES = ("rgb_array", "human")
LARGEST_SEED = 2**63 - 1  # seeds are kept as int64


def resolve_autoreset_mode(mode: AutoresetMode | str) -> AutoresetMode:
    """Return the mode that determines when ended episodes are reset."""
    if isinstance(mode, AutoresetMode):
        return mode
    return AutoresetMode(choice("autoreset_mode", mode, tuple(item.value for item in AutoresetMode)))


def check_render_mode(mode: str | None) -> str | None:
    """Return a render mode of Gymnasium that these environments have, or None."""
    if mode is None:
        return None
    return choice("render_mode", mode, RENDER_MODES, f"{one_of(RENDER_MODES)}, or None")


def resolve_authority(authority: object, default: float) -> float:
    """Return the factor on the action, 0 to 1."""
    return default if authority is None else number("authority", authority, 0.0, 1.0)


def resolve_seeds(seed: object, n: int) -> list[int | None]:
    """Return n seeds from one seed, which counts up, or from one for each; None: no seed."""
    if seed is None:
        return [None] * n
    if isinstance(seed, int | np.integer) and not isinstance(seed, bool):
        seeds: list[Any] = [int(seed) + i for i in range(n)]
    else:
        seeds = list(seed) if isinstance(seed, list | tuple | range | np.ndarray) else [seed]
        if len(seeds) != n:
            raise CommandError(key="number of seeds", value=len(seeds), expected=f"1 or {n}")
    return [None if value is None else whole("a seed", value, 0, LARGEST_SEED) for value in seeds]


def check_options(options: object, valid: tuple[str, ...]) -> None:
    """Refuse unknown keys of `reset(options=...)`."""
    if options is None:
        return
    if not isinstance(options, Mapping):
        raise CommandError(key="options", value=options, expected="a dictionary or None")
    for key in cast("Mapping[object, object]", options):
        known_key("reset", key, valid)


def resolve_reset_mask(options: Mapping[str, Any] | None, n: int, begun: bool) -> NDArray[np.bool_]:
    """Return the environments that a reset starts: those of `options["reset_mask"]`, or all."""
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
    """Return the autopilot whose commands an action is added to, or None."""
    if assist is None:
        return None
    choice("assist", assist, ("pid",), "'pid' or None")
    from pelagos.control.vectorised.autopilot import VectorAutopilot  # late: it compiles

    return VectorAutopilot(batch.vehicle, batch.n, interval_s=interval_s)


def make_observer(observe: str, batch: Batch, motion: MotionArrays, interval_s: float) -> StateObserver:
    """Return the observer of the motion: of the true state, or of the readings of sensors."""
    choice("observe", observe, ("truth", "sensors"), "'truth' or 'sensors'")
    return StateObserver(motion) if observe == "truth" else SensorObserver(batch, motion, interval_s)
