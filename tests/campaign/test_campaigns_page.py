"""The examples of campaigns.md and cluster.md run as printed."""

import pytest

from pelagos.campaign import load_results, run_campaign
from pelagos.campaign.expressions import TAKES
from pelagos.campaign.read import loads_campaign
from pelagos.cli.main import main
from pelagos.files.library import CAMPAIGNS
from tests.docs_text import code, commands, pages, read, run_python, words

PAGES = [page for page in pages() if page != "CHANGELOG.md"]
ORDERS = list(dict.fromkeys(c for page in PAGES for c in commands(page) if c.startswith("pelagos campaign")))
READY = CAMPAIGNS.names()
REPORTS = [f"{name}-campaign" for name in READY]  # folders of minutes of work, which are not made here


@pytest.fixture(scope="module")
def cupboard(tmp_path_factory):
    """The file of the page, and its results."""
    folder = tmp_path_factory.mktemp("page")
    (folder / "sweep.toml").write_text(code("docs/campaigns.md", "toml")[0], encoding="utf-8")
    run_campaign(str(folder / "sweep.toml"), folder / "dive-campaign", workers=1)
    return folder


def test_the_file_of_the_page_has_the_stated_contents(cupboard):
    campaign = loads_campaign(code("docs/campaigns.md", "toml")[0])
    assert campaign.set == {"duration_s": 20, "log_rate_hz": 5}
    results = load_results(cupboard / "dive-campaign")
    assert results.failed == 0 and set(results["engine"]) == {"batch"}
    assert results.summary["stopped_at"] in (16, 32, 48) and results.interval("drift_m").half_width <= 1.2


@pytest.mark.slow
def test_the_code_of_the_page_runs(cupboard, monkeypatch, capsys):
    """docs/campaigns.md."""
    monkeypatch.chdir(cupboard)
    names = run_python("docs/campaigns.md")
    assert len(names["results"]) == 16 and "Results of dive: 16 of 16 runs" in capsys.readouterr().out
    final = names["log"]["north_m"][-1], names["log"]["east_m"][-1]
    assert max(abs(value) for value in final) <= names["results"]["drift_m"].max() * (1 + 1e-9)  # rounding of engines


@pytest.mark.slow
@pytest.mark.parametrize("order", [o for o in ORDERS if len(words(o)) > 1 and not {*words(o)} & {*REPORTS}])
def test_the_commands_of_the_pages_run(order, cupboard, monkeypatch, capsys):
    """On this machine: test_cluster has the cluster; ready campaigns, which take minutes, make a dry run."""
    monkeypatch.chdir(cupboard)
    stands_for = {"NAME": "sweep.toml", "FOLDER": "dive-campaign"}
    arguments = [stands_for.get(word, word) for word in words(order)]
    if "--scheduler" in arguments:
        del arguments[arguments.index("--scheduler") : arguments.index("--scheduler") + 2]
    extra = [] if "--workers" in arguments or "report" in arguments or "--list" in arguments else ["--workers", "1"]
    if arguments[1] in READY and "--dry-run" not in arguments:
        extra.append("--dry-run")
    assert main([*arguments, *extra]) == 0
    assert "Traceback" not in capsys.readouterr().err


def test_every_way_of_taking_a_number_is_on_the_page():
    text = read("docs/campaigns.md")
    assert all(f"`{take}`" in text for take in TAKES)
