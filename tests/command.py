"""Calls of the command that end in a mistake, and simulations made from its short options."""

from __future__ import annotations

from pelagos.cli.main import main
from pelagos.scenario import shortcuts
from pelagos.scenario.build import prepare
from pelagos.scenario.read import scenario_from

# Lines of whatever takes over two seconds, as anything can on a busy machine.
PROGRESS = ("preparing the run", "compiling ", "compiled ")


def mistake(capsys, *words):
    """The sentence a mistake ends in."""
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    (sentence,) = (line for line in err.splitlines(keepends=True) if not line.startswith(PROGRESS))
    assert sentence.startswith("pelagos: ") and sentence.endswith("\n")
    return sentence


def made_ready(vehicle, **options):
    """The simulation that `pelagos run VEHICLE` flies with these short options, and its notes on setpoints."""
    tables = shortcuts.vehicle_tables(vehicle, options)
    ready = prepare(scenario_from(tables, changes=shortcuts.changes(options, vehicle)))
    return ready.fleet.sims[0], ready.notes
