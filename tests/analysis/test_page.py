"""Figures are saved without a screen, byte for byte equal, and errors are one sentence."""

import pytest

from pelagos.analysis.page import new_figure, save_or_show, styled
from pelagos.errors import CommandError


def test_a_figure_for_a_file_needs_no_screen_and_repeats_byte_for_byte(tmp_path):
    for name in ("a.png", "b.png"):
        with styled():
            figure = new_figure(tmp_path / name, (3.0, 2.0), "a title")
            figure.subplots().plot([0, 1], [0, 1])
            assert save_or_show(figure, tmp_path / name) is figure
    assert figure.get_suptitle() == "a title"
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_an_impossible_path_is_one_sentence(tmp_path):
    with styled(), pytest.raises(CommandError, match="cannot be written"):
        save_or_show(new_figure(tmp_path / "x.png", (3.0, 2.0), ""), tmp_path / "nowhere" / "x.png")


def test_a_name_with_a_dollar_is_a_name_and_powers_of_ten_are_set(tmp_path):
    with styled():
        figure = new_figure(tmp_path / "a.png", (3.0, 2.0), r"$\frac{$")
        ax = figure.subplots()
        ax.plot([1.0, 2.0], [1e-3, 1e3], label=r"a $x_{$ b")
        ax.set_yscale("log")
        ax.set_xlabel("$$")
        ax.legend()
        save_or_show(figure, tmp_path / "a.png")
    assert (tmp_path / "a.png").stat().st_size > 0
    assert not ax.xaxis.label.get_parse_math()
    assert all(label.get_parse_math() for label in ax.yaxis.get_ticklabels() if "mathdefault" in label.get_text())
