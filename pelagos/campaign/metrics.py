"""Compute the metrics of a run from its log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from pelagos.campaign.expressions import Expression, reduce_column
from pelagos.campaign.spec import Metric
from pelagos.errors import CommandError, ScenarioError, one_of
from pelagos.sim.log.forces import column_names
from pelagos.sim.log.log import Log
from pelagos.vehicle.plant import TERMS

Logs = Mapping[str, Log]  # by vehicle
FORCES = frozenset(column_names((), TERMS))


def measure(metrics: Sequence[Metric], logs: Logs) -> dict[str, float]:
    """Return all metrics of one run."""
    return {metric.name: measured(metric, _log_of(metric, logs)) for metric in metrics}


def measured(metric: Metric, log: Log) -> float:
    """Return one metric; NaN if its time span has no sample."""
    expression = Expression(metric.column)
    for name in expression.names:
        if name not in log:
            raise CommandError(
                key=f"column of metric {metric.name}", value=name, expected="a column of the log", names=log.columns
            )
    inside = log.time_s >= metric.from_s - 1e-9  # rounding of the sample times
    if metric.to_s is not None:
        inside &= log.time_s <= metric.to_s + 1e-9
    columns = {name: log[name][inside] for name in expression.names}
    value = np.broadcast_to(expression.evaluate(columns), (int(inside.sum()),))
    return reduce_column(metric.take, log.time_s[inside], value, metric.than or 0.0)


def check_metrics(metrics: Sequence[Metric], logs: Logs, file: str) -> None:
    """Raise an error for a metric of a missing column or vehicle; `logs` come from a first try."""
    for n, metric in enumerate(metrics):
        if metric.vehicle and metric.vehicle not in logs:
            raise ScenarioError(file=file, key=f"metric[{n}].vehicle", value=metric.vehicle, names=logs)
        if not metric.vehicle and len(logs) > 1:
            raise ScenarioError("is missing", file=file, key=f"metric[{n}].vehicle", expected=one_of(logs))
        names = _log_of(metric, logs).names
        for name in Expression(metric.column).names:
            if name not in names:
                message = f'the log has no column "{name}"'
                where = {"file": file, "key": f"metric[{n}].column", "value": metric.column}
                raise ScenarioError(message, names=names, misspelt=name, **where)


def reads_forces(metrics: Sequence[Metric]) -> str:
    """Return the first force column that a metric reads, or "": the batch engine logs no forces."""
    return next((name for metric in metrics for name in Expression(metric.column).names if name in FORCES), "")


def _log_of(metric: Metric, logs: Logs) -> Log:
    return logs[metric.vehicle] if metric.vehicle in logs else next(iter(logs.values()))
