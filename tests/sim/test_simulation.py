"""Simulation: commands, records, resets, restored states, and errors of one sentence."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import pelagos
from pelagos.errors import CommandError, DivergedError, ScenarioError
from pelagos.sim.log.log import Log
from pelagos.vehicle.trim import top_speed


@pytest.fixture
def rov() -> pelagos.Simulation:
    sea = pelagos.World(depth_m=30, current_m_s=0.3, current_to_deg=90)
    return pelagos.Simulation(pelagos.load_vehicle("bluerov2_heavy"), sea, seed=1)


@pytest.mark.slow
def test_first_screen(rov: pelagos.Simulation, tmp_path: Path) -> None:
    """The newcomer's first screen: it dives, turns, plots and writes."""
    rov.command(depth_m=5, heading_deg=90)
    log = rov.run(seconds=60)
    assert log["depth_m"][-1] == pytest.approx(5.0, abs=0.05)
    assert log["heading_deg"][-1] == pytest.approx(90.0, abs=0.5)
    log.plot("depth_m", "heading_deg", path=tmp_path / "dive.png")
    log.to_csv(tmp_path / "dive.csv")
    assert (tmp_path / "dive.png").stat().st_size > 5000
    assert Log.from_csv(tmp_path / "dive.csv")["depth_m"][-1] == log["depth_m"][-1]
    assert "thrusters" in str(log.forces.mean())


