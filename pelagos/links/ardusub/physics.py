"""One answer to one packet: how far time goes, what the thrusters are told, what the autopilot is told.

    a new frame       time goes on by 1 / rate, at most by LONGEST_S (said once in a while, and counted)
    the same again    the same line again, no time passes: the answer was lost
    a lower one       the autopilot was started again: the world begins anew at its start, at time 0
    one left out      counted; time goes on by one step all the same

The instruments of the vehicle that ArduPilot has no model for measure ten times a second: its altimeters as `rng_1` to
`rng_6` in the order of the file, its battery. Inertial data, position, attitude and velocity are exact, since ArduPilot
adds noise of its own to them and makes pressure, magnetic field and GPS itself.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pelagos.links.ardusub.lockstep import LOOK_HZ, Lockstep
from pelagos.links.ardusub.motors import Motors, motors_of
from pelagos.links.ardusub.wire import MOST_RANGES, Servos, instruments, line
from pelagos.links.counts import Counts
from pelagos.messages import Event
from pelagos.sensors.base import Sensor
from pelagos.sensors.sound.altimeter import Altimeter
from pelagos.session.record.recording import free_path
from pelagos.sim import inputs
from pelagos.sim.loop import RunRecorder
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World

LONGEST_S = 0.05  # a step; ArduPilot itself takes none of 0.1 s or more for a step
BEYOND_M = 1.0  # past its largest range: what a range finder says that hears nothing
SOON_S = 1e-9  # a tenth of a second that is this close has come: sums of steps round


class Physics:
    """A vehicle in the sea as ArduSub meets it. Counts what it does; keeps a log if asked.

    Args:
        vehicle, world, start, seed: as of `Lockstep`.
        frame, motors, reversed_motors: as of `motors_of`.
        log: CSV or Parquet file, ten samples a second; each restart begins another: run.csv, run-2.csv, ...; what is
            there already stays. `logs` has the files.
        counts: of the link.
        say: gets a sentence for what a person should know.
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
        say: Callable[[str], None] | None = None,
    ) -> None:
        description = inputs.resolve_vehicle(vehicle)
        self.motors: Motors = motors_of(description, frame, motors, reversed_motors)
        self.counts = counts or Counts("ardusub")
        self._say = say or (lambda text: None)
        sounders = [one for one in description.sensors if isinstance(one, Altimeter)][:MOST_RANGES]
        batteries = [one for one in description.sensors if one.kind == "battery"][:1]
        self._ranges = [(name_of(one), one.max_range_m + BEYOND_M) for one in sounders]
        self._battery = name_of(batteries[0]) if batteries else ""
        self.sim = Lockstep(description, world, start=start, sensors=[*sounders, *batteries], seed=seed)
        self.frame: int | None = None
        self._answer = b""
        self._pwm: tuple[int, ...] = ()
        self._drives = [0.0] * len(description.thrusters)
        self._asked = None if log is None else Path(log)
        self.logs: list[Path] = []
        self._task: RunRecorder | None = None
        self._told: set[str] = set()
        self._looked = True  # at something of this run
        self._begin()

    def answer(self, servos: Servos) -> bytes:
        """Advance as the packet asks and say how things are."""
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
            self.tell_once("shortened", f"steps of 1/{servos.rate_hz} s are asked for; {LONGEST_S:g} s are taken")
        if servos.pwm != self._pwm:
            self._pwm, self._drives = servos.pwm, self.motors.drives(servos.pwm)
        felt = self.sim.advance(self._drives, seconds)
        if felt.time_s >= self._next_look_s - SOON_S:
            self._look(felt.time_s)
        self._answer = line(
            felt.time_s, felt.rates_b, felt.specific_force_b, felt.position_n, felt.euler, felt.quaternion,
            felt.velocity_n, self._instruments,
        )  # fmt: skip
        return self._answer

    def restart(self, why: str) -> None:
        """The world anew. The log of the run that ends here is closed, unless there is nothing in it yet."""
        self.counts.add("restarts")
        told = f"{why}: the world begins anew"
        if self._looked:
            self.tell("restart", told)
            self.close()
        else:
            self.tell_once("restart", told)
        self.sim.restart()
        self.frame, self._pwm, self._answer = None, (), b""
        self._begin()

    def stop(self) -> None:
        """Thrusters at rest, until a packet says otherwise."""
        self.sim.stop_thrusters()
        self._pwm = ()

    def event(self, kind: str, text: str) -> None:
        """Keep something that happened in the log."""
        if self._task is not None:
            self._task.recorder.event(Event(self.sim.time_s, kind, text, self.sim.name))

    def tell(self, kind: str, text: str) -> None:
        """The same, and say it."""
        self._say(f"ardusub: {text}")
        self.event(kind, text)

    def tell_once(self, kind: str, text: str) -> None:
        """An event of a kind that would come at every step."""
        if kind not in self._told:
            self._told.add(kind)
            self.tell(kind, text)

    def close(self, *, complete: bool = True) -> None:
        """Finish the log."""
        task, self._task = self._task, None
        if task is not None:
            task.recorder.close(complete=complete)

    def _begin(self) -> None:
        self._read()
        self._next_look_s = 1.0 / LOOK_HZ
        if not self._looked:
            return
        self._looked = False
        self._told = set()
        if self._asked is not None:
            self.logs.append(free_path(self._asked))
            frame = self.motors.frame or "as given"
            names = [f"{'' if s > 0 else '-'}{n}" for n, s in zip(self.motors.names, self.motors.signs, strict=True)]
            meta = {"link": "ardusub", "ardusub_frame": frame, "ardusub_motors": names}
            self._task = RunRecorder(self.sim, path=self.logs[-1], forces=False, meta=meta)
            self._task.begin()

    def _look(self, time_s: float) -> None:
        """Instruments and a sample for the log; at the first step past each tenth of a second."""
        self._looked = True
        self._next_look_s = (math.floor((time_s + SOON_S) * LOOK_HZ) + 1.0) / LOOK_HZ
        self.sim.sense()
        self._read()
        if self._task is not None:
            self._task.keep()

    def _read(self) -> None:
        """The latest readings as the end of the line."""
        latest = self.sim.sensing.suite.latest if self.sim.sensing else {}
        ranges: list[float] = []
        for name, beyond in self._ranges:
            said = float(latest[name].values[0]) if name in latest else math.nan
            ranges.append(said if math.isfinite(said) else beyond)
        battery = latest.get(self._battery)
        power = None if battery is None else (float(battery.values[0]), float(battery.values[1]))
        self._instruments = instruments(ranges, power)


def name_of(sensor: Sensor) -> str:
    """What the suite calls an instrument."""
    return sensor.name or sensor.kind
