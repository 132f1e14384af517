"""The table of all orders: page, instructor, MAVLink, rosbridge and robot link choose from it.

Orders go through `Session.order`, in the thread that owns the session and between two ticks, which checks their values
once; those of a flight also go into its journal, so that a rerun repeats them.
"""

from __future__ import annotations

from collections.abc import Iterable

from pelagos.checks import ARGUMENT, Context
from pelagos.errors import one_of
from pelagos.session.orders import instructor, pilot, program
from pelagos.session.orders.order import Order

ORDERS: dict[str, Order] = pilot.ORDERS | instructor.ORDERS | program.ORDERS
WITHOUT_PILOT = ("setpoint", "actuators", "sticks", "rest", "contact", "contact_gone")
WITH_PILOT = tuple(name for name in ORDERS if name not in ("sticks", "rest"))
OF_PAGES = tuple(name for name, order in ORDERS.items() if order.role != "program")


def order_named(name: str, names: Iterable[str] = ORDERS, *, context: Context = ARGUMENT) -> Order:
    """The order of a name, which must be one of `names`; otherwise the error of the context."""
    if name not in names:
        context.fail("", "there is no order", value=name, expected=one_of(tuple(names)), names=tuple(names))
    return ORDERS[name]
