"""One tether from Python: records with names, orders, copies; refusals before anything is computed."""

from __future__ import annotations

import copy
import dataclasses

import numpy as np
import pytest

from pelagos.errors import CommandError, PelagosError, ScenarioError
from pelagos.tether.line import Line
from pelagos.tether.spec import Cable, Status, Tether

CABLE = Cable(diameter_m=0.02, mass_kg_m=0.5, stiffness_N=1e6)
END = np.array([10.0, 5.0, 40.0])


def hung(**rigged) -> Line:
    line = Line(CABLE, Tether(**{"length_m": 60.0, "elements": 20, **rigged}), current_n=(0.4, 0.1, 0.0))
    assert line.settle((10.0, 5.0, 40.0), (0.0, 0.0, 1.0))
    return line


def test_records_hold_what_the_description_says():
    line = Line(CABLE, Tether(length_m=10.0), density_kg_m3=1000.0, gravity_m_s2=9.8)
    s, area = line.settings, np.pi / 4 * 0.02**2
    assert s["weight"] == pytest.approx((0.5 - 1000.0 * area) * 9.8)
    assert s["weight_in_air"] == pytest.approx(4.9)
    assert s["normal"] == pytest.approx(500.0 * 0.02 * 1.2)
    assert s["tangential"] == pytest.approx(500.0 * 0.02 * np.pi * 0.05)
    assert s["added"] == pytest.approx(1000.0 * area)


def test_shape_goes_from_ship_to_vehicle_and_has_the_length():
    line = hung()
    np.testing.assert_allclose(line.shape_n[0], [0.0, 0.0, 1.0], atol=1e-12)
    np.testing.assert_array_equal(line.shape_n[-1], [10.0, 5.0, 40.0])
    stretched = np.linalg.norm(np.diff(line.shape_n, axis=0), axis=1)
    np.testing.assert_allclose(stretched, 3.0 * (1.0 + line.tensions_N / 1e6), rtol=1e-5)  # FORESEEN
    assert line.status == Status.OK and line.length_m == 60.0


def test_points_are_equally_far_along_the_cable():
    line = hung()
    np.testing.assert_allclose(line.points(21), line.shape_n, atol=1e-9)
    assert line.points(5).shape == (5, 3)
    np.testing.assert_allclose(line.points(5)[2], line.shape_n[10], atol=1e-9)


def test_default_ship_is_above_the_vehicle():
    line = Line(CABLE, Tether(length_m=60.0, ship_depth_m=0.5))
    line.settle((7.0, -3.0, 30.0))
    np.testing.assert_array_equal(line.head["ship"], [7.0, -3.0, 0.5])


def test_ratio_sets_the_first_length():
    line = Line(CABLE, Tether(payout="ratio", ratio=1.25))
    line.settle((0.0, 0.0, 40.0))
    assert line.length_m == 50.0


def test_save_restore_and_copy_are_exact():
    line = hung(payout="rate", rate_m_s=0.3)
    end, still = np.array([10.0, 5.0, 40.0]), np.zeros(3)
    saved, twin = line.save(), copy.deepcopy(line)
    for each in (line, twin):
        for _ in range(50):
            each.step(0.02, end, still)
            each.follow(0.02, end)
    np.testing.assert_array_equal(line.shape_n, twin.shape_n)
    later = line.shape_n
    line.restore(saved)
    assert line.length_m == 60.0
    for _ in range(50):
        line.step(0.02, end, still)
        line.follow(0.02, end)
    np.testing.assert_array_equal(line.shape_n, later)


def test_haul_takes_one_order_and_checks_it():
    line = hung()
    line.haul(tension_N=300.0)
    assert line.settings["payout"] == 3 and line.settings["tension"] == 300.0
    for wrong in ({}, {"ratio": 1.2, "fixed": True}):
        with pytest.raises(CommandError, match="expected one of ratio, rate_m_s, tension_N, fixed"):
            line.haul(**wrong)
    with pytest.raises(ScenarioError, match="ratio"):
        line.haul(ratio=0.5)
    assert line.settings["payout"] == 3  # a refused order changes nothing


