"""A controller of the user's own, named in a scenario as FILE.py:CLASS."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Any

from pelagos.errors import ScenarioError
from pelagos.files.named import named
from pelagos.vehicle.spec import Vehicle


def own_controller(class_name: str, vehicle: Vehicle, scenario_path: str) -> Any:
    """The object that CLASS(vehicle) makes; the file is found from the folder of the scenario."""
    file, colon, name = class_name.rpartition(":")
    where = scenario_path or "scenario"
    path = Path(scenario_path).parent / file
    if not colon or not os.path.isfile(path):
        what = {"key": "control.class_name", "value": class_name, "expected": "FILE.py:CLASS"}
        raise ScenarioError("there is no such file", file=where, **what)
    spec = importlib.util.spec_from_file_location(path.stem, named(path))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        made = getattr(module, name)
    except AttributeError:
        raise ScenarioError(
            f"there is no class {name} in {path.name}", file=where, key="control.class_name", value=class_name
        ) from None
    except (Exception, SystemExit) as problem:
        message = f"{path.name} cannot be run: {type(problem).__name__}: {problem}"
        raise ScenarioError(message, file=where, key="control.class_name", value=class_name) from problem
    try:
        return made(vehicle)
    except Exception as problem:
        message = f"{name}(vehicle) failed: {type(problem).__name__}: {problem}"
        raise ScenarioError(message, file=where, key="control.class_name", value=class_name) from problem
