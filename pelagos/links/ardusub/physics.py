"""Answers to the packets of the autopilot: one packet advances the simulation by one step and returns its state.

    a new frame number    time advances by 1 / rate, at most by LONGEST_S (counted, and reported once)
    the same number       the answer was lost: the same line is sent again and no time passes
    a lower number        the autopilot has restarted: the simulation restarts at time 0
    a gap in the numbers  counted; time advances by one step

Sensors without a model in ArduPilot measure at 10 Hz: altimeters as `rng_1` to `rng_6` in the order of the vehicle
file, and the battery. Inertial data, position, attitude and velocity are exact, because ArduPilot adds its own noise to
them and derives pressure, magnetic field and GPS itself.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pelagos.links.ardusub.lockstep import SAMPLE_HZ, Lockstep
from pelagos.links.ardusub.motors import Motors, motors_of
from pelagos.links.ardusub.wire import MOST_RANGES, Servos, line, sensor_fields
from pelagos.links.counts import Counts
from pelagos.messages import Event
from pelagos.sensors.base import Sensor
from pelagos.sensors.sound.altimeter import Altimeter
from pelagos.session.record.recording import free_path
from pelagos.sim import inputs
from pelagos.sim.log.run_recorder import RunRecorder
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World

LONGEST_S = 0.05  # of a step; ArduPilot does not accept steps of 0.1 s or more
BEYOND_M = 1.0  # a range finder without an echo reports its largest range plus this
SOON_S = 1e-9  # tolerance for rounding in sums of steps


class Physics:
    """Simulated vehicle behind the JSON interface of ArduSub, with counters and an optional log.

    Args:
        vehicle, world, start, seed: as for `Lockstep`.
        frame, motors, reversed_motors: as for `motors_of`.
        log: CSV or Parquet file, ten samples a second; each restart begins another: run.csv, run-2.csv, ...; existing
            files are kept. `logs` has the files.
        counts: counters of the link.
        report: callback for messages to the user.
    """

    def __init__(
        self,
        vehicle: Vehicle | str | os.PathLike[str],
        world: World | str | os.PathLike[str] | None = None,
        *,
        frame: str | None = None,
        motors: Sequence[str] | None = None,
        reversed_motors: Sequence[int] = (),
        start: Mapping[str, Any] | None = None,
        seed: int = 0,
        log: str | os.PathLike[str] | None = None,
        counts: Counts | None = None,
        report: Callable[[str], None] | None = None,
    ) -> None:
        description = inputs.resolve_vehicle(vehicle)
        self.motors: Motors = motors_of(description, frame, motors, reversed_motors)
        self.counts = counts or Counts("ardusub")
        self._report = report or (lambda text: None)
        altimeters = [sensor for sensor in description.sensors if isinstance(sensor, Altimeter)][:MOST_RANGES]
        batteries = [sensor for sensor in description.sensors if sensor.kind == "battery"][:1]
        self._ranges = [(name_of(altimeter), altimeter.max_range_m + BEYOND_M) for altimeter in altimeters]
        self._battery = name_of(batteries[0]) if batteries else ""
        self.sim = Lockstep(description, world, start=start, sensors=[*altimeters, *batteries], seed=seed)
        self.frame: int | None = None
        self._answer = b""
        self._pwm: tuple[int, ...] = ()
        self._drives = [0.0] * len(description.thrusters)
        self._log = None if log is None else Path(log)
        self.logs: list[Path] = []
        self._task: RunRecorder | None = None
        self._reported: set[str] = set()
        self._sampled = True  # whether this run has a sample; a run without one needs no new log
        self._begin()

    def answer(self, servos: Servos) -> bytes:
        """Advance by the step of the packet and return the line with the new state."""
        if self.frame is not None and servos.frame <= self.frame:
            if servos.frame == self.frame:
                self.counts.add("resent")
                return self._answer
            self.restart(f"the autopilot began again with frame {servos.frame} after {self.frame}")
        elif self.frame is not None and servos.frame > self.frame + 1:
            self.counts.add("frames_missed", servos.frame - self.frame - 1)
        self.frame = servos.frame
        seconds = 1.0 / servos.rate_hz
        if seconds > LONGEST_S:
            seconds = LONGEST_S
            self.counts.add("steps_shortened")
            self.report_once("shortened", f"steps of 1/{servos.rate_hz} s are asked for; {LONGEST_S:g} s are taken")
        # Most packets repeat the widths; the mapping is skipped then.
        if servos.pwm != self._pwm:
            self._pwm, self._drives = servos.pwm, self.motors.drives(servos.pwm)
        imu = self.sim.advance(self._drives, seconds)
        if imu.time_s >= self._next_sample_s - SOON_S:
            self._sample(imu.time_s)
        self._answer = line(
            imu.time_s, imu.rates_b, imu.specific_force_b, imu.position_n, imu.euler, imu.quaternion,
            imu.velocity_n, self._readings,
        )  # fmt: skip
        return self._answer

    def restart(self, why: str) -> None:
        """Restart the simulation; the log of the run is closed unless it is still empty."""
        self.counts.add("restarts")
        message = f"{why}: the world begins anew"
        if self._sampled:
            self.report("restart", message)
            self.close()
        else:
            self.report_once("restart", message)
        self.sim.restart()
        self.frame, self._pwm, self._answer = None, (), b""
        self._begin()

    def stop(self) -> None:
        """Stop the thrusters until the next packet."""
        self.sim.stop_thrusters()
        self._pwm = ()

    def event(self, kind: str, text: str) -> None:
        """Write an event to the log."""
        if self._task is not None:
            self._task.recorder.event(Event(self.sim.time_s, kind, text, self.sim.name))

    def report(self, kind: str, text: str) -> None:
        """Write an event to the log and report it to the user."""
        self._report(f"ardusub: {text}")
        self.event(kind, text)

    def report_once(self, kind: str, text: str) -> None:
        """Report an event only once per run, because it could occur at every step."""
        if kind not in self._reported:
            self._reported.add(kind)
            self.report(kind, text)

    def close(self, *, complete: bool = True) -> None:
        """Close the log."""
        task, self._task = self._task, None
        if task is not None:
            task.recorder.close(complete=complete)

    def _begin(self) -> None:
        self._encode_readings()
        self._next_sample_s = 1.0 / SAMPLE_HZ
        if not self._sampled:
            return
        self._sampled = False
        self._reported = set()
        if self._log is not None:
            self.logs.append(free_path(self._log))
            frame = self.motors.frame or "as given"
            names = [f"{'' if s > 0 else '-'}{n}" for n, s in zip(self.motors.names, self.motors.signs, strict=True)]
            meta = {"link": "ardusub", "ardusub_frame": frame, "ardusub_motors": names}
            self._task = RunRecorder(self.sim, path=self.logs[-1], forces=False, meta=meta)
            self._task.begin()

    def _sample(self, time_s: float) -> None:
        """Simulate the sensors and log a sample, at the first step after each tenth of a second."""
        self._sampled = True
        self._next_sample_s = (math.floor((time_s + SOON_S) * SAMPLE_HZ) + 1.0) / SAMPLE_HZ
        self.sim.sense()
        self._encode_readings()
        if self._task is not None:
            self._task.sample()

    def _encode_readings(self) -> None:
        """Encode the latest readings as the end of the line."""
        latest = self.sim.sensing.suite.latest if self.sim.sensing else {}
        ranges: list[float] = []
        for name, beyond in self._ranges:
            measured = float(latest[name].values[0]) if name in latest else math.nan
            ranges.append(measured if math.isfinite(measured) else beyond)
        battery = latest.get(self._battery)
        power = None if battery is None else (float(battery.values[0]), float(battery.values[1]))
        self._readings = sensor_fields(ranges, power)


def name_of(sensor: Sensor) -> str:
    """Return the name of a sensor in the suite."""
    return sensor.name or sensor.kind