@pytest.mark.parametrize("wrong", [(0.0, 0.0), (0.0, np.nan, 1.0), "there"])
def test_a_place_that_is_none_is_refused(wrong):
    with pytest.raises(PelagosError):
        Line(CABLE, Tether(length_m=10.0)).settle(wrong)


def test_a_length_is_needed():
    with pytest.raises(ScenarioError, match="length_m"):
        Line(CABLE, Tether()).settle((0.0, 0.0, 5.0))


@pytest.mark.parametrize("mode", ["dynamic", "static", "royer"])
def test_a_line_without_a_shape_is_not_moved(mode):
    line = Line(CABLE, Tether(length_m=10.0, mode=mode))
    for order in (lambda: line.step(0.02, END, np.zeros(3)), lambda: line.follow(0.02, END)):
        with pytest.raises(CommandError, match="settle it first"):
            order()


@pytest.mark.parametrize("dt", [0.0, -0.02, np.nan, np.inf, "0.02", None, True])
def test_a_step_is_a_positive_time(dt):
    line = hung()
    before = line.save()
    with pytest.raises(CommandError, match=r"dt is .*; expected a positive number of seconds"):
        line.step(dt, END, np.zeros(3))
    with pytest.raises(CommandError, match=r"dt is .*; expected a positive number of seconds"):
        line.follow(dt, END)
    np.testing.assert_array_equal(line.save()["chain"], before["chain"])


@pytest.mark.parametrize("wrong", [(0.0, 0.0), np.zeros((3, 1)), (0.0, np.nan, 1.0), np.full(3, np.nan), "abc", None])
def test_an_end_that_is_no_place_is_refused(wrong):
    """A vehicle whose motion has diverged has such an end."""
    line = hung()
    before = line.save()
    with pytest.raises(CommandError, match="vehicle_n"):
        line.step(0.02, wrong, np.zeros(3))
    with pytest.raises(CommandError, match="velocity_n"):
        line.step(0.02, END, wrong)
    with pytest.raises(CommandError, match="vehicle_n"):
        line.follow(0.02, wrong)
    np.testing.assert_array_equal(line.save()["chain"], before["chain"])


def test_lists_and_slices_are_as_good_as_arrays():
    """To the same bits."""
    ends = np.zeros((3, 2))
    ends[:, 1] = END
    ways = (
        (0.02, END, np.zeros(3)),
        (0.02, [10, 5, 40], (0, 0, 0)),
        (np.float64(0.02), ends[:, 1], ends[:, 0]),
        (0.02, END.astype(np.float32), np.zeros(3, dtype=int)),
    )
    lines = [hung() for _ in ways]
    for line, (dt, end, velocity) in zip(lines, ways, strict=True):
        for _ in range(10):
            line.step(dt, end, velocity)
            line.follow(dt, end)
        np.testing.assert_array_equal(line.save()["chain"], lines[0].save()["chain"])


def test_what_is_no_cable_makes_no_line():
    with pytest.raises(CommandError, match="cable is 'fathom_7_6mm'; expected a Cable"):
        Line("fathom_7_6mm")
    with pytest.raises(CommandError, match="tether is 'dynamic'; expected a Tether"):
        Line(CABLE, "dynamic")


@pytest.mark.parametrize("mode", ["dynamic", "static"])
def test_nothing_that_loads_it_gives_no_pull_and_a_shape(mode):
    """Neutral in still water: UNLOADED, zero forces, an arc of its length between the ends."""
    line = Line(Cable(diameter_m=0.01, neutral=True), Tether(length_m=30.0, mode=mode))
    assert line.settle((5.0, 0.0, 10.0), (0.0, 0.0, 0.0))
    assert line.status == Status.UNLOADED
    assert not line.force_on_vehicle_n.any() and not line.force_on_ship_n.any()
    along = np.linalg.norm(np.diff(line.shape_n, axis=0), axis=1).sum()
    assert along == pytest.approx(30.0, rel=2e-3)  # chords of a curve in 50 pieces
    end = np.array([5.0, 0.0, 10.0])
    for _ in range(20):
        line.step(0.02, end, np.zeros(3))
        line.follow(0.02, end)
    # chords of the arc are 0.2 % shorter than their elements, which push with 1e-4 of EA 1e6 N: 0.2 N
    assert np.isfinite(line.shape_n).all() and np.linalg.norm(line.force_on_vehicle_n) < 0.3


