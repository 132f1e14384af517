"""Count the Entity State PDUs a second that the ready scenarios need, with dead reckoning and at a fixed rate.

    python scripts/dis_rates.py [SECONDS] [SCENARIO ...]

Each scenario is flown once, for at most so many simulated seconds (300), and every rule watches the same motion with
the clock of the simulation: algorithms 2 (FPW), 4 (RVW) and 8 (RVB) with two pairs of thresholds, heartbeat 5 s, and
the fixed 10 Hz of Brutzman (1994). Printed as the table of docs/dis.md, with the largest error of a receiver.
"""

from __future__ import annotations

import sys
from math import degrees
from pathlib import Path

from pelagos.links.dis.rates import ALGORITHMS, FIXED_HZ, SECONDS, THRESHOLDS, fly


def main(arguments: list[str]) -> None:
    """Print the table."""
    seconds = float(arguments[0]) if arguments and arguments[0].replace(".", "", 1).isdigit() else SECONDS
    named = [word for word in arguments if not word.replace(".", "", 1).isdigit()]
    ready = Path(__file__).parents[1] / "pelagos" / "scenario" / "library"
    scenarios = named or sorted(path.stem for path in ready.glob("*.toml"))
    pairs = [f"{far:g} m, {turn:g} deg" for far, turn in THRESHOLDS]
    heads = [f"{pair}: DRM {a}" for pair in pairs for a in ALGORITHMS]
    print("| scenario | s | " + " | ".join(heads) + f" | fixed {FIXED_HZ:g} Hz | worst error |")
    print("|---" * (len(heads) + 4) + "|")
    for name in scenarios:
        flown_s, watched = fly(name, seconds)
        rates = " | ".join(f"{observer.sent / flown_s:.2f}" for observer in watched)
        far, near = (watched[k : k + len(ALGORITHMS)] for k in (0, len(ALGORITHMS)))
        worst = ", ".join(
            f"{max(w.worst_m for w in group):.2f} m {degrees(max(w.worst_rad for w in group)):.1f} deg"
            for group in (far, near)
        )
        print(f"| {name} | {flown_s:.0f} | {rates} | {worst} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
