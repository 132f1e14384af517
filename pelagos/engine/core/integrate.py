"""Integration of vehicle states with a fixed step: one vehicle, rows of vehicles, or blocks of SIMD lanes.

`advance` runs one vehicle through a control interval and stops at the first step that is not finite; `advance_rows`
runs one vehicle after the other, `advance_blocks` blocks of lanes; `evaluate` returns the forces at a state,
`sample_surroundings` the water and seabed at many vehicles. The equation of motion is the same code for all.
"""

from __future__ import annotations

import math

from pelagos.engine.compiled import compiled, entry
from pelagos.engine.contact.impulses import apply_contact, clear_touch, pieces_of_step, report_touch
from pelagos.engine.contact.obstacles import bottom_at
from pelagos.engine.core.actuators import (
    advance_actuators,
    choose_actuators,
    copy_actuators,
    set_decay,
    set_targets,
    start_actuators,
)
from pelagos.engine.core.algebra import Wrench
from pelagos.engine.core.kinematics import Motion, kinematics, to_world
from pelagos.engine.core.lanes import constant, pick, put, where_less, width
from pelagos.engine.core.layout import (
    StepRecords,
    as_command,
    as_model,
    as_state,
    as_structure,
    as_surroundings,
    as_tally,
    as_water,
    as_work,
)
from pelagos.engine.core.mass import acceleration, mass_now
from pelagos.engine.core.motion import forces, total
from pelagos.engine.core.steppers import EULER, HEUN, RK4, explicit_step, normalised
from pelagos.engine.core.views import as_numbers
from pelagos.engine.forces.thrusters import inflow, thrust
from pelagos.engine.water.sea import NO_BOTTOM, as_sea
from pelagos.engine.water.wet import room_above, wet
from pelagos.engine.water.wet_parts import all_wet

BRUTZMAN_PRINTED, BRUTZMAN_SUMMARY, BRUTZMAN_AUTHOR, ADAPTIVE = range(3, 7)  # after those of `steppers`
METHODS = {
    "euler": EULER,
    "heun": HEUN,
    "rk4": RK4,
    "brutzman_printed": BRUTZMAN_PRINTED,
    "brutzman_summary": BRUTZMAN_SUMMARY,
    "brutzman_author": BRUTZMAN_AUTHOR,
    "adaptive": ADAPTIVE,
}
TOO_FAST = 300.0  # m/s plus rad/s, far beyond any vehicle: the run has diverged
TOO_FAR_TURNED = 1e6  # rad: Euler angles that passed the pole of their kinematics


@compiled
def open_records(state, model, structure, water, command, work, sea, hull):
    """Named views of the rows: the state, and all other records. Floats for one vehicle, lanes for many."""
    return as_state(state), StepRecords(
        as_model(model), as_structure(structure), as_water(water), as_command(command), as_work(work),
        as_numbers(sea), as_numbers(hull),
    )  # fmt: skip


@compiled
def load_motion(state):
    """The motion of a state record."""
    s, a, n = state.position, state.attitude, state.nu
    return Motion(s[0], s[1], s[2], a[0], a[1], a[2], a[3], n[0], n[1], n[2], n[3], n[4], n[5])


@compiled
def begin(state, records):
    """Start a call: set actuators and targets in `work`; returns the motion and the last acceleration as a rate."""
    set_targets(records.model, records.structure, records.command, records.work)
    start_actuators(records.model, records.structure, records.work, state.actuators)
    clear_touch(records)
    all_wet(records)
    a = state.nu_dot
    zero = 0.0 * a[0]
    rate = Motion(zero, zero, zero, zero, zero, zero, zero, a[0], a[1], a[2], a[3], a[4], a[5])
    return load_motion(state), rate


@compiled
def finish(state, records, actuators, m, rate, elapsed):
    """End a call: write motion, acceleration, actuators, contact and time into the state.

    The acceleration is that at the start of the last step: another evaluation at its end would be needed for more.
    """
    s, a, n, d = state.position, state.attitude, state.nu, state.nu_dot
    s[0], s[1], s[2] = m.x, m.y, m.z
    a[0], a[1], a[2], a[3] = m.a, m.b, m.c, m.d
    n[0], n[1], n[2], n[3], n[4], n[5] = m.u, m.v, m.w, m.p, m.q, m.r
    d[0], d[1], d[2], d[3], d[4], d[5] = rate.u, rate.v, rate.w, rate.p, rate.q, rate.r
    copy_actuators(records.structure, actuators, state.actuators)
    report_touch(records, state, elapsed)
    state.time = state.time + elapsed