@pytest.mark.slow
def test_same_seed_same_bytes(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        sim = pelagos.Simulation("remus100", pelagos.World(current_m_s=0.2, current_to_deg=45), seed=3)
        sim.command(depth_m=10, heading_deg=120, speed_m_s=1.5)
        sim.run(20, path=tmp_path / name)
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()


def test_a_controller_cannot_command_beyond_the_limits() -> None:
    """57 deg of rudder and 19,099 rpm on remus100: the vehicle has 15 deg and 2000 rpm, and the log has both."""

    class Wild:
        def reset(self) -> None:
            pass

        def update(self, state: pelagos.VehicleState, dt: float) -> pelagos.Actuation:
            return pelagos.Actuation(np.array([2000.0]), np.array([1.0, 0.0]))

    sim = pelagos.Simulation("remus100")
    sim.place(depth_m=10)
    sim.control(Wild())
    log = sim.run(30)
    assert log["cmd_surface_rudder_deg"][-1] == pytest.approx(math.degrees(1.0))
    assert log["surface_rudder_deg"].max() == pytest.approx(15.0)
    assert log["thruster_propeller_rpm"].max() == pytest.approx(2000.0)
    assert log["surge_m_s"].max() < top_speed(sim.vehicle)
    events = [event for event in log.events if event.kind == "saturated"]
    assert [event.text.split(":")[0] for event in events] == ["thruster propeller", "surface rudder"]
    assert "57.2958 deg, its limits are -15 to 15 deg" in events[1].text
    assert {group: n.tolist() for group, n in sim.plant.clipped.items()} == {
        "thrusters": [300], "surfaces": [300, 0], "ballast": [],
    }  # fmt: skip


def test_reset_leaves_nothing_behind(rov: pelagos.Simulation) -> None:
    rov.command(depth_m=5, heading_deg=90)
    first = rov.run(10).table()
    rov.external([50.0, 0.0, 0.0, 0.0, 0.0, 10.0])
    rov.run(5)
    rov.reset()
    rov.command(depth_m=5, heading_deg=90)
    np.testing.assert_array_equal(rov.run(10).table(), first)


@pytest.mark.parametrize("integrator", ["rk4", "adaptive", "brutzman_author"])
def test_save_and_restore_exactly(integrator: str) -> None:
    sim = pelagos.Simulation("phoenix", integrator=integrator, step_s=0.05)
    sim.thrust(port_screw_rpm=600, starboard_screw_rpm=500)
    sim.run(5)
    saved = sim.save()
    first = sim.run(5).table()
    sim.restore(saved)
    np.testing.assert_array_equal(sim.run(5).table(), first)


def test_forces_in_the_log_explain_the_motion(rov: pelagos.Simulation) -> None:
    """Sum of the logged terms = mass matrix times the acceleration seen in the log."""
    rov.pilot(surge=0.5)
    log = rov.run(5)
    total = log.forces.total()
    nu = np.stack([log[c] for c in ("surge_m_s", "sway_m_s", "heave_m_s")], axis=1)
    mass = rov.plant.packed.mass_matrix[0, 0]
    acceleration = np.gradient(nu[:, 0], log.time_s)
    middle = slice(5, -5)
    # central differences at 10 Hz: second order, 2 % of the peak
    assert np.abs(mass * acceleration[middle] - total[middle, 0]).max() < 0.02 * np.abs(total[:, 0]).max()


def test_orders_by_name_and_unit() -> None:
    sim = pelagos.Simulation("phoenix")
    sim.thrust(port_screw_rpm=700, bow_vertical_V=-12)
    sim.deflect(stern_rudders_deg=5)
    log = sim.run(0.2)
    assert log["cmd_thruster_port_screw_rpm"][-1] == pytest.approx(700.0)
    assert log["cmd_thruster_bow_vertical_V"][-1] == pytest.approx(-12.0)
    assert log["surface_stern_rudders_deg"][-1] == pytest.approx(5.0)


BAD_ORDERS = {
    "unknown thruster": (lambda s: s.thrust(port_scrw_rpm=10), "there is no thruster 'port_scrw_rpm'"),
    "too fast": (
        lambda s: s.thrust(port_screw_rpm=900),
        "in rpm is 900; outside its limits; expected -700 to 700",
    ),
    "fin limit exceeded": (lambda s: s.deflect(bow_rudders_deg=60), "bow_rudders in deg is 60; outside its limits"),
    "NaN": (lambda s: s.thrust(port_screw_rpm=math.nan), "expected a finite number"),
    "NaN setpoint": (lambda s: s.command(depth_m=math.nan), "depth_m is nan"),
    "wrong count": (lambda s: s.thrust([1.0]), "number of values in the command to all thrusters is 1; expected 6"),
    "stick too far": (lambda s: s.pilot(surge=2.0), "surge is 2"),
    "unknown setpoint": (lambda s: s.command(dept_m=2.0), "no setpoint 'dept_m'"),
    "negative time": (lambda s: s.run(-1.0), "expected a number above 0"),
}


@pytest.mark.parametrize("case", BAD_ORDERS)
def test_bad_orders_get_a_sentence(case: str) -> None:
    order, sentence = BAD_ORDERS[case]
    with pytest.raises(CommandError) as caught:
        order(pelagos.Simulation("phoenix"))
    assert sentence in str(caught.value) and "\n" not in str(caught.value)


def test_bad_external_wrench() -> None:
    sim = pelagos.Simulation("phoenix")
    sim.external(lambda state: [math.nan] * 6)
    with pytest.raises(CommandError, match="finite number"):
        sim.run(1.0)


def test_external_wrench_in_plain_python() -> None:
    """A spring to the start, in four words: the vehicle comes back."""
    sim = pelagos.Simulation("bluerov2_heavy")
    sim.place(north_m=2.0, depth_m=5.0)
    sim.external(lambda state: [-20.0 * state.pos_n[0] - 40.0 * state.nu[0], 0, 0, 0, 0, 0])
    log = sim.run(60)
    assert abs(log["north_m"][-1]) < 0.2
    assert log.forces["external"][0, 0] == 0.0 and log.forces["external"][1, 0] == pytest.approx(-40.0)


def test_too_large_a_step_stops_with_time_force_and_state(tmp_path: Path) -> None:
    sim = pelagos.Simulation("bluerov2_heavy", step_s=2.0, control_rate_hz=0.5)
    sim.place(surge_m_s=2.0, sway_m_s=1.0, heave_m_s=0.5, roll_rate_deg_s=30, pitch_rate_deg_s=30, yaw_rate_deg_s=30)
    sim.thrust([1.0, -1.0] * 4)
    with pytest.raises(DivergedError) as caught:
        sim.run(200, path=tmp_path / "cut.csv")
    error = caught.value
    assert "diverged at" in str(error) and "largest force was" in str(error) and "surge_m_s" in str(error)
    assert all(math.isfinite(value) for value in error.last_good.values())
    left = Log.from_csv(tmp_path / "cut.csv")
    assert not left.complete and len(left) >= 1
    assert isinstance(error.log, Log) and not error.log.complete


def test_unsteady_current_carries_a_neutral_vehicle() -> None:
    """Water that starts to move takes a neutral vehicle at rest with it: errata B15 and the pressure gradient."""
    vehicle = pelagos.load_vehicle("phoenix")
    assert vehicle.body.mass_kg == pytest.approx(vehicle.body.volume_m3 * vehicle.water.density_kg_m3, rel=1e-3)
    sim = pelagos.Simulation(vehicle, pelagos.World(current=lambda t: (0.02 * t, 0.0, 0.0)))
    sim.place(depth_m=5.0)
    log = sim.run(10)
    assert log["surge_m_s"][-1] == pytest.approx(0.2, rel=2e-3)


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ({"depth_m": -3.0}, "depth_m = -3.0: expected a number above 0"),
        ({"density_kg_m3": 0.0}, "density_kg_m3 = 0.0"),
        ({"current_m_s": math.inf}, "current_m_s"),
    ],
)
def test_impossible_seas_are_refused(value: dict[str, float], sentence: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        pelagos.World(**value)
    assert sentence in str(caught.value)


def test_unknown_integrator() -> None:
    with pytest.raises(CommandError, match='did you mean "rk4"'):
        pelagos.Simulation("phoenix", integrator="rk5")


def test_meta_spells_out_every_default(rov: pelagos.Simulation) -> None:
    meta = rov.run(0.1).meta
    assert meta["seed"] == 1 and meta["integrator"] == "rk4" and meta["current_to_deg"] == 90
    assert meta["step_s"] * round(0.1 / meta["step_s"]) == pytest.approx(0.1)


def test_a_current_carries_a_vehicle_that_holds_axes() -> None:
    """A glider valid in the vertical plane drifts with a beam current; its glide through the water is the same."""
    ends = []
    for current_m_s in (0.0, 0.3):
        sim = pelagos.Simulation("slocum", pelagos.World(current_m_s=current_m_s, current_to_deg=90))
        log = sim.run(100)
        ends.append((log["east_m"][-1], log["depth_m"][-1], log["surge_m_s"][-1]))
    (_, depth, surge), (east, depth_2, surge_2) = ends
    assert east == pytest.approx(30.0, rel=1e-9)
    assert (depth_2, surge_2) == pytest.approx((depth, surge), rel=1e-9, abs=1e-9)
