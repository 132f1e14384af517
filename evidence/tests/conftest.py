"""What tests of several folders ask for by name: as those of pelagos do."""

from tests.conftest import in_an_empty_folder

__all__ = ["in_an_empty_folder"]
