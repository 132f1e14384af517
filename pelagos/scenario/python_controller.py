"""Load a user's controller class, which a scenario names as FILE.py:CLASS."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Any

from pelagos.errors import ScenarioError
from pelagos.files.named import named
from pelagos.vehicle.spec import Vehicle


def load_controller(class_name: str, vehicle: Vehicle, scenario_path: str) -> Any:
    """Return CLASS(vehicle) of the file, whose path is relative to the folder of the scenario."""
    file, colon, name = class_name.rpartition(":")
    setting = {"file": scenario_path or "scenario", "key": "control.class_name", "value": class_name}
    path = Path(scenario_path).parent / file
    if not colon or not os.path.isfile(path):
        raise ScenarioError("there is no such file", **setting, expected="FILE.py:CLASS")
    spec = importlib.util.spec_from_file_location(path.stem, named(path))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        controller_class = getattr(module, name)
    except AttributeError:
        raise ScenarioError(f"{path.name} has no class {name}", **setting, expected="FILE.py:CLASS") from None
    except (Exception, SystemExit) as problem:  # the module is the user's code and may raise anything
        message = f"{path.name} cannot be run: {type(problem).__name__}: {problem}"
        raise ScenarioError(message, **setting) from problem
    try:
        return controller_class(vehicle)
    except Exception as problem:
        message = f"{name}(vehicle) failed: {type(problem).__name__}: {problem}"
        raise ScenarioError(message, **setting) from problem
