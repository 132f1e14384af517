"""The tether of a simulation: settings, shape at the start, log columns, payout orders, and places of its ship."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest

import pelagos
from pelagos.errors import CommandError, ScenarioError
from pelagos.frames import quaternion_from_euler, rotation_from_quaternion
from pelagos.sim.tether import POINTS, TETHER_COLUMNS
from pelagos.tether.spec import Cable, Status, Tether
from pelagos.world.seabed.seabed import Seabed
from pelagos.world.spec import World
from pelagos.world.structure import Structure
from tests.sim.tethered import rov


def test_without_a_tether_nothing_is_added():
    log = rov(None).run(0.5)
    assert not set(TETHER_COLUMNS) & set(log.columns)
    assert not log.forces["tether"].any()
    assert log.meta["tether"] == "none"


def test_true_is_the_cable_of_the_vehicles_file():
    sim = rov(True)
    log = sim.run(0.5)
    mount = sim.vehicle.tether
    assert sim.tether.cable == mount.cable and log["tether_length_m"][0] == mount.length_m
    assert "fathom" in log.meta["tether_cable"]
    np.testing.assert_array_equal(sim.plant.command["pull"]["fairlead"], mount.fairlead_b)


def test_the_ship_lies_above_the_start_and_the_shape_goes_from_it_to_the_fairlead():
    sim = rov(Tether(length_m=40.0))
    log = sim.run(2.0)
    for i in (0, -1):
        ship = [log[f"tether_00_{axis}_m"][i] for axis in ("north", "east", "depth")]
        np.testing.assert_allclose(ship, [0.0 - 0.23, 0.0, 0.0], atol=1e-9)  # above the fairlead, 0.23 m aft
    end = [log[f"tether_{POINTS - 1}_{axis}_m"][-1] for axis in ("north", "east", "depth")]
    place, _ = sim.plant.fairlead()
    np.testing.assert_allclose(end, place, atol=1e-9)


def test_the_force_in_the_log_is_the_one_that_moves_the_vehicle():
    """M dv/dt less all other forces is the pull of the log, over each 20 ms of a manoeuvre that draws it taut.

    The pull of a step is that of its end, as the cable is implicit in time; the others are taken as the mean of both
    ends. What is left is h/2 times their change within a step: 0.6 to 2.1 % of the pull, rms. A pull of the step before
    would leave 3.7 % in surge.
    """
    sim = rov(Tether(length_m=21.0), control_rate_hz=50.0)
    inertia, forces, logged = sim.plant.packed.mass_matrix, [], []
    for sticks in (
        {"surge": 0.7, "yaw": 0.2},
        {"sway": -0.6, "heave": 0.5},
        {"surge": -0.5, "yaw": -0.5, "heave": -0.4},
    ):
        sim.pilot(**sticks)
        log = sim.run(6.0)
        rates = [np.radians(log[f"{axis}_rate_deg_s"]) for axis in ("roll", "pitch", "yaw")]
        nu = np.column_stack([log["surge_m_s"], log["sway_m_s"], log["heave_m_s"], *rates])
        rest = np.sum([force for name, force in log.forces.items() if name != "tether"], axis=0)
        forces.append(np.diff(nu, axis=0) * 50.0 @ inertia.T - 0.5 * (rest[1:] + rest[:-1]))
        logged.append(log.forces["tether"])
    pull = np.concatenate([now[1:] for now in logged])
    size = np.sqrt(np.mean(pull**2, axis=0))
    assert (size[:3] > 2.0).all() and (size[4:] > 0.5).all() and size[3] == 0.0  # the fairlead lies on the roll axis
    left = np.sqrt(np.mean((np.concatenate(forces) - pull) ** 2, axis=0))
    moving = size > 0.0
    assert (left[moving] < 0.03 * size[moving]).all()
    late = np.sqrt(np.mean((np.concatenate(forces) - np.concatenate([now[:-1] for now in logged])) ** 2, axis=0))
    assert late[0] > 0.03 * size[0]  # so the test would see it


def test_pull_and_shape_of_the_log_belong_together():
    """The pull has the size of the tension and goes, but for the bend of half an element, along the cable's end.

    Its moment is that about the origin, 0.23 m ahead of the fairlead.
    """
    sim = rov(Tether(length_m=21.0))
    sim.pilot(surge=0.5)
    log = sim.run(8.0)
    strong = log["tether_tension_N"] > 10.0
    assert strong.sum() > 20
    force, moment = log.forces["tether"][strong, :3], log.forces["tether"][strong, 3:]
    size = np.linalg.norm(force, axis=1)
    np.testing.assert_allclose(size, log["tether_tension_N"][strong], rtol=1e-6)
    np.testing.assert_allclose(moment, np.cross([-0.23, 0.0, 0.0], force), atol=1e-9)
    ends = [
        np.column_stack([log[f"tether_{i}_{axis}_m"] for axis in ("north", "east", "depth")])[strong]
        for i in (POINTS - 2, POINTS - 1)
    ]
    along = ends[0] - ends[1]
    along /= np.linalg.norm(along, axis=1)[:, np.newaxis]
    turned = np.column_stack([log[f"q{i}"] for i in range(4)])[strong]
    pull_n = np.array([rotation_from_quaternion(q) @ f for q, f in zip(turned, force, strict=True)])
    # over the last metre drag across it is 0.5 x 1025 x 0.0076 x 1.2 x (1 m/s)^2 = 5 N: a tenth to a third of the pull
    assert ((pull_n * along).sum(axis=1) > np.cos(np.arctan(5.0 / size)) * size).all()


def test_a_tension_winch_lets_the_vehicle_go_and_keeps_pulling():
    """Flown away in 0.3 m/s: at the ship the set 30 N and the drum's drag, at the vehicle the same within what drags.

    Along the cable drag is 0.5 x 1025 x 0.0076 x pi x 0.01 = 0.12 N/m at 1 m/s, less than 2.5 N on 32 m at 0.8 m/s.
    """
    world = World(depth_m=80.0, current_m_s=0.3, current_to_deg=90.0)
    winch = Tether(length_m=21.0, payout="tension", tension_N=30.0, drum_drag_Ns_m=10.0, ship_depth_m=1.0)
    sim = rov(winch, world)
    sim.pilot(surge=0.5)
    log = sim.run(40.0)
    flying = log["time_s"] > 10.0
    rate, length = log["tether_rate_m_s"][flying], log["tether_length_m"][flying]
    assert (rate > 0.05).all() and length[-1] > length[0] + 8.0  # it does fly away
    np.testing.assert_allclose(np.diff(length) / 0.1, 0.5 * (rate[1:] + rate[:-1]), atol=0.05)
    np.testing.assert_allclose(log["tether_ship_tension_N"][flying], 30.0 + 10.0 * rate, rtol=1e-3)  # Newton's
    pull = np.linalg.norm(log.forces["tether"][flying, :3], axis=1)
    np.testing.assert_allclose(pull, log["tether_ship_tension_N"][flying], atol=2.5)
    assert not any(int(s) & Status.NOT_CONVERGED for s in log["tether_status"])


def towards(velocity_n):
    """An external force that keeps a vehicle of half a tonne near a velocity, NED."""

    def force(state):
        R = rotation_from_quaternion(quaternion_from_euler(state.roll, state.pitch, state.yaw))
        return np.concatenate([4000.0 * (R.T @ velocity_n - state.nu[:3]), np.zeros(3)])

    return force


@pytest.mark.slow
@pytest.mark.parametrize("elements", [50, 100])
def test_flown_across_a_bar_and_back_it_is_free_again(elements):
    """Under a bar as in Royer's field, 1 m square, at 2 m/s until the cable is taut over it; and back."""
    bar = Structure(kind="box", name="bar", center_m=(0.0, 0.0, 20.0), size_m=(1.0, 20.0, 1.0))
    world = World(depth_m=60.0, current_m_s=0.2, current_to_deg=180.0, structures=(bar,))
    tether = Tether(length_m=37.0, elements=elements, ship_north_m=-3.0, ship_east_m=0.0, ship_depth_m=1.0)
    sim = pelagos.Simulation("seagrant1", world, tether=tether)
    sim.place(north_m=-3.0, depth_m=30.0)
    logs = []
    for north_m_s, seconds in ((2.4, 9.0), (0.0, 10.0)):
        sim.external(towards((north_m_s, 0.0, 0.0)))
        logs.append(sim.run(seconds))
    assert logs[0]["surge_m_s"].max() > 2.0 and logs[1]["north_m"][-1] > 10.0
    assert sim.tether.status & Status.SNAGGED and logs[1]["tether_wrap_deg"][-1] > 15.0
    shape = sim.tether.shape_n
    beside = shape[np.abs(shape[:, 2] - 20.0) < 0.5]
    assert len(beside) and (beside[:, 0] < -0.5).all()  # south of the bar, as it hung
    # ship, the bar's two lower edges, fairlead: the cable is not shorter than the way round
    corners = [shape[0], (-0.5, 0.0, 20.5), (0.5, 0.0, 20.5), shape[-1]]
    way = sum(float(np.linalg.norm(np.subtract(b, a)[[0, 2]])) for a, b in itertools.pairwise(corners))
    assert sim.tether.length_m * (1.0 + float(sim.tether.head["strain"])) > way - 0.05
    for north_m_s, seconds in ((-2.4, 11.0), (0.0, 10.0)):
        sim.external(towards((north_m_s, 0.0, 0.0)))
        logs.append(sim.run(seconds))
    assert logs[-1]["north_m"][-1] < -5.0
    assert not sim.tether.status & Status.SNAGGED and logs[-1]["tether_wrap_deg"][-1] == 0.0
    statuses = np.concatenate([log["tether_status"] for log in logs]).astype(int)
    assert not (statuses & Status.NOT_CONVERGED).any()
    assert all(np.isfinite(log["tether_tension_N"]).all() for log in logs)


