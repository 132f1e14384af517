"""Plots show the columns of the log, need no screen, and report errors in one sentence."""

import importlib.util
import subprocess
import sys

import numpy as np
import pytest

from pelagos.analysis.plots import plot_columns, plot_mission, split_unit, unwrap_heading
from pelagos.errors import PelagosError
from pelagos.sim.log.log import Log
from tests.sim.synthetic import synthetic_log

pytestmark = pytest.mark.skipif(importlib.util.find_spec("matplotlib") is None, reason="matplotlib is optional")
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def log():
    return synthetic_log(seconds=20.0)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("depth_m", ("depth", "m")),
        ("roll_rate_deg_s", ("roll rate", "deg/s")),
        ("thrusters_N_N_m", ("thrusters N", "N m")),
        ("thrusters_X_N", ("thrusters X", "N")),
        ("q0", ("q0", "")),
    ],
)
def test_units_come_from_the_name(name, parts):
    assert split_unit(name) == parts


def test_heading_is_drawn_without_jumps_and_ends_in_range():
    np.testing.assert_allclose(unwrap_heading(np.array([350.0, 359.0, 1.0, 5.0])), [-10.0, -1.0, 1.0, 5.0])
    np.testing.assert_allclose(unwrap_heading(np.array([10.0, 1.0, 355.0])), [370.0, 361.0, 355.0])
    assert len(unwrap_heading(np.zeros(0))) == 0


def test_the_heading_setpoint_lies_beside_the_achieved_one(log, tmp_path):
    """Setpoint 0, 359.9 reached: the lines must not be a panel apart."""
    near = Log({**log.columns, "heading_deg": np.full(len(log), 359.9), "cmd_heading_deg": np.zeros(len(log))})
    reached, setpoint = (
        np.asarray(line.get_ydata()) for line in near.plot("heading_deg", path=tmp_path / "h.png").axes[0].lines
    )
    np.testing.assert_allclose(setpoint - reached, 0.1, atol=1e-9)  # rounding of 360 - 359.9


def test_columns_are_drawn_with_label_unit_and_data(log, tmp_path):
    figure = plot_columns(log, ["depth_m", "thrusters_X_N"], tmp_path / "two.png")
    assert (tmp_path / "two.png").read_bytes().startswith(PNG)
    depth, force = figure.axes
    assert depth.get_title(loc="left") == "depth [m]"
    assert force.get_title(loc="left") == "thrusters X [N]"
    assert depth.get_ylim()[0] > depth.get_ylim()[1]  # down is down
    assert np.array_equal(depth.lines[0].get_ydata(), log["depth_m"])
    assert np.array_equal(force.lines[0].get_ydata(), log["thrusters_X_N"])


@pytest.mark.slow
def test_log_plot_reaches_both_kinds(log, tmp_path):
    assert len(log.plot("depth_m", path=tmp_path / "a.png").axes) == 1
    assert len(log.plot(path=tmp_path / "b.png").axes) == 10  # nine and the thrusters


@pytest.mark.slow
def test_the_mission_page_shows_the_large_forces_only(log, tmp_path):
    figure = plot_mission(log, tmp_path / "mission.png")
    drawn = {str(line.get_label()) for line in figure.axes[6].lines}
    assert {"thrusters", "coefficients"} <= drawn
    assert "added mass" not in drawn  # zero in this log
    colours = [{line.get_label(): line.get_color() for line in figure.axes[k].lines} for k in (6, 7, 8)]
    assert colours[0]["thrusters"] == colours[1]["thrusters"] == colours[2]["thrusters"]


@pytest.mark.slow
def test_a_bare_log_still_makes_a_page(log, tmp_path):
    """No forces, actuators, commands or current: no panels for them, nothing fails."""
    names = ("time_s", "north_m", "east_m", "depth_m", "roll_deg", "pitch_deg", "heading_deg")
    bare = {name: log[name][:1] for name in (*names, "surge_m_s", "sway_m_s", "heave_m_s")}
    figure = plot_mission(Log(bare), tmp_path / "bare.png")
    assert (tmp_path / "bare.png").stat().st_size > 10_000
    assert len([ax for ax in figure.axes if ax.axison]) == 5  # track, depth, heading, speed, attitude


@pytest.mark.slow
def test_the_mission_page_shows_every_actuator_and_the_altitude(log, tmp_path):
    """Two units of thrusters, surfaces, ballast in two units: a panel each, no column left out."""
    n = len(log)
    bare = {name: values for name, values in log.columns.items() if not name.startswith(("thruster_", "cmd_thruster"))}
    parts = ("thruster_screw_rpm", "thruster_bow_V", "thruster_stern_V", "surface_rudder_deg", "ballast_engine_m3",
             "ballast_battery_m")  # fmt: skip
    added = {name: np.linspace(0.0, 1e-4 * (k + 1), n) for k, name in enumerate(parts)}
    added |= {"altitude_m": np.full(n, 7.0), "cmd_altitude_m": np.full(n, 5.0)}
    meta = dict(log.meta) | {"step_s": 1.0 / 60.0}
    figure = plot_mission(Log({**bare, **added}, meta, dict(log.forces)), tmp_path / "all.png")
    drawn = {ax.get_title(loc="left"): {line.get_label() for line in ax.lines} for ax in figure.axes[9:]}
    assert drawn == {
        "thrusters [rpm]": {"screw"},
        "thrusters [V]": {"bow", "stern"},
        "surfaces [deg]": {"rudder"},
        "ballast [cm³]": {"engine"},
        "ballast [m]": {"battery"},
    }
    altitude = next(ax for ax in figure.axes if ax.get_title(loc="left") == "altitude over the bottom [m]")
    assert {line.get_label(): line.get_ydata()[0] for line in altitude.lines}["setpoint"] == 5.0
    assert figure.get_suptitle().endswith("step 0.01667 s")


def test_equal_logs_make_equal_figures(log, tmp_path):
    for name in ("a.png", "b.png"):
        plot_columns(log, ["depth_m"], tmp_path / name)
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_without_a_path_or_a_screen_it_says_so_and_returns_the_figure(log, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("MPLBACKEND", "Agg")
    from matplotlib import pyplot

    pyplot.switch_backend("Agg")
    figure = log.plot("depth_m")
    assert len(figure.axes) == 1
    pyplot.close(figure)
    assert "no screen" in capsys.readouterr().err
    log.plot("depth_m", path=tmp_path / "a.png")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("columns", "path", "message"),
    [
        (["dept_m"], "a.png", 'did you mean "depth_m"'),
        (["depth_m"], "nowhere/a.png", "the figure cannot be written"),
        (["depth_m"], "a.tiff2", "the figure cannot be written"),
    ],
)
def test_bad_requests_get_one_sentence(log, tmp_path, columns, path, message):
    with pytest.raises(PelagosError, match=message) as caught:
        plot_columns(log, columns, tmp_path / path)
    assert "\n" not in str(caught.value)


def test_an_empty_log_is_refused(tmp_path):
    with pytest.raises(PelagosError, match="the log is empty"):
        plot_mission(Log({"time_s": np.zeros(0)}), tmp_path / "a.png")


@pytest.mark.slow
def test_matplotlib_is_imported_only_to_draw():
    code = "import sys; import pelagos.sim.log.log, pelagos.analysis.plots; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
