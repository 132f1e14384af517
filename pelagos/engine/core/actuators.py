"""Actuator dynamics: lags, limits and rates of thrusters, control surfaces and ballast.

Commands are held during a call, so a first-order lag has a closed form, used in every stage of the integrator:

    s(t) = target + (s(0) - target) exp(-t / tau),   change limited to speed * t

exact at any step, however fast the motor (tau P_dot + P = alpha N|N|, errata R16). The limit on speed is exact while it
binds and while it does not; in the one step where it stops binding the change is the smaller of the two.

Limits act here, whatever the source of the command: a command beyond them counts as the limit. The COMMAND record keeps
the command as it came (`command.actuators`), and the log shows both; `vehicle/limits.py` counts commands that were cut.

Order of a thruster: command, limits, dead band, [curve or table, shared supply, if the thrust lags], lag; the law of
forces/thrusters.py serves both sides of the lag. A shared supply (hydraulic pump, errata R19) scales the thrusts it
feeds so that the sum of their magnitudes stays within its limit.
"""

from __future__ import annotations

from pelagos.engine.compiled import compiled
from pelagos.engine.core.algebra import clip, within
from pelagos.engine.core.lanes import constant, exp, where_less
from pelagos.engine.forces.thrusters import effective_drive, steady_thrust

AT_ONCE = 1e20  # a rate above this (1/s or unit/s) means no lag: pack writes 1e30


@compiled
def set_targets(model, structure, command, work):
    """Set the target of each actuator for the call: the command after limits, dead band and shared supply."""
    target, commanded = work.target, command.actuators
    for g in range(structure.n_supplies):
        work.supply[g] = constant(0.0, model.mass)
    for i in range(structure.n_thrusters):
        t = model.thrusters[i]
        s = effective_drive(t, commanded.thruster[i])
        if structure.lag_on_thrust[i]:
            s = steady_thrust(t, structure.n_table[i], s)
            if structure.supply[i] >= 0:
                g = structure.supply[i]
                work.supply[g] = work.supply[g] + abs(s)
        target.thruster[i] = s
    for i in range(structure.n_thrusters):
        if structure.supply[i] >= 0:
            g = structure.supply[i]
            load, limit = work.supply[g], model.supply_limit[g]
            # both branches of where_less are computed: the inner one keeps the quotient finite at no load
            share = where_less(limit, load, limit / where_less(load, limit, limit, load), 1.0)
            target.thruster[i] = target.thruster[i] * share
    for i in range(structure.n_surfaces):
        target.surface[i] = clip(commanded.surface[i], model.servos[i].limit)
    for i in range(structure.n_ballast):
        b = model.ballast[i]
        target.ballast[i] = within(commanded.ballast[i], b.lowest, b.highest)


@compiled
def start_actuators(model, structure, work, now):
    """Set `work.start`, the actuators as the call begins: those without lag are already at their target."""
    start, target = work.start, work.target
    for i in range(structure.n_thrusters):
        start.thruster[i] = where_less(AT_ONCE, model.thrusters[i].rate, target.thruster[i], now.thruster[i])
    for i in range(structure.n_surfaces):
        servo = model.servos[i]
        lagging = where_less(AT_ONCE, servo.rate, target.surface[i], now.surface[i])
        start.surface[i] = where_less(AT_ONCE, servo.speed, lagging, now.surface[i])
    for i in range(structure.n_ballast):
        start.ballast[i] = where_less(AT_ONCE, model.ballast[i].speed, target.ballast[i], now.ballast[i])


@compiled
def set_decay(model, structure, work, time):
    """Set the factors by which first-order lags shrink the distance to the target in `time` seconds."""
    decay = work.decay
    for i in range(structure.n_thrusters):
        decay.thruster[i] = exp(-time * model.thrusters[i].rate)
    for i in range(structure.n_surfaces):
        decay.surface[i] = exp(-time * model.servos[i].rate)


@compiled
def advance_actuators(model, structure, work, before, after, time):
    """Set `after` to the actuators of `before`, `time` seconds later; `set_decay` was called with that time."""
    target, decay = work.target, work.decay
    for i in range(structure.n_thrusters):
        after.thruster[i] = target.thruster[i] + (before.thruster[i] - target.thruster[i]) * decay.thruster[i]
    for i in range(structure.n_surfaces):
        change = (target.surface[i] - before.surface[i]) * (1.0 - decay.surface[i])
        after.surface[i] = before.surface[i] + clip(change, time * model.servos[i].speed)
    for i in range(structure.n_ballast):
        change = target.ballast[i] - before.ballast[i]
        after.ballast[i] = before.ballast[i] + clip(change, time * model.ballast[i].speed)


@compiled
def copy_actuators(structure, before, after):
    """Copy the actuators `before` to `after`."""
    for i in range(structure.n_thrusters):
        after.thruster[i] = before.thruster[i]
    for i in range(structure.n_surfaces):
        after.surface[i] = before.surface[i]
    for i in range(structure.n_ballast):
        after.ballast[i] = before.ballast[i]


@compiled
def choose_actuators(structure, alive, before, after):
    """Copy the actuators `before` to `after` for the vehicles of a block whose `alive` is 1."""
    for i in range(structure.n_thrusters):
        after.thruster[i] = where_less(0.5, alive, before.thruster[i], after.thruster[i])
    for i in range(structure.n_surfaces):
        after.surface[i] = where_less(0.5, alive, before.surface[i], after.surface[i])
    for i in range(structure.n_ballast):
        after.ballast[i] = where_less(0.5, alive, before.ballast[i], after.ballast[i])