@pytest.mark.slow
def test_a_tether_holds_a_drifting_vehicle_back():
    """Without thrust in 0.3 m/s the free one drifts 0.3 m/s; the tied one ends where its 25 m allow.

    From the origin 0.23 m more: the fairlead is so far aft.
    """
    free, tied = rov(None), rov(Tether(length_m=25.0))
    a, b = free.run(180), tied.run(180)
    assert a["east_m"][-1] > 45.0
    reach = np.hypot(b["east_m"][-1], b["depth_m"][-1])
    assert reach < 25.3 and abs(b["sway_m_s"][-1]) < 0.02


@pytest.mark.parametrize("mode", ["dynamic", "static", "royer"])
def test_all_modes_hold_the_same_vehicle_in_the_same_stream(mode):
    """Seagrant held in 0.75 m/s by its 35 mm cable: at rest all three models are the same cable (errata G5).

    The vehicle is kept in place by the external force that balances; tension at 100 m with 150 m out: 426 N +- 1 %.
    """
    sim = pelagos.Simulation("seagrant1", World(current_m_s=0.75, surface=False), tether=Tether(mode=mode))
    sim.place(depth_m=100.4)  # the fairlead is 0.4 m above the origin
    log = sim.run(0.1)
    assert log["tether_tension_N"][0] == pytest.approx(426.0, rel=0.01)


