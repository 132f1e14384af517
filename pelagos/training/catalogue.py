"""The built-in training tasks: names, titles and summaries, read without loading the simulator."""

from __future__ import annotations

from pathlib import Path

from pelagos.errors import ScenarioError
from pelagos.files.source import read_toml, why_not

TASKS = Path(__file__).parent / "tasks"
ORDER = ("pipeline", "hover", "docking", "inspection", "search")  # easiest first


def task_names() -> list[str]:
    """Names of the built-in tasks, easiest first."""
    names = [path.stem for path in TASKS.glob("*.toml")]
    return sorted(names, key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name))


def task_list() -> list[dict[str, str]]:
    """Name, title and summary of each built-in task."""
    rows = [(name, read_toml(TASKS / f"{name}.toml")) for name in task_names()]
    return [{"name": name, "title": str(raw.get("title", name)), "summary": str(raw.get("summary", ""))}
            for name, raw in rows]  # fmt: skip


def find_task(name_or_path: str | Path) -> Path:
    """The file of a built-in task, or the path itself if it is one."""
    path = Path(name_or_path)
    if path.suffix == ".toml" or len(path.parts) > 1:
        why = why_not(path)
        if why:
            raise ScenarioError(**why, file=path)
        return path
    if str(name_or_path) not in task_names():
        name = str(name_or_path)
        raise ScenarioError("no task of this name", file=f'"{name}"', names=task_names(), misspelt=name)
    return TASKS / f"{name_or_path}.toml"
