"""The run loop: samples in step, events in order, end by time, condition or error, files closed in every case."""

from types import SimpleNamespace

import numpy as np
import pytest

import pelagos
from pelagos.errors import CommandError
from pelagos.messages import Event
from pelagos.session.run import run
from pelagos.sim.log.run_recorder import RunRecorder
from pelagos.sim.simulation import Simulation


def rov(**how):
    sim = Simulation("bluerov2_heavy", pelagos.World(depth_m=30.0), **how)
    sim.place(depth_m=5.0)
    return sim


def test_one_sample_at_the_start_and_one_after_each_interval():
    log = run([RunRecorder(rov())], 1.0)[0]
    np.testing.assert_allclose(log.time_s, np.arange(11) / 10.0, atol=1e-12)
    assert log.complete


def test_a_lower_log_rate_keeps_every_nth_sample_of_the_same_motion():
    all_of_it = run([RunRecorder(rov())], 2.0)[0]
    some = run([RunRecorder(rov(), log_rate_hz=2.0)], 2.0)[0]
    np.testing.assert_array_equal(some["depth_m"], all_of_it["depth_m"][::5])


def has_forces(log):
    return bool(log.forces.terms)


def test_forces_are_kept_in_memory_in_the_file_or_not_at_all(tmp_path):
    kept = {}
    for forces in (None, True, False):
        path = tmp_path / f"{forces}.csv"
        log = run([RunRecorder(rov(), path=path, forces=forces)], 0.3)[0]
        kept[forces] = (has_forces(log), has_forces(pelagos.load_log(path)))
    assert kept == {None: (True, False), True: (True, True), False: (False, False)}


def test_several_run_in_step_and_end_together():
    first, second = rov(name="a"), rov(name="b")
    calls = []

    def over():
        calls.append((first.time_s, second.time_s))
        return first.time_s >= 0.5 - 1e-9

    logs = run([RunRecorder(first), RunRecorder(second)], 10.0, until=over)
    assert [log.time_s[-1] for log in logs] == [0.5, 0.5]
    assert all(a == b for a, b in calls) and len(calls) == 5


def test_the_rules_act_before_the_sample_and_progress_comes_once_a_second():
    sim, times, ticks = rov(), [], []

    class Push:
        def update(self):
            ticks.append(sim.time_s)
            sim.plant.position_n[0] = 7.0
            sim.invalidate_state()

        def over(self):
            return False

    log = run([RunRecorder(sim)], 3.0, rules=Push(), progress=times.append)[0]
    assert times == [1.0, 2.0, 3.0] and len(ticks) == 30
    assert log["north_m"][0] == 0.0 and set(log["north_m"][1:]) == {7.0}


def test_events_of_simulation_and_controller_are_logged_once():
    class Talks:
        def __init__(self):
            self.events = []

        def reset(self):
            pass

        def update(self, state, dt):
            if len(self.events) < 2:
                self.events.append(Event(state.time_s, "word", f"n {len(self.events)}"))
            return pelagos.Actuation()

    sim = rov()
    sim.control(Talks())
    sim.events.append(Event(0.0, "own", "first"))
    log = run([RunRecorder(sim)], 1.0)[0]
    assert [event.text for event in log.events] == ["first", "n 0", "n 1"]


def test_speed_paces_the_run(monkeypatch):
    slept = []
    clock = SimpleNamespace(monotonic=lambda: sum(slept), sleep=slept.append)
    monkeypatch.setattr("pelagos.session.run.time", clock)
    run([RunRecorder(rov())], 0.4, speed=2.0)
    np.testing.assert_allclose(slept, [0.05] * 4, atol=1e-12)


def test_a_mistake_on_the_way_leaves_log_and_file(tmp_path):
    class Fails:
        def reset(self):
            pass

        def update(self, state, dt):
            if state.time_s >= 0.45:
                raise ZeroDivisionError("mine")
            return pelagos.Actuation()

    sim, other = rov(name="a"), rov(name="b")
    sim.control(Fails())
    tasks = [RunRecorder(sim, path=tmp_path / "a.csv"), RunRecorder(other, path=tmp_path / "b.csv")]
    with pytest.raises(ZeroDivisionError) as caught:
        run(tasks, 2.0)
    assert caught.value.log.time_s[-1] == 0.5 and not caught.value.log.complete
    for name in "ab":
        log = pelagos.load_log(tmp_path / f"{name}.csv")
        assert not log.complete and log.time_s[-1] == 0.5


def test_refusals():
    with pytest.raises(CommandError, match="log_rate_hz is 20; expected at most the control rate, 10"):
        run([RunRecorder(rov(), log_rate_hz=20.0)], 1.0)
    with pytest.raises(CommandError, match="control_rate_hz of b is 5; expected 10, the rate of a"):
        run([RunRecorder(rov(name="a")), RunRecorder(rov(name="b", control_rate_hz=5.0))], 1.0)
    with pytest.raises(CommandError, match="at least one control interval"):
        run([RunRecorder(rov())], 0.01)
    with pytest.raises(CommandError, match="speed is 0"):
        run([RunRecorder(rov())], 1.0, speed=0.0)


def test_a_controller_may_not_take_the_name_of_a_column():
    class Twice:
        columns = ("depth_m",)

        def reset(self):
            pass

        def update(self, state, dt):
            return pelagos.Actuation()

        def values(self):
            return [1.0]

    sim = rov()
    sim.control(Twice())
    with pytest.raises(CommandError, match="two columns of the log have the name 'depth_m'"):
        run([RunRecorder(sim)], 0.2)
