"""Actuators of a vehicle file: thrusters, control surfaces, fins, supplies, ballast, the propeller race.

Entries refer to each other by name (a fin to its surface, a thruster to its supply); this module resolves the names to
indices.
"""

from __future__ import annotations

from itertools import pairwise
from math import hypot, inf, pi, sqrt

from pelagos.checks import number_text
from pelagos.errors import one_of
from pelagos.files.reader import Table, Value
from pelagos.units import UNITS, split_key
from pelagos.vehicle.load.coefficient_names import vocabulary
from pelagos.vehicle.load.ledger import Ledger
from pelagos.vehicle.spec import Ballast, ControlSurface, Fin, Race, ReferenceWater, Supply, Thruster, Vec3

DRIVES = {"angular rate": "rate", "voltage": "voltage", "force": "force", "": "throttle"}
DRIVE_UNIT = {"rate": "rpm, rad_s or rps", "voltage": "V", "force": "N, lbf or kgf", "throttle": "no suffix"}
# dimensions of thrust (or torque) per drive and per drive squared that fit each drive
PER_DRIVE = {
    "rate": ("thrust per rate", "thrust per rate squared", "torque per rate squared"),
    "voltage": ("thrust per volt", "thrust per volt squared", "torque per volt squared"),
    "force": ("",),
    "throttle": ("", "force", "torque"),
}
STORES = {  # by kind of ballast: SI unit of its setting, dimensions of the setting and of its rate
    "tank": ("kg", ("mass", "mass flow")),
    "engine": ("m3", ("volume", "volume flow")),
    "shifter": ("m", ("length", "speed")),
}

# by list of tables: the key whose value starts a default name, and the word if that key is absent
DEFAULT_NAMES = {"thrusters": ("part", "thruster"), "control_surfaces": ("", "surface"), "fins": ("", "fin"),
                 "ballast": ("kind", "ballast"), "camera": ("", "camera"), "lamp": ("", "lamp")}  # fmt: skip


def assign_default_names(root: Table) -> None:
    """Name each entry without a name after its part or kind and its place in the list: t200_1, fin_3, tank_2."""
    for section, (source, word) in DEFAULT_NAMES.items():
        for number, row in enumerate(root.lists.get(section, []), 1):
            key = row.section.spelling("name")
            if "name" not in row and key is not None:
                name = f"{row.get(source, word)}_{number}"
                row.values["name"] = Value(key, "name", name, name, row.file)


def surfaces(root: Table) -> tuple[ControlSurface, ...]:
    """The control surfaces; their symbols must not clash with other factors of coefficient names."""
    rows = named_rows(root, "control_surfaces")
    require_unique(rows, "symbol")
    for row in rows:
        symbol = row.get("symbol")
        if symbol in vocabulary() or not symbol.isalnum() or symbol[0].isdigit() or symbol == "dot":
            row.fail("symbol", expected='letters that are no velocity, such as "dr"')
        if "span" in row and "position" not in row:
            row.fail("span", "needs position_m beside it: without a place the surface is always wet")
    return tuple(
        ControlSurface(row.get("name"), row.get("symbol"), row.get("limit"), row.get("time_constant", 0.0),
                row.get("rate", inf), row.get("position"), row.get("span", ControlSurface.span_m))
        for row in rows
    )  # fmt: skip


def supplies(root: Table) -> tuple[Supply, ...]:
    """The hydraulic or electric supplies that thrusters share."""
    return tuple(Supply(row.get("name"), row.get("limit")) for row in named_rows(root, "supplies"))


def thrusters(root: Table, water: ReferenceWater, ledger: Ledger) -> tuple[Thruster, ...]:
    """The thrusters, each with one law of thrust."""
    return tuple(_thruster(row, root, water, ledger) for row in named_rows(root, "thrusters"))


def fins(root: Table, ledger: Ledger) -> tuple[Fin, ...]:
    """The lifting surfaces given as geometry."""
    return tuple(_fin(row, root, ledger) for row in named_rows(root, "fins"))


def ballast(root: Table) -> tuple[Ballast, ...]:
    """Tanks, buoyancy engines and mass shifters."""
    return tuple(_ballast(row) for row in named_rows(root, "ballast"))


def race(root: Table) -> Race | None:
    """The propeller race behind the factor "n" of coefficient names; None without [race]."""
    table = root.tables.get("race")
    if table is None:
        return None
    return Race(_index(table, "thruster", root, "thrusters"), table.get("advance"), table.get("ct"))


def unit_vector(table: Table, name: str, default: Vec3 = (1.0, 0.0, 0.0)) -> Vec3:
    """A direction as a unit vector. The reader has refused a zero vector."""
    x, y, z = table.get(name, default)
    size = hypot(x, y, z)
    return (x / size, y / size, z / size)


