"""A document is read from its file; a drawing is the figure it was made from, and equal figures give equal bytes."""

import io

import pytest
from PIL import Image

from pelagos.analysis.page import UNWRITTEN, new_figure, styled
from pelagos.errors import FileError
from pelagos_evidence.document import drawn, read_document


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


FILE = """
short = "NAV"
citation = "c"
about = "a"
chief = ["munk"]
[[part]]
key = "equations"
title = "t"
about = "a"
run = "equations.run"
"""


def test_a_document_is_read_from_its_file(tmp_path):
    (tmp_path / "document.toml").write_text(FILE)
    document = read_document("pelagos_evidence.nav", str(tmp_path / "__init__.py"))
    assert (document.key, document.short, document.chief) == (tmp_path.name, "NAV", ("munk",))
    assert document.parts[0].run.__module__ == "pelagos_evidence.nav.equations"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("citation", "citaton", 'citaton: no such key; did you mean "citation"?'),
        ('title = "t"', "", "part 1.title: is missing"),
    ],
)
def test_a_mistake_in_the_file_is_one_sentence(tmp_path, old, new, words):
    (tmp_path / "document.toml").write_text(FILE.replace(old, new))
    with pytest.raises(FileError, match=words.replace("?", "[?]")):
        read_document("pelagos_evidence.nav", str(tmp_path / "__init__.py"))
