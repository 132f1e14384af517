"""MAVLink mission protocol: upload with timeouts and retries, download and clear; fences and rally points are empty.

Upload: after MISSION_COUNT the vehicle requests each item by MISSION_REQUEST_INT, receives MISSION_ITEM_INT (or the old
MISSION_ITEM), and ends with MISSION_ACK. It repeats a request after 1 s, five times, then cancels the upload and keeps
the previous mission. In a download the station repeats its requests.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pelagos.links.datagrams import Address
from pelagos.links.mavlink.mission import MOST_ITEMS, Item, ItemError, MissionPlan
from pelagos.links.mavlink.peers import ReceivedMessage

MISSION, FENCE, RALLY, ALL = 0, 1, 2, 255  # MAV_MISSION_TYPE
# MAV_MISSION_RESULT
ACCEPTED, UNSUPPORTED, NO_SPACE, INVALID, INVALID_SEQUENCE, DENIED, CANCELLED = 0, 3, 4, 5, 13, 14, 15
RETRY_S = 1.0  # chosen; MAVLink recommends 1.5 s for most messages, and 0.25 s for mission items
MAX_RETRIES = 5  # as MAVLink recommends


class Upload:
    """Upload in progress."""

    def __init__(self, received: ReceivedMessage, count: int, now: float) -> None:
        self.sender, self.system, self.component = received.sender, received.system, received.component
        self.count, self.items = count, list[Item]()
        self.requested_s, self.requests = now, 0


class MissionProtocol:
    """Vehicle side of the mission protocol.

    Args:
        messages: pymavlink dialect module.
        plan: mission of the vehicle.
        send: sends a message to an address.
        check: raises ItemError for an item that cannot be flown.
        clock: wall clock, s.
        report: sends a text to the stations.
    """

    def __init__(
        self,
        messages: Any,
        plan: MissionPlan,
        send: Callable[[Any, Address], object],
        check: Callable[[Item], None],
        clock: Callable[[], float],
        report: Callable[[str], None],
    ) -> None:
        self._messages, self.plan, self._send = messages, plan, send
        self._check, self._clock, self._report = check, clock, report
        self._upload: Upload | None = None
        self._last: tuple[Address, int] | None = None  # last item of an upload, in case its MISSION_ACK was lost

    @property
    def uploading(self) -> bool:
        """Whether an upload is in progress."""
        return self._upload is not None

    def list(self, received: ReceivedMessage) -> None:
        """Answer MISSION_REQUEST_LIST with the number of items."""
        kind = received.message.mission_type
        if kind not in (MISSION, FENCE, RALLY):
            self._ack(received, UNSUPPORTED, kind)
            return
        count = len(self.plan.items) if kind == MISSION else 0
        make = self._messages.MAVLink_mission_count_message
        self._send(make(received.system, received.component, count, kind), received.sender)

    def request(self, received: ReceivedMessage) -> None:
        """Answer MISSION_REQUEST_INT, or MISSION_REQUEST for the old kind of item, with the item."""
        request = received.message
        if request.mission_type != MISSION or request.seq >= len(self.plan.items):
            self._ack(received, INVALID_SEQUENCE, request.mission_type)
            return
        item = self.plan.items[request.seq]
        old = received.kind == "MISSION_REQUEST"
        x, y = (item.lat_deg, item.lon_deg) if old else (item.x, item.y)
        make = self._messages.MAVLink_mission_item_message if old else self._messages.MAVLink_mission_item_int_message
        current = int(item.seq == self.plan.current())
        self._send(
            make(received.system, received.component, item.seq, item.frame, item.command, current, item.autocontinue,
                 *item.params, x, y, item.z, MISSION), received.sender,
        )  # fmt: skip

    def count(self, received: ReceivedMessage) -> None:
        """Start an upload on MISSION_COUNT; an upload in progress is dropped."""
        count, kind = received.message.count, received.message.mission_type
        if kind != MISSION:
            self._ack(received, ACCEPTED if count == 0 and kind in (FENCE, RALLY) else UNSUPPORTED, kind)
            if count:
                self._report("fences and rally points are not known here")
            return
        self._upload = self._last = None
        if count > MOST_ITEMS:
            self._report(f"a mission of {count} items is too long; at most {MOST_ITEMS}")
            self._ack(received, NO_SPACE, kind)
        elif count == 0:
            self.plan.put(())
            self._ack(received, ACCEPTED, kind)
        else:
            self._upload = Upload(received, count, self._clock())
            self._request_next()

    def item(self, received: ReceivedMessage) -> None:
        """Take an item of the upload from MISSION_ITEM_INT or MISSION_ITEM."""
        upload, message = self._upload, received.message
        # The station repeats its last item if the final MISSION_ACK was lost.
        if upload is None and message.mission_type == MISSION and self._last == (received.sender, int(message.seq)):
            self._ack(received, ACCEPTED, MISSION)
            return
        if upload is None or received.sender != upload.sender or message.mission_type != MISSION:
            self._ack(received, INVALID if message.mission_type == MISSION else UNSUPPORTED, message.mission_type)
            return
        if message.seq != len(upload.items):
            if message.seq >= upload.count:
                self._ack(received, INVALID_SEQUENCE, MISSION)
            return  # a duplicate or out of order; the request for the right one is repeated
        try:
            item = Item.of(message)
            self._check(item)
        except ItemError as refusal:
            self._upload = None
            self._report(str(refusal))
            self._ack(received, refusal.result, MISSION)
            return
        upload.items.append(item)
        upload.requests, upload.requested_s = 0, self._clock()
        if len(upload.items) < upload.count:
            self._request_next()
            return
        self._upload, self._last = None, (upload.sender, item.seq)
        self.plan.put(tuple(upload.items))
        self._ack(received, ACCEPTED, MISSION)

    def clear(self, received: ReceivedMessage) -> None:
        """Delete the mission on MISSION_CLEAR_ALL."""
        kind = received.message.mission_type
        if kind in (MISSION, ALL):
            self._upload = self._last = None
            self.plan.put(())
        self._ack(received, ACCEPTED if kind in (MISSION, FENCE, RALLY, ALL) else UNSUPPORTED, kind)

    def refuse_partial(self, received: ReceivedMessage) -> None:
        """Reject MISSION_WRITE_PARTIAL_LIST and MISSION_REQUEST_PARTIAL_LIST: missions are transferred whole."""
        self._ack(received, UNSUPPORTED, received.message.mission_type)

    def acknowledged(self, received: ReceivedMessage) -> None:
        """Handle the MISSION_ACK of a station, which ends a download or cancels an upload."""
        if self._upload is not None and received.sender == self._upload.sender and received.message.type != ACCEPTED:
            self._upload = None

    def refuse(self, received: ReceivedMessage) -> None:
        """Reject a write by a station that may only read."""
        self._ack(received, DENIED, received.message.mission_type)

    def update(self) -> None:
        """Repeat a request that was not answered, or cancel the upload."""
        upload = self._upload
        if upload is None or self._clock() - upload.requested_s < RETRY_S:
            return
        if upload.requests > MAX_RETRIES:
            self._upload = None
            self._report(f"item {len(upload.items)} of the mission did not come; the upload is given up")
            make = self._messages.MAVLink_mission_ack_message
            self._send(make(upload.system, upload.component, CANCELLED, MISSION), upload.sender)
        else:
            self._request_next()

    def _request_next(self) -> None:
        upload = self._upload
        assert upload is not None
        upload.requests, upload.requested_s = upload.requests + 1, self._clock()
        make = self._messages.MAVLink_mission_request_int_message
        self._send(make(upload.system, upload.component, len(upload.items), MISSION), upload.sender)

    def _ack(self, received: ReceivedMessage, result: int, kind: int) -> None:
        make = self._messages.MAVLink_mission_ack_message
        self._send(make(received.system, received.component, result, kind), received.sender)
