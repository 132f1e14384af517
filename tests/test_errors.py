"""Errors are one sentence with the parts that are there, and the nearest name is near."""

import pickle

import pytest

from pelagos import errors
from pelagos.errors import DivergedError, MissingExtraError, PelagosError, ScenarioError, VehicleFileError, nearest


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        (("a.toml",), "a.toml"),
        (("a.toml", "body.mass_kg"), "a.toml: body.mass_kg"),
        (("a.toml", "body.mass_kg", -1.0, "must be above 0"), "a.toml: body.mass_kg = -1.0: must be above 0"),
        (("a.toml", "k", None, "unknown", "key"), 'a.toml: k: unknown; did you mean "key"?'),
        (("a.toml", "k", True, "x"), "a.toml: k = true: x"),
        (("a.toml", "k", ["u", 1], "x"), 'a.toml: k = ["u", 1]: x'),
        (("a.toml", "k", {"a": "b"}, "x"), 'a.toml: k = {a = "b"}: x'),
    ],
)
def test_the_sentence_has_the_parts_that_are_there(parts, sentence):
    assert str(VehicleFileError(*parts)) == str(ScenarioError(*parts)) == sentence


def test_error_carries_its_parts():
    error = VehicleFileError("a.toml", "body.mass_kg", [1.5, "x", True], "expected a number", "mass_kg")
    assert str(error) == 'a.toml: body.mass_kg = [1.5, "x", true]: expected a number; did you mean "mass_kg"?'
    assert (error.file, error.key, error.suggestion) == ("a.toml", "body.mass_kg", "mass_kg")


def test_long_values_are_cut():
    said = str(VehicleFileError("a.toml", "k", list(range(1000)), "x"))
    assert len(said) < 110 and "..." in said


def test_the_nearest_name_is_near_or_none():
    assert nearest("mas_kg", ["mass_kg", "volume_m3"]) == "mass_kg"
    assert nearest("MASS_KG", ["mass_kg"]) == "mass_kg"
    assert nearest("zzz", ["mass_kg"]) == ""


def test_a_diverged_run_keeps_its_last_good_state():
    error = DivergedError(1.5, "thrusters", {"surge_m_s": 9.0})
    assert error.last_good == {"surge_m_s": 9.0}
    assert str(error) == (
        "the motion diverged at 1.500 s; the largest force was thrusters; last good state: surge_m_s = 9"
    )


def test_a_missing_package_says_how_to_install_it():
    assert str(MissingExtraError("capytaine", "a panel method", "bem")).endswith(
        'pip install ".[bem]" in the clone of Pelagos'
    )
    assert str(MissingExtraError("capytaine", "a panel method")).endswith("pip install capytaine")


def test_every_error_is_one_that_the_command_line_catches():
    own = [item for item in vars(errors).values() if isinstance(item, type) and issubclass(item, Exception)]
    assert len(own) > 4
    assert all(issubclass(item, PelagosError) for item in own)


def test_line_breaks_and_terminal_escapes_are_shown_escaped():
    said = str(ScenarioError("a\x1b[2J.toml", "k\n", "x\r\x07\u202e", "expected text"))
    assert said == r'a\x1b[2J.toml: k\n = "x\r\x07\u202e": expected text'
    assert str(PelagosError("a\nb")) == r"a\nb"
    assert len(str(PelagosError("x" * 10_000))) == 2000


def test_errors_cross_a_pipe_as_they_are():
    for error in (MissingExtraError("a", "b", "c"), DivergedError(1.0, "x", {"u": 2.0}), ScenarioError("a", "b", 3)):
        back = pickle.loads(pickle.dumps(error))
        assert (type(back), str(back), vars(back)) == (type(error), str(error), vars(error))
