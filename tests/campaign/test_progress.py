"""The bar of a campaign."""

import io

from pelagos.campaign.progress import CampaignProgress, line


def test_a_line_says_how_far_how_fast_and_how_long():
    assert line(50, 100, 2, 25, 10.0) == (
        "[############------------]  50 %  50 of 100 runs, 2 failed, 2.5 runs/s, 20 s left"
    )
    assert line(100, 100, 0, 0, 0.0) == "[########################] 100 %  100 of 100 runs"


def test_it_is_silent_at_first_and_then_speaks_now_and_then():
    times = iter([0.0, 1.0, 9.0, 12.0, 13.0, 30.0])
    stream = io.StringIO()
    with CampaignProgress(stream, now=lambda: next(times)) as progress:
        for done in (0, 10, 20, 30, 40):
            progress(done, 100, 0)
    assert [text.split(",")[0].split("%  ")[1] for text in stream.getvalue().splitlines()] == [
        "20 of 100 runs",
        "40 of 100 runs",
    ]
