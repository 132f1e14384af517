"""A vehicle with every coefficient of equations 6.48-6.54 different from zero, so that each term is tested.

The document's vehicle has most coefficients zero, which hides a wrong sign in their terms. Here each has a random
value, the centre of gravity lies off every axis, the products of inertia are not zero and weight is not buoyancy.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pelagos.units import FOOT, LBF, SLUG
from pelagos.vehicle.load.vehicle import loads
from pelagos.vehicle.spec import AXES, VELOCITIES, Body, Vehicle
from pelagos_evidence.brutzman.printed_tables import corrected

# every coefficient of the right-hand sides of (6.48)-(6.53), in their order, by the names of vehicle files
TERMS: tuple[str, ...] = tuple(
    (
        "X_pp X_qq X_rr X_pr X_wq X_vp X_vr X_uqdpb X_uqdps X_urdrb X_urdrs X_vv X_ww X_uvdrs X_uwdpb X_uwdps "
        "X_u|u|dpbdpb X_u|u|dpsdps X_u|u|drbdrb X_u|u|drsdrs Y_pq Y_qr Y_up Y_ur Y_vq Y_wp Y_wr Y_uv Y_vw Y_u|u|drb "
        "Y_u|u|drs Z_pp Z_pr Z_rr Z_uq Z_vp Z_vr Z_uw Z_vv Z_u|u|dpb Z_u|u|dps K_pq K_qr K_p|p| K_p K_|u|p K_ur K_vq "
        "K_wp K_wr K_uv K_vw K_u|u|dpb K_u|u|dps M_pp M_pr M_rr M_q|q| M_q M_uq M_vp M_vr M_uw M_vv M_u|u|dpb "
        "M_u|u|dps N_pq N_qr N_r|r| N_r N_up N_ur N_vq N_wp N_wr N_uv N_vw N_u|u|drb N_u|u|drs"
    ).split()
)


def coefficients(seed: int = 1994) -> dict[str, float]:
    """A table as `printed_tables.corrected` gives it, every coefficient drawn at random and none of them zero."""
    rng = np.random.default_rng(seed)
    values = corrected()
    values |= {name: float(rng.choice([-1.0, 1.0]) * rng.uniform(0.2, 1.0) * 1e-2) for name in TERMS}
    values |= {"B": 428.0, "x_G": 0.15, "y_G": -0.05, "z_G": 0.09, "x_B": 0.02, "y_B": 0.03, "z_B": -0.01}
    values |= {"I_xy": 0.4, "I_xz": -0.3, "I_yz": 0.7}
    added = rng.normal(size=(6, 6)) * 0.03  # any symmetric positive matrix
    added = added @ added.T
    for i, axis in enumerate(AXES):
        for j, rate in enumerate(VELOCITIES):
            values[f"{axis}_{rate}dot"] = -float(added[i, j])
    return values


def vehicle(c: dict[str, float]) -> Vehicle:
    """The vehicle with these coefficients: Phoenix's file with them in place of its own, u signed as in print."""
    written = {name: c[name] for name in TERMS} | {
        f"{axis}_{rate}dot": c[f"{axis}_{rate}dot"] for axis in AXES for rate in VELOCITIES
    }
    written["N_u|u|drs"] = -written["N_u|u|drs"]  # (6.53) subtracts it
    rows = "\n".join(f'"{name}" = {value!r}' for name, value in written.items())
    text = f'extends = "phoenix_published"\n[hydro]\nu_rule = "signed"\n[hydro.coefficients]\n{rows}\n'
    base = loads(text, "every coefficient")
    tensor = np.array(
        [
            [c["I_x"], -c["I_xy"], -c["I_xz"]],
            [-c["I_xy"], c["I_y"], -c["I_yz"]],
            [-c["I_xz"], -c["I_yz"], c["I_z"]],
        ]
    )
    body = Body(
        mass_kg=c["W"] / c["g"] * SLUG,
        volume_m3=c["B"] * LBF / (base.water.density_kg_m3 * base.water.gravity_m_s2),
        cg_b=(c["x_G"] * FOOT, c["y_G"] * FOOT, c["z_G"] * FOOT),
        cb_b=(c["x_B"] * FOOT, c["y_B"] * FOOT, c["z_B"] * FOOT),
        inertia_o=tensor * SLUG * FOOT**2,
    )
    return replace(base, body=body)
