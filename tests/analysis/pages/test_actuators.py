"""The actuators page: command and actual value, limits of the vehicle, time at the limit."""

import math

import numpy as np
import pytest

from pelagos.analysis.page import UNWRITTEN, styled
from pelagos.analysis.pages.actuators import actuators, draw_actuators
from pelagos.sim.log.log import Log
from tests.analysis.measured import measured_log

pytest.importorskip("matplotlib")


def log_of(command, meta):
    n = len(command)
    return Log(
        {"time_s": np.arange(float(n)), "surface_rudder_deg": np.zeros(n), "cmd_surface_rudder_deg": command}, meta
    )


def test_shares_and_effort_of_a_known_command():
    command = np.array([15.0, -15.0, 7.5, 0.0])
    (rudder,) = actuators(log_of(command, {"actuator_limits": {"cmd_surface_rudder_deg": [-15.0, 15.0]}}))
    log = log_of(command, {})
    assert rudder.name == "rudder" and rudder.share_at_limit(log) == 0.5
    assert rudder.effort(log) == pytest.approx(math.sqrt((1 + 1 + 0.25) / 4))


def test_limits_are_those_of_the_library_vehicle():
    """REMUS 100: fins turn by 13.6 deg in Prestero's thesis; here only that file and page agree."""
    from pelagos.vehicle.load.vehicle import load_vehicle

    vehicle = load_vehicle("remus100")
    (rudder,) = actuators(log_of(np.zeros(3), {"vehicle": "remus100"}))
    assert rudder.high == pytest.approx(math.degrees(vehicle.surfaces[0].limit_rad)) and rudder.low == -rudder.high
    (nobody,) = actuators(log_of(np.zeros(3), {"vehicle": "no such vehicle"}))
    assert math.isnan(nobody.share_at_limit(log_of(np.zeros(3), {})))


def test_every_actuator_has_a_panel_with_command_and_answer():
    log = measured_log()
    with styled():
        axes = {ax.get_title(loc="left"): ax for ax in draw_actuators(log, UNWRITTEN).axes}
    assert {f"t{k} [V]" for k in range(1, 9)} | {"effort [%]"} == set(axes)
    drawn = [np.asarray(item.get_ydata()) for item in axes["t1 [V]"].lines]
    assert any(np.array_equal(line, log["thruster_t1_V"]) for line in drawn)
    assert any(np.array_equal(line, log["cmd_thruster_t1_V"]) for line in drawn)
    share = float((np.abs(log["cmd_thruster_t1_V"]) >= 0.995 * 4.0).mean())
    assert share > 0.01
    assert axes["t1 [V]"].get_title(loc="right") == f"at its limit {100 * share:.0f} % of the time"
    bars = [bar.get_width() for bar in axes["effort [%]"].patches]
    assert bars[8] == pytest.approx(100.0 * share)  # eight of effort, then eight of shares


def test_a_command_in_another_unit_has_an_axis_of_its_own():
    n = 20
    log = Log({"time_s": np.arange(float(n)), "thruster_a_N": np.ones(n), "cmd_thruster_a_V": np.full(n, 3.0)})
    with styled():
        answer, command = draw_actuators(log, UNWRITTEN).axes
    assert answer.get_title(loc="left") == "a [N]" and command.get_ylabel() == "command [V]"
    np.testing.assert_array_equal(command.lines[0].get_ydata(), log["cmd_thruster_a_V"])


def test_small_ballast_is_drawn_in_its_own_size_with_the_limits_of_the_vehicle():
    n = 20
    moved = np.where(np.arange(n) < 10, -5e-5, 2.5e-4)
    columns = {f"{prefix}ballast_{part}": values for prefix in ("", "cmd_") for part, values in
               (("buoyancy_engine_m3", moved), ("battery_m", 40.0 * moved))}  # fmt: skip
    log = Log({"time_s": np.arange(float(n)), **columns}, {"vehicle": "slocum", "actuator_limits": {}})
    assert all(math.isfinite(item.high - item.low) for item in actuators(log))
    with styled():
        engine, battery, _ = draw_actuators(log, UNWRITTEN).axes
    assert (engine.get_title(loc="left"), battery.get_title(loc="left")) == ("buoyancy engine [cm³]", "battery [m]")
    assert engine.get_ylim()[1] < 1e-3


def test_rounding_is_no_effort_and_every_actuator_has_a_panel():
    n, many = 5, 17
    columns = {f"{prefix}surface_fin{k}_deg": np.full(n, 1e-11) for prefix in ("", "cmd_") for k in range(many)}
    limits = {f"cmd_surface_fin{k}_deg": [-20.0, 20.0] for k in range(many)}
    with styled():
        *panels, bars = draw_actuators(
            Log({"time_s": np.arange(float(n)), **columns}, {"actuator_limits": limits}), UNWRITTEN
        ).axes
    assert len(panels) == many
    assert {text.get_text() for text in bars.texts} == {"0"}
