"""Table 6.1, one actuator at a time: which way the vehicle goes when a fin is put over or a thruster driven."""

from __future__ import annotations

from dataclasses import dataclass

from pelagos.vehicle.spec import Vehicle
from pelagos_evidence.brutzman.motions.flights import TESTS, fly, phoenix
from pelagos_evidence.claim import Claim, Proof, statement
from pelagos_evidence.document import Findings, Tell

SECONDS = 3.0  # long enough to see where it goes, short against the 13 s of a swing in pitch
FINS = ("bow rudders", "stern rudders", "bow planes", "stern planes")
TUNNELS = ("bow vertical", "stern vertical", "bow lateral", "stern lateral")
SCREWS = ("port screw", "starboard screw")
MOTIONS = ("surge", "sway", "heave", "roll rate", "pitch rate", "yaw rate")


@dataclass(frozen=True)
class Sign:
    """What an actuator must do: signs of velocities (index into u v w p q r) after a few seconds."""

    group: str
    index: int
    printed: str
    place: str
    signs: dict[int, int]
    errata: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """In words."""
        return {"fin": FINS, "tunnel": TUNNELS, "screw": SCREWS}[self.group][self.index]


RULE = "positive voltage pushes in the positive direction of the body {axis} axis; force times offset is the moment"
TUNNEL_PLACE = "section D.8, before equation 6.45; equation 6.46"
SIGNS = (
    Sign("fin", 0, "positive change in yaw", "table 6.1, delta_rb", {5: 1}, ("B24", "B25")),
    Sign("fin", 1, "negative change in yaw", "table 6.1, delta_rs", {5: -1}, ("B24", "B25")),
    Sign("fin", 2, "positive change in pitch", "table 6.1, delta_pb", {4: 1}, ("B24", "B25")),
    Sign("fin", 3, "negative change in pitch", "table 6.1, delta_ps", {4: -1}, ("B24", "B25")),
    Sign("tunnel", 0, RULE.format(axis="depth"), TUNNEL_PLACE, {2: 1, 4: -1}, ("B44", "B45", "B46")),
    Sign("tunnel", 1, RULE.format(axis="depth"), TUNNEL_PLACE, {2: 1, 4: 1}, ("B44", "B45", "B46")),
    Sign("tunnel", 2, RULE.format(axis="lateral"), TUNNEL_PLACE, {1: 1, 5: 1}, ("B46",)),
    Sign("tunnel", 3, RULE.format(axis="lateral"), TUNNEL_PLACE, {1: 1, 5: -1}, ("B46",)),
    Sign(
        "screw",
        0,
        "ahead; its offset is to port, so the bow turns to starboard",
        "table 6.2, equation 6.53",
        {0: 1, 5: 1},
        ("B40", "B41"),
    ),
    Sign(
        "screw",
        1,
        "ahead; its offset is to starboard, so the bow turns to port",
        "table 6.2, equation 6.53",
        {0: 1, 5: -1},
        ("B40", "B41"),
    ),
)


def run(tell: Tell) -> Findings:
    """Each fin at 2 ft/s and +10 deg, each tunnel at +24 V and each screw at 700 rpm from rest."""
    claims: list[Claim] = []
    for done, sign in enumerate(SIGNS):
        claims.append(row(sign, phoenix()))
        tell((done + 1) / len(SIGNS))
    claims.append(_opposed())
    return Findings(tuple(claims))


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


def row(sign: Sign, vehicle: Vehicle) -> Claim:
    """The signs that are demanded, and the velocities that were flown."""
    nu = flown(sign, vehicle)
    how = {"fin": "+10 deg at 2 ft/s", "tunnel": "+24 V from rest", "screw": "alone at 700 rpm from rest"}[sign.group]
    told = ", ".join(f"{MOTIONS[axis]} {nu[axis]:+.3f} {'ft/s' if axis < 3 else 'deg/s'}" for axis in sign.signs)
    return statement(
        f"sign-{sign.name.replace(' ', '-')}",
        sign.place,
        f"{sign.name.capitalize()} {how}, after {SECONDS:g} s",
        sign.printed,
        told,
        all(nu[axis] * wanted > 0.0 for axis, wanted in sign.signs.items()),
        tolerance="the sign",
        why="a sign is right or wrong; M = -x Z and N = x Y for the moments"
        + ("; (6.50) prints a minus against this text, see the variants" if "B44" in sign.errata else ""),
        numbers={MOTIONS[axis].replace(" ", "_"): nu[axis] for axis in sign.signs},
        proof=Proof(sign.errata, ("pelagos.engine.forces.coefficients", "pelagos.engine.forces.thrusters"), TESTS),
    )


def _opposed() -> Claim:
    """Bow and stern fins opposite: both turn the same way; alike: they work against each other."""
    rates = {}
    for word, fins in (("opposite", (10.0, -10.0, 0.0, 0.0)), ("alike", (10.0, 10.0, 0.0, 0.0))):
        rates[word] = float(
            fly(phoenix(), 10.0, rpm=(700.0, 700.0), fins_deg=fins, surge_ft_s=2.0, every_s=10.0).nu[-1, 5]
        )
    return statement(
        "fins-opposed",
        "table 6.1",
        "Bow and stern rudders usually go to exactly opposite positions",
        "opposite",
        f"yaw rate after 10 s at 10 deg: {rates['opposite']:+.2f} deg/s opposite, {rates['alike']:+.2f} deg/s alike",
        rates["opposite"] > 2.0 * abs(rates["alike"]),
        tolerance="more than twice as fast",
        why="arms 0.283 L and 0.377 L: the moments add to 0.660 L, or leave 0.094 L",
        proof=Proof(("B25",), ("pelagos.engine.forces.coefficients",), TESTS),
    )
