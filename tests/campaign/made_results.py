"""Folders of results without a simulation: written by the campaign's own writer, with metrics of a known formula."""

from pelagos.campaign.read import campaign_from
from pelagos.campaign.sampling import make_plan
from pelagos.campaign.statistics import StopRule
from pelagos.campaign.store import CampaignFolder
from pelagos.campaign.summary import summary_of

KEYS = ("world.current_m_s", "start.depth_m", "vehicle.scale.damping")


def campaign(method="sobol", runs=128, vary=None, **more):
    """A campaign of three keys on first-dive and two metrics."""
    ranges = [
        {"key": KEYS[0], "low": 0.0, "high": 1.0},
        {"key": KEYS[1], "low": 1.0, "high": 3.0},
        {"key": KEYS[2], "mean": 1.0, "sigma": 0.1},
    ]
    tables = {
        "name": "made",
        "summary": "Numbers that follow from <the keys>.",
        "scenario": "first-dive",
        "method": method,
        "vary": vary or ranges,
        "metric": [
            {"name": "off_m", "column": "north_m", "take": "max"},
            {"name": "hit", "column": "contact_N > 0", "take": "any", "from_s": 5.0},
        ],
        **({} if runs is None else {"runs": runs}),
        **more,
    }
    return campaign_from(tables)


def formula(values):
    """What a run gives: off_m is 4 current + depth, hit where the current is above 0.75."""
    return {"off_m": 4.0 * values[KEYS[0]] + values[KEYS[1]], "hit": float(values[KEYS[0]] > 0.75)}


def write(folder, made, failed=(), upto=None, metrics=formula):
    """A folder of results, summed up: runs of `failed` failed, those from `upto` on are missing. Returns the plan."""
    plan = make_plan(made)
    kept = CampaignFolder(folder, made, plan)
    kept.begin()
    rows = []
    for run in (plan.run(number) for number in range(len(plan))):
        if upto is not None and run.run >= upto:
            break
        row = {"run": run.run, "seed": run.seed, "engine": "single", "wall_s": 0.1, "simulated_s": 60.0, **run.values}
        if run.run in failed:
            rows.append(row | {"status": "failed", "message": f"run {run.run} <went> wrong"})
        else:
            rows.append(row | {"status": "done", "message": ""} | metrics(run.values))
    kept.add(rows)
    kept.flush()
    stopping = StopRule(made.stop, len(plan))
    kept.summarise(summary_of(kept, "complete" if upto is None else "interrupted", stopping, 1.0))
    return plan
