"""The tree of boxes: it holds everything once, each in the boxes above it."""

import numpy as np
import pytest

from pelagos.engine.rays.tree import WIDE, build_tree


def held(children, leaves, order):
    """The primitives of each leaf that a branch leads to."""
    for child in children.ravel():
        if child < 0:
            first, size = leaves[-1 - child]
            yield order[first : first + size]


def check(tree, boxes, node=0, within=None):
    """All that hangs on a branch lies in its box; empty branches have boxes inside out."""
    bounds, children, leaves, order = tree
    for branch in range(WIDE):
        low, high, child = bounds[node, :3, branch], bounds[node, 3:, branch], children[node, branch]
        if (low > high).all():
            assert child >= 0 or leaves[-1 - child, 1] == 0
            continue
        if within is not None:
            assert (low >= within[0]).all() and (high <= within[1]).all()
        if child >= 0:
            check(tree, boxes, child, (low, high))
        else:
            first, size = leaves[-1 - child]
            inside = boxes[order[first : first + size]]
            assert (low <= inside[:, :3]).all() and (high >= inside[:, 3:]).all()


@pytest.mark.parametrize("count", [0, 1, 2, 3, 17, 1000])
@pytest.mark.parametrize("share", [0.0, 0.4, 1.0])
def test_every_primitive_is_in_one_leaf_inside_its_boxes(count, share):
    rng = np.random.default_rng(count)
    low = rng.uniform(-50.0, 50.0, (count, 3))
    boxes = np.concatenate([low, low + rng.uniform(0.0, 4.0, (count, 3))], axis=1)
    n_alone = int(share * count)
    bounds, children, leaves, order = build_tree(boxes, n_alone)
    groups = list(held(np.where(bounds[:, 0] <= bounds[:, 3], children, 0), leaves, order))
    assert sorted(p for group in groups for p in group) == list(range(count))
    assert all(len(group) == 1 for group in groups if (group < n_alone).any())
    assert all(len(group) <= WIDE for group in groups)
    check((bounds, children, leaves, order), boxes)


def test_boxes_that_all_lie_on_one_spot():
    boxes = np.tile([0.0, 0.0, 0.0, 1.0, 1.0, 1.0], (300, 1))
    _, children, leaves, order = build_tree(boxes, 0)
    assert sorted(p for group in held(children, leaves, order) for p in group) == list(range(300))
