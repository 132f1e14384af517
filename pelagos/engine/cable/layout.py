"""Every number of a tether that the kernel sees.

A tether is two flat float64 arrays: its description (`LINE` and, behind it, the way of the ship) and its state (`CHAIN`
and, behind it, one `NODE` per node from the ship, node 0, to the vehicle). A third holds what is only needed inside a
step (`SCRATCH` per node, then `TOUCHING` per contact) and can be shared by all tethers of a thread.
Frames: NED. Forces are those of the tether on the body it is fixed to.
"""

from __future__ import annotations

from pelagos.engine.core.views import Field, Layout, viewer

DYNAMIC, STATIC, ROYER = range(3)
FIXED_LENGTH, RATIO, RATE, TENSION = range(4)
MOORED, ON_A_PATH, FOLLOWING = range(3)

# bits of `status`
SLACK, UNLOADED, TAUT, OVERLOAD, PARTED, UNREACHABLE, UNDER_RESOLVED, MULTI_BRANCH, NOT_CONVERGED, AGROUND, SNAGGED = (
    1 << k for k in range(11)
)

LINE = Layout(
    "Line",
    (
        Field("mode", "DYNAMIC, STATIC or ROYER"),
        Field("diameter", "m"),
        Field("weight", "N/m in the water, per unstretched metre; negative floats"),
        Field("weight_in_air", "N/m, of what hangs above the surface"),
        Field("mass", "kg/m"),
        Field("displaced", "kg/m, mass of the water it displaces"),
        Field("added", "kg/m, added mass across it"),
        Field("normal", "N/m per (m/s)^2: rho/2 D Cn"),
        Field("tangential", "N/m per (m/s)^2: rho/2 D pi Ct"),
        Field("stiffness", "N, EA"),
        Field("damping", "N s, BA"),
        Field("breaking", "N; pull is never larger"),
        Field("parts", "1: it parts there, 0: only the pull is limited"),
        Field("ground", "N/m^2: stiffness of the seabed per metre of cable"),
        Field("elements", "how many, about"),
        Field("capacity", "elements there is room for"),
        Field("iterations", "of Newton's method in a step, at most"),
        Field("payout", "FIXED_LENGTH, RATIO, RATE or TENSION"),
        Field("ratio", "RATIO: length over distance"),
        Field("rate", "m/s, RATE: out positive"),
        Field("tension", "N at the ship, TENSION"),
        Field("gain", "N per m/s, TENSION: drag of the drum"),
        Field("fastest", "m/s, drum in either direction"),
        Field("shortest", "m"),
        Field("longest", "m, on the drum"),
        Field("ship", "MOORED, ON_A_PATH or FOLLOWING"),
        Field("heaves", "1: the ship rides on the waves"),
        Field("ship_speed", "m/s: ON_A_PATH, FOLLOWING at most"),
        Field("ship_lag", "s, FOLLOWING"),
        Field("n_path", "points of the way"),
        Field("path", "first of north, east of each, m"),
    ),
)
CHAIN = Layout(
    "Chain",
    (
        Field("n", "elements"),
        Field("length", "m, unstretched"),
        Field("length_rate", "m/s"),
        Field("element", "m, unstretched length of all elements but the first"),
        Field("time", "s"),
        Field("ship", "m, NED: upper end", 3),
        Field("ship_velocity", "m/s, NED", 3),
        Field("ship_calm", "m, NED: the same without heave", 3),
        Field("travelled", "m, along the ship's way"),
        Field("force_a", "N, NED, on the ship", 3),
        Field("force_b", "N, NED, on the vehicle", 3),
        Field("pull", "N, NED: the same before it is limited to the breaking load", 3),
        Field("end_stiffness", "N/m, NED: how force_b falls when the vehicle's end is moved", 9),
        Field("pieces", "in which the last step was taken"),
        Field("end", "m, NED: lower end, where force_b holds", 3),
        Field("end_velocity", "m/s, NED", 3),
        Field("tension_a", "N"),
        Field("tension_b", "N"),
        Field("largest", "N, greatest tension along it"),
        Field("least", "N"),
        Field("strain", "1, greatest"),
        Field("status", "bits"),
        Field("residual", "of the last solution: m static, N; how far it is off"),
        Field("used", "iterations"),
        Field("wrap", "rad, turned round structures"),
        Field("touching", "contacts"),
        Field("what", "structure it is wrapped round most, -2 none"),
        Field("aground", "m, lying on the seabed"),
        Field("crowded", "1: there was no room to note more contacts"),
        Field("drum", "1: its pull is given in this step, 0: the length"),
        Field("settled", "1 once a static solution has been found"),
        Field("miss", "m, ROYER: how far the end is off"),
        Field("warm", "ROYER: tension (N), angle (rad) at the ship, 1: where the next search starts", 3),
    ),
)
NODE = Layout(
    "ChainNode",
    (
        Field("r", "m, NED", 3),
        Field("v", "m/s, NED", 3),
        Field("tension", "N, of the element to the next node"),
        Field("length", "m, unstretched, of the element to the next node"),
        Field("grip", "m, NED: elastic slip of the node on seabed or structure", 3),
        Field("hold", "m, NED: elastic slip of the element on a structure", 3),
        Field("pressed", "N: push of a structure on the node, and between its ends on the element", 2),
        Field("back", "how it follows the next node: dr = -back dr_next", 9),
    ),
)
SCRATCH = Layout(
    "ChainScratch",
    (
        Field("start", "m, NED: at the start of the step", 3),
        Field("before", "N, tension at the start of the step"),
        Field("u", "m/s, NED: water", 3),
        Field("u_down", "1/s: du/dz", 3),
        Field("a", "m/s^2, NED: water", 3),
        Field("wet", "1, share under water"),
        Field("wet_down", "1/m, how that grows with depth"),
        Field("strain", "1, of the element at the start of the step"),
        Field("t", "unit vector along the element", 3),
        Field("l", "m, its length"),
        Field("law", "N, what the element's stretch gives"),
        Field("k", "N/m, of the element"),
        Field("taut", "1: taken as taut"),
        Field("diag", "N/m", 9),
        Field("up", "N/m: force on this node from the next one's place", 9),
        Field("low", "N/m: force on the next node from this one's place", 9),
        Field("f", "N", 3),
        Field("miss", "N, with the tension of the element in place of its law", 3),
        Field("dr", "m", 3),
    ),
)
TOUCHING = Layout(
    "ChainTouching",
    (
        Field("element", "number"),
        Field("s", "1, place along it"),
        Field("n", "unit vector out of the obstacle", 3),
        Field("gap", "m, at the start"),
        Field("at", "m, NED: the point at the start", 3),
        Field("stiffness", "N/m, across the skin"),
        Field("along", "N/m, along it"),
        Field("limit", "N, of friction"),
        Field("what", "number of the structure, SEABED"),
        Field("push", "N"),
        Field("slip", "m, NED: elastic slip so far", 3),
        Field("active", "0 free, 1 held, 2 slips"),
    ),
)

as_line, as_chain, as_node = viewer(LINE), viewer(CHAIN), viewer(NODE)
as_scratch, as_touching = viewer(SCRATCH), viewer(TOUCHING)
N_LINE, N_CHAIN, N_NODE, N_SCRATCH, N_TOUCHING = LINE.size, CHAIN.size, NODE.size, SCRATCH.size, TOUCHING.size


def chain_size(capacity: int) -> int:
    """Numbers in the state of a tether with room for so many elements."""
    return N_CHAIN + (capacity + 1) * N_NODE


def scratch_size(capacity: int) -> int:
    """Numbers of scratch space for it: three contacts an element, and a copy of the nodes."""
    return (capacity + 1) * (N_SCRATCH + 3 * N_TOUCHING + N_NODE)
