"""The chain's equations: forces and derivatives by differences, elimination against a dense solver, moves, ends."""

import numpy as np
import pytest

from tests.engine.chain_probe import Bare, ask_assemble, ask_eliminate, ask_move

N, DT = 6, 0.05


def bare(seed=1, taut=True, **settings):
    """A crooked chain in moving water, its tensions those of its stretch."""
    rng = np.random.default_rng(seed)
    given = {"normal": 9.0, "tangential": 1.2, "weight": 2.0, "weight_in_air": 5.0, "displaced": 0.3, "damping": 40.0}
    b = Bare(N, **{**given, **settings})
    b.nodes["length"] = 1.0 if taut else 1.5
    b.nodes["r"] = np.cumsum(rng.normal(size=(N + 1, 3)) * 0.1 + (0.0, 0.0, 1.02), axis=0)
    b.nodes["v"] = rng.normal(size=(N + 1, 3)) * 0.3
    s = b.scratch
    s["start"] = b.nodes["r"] - DT * rng.normal(size=(N + 1, 3)) * 0.3
    s["u"], s["u_down"], s["a"] = rng.normal(size=(3, N + 1, 3))
    s["wet"] = rng.uniform(0.2, 1.0, N + 1)
    s["strain"][:N] = rng.normal(size=N) * 1e-3
    return b


def forces(b, per_dt, at=None, u=None):
    kept = b.nodes["r"].copy(), b.scratch["u"].copy()
    if at is not None:
        b.nodes["r"], b.scratch["u"] = at, u
    ask_assemble(b.line, b.chain, b.work, N, per_dt, 0.0, 0.0)
    b.nodes["r"], b.scratch["u"] = kept
    return b.scratch["f"].copy()


def with_law(b, per_dt):
    """Tensions as the law gives them, so that the geometric stiffness belongs to the forces."""
    forces(b, per_dt)
    b.nodes["tension"][:N] = b.scratch["law"][:N]
    return b


def pushing(b):
    """T/l (I - t t^T) of the elements with a negative tension, as blocks."""
    full = np.zeros((3 * N + 3, 3 * N + 3))
    for e in range(N):
        way = b.nodes["r"][e + 1] - b.nodes["r"][e]
        l = np.linalg.norm(way)
        part = min(b.nodes["tension"][e], 0.0) / l * (np.eye(3) - np.outer(way, way) / l**2)
        full[3 * e : 3 * e + 6, 3 * e : 3 * e + 6] += np.kron([[1.0, -1.0], [-1.0, 1.0]], part)
    return full


