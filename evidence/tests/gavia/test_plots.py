"""The plotter's three cases from a run over the bottom."""

import io
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from evidence.tests.checked import check_part, joined
from pelagos.scenario.read import load_scenario
from pelagos_evidence.claim import ClaimVerdict
from pelagos_evidence.gavia import plots

pytestmark = pytest.mark.slow  # whichever test comes first waits for the fixture


@pytest.fixture(scope="module")
def findings():
    return plots.run(lambda done: None)


def test_rows(findings):
    check_part("gavia", "plotter", findings)
    places = " ".join(claim.place for claim in findings.claims)
    assert all(word in places for word in ("figure 7", "figures 8 to 11", "figures 12 to 17"))


def test_sheets_show_something(findings):
    for drawing in findings.drawings:
        picture = Image.open(io.BytesIO(drawing.png))
        # a figure of a broken number of pixels is cut off, not rounded: 1
        assert picture.size == pytest.approx((drawing.width_px, drawing.height_px), abs=1)
        assert np.asarray(picture.convert("L")).std() > 10.0


def test_beams_over_another_bottom_are_noticed(tmp_path):
    """A short run whose beams are compared with a seabed 1 m deeper."""
    scenario = load_scenario(plots.SCENARIO, {"duration_s": 20.0})
    log = scenario.run()
    plotted, _ = plots.plot(log, scenario.world, tmp_path)
    motion = plots.silenced(plots.motion_of(plotted.data))
    count, off = plots.beams_on_bottom(motion, scenario.world, log)
    assert count > 20 and off < 0.01
    deeper = load_scenario(plots.SCENARIO, {"world.seabed.depth_offset_m": 11.0}).world
    assert plots.beams_on_bottom(motion, deeper, log)[1] == pytest.approx(1.0, abs=0.02)
    wrong = replace(plotted, refused="", fourth="", panels=4, against_x=plotted.against_x[1:], world=deeper)
    rows = {claim.key: claim.verdict for claim in joined(plots, plots.values(wrong, motion))}
    keys = ("beams", "x-pos", "number", "case-1", "case-2")
    assert {rows[f"plotter-{key}"] for key in keys} == {ClaimVerdict.FAILED}
