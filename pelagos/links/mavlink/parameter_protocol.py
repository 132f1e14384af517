"""The parameter protocol of MAVLink: lists some values at each turn, reads one, sets one and says what is in force."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pelagos.links.datagrams import Address
from pelagos.links.mavlink.parameters import Parameters

if TYPE_CHECKING:
    from pelagos.links.mavlink.peers import Heard

A_TURN = 8  # values sent between two ticks
MOST_LISTS = 4  # that wait to be sent; a station asks again for what it misses


class ParameterProtocol:
    """Answers what stations ask of the parameters.

    Args:
        messages: the dialect.
        parameters: the values.
        send: sends a message to an address, or to all stations.
        unknown: told of each parameter that is asked for and not there.
    """

    def __init__(
        self,
        messages: Any,
        parameters: Parameters,
        send: Callable[[Any, Address | None], object],
        unknown: Callable[[], None],
    ) -> None:
        self._messages, self._parameters, self._send, self._unknown = messages, parameters, send, unknown
        self._waiting: deque[tuple[int, Address]] = deque(maxlen=MOST_LISTS * len(parameters))

    def list(self, heard: Heard) -> None:
        """PARAM_REQUEST_LIST: all of them, from the first on."""
        self._waiting = deque((one for one in self._waiting if one[1] != heard.sender), self._waiting.maxlen)
        self._waiting.extend((i, heard.sender) for i in range(len(self._parameters)))

    def read(self, heard: Heard) -> None:
        """PARAM_REQUEST_READ by number, or by name if the number is negative."""
        index, names = heard.message.param_index, self._parameters.names
        name = heard.message.param_id if index < 0 else names[index] if index < len(names) else ""
        if name in self._parameters.table:
            self._value(names.index(name), heard.sender)
        else:
            self._unknown()

    def set(self, heard: Heard) -> None:
        """PARAM_SET; CommandError if it cannot be. The answer is the value in force, whatever was asked for."""
        name = heard.message.param_id
        try:
            self._parameters.set(name, heard.message.param_value)
        finally:
            if name in self._parameters.table:
                self._value(self._parameters.names.index(name), None)

    def turn(self) -> None:
        """Some of the lists that were asked for."""
        for _ in range(min(A_TURN, len(self._waiting))):
            self._value(*self._waiting.popleft())

    def _value(self, index: int, to: Address | None) -> None:
        one = self._parameters.table[self._parameters.names[index]]
        make, count = self._messages.MAVLink_param_value_message, len(self._parameters)
        self._send(make(one.name.encode(), self._parameters[one.name], one.kind, count, index), to)
