"""The campaigns of the library, such as `pelagos campaign remus-trackline`, run and give what the page states.

They take minutes; here one run of each is flown, the one whose numbers docs/campaigns.md prints.
`pelagos campaign report` is tested by test_report.py.
"""

import re
import tomllib

import pytest
from pytest import approx

from pelagos.campaign.check import job_of
from pelagos.campaign.read import load_campaign
from pelagos.campaign.run import run_chunk
from pelagos.campaign.sampling import make_plan
from pelagos.files.library import CAMPAIGNS
from tests.docs_text import read

pytest.importorskip("SALib")
pytest.importorskip("scipy")
READY = ["gavia-bottom-contact", "remus-trackline", "rov-tether-hover"]
ROW = re.compile(r"\| `([\w-]+)` \| (\d+) \| `(\w+)` \| ([\d.e-]+) \|")


def documented():
    """Numbers of the page: campaign -> run -> metric -> value."""
    runs = {}
    for name, run, metric, value in ROW.findall(read("docs/campaigns.md")):
        runs.setdefault(name, {}).setdefault(int(run), {})[metric] = value
    return runs


def test_the_page_has_all_campaigns():
    assert CAMPAIGNS.names() == sorted(READY) == sorted(documented())


@pytest.mark.parametrize("name", READY)
def test_every_range_has_its_reason(name):
    raw = tomllib.loads((CAMPAIGNS.folder / f"{name}.toml").read_text(encoding="utf-8"))
    assert raw["name"] == name and raw["summary"].endswith(".")
    assert all(len(row["note"]) > 15 for row in raw["vary"])
    made = load_campaign(name)
    planned = len(make_plan(made))
    assert planned == made.runs  # nothing of it is cut off by the blocks of a design
    assert f"{planned} runs" in read("docs/campaigns.md")


@pytest.mark.slow
@pytest.mark.parametrize("name", READY)
def test_a_run_is_that_of_the_page(name):
    made = load_campaign(name)
    ((run, metrics),) = documented()[name].items()
    (row,) = run_chunk(job_of(made), [make_plan(made).run(run)])
    assert row["status"] == "done", row["message"]
    assert metrics.keys() == set(made.metrics)
    for metric, value in metrics.items():
        # the page has four digits: half of the last one, and as much again for the compiler of another machine
        assert row[metric] == approx(float(value), rel=1e-3, abs=1e-6), metric
