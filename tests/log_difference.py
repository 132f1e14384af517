"""Comparison of two logs."""

import numpy as np


def largest_difference(log, other):
    """The largest difference between two logs in their common columns, and its column; 0 if they are equal.

    A value that is NaN in one of them only counts as infinite, and so does a different number of samples.
    """
    if len(log) != len(other):
        return np.inf, "time_s"
    worst, where = 0.0, ""
    for name in log.columns:
        if name in other.columns:
            a, b = log[name], other[name]
            same = (a == b) | (np.isnan(a) & np.isnan(b))
            if not same.all():
                gap = float(np.max(np.where(np.isnan(a - b), np.inf, np.abs(a - b))[~same]))
                worst, where = (gap, name) if gap > worst else (worst, where)
    return worst, where
