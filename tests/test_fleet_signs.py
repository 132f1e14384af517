"""Which way every actuator of the fleet pushes.

Two kinds of test. The rules are independent of our numbers: names say where a thing is (bow, port, upper), mechanics
says how force and moment go together (M = -x Z, N = x Y), and each source says which way a positive angle turns.
The table SIGNS was recorded from the model and then read through against those conventions; it is no proof of itself
and only notices later slips: a thruster turned round, a fin moved to the other end.
"""

from __future__ import annotations

import numpy as np
import pytest

from pelagos.vehicle.library import list_vehicles
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant

SIGNS = {
    "bluerov2": {
        "front_starboard": "+X -Y -N",
        "front_port": "+X +Y +N",
        "rear_starboard": "-X -Y +N",
        "rear_port": "-X +Y -N",
        "vertical_starboard": "-Z -K",
        "vertical_port": "-Z +K",
    },
    "bluerov2_heavy": {
        "front_starboard": "+X -Y +K +M -N",
        "front_port": "+X +Y -K +M +N",
        "rear_starboard": "-X -Y +K -M +N",
        "rear_port": "-X +Y -K -M -N",
        "vertical_front_starboard": "-Z -K +M",
        "vertical_front_port": "-Z +K +M",
        "vertical_rear_starboard": "-Z -K -M",
        "vertical_rear_port": "-Z +K -M",
    },
    "delphin2": {
        "propeller": "+X",
        "bow_tunnel": "+Y +N",
        "stern_tunnel": "+Y -N",
        "rudder": "-Y +N",
    },
    "dsrv": {
        "stern_planes": "+Z -M",
    },
    "dsrv_mss": {
        "stern_planes": "+Z -M",
    },
    "eca_a9": {
        "propeller": "+X",
        "fin_starboard_upper": "+Y +Z +K +M -N",
        "fin_starboard_lower": "+Y -Z -K -M -N",
        "fin_port_lower": "+Y +Z -K +M -N",
        "fin_port_upper": "+Y -Z +K -M -N",
    },
    "gavia": {
        "propeller": "+X",
        "upper_rudder": "+Y +K -N",
        "lower_rudder": "+Y -K -N",
        "starboard_plane": "-Z -K -M",
        "port_plane": "-Z +K -M",
    },
    "gavia_author": {
        "propeller": "+X",
        "upper_rudder": "+Y +K -N",
        "lower_rudder": "+Y -K -N",
        "starboard_plane": "+Z +K -M",
        "port_plane": "+Z -K -M",
    },
    "iver3": {
        "propeller": "+X -K",
        "rudder": "+Y -N",
        "stern_planes": "-Z -M",
    },
    "kaxan": {
        "port": "+X -M +N",
        "starboard": "+X -M -N",
        "vertical": "+Z -M",
        "lateral": "+Y -N",
    },
    "lauv": {
        "propeller": "+X",
        "rudder": "+Y -N",
        "stern_planes": "-Z -M",
    },
    "lrauv_tethys": {
        "propeller": "+X",
        "rudder": "-X +Y -N",
        "elevator": "-X -Z -M",
        "battery": "-M",
        "buoyancy_engine": "-Z -M",
        "drop_weight": "+Z +M",
    },
    "npsauv": {
        "propeller": "+X",
        "rudder": "+Y -N",
        "stern_planes": "-Z -M",
        "port_bow_plane": "-Z +M",
        "starboard_bow_plane": "-Z +M",
    },
    "phoenix": {
        "port_screw": "+X +N",
        "starboard_screw": "+X -N",
        "bow_vertical": "+Z -M",
        "stern_vertical": "+Z +M",
        "bow_lateral": "+Y +N",
        "stern_lateral": "+Y -N",
        "bow_rudders": "-X +Y +N",
        "stern_rudders": "-X +Y -N",
        "bow_planes": "-X -Z +M",
        "stern_planes": "-X -Z -M",
    },
    "phoenix_author": {
        "port_screw": "+X +N",
        "starboard_screw": "+X -N",
        "bow_vertical": "+Z +M",
        "stern_vertical": "+Z -M",
        "bow_lateral": "-Y -N",
        "stern_lateral": "-Y +N",
        "bow_rudders": "+Y +N",
        "stern_rudders": "+Y -N",
        "bow_planes": "-Z +M",
        "stern_planes": "-Z -M",
    },
    "phoenix_printed": {
        "port_screw": "+X +N",
        "starboard_screw": "+X -N",
        "bow_vertical": "-Z -M",
        "stern_vertical": "-Z +M",
        "bow_lateral": "+Y +N",
        "stern_lateral": "+Y -N",
        "bow_rudders": "+Y +N",
        "stern_rudders": "+Y -N",
        "bow_planes": "-Z +M",
        "stern_planes": "-Z -M",
    },
    "remus100": {
        "propeller": "+X -K",
        "rudder": "+Y -N",
        "stern_planes": "-Z -M",
    },
    "remus100_mss": {
        "propeller": "+X +K",
        "rudder": "-X -Y +N",
        "stern_planes": "-X -Z -M",
    },
    "rexrov": {
        "vertical_rear_port": "+X +Y -Z +K -M -N",
        "vertical_rear_starboard": "+X -Y -Z -K -M +N",
        "vertical_front_port": "-X +Y -Z +K +M +N",
        "vertical_front_starboard": "-X -Y -Z -K +M -N",
        "rear_port": "+X -Y -K -M +N",
        "rear_starboard": "+X +Y +K -M -N",
        "front_port": "-X -Y -K +M -N",
        "front_starboard": "-X +Y +K +M +N",
    },
    "seagrant1": {
        "port": "+X +N",
        "starboard": "+X -N",
        "lateral": "+Y",
        "port_vertical": "+Z -K",
        "starboard_vertical": "+Z +K",
    },
    "seagrant1_pump": {
        "port": "+X +N",
        "starboard": "+X -N",
        "lateral": "+Y",
        "port_vertical": "+Z -K",
        "starboard_vertical": "+Z +K",
    },
    "seawing": {
        "buoyancy_engine": "-Z",
        "battery": "-M",
        "lateral_trim": "+K",
    },
    "slocum": {
        "buoyancy_engine": "-Z +M",
        "battery": "-M",
    },
    "suboff": {
        "tow": "+X",
        "rudder": "+Y -N",
        "stern_planes": "-Z -M",
    },
    "torpedo": {
        "propeller": "+X -K",
        "rudder": "-X +Y -N",
        "stern_planes": "-X -Z -M",
    },
}
SIGNS["phoenix_published"] = SIGNS["phoenix"]
SMALL_THRUST, SMALL_HELM = 1e-3, 2e-2  # components below this share of the largest are left out of the table


