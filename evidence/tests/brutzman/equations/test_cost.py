"""Operations counted by hand."""

from pelagos_evidence.brutzman.equations.cost import Cost, break_even, counted


def straight(a, b):
    return a * b + a


def with_sine(a, b):
    from math import sin

    return sin(a) * b + sin(a) * b - sin(b)


def test_counts():
    assert counted(straight) == Cost(2, 0)
    assert counted(with_sine) == Cost(3, 2)  # sin(a) * b once, a sum, a difference
    assert counted(straight, with_sine) == Cost(5, 2)
    assert Cost(1, 2) + Cost(3, 4) == Cost(4, 6)
    assert "4 arithmetic" in Cost(4, 6).text()


def test_break_even():
    """24 operations against 11 and 4 sines: equal when a sine costs 13/4."""
    assert break_even(Cost(24, 0), Cost(11, 4)) == 3.25