@compiled
def step(m, t, dt, method, records):
    """One step by the chosen method; returns the motion and the rate at its start."""
    move_actuators(records, dt)
    n, k = explicit_step(m, t, dt, method, records)
    return normalised(n, records.structure.euler_angles), k


@compiled
def move_actuators(records, dt):
    """Set the actuators in the middle and at the end of a step of dt."""
    work = records.work
    # two half steps with one set of decay factors: `set_decay` was called with half of the step
    advance_actuators(records.model, records.structure, work, work.start, work.half, 0.5 * dt)
    advance_actuators(records.model, records.structure, work, work.half, work.end, 0.5 * dt)


@compiled
def is_sound(m):
    """Whether the motion of one vehicle is finite and within physical bounds; false for NaN."""
    speed = abs(m.u) + abs(m.v) + abs(m.w) + abs(m.p) + abs(m.q) + abs(m.r)
    return speed < TOO_FAST and abs(m.a) + abs(m.b) + abs(m.c) + abs(m.d) < TOO_FAR_TURNED


@entry
def advance(state, model, structure, water, command, work, sea, hull, dt, n_steps, method, obstacles):
    """Advance one vehicle by n_steps of dt seconds; returns the number of valid steps.

    If fewer than n_steps, the state is the last valid one. With `obstacles` True a step near one is taken in several
    pieces and contact acts; with None, a type of its own to Numba, the code for it is not compiled.
    """
    s, records = open_records(state, model, structure, water, command, work, sea, hull)
    m, rate = begin(s, records)
    done, pieces = n_steps, 0  # 0: the decay factors of no length of step are set yet
    for n in range(n_steps):
        before, pieces = pieces, 1
        if obstacles is not None:
            pieces = pieces_of_step(m, dt, records)
        h = dt / pieces
        if pieces != before:
            set_decay(records.model, records.structure, records.work, 0.5 * h)
        now, rate_now, sound, j = m, rate, True, 0
        while j < pieces:
            after, rate_now = step(now, n * dt + j * h, h, method, records)
            if obstacles is not None:
                if pieces > 1:
                    after = apply_contact(now, after, rate_now, h, records)
                else:
                    pieces = pieces_of_step(after, dt, records)
                    if pieces > 1:  # the step has come near an obstacle: repeat it in pieces
                        h = dt / pieces
                        set_decay(records.model, records.structure, records.work, 0.5 * h)
                        continue
            sound = is_sound(after)
            if not sound:
                break
            now = after
            copy_actuators(records.structure, records.work.end, records.work.start)
            j += 1
        if not sound:
            done = n
            break
        m, rate = now, rate_now
    finish(s, records, records.work.start, m, rate, done * dt)
    return done


@entry
def advance_rows(
    states, models, model_of, structure, waters, commands, work, sea, hull, dt, n_steps, method, obstacles, done
):
    """Advance rows of vehicles of one structure, as `advance`; model_of[i] is the row of `models` of vehicle i.

    done[i] is the number of valid steps.
    """
    for i in range(states.shape[0]):
        done[i] = advance(
            states[i], models[model_of[i]], structure, waters[i], commands[i], work, sea, hull,
            dt, n_steps, method, obstacles,
        )  # fmt: skip


@entry
def advance_blocks(
    which, states, models, model_of, structure, waters, commands, tallies, work, sea, hull, dt, n_steps, method
):
    """Advance blocks of lanes, arrays (block, field, lane), of vehicles of one structure, in one sea, of one hull.

    `which` are the numbers of the blocks to advance. model_of[b] is the block of `models` that block b has: vehicles
    that are alike share one, which stays in the cache. A lane that diverges, or had before (tally.alive 0), stays at
    its last valid step and does not change its neighbours; tally.steps counts valid steps. There are no obstacles
    here: a vehicle near one belongs to `advance_rows`, because its step is divided and that of others is not.
    """
    for b in which:
        s, records = open_records(states[b], models[model_of[b]], structure, waters[b], commands[b], work, sea, hull)
        tally = as_tally(tallies[b])
        m, rate = begin(s, records)
        set_decay(records.model, records.structure, records.work, 0.5 * dt)
        alive = tally.alive
        steps = 0.0 * alive
        for n in range(n_steps):
            after, slope = step(m, n * dt, dt, method, records)
            alive = soundness(after, alive)
            m, rate = chosen(alive, after, m), chosen(alive, slope, rate)
            steps = steps + alive
            choose_actuators(records.structure, alive, records.work.end, records.work.start)
        finish(s, records, records.work.start, m, rate, steps * dt)
        tally.alive, tally.steps = alive, steps


