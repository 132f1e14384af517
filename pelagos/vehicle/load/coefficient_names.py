"""Parser of published coefficient names: axis + monomial, such as X_udot, Y_uv, N_r|r|, Z_uuds, X_u|u|dpbdpb.

The parser reads a name from left to right into factors: a velocity (u v w p q r), its magnitude (|u|), the symbol of a
control surface ("dr"), "n" (propeller race), "phi", "theta" or "fade". The longest match wins. The factors determine
the power of L that the prime form carries, the SI unit and the |u| rule.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher

from pelagos.errors import VehicleFileError
from pelagos.vehicle.spec import AXES, VELOCITIES, Vehicle

DERIVATIVES = tuple(f"{velocity}dot" for velocity in VELOCITIES)
MAGNITUDES = tuple(f"|{velocity}|" for velocity in VELOCITIES)
SPECIALS = ("n", "phi", "theta", "fade")
ANGULAR = ("p", "q", "r")
# per axis the velocities whose plain square (X_uu) pushes one way whichever way the vehicle moves; drag needs X_u|u|
ONE_SIDED = (("u",), ("v", "p", "r"), ("w", "q"), ("v", "p", "r"), ("w", "q"), ("v", "p", "r"))


class CoefficientNameError(VehicleFileError):
    """A coefficient name that cannot be parsed; `suggestion` is the nearest valid name, or ""."""


@dataclass(frozen=True)
class Term:
    """A parsed coefficient name. `derivative` is 0..5 for an added-mass derivative such as X_udot, else -1."""

    name: str
    axis: int
    factors: tuple[str, ...] = ()
    derivative: int = -1

    @property
    def velocities(self) -> tuple[str, ...]:
        """The velocity letters in the term, magnitudes included: ("r", "r") for N_r|r|."""
        return tuple(factor.strip("|") for factor in self.factors if factor.strip("|") in VELOCITIES)


def parse_name(name: str, symbols: tuple[str, ...] | list[str] = ()) -> Term:
    """Parse a coefficient name or raise `CoefficientNameError`; `symbols` are those of the control surfaces."""
    axis, line, monomial = name.partition("_")
    if axis not in AXES or not line or not monomial:
        raise _name_error(name, symbols, expected="an axis X Y Z K M N, an underscore and a monomial")
    if monomial in DERIVATIVES:
        return Term(name, AXES.index(axis), derivative=DERIVATIVES.index(monomial))
    factors, rest = _factors(monomial, symbols)
    if rest:
        if "dot" in monomial:
            message = f'an acceleration stands alone ({", ".join(DERIVATIVES)}), "{monomial}" is none of them'
        else:
            message = f'cannot read "{rest}"; factors are {", ".join(vocabulary(symbols))}'
        raise _name_error(name, symbols, message)
    return Term(name, AXES.index(axis), factors)


def _name_error(
    name: str, symbols: tuple[str, ...] | list[str], message: str = "", expected: str = ""
) -> CoefficientNameError:
    close = suggest(name, symbols)
    axis, _, monomial = close.partition("_")
    signed = signed_square(AXES.index(axis), _factors(monomial, symbols)[0]) if close else ""
    if signed:  # the square is nearer in letters, but the author of a file probably means drag
        square = f'"{close}" pushes the same way whichever way the vehicle moves'
        message = f"{message}; {square}" if message else square
    return CoefficientNameError(message, expected=expected, suggestion=signed or close)


def vocabulary(symbols: tuple[str, ...] | list[str] = ()) -> tuple[str, ...]:
    """All factors that a coefficient name may contain."""
    return (*VELOCITIES, *MAGNITUDES, *SPECIALS, *symbols)


def suggest(name: str, symbols: tuple[str, ...] | list[str] = ()) -> str:
    """The nearest valid name: axis and underscore corrected first, then one invalid piece replaced or dropped."""
    best, score = "", 0.5  # below half alike, a suggestion misleads
    for axis, monomial in _splits(name):
        # a set has no order: equal scores are decided by the name
        for candidate in {f"{axis}_{text}" for text in _corrected(monomial, symbols)}:
            ratio = SequenceMatcher(None, name.lower(), candidate.lower()).ratio()
            if (ratio, candidate) > (score, best) and candidate != name:
                best, score = candidate, ratio
    return best


def signed_square(axis: int, factors: tuple[str, ...]) -> str:
    """The signed form of a square that needs a sign, X_u|u| for the factors of X_uu (errata B58); else ""."""
    if len(factors) == 2 and factors[0] == factors[1] and factors[0] in ONE_SIDED[axis]:
        return f"{AXES[axis]}_{factors[0]}|{factors[0]}|"
    return ""


def unsigned_squares(vehicle: Vehicle) -> str:
    """A warning about the unsigned squares (X_uu) among the damping terms of a vehicle; "" if there are none."""
    squares = [
        f"{term.name} = {term.published:g} multiplies {term.factors[0]} {term.factors[0]} (perhaps {signed})"
        for term in vehicle.coefficients
        if (signed := signed_square(term.axis, term.factors)) and term.named and term.value != 0.0
    ]
    return f"pushes the same way whichever way the vehicle moves: {'; '.join(squares)}" if squares else ""


def prime_power(term: Term) -> int:
    """The exponent k of value_SI = value rho/2 L^k: 2, plus 1 for a moment and 1 for each angular velocity.

    Derivatives add 1 (linear) or 2 (angular). A lone velocity (K_p) is scaled like its square K_p|p|
    and its value carries 1/s (errata B26).
    """
    power = 2 + (term.axis >= 3)
    if term.derivative >= 0:
        return power + (1 if term.derivative < 3 else 2)
    angular = sum(letter in ANGULAR for letter in term.velocities)
    lone = len(term.velocities) == 1 and not surfaces_in(term)  # K_p: counts like its square
    return power + (2 * angular if lone else angular)


def si_unit(term: Term) -> str:
    """The SI unit of the dimensional coefficient: "kg/m" for X_uu, "kg m2/s" for K_p; radians count as 1."""
    if term.derivative >= 0:
        metre, second = (term.axis >= 3) + (term.derivative >= 3), 0
    else:
        linear = sum(letter not in ANGULAR for letter in term.velocities)
        metre, second = 1 + (term.axis >= 3) - linear, -2 + len(term.velocities)
    over = [_power("m", -metre), _power("s", -second)]
    top = " ".join(part for part in ("kg", _power("m", metre), _power("s", second)) if part)
    below = " ".join(part for part in over if part)
    return f"{top}/({below})" if " " in below else f"{top}/{below}" if below else top


def surfaces_in(term: Term) -> tuple[str, ...]:
    """The control-surface symbols among the factors."""
    return tuple(factor for factor in term.factors if factor not in vocabulary())


def apply_u_rule(term: Term, rule: str) -> tuple[str, ...]:
    """The factors that the kernel multiplies, with the sign of u corrected for motion astern (errata B58).

    rule "signed": as written. rule "abs": an odd number of plain u makes one of them |u| (Y_uv -> |u| v), two plain
    u beside a control surface become u|u| (Z_uuds -> u|u| ds). Names that write |u| themselves, and terms
    with no other velocity and no surface (X_u, X_uu), stay as written.
    """
    factors = list(term.factors)
    plain = factors.count("u")
    alone = set(term.velocities) <= {"u"} and not surfaces_in(term)
    if rule == "signed" or "|u|" in factors or alone or plain == 0:
        return term.factors
    # lift and damping of a hull keep their sign astern, so an odd power of u must not change it
    if plain % 2 == 1 or (plain == 2 and surfaces_in(term)):
        last = len(factors) - 1 - factors[::-1].index("u")
        factors[last] = "|u|"
    return tuple(factors)


def _factors(monomial: str, symbols: tuple[str, ...] | list[str]) -> tuple[tuple[str, ...], str]:
    """Parse as many factors as possible; returns them and the rest that is not valid."""
    words = sorted(vocabulary(symbols), key=len, reverse=True)  # "dr" before "r", "phi" before "p"
    factors: list[str] = []
    rest = monomial
    while rest:
        word = next((word for word in words if rest.startswith(word)), "")
        if not word:
            break
        factors.append(word)
        rest = rest[len(word) :]
    return tuple(factors), rest


def _splits(name: str) -> list[tuple[str, str]]:
    """Axis and monomial that a misspelt name may mean: "yuv", "Yuv", "Y-uv" -> ("Y", "uv")."""
    head, line, tail = name.partition("_")
    if head.upper() in AXES and line:
        return [(head.upper(), tail)]
    if name[:1].upper() in AXES:
        return [(name[:1].upper(), name[1:].lstrip("_-' "))]
    return [(axis, tail or head) for axis in AXES]


def _corrected(monomial: str, symbols: tuple[str, ...] | list[str]) -> list[str]:
    """Valid monomials near an invalid one; `suggest` ranks them."""
    # Stricter than the helper of errors.py, which picks from a list of whole words: names of derivatives share "dot",
    # so at 0.55 any "dot" would bring them all, and `suggest` compares the complete name again.
    mended = [word for word in DERIVATIVES if SequenceMatcher(None, word, monomial).ratio() > 0.6]
    for text in (monomial, monomial.lower(), monomial.replace("_", "")):
        known, rest = _factors(text, symbols)
        start = "".join(known)
        if not rest and known:
            mended.append(text)
        for cut in range(1, len(rest) + 1):
            for word in (*vocabulary(symbols), ""):
                if (start or word) and not _factors(rest[cut:], symbols)[1]:
                    mended.append(start + word + rest[cut:])
    return mended


def _power(base: str, power: int) -> str:
    return "" if power <= 0 else base if power == 1 else f"{base}{power}"
