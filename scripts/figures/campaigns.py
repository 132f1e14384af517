"""Draw the pictures of docs/campaigns.md: run the ready campaigns, or resume them, and report them.

`python scripts/figures/campaigns.py FOLDER`: results go to FOLDER/NAME; the whole takes a quarter of an hour.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from pelagos.campaign.report.report import draw_report, report_summary
from pelagos.campaign.runner import run_campaign

IMAGES = Path(__file__).parents[2] / "docs" / "images"
SHOWN = {"remus-trackline": "off_line", "rov-tether-hover": "lost", "gavia-bottom-contact": "contact"}


def main(folder: str) -> None:
    """Run, report, and copy one sheet of each."""
    for name, metric in SHOWN.items():
        out = Path(folder) / name
        print(run_campaign(name, out))
        page = draw_report(out, figures=True)
        print(report_summary(page))
        shutil.copy(out / "figures" / f"{metric}.png", IMAGES / f"campaign-{name}.png")


if __name__ == "__main__":
    main(sys.argv[1])
