"""A library gives the file of a name or of a path; who names nothing gets the nearest name, or all of them."""

from pathlib import Path

import pytest

from pelagos.errors import ScenarioError, VehicleFileError
from pelagos.files.library import CAMPAIGNS, PARTS, SCENARIOS, TASKS, VEHICLES, WORLDS, Library, LibraryEntry


@pytest.fixture
def harbours(tmp_path):
    (tmp_path / "deep_port.toml").write_text('name = "The deep port"\nsummary = "30 m"\n')
    (tmp_path / "bay.toml").write_text('title = "A bay"\nname = "bay"\n')
    (tmp_path / "quay.stl").write_text("")
    return Library(tmp_path, "harbour", first=("deep_port",))


@pytest.mark.parametrize("library", [VEHICLES, PARTS, WORLDS, SCENARIOS, CAMPAIGNS, TASKS])
def test_every_library_has_files_and_no_name_twice(library):
    stems = [path.stem for path in library.folder.glob("*.toml")]
    assert stems and sorted(library.names()) == sorted(stems)
    assert [entry.key for entry in library.entries()] == library.names()


def test_names_are_sorted_after_those_that_come_first(harbours):
    assert harbours.names() == ["deep_port", "bay"]
    assert harbours.entries() == [LibraryEntry("deep_port", "The deep port", "30 m"), LibraryEntry("bay", "A bay", "")]


def test_a_name_or_a_path_gives_its_file(harbours, tmp_path, monkeypatch):
    assert harbours.path("bay") == harbours.find("bay") == tmp_path / "bay.toml"
    assert harbours.path("deep-port") == tmp_path / "deep_port.toml"
    monkeypatch.chdir(tmp_path)
    assert harbours.path("bay.toml") == Path("bay.toml")
    (tmp_path / "bay").mkdir()  # does not hide the file of the library
    assert harbours.path("bay") == tmp_path / "bay.toml"
    assert harbours.find("reef") is None and harbours.find("reef.toml") is None


def test_a_reference_finds_the_file_again(harbours, tmp_path, monkeypatch):
    (tmp_path / "own").mkdir()
    monkeypatch.chdir(tmp_path / "own")
    assert harbours.reference("../bay.toml") == "bay"
    assert harbours.reference("my.toml") == str(tmp_path / "own" / "my.toml")


def test_what_names_nothing_is_refused(harbours, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "reef").mkdir()
    for name, sentence in {
        "deep_prt": '"deep_prt": no harbour of this name in the library; did you mean "deep_port"?',
        "zzz": '"zzz": no harbour of this name in the library; expected one of deep_port, bay',
        "zzz.toml": "zzz.toml: no such file",
        "reef": "reef: is a folder; expected a library harbour or a .toml file",
    }.items():
        with pytest.raises(ScenarioError) as caught:
            harbours.path(name)
        assert str(caught.value) == sentence


def test_only_some_names_may_be_valid():
    assert PARTS.path("t200", ["t200"]).stem == "t200"
    with pytest.raises(VehicleFileError, match='"bar30": no part of this name in the library'):
        PARTS.path("bar30", ["t200"])
