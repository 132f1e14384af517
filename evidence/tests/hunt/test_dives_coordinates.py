"""The figure of six coordinates, with and without differences."""

import numpy as np
import pytest

from pelagos_evidence.hunt import dives


@pytest.mark.parametrize("with_differences", [False, True])
def test_six_panels_and_six_more_for_differences(with_differences, monkeypatch):
    seen = []
    monkeypatch.setattr(dives, "drawn", lambda figure, name, caption, dpi: seen.append(figure))
    minutes, flight = np.linspace(0.0, 5.0, 20), np.random.default_rng(0).normal(size=(6, 20))
    off = {"off": 1e-13 * flight} if with_differences else None
    dives.dive_drawing("hunt-x", "", minutes, {"one": flight}, turns=[(1.0, 2.0)], differences=off)
    labels = [axes.get_ylabel() for axes in seen[0].axes]
    assert set(dives.NAMES) <= set(labels)
    assert set(labels) == set(dives.NAMES) | (set(dives.DELTAS) if with_differences else set())
    depth = seen[0].axes[labels.index("z (depth), m")]
    assert depth.yaxis_inverted()
    np.testing.assert_array_equal(depth.lines[0].get_ydata(), flight[2, :: dives.EVERY])