def test_a_cut_cable_pulls_at_neither_end_and_never_again():
    line = hung()
    assert np.linalg.norm(line.head["force_b"]) > 0.0
    line.cut()
    assert line.status & Status.PARTED
    for _ in range(5):
        line.step(0.02, END, (0.0, 0.0, 0.0))
        line.follow(0.02, END)
        for name in ("force_a", "force_b", "tension_a", "tension_b"):
            assert not np.any(line.head[name]), name
    assert line.status & Status.PARTED


# ---- orders to the ship, and a length for the drum -------------------------------------------------------------------


def held(line, seconds, each=None, dt=0.02):
    for _ in range(round(seconds / dt)):
        line.step(dt, END, np.zeros(3))
        if each is not None:
            each(line)


@pytest.mark.parametrize("mode", ["dynamic", "static"])
def test_a_ship_that_is_sent_gets_there_at_its_speed_and_stays(mode):
    """3, 4 m in 5 s of 1 m/s, straight; then it lies still."""
    line = hung(mode=mode, length_m=80.0)
    line.move_ship(north_m=3.0, east_m=4.0, speed_m_s=1.0)
    held(line, 2.5)
    np.testing.assert_allclose(line.head["ship"], [1.5, 2.0, 1.0], atol=1e-9)
    np.testing.assert_allclose(line.head["ship_velocity"], [0.6, 0.8, 0.0], atol=1e-9)
    held(line, 4.0)
    np.testing.assert_allclose(line.head["ship"], [3.0, 4.0, 1.0], atol=1e-9)
    np.testing.assert_array_equal(line.head["ship_velocity"], np.zeros(3))


def test_the_pull_does_not_jump_when_the_ship_sets_off_turns_or_stops():
    """A taut cable of EA = 1e6 N and 60 m: 2 cm of a step could make 330 N. Spread over the bow of the cable, and
    with the ends no more than the speed times the step apart, it changes by less than a tenth of that in a step."""
    line = hung(length_m=45.0)
    held(line, 5.0)
    tensions = []
    for north, east in ((-2.0, 0.0), (0.0, 1.0)):
        line.move_ship(north_m=north, east_m=east, speed_m_s=0.5)
        held(line, 2.0, lambda q: tensions.append(float(q.head["tension_b"])))
    line.stop_ship()
    at = line.head["ship"].copy()
    held(line, 2.0, lambda q: tensions.append(float(q.head["tension_b"])))
    np.testing.assert_array_equal(line.head["ship"], at)
    assert np.abs(np.diff(tensions)).max() < 33.0 and np.ptp(tensions) > 1.0


def test_a_ship_ordered_to_follow_moves_to_the_vehicle():
    """x' = (x_end - x) / T from rest at the origin: 1 - (1 + dt / T)^-n of the way after n steps."""
    line = hung(ship_lag_s=4.0, ship_speed_m_s=100.0, length_m=80.0)
    held(line, 1.0)
    np.testing.assert_array_equal(line.head["ship"][:2], [0.0, 0.0])
    line.ship_follows()
    held(line, 4.0)
    share = 1.0 - (1.0 + 0.02 / 4.0) ** -200
    np.testing.assert_allclose(line.head["ship"][:2], share * END[:2], rtol=1e-9)


def test_orders_to_ship_and_drum_are_saved_copied_and_reset():
    line = hung(length_m=80.0)
    line.move_ship(north_m=3.0, east_m=4.0, speed_m_s=1.0)
    held(line, 1.0)
    twin, saved = copy.deepcopy(line), line.save()
    held(line, 1.0)
    held(twin, 1.0)
    np.testing.assert_array_equal(line.shape_n, twin.shape_n)
    line.restore(saved)
    held(line, 1.0)
    np.testing.assert_array_equal(line.shape_n, twin.shape_n)
    line.settle(END, (0.0, 0.0, 1.0))  # hung anew: the ship lies where it is put
    held(line, 1.0)
    np.testing.assert_array_equal(line.head["ship"], [0.0, 0.0, 1.0])
    line.haul(rate_m_s=0.5)
    line.reset()
    held(line, 1.0)
    assert line.length_m == 80.0


