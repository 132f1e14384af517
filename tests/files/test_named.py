"""All files of a scenario are listed, nested ones included, on every call."""

import numpy as np
import pytest
from PIL import Image

from pelagos.files.named import naming
from pelagos.scenario.build import prepare
from pelagos.scenario.read import scenario_from

CUBE = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1)) + (
    "f 1 2 4\nf 1 4 3\nf 5 7 8\nf 5 8 6\nf 1 5 6\nf 1 6 2\nf 3 4 8\nf 3 8 7\nf 1 3 7\nf 1 7 5\nf 2 6 8\nf 2 8 4\n"
)
PILOT = """
class Pilot:
    def __init__(self, vehicle):
        pass
    def reset(self):
        pass
    def update(self, seen, dt):
        return None
"""
WORLD = """
[seabed]
kind = "grid"
file = "bottom.png"
spacing_m = 10.0
shallowest_m = 20.0
deepest_m = 30.0

[[current]]
kind = "series"
file = "tide.csv"

[[structure]]
kind = "mesh"
file = "cube.obj"
center_m = [50.0, 50.0, 5.0]
"""
OWN = ("mine.toml", "base.toml", "hull.obj", "sea.toml", "bottom.png", "tide.csv", "cube.obj", "pilot.py")


@pytest.fixture
def folder(tmp_path):
    Image.fromarray(np.full((8, 8), 128, np.uint8)).save(tmp_path / "bottom.png")
    (tmp_path / "base.toml").write_text('extends = "bluerov2_heavy"\n')
    shape = '[[shape]]\nkind = "mesh"\nfile = "hull.obj"\n'
    (tmp_path / "mine.toml").write_text(f'extends = "base.toml"\n{shape}[[sensor]]\npart = "nortek_dvl1000"\n')
    (tmp_path / "sea.toml").write_text(WORLD)
    (tmp_path / "tide.csv").write_text("time_s,north_m_s,east_m_s\n0,0.1,0\n100,0.2,0\n")
    for name in ("cube.obj", "hull.obj"):
        (tmp_path / name).write_text(CUBE)
    (tmp_path / "pilot.py").write_text(PILOT)
    return tmp_path


def test_every_file_of_a_scenario(folder):
    tables = {
        "vehicle": "mine.toml", "world": "sea.toml", "duration_s": 1.0,
        "control": {"kind": "python", "class_name": "pilot.py:Pilot"},
    }  # fmt: skip
    for _ in range(2):  # what is cached counts again
        with naming() as files:
            prepare(scenario_from(tables, "scenario", folder, path=str(folder / "scenario.toml")))
        assert {path.name for path in files if path.parent == folder} == set(OWN)
        library = {path.name for path in files if path.parent != folder}
        assert library >= {"bluerov2_heavy.toml", "t200_14v.toml", "fathom_7_6mm.toml", "nortek_dvl1000.toml"}
        assert not library & {
            "remus100.toml",
            "t200_12v.toml",
            "neutral_35mm.toml",
            "dvl_a50.toml",
        }  # it has none of these


def test_files_are_not_recorded_outside_the_context(folder):
    with naming() as files:
        pass
    scenario_from({"vehicle": "mine.toml", "duration_s": 1.0}, "scenario", folder)
    assert files == set()
