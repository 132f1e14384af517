"""The words of the command line about tethers: the options of `pelagos run`, and `pelagos cable`."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable

from pelagos.tether.cable import Cable

CABLE_EXAMPLES = """\
examples:
  pelagos cable                                the cables that come with Pelagos
  pelagos cable fathom_7_6mm                   every number of one
  pelagos cable my_cable.toml                  of a file of your own
  pelagos run bluerov2_heavy --cable my_cable.toml --tether-length-m 80

Where each number of a library cable comes from is in `pelagos describe` of a vehicle that has it.
"""

Add = Callable[..., argparse.ArgumentParser]


def add_tether(fly: argparse.ArgumentParser) -> None:
    """The options of `pelagos run`; any of them rigs a tether."""
    group = fly.add_argument_group(
        "tether",
        "a cable from a ship to the vehicle; any of these options rigs it, the rest is as the vehicle's file says",
    )
    group.add_argument(
        "--tether", nargs="?", const="dynamic", metavar="MODE",
        help="dynamic (default): moves, stretches, wraps; static: at rest at every instant; royer: the 1985 thesis",
    )  # fmt: skip
    group.add_argument("--tether-length-m", type=float, metavar="X", help="length paid out; default: the vehicle's")
    group.add_argument(
        "--tether-ratio", type=float, metavar="K",
        help="pay out K times the distance from ship to vehicle: 1.1 is tight, 2 is loose",
    )  # fmt: skip
    group.add_argument("--cable", metavar="NAME", help="library cable or .toml file; see pelagos cable")
    group.add_argument("--ship", metavar="HOW", help="moored (default): stays above the start; follow: goes after it")


def add_cable(add: Add) -> None:
    """Put `pelagos cable` into the parser."""
    shown = add("cable", cable, "list the cables for tethers, or show the numbers of one", CABLE_EXAMPLES)
    shown.add_argument("name", nargs="?", help="library cable or .toml file; without it: the list")


def cable(arguments: argparse.Namespace) -> int:
    """Describe one cable, or list them."""
    from pelagos.vehicle.load_parts import part_names
    from pelagos.vehicle.load_tether import load_cable

    if arguments.name:
        print(described(load_cable(arguments.name)))
        return 0
    names = part_names("cable")
    width = max(len(name) for name in names)
    for name in names:
        print(f"{name:<{width}}  {load_cable(name).summary}")
    return 0


def described(cable: Cable) -> str:
    """Every number of a cable in words and units."""
    sea = 1025.0, 9.80665  # kg/m3, m/s2
    weight = "neutral in any water" if cable.neutral else f"{cable.weight_in(*sea):.3g} N/m in sea water"
    never = "not known: never parts, pull unlimited but by its stiffness"
    rows = (
        ("diameter", f"{1e3 * cable.diameter_m:g} mm"),
        ("weight", weight),
        ("mass", f"{cable.mass_in(sea[0]):.3g} kg/m"),
        ("stiffness EA", f"{cable.stiffness_N:.3g} N per unit strain"),
        ("damping BA", f"{cable.damping_Ns:.3g} N s"),
        ("drag across it", f"{cable.normal_drag:g} on its diameter"),
        ("drag along it", f"{cable.tangential_drag:g} on pi times its diameter"),
        ("added mass", f"{cable.added_mass:g} times the water it displaces, across it"),
        ("breaking load", f"{cable.breaking_load_N:.4g} N" if math.isfinite(cable.breaking_load_N) else never),
    )
    title = cable.name or cable.key
    return "\n".join([title, *([cable.summary] if cable.summary else []), "", *(f"  {a:<16}{b}" for a, b in rows)])
