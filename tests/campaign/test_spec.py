"""What a campaign knows of itself; what it refuses is in test_read."""

from pelagos.campaign.spec import Campaign, Metric, Vary

NORTH = Metric(name="north_m", column="north_m")


def test_keys_and_metrics():
    vary = (Vary(key="seed", low=1, high=9), Vary(key="a", values=("x", "y")), Vary(key="b", mean=1.0, sigma=2.0))
    campaign = Campaign(name="c", runs=3, vary=vary, metric=(NORTH,))
    assert campaign.keys == ("a", "b") and campaign.metrics == ("north_m",)  # the seed has its own column anyway
    assert [item.is_whole for item in vary] == [True, False, False]
    assert [item.bounded for item in vary] == [True, True, False]


def test_a_grid_needs_no_number_of_runs():
    grid = Campaign(name="c", method="grid", vary=(Vary(key="a", low=0.0, high=1.0, points=3),), metric=(NORTH,))
    assert grid.runs is None and grid.seed == 1


def test_nothing_but_the_seed_may_vary():
    assert Campaign(name="c", runs=10, metric=(NORTH,)).keys == ()
