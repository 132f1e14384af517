"""Case 3 of the plotter: beam ends, number of frames, and the animations."""

import numpy as np
import pytest

from pelagos.analysis.animate import ffmpeg
from pelagos.analysis.page import styled
from pelagos.analysis.plotter.motion import MotionScene, beam_ends, instants, motion_of, silenced
from pelagos.analysis.plotter.plotter import PlotterData, plot_case, plotter_columns, write_plotter
from pelagos.errors import PelagosError
from tests.analysis.measured import sounded_log

pytest.importorskip("matplotlib")
Image = pytest.importorskip("PIL.Image")


def table(**columns):
    return PlotterData("data.txt", {name: np.asarray(values, float) for name, values in columns.items()})


def test_a_beam_ends_where_angle_and_range_say():
    """Straight ahead; 30 deg up, 60 deg up with the pitch; straight down; and towards falling x_pos."""
    ends = beam_ends((10.0, 5.0), 0.0, np.array([0.0, 30.0, -90.0]), np.array([7.0, 2.0, 3.0]))
    np.testing.assert_allclose(ends, [[17.0, 5.0], [10.0 + np.sqrt(3.0), 4.0], [10.0, 8.0]], atol=1e-12)
    pitched = beam_ends((0.0, 5.0), 30.0, np.array([30.0]), np.array([2.0]))
    np.testing.assert_allclose(pitched, [[1.0, 5.0 - np.sqrt(3.0)]], atol=1e-12)
    np.testing.assert_allclose(beam_ends((0.0, 0.0), 0.0, np.zeros(1), np.ones(1), -1.0), [[-1.0, 0.0]], atol=1e-12)


def test_beams_of_a_run_over_a_level_bottom_end_on_it():
    log = sounded_log()
    motion = motion_of(PlotterData("x", plotter_columns(log, tilt_deg=30.0)))
    # 0.01 deg: the angles in the titles have two digits; 10 / sin(25 deg) m away that is 0.01 m
    np.testing.assert_allclose(motion.ends(20)[:, 1], 20.0, atol=0.01)
    assert (motion.ends(20)[:, 0] > motion.x[20]).all()


def test_titles_may_be_written_in_many_ways():
    x = {"x_pos": [0.0, 1.0]}
    motion = motion_of(table(**x, Depth=[1.0, 2.0], pitch_rad=[0.0, 0.1], altitude_m=[3.0, 3.0], time=[0.0, 1.0]))
    np.testing.assert_allclose(motion.pitch_deg, [0.0, np.degrees(0.1)])
    assert motion.bottom.tolist() == [4.0, 5.0] and motion.time_s.tolist() == [0.0, 1.0]
    assert motion.ranges.shape == (2, 0)
    numbered = motion_of(table(**x, z_pos=[1.0, 1.0], beam1=[5.0, 5.0], beam2=[6.0, 6.0]), spread_deg=20.0)
    assert numbered.angles_deg.tolist() == [-10.0, 10.0]
    alone = motion_of(table(**x, depth=[1.0, 1.0], range=[5.0, 6.0], bottom=[9.0, 9.0]))
    assert alone.range_only and alone.ranges.tolist() == [[5.0] * 4, [6.0] * 4]
    assert motion_of(table(x_pos=[1.0, 0.0], depth=[1.0, 1.0])).ahead == -1.0
    with pytest.raises(PelagosError, match="case 3 needs a column depth"):
        motion_of(table(**x, pitch=[0.0, 0.0]))


def test_a_beam_at_the_reach_of_the_sonar_met_nothing():
    motion = motion_of(
        table(x_pos=[0.0, 1.0, 2.0], depth=[1.0] * 3, beam_1=[50.0, 50.0, 20.0], beam_2=[30.0, 25.0, 20.0])
    )
    heard = silenced(motion)
    assert np.isnan(heard.ranges[:2, 0]).all() and heard.ranges[2, 0] == 20.0
    assert heard.reach_m == 50.0
    assert np.isfinite(silenced(motion, 60.0).ranges).all() and silenced(motion, 60.0).reach_m == 60.0
    once = motion_of(table(x_pos=[0.0, 1.0], depth=[1.0] * 2, beam_1=[50.0, 40.0]))
    assert np.isfinite(silenced(once).ranges).all()  # message once, it may be an echo


