"""Advance a state: one vehicle (rows) or blocks of lanes, by a named method.

`advance` runs one vehicle through a control interval and stops at the first step that is no longer finite;
`advance_blocks` runs blocks of lanes; `evaluate` returns the forces at a state. The motion is the same code for all.
"""

from __future__ import annotations

from pelagos.engine.actuators import advance_actuators, copy_actuators, set_decay, set_targets, start_actuators
from pelagos.engine.compiled import compiled, entry
from pelagos.engine.kinematics import Motion, kinematics
from pelagos.engine.layout import as_command, as_model, as_state, as_structure, as_water, as_work
from pelagos.engine.mass import acceleration, mass_now
from pelagos.engine.motion import forces, total
from pelagos.engine.steppers import euler_step, heun_step, normalised, rk4_step

EULER, HEUN, RK4, BRUTZMAN_PRINTED, BRUTZMAN_SUMMARY, BRUTZMAN_AUTHOR, ADAPTIVE = range(7)
METHODS = {
    "euler": EULER,
    "heun": HEUN,
    "rk4": RK4,
    "brutzman_printed": BRUTZMAN_PRINTED,
    "brutzman_summary": BRUTZMAN_SUMMARY,
    "brutzman_author": BRUTZMAN_AUTHOR,
    "adaptive": ADAPTIVE,
}
TOO_FAST = 300.0  # m/s and rad/s together: no vehicle; the run has diverged
TOO_FAR_TURNED = 1e6  # rad: Euler angles that passed the pole


@compiled
def open_records(state, model, structure, water, command, work):
    """Named views of the rows: floats for one vehicle, lanes for a block."""
    return (
        as_state(state),
        as_model(model),
        as_structure(structure),
        as_water(water),
        as_command(command),
        as_work(work),
    )


@compiled
def load_motion(state):
    """The motion of a state record."""
    s, a, n = state.position, state.attitude, state.nu
    return Motion(s[0], s[1], s[2], a[0], a[1], a[2], a[3], n[0], n[1], n[2], n[3], n[4], n[5])


@compiled
def begin(state, model, structure, command, work):
    """Start of a call: actuators and their targets into `work`; the motion and the last acceleration as a rate."""
    set_targets(model, structure, command, work)
    start_actuators(model, structure, work, state.actuators)
    a = state.nu_dot
    zero = 0.0 * a[0]
    rate = Motion(zero, zero, zero, zero, zero, zero, zero, a[0], a[1], a[2], a[3], a[4], a[5])
    return load_motion(state), rate


@compiled
def finish(state, structure, actuators, m, rate, elapsed):
    """End of a call: motion, acceleration at the start of the last step, actuators and time into the state."""
    s, a, n, d = state.position, state.attitude, state.nu, state.nu_dot
    s[0], s[1], s[2] = m.x, m.y, m.z
    a[0], a[1], a[2], a[3] = m.a, m.b, m.c, m.d
    n[0], n[1], n[2], n[3], n[4], n[5] = m.u, m.v, m.w, m.p, m.q, m.r
    d[0], d[1], d[2], d[3], d[4], d[5] = rate.u, rate.v, rate.w, rate.p, rate.q, rate.r
    copy_actuators(structure, actuators, state.actuators)
    state.time = state.time + elapsed


@compiled
def step(m, t, dt, method, model, structure, water, command, work):
    """One step by the chosen method; returns the motion and the rate at its start."""
    advance_actuators(model, structure, work, work.start, work.half, 0.5 * dt)
    advance_actuators(model, structure, work, work.half, work.end, 0.5 * dt)
    if method == RK4:
        n, k = rk4_step(m, t, dt, model, structure, water, command, work)
    elif method == HEUN:
        n, k = heun_step(m, t, dt, model, structure, water, command, work)
    else:
        n, k = euler_step(m, t, dt, model, structure, water, command, work)
    return normalised(n, structure.euler_angles), k


@compiled
def is_sound(m):
    """Whether the motion of one vehicle is finite and of this world; false for NaN."""
    speed = abs(m.u) + abs(m.v) + abs(m.w) + abs(m.p) + abs(m.q) + abs(m.r)
    return speed < TOO_FAST and abs(m.a) + abs(m.b) + abs(m.c) + abs(m.d) < TOO_FAR_TURNED


@entry
def advance(state, model, structure, water, command, work, dt, n_steps, method):
    """Advance one vehicle by n_steps of dt seconds; returns the number of sound steps.

    If fewer than n_steps, the state is the last sound one.
    """
    s, f, i, w, c, k = open_records(state, model, structure, water, command, work)
    m, rate = begin(s, f, i, c, k)
    set_decay(f, i, k, 0.5 * dt)
    done = n_steps
    for n in range(n_steps):
        after, rate_after = step(m, n * dt, dt, method, f, i, w, c, k)
        if not is_sound(after):
            done = n
            break
        m, rate = after, rate_after
        copy_actuators(i, k.end, k.start)
    finish(s, i, k.start, m, rate, done * dt)
    return done


@entry
def advance_blocks(states, models, structures, waters, commands, work, dt, n_steps, method):
    """Advance blocks of lanes: arrays (block, field, lane), structures (block, field).

    A lane that diverges turns NaN and does not touch its neighbours.
    """
    for b in range(states.shape[0]):
        s, f, i, w, c, k = open_records(states[b], models[b], structures[b], waters[b], commands[b], work)
        m, rate = begin(s, f, i, c, k)
        set_decay(f, i, k, 0.5 * dt)
        for n in range(n_steps):
            m, rate = step(m, n * dt, dt, method, f, i, w, c, k)
            copy_actuators(i, k.end, k.start)
        finish(s, i, k.start, m, rate, n_steps * dt)


@entry
def evaluate(state, model, structure, water, command, work, out):
    """Forces at a state: out[term, 0..5] in the order of `Forces`, then their sum and the acceleration."""
    s, f, i, w, c, k = open_records(state, model, structure, water, command, work)
    m = load_motion(s)
    kin = kinematics(m, w, i.euler_angles, 0.0)
    mass = mass_now(f, i, s.actuators)
    every = forces(kin, mass, s.actuators, f, i, w, c, k)
    n = 0
    for wrench in every:
        out[n, 0], out[n, 1], out[n, 2] = wrench.X, wrench.Y, wrench.Z
        out[n, 3], out[n, 4], out[n, 5] = wrench.K, wrench.M, wrench.N
        n += 1
    sum_ = total(every)
    out[n, 0], out[n, 1], out[n, 2], out[n, 3], out[n, 4], out[n, 5] = sum_.X, sum_.Y, sum_.Z, sum_.K, sum_.M, sum_.N
    a = acceleration(f, i, mass, k, kin, sum_)
    n += 1
    out[n, 0], out[n, 1], out[n, 2], out[n, 3], out[n, 4], out[n, 5] = a.X, a.Y, a.Z, a.K, a.M, a.N