def test_the_pilot_orders_the_drum():
    sim = rov(Tether(payout="ratio", ratio=1.5))
    sim.run(1.0)
    assert sim.tether.length_m == pytest.approx(30.0, rel=0.02)
    sim.tether.haul(ratio=2.0)
    log = sim.run(5.0)
    assert log["tether_ratio"][-1] == pytest.approx(2.0, rel=0.01)
    sim.tether.haul(rate_m_s=-0.5)
    length = sim.tether.length_m
    sim.run(4.0)
    assert sim.tether.length_m == pytest.approx(length - 2.0, abs=1e-6)
    sim.tether.haul(fixed=True)
    length = sim.tether.length_m
    sim.run(1.0)
    assert sim.tether.length_m == length


@pytest.mark.slow
def test_one_that_parts_lets_the_vehicle_go():
    weak = Cable(diameter_m=0.0076, neutral=True, stiffness_N=1e5, breaking_load_N=8.0)
    sim = rov(Tether(cable=weak, length_m=21.0, parts=True))
    log = sim.run(120)
    parted = [bool(int(s) & Status.PARTED) for s in log["tether_status"]]
    assert parted[-1] and not parted[0]
    assert log["tether_tension_N"].max() <= 8.0
    assert log["tether_tension_N"][-1] == 0.0 and not log.forces["tether"][-1].any()
    points = np.column_stack([log[name] for name in TETHER_COLUMNS if name[7:9].isdigit()])
    assert points.shape[1] == 3 * POINTS
    np.testing.assert_array_equal(np.isnan(points).all(axis=1), parted)  # no shape that stands still
    np.testing.assert_array_equal(np.isnan(points).any(axis=1), parted)


