"""The [control] table: read in SI, silent by default, contradictions refused, and obeyed by the schedule."""

import math

import pytest

from pelagos.control.tuning.schedule import Schedule
from pelagos.errors import VehicleFileError
from pelagos.vehicle.load.vehicle import load_vehicle, loads
from pelagos.vehicle.spec import COMPUTED_CONTROL


def with_control(text):
    return loads(f'extends = "lauv"\n[control]\n{text}', "mine.toml")


def test_a_silent_file_has_computed_gains():
    assert load_vehicle("lauv").control == COMPUTED_CONTROL


def test_numbers_come_in_si():
    control = with_control(
        "heading_frequency_deg_s = 57.29577951308232\npitch_kp = 25.0\npitch_limit_deg = 20\ncruise_speed_kn = 2\n"
        "altitude_filter_s = 3"
    ).control
    assert control.heading.frequency_rad_s == pytest.approx(1.0, rel=1e-12)
    assert control.pitch.kp == 25.0 and control.pitch.ki is None
    assert control.pitch_limit_rad == pytest.approx(math.radians(20.0), rel=1e-12)
    assert control.cruise_speed_m_s == pytest.approx(2 * 1852 / 3600, rel=1e-12)
    assert control.altitude_filter_s == 3.0


def test_what_says_the_same_twice_is_refused():
    with pytest.raises(VehicleFileError, match=r"heading_kp.*says the same; keep one"):
        with_control("heading_frequency_rad_s = 1.0\nheading_kp = 3.0")
    with pytest.raises(VehicleFileError, match='did you mean "heading_kp"'):
        with_control("headin_kp = 3.0")
    with pytest.raises(VehicleFileError, match="expected a number above 0"):
        with_control("cruise_speed_m_s = 0")


def test_the_schedule_obeys():
    schedule = Schedule(
        with_control("heading_kp = 4.0\nheading_kd = 3.0\nyaw_rate_limit_deg_s = 5\npitch_limit_deg = 7\n"
                     "cruise_speed_m_s = 1.1\ndive_frequency_rad_s = 0.11\ndive_rate_s = 2\n"
                     "speed_frequency_rad_s = 0.5")
    )  # fmt: skip
    stage = schedule.stage(1.1)
    assert (stage.yaw.kp, stage.yaw.kd) == (4.0, 3.0)
    assert stage.yaw.error_limit / stage.yaw.approach_s == pytest.approx(math.radians(5.0), rel=1e-12)
    assert stage.pitch_limit == pytest.approx(math.radians(7.0), rel=1e-12)
    assert (stage.dive.frequency, stage.dive.rate_s) == (0.11, 2.0)
    assert schedule.cruise == 1.1 and schedule.surge.frequency == 0.5


def test_a_frequency_puts_the_poles_there():
    vehicle = loads(
        'extends = "bluerov2_heavy"\n[control]\ndepth_frequency_rad_s = 1.5\ndepth_damping = 0.8', "mine.toml"
    )
    schedule = Schedule(vehicle)
    mass = schedule.response.mass[2, 2]
    damping = -schedule.response.slope([0.0] * 6)[2, 2]
    # M s^2 + (D + kd) s + kp: w^2 = kp / M, 2 zeta w = (D + kd) / M
    assert schedule.heave.kp / mass == pytest.approx(1.5**2, rel=1e-9)
    assert (damping + schedule.heave.kd) / mass == pytest.approx(2 * 0.8 * 1.5, rel=1e-9)
