"""The command called with a mistake, and what its short options make."""

from __future__ import annotations

from pelagos.cli import main
from pelagos.sim import quick
from pelagos.sim.execute import prepare
from pelagos.sim.scenario_read import scenario_from


def mistake(capsys, *words):
    """The sentence a mistake ends in."""
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("pelagos: ")
    return err


def made_ready(vehicle, **said):
    """The simulation that `pelagos run VEHICLE` flies with these short options, and what it says of setpoints."""
    tables = quick.alone(vehicle, said)
    ready = prepare(scenario_from(tables, changes=quick.changes(said, vehicle)))
    return ready.fleet.sims[0], ready.notes