@compiled
def soundness(m, alive):
    """`alive` where `is_sound` holds, else 0: the form of that test for lanes, which cannot branch."""
    speed = abs(m.u) + abs(m.v) + abs(m.w) + abs(m.p) + abs(m.q) + abs(m.r)
    turned = abs(m.a) + abs(m.b) + abs(m.c) + abs(m.d)
    none = 0.0 * alive
    return where_less(turned, TOO_FAR_TURNED, where_less(speed, TOO_FAST, alive, none), none)


@compiled
def chosen(alive, m, other):
    """The motion m for vehicles whose `alive` is 1, the other motion where it is 0."""
    return Motion(
        where_less(0.5, alive, m.x, other.x),
        where_less(0.5, alive, m.y, other.y),
        where_less(0.5, alive, m.z, other.z),
        where_less(0.5, alive, m.a, other.a),
        where_less(0.5, alive, m.b, other.b),
        where_less(0.5, alive, m.c, other.c),
        where_less(0.5, alive, m.d, other.d),
        where_less(0.5, alive, m.u, other.u),
        where_less(0.5, alive, m.v, other.v),
        where_less(0.5, alive, m.w, other.w),
        where_less(0.5, alive, m.p, other.p),
        where_less(0.5, alive, m.q, other.q),
        where_less(0.5, alive, m.r, other.r),
    )


@entry
def sample_surroundings(states, models, model_of, structure, waters, commands, work, sea, hull, surroundings):
    """Water, wetted share and seabed at each vehicle: `surroundings` (block, field, lane), SURROUNDINGS records."""
    for b in range(states.shape[0]):
        s, records = open_records(states[b], models[model_of[b]], structure, waters[b], commands[b], work, sea, hull)
        around = as_surroundings(surroundings[b])
        kin = kinematics(load_motion(s), records, 0.0)
        w, c = kin.water, to_world(kin.R_nb, kin.current)
        around.through_water[0], around.through_water[1], around.through_water[2] = w.x, w.y, w.z
        around.current[0], around.current[1], around.current[2] = c.x, c.y, c.z
        around.below = kin.below
        share = constant(1.0, kin.below)
        if kin.at_surface:
            part = wet(records.hull, kin.below, kin.below_slope).share
            share = where_less(room_above(records.hull, kin.below, kin.below_slope), 0.0, part, share)
        around.wet_share = share
        floor = constant(math.inf, kin.below)
        if as_sea(sea).bottom != NO_BOTTOM:
            for i in range(width(kin.below)):
                floor = put(floor, i, bottom_at(records.sea, pick(kin.position.x, i), pick(kin.position.y, i))[0])
        around.bottom = floor


@entry
def evaluate(state, model, structure, water, command, work, sea, hull, out):
    """Evaluate the forces at a state: out[term, 0..5] in the order of `Forces`, their sum, the acceleration, the water.

    The row of the water is its north, east, down velocity at O, depth of O below the moving surface, wet share, depth
    of the seabed; then one row a thruster, as far as there is room: its thrust, N, and its inflow, m/s.
    """
    s, records = open_records(state, model, structure, water, command, work, sea, hull)
    all_wet(records)
    kin = kinematics(load_motion(s), records, 0.0)
    mass = mass_now(records.model, records.structure, s.actuators)
    c = s.touch.wrench
    every = forces(kin, mass, s.actuators, records, Wrench(c[0], c[1], c[2], c[3], c[4], c[5]))
    n = 0
    for wrench in every:
        _fill(out, n, wrench)
        n += 1
    sum_ = total(every)
    _fill(out, n, sum_)
    _fill(out, n + 1, acceleration(records.model, records.structure, mass, records.work, kin, sum_))
    flow = to_world(kin.R_nb, kin.current)
    share = wet(records.hull, kin.below, kin.below_slope).share if kin.at_surface else 1.0
    bottom = (
        bottom_at(records.sea, kin.position.x, kin.position.y)[0]
        if as_sea(records.sea).bottom != NO_BOTTOM
        else math.inf
    )
    _fill(out, n + 2, Wrench(flow.x, flow.y, flow.z, kin.below, share, bottom))
    for i in range(min(records.structure.n_thrusters, len(out) - n - 3)):
        push = thrust(records.model, records.structure, kin, s.actuators.thruster[i], i)
        out[n + 3 + i, 0] = records.work.wet.thruster[i] * push
        out[n + 3 + i, 1] = inflow(records.model, records.structure, kin, i)


@compiled
def _fill(out, n, w):
    out[n, 0], out[n, 1], out[n, 2], out[n, 3], out[n, 4], out[n, 5] = w.X, w.Y, w.Z, w.K, w.M, w.N
