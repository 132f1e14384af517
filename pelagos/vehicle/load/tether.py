"""Cables: the [tether] table of a vehicle file, and `load_cable` for a single cable.

`load_cable("fathom_7_6mm")` reads a cable of the library, `load_cable("mine.toml")` a file with the same keys.
In a vehicle file `part = "fathom_7_6mm"` does the same, and the other keys of [tether] replace single numbers.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pelagos.errors import ABSENT, VehicleFileError
from pelagos.files.reader import Table
from pelagos.tether.spec import Cable
from pelagos.vehicle.load.keys import CABLE
from pelagos.vehicle.load.ledger import Ledger
from pelagos.vehicle.load.parts import find_part, parse, read_part
from pelagos.vehicle.spec import TetherMount

LENGTH_M = 100.0  # between ship and vehicle, if the file has no length


def load_cable(name_or_path: str | Path) -> Cable:
    """Load a cable by its name in the library or by the path of a .toml file."""
    path = find_part(name_or_path, "cable", "cable")
    table = read_part(path, "cable", path.name)
    if table is None:
        kind = parse(path).get("kind", ABSENT)  # without the key a part is a thruster
        raise VehicleFileError(file=path.name, key="kind", value=kind, expected='"cable"')
    return replace(_cable(table, Ledger()), key=path.stem)


def tether(root: Table, ledger: Ledger) -> TetherMount | None:
    """The tether of a vehicle; None without [tether]."""
    table = root.tables.get("tether")
    if table is None:
        return None
    if "fairlead" not in table:
        table.fail("fairlead_m", "is missing; the point of the vehicle where the tether is fixed")
    cable = replace(_cable(table, ledger), key=table.get("part", ""))
    return TetherMount(cable, table.get("fairlead"), ledger.default(table, "length", LENGTH_M, "m"))


def drop_inherited_cable(base: Table, over: Table) -> None:
    """Remove the cable of `base` if `over` names another part: a mixture of two cables would be no cable."""
    new, old = over.tables.get("tether"), base.tables.get("tether")
    if new is not None and old is not None and "part" in new:
        of_cable = {key.name for key in CABLE}
        kept = {name: value for name, value in old.values.items() if name not in of_cable}
        base.tables["tether"] = replace(old, values=kept)


def _cable(table: Table, ledger: Ledger) -> Cable:
    """The cable of a table; the ledger records the defaults of missing keys."""
    if "diameter" not in table:
        part = "part or " if table.section.spelling("part") else ""
        table.fail("diameter_m", f"is missing; give {part}diameter_m")
    neutral = table.get("neutral", False)
    if not neutral and "mass_per_length" not in table:
        table.fail("mass_per_length_kg_m", "is missing; give it or neutral = true")
    return Cable(
        diameter_m=table.get("diameter"), mass_kg_m=table.get("mass_per_length", 0.0), neutral=neutral,
        stiffness_N=ledger.default(table, "stiffness", Cable.stiffness_N, "N"),
        damping_Ns=ledger.default(table, "damping", Cable.damping_Ns, "Ns"),
        normal_drag=ledger.default(table, "normal_drag", Cable.normal_drag),
        tangential_drag=ledger.default(table, "tangential_drag", Cable.tangential_drag),
        added_mass=ledger.default(table, "added_mass", Cable.added_mass),
        breaking_load_N=table.get("breaking_load", Cable.breaking_load_N),
        name=table.get("name", ""), summary=table.get("summary", ""),
    )  # fmt: skip