def test_settings_are_in_the_log():
    log = rov(Tether(length_m=33.0, elements=20)).run(0.2)
    assert "length_m=33.0" in log.meta["tether"] and "elements=20" in log.meta["tether"]


def test_save_of_another_tether_is_refused():
    saved = rov(Tether(length_m=30.0)).save()
    with pytest.raises(CommandError, match="tether"):
        rov(Tether(length_m=31.0)).restore(saved)


def test_bad_settings_get_a_sentence():
    with pytest.raises(CommandError, match=r"tether is 'dinamic'; expected one of dynamic.*did you mean .dynamic."):
        rov("dinamic")
    with pytest.raises(CommandError, match="tether is 7; expected True"):
        rov(7)
    with pytest.raises(
        CommandError, match=r"tether is \[35\.0\]; expected True, a mode such as 'dynamic', or a Tether"
    ):
        rov([35.0])
    with pytest.raises(CommandError, match=r"tether is the class Tether; expected an object of it: Tether\(\.\.\.\)"):
        rov(Tether)
    with pytest.raises(CommandError, match=r"tether is <class 'pelagos\.tether\.spec\.Cable'>; expected True"):
        rov(Cable)
    with pytest.raises(CommandError, match=r"tether is Cable\(.*; expected True"):
        rov(Cable(diameter_m=0.01, neutral=True))
    with pytest.raises(CommandError, match=r"remus100 has no \[tether\] in its file; expected a cable"):
        pelagos.Simulation("remus100", tether=True)
    with pytest.raises(CommandError, match=r"is 5; the vehicle starts 20 m from where the tether leaves the ship"):
        rov(Tether(length_m=5.0)).run(1.0)
    with pytest.raises(ScenarioError, match="mode"):
        Tether(mode="elastic")
    with pytest.raises(pelagos.errors.PelagosError, match="fathom_7_6mm"):
        rov(Tether(cable="fathom_7_5mm"))


POST = Structure(kind="cylinder", from_m=(5.0, 0.0, -5.0), to_m=(5.0, 0.0, 80.0), radius_m=1.0)
WALL = Structure(kind="box", name="quay wall", center_m=(10.0, 0.0, 30.0), size_m=(1.0, 200.0, 200.0))
CLIFF = Structure(kind="plane", name="cliff", point_m=(12.0, 0.0, 0.0), normal=(-1.0, 0.0, 0.0))
BEACH = Seabed(kind="slope", depth_m=30.0, slope_deg=45.0)  # deeper to the north


def test_a_ship_that_follows_stays_above():
    sim = rov(Tether(payout="ratio", ratio=1.3, ship="follow", ship_speed_m_s=2.0, ship_lag_s=2.0))
    sim.pilot(surge=0.6)
    log = sim.run(60)
    assert log["north_m"][-1] > 10.0
    apart = np.hypot(log["tether_00_north_m"] - log["north_m"], log["tether_00_east_m"] - log["east_m"])
    assert apart[-1] < 3.0  # a lag of 2 s at less than 1.2 m/s


@pytest.mark.parametrize(
    ("world", "ship", "expected"),
    [
        (
            World(depth_m=80.0, structures=(WALL, POST)),
            {"ship_north_m": 4.5},
            "inside structure 1; expected a place in",
        ),
        (World(depth_m=80.0, structures=(POST, WALL)), {"ship_north_m": 10.2}, "inside quay wall"),
        (World(depth_m=80.0, structures=(CLIFF,)), {"ship_north_m": 13.0}, "inside cliff"),
        (World(depth_m=30.0), {"ship_depth_m": 31.0}, "1 m below the seabed"),
        (World(seabed=BEACH), {"ship_north_m": -50.0}, "on land, 20 m above the sea"),
        (
            World(depth_m=80.0, structures=(POST,)),
            {"ship": "path", "ship_path_m": ((5.0, 0.0), (40.0, 0.0))},
            "inside structure 0",
        ),
    ],
)
def test_a_ship_that_is_not_in_the_open_is_refused(world, ship, expected):
    sim = rov(Tether(length_m=80.0, **ship), world)
    with pytest.raises(CommandError, match=f"the tether leaves the ship at north .* {expected}"):
        sim.run(0.1)


