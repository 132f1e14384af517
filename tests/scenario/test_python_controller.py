"""A user's controller: loaded from beside the scenario, constructed with the vehicle; mistakes get one sentence."""

import pytest

from pelagos.errors import ScenarioError
from pelagos.scenario.python_controller import load_controller
from pelagos.vehicle.load.vehicle import load_vehicle

GOOD = """
class Mine:
    def __init__(self, vehicle):
        self.vehicle = vehicle
"""


def made(tmp_path, text, class_name="mine.py:Mine"):
    (tmp_path / "mine.py").write_text(text)
    return load_controller(class_name, load_vehicle("lauv"), str(tmp_path / "s.toml"))


def test_it_is_made_with_the_vehicle(tmp_path):
    assert made(tmp_path, GOOD).vehicle.key == "lauv"


@pytest.mark.parametrize(
    ("text", "name", "sentence"),
    [
        (GOOD, "mine.py", "there is no such file"),
        (GOOD, "gone.py:Mine", "there is no such file"),
        (GOOD, ":Mine", "there is no such file"),
        (GOOD, "mine.py:Other", "mine.py has no class Other; expected FILE.py:CLASS"),
        ("class Mine(:", "mine.py:Mine", "cannot be run: SyntaxError"),
        ("import nothing_of_this_name", "mine.py:Mine", "cannot be run: ModuleNotFoundError"),
        ("raise SystemExit(3)", "mine.py:Mine", "cannot be run: SystemExit"),
        ("class Mine: pass", "mine.py:Mine", r"Mine\(vehicle\) failed: TypeError"),
        ("def Mine(v): return 1 / 0", "mine.py:Mine", r"Mine\(vehicle\) failed: ZeroDivisionError"),
    ],
)
def test_mistakes(tmp_path, text, name, sentence):
    with pytest.raises(ScenarioError, match=sentence) as caught:
        made(tmp_path, text, name)
    assert caught.value.key == "control.class_name"
    assert "\n" not in str(caught.value)
