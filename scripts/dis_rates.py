"""How many Entity State PDUs a second the ready scenarios need: dead reckoning against the fixed rate.

    python scripts/dis_rates.py [SECONDS] [SCENARIO ...]

Each scenario is flown once, for at most so many simulated seconds (300), and every rule watches the same motion with
the clock of the simulation: algorithms 2 (FPW), 4 (RVW) and 8 (RVB) with two pairs of thresholds, heartbeat 5 s, and
the fixed 10 Hz of Brutzman (1994). Printed as the table of docs/dis.md, with the largest error of a receiver.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field
from math import degrees
from pathlib import Path

from pelagos.links.dis.publisher import Motion, Publisher, Rule
from pelagos.sim.execute import prepare
from pelagos.sim.scenario_read import load_scenario

SECONDS = 300.0
ALGORITHMS = (2, 4, 8)
THRESHOLDS = ((1.0, 3.0), (0.05, 1.0))  # m, deg
FIXED_HZ = 10.0


@dataclass
class Watched:
    """A rule at work: PDUs sent and why, and how far receivers were off before each."""

    rule: Rule
    publisher: Publisher = field(init=False)
    why: Counter[str] = field(default_factory=Counter)
    worst_m: float = 0.0
    worst_rad: float = 0.0

    def __post_init__(self) -> None:
        self.publisher = Publisher(self.rule)

    @property
    def sent(self) -> int:
        """How many PDUs."""
        return self.why.total()

    def look(self, motion: Motion, now_s: float, interval_s: float) -> None:
        """After a tick."""
        picture = self.publisher.picture
        if picture is not None:
            away, angle = picture.errors(motion, now_s)
            self.worst_m, self.worst_rad = max(self.worst_m, away), max(self.worst_rad, angle)
        if reason := self.publisher.due(motion, now_s, interval_s):
            self.publisher.sent(motion, now_s)
            self.why[reason] += 1


def rules() -> list[Rule]:
    """Those of the table, in its order."""
    chosen = [Rule(algorithm, far, turn) for far, turn in THRESHOLDS for algorithm in ALGORITHMS]
    return [*chosen, Rule(fixed_hz=FIXED_HZ)]


def fly(scenario: str, seconds: float = SECONDS, watched: list[Watched] | None = None) -> tuple[float, list[Watched]]:
    """A scenario by its own mission, and what each rule makes of the first vehicle's motion; simulated seconds."""
    watched = [Watched(rule) for rule in rules()] if watched is None else watched
    ready = prepare(load_scenario(scenario))
    sims = ready.fleet.sims
    for sim, happenings in zip(sims, ready.happenings, strict=True):
        sim.make_ready(min(seconds, ready.scenario.longest_s))
        sim.in_run(True)
        happenings.update(sim)
    sim = sims[0]
    motion = Motion.of(sim)
    for one in watched:
        one.look(motion, 0.0, sim.interval_s)
    while sim.time_s < min(seconds, ready.scenario.longest_s) - 1e-9 and not ready.over():
        for each in sims:
            each.tick()
        ready.each()
        motion = Motion.of(sim, motion)
        for one in watched:
            one.look(motion, sim.time_s, sim.interval_s)
    return sim.time_s, watched


def main(arguments: list[str]) -> None:
    """Print the table."""
    seconds = float(arguments[0]) if arguments and arguments[0].replace(".", "", 1).isdigit() else SECONDS
    named = [word for word in arguments if not word.replace(".", "", 1).isdigit()]
    ready = Path(__file__).parents[1] / "pelagos" / "scenarios"
    scenarios = named or sorted(path.stem for path in ready.glob("*.toml"))
    pairs = [f"{far:g} m, {turn:g} deg" for far, turn in THRESHOLDS]
    heads = [f"{pair}: DRM {a}" for pair in pairs for a in ALGORITHMS]
    print("| scenario | s | " + " | ".join(heads) + f" | fixed {FIXED_HZ:g} Hz | worst error |")
    print("|---" * (len(heads) + 4) + "|")
    for name in scenarios:
        flown_s, watched = fly(name, seconds)
        rates = " | ".join(f"{one.sent / flown_s:.2f}" for one in watched)
        far, near = (watched[k : k + len(ALGORITHMS)] for k in (0, len(ALGORITHMS)))
        worst = ", ".join(
            f"{max(w.worst_m for w in group):.2f} m {degrees(max(w.worst_rad for w in group)):.1f} deg"
            for group in (far, near)
        )
        print(f"| {name} | {flown_s:.0f} | {rates} | {worst} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
