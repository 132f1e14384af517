"""No workers: everything here."""

from pelagos.campaign.check import job_of
from pelagos.campaign.executors.base import SerialExecutor
from pelagos.campaign.sampling import make_plan
from tests.campaign.tiny import tiny


def test_a_piece_is_flown_when_it_is_asked_for():
    campaign = tiny()
    piece = tuple(make_plan(campaign).run(k) for k in (2, 0))
    with SerialExecutor(job_of(campaign)) as hands:
        assert hands.room == 1
        hands.give(piece)
        assert hands.room == 0
        came, rows, why = hands.take()
    assert came == piece and why == "" and rows is not None
    assert [row["run"] for row in rows] == [2, 0] and hands.room == 1