def test_a_ship_at_a_structure_is_in_the_open():
    """From a quay, 2 m above the land beside a wall: the drum need not float."""
    rov(Tether(length_m=35.0, ship_north_m=9.4, ship_depth_m=-2.0), World(depth_m=80.0, structures=(WALL,))).run(0.1)
    rov(Tether(length_m=80.0, ship_north_m=-40.0, ship_depth_m=-12.0), World(seabed=BEACH), depth_m=10.0).run(0.1)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["dynamic", "static"])
@pytest.mark.parametrize("speed", [0.0, 0.3])
def test_a_start_with_a_wall_in_between_is_refused_by_name(mode, speed):
    """30 m of cable between two places 22 m apart, and a wall of 200 m: there is no shape it could have."""
    world = World(depth_m=80.0, current_m_s=speed, current_to_deg=90.0, structures=(POST, WALL))
    far = dataclasses.replace(POST, from_m=(5.0, 40.0, -5.0), to_m=(5.0, 40.0, 80.0))
    ship = {"ship_north_m": 0.0, "ship_east_m": 0.0, "ship_depth_m": 1.0, "mode": mode}
    for structures, named in (((far, WALL), "quay wall;"), ((POST, WALL), "structure 0, quay wall;")):
        sim = rov(Tether(length_m=30.0, **ship), dataclasses.replace(world, structures=structures))
        sim.place(north_m=20.0, depth_m=10.0)
        with pytest.raises(CommandError, match=f"finds no shape at rest .*, because of {named}"):
            sim.run(0.1)


def test_the_pilot_sends_the_ship():
    sim = rov(Tether(payout="ratio", ratio=1.5))
    sim.move_ship(north_m=2.0, east_m=-1.5, speed_m_s=0.5)  # before the first tick: it is hung first
    log = sim.run(8.0)
    assert log["tether_00_north_m"][-1] == pytest.approx(2.0, abs=1e-9)
    assert log["tether_00_east_m"][-1] == pytest.approx(-1.5, abs=1e-9)
    north, east = log["tether_00_north_m"], log["tether_00_east_m"]
    assert np.hypot(north[20] - north[0], east[20] - east[0]) == pytest.approx(1.0, abs=1e-9)  # 2 s of 0.5 m/s
    saved = sim.save()
    sim.move_ship(north_m=0.0, east_m=0.0)
    there = sim.run(1.0)["tether_tension_N"].tolist()
    sim.restore(saved)
    sim.move_ship(north_m=0.0, east_m=0.0)
    assert sim.run(1.0)["tether_tension_N"].tolist() == there
    sim.reset()
    sim.place(depth_m=20.0)
    assert sim.run(1.0)["tether_00_north_m"].tolist() == [north[0]] * 11  # as new: it lies above the start


def test_a_ship_is_sent_through_open_water_only():
    sim = rov(Tether(length_m=80.0), World(depth_m=80.0, structures=(POST, WALL)))
    sim.run(0.1)
    for (north, east), sentence in (
        ((4.5, 0.0), "inside structure 0; expected a place in the open"),
        (
            (8.0, 0.0),
            r"ship north_m, east_m is .8\.0, 0\.0.; structure 0 is on the straight path to it; expected a place",
        ),
        ((10.2, 5.0), "inside quay wall"),
        ((20.0, 30.0), "quay wall is on the straight path"),
        ((float("nan"), 0.0), "ship north_m is nan; expected a finite number"),
    ):
        with pytest.raises(CommandError, match=sentence):
            sim.move_ship(north_m=north, east_m=east)
    sim.move_ship(north_m=8.0, east_m=20.0)
    shore = rov(Tether(length_m=80.0), World(seabed=BEACH))
    with pytest.raises(CommandError, match="on land, 20 m above the sea"):
        shore.move_ship(north_m=-50.0, east_m=0.0)
    free = rov(None)
    with pytest.raises(CommandError, match="has no tether, so there is no ship to move"):
        free.move_ship(north_m=0.0, east_m=0.0)
