"""Table 6.2 as printed: every coefficient of the NPS AUV II in the document's units, and its corrected form.

`PRINTED` is the table itself. `corrected()` is what the equations need: the numbers by the names of vehicle files, with
the misprints resolved; it does not look at the vehicle file it is compared with.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

FEET_PER_INCH = 1.0 / 12.0
LENGTH_FT = 7.302
PER_DEGREE = math.pi / 180.0  # the K_p = K_p|p| (pi/180 deg) of the table: equal at 1 deg/s, so it carries rad/s
Y_FIN, Z_FIN, X_FIN = 1.18e-2, -2.11e-2, -1.018e-2
BOW_ARM, STERN_ARM = 0.283, 0.377


@dataclass(frozen=True)
class Entry:
    """One line of the table.

    Args:
        group: heading it stands under.
        symbol: as printed.
        value: as printed; None where no value is printed.
        unit: as printed; "" for a pure number.
        name: in a vehicle file; "" where the file must do without it (zero, or not a coefficient).
        errata: misprints that bear on it.
    """

    group: str
    symbol: str
    value: float | None
    unit: str = ""
    name: str = ""
    errata: tuple[str, ...] = ()


def _block(group: str, rows: str, unit: str = "") -> tuple[Entry, ...]:
    """Lines "symbol value name": without a name the symbol is the name, "-" is none."""
    entries: list[Entry] = []
    for row in rows.split(";"):
        symbol, value, *name = row.split()
        entries.append(Entry(group, symbol, float(value), unit, "" if name == ["-"] else name[0] if name else symbol))
    return tuple(entries)


BODY: tuple[Entry, ...] = (
    Entry("body", "W", 435.0, "lb", errata=("B29",)),
    Entry("body", "B", 435.0, "lb"),
    Entry("body", "L", LENGTH_FT, "ft", errata=("B30",)),
    Entry("body", "g", 32.174, "ft/s2"),
    Entry("body", "rho", 1.94, "slug/ft3"),
    Entry("body", "m", 13.52, "slug"),
    Entry("body", "I_x", 2.7, "slug ft2", errata=("B28",)),
    Entry("body", "I_y", 42.0, "slug ft2", errata=("B28",)),
    Entry("body", "I_z", 45.0, "slug ft2", errata=("B28",)),
    Entry("body", "I_xy", 0.0, "slug ft2"),
    Entry("body", "I_xz", 0.0, "slug ft2"),
    Entry("body", "I_yz", 0.0, "slug ft2"),
    Entry("places", "x_G", 0.125, "in", errata=("B30",)),
    Entry("places", "y_G", 0.0, "in"),
    Entry("places", "z_G", 1.07, "in", errata=("B30",)),
    Entry("places", "x_B", 0.125, "in", errata=("B30",)),
    Entry("places", "y_B", 0.0, "in"),
    Entry("places", "z_B", 0.0, "in"),
    Entry("places", "x_bow-vertical", 1.41, "ft"),
    Entry("places", "x_stern-vertical", -1.41, "ft"),
    Entry("places", "x_bow-lateral", 1.92, "ft"),
    Entry("places", "x_stern-lateral", -1.92, "ft"),
    Entry("places", "y_port-propeller", -3.75, "in", errata=("B30",)),
    Entry("places", "y_stbd-propeller", 3.75, "in", errata=("B30",)),
)
SURGE: tuple[Entry, ...] = (
    *_block("surge", "X_udot -2.82e-3; X_vdot 0 -; X_wdot 0 -; X_pdot 0 -; X_qdot 0 -; X_rdot 0 -"),
    *_block("surge", "X_uu 0 -; X_vv 0 -; X_ww 0 -; X_pp 0 -; X_qq 0 -; X_rr 0 -"),
    *_block("surge", "X_uqdb 0 -; X_uqds 0 -; X_urdr 0 -; X_uvdr 0 -; X_uwdb 0 -; X_uwds 0 -"),
    *_block("surge", "X_u|u|dbdb -1.018e-2 X_u|u|dpbdpb; X_u|u|dsds -1.018e-2 X_u|u|dpsdps"),
    *_block("surge", "X_u|u|drdr -1.018e-2 X_u|u|drbdrb; X_pr 0 -; X_wq 0 -; X_vp 0 -; X_vr 0 -"),
    Entry("surge", "C_d0", 0.00778, "", "X_u|u|", ("B35",)),
)
SWAY: tuple[Entry, ...] = (
    *_block("sway", "Y_vdot -3.43e-2"),
    Entry("sway", "Y_rdot", -1.78e-1, "", "Y_rdot", ("B16",)),
    *_block("sway", "Y_uv -1.07e-1; Y_ur 0 -; Y_u|u|drb 1.18e-2; Y_u|u|drs 1.18e-2"),
    Entry("sway", "C_dy", None, "", "C_dy", ("B17",)),
)
HEAVE: tuple[Entry, ...] = (
    Entry("heave", "Z_wdot", -9.43e-2, "", "Z_wdot", ("B20",)),
    *_block("heave", "Z_qdot -2.53e-3"),
    Entry("heave", "Z_uv", -7.844e-1, "", "Z_uw", ("B19", "B33")),
    Entry("heave", "Z_uq", -7.013e-2, "", "Z_uq", ("B21",)),
    *_block("heave", "Z_u|u|dpb -2.11e-2; Z_u|u|dps -2.11e-2"),
    Entry("heave", "C_dy", 0.6, "", "C_dz", ("B18",)),
)
ROLL: tuple[Entry, ...] = (
    *_block("roll", "K_pdot -2.4e-4; K_|u|p -5.4e-3"),
    Entry("roll", "K_p|p|", -2.02e-2, "", "K_p|p|", ("B31",)),
    Entry("roll", "K_p", -2.02e-2 * PER_DEGREE, "1/s", "K_p", ("B26",)),
)
PITCH: tuple[Entry, ...] = (
    *_block("pitch", "M_wdot -2.53e-3; M_qdot -6.25e-3; M_uw 0 -; M_uq -1.53e-2"),
    Entry("pitch", "M_u|u|dpb", -BOW_ARM * LENGTH_FT * Z_FIN, "", "M_u|u|dpb", ("B24", "B25")),
    Entry("pitch", "M_u|u|dps", STERN_ARM * LENGTH_FT * Z_FIN, "", "M_u|u|dps", ("B24", "B25")),
    *_block("pitch", "M_q|q| -7.0e-3"),
    Entry("pitch", "M_q", -7.0e-3 * PER_DEGREE, "1/s", "M_q", ("B26",)),
)
YAW: tuple[Entry, ...] = (
    *_block("yaw", "N_vdot -1.78e-3"),
    Entry("yaw", "N_rdot", -4.7e-4, "", "N_rdot", ("B32",)),
    *_block("yaw", "N_uv 0 -; N_ur -3.90e-3"),
    Entry("yaw", "N_u|u|drb", BOW_ARM * LENGTH_FT * Y_FIN, "", "N_u|u|drb", ("B24", "B25", "B34")),
    Entry("yaw", "N_u|u|drs", STERN_ARM * LENGTH_FT * Y_FIN, "", "N_u|u|drs", ("B24", "B25")),
    Entry("yaw", "N_r|r|", -5.48e-3, "", "N_r|r|", ("B60",)),
    Entry("yaw", "N_r", -5.48e-3 * PER_DEGREE, "1/s", "N_r", ("B26",)),
)
PRINTED: tuple[Entry, ...] = (*BODY, *SURGE, *SWAY, *HEAVE, *ROLL, *PITCH, *YAW)

STATIONS_IN = (-43.9, -39.2, -35.2, -31.2, -27.2, -10.0, 0.0, 10.0, 26.8, 32.0, 37.8, 40.8, 42.3, 43.3, 43.7)
HEIGHT_IN = (0.0, 2.7, 5.2, 7.6, 10.1, 10.1, 10.1, 10.1, 10.1, 9.6, 7.6, 5.6, 4.2, 2.3, 0.0)
BREADTH_IN = (16.5,) * 9 + (15.5, 12.4, 9.5, 7.0, 4.0, 0.0)


def corrected() -> dict[str, float]:
    """Everything (6.39)-(6.54) needs, ft, lb, slug: Table 6.2 with errata B16-B30 applied and C_dy of the author."""
    inch = FEET_PER_INCH
    values: dict[str, float] = {e.name: e.value for e in PRINTED if e.name and e.value is not None}
    values |= {"W": 435.0, "B": 435.0, "L": 87.625 * inch, "g": 32.174, "rho": 1.94}
    values |= {"I_x": 2.7, "I_y": 42.0, "I_z": 45.0, "I_xy": 0.0, "I_xz": 0.0, "I_yz": 0.0}
    values |= {"x_G": 0.125 * inch, "y_G": 0.0, "z_G": 1.07 * inch, "x_B": 0.125 * inch, "y_B": 0.0, "z_B": 0.0}
    values |= {"x_bv": 1.41, "x_sv": -1.41, "x_bl": 1.92, "x_sl": -1.92, "y_port": -3.75 * inch, "y_stbd": 3.75 * inch}
    values |= {"C_d0": 0.00778, "C_dy": 0.5, "C_dz": 0.6, "speed_per_rpm": 2.0 / 700.0}
    values |= {"Y_rdot": -1.78e-3, "Z_wdot": -9.34e-2, "X_u|u|drsdrs": X_FIN}
    values |= {"M_u|u|dpb": -BOW_ARM * Z_FIN, "M_u|u|dps": STERN_ARM * Z_FIN}
    values |= {"N_u|u|drb": BOW_ARM * Y_FIN, "N_u|u|drs": STERN_ARM * Y_FIN}
    del values["X_u|u|"]  # the drag stands in the propulsion bracket of (6.48)
    return values
