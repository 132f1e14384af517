"""Campaigns: one scenario run many times with varied keys and seeds; the metrics of all runs form one table.

>>> from pelagos.campaign import load_campaign, run_campaign
>>> results = run_campaign(load_campaign("sweep.toml"))
>>> results.table["depth_error_m"].mean()

Names are imported on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pelagos.campaign.read import campaign_from, load_campaign
    from pelagos.campaign.results import Results, load_results
    from pelagos.campaign.runner import run_campaign
    from pelagos.campaign.spec import Campaign

_HOME = {
    "Campaign": "pelagos.campaign.spec",
    "Results": "pelagos.campaign.results",
    "campaign_from": "pelagos.campaign.read",
    "load_campaign": "pelagos.campaign.read",
    "load_results": "pelagos.campaign.results",
    "run_campaign": "pelagos.campaign.runner",
}

__all__ = ["Campaign", "Results", "campaign_from", "load_campaign", "load_results", "run_campaign"]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'pelagos.campaign' has no attribute {name!r}")