def named_rows(root: Table, section: str) -> list[Table]:
    """The entries of a list, whose names must differ."""
    rows = root.lists.get(section, [])
    require_unique(rows, "name")
    return rows


def require_unique(rows: list[Table], name: str) -> None:
    """Refuse two entries of a list with the same value of a key."""
    values: set[str] = set()
    for row in rows:
        if row.get(name) in values:
            row.fail(name, f"another entry has this {name}; names must differ")
        values.add(row.get(name))


def _thruster(row: Table, root: Table, water: ReferenceWater, ledger: Ledger) -> Thruster:
    drive = _drive(row)
    table = _thrust_table(row, drive)
    minimum, maximum = _limits(row, drive, table)
    law = _law(row, drive, minimum, maximum)
    if "propeller" in row.tables:
        law |= _propeller(row, drive, water, ledger)
    if not law and not table:
        row.fail("thrust_at_maximum", "is missing; give it, k_..., linear_..., table or propeller")
    if table and (law or "propeller" in row.tables):
        row.fail("table", "another law of thrust is given too; keep one")
    # a table or a supply yields a thrust without a shaft speed, so only the thrust can lag
    lag_on = row.get("lag_on", "thrust" if table or "supply" in row else "drive")
    if table and lag_on == "drive":
        row.fail("lag_on", expected='"thrust" with a table')
    if "supply" in row and lag_on == "drive":  # the supply limits the sum of thrusts, not of shaft speeds
        row.fail("supply", 'shares out thrust, so the thruster needs lag_on = "thrust"')
    for name in ("inflow_forward", "inflow_reverse", "inflow_square", "torque_inflow", "wake"):
        if name in row:
            if lag_on == "thrust":
                row.fail(name, 'needs a shaft speed; with a table, a supply or lag_on = "thrust" there is none')
            law[name] = row.get(name)
    if lag_on == "thrust" and "propeller" in row.tables:
        row.fail("lag_on", expected='"drive" for a thruster given as a propeller')
    if "inflow_forward" in row and "inflow_reverse" not in row:
        law["inflow_reverse"] = row.get("inflow_forward")
    torque = _per_drive(row, "torque", drive)
    ahead = _per_drive(row, "torque_forward", drive)
    astern = _per_drive(row, "torque_reverse", drive)
    if torque is not None or ahead is not None or astern is not None:
        law["torque_forward"] = ahead if ahead is not None else torque or 0.0
        law["torque_reverse"] = astern if astern is not None else law["torque_forward"]
        if lag_on == "thrust":
            row.fail("lag_on", expected='"drive" for a thruster with torque, which follows the shaft')
    return Thruster(
        name=row.get("name"), position_b=row.get("position"), direction_b=unit_vector(row, "direction"), drive=drive,
        minimum=minimum, maximum=maximum, dead_low=_dead(row, drive, "dead_low", -1.0),
        dead_high=_dead(row, drive, "dead_high", 1.0), time_constant_s=row.get("time_constant", 0.0), lag_on=lag_on,
        table=table, inflow_from=row.get("inflow_from", "axial"), tunnel_loss_s2_m2=row.get("tunnel_loss", 0.0),
        group=_index(row, "supply", root, "supplies"),
        diameter_m=_diameter(row, ledger), power_at_maximum_w=row.get("power_at_maximum", 0.0), **law,
    )  # fmt: skip


def _diameter(row: Table, ledger: Ledger) -> float:
    screw = row.tables["propeller"].get("diameter") if "propeller" in row.tables else None
    if screw is not None and "diameter" in row:
        row.fail("diameter", f"[propeller] gives {screw:g} m already; keep one")
    return ledger.default(row, "diameter", Thruster.diameter_m, "m") if screw is None else screw


def _drive(row: Table) -> str:
    """The drive of a thruster: its key, or the dimension of its maximum."""
    if "drive" in row:
        return row.get("drive")
    if "propeller" in row.tables:
        return "rate"
    if "maximum" in row:
        return DRIVES[_dimension(row, "maximum")]
    row.fail("drive", "is missing", expected=one_of(DRIVE_UNIT))


def _limits(row: Table, drive: str, table: tuple[tuple[float, float], ...]) -> tuple[float, float]:
    maximum = _in_drive(row, "maximum", drive)
    minimum = _in_drive(row, "minimum", drive)
    if maximum is None and table:
        (lowest, _), (maximum, _) = table[0], table[-1]
        minimum = lowest if minimum is None else minimum
    if maximum is None:
        if drive != "throttle":
            row.fail("maximum", "is missing", expected=f"a number in {DRIVE_UNIT[drive]}")
        maximum = 1.0  # full throttle
    minimum = -maximum if minimum is None else minimum
    if minimum > 0.0:
        row.fail("minimum", expected=number_text(high=0.0))
    if not maximum > 0.0:  # the key maximum is positive, so the table set it
        row.fail("table", "ends below 0", expected="a greatest drive above 0")
    return minimum, maximum


