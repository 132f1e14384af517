"""The command called with a mistake."""

from __future__ import annotations

from pelagos.cli import main


def mistake(capsys, *words):
    """The sentence a mistake ends in."""
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("pelagos: ")
    return err
