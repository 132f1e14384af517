"""Frozen dataclasses of a scenario: vehicles, start, control, mission, events, end and output.

The fields are the keys of a scenario file; `read` reads a file into them, `build` runs the scenario.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NoReturn

from pelagos import providers
from pelagos.checks import SCENARIO, number
from pelagos.control.pilot.numerical_hold import NAMES as NUMERICAL_HOLDS
from pelagos.errors import CommandError, ScenarioError, one_of
from pelagos.guidance.base import Leg
from pelagos.messages import Setpoint
from pelagos.sensors.base import Sensor
from pelagos.sim.faults.conditions import Condition
from pelagos.sim.faults.kinds import Fault, Trigger
from pelagos.tether.spec import RANGES as TETHER
from pelagos.tether.spec import Tether
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World

LONGEST_S = 86400.0  # limit of a run without a duration: a day
USUAL_S = 60.0  # duration without a mission or an end condition
MOST_S = 1e9
Commands = Mapping[str, float]
# Largest values at the start, by the end of the key; later entries take precedence. They catch wrong units.
START_RANGE = {
    "_m": 1e7, "_m_s": 100.0, "roll_deg": 180.0, "pitch_deg": 90.0, "heading_deg": 360.0, "_deg_s": 3600.0,
}  # fmt: skip


def check(owner: object, key: str, low: float, high: float) -> None:
    """Refuse a number outside its range."""
    number(key, getattr(owner, key), low, high, context=SCENARIO)


def check_names(key: str, names: tuple[str, ...], valid: tuple[str, ...]) -> None:
    """Refuse a name that is not valid."""
    for name in names:
        if name not in valid:
            SCENARIO.fail(key, value=name, expected=f"some of {', '.join(valid)}", names=valid)


@dataclass(frozen=True, kw_only=True)
class Start:
    """Position, attitude and velocities of a vehicle at the start; see `Simulation.place`."""

    north_m: float = 0.0
    east_m: float = 0.0
    depth_m: float = 0.0
    altitude_m: float | None = None  # over the bottom, in place of a depth
    roll_deg: float = 0.0
    pitch_deg: float = 0.0
    heading_deg: float = 0.0
    surge_m_s: float = 0.0
    sway_m_s: float = 0.0
    heave_m_s: float = 0.0
    roll_rate_deg_s: float = 0.0
    pitch_rate_deg_s: float = 0.0
    yaw_rate_deg_s: float = 0.0

    def __post_init__(self) -> None:
        """Check the ranges."""
        for name in Start.__dataclass_fields__:
            if getattr(self, name) is not None:
                most = next(value for ending, value in reversed(START_RANGE.items()) if name.endswith(ending))
                check(self, name, 0.0 if name == "altitude_m" else -most, most)


@dataclass(frozen=True, kw_only=True)
class Setpoints:
    """Setpoints in a table of a scenario; None leaves a quantity unchanged."""

    depth_m: float | None = None
    altitude_m: float | None = None
    heading_deg: float | None = None
    speed_m_s: float | None = None
    pitch_deg: float | None = None
    roll_deg: float | None = None
    north_m: float | None = None
    east_m: float | None = None

    def setpoints(self) -> dict[str, float]:
        """Return the setpoints that are not None, by name."""
        return {name: value for name in Setpoints.__dataclass_fields__ if (value := getattr(self, name)) is not None}

    def check_setpoints(self) -> None:
        """Refuse values out of range and setpoints that exclude each other."""
        for name, value in self.setpoints().items():
            if name == "depth_m" and value < 0.0:
                expected = "a depth of 0 or more, positive down"
                where = {"file": "scenario", "key": name, "value": value}
                raise ScenarioError("is above the surface", **where, expected=expected)
            if name not in ("north_m", "east_m"):
                try:
                    Setpoint(**{name: value})
                except CommandError as problem:
                    raise problem.at(ScenarioError, file="scenario", key=name) from None
        try:
            Setpoint(**self.setpoints())  # together: a depth beside an altitude, half a position
        except CommandError as problem:
            raise problem.at(ScenarioError, file="scenario", key=problem.key) from None


@dataclass(frozen=True, kw_only=True)
class Control(Setpoints):
    """Controller of a vehicle and its first setpoints; the legs of a mission change them."""

    kind: Literal["autopilot", "sliding_mode", "ballast", "direct", "pilot", "python"] = "autopilot"
    if_possible: tuple[str, ...] = ()  # setpoints that are dropped with a note if the vehicle cannot hold them
    class_name: str = ""  # kind python: FILE.py:CLASS, a controller class, called with the vehicle
    hold: tuple[str, ...] = ()  # coordinates kept constant by overwriting the state: see numerical_hold
    dive_volume_m3: float | None = None  # kind ballast: commands to a glider's engine and shifter; None: computed
    climb_volume_m3: float | None = None
    dive_shift_m: float | None = None
    climb_shift_m: float | None = None
    thrust: Commands = field(default_factory=dict[str, float])  # kinds direct and pilot: see Simulation.thrust
    deflect: Commands = field(default_factory=dict[str, float])
    ballast: Commands = field(default_factory=dict[str, float])
    sticks: Commands = field(default_factory=dict[str, float])

    def __post_init__(self) -> None:
        """Refuse keys that this kind of control does not read."""
        if (self.kind == "python") != bool(self.class_name):
            SCENARIO.fail("class_name", value=self.class_name, expected='FILE.py:CLASS with kind = "python"')
        for kinds, keys in OF_KIND.items():
            key = next((key for key in keys if getattr(self, key) not in (None, {})), None)
            if key is not None and self.kind not in kinds:
                SCENARIO.fail(key, f'kind = "{self.kind}" does not use this key', value=getattr(self, key) or None)
        for key in OF_KIND[("ballast",)]:
            if getattr(self, key) is not None:
                check(self, key, -1e3, 1e3)
        check_names("if_possible", self.if_possible, tuple(Setpoints.__dataclass_fields__))
        check_names("hold", self.hold, NUMERICAL_HOLDS)
        self.check_setpoints()


# keys that only some kinds of control read
OF_KIND: dict[tuple[str, ...], tuple[str, ...]] = {
    ("autopilot", "sliding_mode", "ballast"): tuple(Setpoints.__dataclass_fields__),
    ("ballast",): ("dive_volume_m3", "climb_volume_m3", "dive_shift_m", "climb_shift_m"),
    ("direct",): ("thrust", "deflect", "ballast"),
    ("pilot",): ("sticks",),
}


@dataclass(frozen=True, kw_only=True)
class ScenarioEvent(Setpoints, Trigger):
    """Event of a scenario: new setpoints, commands or the end of the run, at a time, near a place or on a condition."""

    say: str = ""  # a line for the log
    stop: bool = False  # ends the run
    next_leg: bool = False  # of the mission
    tether_rate_m_s: float | None = None  # of the drum, out positive
    tether_ratio: float | None = None
    thrust: Commands = field(default_factory=dict[str, float])
    deflect: Commands = field(default_factory=dict[str, float])
    ballast: Commands = field(default_factory=dict[str, float])
    sticks: Commands = field(default_factory=dict[str, float])

    def __post_init__(self) -> None:
        """Check the values, and refuse an event without an effect."""
        super().__post_init__()
        self.check_setpoints()
        for key, field_name in (("tether_ratio", "ratio"), ("tether_rate_m_s", "rate_m_s")):
            if getattr(self, key) is not None:
                check(self, key, *TETHER[field_name])
        effects = [key for key in self.__dataclass_fields__ if key not in Trigger.__dataclass_fields__]
        if not any(getattr(self, key) not in (None, "", False, {}) for key in effects):
            raise ScenarioError("nothing is done", file="scenario", expected=one_of(effects))


@dataclass(frozen=True, kw_only=True)
class End:
    """Conditions that end a run before its duration is over."""

    when: str = ""  # a condition on any vehicle, such as depth_m > 20
    mission_done: bool = True  # the missions of all vehicles are done
    after_s: float = 0.0  # time between the end of the missions and the end of the run

    def __post_init__(self) -> None:
        """Check the delay and parse the condition."""
        check(self, "after_s", 0.0, LONGEST_S)
        if self.when:
            Condition(self.when)


@dataclass(frozen=True, kw_only=True)
class Output:
    """Files that a run writes."""

    format: Literal["csv", "parquet"] = "csv"
    forces: bool = False  # the wrench of every force term, six columns each
    figures: bool = True
    figure_format: Literal["png", "svg"] = "png"
    report: bool = False  # one self-contained HTML page


@dataclass(frozen=True, kw_only=True)
class ScenarioVehicle:
    """Vehicle of a scenario with its start, control, mission, sensors, faults, events and tether."""

    name: str
    vehicle: Vehicle
    start: Start = Start()
    control: Control = Control()
    mission: tuple[Leg, ...] = ()
    sensors: tuple[Sensor, ...] = ()
    navigation: Any = None  # estimation.spec.Navigation
    faults: tuple[Fault, ...] = ()
    events: tuple[ScenarioEvent, ...] = ()
    tether: Tether | None = None


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """Complete scenario; `pelagos.load_scenario` reads it from a file, `run` runs it."""

    name: str = ""
    summary: str = ""
    seed: int = 1
    duration_s: float | None = None  # None: until the mission is done; a minute without a mission
    control_rate_hz: float = 10.0
    log_rate_hz: float | None = None  # None: the control rate
    speed: float | None = None  # upper limit of the real-time factor; None: no limit
    integrator: str | None = None
    step_s: float | None = None
    kinematics: str | None = None
    world: World = field(default_factory=World)
    vehicles: tuple[ScenarioVehicle, ...] = ()
    end: End = End()
    output: Output = Output()
    path: str = field(default="", compare=False)
    raw: Mapping[str, Any] = field(default_factory=dict[str, Any], compare=False, repr=False)

    def __post_init__(self) -> None:
        """Check the ranges, and the rates against each other."""
        if self.duration_s is not None:
            number("duration_s", self.duration_s, 0.0, MOST_S, above=True, context=SCENARIO)
        check(self, "control_rate_hz", 1e-3, 10000.0)
        for key, low in (("log_rate_hz", 1e-6), ("speed", 1e-6), ("step_s", 1e-6)):
            if getattr(self, key) is not None:
                check(self, key, low, 1e6)
        if self.log_rate_hz is not None and self.log_rate_hz > self.control_rate_hz * (1.0 + 1e-9):
            self._fail("log_rate_hz", f"at most the control rate, {self.control_rate_hz:g}")
        if self.duration_s is not None and round(self.duration_s * self.control_rate_hz) == 0:
            self._fail("duration_s", f"at least one control interval, {1.0 / self.control_rate_hz:g} s")
        if self.seed < 0:
            self._fail("seed", "a whole number, 0 or above")

    def _fail(self, key: str, expected: str) -> NoReturn:
        SCENARIO.fail(key, value=getattr(self, key), expected=expected)

    @property
    def has_mission(self) -> bool:
        """Whether any vehicle has a mission."""
        return any(entry.mission for entry in self.vehicles)

    @property
    def longest_s(self) -> float:
        """Latest time at which the run ends."""
        if self.duration_s is not None:
            return self.duration_s
        return LONGEST_S if self.has_mission or self.end.when else USUAL_S

    def run(self, stem: str | None = None, **how: Any) -> Any:
        """Run the scenario; return its log, or the logs by name of several vehicles. See `run_scenario`."""
        logs = providers.run_scenario(self, stem, **how).logs
        return next(iter(logs.values())) if len(logs) == 1 else logs
