"""Fixtures shared by tests of several folders, as in tests/conftest.py."""

from tests.conftest import in_an_empty_folder

__all__ = ["in_an_empty_folder"]
