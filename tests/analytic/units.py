"""Foot, pound and slug: the units of the documents the checks come from."""

from math import pi

import numpy as np

FT = 0.3048
LBF = 4.4482216152605
SLUG = LBF / FT
RPM = pi / 30.0
KNOT = 1852.0 / 3600.0
NU_FT = np.array([FT] * 3 + [1.0] * 3)  # ft/s and rad/s to SI
WRENCH_LBF = np.array([LBF] * 3 + [LBF * FT] * 3)
MASS_SLUG = SLUG * np.outer([1.0] * 3 + [FT] * 3, [1.0] * 3 + [FT] * 3)  # slug, slug ft, slug ft^2
