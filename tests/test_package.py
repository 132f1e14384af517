"""`import pelagos`: its public names, and what it does not load."""

import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pelagos


def test_every_public_name_is_there():
    assert all(getattr(pelagos, name) is not None for name in pelagos.__all__)
    assert set(dir(pelagos)) == set(pelagos.__all__)


def test_the_names_a_controller_needs_are_public():
    assert {"Actuation", "ScenarioError", "Setpoint", "VehicleState"} <= set(pelagos.__all__)
    assert issubclass(pelagos.ScenarioError, pelagos.PelagosError)


def test_a_tether_is_rigged_with_public_names_without_loading_numba():
    code = (
        "import sys, pelagos; cable = pelagos.load_cable('fathom_7_6mm'); assert isinstance(cable, pelagos.Cable); "
        "tether = pelagos.Tether(cable=cable, length_m=50.0); print(tether.length_m, 'numba' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=Path(__file__).parents[1])
    assert ran.stdout.split() == ["50.0", "False"], ran.stderr


def test_the_version_is_that_of_the_installed_package_or_of_the_clone():
    try:
        assert pelagos.__version__ == version("pelagos")
    except PackageNotFoundError:  # a clone on the path, not installed
        project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
        assert pelagos.__version__ == project["version"]


def test_both_distributions_have_one_version():
    root = Path(__file__).parents[1]
    ours, evidence = (
        tomllib.loads((root / f).read_text())["project"] for f in ("pyproject.toml", "evidence/pyproject.toml")
    )
    assert evidence["version"] == ours["version"]
    assert evidence["dependencies"] == [f"pelagos[full,links]=={ours['version']}"]


def test_a_copy_of_the_package_says_the_version_of_its_own_pyproject_or_none(tmp_path):
    (tmp_path / "pelagos").mkdir()
    for name in ("__init__.py", "providers.py"):
        (tmp_path / "pelagos" / name).write_text(Path(pelagos.__file__).with_name(name).read_text())
    code = "import sys; sys.path[:] = [p for p in sys.path if 'site-packages' not in p]; import pelagos; "
    code += "print(pelagos.__version__)"
    project = tmp_path / "pyproject.toml"
    for text, expected in (
        (None, "unknown"),
        ('[project]\nname = "pelagos"\nversion = "7.8.9"\n', "7.8.9"),
        ('[project]\nname = "another"\nversion = "1.0"\n', "unknown"),  # a project that contains the folder
        ("[project", "unknown"),
    ):
        if text is not None:
            project.write_text(text)
        ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
        assert ran.stdout.strip() == expected, ran.stderr


def test_importing_loads_neither_numba_nor_numpy():
    code = "import sys, pelagos; pelagos.__version__; print([m for m in ('numba', 'numpy') if m in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=Path(__file__).parents[1])
    assert ran.stdout.strip() == "[]", ran.stderr
