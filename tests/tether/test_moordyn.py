"""Comparison with MoorDyn (lumped mass, explicit steps): the same cable at rest and towed."""

import math

import numpy as np
import pytest

from tests.tether.scene import RHO, G, cable, still

moordyn = pytest.importorskip("moordyn", reason="MoorDyn is not installed (pip install moordyn)")

LENGTH, ELEMENTS, DIAMETER, WEIGHT, STIFFNESS, DAMPING = 50.0, 20, 0.03, 3.0, 1e5, 500.0
SHIP, END = np.array([0.0, 0.0, 10.0]), np.array([25.0, 5.0, 40.0])
DECK = """--------------------- MoorDyn input ----------------------------
---------------------- LINE TYPES ------------------------------
TypeName  Diam  MassDen  EA  BA/-zeta  EI  Cd  Ca  CdAx  CaAx
(name)    (m)   (kg/m)   (N) (N-s/-)  (N-m^2) (-) (-) (-) (-)
cable {diameter} {mass} {stiffness} {damping} 0 1.2 1.0 0.05 0.0
---------------------- POINTS ----------------------------------
ID  Attachment  X  Y  Z  M  V  CdA  CA
(#) (-) (m) (m) (m) (kg) (m^3) (m^2) (-)
1 Coupled {a} 0 0 0 0
2 Coupled {b} 0 0 0 0
---------------------- LINES -----------------------------------
ID  LineType  AttachA  AttachB  UnstrLen  NumSegs  Outputs
(#) (name) (#) (#) (m) (-) (-)
1 cable 1 2 {length} {elements} -
---------------------- OPTIONS ---------------------------------
0 writeLog
rk2 tScheme
0.001 dtM
{g} g
{rho} rho
500 WtrDpth
0.5 dtIC
300 TmaxIC
4 ICDfac
1e-6 threshIC
---------------------- END -------------------------------------
"""


def up(r):
    """Between NED and MoorDyn's axes: x to north, y to west, z up."""
    return np.asarray(r) * (1.0, -1.0, -1.0)


@pytest.fixture
def system(tmp_path):
    """MoorDyn with the cable at rest."""
    deck = tmp_path / "cable.dat"
    place = {"a": " ".join(map(str, up(SHIP))), "b": " ".join(map(str, up(END)))}
    deck.write_text(
        DECK.format(
            diameter=DIAMETER, mass=cable(WEIGHT, DIAMETER).mass_kg_m, stiffness=STIFFNESS, damping=DAMPING,
            length=LENGTH, elements=ELEMENTS, g=G, rho=RHO, **place,
        )
    )  # fmt: skip
    made = moordyn.Create(str(deck))
    moordyn.Init(made, [*up(SHIP), *up(END)], [0.0] * 6)
    yield made
    moordyn.Close(made)


def line(mode):
    parts = {"diameter_m": DIAMETER, "stiffness_N": STIFFNESS, "damping_Ns": DAMPING}
    made = still(WEIGHT, LENGTH, ELEMENTS, mode, **parts)
    assert made.settle(END, SHIP)
    return made


def forces(answer):
    return up(answer[:3]), up(answer[3:])


@pytest.mark.slow
def test_at_rest(system):
    """Same elements, no drag: what MoorDyn's relaxation to rest leaves, 0.2 % of the largest tension."""
    still_ends = [*up(SHIP), *up(END)]
    answer = moordyn.Step(system, still_ends, [0.0] * 6, 0.0, 0.02)
    on_ship, on_vehicle = forces(answer)
    mine = line("static")
    largest = mine.tensions_N.max()
    np.testing.assert_allclose(mine.force_on_ship_n, on_ship, atol=2e-3 * largest)
    np.testing.assert_allclose(mine.force_on_vehicle_n, on_vehicle, atol=2e-3 * largest)
    np.testing.assert_allclose(sum(forces(answer)), (0.0, 0.0, WEIGHT * LENGTH), atol=0.02 * WEIGHT * LENGTH)


@pytest.mark.slow
def test_towed(system):
    """A vehicle that swings with up to 1.5 m/s for 8 s, in steps of 20 ms: 3 % rms of the range of the pull."""

    def place(t):
        return END + np.array([2.0 * math.sin(0.7 * t), 1.5 * (1.0 - math.cos(0.5 * t)), math.sin(0.9 * t)])

    mine, dt, rows = line("dynamic"), 0.02, []
    for i in range(400):
        t = i * dt
        velocity = (place(t + dt) - place(t)) / dt
        answer = moordyn.Step(system, [*up(SHIP), *up(place(t))], [0.0, 0.0, 0.0, *up(velocity)], t, dt)
        mine.step(dt, place(t), velocity)
        rows.append((np.linalg.norm(mine.force_on_vehicle_n), np.linalg.norm(forces(answer)[1])))
    tensions, expected = np.array(rows[20:]).T  # the first steps start at once with a speed of 1.4 m/s
    assert np.ptp(expected) > 30.0
    assert np.sqrt(np.mean((tensions - expected) ** 2)) < 0.03 * np.ptp(expected)
    assert tensions.max() == pytest.approx(expected.max(), rel=0.03)