def test_a_line_can_lie_in_rows_of_somebody_else():
    """What it then does is done there, bit for bit what a line of its own does."""
    host, guest = hung(), hung(length_m=70.0)
    saved = host.save()
    rows, chains = np.array([saved["line"]] * 2), np.array([saved["chain"]] * 2)
    guest.lies_in(rows[1], chains[1])
    for line in (host, guest):
        line.haul(rate_m_s=0.5)
        line.step(0.02, END, np.array([0.3, 0.0, 0.0]))
    np.testing.assert_array_equal(chains[1], host.save()["chain"])
    np.testing.assert_array_equal(guest.shape_n, host.shape_n)
    np.testing.assert_array_equal(chains[0], saved["chain"])


def test_a_ship_with_a_path_of_its_own_can_be_sent_elsewhere():
    line = Line(
        CABLE, Tether(length_m=80.0, elements=20, ship="path", ship_path_m=((0.0, 0.0), (5.0, 0.0), (5.0, 5.0)))
    )
    line.settle(END)
    held(line, 2.0)
    np.testing.assert_allclose(line.head["ship"][:2], [2.0, 0.0], atol=1e-9)
    line.move_ship(north_m=2.0, east_m=-1.0)
    held(line, 3.0)
    np.testing.assert_allclose(line.head["ship"][:2], [2.0, -1.0], atol=1e-9)
    line.settle(END)
    held(line, 7.0)
    np.testing.assert_allclose(line.head["ship"][:2], [5.0, 2.0], atol=1e-9)  # its own path again


@pytest.mark.parametrize(("target", "rate", "seconds"), [(63.0, 0.5, 6.0), (58.0, 1.0, 2.0), (62.0, None, 1.0)])
def test_the_drum_turns_to_a_length_and_stops_there(target, rate, seconds):
    line = hung(drum_speed_m_s=2.0)
    line.haul(length_m=target, rate_m_s=rate)
    held(line, 0.5 * seconds)
    assert line.length_m == pytest.approx(0.5 * (60.0 + target), abs=1e-6)
    held(line, seconds)
    assert line.length_m == pytest.approx(target, abs=1e-12)
    line.haul(rate_m_s=0.5)  # the length was no end of the drum
    held(line, 1.0)
    assert line.length_m == pytest.approx(target + 0.5, abs=1e-6)
    with pytest.raises(ScenarioError, match="length_m"):
        line.haul(length_m=0.1)


def test_what_drum_and_cable_cannot_do_is_refused_and_changes_nothing():
    most = 900.0
    cable = dataclasses.replace(CABLE, breaking_load_N=most)
    line = Line(cable, Tether(length_m=60.0, elements=20, drum_speed_m_s=2.0))
    line.settle(END)
    before = line.save()
    for wrong, sentence in (
        ({"rate_m_s": 2.5}, "rate_m_s is 2.5; expected -2 to 2: the drum is no faster"),
        ({"rate_m_s": -2.5, "length_m": 50.0}, "the drum is no faster"),
        ({"rate_m_s": 0.0, "length_m": 50.0}, "rate_m_s is 0; expected another rate to reach length_m 50, or none"),
        ({"tension_N": 1.01 * most}, f"expected at most {most:g}, the breaking load"),
    ):
        with pytest.raises(CommandError, match=sentence):
            line.haul(**wrong)
    assert all(np.array_equal(line.save()[name], value) for name, value in before.items())
    line.haul(rate_m_s=-2.0)
    line.haul(tension_N=most)
    line.haul(rate_m_s=0.0)  # stands still


def test_a_ship_needs_a_finite_destination():
    line = hung()
    before = line.save()
    for north, east, speed in ((np.nan, 0.0, 1.0), (0.0, "far", 1.0), (0.0, np.inf, 1.0), (0.0, 1.0, 0.0)):
        with pytest.raises(CommandError, match=r"ship .* expected a"):
            line.move_ship(north_m=north, east_m=east, speed_m_s=speed)
    np.testing.assert_array_equal(line.save()["line"], before["line"])
    with pytest.raises(CommandError, match="settle it first"):
        Line(CABLE, Tether(length_m=10.0)).move_ship(north_m=1.0, east_m=0.0)
