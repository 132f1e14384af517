"""The figure of a sonar image has a title and a colour bar in decibels."""

import pytest

from pelagos.sensors.sound.imaging import ImagingSonar, draw_image
from pelagos.world.spec import World
from tests.sensors.sounding import at_work, instant


def test_the_picture_of_a_sonar_has_a_title_and_its_colours_in_decibels():
    plt = pytest.importorskip("matplotlib.pyplot")
    sonar = at_work(ImagingSonar(n_bearings=24, n_ranges=40, max_range_m=30.0))
    sonar.measure_single(instant(), World(depth_m=14.0))
    figure, axes = plt.subplots()
    draw_image(sonar, axes, floor_db=-40.0, top_db=-8.0)
    assert axes.get_title() == "sonar image, 24 bearings to 30 m"
    (bar,) = (other for other in figure.axes if other is not axes)
    assert "dB" in bar.get_ylabel() and bar.get_ylim() == (-40.0, -8.0)
    plt.close(figure)
