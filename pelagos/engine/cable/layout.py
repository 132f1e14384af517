"""Records of a tether: every number of its description, state and scratch space with its name and unit.

A tether is two flat float64 arrays: its description (`LINE` and, behind it, the path of the ship) and its state
(`CHAIN` and, behind it, one `NODE` per node from the ship, node 0, to the vehicle). A third is scratch space of a step
(`SCRATCH` per node, then `TOUCHING` per contact, then a copy of the nodes); the tethers of a thread can share it.
Frames: NED. Forces are those of the tether on the body it is fixed to.
"""

from __future__ import annotations

from pelagos.engine.core.views import Layout, LayoutField, viewer

# values of `mode`, `payout` and `ship`
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
        LayoutField("mode", "DYNAMIC, STATIC or ROYER"),
        LayoutField("diameter", "m"),
        LayoutField("weight", "N/m in the water, per unstretched metre; negative floats"),
        LayoutField("weight_in_air", "N/m, of what hangs above the surface"),
        LayoutField("mass", "kg/m"),
        LayoutField("displaced", "kg/m, mass of the water it displaces"),
        LayoutField("added", "kg/m, added mass across it"),
        LayoutField("normal", "N/m per (m/s)^2: rho/2 D Cn"),
        LayoutField("tangential", "N/m per (m/s)^2: rho/2 D pi Ct"),
        LayoutField("stiffness", "N, EA"),
        LayoutField("damping", "N s, BA"),
        LayoutField("breaking", "N; pull is never larger"),
        LayoutField("parts", "1: it parts there, 0: only the pull is limited"),
        LayoutField("ground", "N/m^2: stiffness of the seabed per metre of cable"),
        LayoutField("elements", "how many, about"),
        LayoutField("capacity", "elements there is room for"),
        LayoutField("iterations", "of Newton's method in a step, at most"),
        LayoutField("payout", "FIXED_LENGTH, RATIO, RATE or TENSION"),
        LayoutField("ratio", "RATIO: length over distance"),
        LayoutField("rate", "m/s, RATE: out positive"),
        LayoutField("tension", "N at the ship, TENSION"),
        LayoutField("gain", "N per m/s, TENSION: drag of the drum"),
        LayoutField("fastest", "m/s, drum in either direction"),
        LayoutField("shortest", "m"),
        LayoutField("longest", "m, on the drum"),
        LayoutField("ship", "MOORED, ON_A_PATH or FOLLOWING"),
        LayoutField("heaves", "1: the ship rides on the waves"),
        LayoutField("ship_speed", "m/s: ON_A_PATH, FOLLOWING at most"),
        LayoutField("ship_lag", "s, FOLLOWING"),
        LayoutField("n_path", "points of the way"),
        LayoutField("path", "first of north, east of each, m"),
    ),
)
CHAIN = Layout(
    "Chain",
    (
        LayoutField("n", "elements"),
        LayoutField("length", "m, unstretched"),
        LayoutField("length_rate", "m/s"),
        LayoutField("element", "m, unstretched length of all elements but the first"),
        LayoutField("time", "s"),
        LayoutField("ship", "m, NED: upper end", 3),
        LayoutField("ship_velocity", "m/s, NED", 3),
        LayoutField("ship_calm", "m, NED: the same without heave", 3),
        LayoutField("travelled", "m, along the ship's way"),
        LayoutField("force_a", "N, NED, on the ship", 3),
        LayoutField("force_b", "N, NED, on the vehicle", 3),
        LayoutField("pull", "N, NED: the same before it is limited to the breaking load", 3),
        LayoutField("end_stiffness", "N/m, NED: how force_b falls when the vehicle's end is moved", 9),
        LayoutField("pieces", "in which the last step was taken"),
        LayoutField("end", "m, NED: lower end, where force_b holds", 3),
        LayoutField("end_velocity", "m/s, NED", 3),
        LayoutField("tension_a", "N"),
        LayoutField("tension_b", "N"),
        LayoutField("largest", "N, greatest tension along it"),
        LayoutField("least", "N"),
        LayoutField("strain", "1, greatest"),
        LayoutField("status", "bits"),
        LayoutField("residual", "of the last solution: m static, N; how far it is off"),
        LayoutField("used", "iterations"),
        LayoutField("wrap", "rad, turned round structures"),
        LayoutField("touching", "contacts"),
        LayoutField("obstacle", "structure it is wrapped round most, -2 none"),
        LayoutField("aground", "m, lying on the seabed"),
        LayoutField("crowded", "1: there was no room to note more contacts"),
        LayoutField("drum", "1: its pull is given in this step, 0: the length"),
        LayoutField("settled", "1 once a static solution has been found"),
        LayoutField("miss", "m, ROYER: how far the end is off"),
        LayoutField("warm", "ROYER: tension (N), angle (rad) at the ship, 1: where the next search starts", 3),
    ),
)
NODE = Layout(
    "ChainNode",
    (
        LayoutField("r", "m, NED", 3),
        LayoutField("v", "m/s, NED", 3),
        LayoutField("tension", "N, of the element to the next node"),
        LayoutField("length", "m, unstretched, of the element to the next node"),
        LayoutField("grip", "m, NED: elastic slip of the node on seabed or structure", 3),
        LayoutField("hold", "m, NED: elastic slip of the element on a structure", 3),
        LayoutField("pressed", "N: push of a structure on the node, and between its ends on the element", 2),
        LayoutField("back", "how it follows the next node: dr = -back dr_next", 9),
    ),
)
SCRATCH = Layout(
    "ChainScratch",
    (
        LayoutField("start", "m, NED: at the start of the step", 3),
        LayoutField("before", "N, tension at the start of the step"),
        LayoutField("u", "m/s, NED: water", 3),
        LayoutField("u_down", "1/s: du/dz", 3),
        LayoutField("a", "m/s^2, NED: water", 3),
        LayoutField("wet", "1, share under water"),
        LayoutField("wet_down", "1/m, how that grows with depth"),
        LayoutField("strain", "1, of the element at the start of the step"),
        LayoutField("t", "unit vector along the element", 3),
        LayoutField("l", "m, its length"),
        LayoutField("law", "N, tension that follows from the element's stretch"),
        LayoutField("k", "N/m, of the element"),
        LayoutField("taut", "1: taken as taut"),
        LayoutField("diag", "N/m", 9),
        LayoutField("up", "N/m: force on this node from the next one's place", 9),
        LayoutField("low", "N/m: force on the next node from this one's place", 9),
        LayoutField("f", "N", 3),
        LayoutField("miss", "N, with the tension of the element in place of its law", 3),
        LayoutField("dr", "m", 3),
    ),
)
TOUCHING = Layout(
    "ChainTouching",
    (
        LayoutField("element", "number"),
        LayoutField("s", "1, place along it"),
        LayoutField("n", "unit vector out of the obstacle", 3),
        LayoutField("gap", "m, at the start"),
        LayoutField("at", "m, NED: the point at the start", 3),
        LayoutField("stiffness", "N/m, across the skin"),
        LayoutField("along", "N/m, along it"),
        LayoutField("limit", "N, of friction"),
        LayoutField("obstacle", "number of the structure, SEABED"),
        LayoutField("push", "N"),
        LayoutField("slip", "m, NED: elastic slip so far", 3),
        LayoutField("active", "0 free, 1 held, 2 slips"),
    ),
)

as_line, as_chain, as_node = viewer(LINE), viewer(CHAIN), viewer(NODE)
as_scratch, as_touching = viewer(SCRATCH), viewer(TOUCHING)
N_LINE, N_CHAIN, N_NODE, N_SCRATCH, N_TOUCHING = LINE.size, CHAIN.size, NODE.size, SCRATCH.size, TOUCHING.size


def chain_size(capacity: int) -> int:
    """Length of the state array of a tether with room for `capacity` elements."""
    return N_CHAIN + (capacity + 1) * N_NODE


def scratch_size(capacity: int) -> int:
    """Length of its scratch array: three contacts an element, and a copy of the nodes."""
    return (capacity + 1) * (N_SCRATCH + 3 * N_TOUCHING + N_NODE)