@pytest.mark.slow
@pytest.mark.parametrize("per_dt", [0.0, 1.0 / DT])
@pytest.mark.parametrize("taut", [True, False])
def test_blocks_are_the_derivatives_of_the_forces(per_dt, taut):
    """Without added mass, whose turning Newton's method leaves out. The water changes with depth as `u_down` says.

    An element that pushes has no geometric stiffness in the blocks, on purpose: its negative one is added here.

    Differences of 1e-6 m on forces of up to 1e5 N/m times it: rounding leaves 1e-5 N/m, of blocks of 1e3 to 1e6.
    """
    b = with_law(bare(taut=taut), per_dt)
    forces(b, per_dt)
    matrix = b.matrix() + pushing(b)
    r, u, down = b.nodes["r"].copy(), b.scratch["u"].copy(), b.scratch["u_down"].copy()
    for column in range(3 * N + 3):
        computed = []
        for step in (1e-6, -1e-6):
            at, moving = r.copy(), u.copy()
            at.reshape(-1)[column] += step
            if column % 3 == 2:
                moving[column // 3] += step * down[column // 3]
            computed.append(forces(b, per_dt, at, moving).ravel())
        difference = (computed[0] - computed[1]) / 2e-6
        np.testing.assert_allclose(-matrix[:, column], difference, atol=1e-8 * np.abs(matrix).max() + 1e-3)


@pytest.mark.slow
def test_forces_add_up_to_the_loads():
    """Pulls cancel: what is left is weight, drag, the water's and the chain's own inertia, summed here by hand."""
    b = with_law(bare(added=0.3), 1.0 / DT)
    total = forces(b, 1.0 / DT).sum(axis=0)
    expected = np.zeros(3)
    r, s, p = b.nodes["r"], b.scratch, b.nodes
    for e in range(N):
        t = (r[e + 1] - r[e]) / np.linalg.norm(r[e + 1] - r[e])
        across = np.eye(3) - np.outer(t, t)
        for j in (e, e + 1):
            v = (r[j] - s["start"][j]) / DT
            u, wet = s["u"][j] - v, s["wet"][j]
            normal = across @ u
            load = wet * (9.0 * np.linalg.norm(normal) * normal + 1.2 * abs(u @ t) * (u @ t) * t)
            load[2] += wet * 2.0 + (1.0 - wet) * 5.0
            load += wet * (0.3 * s["a"][j] + 0.3 * across @ s["a"][j])
            load -= (0.4 * np.eye(3) + wet * 0.3 * across) @ (v - p["v"][j]) / DT
            expected += 0.5 * p["length"][e] * load
    np.testing.assert_allclose(total, expected, atol=1e-9)  # pulls of 1e4 N cancel to 1e-12 each


def test_slack_elements_push_next_to_nothing():
    taut, slack = bare(), bare(taut=False)
    for b, soft in ((taut, 1.0), (slack, 1e-4)):
        forces(b, 0.0)
        l = np.linalg.norm(np.diff(b.nodes["r"], axis=0), axis=1)
        strain = l / b.nodes["length"][:N] - 1.0
        np.testing.assert_allclose(b.scratch["law"][:N], np.where(strain > 0, 1.0, 1e-4) * 1e5 * strain, rtol=1e-12)
        assert soft == 1.0 or np.all(strain < 0.0)


def random_system(rng, stiff):
    """Blocks as a chain has them: springs of very different stiffness along random directions."""
    b = bare()
    b.settings["stiffness"], b.settings["normal"], b.settings["damping"] = stiff, 1e-3, 0.0
    step = rng.normal(size=(N + 1, 3))
    b.nodes["r"] = np.cumsum(step / np.linalg.norm(step, axis=1)[:, None], axis=0)
    b.nodes["length"], b.nodes["tension"] = 1.0, 1.0
    forces(b, 0.0)
    b.scratch["f"] = rng.normal(size=(N + 1, 3))
    return b


@pytest.mark.parametrize("stiff", [1e3, 1e6, 1e9])
def test_elimination_solves_the_equations(stiff):
    """EA/T up to 1e9: condition numbers to 1e11, and both solvers are backward stable: residual 1e-12 of |K||x|."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        b = random_system(rng, stiff)
        ask_eliminate(b.chain, b.work, N)
        inner = slice(3, 3 * N)
        matrix, f = b.matrix()[inner, inner], b.scratch["f"][1:N].ravel()
        computed, expected = b.scratch["dr"][1:N].ravel(), np.linalg.solve(matrix, f)
        size = np.abs(matrix).max() * np.abs(expected).max()
        assert np.abs(matrix @ computed - f).max() < 1e-12 * size
        condition = np.linalg.cond(matrix)
        np.testing.assert_allclose(computed, expected, atol=1e-14 * condition * np.abs(expected).max())


def test_elimination_of_random_blocks():
    """No structure but the three diagonals; dominant diagonals keep the block elimination stable: 1e-12."""
    rng = np.random.default_rng(5)
    for _ in range(20):
        b = Bare(N)
        for name in ("diag", "up", "low"):
            b.scratch[name] = rng.normal(size=(N + 1, 9))
        b.scratch["diag"] += 6.0 * np.eye(3)[rng.permutation(3)].ravel()  # needs the exchange of rows
        b.scratch["f"] = rng.normal(size=(N + 1, 3))
        ask_eliminate(b.chain, b.work, N)
        inner = slice(3, 3 * N)
        expected = np.linalg.solve(b.matrix()[inner, inner], b.scratch["f"][1:N].ravel())
        np.testing.assert_allclose(b.scratch["dr"][1:N].ravel(), expected, rtol=1e-10, atol=1e-11)


def test_end_stiffness_and_forces_are_those_of_the_condensed_system():
    """With the inner nodes free: K_bb - K_bi K_ii^-1 K_ib, and the forces f + K dr at the ends."""
    b = with_law(bare(), 1.0 / DT)
    forces(b, 1.0 / DT)
    matrix, f = b.matrix(), b.scratch["f"].copy()
    ask_eliminate(b.chain, b.work, N)
    ask_move(b.chain, b.work, N)
    inner, first, last = slice(3, 3 * N), slice(0, 3), slice(3 * N, 3 * N + 3)
    free = np.linalg.inv(matrix[inner, inner])
    dr = free @ f[1:N].ravel()
    # condition numbers of 1e4 and blocks of 1e5 N/m
    stiffness = matrix[last, last] - matrix[last, inner] @ free @ matrix[inner, last]
    np.testing.assert_allclose(b.head["end_stiffness"].reshape(3, 3), stiffness, atol=1e-6)
    np.testing.assert_allclose(b.head["force_b"], f[N] - matrix[last, inner] @ dr, atol=1e-6)
    np.testing.assert_allclose(b.head["force_a"], f[0] - matrix[first, inner] @ dr, atol=1e-6)


def test_moves_give_lengths_and_tensions():
    """After the move, tension = law + k growth along the old direction; the return is the growth that this missed."""
    b = with_law(bare(), 0.0)
    forces(b, 0.0)
    before, law, k = b.nodes["r"].copy(), b.scratch["law"][:N].copy(), b.scratch["k"][:N].copy()
    ask_eliminate(b.chain, b.work, N)
    dr = b.scratch["dr"].copy()
    worst = ask_move(b.chain, b.work, N)
    np.testing.assert_allclose(b.nodes["r"], before + dr, rtol=0, atol=0)
    old, new = np.diff(before, axis=0), np.diff(b.nodes["r"], axis=0)
    l_old, l_new = np.linalg.norm(old, axis=1), np.linalg.norm(new, axis=1)
    grown = np.sum(old / l_old[:, None] * np.diff(dr, axis=0), axis=1)
    np.testing.assert_allclose(b.nodes["tension"][:N], law + k * grown, rtol=1e-9)
    missed = np.abs(l_new - l_old - grown) / b.nodes["length"][:N]
    tension = b.nodes["tension"][:N]
    turned = (tension > 0.0) != (law > 0.0)  # gone slack or taut: the stretch that its tension stands for
    missed = np.where(turned, np.maximum(missed, np.abs(tension) / (k * b.nodes["length"][:N])), missed)
    assert worst == pytest.approx(missed.max(), rel=1e-9)
