"""Transcription of equations 6.39-6.42: the earlier surge equation and the propulsion term that was taken apart."""

from __future__ import annotations

import math
from collections.abc import Mapping

from pelagos.reproduce.brutzman.equations_rows import Array
from pelagos.reproduce.brutzman.printed_motion import State


def x_prop(n: float, u: float, c: Mapping[str, float]) -> float:
    """(6.40) with (6.41): C_d0 (eta|eta| - 1), eta = (2 ft/s / 700 rpm) n / u; does not exist at rest."""
    eta = c["speed_per_rpm"] * n / u
    return c["C_d0"] * (eta * abs(eta) - 1.0)


def expanded(n: float, u: float, c: Mapping[str, float]) -> float:
    """(6.42), last line: thrust less drag, lb."""
    return 0.5 * c["rho"] * c["L"] ** 2 * c["C_d0"] * (c["speed_per_rpm"] ** 2 * n * abs(n) - u * abs(u))


def previous_surge(state: State, rates: Array, c: Mapping[str, float], mended: frozenset[str]) -> float:
    """(6.39), left side less right side without the propulsion term, lb.

    Bow planes as a pair (the document's own simplification), its one rudder angle taken as the stern rudders, no
    epsilon(eta); the term of rudder and yaw rate once (B38). "B37" in `mended` turns the sign of (W - B) sin(theta).
    """
    u, v, w, p, q, r = state.nu
    _, drs, dpb, dps = state.fins
    L2, L3, L4 = (0.5 * c["rho"] * c["L"] ** n for n in (2, 3, 4))
    m = c["W"] / c["g"]
    k = {name: c.get(name, 0.0) for name in c}
    left = m * (
        rates[0] - v * r + w * q - c["x_G"] * (q**2 + r**2) + c["y_G"] * (p * q - rates[5])
        + c["z_G"] * (p * r + rates[4])
    )  # fmt: skip
    sign = -1.0 if "B37" in mended else 1.0
    right = (
        L4 * (k["X_pp"] * p**2 + k["X_qq"] * q**2 + k["X_rr"] * r**2 + k["X_pr"] * p * r)
        + L3 * (k["X_udot"] * rates[0] + k["X_wq"] * w * q + k["X_vp"] * v * p + k["X_vr"] * v * r
                + u * q * (k["X_uqdps"] * dps + k["X_uqdpb"] * dpb) + k["X_urdrs"] * u * r * drs)
        + L2 * (k["X_vv"] * v**2 + k["X_ww"] * w**2 + k["X_uvdrs"] * u * v * drs
                + u * w * (k["X_uwdps"] * dps + k["X_uwdpb"] * dpb)
                + u**2 * (k["X_u|u|dpsdps"] * dps**2 + k["X_u|u|dpbdpb"] * dpb**2 + k["X_u|u|drsdrs"] * drs**2))
        + sign * (c["W"] - c["B"]) * math.sin(state.angles[1])
    )  # fmt: skip
    return float(left - right)
