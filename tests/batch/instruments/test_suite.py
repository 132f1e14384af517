"""The sensor suite of a batch: clocks, latency, drop-outs, resets, independence of other vehicles, refused settings."""

import numpy as np
import pytest

from pelagos.batch.instruments.suite import INSTRUMENTS, VectorSensorSuite
from pelagos.errors import CommandError
from pelagos.sensors.battery import Battery
from pelagos.sensors.depth import Depth
from pelagos.sensors.imu import Imu
from tests.batch.flown import VEHICLE, WORLD, N, many, track
from tests.batch.instruments import test_imu, test_motion, test_sound

NOISY = [
    *test_motion.NOISY, *test_imu.NOISY, *test_sound.NOISY,
]  # fmt: skip


def test_every_kind_is_compared_with_the_instrument_of_one_vehicle():
    assert {sensor.kind for sensor in NOISY} == set(INSTRUMENTS)


def test_readings_do_not_depend_on_other_vehicles():
    rows = track(N, 6)
    choice = [3, 1]
    whole = VectorSensorSuite(VEHICLE, N, seed=5, only=NOISY, world=WORLD)
    part = VectorSensorSuite(VEHICLE, 2, seed=5, only=NOISY[:9], world=WORLD, indices=choice)
    for t, *arrays in rows:
        whole.sample(many((t, *arrays)))
        part.sample(many((t, *(x[choice] for x in arrays))))
    everything = whole.readings()
    for name, values in part.readings().items():
        np.testing.assert_array_equal(values, everything[name][choice], err_msg=name)


def test_a_reset_restarts_only_the_selected_vehicles():
    rows = track(N, 6)
    sensors = [Depth(noise_m=1.0, bias_m=1.0, latency_s=0.1), Imu(accel_bias_ug=1e5)]
    kept, reset = (VectorSensorSuite(VEHICLE, N, seed=2, only=sensors, world=WORLD) for _ in range(2))
    for row in rows[:3]:
        kept.sample(many(row))
        reset.sample(many(row))
    before = reset.readings()["depth_depth_m"]
    assert np.isfinite(before).all()
    mask = np.array([False, True, False, False, True])
    reset.reset(mask)
    assert np.isnan(reset.readings()["depth_depth_m"][mask]).all()
    for row in rows[3:]:
        kept.sample(many(row))
        reset.sample(many(row))
    a, b = kept.readings(), reset.readings()
    for name in a:
        np.testing.assert_array_equal(a[name][~mask], b[name][~mask], err_msg=name)
        assert (a[name][mask] != b[name][mask]).all() or name.startswith("imu_gyro"), name
    again = VectorSensorSuite(VEHICLE, N, seed=2, only=sensors, world=WORLD)  # another history, the same second episode
    again.reset([4])
    for row in rows[3:]:
        again.sample(many(row))
    for name, values in again.readings().items():
        assert values[4] == b[name][4], name


def test_a_vehicle_may_take_the_number_of_another():
    rows = track(N, 3)
    taking, first = (VectorSensorSuite(VEHICLE, N, seed=2, only=NOISY[:2], world=WORLD) for _ in range(2))
    taking.reset([1])
    taking.reset([1], indices=[3])
    for row in rows:
        instants = many(row)
        instants.position_n[1], instants.R_nb[1], instants.below_m[1] = (
            x[3] for x in (instants.position_n, instants.R_nb, instants.below_m)
        )
        taking.sample(instants)
        first.sample(instants)
    for name, values in taking.readings().items():
        assert values[1] == first.readings()[name][3], name
    with pytest.raises(CommandError, match=r"number of indices is 2; expected one for each of 1 vehicles"):
        taking.reset([1], indices=[3, 4])


def test_readings_drop_out_with_the_given_share():
    n, ticks, share = 500, 20, 0.3
    instruments = VectorSensorSuite(VEHICLE, n, only=[Depth(dropout=share, rate_hz=20.0)])
    came = 0
    for t, *arrays in track(1, ticks):
        instruments.sample(many((t, *(np.repeat(x, n, axis=0) for x in arrays))))
        came += int(instruments.fresh("depth").sum())
    # 5 standard deviations of a count of independent draws
    assert abs(came / (n * ticks) - (1.0 - share)) < 5.0 * np.sqrt(share * (1.0 - share) / (n * ticks))


def test_instruments_without_a_batch_form_are_refused_with_the_names_of_the_others():
    kinds = ", ".join(INSTRUMENTS)
    with pytest.raises(CommandError, match=f"^a batch has no instruments of kind 'battery'; expected .* {kinds}$"):
        VectorSensorSuite(VEHICLE, 2, only=["battery"])
    with pytest.raises(CommandError, match="of kind 'battery'"):
        VectorSensorSuite(VEHICLE, 2, only=[Battery()])
    with pytest.raises(CommandError, match=r"there is no sensor 'deph'; expected one of .*; did you mean .depth"):
        VectorSensorSuite(VEHICLE, 2, only=["deph"])
    with pytest.raises(CommandError, match="torpedo has no sensor that a batch supports; expected instruments"):
        VectorSensorSuite("torpedo", 2)
    with pytest.raises(CommandError, match="n is 0; expected a whole number, 1 or above"):
        VectorSensorSuite(VEHICLE, 0)
    with pytest.raises(CommandError, match=r"where is .* expected a mask of 2, or indices from 0 to 1"):
        VectorSensorSuite(VEHICLE, 2).reset([2])
    with pytest.raises(CommandError, match=r"where is \[\[0\], \[0, 1\]\]; expected a mask of 2"):
        VectorSensorSuite(VEHICLE, 2).reset([[0], [0, 1]])
    with pytest.raises(CommandError, match=r"indices is \[\[0\], \[0, 1\]\]; expected whole numbers"):
        VectorSensorSuite(VEHICLE, 2).reset(indices=[[0], [0, 1]])
    with pytest.raises(CommandError, match="only is 3; expected names"):
        VectorSensorSuite(VEHICLE, 2, only=3)  # pyright: ignore[reportArgumentType]
    with pytest.raises(CommandError, match="two instruments have the name 'depth'; expected different names"):
        VectorSensorSuite(VEHICLE, 2, only=[Depth(), Depth()])
