"""One order: its checks, which run once."""

import numpy as np
import pytest

from pelagos.checks import number_in
from pelagos.errors import CommandError
from pelagos.session.orders.order import CheckedValues, Order


def test_values_are_checked_once_and_arrays_become_lists():
    checks = []

    def counting(key, value, context=None):
        checks.append(key)
        return value

    order = Order("pilot", lambda session, values: None, {"place": counting})
    checked = order.checked("go", {"place": np.array([1.0, 2.0])})
    assert isinstance(checked, CheckedValues) and checked == {"place": [1.0, 2.0]}
    assert order.checked("go", checked) is checked and len(checks) == 1


def test_a_missing_and_an_unknown_key_are_named():
    order = Order("pilot", lambda session, values: None, {"level": number_in(0.0, 1.0)}, ("level",))
    with pytest.raises(CommandError, match="needs the key 'level'"):
        order.checked("lights", {})
    with pytest.raises(CommandError, match="did you mean"):
        order.checked("lights", {"levle": 1.0})
