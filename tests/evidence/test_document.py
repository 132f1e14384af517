"""A drawing is the figure it was made from, and the same figure gives the same bytes."""

import io

from PIL import Image

from pelagos.analysis.page import UNWRITTEN, new_figure, styled
from pelagos_evidence.document import drawn


def made():
    with styled():
        figure = new_figure(UNWRITTEN, (6.0, 3.0), "A cable")
        ax = figure.add_subplot(xlabel="x, m", ylabel="depth, m")
        ax.plot([0.0, 1.0, 2.0], [0.0, 3.0, 4.0])
        return drawn(figure, "royer-cable", "A cable in a current", dpi=110)


def test_a_drawing_holds_a_picture_of_the_size_it_says():
    drawing = made()
    with Image.open(io.BytesIO(drawing.png)) as picture:
        assert picture.format == "PNG"
        assert picture.size == (drawing.width_px, drawing.height_px) == (660, 330)
        assert len(picture.convert("L").getcolors() or []) > 10  # not an empty sheet
    assert (drawing.name, drawing.caption) == ("royer-cable", "A cable in a current")


def test_equal_figures_give_equal_bytes():
    assert made().png == made().png
