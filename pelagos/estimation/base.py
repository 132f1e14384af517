"""Estimator protocol, and the [navigation] settings of a scenario."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from pelagos.checks import NAVIGATION, choice, number
from pelagos.messages import Actuation, Estimate, Reading, VehicleState
from pelagos.sensors.base import Sensor
from pelagos.units import GRAVITY
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World

if TYPE_CHECKING:
    from pelagos.estimation.navigator import Navigator


class Estimator(Protocol):
    """State estimator: readings in, estimated motion out, once per control tick."""

    columns: tuple[str, ...]

    def start(self, state: VehicleState) -> None:
        """Start at a known state, as a vehicle with a fix; the true state is not used again."""
        ...

    def update(self, time_s: float, arrived: Sequence[Reading], applied: Actuation) -> Estimate:
        """Estimated motion now. `arrived`: every reading since the last call, in order; `applied`: commands."""
        ...

    def values(self) -> list[float]:
        """Values for the log, in the order of `columns`."""
        ...


USES, MODES = ("estimate", "truth"), ("dvl", "model")


@dataclass(frozen=True, kw_only=True)
class Navigation:
    """Navigation settings of a vehicle; the figures of its instruments come from their descriptions."""

    use: Literal["estimate", "truth"] = "estimate"  # input of the controllers; the estimate is logged either way
    mode: Literal["dvl", "model"] = "dvl"  # "model": the vehicle's dynamics help as well

    # errors at the start, drawn with the seed
    position_sigma_m: float = 1.0  # north and east
    depth_sigma_m: float = 0.1
    velocity_sigma_m_s: float = 0.05
    heading_sigma_deg: float = 2.0
    tilt_sigma_deg: float = 0.5

    gate: float = 0.9999  # share of sound readings that a test of their innovation lets pass; 1 takes all
    inertial_noise: float = 1.0  # times the noise of the IMU
    aiding_noise: float = 1.0  # times the noise of all other instruments
    wave_sigma_m: float = 0.0  # of the surface: noise of the depth gauge near it

    current_sigma_m_s: float = 0.3
    current_walk_m_s_sqrt_h: float = 0.3
    model_noise_m_s: float = 0.02
    model_bias_m_s: float = 0.05  # of the model's velocity, each axis
    model_memory_s: float = 120.0

    coast_m_s_sqrt_s: float = 0.1  # without an IMU: how far velocity and attitude walk by themselves
    coast_deg_sqrt_s: float = 3.0

    def __post_init__(self) -> None:
        """Check all settings."""
        for key, valid in (("use", USES), ("mode", MODES)):
            choice(key, getattr(self, key), valid, context=NAVIGATION)
        for key in ("position_sigma_m", "depth_sigma_m", "velocity_sigma_m_s", "heading_sigma_deg", "tilt_sigma_deg",
                    "wave_sigma_m", "current_sigma_m_s", "current_walk_m_s_sqrt_h", "model_noise_m_s",
                    "model_bias_m_s"):  # fmt: skip
            self._check(key, 0.0, 1e6)
        for key in ("inertial_noise", "aiding_noise", "model_memory_s", "coast_m_s_sqrt_s", "coast_deg_sqrt_s"):
            self._check(key, 1e-6, 1e6)
        self._check("gate", 0.5, 1.0)

    def _check(self, key: str, low: float, high: float) -> None:
        number(key, getattr(self, key), low, high, context=NAVIGATION)

    def make(
        self,
        sensors: Mapping[str, Sensor] | Sequence[Sensor],
        vehicle: Vehicle | None = None,
        world: World | None = None,
        seed: int = 0,
    ) -> Navigator:
        """Make the navigator for these instruments, by name or in a sequence, on a vehicle in a world."""
        from pelagos.estimation.navigator import Navigator  # imports this module, and Numba, which scenarios do without

        named = sensors if isinstance(sensors, Mapping) else {sensor.name or sensor.kind: sensor for sensor in sensors}
        gravity = (world and world.gravity_m_s2) or (vehicle and vehicle.water.gravity_m_s2) or GRAVITY
        density = world.density_kg_m3 if world is not None else None
        return Navigator(
            named, navigation=self, vehicle=vehicle, gravity_m_s2=gravity, density_kg_m3=density, seed=seed
        )