def signs(wrench: np.ndarray, small: float) -> str:
    """The axes a wrench acts on, with their signs: "+X -N"."""
    size = np.abs(wrench).max()
    return " ".join(
        f"{'+' if x > 0.0 else '-'}{a}" for a, x in zip("XYZKMN", wrench, strict=True) if abs(x) > small * size
    )


def of_thruster(vehicle, i: int) -> str:
    """Half ahead, at rest."""
    plant = Plant(vehicle)
    drives = np.zeros(len(vehicle.thrusters))
    drives[i] = 0.5 * vehicle.thrusters[i].maximum
    plant.set_actuators(thrusters=drives, at_once=True)
    return signs(plant.forces()["thrusters"], SMALL_THRUST)


def of_surface(vehicle, i: int) -> str:
    """A small positive angle at 2 m/s; a screw that washes the fins turns."""
    plant = Plant(vehicle)
    washed = any(fin.wash_thruster >= 0 for fin in vehicle.fins)
    drives = [0.4 * t.maximum if washed else 0.0 for t in vehicle.thrusters]
    plant.place(nu=[2.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    wrench = []
    for angle in (0.0, 0.05):
        angles = np.zeros(len(vehicle.surfaces))
        angles[i] = angle
        plant.set_actuators(thrusters=drives, surfaces=angles, at_once=True)
        forces = plant.forces()
        wrench.append(forces["coefficients"] + forces["fins"])
    return signs(wrench[1] - wrench[0], SMALL_HELM)


def of_ballast(vehicle, i: int) -> str:
    """A tenth of the way from the initial value to the larger end of its range, level and at rest; per increase."""
    plant, item = Plant(vehicle), vehicle.ballast[i]
    change = 0.1 * ((item.maximum if item.maximum > item.initial else item.minimum) - item.initial)
    before = plant.forces()["restoring"]
    plant.state["actuators"]["ballast"][i] += change
    return signs((plant.forces()["restoring"] - before) * np.sign(change), SMALL_THRUST)


@pytest.mark.parametrize("key", SIGNS)
def test_every_actuator_pushes_the_right_way(key: str) -> None:
    vehicle = load_vehicle(key)
    directions = {t.name: of_thruster(vehicle, i) for i, t in enumerate(vehicle.thrusters)}
    directions |= {s.name: of_surface(vehicle, i) for i, s in enumerate(vehicle.surfaces)}
    directions |= {b.name: of_ballast(vehicle, i) for i, b in enumerate(vehicle.ballast)}
    assert directions == SIGNS[key]


def test_the_whole_fleet_is_in_the_table() -> None:
    assert {entry.key for entry in list_vehicles()} == set(SIGNS)


# ---- rules that do not come from the model --------------------------------------------------------------------------

PLACES = {  # word in a name: (axis, sign of the position)
    "bow": (0, 1), "front": (0, 1), "stern": (0, -1), "rear": (0, -1), "port": (1, -1), "starboard": (1, 1),
    "upper": (2, -1), "lower": (2, 1),
}  # fmt: skip
# B44-B46: the text's two impossible sign pairs are made by putting the vertical thrusters at the wrong ends
MISPLACED = {("phoenix_author", "bow_vertical"), ("phoenix_author", "stern_vertical")}
MISPLACED |= {("phoenix_printed", "bow_vertical"), ("phoenix_printed", "stern_vertical")}

# positive rudder turns to port (nose left, N < 0) in the sources, but for two that count it the other way
RUDDER_TO_STARBOARD = {"remus100_mss", "delphin2"}
# Z_ds > 0 beside M_ds < 0, as the source prints it: flagged in the files
INCONSISTENT_PLANES = {"dsrv", "dsrv_mss", "gavia_author"}


def test_things_are_where_their_names_say() -> None:
    judged = 0
    for key in SIGNS:
        vehicle = load_vehicle(key)
        for item in (*vehicle.thrusters, *vehicle.fins):
            for word in item.name.split("_"):
                if word in PLACES and (key, item.name) not in MISPLACED:
                    axis, sign = PLACES[word]
                    if item.position_b[axis] != 0.0:
                        assert np.sign(item.position_b[axis]) == sign, f"{key}: {item.name} at {item.position_b}"
                        judged += 1
    assert judged > 60


@pytest.mark.parametrize("key", SIGNS)
def test_rudders_and_planes_turn_as_their_source_says(key: str) -> None:
    """Errata B25, G8, G9 and the oracles' READMEs: signs of force, of moment, and of the two together."""
    vehicle = load_vehicle(key)
    for i, surface in enumerate(vehicle.surfaces):
        words = set(surface.name.split("_"))
        axes = dict((part[1], part[0]) for part in of_surface(vehicle, i).split())
        if any("rudder" in word for word in words):
            bow, starboard = "bow" in words, key in RUDDER_TO_STARBOARD
            assert axes["N"] == ("+" if bow != starboard else "-")
            assert (axes["Y"] == axes["N"]) == bow  # N = x Y
        elif {"planes", "plane", "elevator"} & words:
            bow = "bow" in words
            assert axes["M"] == ("+" if bow else "-")
            assert (axes["Z"] == axes["M"]) != bow or key in INCONSISTENT_PLANES  # M = -x Z


def test_screws_push_ahead_and_turn_by_their_side() -> None:
    """A screw to port of the middle turns to starboard: N = -y X (errata B41, R17)."""
    judged = 0
    for key in ("phoenix", "seagrant1", "kaxan"):
        vehicle = load_vehicle(key)
        for i, thruster in enumerate(vehicle.thrusters):
            side = thruster.name.removesuffix("_screw")
            if side in ("port", "starboard"):
                axes = of_thruster(vehicle, i).split()
                assert "+X" in axes and ("+N" if side == "port" else "-N") in axes
                judged += 1
    assert judged == 6
