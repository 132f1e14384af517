"""Compare publishing rules on one flight: number of Entity State PDUs and largest dead reckoning error of receivers.

All rules see the same motion, with the simulated time as their clock.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from pelagos.links.dis.publisher import EntityMotion, Publisher, Rule
from pelagos.scenario.build import prepare
from pelagos.scenario.read import load_scenario
from pelagos.session.session import Session

SECONDS = 300.0
ALGORITHMS = (2, 4, 8)  # FPW, RVW, RVB
THRESHOLDS = ((1.0, 3.0), (0.05, 1.0))  # m, deg: those of the standard, and finer ones
FIXED_HZ = 10.0  # of Brutzman (1994)


@dataclass
class WatchedRule:
    """Statistics of a rule: reasons and times of its PDUs, and the largest errors of receivers before each."""

    rule: Rule
    publisher: Publisher = field(init=False)
    why: Counter[str] = field(default_factory=Counter)
    times_s: list[float] = field(default_factory=list)
    worst_m: float = 0.0
    worst_rad: float = 0.0

    def __post_init__(self) -> None:
        self.publisher = Publisher(self.rule)

    @property
    def sent(self) -> int:
        """Number of PDUs."""
        return self.why.total()

    def update(self, motion: EntityMotion, now_s: float, interval_s: float) -> None:
        """Apply the rule to the motion after a tick."""
        last_sent = self.publisher.last_sent
        if last_sent is not None:
            away, angle = last_sent.errors(motion, now_s)
            self.worst_m, self.worst_rad = max(self.worst_m, away), max(self.worst_rad, angle)
        if reason := self.publisher.due(motion, now_s, interval_s):
            self.publisher.mark_sent(motion, now_s)
            self.why[reason] += 1
            self.times_s.append(now_s)


def rules() -> list[Rule]:
    """Return the compared rules: every pair of thresholds with every algorithm, then the fixed rate."""
    by_threshold = [Rule(algorithm, far, turn) for far, turn in THRESHOLDS for algorithm in ALGORITHMS]
    return [*by_threshold, Rule(fixed_hz=FIXED_HZ)]


def fly(
    scenario: str,
    seconds: float = SECONDS,
    watched: list[WatchedRule] | None = None,
    motions: list[EntityMotion] | None = None,
) -> tuple[float, list[WatchedRule]]:
    """Run a scenario and apply each rule to the motion of its first vehicle; returns the simulated time and the rules.

    If `motions` is a list, the motion after every tick is appended to it.
    """
    watched = [WatchedRule(rule) for rule in rules()] if watched is None else watched
    ready = prepare(load_scenario(scenario))
    sims = ready.fleet.sims
    for sim in sims:
        sim.make_ready(min(seconds, ready.scenario.longest_s))
        sim.in_run(True)
    ready.begin()
    session, sim = Session(sims, ready.fleet, ready), sims[0]
    motion = EntityMotion.of(sim)
    for watched_rule in watched:
        watched_rule.update(motion, 0.0, sim.interval_s)
    while sim.time_s < min(seconds, ready.scenario.longest_s) - 1e-9 and not session.over:
        session.tick()
        motion = EntityMotion.of(sim, motion)
        if motions is not None:
            motions.append(motion)
        for watched_rule in watched:
            watched_rule.update(motion, sim.time_s, sim.interval_s)
    return sim.time_s, watched
