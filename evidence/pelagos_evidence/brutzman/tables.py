"""Tables 6.1 and 6.2: every variable and every coefficient, as printed and as in the vehicle file."""

from __future__ import annotations

import math

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
from pelagos_evidence.document import Findings, Progress
from pelagos_evidence.rows import Rows, Values

GROUPS = ("body", "places", "surge", "sway", "heave", "roll", "pitch", "yaw")
# what a group row leaves to a row of its own, because the file deliberately has another value or name
APART = {"Y_rdot", "Z_wdot", "M_u|u|dpb", "M_u|u|dps", "N_u|u|drb", "N_u|u|drs", "C_dy", "C_dz", "Z_uw"}
# values that differ from print on purpose
DIFFERENT = ("Y_rdot", "Z_wdot", "M_u|u|dpb", "M_u|u|dps", "N_u|u|drb", "N_u|u|drs")


ROWS = Rows(__file__)


def run(progress: Progress) -> Findings:
    """All rows of the two tables."""
    values = {**_variables(), **_signs()}
    progress(0.3)
    values |= {**_groups(phoenix()), **_apart(phoenix()), **_rounded(), **_others()}
    return Findings(ROWS.claims(values))


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


def _variables() -> Values:
    there = columns(phoenix())
    symbols = [symbol for symbol, column in VARIABLES.items() if column in there]
    plant = Plant(phoenix(), euler_angles=True)
    rates = world_rates(plant, (0.1, 0.2, 0.3), np.array([2.0, 0.1, 0.1, 0.1, 0.1, 0.1]))  # takes a step: dt
    changes = acceleration_ft(plant)
    computed = 1 + int(np.isfinite(rates).sum()) + int(np.isfinite(changes).sum())
    total = len(VARIABLES) + len(COMPUTED)
    return {
        "table-variables": {
            "holds": len(symbols) == len(VARIABLES) and computed == len(COMPUTED) and total == 36,
            "total": total,
            "log_columns": len(symbols),
            "computed": computed,
        },
    }


def _signs() -> Values:
    """Positive senses of the three angles and of depth; fins and thrusters are flown in the part on motions."""
    roll, pitch, yaw = (frames.rotation_from_euler(*(0.2 if i == k else 0.0 for i in range(3))) for k in range(3))
    starboard_down, bow_up, bow_east = float(roll[2, 1]), float(-pitch[2, 0]), float(yaw[1, 0])
    return {
        "table-signs": {
            "value": min(starboard_down, bow_up, bow_east),
            "starboard_down": starboard_down,
            "bow_up": bow_up,
            "bow_east": bow_east,
        },
    }


def ours(of: Vehicle, entry: Entry) -> float:
    """Value of the vehicle for a line of the table, in the unit of the table; zero if it has no such coefficient."""
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


def _groups(of: Vehicle) -> Values:
    """A row for each heading of the table: number of values, of equal ones, and the largest difference."""
    values: Values = {}
    for group in GROUPS:
        lines = [e for e in PRINTED if e.group == group and e.value is not None and (e.name or e.symbol) not in APART]
        off = [_relative(e, of) for e in lines]
        values[f"table-{group}"] = {
            "value": max(off),
            "symbols": listed([e.symbol for e in lines]),
            "count": len(lines),
            "equal": sum(o <= 5e-4 for o in off),
        }
    return values


def _relative(entry: Entry, of: Vehicle) -> float:
    printed, computed = entry.value or 0.0, ours(of, entry)
    if not printed:
        return 0.0 if computed == 0.0 else math.inf
    return abs(computed - printed) / abs(printed)


def _contradiction(entry: Entry, computed: float) -> tuple[float, float]:
    """Difference of a printed value from the one that follows from the rest of the table, and its limit."""
    printed = {row.name: row.value or 0.0 for row in PRINTED}
    value = entry.value or 0.0
    if entry.name == "Y_rdot":  # added mass is symmetric
        return abs(value - printed["N_vdot"]), 5e-4 * abs(printed["N_vdot"])
    if entry.name == "Z_wdot":  # nothing in the table speaks for or against it
        return abs(value - computed), 5e-4 * abs(value)
    force = printed[("Z" if entry.name[0] == "M" else "Y") + entry.name[1:]]
    length = next(row.value for row in PRINTED if row.symbol == "L") or 0.0
    return max(abs(value / force) * length - 0.5 * length, 0.0), 0.0


def _apart(of: Vehicle) -> Values:
    """A row for each value that differs from print."""
    values: Values = {}
    for entry in PRINTED:
        if entry.name not in DIFFERENT or entry.value is None:
            continue
        computed = ours(of, entry)
        off, limit = _contradiction(entry, computed)
        values[f"table-{_plain(entry.name)}"] = {
            "off": off,
            "limit": limit,
            "printed": entry.value,
            "found": computed,
            "printed_file": ours(phoenix("phoenix_printed"), entry),
        }
    named = {entry.name: entry for entry in PRINTED}
    for name in ("Z_uw", "C_dz"):  # printed under another name
        values[f"table-{_plain(name)}"] = {"published": named[name].value or 0.0, "ours": ours(of, named[name])}
    missing = next(entry for entry in PRINTED if entry.symbol == "C_dy" and entry.value is None)
    return values | {"table-c-dy": {"found": ours(of, missing)}}


def _plain(name: str) -> str:
    return name.replace("_", "-").replace("|", "").lower()


def _rounded() -> Values:
    """The table's own conversions and sums."""
    inches_printed = _body(phoenix())  # these in inches
    inches = {
        "x-g": inches_printed["x_G"],
        "z-g": inches_printed["z_G"],
        "y-propeller": inches_printed["y_stbd-propeller"],
    }
    values: Values = {
        f"table-inch-{key}": {"ours": inch / 12.0, "absolute": 0.0005 + 1e-12} for key, inch in inches.items()
    }
    return values | {"table-mass": phoenix().body.mass_kg / SLUG}


def _others() -> Values:
    """Damping that is equal at 1 deg/s, the exchanged width and height, and the unused density of sea water."""
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
    return {
        "table-speed-per-rpm": math.sqrt(screw / drag) / FOOT,
        "table-sea-water": PRESETS["sea"].density_kg_m3 / (SLUG / FOOT**3),
        "table-laminar": max(ratios, key=lambda x: abs(x - 1.0)),
        "table-width-height": {
            "off": abs(height - width),
            "right": abs(height - tall) < 0.5,
            "height": height,
            "breadth": breadth,
        },
        "table-stations": {"published": needed, "ours": box},
    }
