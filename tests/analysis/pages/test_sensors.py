"""Residuals are readings minus true values; the estimate page shows its standard deviation."""

import numpy as np
import pytest

from pelagos.analysis.page import UNWRITTEN, styled
from pelagos.analysis.pages.sensors import draw_estimate, draw_sensors, estimate_error, residuals, true_values
from pelagos.sim.log.log import Log
from tests.analysis.measured import measured_log

pytest.importorskip("matplotlib")


def test_each_reading_is_compared_with_its_true_value():
    log = measured_log()
    by_column = {item.column: item for item in residuals(log)}
    assert set(by_column) == {"depth_gauge_depth_m", "compass_heading_deg", "dvl_velocity_x_m_s", "tacho_t1_V"}
    assert len(by_column["depth_gauge_depth_m"].error) == -(-len(log) // 5)  # only where there was a reading
    assert by_column["depth_gauge_depth_m"].mean == pytest.approx(0.25)
    np.testing.assert_allclose(by_column["compass_heading_deg"].error, 2.0, atol=1e-9)  # also across north
    np.testing.assert_allclose(by_column["tacho_t1_V"].error, -0.5, atol=1e-12)


def test_other_columns_have_no_residual():
    log = measured_log()
    for column in ("est_north_m", "cmd_depth_m", "goal_north_m", "depth_m", "cross_track_m", "thruster_t1_V"):
        assert true_values(log, column) is None, column
    assert true_values(Log({"time_s": np.zeros(1), "gps_north_m": np.zeros(1)}), "gps_north_m") is None  # no state


def test_a_real_instrument_set_is_recognised():
    """Every column that a DVL, a compass and an IMU log and that has a truth; names as the instruments give them."""
    from pelagos.sensors.compass import Compass
    from pelagos.sensors.imu import Imu
    from pelagos.sensors.sound.dvl import Dvl

    log = measured_log()
    for rate in ("roll_rate_deg_s", "pitch_rate_deg_s"):
        log.columns[rate] = np.zeros(len(log))
    names = {
        f"{name}_{column}"
        for name, sensor in (("dvl", Dvl()), ("compass", Compass()), ("imu", Imu()))
        for column in sensor.columns
        if true_values(log, f"{name}_{column}") is not None
    }
    expected = {f"dvl_{kind}_{axis}_m_s" for kind in ("velocity", "water") for axis in "xyz"}
    assert expected | {"dvl_altitude_m", "compass_heading_deg"} | {f"imu_gyro_{axis}_deg_s" for axis in "xyz"} <= names


def test_the_page_shows_mean_and_spread():
    log = measured_log()
    with styled():
        axes = {ax.get_title(loc="left"): ax for ax in draw_sensors(log, UNWRITTEN).axes}
    ax = axes["depth gauge depth [m]"]
    assert ax.get_title(loc="right") == "+0.25 ± 0 m"
    np.testing.assert_allclose(ax.lines[0].get_ydata(), 0.25, atol=1e-12)
    assert axes["compass heading [deg]"].get_title(loc="right").startswith("+2 ")


def test_the_estimate_lies_inside_two_standard_deviations():
    log = measured_log()
    np.testing.assert_allclose(estimate_error(log, "heading_deg"), 0.1, atol=1e-9)
    with styled():
        axes = {ax.get_title(loc="left"): ax for ax in draw_estimate(log, UNWRITTEN).axes}
    assert set(axes) == {"north [m]", "east [m]", "depth [m]", "heading [deg]", "normalised error squared, mean 9"}
    north = axes["north [m]"]
    np.testing.assert_allclose(north.lines[0].get_ydata(), 0.1, atol=1e-12)
    band = north.collections[0].get_paths()[0].vertices
    assert band[:, 1].min() == pytest.approx(-0.4) and band[:, 1].max() == pytest.approx(0.4)
    assert north.get_title(loc="right").endswith("100 % inside")


def test_the_band_of_nees_is_the_chi_squared_one():
    scipy = pytest.importorskip("scipy.stats")
    with styled():
        ax = draw_estimate(measured_log(), UNWRITTEN).axes[-1]
    low, high = scipy.chi2.ppf([0.025, 0.975], 9)
    box = ax.patches[0].get_extents().transformed(ax.transData.inverted())
    assert (box.y0, box.y1) == pytest.approx((low, high), rel=1e-6)
