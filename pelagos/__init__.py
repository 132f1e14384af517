"""Pelagos simulates underwater vehicles: AUVs, ROVs and gliders.

>>> import pelagos
>>> sim = pelagos.Simulation(pelagos.load_vehicle("bluerov2_heavy"), pelagos.World(current_m_s=0.3), seed=1)
>>> sim.command(depth_m=5, heading_deg=90)
>>> log = sim.run(seconds=60)

Public names are imported on first use, so `import pelagos` is quick and loads no compiler.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pelagos import providers as _providers

if TYPE_CHECKING:
    from pelagos.batch.batch import Batch
    from pelagos.errors import CommandError, DivergedError, PelagosError, ScenarioError, VehicleFileError
    from pelagos.files.library import list_worlds
    from pelagos.guidance.mission import Mission
    from pelagos.messages import (
        Actuation,
        Actuations,
        Estimate,
        Event,
        Reading,
        Setpoint,
        VehicleState,
        VehicleStates,
    )
    from pelagos.scenario.read import load_scenario
    from pelagos.scenario.spec import Scenario
    from pelagos.sim.fleet import Fleet
    from pelagos.sim.log.load import load_log
    from pelagos.sim.log.log import Log
    from pelagos.sim.predictor.predictor import Predictor
    from pelagos.sim.simulation import Simulation
    from pelagos.tether.spec import Cable, Tether
    from pelagos.vehicle.library import list_vehicles
    from pelagos.vehicle.load.sensors import load_sensor
    from pelagos.vehicle.load.tether import load_cable
    from pelagos.vehicle.load.vehicle import load_vehicle
    from pelagos.vehicle.spec import Vehicle
    from pelagos.world.current.kinds import GaussMarkov, PowerLaw, Profile, Tidal, Turbulence, Uniform
    from pelagos.world.load import load_world
    from pelagos.world.seabed.seabed import Seabed
    from pelagos.world.spec import World
    from pelagos.world.structure import Structure
    from pelagos.world.water import Water
    from pelagos.world.waves import Waves

    __version__: str

_HOME = {
    "Actuation": "pelagos.messages",
    "Actuations": "pelagos.messages",
    "Batch": "pelagos.batch.batch",
    "Cable": "pelagos.tether.spec",
    "CommandError": "pelagos.errors",
    "DivergedError": "pelagos.errors",
    "Estimate": "pelagos.messages",
    "Event": "pelagos.messages",
    "Fleet": "pelagos.sim.fleet",
    "GaussMarkov": "pelagos.world.current.kinds",
    "Log": "pelagos.sim.log.log",
    "Mission": "pelagos.guidance.mission",
    "PelagosError": "pelagos.errors",
    "PowerLaw": "pelagos.world.current.kinds",
    "Predictor": "pelagos.sim.predictor.predictor",
    "Profile": "pelagos.world.current.kinds",
    "Reading": "pelagos.messages",
    "Scenario": "pelagos.scenario.spec",
    "ScenarioError": "pelagos.errors",
    "Seabed": "pelagos.world.seabed.seabed",
    "Setpoint": "pelagos.messages",
    "Simulation": "pelagos.sim.simulation",
    "Structure": "pelagos.world.structure",
    "Tether": "pelagos.tether.spec",
    "Tidal": "pelagos.world.current.kinds",
    "VehicleState": "pelagos.messages",
    "VehicleStates": "pelagos.messages",
    "Turbulence": "pelagos.world.current.kinds",
    "Uniform": "pelagos.world.current.kinds",
    "Vehicle": "pelagos.vehicle.spec",
    "VehicleFileError": "pelagos.errors",
    "Water": "pelagos.world.water",
    "Waves": "pelagos.world.waves",
    "World": "pelagos.world.spec",
    "list_vehicles": "pelagos.vehicle.library",
    "list_worlds": "pelagos.files.library",
    "load_cable": "pelagos.vehicle.load.tether",
    "load_log": "pelagos.sim.log.load",
    "load_scenario": "pelagos.scenario.read",
    "load_sensor": "pelagos.vehicle.load.sensors",
    "load_vehicle": "pelagos.vehicle.load.vehicle",
    "load_world": "pelagos.world.load",
}

__all__ = [
    "Actuation",
    "Actuations",
    "Batch",
    "Cable",
    "CommandError",
    "DivergedError",
    "Estimate",
    "Event",
    "Fleet",
    "GaussMarkov",
    "Log",
    "Mission",
    "PelagosError",
    "PowerLaw",
    "Predictor",
    "Profile",
    "Reading",
    "Scenario",
    "ScenarioError",
    "Seabed",
    "Setpoint",
    "Simulation",
    "Structure",
    "Tether",
    "Tidal",
    "Turbulence",
    "Uniform",
    "Vehicle",
    "VehicleFileError",
    "VehicleState",
    "VehicleStates",
    "Water",
    "Waves",
    "World",
    "__version__",
    "list_vehicles",
    "list_worlds",
    "load_cable",
    "load_log",
    "load_scenario",
    "load_sensor",
    "load_vehicle",
    "load_world",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    if name == "__version__":
        return _version()
    raise AttributeError(f"module 'pelagos' has no attribute {name!r}")


def _version() -> str:
    """Return the version of the installed package; for a clone on the path, the version in its pyproject.toml."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("pelagos")
    except PackageNotFoundError:
        return _version_of_clone()


def _version_of_clone() -> str:
    """Read the version from the pyproject.toml beside the package, if that file belongs to Pelagos."""
    import tomllib
    from pathlib import Path

    try:
        project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8")).get("project", {})
    except (OSError, ValueError):
        return "unknown"
    return str(project["version"]) if project.get("name") == "pelagos" and "version" in project else "unknown"


def __dir__() -> list[str]:
    return __all__


def _run(recorders: Any, seconds: float, **options: Any) -> list[Log]:
    from pelagos.session.run import run

    return run(recorders, seconds, **options)


def _run_scenario(scenario: Scenario, stem: str | None, **options: Any) -> Any:
    from pelagos.session.scenario_run import run_scenario

    return run_scenario(scenario, stem, **options)


def _plot_log(log: Log, columns: tuple[str, ...], path: Any) -> Any:
    from pelagos.analysis import plots

    return plots.plot_columns(log, columns, path) if columns else plots.plot_mission(log, path)


def _open_viewer(vehicle: Vehicle, world: World, **options: Any) -> Any:
    from pelagos.console.viewer import ConsoleViewer

    return ConsoleViewer(vehicle, world, **options)


# Inner packages call these through `providers`, because they must not import `session`, `analysis` or `console`.
_providers.run, _providers.run_scenario = _run, _run_scenario
_providers.plot_log, _providers.open_viewer = _plot_log, _open_viewer
