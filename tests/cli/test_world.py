"""`pelagos world`, `pelagos seabed` and `pelagos run --world`: output and errors of one sentence."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pelagos.cli.main import main
from pelagos.files.library import WORLDS
from pelagos.sim.log.log import Log
from tests.command import made_ready, mistake

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.usefixtures("in_an_empty_folder")


@pytest.mark.parametrize("words", [["world"], ["world", "--list"]])
def test_world_without_a_name_lists_them(capsys, words):
    assert main(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == WORLDS.names()
    assert all(len(line.split()) > 4 for line in lines)  # each with a summary


def test_listing_does_not_load_numba_or_matplotlib():
    code = (
        "import sys; from pelagos.cli.main import main; main(['world']); "
        "sys.exit(bool({'numba', 'matplotlib'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_world_describes_and_draws(capsys):
    assert main(["world", "royer_field"]) == 0
    out = capsys.readouterr().out
    assert "column 4, box: center (10, -10, 47.5) m" in out
    assert "figure  royer_field.png" in out
    assert Path("royer_field.png").stat().st_size > 50_000
    assert main(["world", "test_tank", "-o", "tank.svg", "--section-to-deg", "90"]) == 0
    assert "<svg" in Path("tank.svg").read_text()
    assert main(["world", "test_tank", "--no-figure"]) == 0
    assert not Path("test_tank.png").exists()


@pytest.mark.slow
def test_a_world_file_of_ones_own(capsys):
    Path("pond.toml").write_text('name = "Pond"\ndepth_m = 2\n[water]\npreset = "fresh"\n')
    assert main(["world", "pond.toml"]) == 0
    assert "Pond" in capsys.readouterr().out
    assert Path("pond.png").exists()


def test_mistakes_are_one_sentence(capsys):
    assert 'did you mean "harbour"' in mistake(capsys, "world", "harbor")
    Path("bad.toml").write_text("[[structure]]\nkind = 'sphere'\ncenter_m = [0, 0, 3]\nradius_m = -1\n")
    assert "bad.toml: structure[0].radius_m = -1: expected" in mistake(capsys, "world", "bad.toml")
    assert "no such file" in mistake(capsys, "seabed", "gone.jpg")
    assert "metres_per_pixel" in mistake(
        capsys, "seabed", str(WORLDS.folder / "gavia_bottom.jpg"), "--metres-per-pixel", "0"
    )


def test_seabed_reads_a_picture(capsys):
    picture = str(WORLDS.folder / "gavia_bottom.jpg")
    assert main(["seabed", picture, "-o", "bottom.txt", "--depth-per-pixel-m", "0.5", "--metres-per-pixel", "2"]) == 0
    out = capsys.readouterr().out
    assert "columns  300, 598 m long" in out
    assert "gaps     none" in out
    rows = [[float(word) for word in line.split()] for line in Path("bottom.txt").read_text().splitlines()]
    assert len(rows) == 300
    # the drawn curve starts in row 52 of 100: 26 m
    assert rows[0] == pytest.approx([0.0, 26.0], abs=0.5)
    Path("own.toml").write_text('[seabed]\nkind = "profile"\nfile = "bottom.txt"\n')
    assert main(["world", "own.toml", "--no-figure"]) == 0


def test_help_teaches(capsys):
    for command in ("world", "seabed"):
        with pytest.raises(SystemExit) as end:
            main([command, "--help"])
        assert end.value.code == 0
        assert f"pelagos {command} " in capsys.readouterr().out.split("examples:")[1]


def test_schema_of_world_files(capsys):
    assert main(["schema", "--world"]) == 0
    assert {"waves", "structure"} <= set(json.loads(capsys.readouterr().out)["properties"])


def test_a_mission_flies_in_a_world(capsys):
    words = ["run", "bluerov2_heavy", "--world", "royer_field", "--seconds", "2", "--no-figure", "--out", "a"]
    assert main(words) == 0
    log = Log.from_csv("a.csv")
    assert log["current_north_m_s"][-1] == pytest.approx(0.75)
    assert "did you mean" in (main([*words[:3], "royer_feld"]), capsys.readouterr().err)[1]


def test_the_usual_depth_fits_the_water():
    sim, _ = made_ready("bluerov2_heavy", world="test_tank")
    assert sim.controller.setpoint.depth_m == 1.5  # half of 3 m
    assert len(sim.world.structures) == 4


def test_the_current_of_a_mission_is_added_to_those_of_the_world():
    sim, _ = made_ready("bluerov2_heavy", world="test_tank", current_m_s=0.2, current_to_deg=90.0)
    assert sim.world.water_velocity([0.0, 0.0, 1.0])[0] == pytest.approx([0.0, 0.2, 0.0])