def _law(row: Table, drive: str, minimum: float, maximum: float) -> dict[str, float]:
    """The coefficients k_forward, k_reverse and linear from whichever numbers the file has."""
    linear = _per_drive(row, "linear", drive)
    kind = row.get("law", "linear" if drive == "force" or linear is not None else "quadratic")
    full = row.get("thrust_at_maximum")
    astern = row.get("reverse_thrust_at_minimum")
    ahead = _per_drive(row, "k", drive)
    ahead = _per_drive(row, "k_forward", drive) if ahead is None else ahead
    if astern is not None and minimum == 0.0:
        row.fail("reverse_thrust_at_minimum", "the drive does not go below 0")
    if ahead is None and kind == "linear":
        if astern is not None:
            row.fail("reverse_thrust_at_minimum", "a linear law has one slope; give a table")
        if linear is None:  # a thruster commanded in newtons pushes as commanded
            linear = full / maximum if full is not None else 1.0 if drive == "force" else None
        return {} if linear is None else {"linear": linear}
    if ahead is None and full is not None:
        ahead = full / maximum**2
    if ahead is None:
        return {}
    reverse = _per_drive(row, "k_reverse", drive)
    if reverse is None:
        reverse = astern / minimum**2 if astern is not None else ahead
    return {"k_forward": ahead, "k_reverse": reverse} | ({} if linear is None else {"linear": linear})


def _propeller(row: Table, drive: str, water: ReferenceWater, ledger: Ledger) -> dict[str, float]:
    """The law in rad/s from open-water curves in rev/s: T = (1 - t) rho n^2 D^4 KT, J = u_a / (n D), Q likewise.

    A right-handed screw (hand = +1) turns clockwise seen from astern, so its reaction on the hull is -Q about x.
    """
    p = row.tables["propeller"]
    if drive != "rate":
        row.fail("drive", expected='"rate" with a propeller')
    if abs(p.get("hand", 1.0)) != 1.0:
        p.fail("hand", expected="+1 or -1")
    rho, d, turn = water.density_kg_m3, p.get("diameter"), 2.0 * pi  # n = rate / turn
    share = 1.0 - p.get("thrust_deduction", 0.0)
    twist = -p.get("hand", 1.0) * p.get("torque_scale", 1.0)
    # J = u_a / (n D) takes one power of n and D out of kt1 and kq1, two out of kt2; inflow_forward is a loss
    law = {
        "k_forward": share * rho * d**4 * p.get("kt0") / turn**2,
        "inflow_forward": -share * rho * d**3 * p.get("kt1", 0.0) / turn,
        "inflow_square": share * rho * d**2 * p.get("kt2", 0.0),
        "torque_forward": twist * rho * d**5 * p.get("kq0", 0.0) / turn**2,
        "torque_inflow": twist * rho * d**4 * p.get("kq1", 0.0) / turn,
        "wake": p.get("wake", 0.0),
    }
    for name, unit in (("k_forward", "N/(rad/s)2"), ("inflow_forward", "N/(rad/s m/s)")):
        ledger.derived(f"{row.path}.{name}", law[name], unit, "rho, D and the open-water curve in rad/s")
    law["k_reverse"] = law["k_forward"]
    law["torque_reverse"] = law["torque_forward"]
    law["inflow_reverse"] = 0.0 if p.get("reverse_without_inflow", False) else law["inflow_forward"]
    return law


def _thrust_table(row: Table, drive: str) -> tuple[tuple[float, float], ...]:
    rows = row.get("table", ())
    if not rows:
        return ()
    si_unit = {"throttle": "throttle", "voltage": "V", "rate": "rad_s", "force": "N"}[drive]
    unit = row.get("table_unit", si_unit)
    factor = 1.0 if unit == "throttle" else UNITS[unit].factor
    dimension = "" if unit == "throttle" else UNITS[unit].dimension  # "throttle" is no unit of `pelagos.units`
    if DRIVES[dimension] != drive:
        row.fail("table_unit", f'the drive is "{drive}"', expected=DRIVE_UNIT[drive])
    if len(rows) < 2 or any(drive2 <= drive1 for (drive1, _), (drive2, _) in pairwise(rows)):
        row.fail("table", expected="two rows or more that ascend in the first column")
    return tuple((drive_value * factor, thrust) for drive_value, thrust in rows)


