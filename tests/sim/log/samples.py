"""Samples for a recorder."""

import numpy as np


def append(recorder, values, forces=()):
    """Record one sample: the plain columns, then the wrenches of the terms, if there are any."""
    recorder.row()[:] = np.concatenate([np.ravel(values), np.ravel(forces)])
    recorder.commit()
