"""Section 2.4.c in words: no lift, drags that add up, motions still coupled, and what a square law alone is worth."""

from __future__ import annotations

import math

import numpy as np

from pelagos.reproduce.claim import Claim, Proof, statement, unreproducible
from pelagos.reproduce.royer import printed as text
from pelagos.reproduce.royer.given import ADDED, BG_M, DRAG, INERTIA, MASS_KG, THRUST_N, Array, body_with

BELOW = np.array([0.0, 0.0, BG_M])  # G
COEFFICIENTS = (("pelagos.engine.forces.coefficients",), ("tests/engine/forces/test_coefficients.py",))
RIGID = (("pelagos.engine.forces.rigid_body", "pelagos.engine.mass"), ("tests/engine/forces/test_rigid_body.py",))


def _no_lift() -> Claim:
    plant = body_with(BELOW)

    def load(nu: list[float]) -> Array:
        plant.place(nu=nu)
        return plant.forces()["coefficients"]

    ahead, aside = load([1.5, 0, 0, 0, 0, 0]), load([0, 0.7, 0, 0, 0, 0])
    both = load([1.5, 0.7, 0, 0, 0, 0])
    across = float(max(np.abs(ahead[1:]).max(), np.abs(np.delete(aside, 1)).max()))
    return statement(
        "no-lift", "section 2.4.c", "No lift; the drags of two motions add up",
        "a motion along i gives no force along k; drag of both motions = sum of the drags",
        f"off-axis force {across:g} N; sum off by {np.abs(both - ahead - aside).max():g} N",
        across == 0.0 and bool(np.allclose(both, ahead + aside, rtol=1e-14)),
        why="A property of the form of the equations, exact.",
        proof=Proof((), *COEFFICIENTS),
    )  # fmt: skip


def _coupled() -> Claim:
    """Ahead and turning at once: the sway that neither gives alone."""
    plant = body_with(BELOW)

    def rate(u: float, r: float) -> Array:
        plant.place(nu=[u, 0, 0, 0, 0, r])
        return np.array(plant.acceleration())

    u, r = 1.0, 0.3
    both = rate(u, r) - rate(u, 0.0) - rate(0.0, r)
    load = MASS_KG * u * r * np.array([0.0, -1.0, 0.0, BG_M, 0.0, 0.0])  # F_y and M_x of section 2.2
    closed = np.linalg.solve(text.mass_matrix(MASS_KG, INERTIA, ADDED, BELOW), load)
    return statement(
        "cross-coupling", "section 2.4.c, note", "The simplified drag leaves the coupling between the motions",
        f"\"do not suppress the cross-coupling effect\"; by sections 2.2 and 2.5 {closed[1]:.4f} m/s² of sway for "
        "1 m/s ahead with 0.3 rad/s of turn",
        f"{both[1]:.4f} m/s² of sway beyond what either motion gives alone",
        bool(abs(both[1]) > 0.01 and np.allclose(both, closed, atol=1e-12)),
        tolerance="1e-12 m/s²", why="Closed form of the document's equations, in double precision.",
        numbers={"published": float(closed[1]), "ours": float(both[1])}, unit="m/s²",
        proof=Proof((), *RIGID),
    )  # fmt: skip


def _square_law() -> list[Claim]:
    """What the square law alone would give of the whole drag, slow and fast."""
    plant = body_with(BELOW)

    def drag(u: float) -> float:
        plant.place(nu=[u, 0, 0, 0, 0, 0])
        return -float(plant.forces()["coefficients"][0])

    slow, fast = 0.1, 0.5 * (math.sqrt(1.0 + 8.0 * THRUST_N / DRAG[0]) - 1.0)  # fast: both thrusters ahead
    share = [0.5 * (drag(2.0 * u) - 2.0 * drag(u)) / drag(u) for u in (slow, fast)]  # the part that grows as u^2
    proof = Proof(("R20",), *COEFFICIENTS)
    return [
        statement(
            "low-speed-drag", "section 2.4.c", "A square law alone underestimates the drag at low speed",
            "underestimated; with the printed C1 = C2 the square term is u/(1 + u) of the drag: "
            f"{slow / (1 + slow):.4f} at {slow} m/s",
            f"{share[0]:.4f} at {slow} m/s",
            abs(share[0] - slow / (1.0 + slow)) < 1e-9, tolerance="1e-9",
            why="Closed form of the document's equations, in double precision.",
            numbers={"published": slow / (1.0 + slow), "ours": share[0]}, unit="share of the drag", proof=proof,
        ),
        unreproducible(
            "square-law", "section 2.4.c", "A square law is a good approximation at higher speed",
            "\"a good approximation for speed important enough\"",
            "With the printed C1 = C2 both terms are equal at 1 m/s, and this vehicle never goes fast enough for the "
            "linear one to be small.",
            ours=f"the square term alone is {100 * share[1]:.0f} % of the drag at full speed, {fast:.2f} m/s",
            numbers={"ours": share[1]}, unit="share of the drag", proof=proof,
        ),
    ]  # fmt: skip


def drag_rows() -> list[Claim]:
    """What section 2.4.c says of its own simplifications."""
    return [_no_lift(), _coupled(), *_square_law()]
