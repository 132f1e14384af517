"""Table 6.1: the direction of motion after each single fin or thruster command."""

from __future__ import annotations

from dataclasses import dataclass

from pelagos.vehicle.spec import Vehicle
from pelagos_evidence.brutzman.motions.flights import fly, phoenix
from pelagos_evidence.document import Findings, Progress
from pelagos_evidence.rows import Rows, Values

SECONDS = 3.0  # long enough to see where it goes, short against the period of 13 s in pitch
FINS = ("bow rudders", "stern rudders", "bow planes", "stern planes")
TUNNELS = ("bow vertical", "stern vertical", "bow lateral", "stern lateral")
SCREWS = ("port screw", "starboard screw")
MOTIONS = ("surge", "sway", "heave", "roll_rate", "pitch_rate", "yaw_rate")


ROWS = Rows(__file__, SECONDS=SECONDS)


@dataclass(frozen=True)
class Sign:
    """Signs of the velocities (index into u v w p q r) that an actuator must cause within a few seconds."""

    group: str
    index: int
    signs: dict[int, int]

    @property
    def key(self) -> str:
        """Key of its claim."""
        name = {"fin": FINS, "tunnel": TUNNELS, "screw": SCREWS}[self.group][self.index]
        return f"sign-{name.replace(' ', '-')}"


SIGNS = (
    Sign("fin", 0, {5: 1}),
    Sign("fin", 1, {5: -1}),
    Sign("fin", 2, {4: 1}),
    Sign("fin", 3, {4: -1}),
    Sign("tunnel", 0, {2: 1, 4: -1}),
    Sign("tunnel", 1, {2: 1, 4: 1}),
    Sign("tunnel", 2, {1: 1, 5: 1}),
    Sign("tunnel", 3, {1: 1, 5: -1}),
    Sign("screw", 0, {0: 1, 5: 1}),
    Sign("screw", 1, {0: 1, 5: -1}),
)


def run(progress: Progress) -> Findings:
    """Each fin at 2 ft/s and +10 deg, each tunnel at +24 V and each screw at 700 rpm from rest."""
    values: Values = {}
    for done, sign in enumerate(SIGNS):
        values |= row(sign, phoenix())
        progress((done + 1) / len(SIGNS))
    return Findings(ROWS.claims(values | _opposed()))


def flown(sign: Sign, vehicle: Vehicle) -> list[float]:
    """Velocities after a few seconds: ft/s and deg/s."""
    fins, volts, rpm = [0.0] * 4, [0.0] * 4, [0.0] * 2
    {"fin": fins, "tunnel": volts, "screw": rpm}[sign.group][sign.index] = {
        "fin": 10.0,
        "tunnel": 24.0,
        "screw": 700.0,
    }[sign.group]
    if sign.group == "fin":
        rpm = [700.0, 700.0]
    flight = fly(
        vehicle,
        SECONDS,
        rpm=rpm,
        volts=volts,
        fins_deg=fins,
        surge_ft_s=2.0 if sign.group == "fin" else 0.0,
        every_s=SECONDS,
    )
    return [float(value) for value in flight.nu[-1]]


def row(sign: Sign, vehicle: Vehicle) -> Values:
    """The signs that are required, and the velocities that were flown."""
    nu = flown(sign, vehicle)
    return {
        sign.key: {
            "holds": all(nu[axis] * direction > 0.0 for axis, direction in sign.signs.items()),
            **{MOTIONS[axis]: nu[axis] for axis in sign.signs},
        }
    }


def _opposed() -> Values:
    """Bow and stern fins opposite: both turn the same way; alike: they work against each other."""
    rates = {}
    for word, fins in (("opposite", (10.0, -10.0, 0.0, 0.0)), ("alike", (10.0, 10.0, 0.0, 0.0))):
        rates[word] = float(
            fly(phoenix(), 10.0, rpm=(700.0, 700.0), fins_deg=fins, surge_ft_s=2.0, every_s=10.0).nu[-1, 5]
        )
    return {"fins-opposed": {"value": rates["opposite"] / abs(rates["alike"]), "rates": rates}}
