"""Tables 6.1 and 6.2: every variable and every coefficient, as printed and as in the vehicle file."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from pelagos import frames
from pelagos.sim.columns import columns
from pelagos.units import FOOT, INCH, LBF, SLUG
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import AXES, VELOCITIES, Vehicle
from pelagos.world.water import PRESETS
from pelagos_evidence.brutzman import printed_tables
from pelagos_evidence.brutzman.equations.rows import acceleration_ft, listed, phoenix, world_rates
from pelagos_evidence.brutzman.printed_tables import PRINTED, Entry
from pelagos_evidence.claim import Claim, Proof, contested, no_data, number, quantity, statement
from pelagos_evidence.document import Findings, Tell

FILE = Proof(
    (),
    ("pelagos.vehicle.load.vehicle.load_vehicle",),
    ("tests/reference/test_oracle_phoenix.py", "tests/test_fleet_numbers.py"),
)
TITLES = {
    "body": "weight, size and inertia", "places": "places of centres, thrusters and propellers",
    "surge": "surge coefficients",
    "sway": "sway coefficients", "heave": "heave coefficients", "roll": "roll coefficients",
    "pitch": "pitch coefficients",
    "yaw": "yaw coefficients",
}  # fmt: skip
# what a group row leaves to a row of its own, because the file deliberately has another value or name
APART = {"Y_rdot", "Z_wdot", "M_u|u|dpb", "M_u|u|dps", "N_u|u|drb", "N_u|u|drs", "C_dy", "C_dz", "Z_uw"}
REASONS = {
    "Y_rdot": "Added mass is symmetric and N_vdot is -1.78 E-3; the printed value makes the mass matrix indefinite. "
    "The author's program has -1.78 E-3.",
    "Z_wdot": "Two digits are exchanged in print or scan: the author's program has -9.34 E-2. 0.7 % of the heave mass; "
    "the printed value is in phoenix_printed.",
    "M_u|u|dpb": "-0.283 L Z: the factor L stands already before the bracket, rho/2 L^3; with it the arm is 15 ft on a "
    "hull of 7.3 ft; phoenix_printed keeps it.",
    "M_u|u|dps": "+0.377 L Z: the factor L stands already before the bracket; with it the arm is 20 ft on a hull of "
    "7.3 ft.",
    "N_u|u|drb": "+0.283 L Y: the factor L stands already before the bracket; with it the arm is 15 ft on a hull of "
    "7.3 ft.",
    "N_u|u|drs": "+0.377 L Y: the factor L as above, an arm of 20 ft; and equation 6.53 subtracts this term, so the "
    "file, which adds, has "
    "it negative.",
}


def run(tell: Tell) -> Findings:
    """All rows of the two tables."""
    claims = [*_variables(), *_signs()]
    tell(0.3)
    claims += [*_groups(phoenix()), *_apart(phoenix()), *_rounded(), *_others()]
    tell(1.0)
    return Findings(tuple(claims))


# ---- table 6.1 -------------------------------------------------------------------------------------------------------

# symbol of the table -> column of a log of Phoenix, or what gives it
VARIABLES = {
    "t": "time_s", "x": "north_m", "y": "east_m", "z": "depth_m", "phi": "roll_deg", "theta": "pitch_deg",
    "psi": "heading_deg",
    "u": "surge_m_s", "v": "sway_m_s", "w": "heave_m_s", "p": "roll_rate_deg_s", "q": "pitch_rate_deg_s",
    "r": "yaw_rate_deg_s",
    "delta_rb": "surface_bow_rudders_deg", "delta_rs": "surface_stern_rudders_deg",
    "delta_pb": "surface_bow_planes_deg",
    "delta_ps": "surface_stern_planes_deg", "n_port": "thruster_port_screw_rpm",
    "n_stbd": "thruster_starboard_screw_rpm",
    "V_bow-vertical": "thruster_bow_vertical_V", "V_stern-vertical": "thruster_stern_vertical_V",
    "V_bow-lateral": "thruster_bow_lateral_V", "V_stern-lateral": "thruster_stern_lateral_V",
}  # fmt: skip
COMPUTED = (
    "dt",
    "x-dot",
    "y-dot",
    "z-dot",
    "phi-dot",
    "theta-dot",
    "psi-dot",
    *(f"{letter}-dot" for letter in VELOCITIES),
)


def _variables() -> list[Claim]:
    there = columns(phoenix())
    found = [symbol for symbol, column in VARIABLES.items() if column in there]
    plant = Plant(phoenix(), euler_angles=True)
    rates = world_rates(plant, (0.1, 0.2, 0.3), np.array([2.0, 0.1, 0.1, 0.1, 0.1, 0.1]))  # takes a step: dt
    changes = acceleration_ft(plant)
    told = 1 + int(np.isfinite(rates).sum()) + int(np.isfinite(changes).sum())
    total = len(VARIABLES) + len(COMPUTED)
    return [
        statement(
            "table-variables", "table 6.1", "every variable of the table exists, with the same meaning; units differ "
            "(SI and degrees in logs, any unit in files)", f"{total} variables",
            f"{len(found)} are columns of a log, {told} are told by the vehicle in the engine (step, world rates, "
            f"accelerations)",
            len(found) == len(VARIABLES) and told == len(COMPUTED) and total == 36,
            tolerance="none missing", why="a count",
            proof=Proof((), ("pelagos.sim.columns.columns", "pelagos.vehicle.plant.Plant"),
            ("tests/sim/test_columns.py",)),
        )
    ]  # fmt: skip


def _signs() -> list[Claim]:
    """Positive senses of the three angles and of depth; fins and thrusters are flown in the part on motions."""
    roll, pitch, yaw = (frames.rotation_from_euler(*(0.2 if i == k else 0.0 for i in range(3))) for k in range(3))
    starboard_down, bow_up, bow_east = float(roll[2, 1]), float(-pitch[2, 0]), float(yaw[1, 0])
    return [
        statement(
            "table-signs", "table 6.1", "positive senses: roll clockwise seen from the stern, pitch clockwise seen "
            "from port, yaw clockwise seen from above, at 0.2 rad", "starboard side goes down; bow goes up; bow goes "
            "east",
            f"starboard axis {starboard_down:+.3f} down; bow {bow_up:+.3f} up; bow {bow_east:+.3f} east",
            min(starboard_down, bow_up, bow_east) > 0.19, tolerance="sin(0.2) = 0.199, positive", why="a sign",
            proof=Proof((), ("pelagos.frames.rotation_from_euler",), ("tests/test_frames.py",
            "tests/test_fleet_signs.py")),
        )
    ]  # fmt: skip


# ---- table 6.2 -------------------------------------------------------------------------------------------------------


def ours(of: Vehicle, entry: Entry) -> float:
    """What the vehicle has for a line of the table, in the unit of the table; zero where it has no such coefficient."""
    if entry.group in ("body", "places"):
        return _body(of)[entry.symbol]
    if entry.name in ("C_dy", "C_dz"):
        if of.crossflow is None:
            return math.nan
        return (of.crossflow.cd_y if entry.name == "C_dy" else of.crossflow.cd_z)[0]
    name = entry.name or entry.symbol
    if name.endswith("dot"):
        i, j = AXES.index(name[0]), VELOCITIES.index(name[2])
        power = 3 + (i >= 3) + (j >= 3)
        return -float(of.added_mass[i, j]) / (0.5 * of.water.density_kg_m3 * of.length_m**power)
    value = next((c.published for c in of.coefficients if c.name == name and c.published is not None), 0.0)
    return -value if entry.symbol == "C_d0" else value


def _body(of: Vehicle) -> dict[str, float]:
    g, rho, body = of.water.gravity_m_s2, of.water.density_kg_m3, of.body
    inertia = body.inertia_o / (SLUG * FOOT**2)
    at = {t.name: t.position_b for t in of.thrusters}
    return {
        "W": body.mass_kg * g / LBF, "B": body.volume_m3 * rho * g / LBF, "L": of.length_m / FOOT, "g": g / FOOT,
        "rho": rho / (SLUG / FOOT**3), "m": body.mass_kg / SLUG, "I_x": inertia[0, 0], "I_y": inertia[1, 1],
        "I_z": inertia[2, 2],
        "I_xy": -inertia[0, 1], "I_xz": -inertia[0, 2], "I_yz": -inertia[1, 2],
        **{f"{c}_G": body.cg_b[i] / INCH for i, c in enumerate("xyz")}, **{f"{c}_B": body.cb_b[i] / INCH for i,
        c in enumerate("xyz")},
        "x_bow-vertical": at["bow_vertical"][0] / FOOT, "x_stern-vertical": at["stern_vertical"][0] / FOOT,
        "x_bow-lateral": at["bow_lateral"][0] / FOOT, "x_stern-lateral": at["stern_lateral"][0] / FOOT,
        "y_port-propeller": at["port_screw"][1] / INCH, "y_stbd-propeller": at["starboard_screw"][1] / INCH,
    }  # fmt: skip


def _groups(of: Vehicle) -> list[Claim]:
    """One row a heading of the table: how many values, how many equal, the largest difference."""
    claims: list[Claim] = []
    for group, title in TITLES.items():
        lines = [e for e in PRINTED if e.group == group and e.value is not None and (e.name or e.symbol) not in APART]
        off = [_relative(e, of) for e in lines]
        errata = tuple(dict.fromkeys(key for e in lines for key in e.errata))
        worst = max(off)
        claims.append(
            statement(
                f"table-{group}", "table 6.2", f"{title}: {listed([e.symbol for e in lines])}", f"{len(lines)} values",
                f"{sum(o <= 5e-4 for o in off)} equal in the file phoenix; largest difference {worst:.1e} of the value",
                all(o <= 5e-4 for o in off), tolerance="5e-4 of each value",
                why="numbers are copied, only L and m are computed: half a unit of the last of four printed digits "
                "(7.302 ft, 13.52 slug) is at most 5e-4; zeros must be zeros",
                numbers={"ours": worst, "tolerance": 5e-4}, unit="1", proof=_with(FILE, errata), read_back=True,
            )
        )  # fmt: skip
    return claims


def _relative(entry: Entry, of: Vehicle) -> float:
    printed, found = entry.value or 0.0, ours(of, entry)
    if not printed:
        return 0.0 if found == 0.0 else math.inf
    return abs(found - printed) / abs(printed)


def _with(proof: Proof, errata: Sequence[str]) -> Proof:
    return Proof(tuple(errata), proof.code, proof.tests)


def _contradiction(entry: Entry, found: float) -> tuple[float, float, str]:
    """How far a printed value is from what the rest of the table says it must be: off, limit and unit."""
    printed = {one.name: one.value or 0.0 for one in PRINTED}
    value = entry.value or 0.0
    if entry.name == "Y_rdot":  # added mass is symmetric
        return abs(value - printed["N_vdot"]), 5e-4 * abs(printed["N_vdot"]), "1"
    if entry.name == "Z_wdot":  # nothing in the table speaks for or against it
        return abs(value - found), 5e-4 * abs(value), "1"
    force = printed[("Z" if entry.name[0] == "M" else "Y") + entry.name[1:]]
    length = next(one.value for one in PRINTED if one.symbol == "L") or 0.0
    return max(abs(value / force) * length - 0.5 * length, 0.0), 0.0, "ft beyond the end of the hull"


def _apart(of: Vehicle) -> list[Claim]:
    """One row a value that differs from print."""
    claims: list[Claim] = []
    for entry in PRINTED:
        if entry.name not in REASONS or entry.value is None:
            continue
        found = ours(of, entry)
        printed_file = ours(phoenix("phoenix_printed"), entry)
        off, limit, unit = _contradiction(entry, found)
        claims.append(
            contested(
                f"table-{_plain(entry.name)}", "table 6.2", f"value of {entry.symbol}", quantity(entry.value),
                REASONS[entry.name],
                ours=f"{quantity(found)} in phoenix_published, {quantity(printed_file)} in phoenix_printed",
                numbers={"published": entry.value, "ours": found}, proof=_with(FILE, entry.errata),
                off=off, limit=limit, unit=unit, otherwise="not met" if entry.name == "Z_wdot" else "refuted",
            )
        )  # fmt: skip
    named = {entry.name: entry for entry in PRINTED if entry.name in ("Z_uw", "C_dz")}
    for name, said in (("Z_uw", "printed as Z_uv; equation 6.50 has Z_uw and no Z_uv"), ("C_dz", "printed as C_dy")):
        entry = named[name]
        claims.append(
            number(
                f"table-{_plain(name)}", "table 6.2", f"value of {name} ({said})", entry.value or 0.0, ours(of, entry),
                "",
                relative=1e-9, why="a number of the table, copied", assumption=f"the line is read as {name}: {said}",
                proof=_with(FILE, entry.errata), read_back=True,
            )
        )  # fmt: skip
    missing = next(entry for entry in PRINTED if entry.symbol == "C_dy" and entry.value is None)
    claims.append(
        no_data(
            "table-c-dy", "table 6.2", "drag coefficient along the lateral axis, C_dy", "no value printed",
            "The value is missing in the table, so that there is nothing to compare with. Taken is that of the "
            "author's program, which is also that of Healey & Lienard's vehicle of the same family.",
            ours=f"{ours(of, missing):g} in phoenix_published", numbers={"ours": ours(of, missing)}, unit="1",
            proof=_with(FILE, missing.errata),
        )
    )  # fmt: skip
    return claims


def _plain(name: str) -> str:
    return name.replace("_", "-").replace("|", "").lower()


def _rounded() -> list[Claim]:
    """The table's own conversions and sums."""
    proof = _with(FILE, ("B30",))
    own = _body(phoenix())  # these in inches
    rows = (
        ("x-g", "0.125 in = 0.010 ft", 0.010, own["x_G"], "x_G and x_B"),
        ("z-g", "1.07 in = 0.089 ft", 0.089, own["z_G"], "z_G"),
        ("y-propeller", "3.75 in = 0.313 ft", 0.313, own["y_stbd-propeller"], "starboard propeller shaft"),
    )
    claims = [
        number(
            f"table-inch-{key}", "table 6.2", f"{what}, {text}: the vehicle file in feet", feet, inches / 12.0, "ft",
            absolute=0.0005 + 1e-12,
            why="three decimals are printed: half a unit of the last (3.75 in is 0.3125 ft, the half itself)",
            proof=proof,
        )
        for key, text, feet, inches, what in rows
    ]  # fmt: skip
    claims.append(
        number(
            "table-mass", "table 6.2", "mass from weight and gravity, m = W/g", 13.52, phoenix().body.mass_kg / SLUG,
            "slug",
            absolute=0.005, why="two decimals are printed", proof=FILE,
        )
    )  # fmt: skip
    return claims


