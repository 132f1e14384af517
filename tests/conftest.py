"""What tests of several folders ask for by name."""

import pytest


@pytest.fixture
def in_an_empty_folder(tmp_path, monkeypatch):
    """The working folder: new, and of this test alone."""
    monkeypatch.chdir(tmp_path)
