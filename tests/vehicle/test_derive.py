"""All estimates of one vehicle together, next to what was published and measured for it."""

import numpy as np

from pelagos.vehicle import derive
from tests.vehicle.compare import within
from tests.vehicle.derive.test_hull import suboff_stations

RHO = 1025.0


def test_suboff_captive_model():
    """Measured derivatives (Roddy 1990, prime system, L = 4.26086 m) next to the estimates."""
    length = 4.2608602
    force, moment = 0.5 * length**2, 0.5 * length**3  # density 1
    hull = suboff_stations()
    added, _ = derive.strip_added_mass(hull, 1.0)
    within("SUBOFF Z_wdot'", -added[2, 2] / (0.5 * length**3), -0.014529, 1.3)  # strips carry all the displaced water
    within("SUBOFF M_qdot'", -added[4, 4] / (0.5 * length**5), -0.00086, 1.3)
    lift, _ = derive.body_lift(4.3561, 0.508, 1.0, stations=hull)
    within("SUBOFF bare hull Y_v'", lift["Y_uv"] / force, -0.005948, 2.7)
    part, how = derive.body_lift(4.3561, 0.508, 1.0, stations=hull, share=0.4)
    within("SUBOFF bare hull Y_v' at 0.4", part["Y_uv"] / force, -0.005948, 1.1)
    munk = -(added[1, 1] - added[0, 0])
    within("SUBOFF bare hull N_v' at 0.4", (part["N_uv"] + munk) / moment, -0.012795, 1.25)
    assert how.endswith("taken at 0.4")
    slope = derive.fin_lift_slope(2 * 0.1713**2 / 0.03295)
    arm = 2.013 - (4.0069874 - 0.75 * 0.1924)  # quarter chord behind the moment centre
    planes, _ = derive.fin_coefficients(
        "planes", area_m2=2 * 0.03295, lift_slope_1_rad=slope, x_m=arm, density_kg_m3=1.0
    )
    within("SUBOFF Z_ds'", planes["Z_uuds"] / force, -0.005603, 1.6)  # hull wake: 0.69 of the free-stream lift
    within("SUBOFF M_ds'", planes["M_uuds"] / moment, -0.002409, 1.6)


def test_remus_next_to_prestero():
    """REMUS 100 (Prestero 2001): 1.33 m, 0.191 m, 30.48 kg."""
    lamb, _ = derive.spheroid_added_mass(1.33, 0.191, 1030.0, 30.48)
    tube, _ = derive.cylinder_added_mass(1.33, 0.191, 1030.0, 30.48)
    within("REMUS X_udot, spheroid", lamb[0, 0], 0.93, 1.3)
    within("REMUS X_udot, 0.1 m", tube[0, 0], 0.93, 3.4)
    within("REMUS Y_vdot, spheroid", lamb[1, 1], 35.5, 1.3)
    within("REMUS Y_vdot, cylinder", tube[1, 1], 35.5, 1.15)
    within("REMUS N_rdot, spheroid", lamb[5, 5], 4.88, 2.3)  # fins far aft are in the published value
    within("REMUS N_rdot, cylinder", tube[5, 5], 4.88, 1.25)
    x_uu, _ = derive.axial_drag(1.33, 0.191, 1030.0, 1.19e-6, 1.54, wetted_area_m2=0.709)
    within("REMUS X_uu, ITTC", x_uu, -1.62, 1.1)
    flat, _ = derive.axial_drag(1.33, 0.191, 1030.0, 1.19e-6, 1.54, rule="constant")
    within("REMUS X_uu, Cd 0.2", flat, -2.94, 1.02)  # the DSTO set uses the same constant
    fins, _ = derive.fin_coefficients(
        "rudder", area_m2=2 * 0.00665, lift_slope_1_rad=3.12, x_m=-0.638, density_kg_m3=1030.0
    )
    within("REMUS Y_uudr", fins["Y_uudr"], 9.64, 2.3)  # 21.4 by theory; published is 45 % of its own formula
    strips, _ = derive.crossflow_from_hull(length_m=1.33, diameter_m=0.191, viscosity_m2_s=1.19e-6, cd=1.1)
    z_ww = 0.5 * 1030.0 * float(np.dot(strips.weight_m, np.multiply(strips.breadth_m, strips.cd_z)))
    within("REMUS Z_ww, cylinder of Cd 1.1", z_ww, 131.0, 1.15)


def test_lauv_next_to_da_silva():
    """LAUV (da Silva et al. 2007): 1.08 m, 0.15 m, 18 kg."""
    lamb, _ = derive.spheroid_added_mass(1.08, 0.15, RHO, 18.0)
    within("LAUV X_udot", lamb[0, 0], 1.0, 1.7)
    within("LAUV Y_vdot", lamb[1, 1], 16.0, 1.1)
    within("LAUV N_rdot", lamb[5, 5], 1.3, 1.6)
    lift, _ = derive.body_lift(1.08, 0.15, RHO)
    within("LAUV body part of Y_uv", lift["Y_uv"], -10.96, 1.35)  # theirs takes the same slope on pi R^2, not D^2
    x_uu, _ = derive.axial_drag(1.08, 0.15, RHO, 1.19e-6, 1.43)
    within("LAUV drag at 1.43 m/s, bare hull", -x_uu * 1.43**2, 8.33976, 4.0)  # fins, antennas, fittings are the rest