def _others() -> list[Claim]:
    """Damping that is equal at 1 deg/s; the width and height that are exchanged; the sea water that is not used."""
    degree = math.radians(1.0)
    ratios: list[float] = []
    for linear, square in (("K_p", "K_p|p|"), ("M_q", "M_q|q|"), ("N_r", "N_r|r|")):
        values = {c.name: c.published for c in phoenix().coefficients if c.published is not None}
        ratios.append(values[linear] * degree / (values[square] * degree**2))
    hull = phoenix().crossflow
    height, breadth = (max(hull.height_m) / INCH, max(hull.breadth_m) / INCH) if hull else (0.0, 0.0)
    (shape,) = phoenix().shapes  # of the hull itself, as the loader has it
    tall, width = (max(row[k] for row in shape.stations) / INCH for k in (1, 2))
    table = printed_tables.corrected()
    box = float(np.dot(np.array(hull.height_m) * hull.breadth_m, hull.weight_m)) / FOOT**3 if hull else 0.0
    needed = table["B"] / (table["rho"] * table["g"])
    screw = 2.0 * phoenix().thrusters[0].k_forward * phoenix().thrusters[0].maximum ** 2
    drag = -next(c.value for c in phoenix().coefficients if c.name == "X_u|u|")
    return [
        number(
            "table-speed-per-rpm", "table 6.2", "speed at which both propellers at their 700 rpm balance the drag, by "
            "thrust and drag of the file", 2.0, math.sqrt(screw / drag) / FOOT, "ft/s", relative=1e-6,
            why="not an independent check: the thrust in the file is made from this ratio and the drag; only rounding "
            "may differ (the vehicle is flown in the part on speeds)", proof=_with(FILE, ("B36",)), read_back=True,
        ),
        number(
            "table-sea-water", "table 6.2", "density of sea water (representative) against the preset \"sea\" of "
            "Pelagos (TEOS-10, 15 deg C, 35 g/kg)", 1.99,
            PRESETS["sea"].density_kg_m3 / (SLUG / FOOT**3), "slug/ft3", absolute=0.005, why="two decimals are printed",
            proof=Proof((), ("pelagos.world.water.Water",), ("tests/world/test_water.py",)),
        ),
        number(
            "table-laminar", "table 6.2", "linear over quadratic rotational damping at 1 deg/s, the worst of roll, "
            "pitch and yaw",
            1.0, max(ratios, key=lambda x: abs(x - 1.0)), "", relative=1e-6,
            why="the table says approximately equal at 1 deg/s; its formula, with rad/s supplied, makes them equal",
            assumption="K_p, M_q and N_r carry 1/s: the table gives no unit", proof=_with(FILE, ("B26",)),
            read_back=True,
        ),
        contested(
            "table-width-height", "table 6.2", "which of h(x) and b(x) is the width and which the height",
            "h(x) width along y, b(x) height along z",
            "In 6.49-6.53 h(x) stands with the sway flow (v + x r), which meets the height, and b(x) with the heave "
            "flow, which meets the width; the author's program has h up to 10.1 in and b up to 16.5 in on a hull 10 in "
            "high and 16.5 in wide.",
            ours=f"h is the height, at most {height:.1f} in; b is the breadth, at most {breadth:.1f} in",
            proof=Proof(("B22",), ("pelagos.engine.forces.crossflow.crossflow",),
            ("tests/engine/forces/test_crossflow.py",)),
            off=abs(height - width), limit=0.5, unit="in", right=abs(height - tall) < 0.5,
        ),
        number(
            "table-stations", "table 6.2", "volume of the hull by the stations taken for h(x) and b(x), against "
            "B/(rho g) with the table's B = 435 lb (computed, not printed)", needed, box, "ft3", relative=0.05,
            why="sharp-edged rectangular sections overstate a real hull by some per cent; a wrong table would be off "
            "by far more",
            assumption="h(x) and b(x) are not printed (Marco 95); stations of the author's program",
            proof=Proof(("B23",), ("pelagos.vehicle.load.hydro.crossflow",),
            ("tests/vehicle/load/test_hydro.py",)),
        ),
    ]  # fmt: skip