def _dead(row: Table, drive: str, name: str, sign: float) -> float:
    """One end of the dead band: its key, or the symmetric dead_band."""
    side = _in_drive(row, name, drive)
    both = _in_drive(row, "dead_band", drive)
    if side is not None and both is not None:
        row.fail(name, "dead_band is given too; keep one")
    if side is not None and side * sign < 0.0:
        row.fail(
            name, expected=number_text(high=0.0)
        )  # dead_low alone can have the wrong sign: keys.py checks dead_high
    return side if side is not None else sign * both if both is not None else 0.0


def _in_drive(row: Table, name: str, drive: str) -> float | None:
    """A number of the drive; refused if its unit belongs to another drive."""
    if name in row and DRIVES[_dimension(row, name)] != drive:
        row.fail(name, f'the drive is "{drive}"', expected=f"the unit {DRIVE_UNIT[drive]}")
    return row.get(name)


def _per_drive(row: Table, name: str, drive: str) -> float | None:
    if name in row and _dimension(row, name) not in PER_DRIVE[drive]:
        row.fail(name, f'does not fit the drive "{drive}"')
    return row.get(name)


def _dimension(row: Table, name: str) -> str:
    value = row.values[name]
    unit = split_key(value.spelling)[1] if value.spelling != value.key.name else None
    return unit.dimension if unit else ""


def _fin(row: Table, root: Table, ledger: Ledger) -> Fin:
    normal = unit_vector(row, "normal")
    if abs(normal[0]) > 1e-9:
        row.fail("normal", expected="a direction across the x axis: its first number 0")
    slope = row.get("lift_slope")
    if slope is None:
        from pelagos.vehicle.derive import fin_lift_slope  # only loaded where a file needs an estimate

        ratio = row.get("aspect_ratio")
        if ratio is None:
            row.fail("lift_slope_1_rad", "is missing; give it or aspect_ratio")
        slope = fin_lift_slope(ratio)
        ledger.derived(f"{row.path}.lift_slope_1_rad", slope, "1/rad", "Whicker and Fehlner 1958, from aspect_ratio")
    return Fin(
        name=row.get("name"), surface=_index(row, "surface", root, "control_surfaces"),
        position_b=row.get("position"), normal_b=normal, area_m2=row.get("area"), lift_slope_1_rad=slope,
        stall_rad=row.get("stall", Fin.stall_rad), slope_after_stall_1_rad=row.get("slope_after_stall", 0.0),
        drag_0=row.get("drag_0", 0.0), drag_a=row.get("drag_a", 0.0), drag_aa=row.get("drag_aa", 0.0),
        gain=row.get("gain", 1.0), hull_flow=row.get("hull_flow", 1.0),
        wash_thruster=_index(row, "wash_from", root, "thrusters"),
        wash_m=row.get("wash", 0.0), wash_momentum=row.get("wash_momentum", 0.0),
        span_m=ledger.default(row, "span", sqrt(row.get("area")), "m"),
    )  # fmt: skip


def _ballast(row: Table) -> Ballast:
    kind = row.get("kind")
    unit, dimensions = STORES[kind]
    for name in ("minimum", "maximum", "initial", "rate"):
        if name in row and _dimension(row, name) not in dimensions:
            row.fail(name, f'a ballast of kind "{kind}" is set in {unit}')
    low, high = row.get("minimum", 0.0), row.get("maximum")
    if not high > low:
        row.fail("maximum", expected=f"more than the minimum, {low:g} {unit}")
    start = row.get("initial", min(max(0.0, low), high))  # 0, or the limit nearest to it
    if not low <= start <= high:
        row.fail("initial", expected=f"{number_text(low, high)} {unit}")
    if kind == "shifter" and not row.get("mass", 0.0) > 0.0:
        row.fail("mass", "a shifter needs the mass that it moves")
    return Ballast(
        name=row.get("name"), kind=kind, unit=unit, minimum=low, maximum=high, initial=start,
        rate=row.get("rate", inf), mass_kg=row.get("mass", 0.0), mass_per_unit=1.0 if kind == "tank" else 0.0,
        volume_per_unit=1.0 if kind == "engine" else 0.0, position_b=row.get("position", (0.0, 0.0, 0.0)),
        axis_b=unit_vector(row, "axis") if kind == "shifter" else (0.0, 0.0, 0.0),
    )  # fmt: skip


def _index(row: Table, name: str, root: Table, section: str) -> int:
    """The place in a list of the entry that a key names; -1 without the key."""
    if name not in row:
        return -1
    names, target = [item.get("name") for item in root.lists.get(section, [])], row.get(name)
    if target not in names:
        kind = {"supplies": "supply", "control_surfaces": "surface", "thrusters": "thruster"}[section]
        row.fail(name, f"no {kind} has this name", expected=one_of(names), names=names, misspelt=target)
    return names.index(target)