def test_the_picture_puts_everything_in_its_place():
    log = sounded_log()
    motion = silenced(motion_of(PlotterData("x", plotter_columns(log, tilt_deg=30.0))), 23.0)
    with styled():
        scene = MotionScene(motion, "x")
        scene.show(10)
    drawn = np.array([segment[1] for segment in scene.beams.get_segments()])
    np.testing.assert_allclose(drawn, motion.ends(10)[1:], atol=1e-12)  # the highest is longer than 23 m
    (nearest,) = scene.least.get_segments()
    np.testing.assert_allclose(nearest, [[50.0, 10.0], motion.ends(10)[-1]], atol=1e-12)
    (lost,) = scene.lost.get_segments()
    assert np.hypot(*(lost[1] - lost[0])) == pytest.approx(23.0)
    way_x, way_z = scene.way.get_data()
    assert (way_x[-1], way_z[-1], len(way_x)) == (50.0, 10.0, 11)
    np.testing.assert_allclose(scene.hull.get_xy()[0], [50.0, 10.0])  # the nose
    assert scene.caption.get_text() == "10.0 s   x_pos 50.0 m   depth 10.0 m   range 17.4 m"  # 10 / sin 35 deg
    low, high = scene.ax.get_ylim()
    assert low > 20.0 > 0.0 > high


@pytest.mark.slow
def test_frames_and_films_are_written(tmp_path):
    write_plotter(sounded_log(), tmp_path / "run.txt", tilt_deg=30.0)
    files = plot_case(tmp_path / "run.txt", 3, frames=3, movie_frames=7)
    names = [file.rpartition("/")[2] for file in files]
    assert names[:4] == ["run-3-01.png", "run-3-02.png", "run-3-03.png", "run-3.gif"]
    with Image.open(tmp_path / "run-3.gif") as film:
        assert film.n_frames == 7
    if ffmpeg():
        assert names[4:] == ["run-3.mp4"]
        assert (tmp_path / "run-3.mp4").read_bytes()[4:8] == b"ftyp"
    assert plot_case(tmp_path / "run.txt", 3, tmp_path / "f.svg", frames=1, movie_frames=0) == [
        str(tmp_path / "f-01.svg")
    ]


def test_instants_are_even_and_each_is_shown_once():
    assert instants(11, 6) == [0, 2, 4, 6, 8, 10]
    assert instants(2, 6) == [0, 1]
    assert instants(5, 0) == []


@pytest.mark.parametrize(
    ("option", "message"),
    [({"frames": -1}, "frames is -1"), ({"movie_frames": 2.5}, "movie_frames is 2.5"), ({"rate_hz": 0.0}, "rate_hz")],
)
def test_bad_options_get_one_sentence(tmp_path, option, message):
    write_plotter(sounded_log(samples=5), tmp_path / "run.txt")
    with pytest.raises(PelagosError, match=message):
        plot_case(tmp_path / "run.txt", 3, **option)


@pytest.mark.slow
def test_samples_without_a_place_are_passed_over(tmp_path):
    (tmp_path / "nan.txt").write_text("x_pos,depth\n1,nan\n2,3\nnan,4\n5,6\n")
    assert len(plot_case(tmp_path / "nan.txt", 3, frames=4, movie_frames=0)) == 4
    with styled():
        scene = MotionScene(motion_of(table(x_pos=[1.0, 2.0, np.nan, 5.0], depth=[np.nan, 3.0, 4.0, 6.0])), "x")
    assert scene.ax.get_xlim()[0] < 1.0 < 5.0 < scene.ax.get_xlim()[1]
    assert scene.ax.get_ylim()[0] > 6.0
    with pytest.raises(PelagosError, match="expected a sample with both"):
        motion_of(table(x_pos=[1.0, 2.0], depth=[np.nan, np.nan]))


@pytest.mark.parametrize("back", [1.0, -1.0])
def test_beams_without_echo_lie_inside_the_picture_to_the_last_sample(back):
    """50 m of reach ahead of the last place at 100 m."""
    motion = motion_of(table(x_pos=[0.0, back * 50.0, back * 100.0], depth=[5.0] * 3, beam_0_deg_m=[50.0] * 3))
    with styled():
        scene = MotionScene(silenced(motion), "x")
        scene.show(2)
    ((_, end),) = scene.lost.get_segments()
    assert end[0] == pytest.approx(back * 150.0)
    low, high = scene.ax.get_xlim()
    assert low < end[0] < high


def test_one_deep_sample_is_drawn_to_scale_with_its_range():
    """30 m of range message once is an echo; a short and deep picture is widened, not squeezed."""
    motion = silenced(motion_of(table(x_pos=[1.0], depth=[200.0], range=[30.0])))
    np.testing.assert_array_equal(motion.ranges, 30.0)
    with styled():
        scene = MotionScene(motion, "x")
        scene.show(0)
    assert scene.stretch == 1.0 and scene.caption.get_text().endswith("range 30.0 m")
    low, high = scene.ax.get_xlim()
    assert low < scene.hull.get_xy()[:, 0].min() and motion.ends(0)[:, 0].max() < high
