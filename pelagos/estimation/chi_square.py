"""Chi-square: how large a normalised square of n normal errors is by chance. For gates and for consistency.

    P(a, x) = x^a e^-x / Gamma(a) (1/a + x/(a (a+1)) + ...)      share below x of chi-square with 2a degrees at 2x

Reference: Abramowitz and Stegun 6.5.29, 26.4.19; Bar-Shalom, Li and Kirubarajan (2001), Estimation with applications
to tracking and navigation, sect. 5.4, for the tests.
"""

from __future__ import annotations

import math

from pelagos.errors import CommandError


def chi_square_share(value: float, dof: float) -> float:
    """Share of a chi-square with so many degrees of freedom that lies below a value."""
    a, x = 0.5 * dof, 0.5 * value
    if x <= 0.0:
        return 0.0
    log_front = a * math.log(x) - x - math.lgamma(a)
    if x > a + 8.0 * math.sqrt(a) + 30.0:
        return 1.0
    term = total = 1.0 / a
    k = a
    while term > 1e-16 * total:
        k += 1.0
        term *= x / k
        total += term
    return min(1.0, total * math.exp(log_front))


def chi_square_point(share: float, dof: float) -> float:
    """The value below which a share of a chi-square lies, by bisection."""
    if not (0.0 < share < 1.0 and dof > 0.0):
        raise CommandError(f"share is {share:g} of {dof:g} degrees of freedom; expected between 0 and 1, and some.")
    low, high = 0.0, dof + 10.0 * math.sqrt(2.0 * dof) + 60.0
    for _ in range(80):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if chi_square_share(middle, dof) < share else (low, middle)
    return 0.5 * (low + high)


def nees_bounds(n: int, dof: int, share: float = 0.95) -> tuple[float, float]:
    """Between these the mean of n independent NEES lies in `share` of all cases if the filter is consistent.

    n times the mean is chi-square with n dof degrees (Bar-Shalom et al. 2001, 5.4.2-12). Samples of one run are not
    independent: n is the number of runs, each looked at at one instant.
    """
    if n < 1 or dof < 1:
        raise CommandError(f"nees_bounds got {n} runs and {dof} degrees of freedom; expected at least one of each.")
    tail = 0.5 * (1.0 - share)
    return chi_square_point(tail, n * dof) / n, chi_square_point(1.0 - tail, n * dof) / n
