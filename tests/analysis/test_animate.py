"""Animations contain every frame; moving artists move and static ones stay."""

import subprocess
import sys

import numpy as np
import pytest

from pelagos.analysis.animate import ffmpeg, frames, write_gif, write_mp4
from pelagos.analysis.page import UNWRITTEN, new_figure, styled
from pelagos.errors import PelagosError

pytest.importorskip("matplotlib")
Image = pytest.importorskip("PIL.Image")


@pytest.fixture
def pictures():
    with styled():
        figure = new_figure(UNWRITTEN, (3.01, 2.01), None)
        ax = figure.subplots()
        ax.set_xlim(0.0, 10.0)
        ax.set_ylim(0.0, 1.0)
        ax.set_axis_off()
        (dot,) = ax.plot([], [], "s", color="black", markersize=20)
        return list(frames(figure, [dot], lambda k: dot.set_data([k], [0.5]), [2, 5, 8]))


def dark_column(picture):
    """Where the middle row is black, as a share of the width."""
    row = picture[len(picture) // 2, :, 0]
    return np.flatnonzero(row < 60).mean() / len(row)


def test_the_moving_part_moves_over_a_still_one(pictures):
    assert len(pictures) == 3
    assert all(size % 2 == 0 for size in pictures[0].shape[:2])  # as video wants it
    places = [dark_column(picture) for picture in pictures]
    assert places[1] - places[0] == pytest.approx(places[2] - places[1], abs=0.01)  # equal steps, to a pixel
    assert places[1] > places[0] + 0.2
    assert dark_column(pictures[2]) > 0.6 and (pictures[2][:, : pictures[2].shape[1] // 2] > 200).all()  # no trail


def test_a_gif_holds_every_frame(pictures, tmp_path):
    write_gif([*pictures, pictures[-1]], str(tmp_path / "a.gif"), rate_hz=10.0)
    with Image.open(tmp_path / "a.gif") as film:
        assert film.info["duration"] == 100 and film.info["loop"] == 0
        shown = 0
        for k in range(film.n_frames):
            film.seek(k)
            shown += film.info["duration"]
        assert shown == 400  # ms: equal frames may be stored as one that lasts twice as long
    with pytest.raises(PelagosError, match="cannot be written"):
        write_gif(pictures, str(tmp_path / "nowhere" / "a.gif"))


@pytest.mark.skipif(not ffmpeg(), reason="no ffmpeg on this machine")
def test_an_mp4_holds_every_frame(pictures, tmp_path):
    write_mp4(pictures, str(tmp_path / "a.mp4"))
    order = [ffmpeg(), "-i", str(tmp_path / "a.mp4"), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    raw = subprocess.run(order, capture_output=True, check=True).stdout
    back = np.frombuffer(raw, np.uint8).reshape(-1, *pictures[0].shape)
    assert len(back) == 3
    for there, here in zip(back, pictures, strict=True):
        assert dark_column(there) == pytest.approx(dark_column(here), abs=0.02)  # lossy: a pixel or two at the edges
    with pytest.raises(PelagosError, match="cannot be written"):
        write_mp4(pictures, str(tmp_path / "nowhere" / "a.mp4"))


def test_without_ffmpeg_a_sentence_says_what_to_install(pictures, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert ffmpeg() == ""
    with pytest.raises(PelagosError, match=r'pip install "\.\[plot\]"'):
        write_mp4(pictures, str(tmp_path / "a.mp4"))
