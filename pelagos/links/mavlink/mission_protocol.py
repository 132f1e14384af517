"""The mission protocol of MAVLink: upload with time-outs and repeats, download, clear; fences and rallies are empty.

Upload: MISSION_COUNT, then we ask for each item by MISSION_REQUEST_INT and get MISSION_ITEM_INT (or the old
MISSION_ITEM), and end with MISSION_ACK. What does not come is asked for again after 1 s, five times; then the upload is
given up and the mission aboard stays. Download is the station's to repeat: we answer what it asks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pelagos.links.datagrams import Address
from pelagos.links.mavlink.mission import MOST_ITEMS, Item, ItemError, MissionPlan
from pelagos.links.mavlink.peers import HeardMessage

MISSION, FENCE, RALLY, ALL = 0, 1, 2, 255  # MAV_MISSION_TYPE
ACCEPTED, UNSUPPORTED, NO_SPACE, INVALID, INVALID_SEQUENCE, DENIED, CANCELLED = 0, 3, 4, 5, 13, 14, 15
AGAIN_S = 1.0
MOST_AGAIN = 5


class Upload:
    """One that is under way."""

    def __init__(self, heard: HeardMessage, count: int, now: float) -> None:
        self.sender, self.system, self.component = heard.sender, heard.system, heard.component
        self.count, self.items = count, list[Item]()
        self.asked_s, self.asked = now, 0


class MissionProtocol:
    """Answers what stations ask of the mission.

    Args:
        messages: the dialect.
        plan: the mission aboard.
        send: sends a message to an address.
        check: refuses an item by ItemError.
        clock: seconds of the wall.
        tell: takes a sentence for the stations.
    """

    def __init__(
        self,
        messages: Any,
        plan: MissionPlan,
        send: Callable[[Any, Address], object],
        check: Callable[[Item], None],
        clock: Callable[[], float],
        tell: Callable[[str], None],
    ) -> None:
        self._messages, self.plan, self._send = messages, plan, send
        self._check, self._clock, self._tell = check, clock, tell
        self._upload: Upload | None = None
        self._last: tuple[Address, int] | None = None  # the item that ended an upload, in case our answer was lost

    @property
    def uploading(self) -> bool:
        """Whether a mission is coming in."""
        return self._upload is not None

    # ---- reading: anybody ------------------------------------------------------------------------------------------

    def list(self, heard: HeardMessage) -> None:
        """MISSION_REQUEST_LIST."""
        kind = heard.message.mission_type
        if kind not in (MISSION, FENCE, RALLY):
            self._ack(heard, UNSUPPORTED, kind)
            return
        count = len(self.plan.items) if kind == MISSION else 0
        make = self._messages.MAVLink_mission_count_message
        self._send(make(heard.system, heard.component, count, kind), heard.sender)

    def request(self, heard: HeardMessage) -> None:
        """MISSION_REQUEST_INT, or MISSION_REQUEST for the old kind of item."""
        asked = heard.message
        if asked.mission_type != MISSION or asked.seq >= len(self.plan.items):
            self._ack(heard, INVALID_SEQUENCE, asked.mission_type)
            return
        item = self.plan.items[asked.seq]
        old = heard.kind == "MISSION_REQUEST"
        x, y = (item.lat_deg, item.lon_deg) if old else (item.x, item.y)
        make = self._messages.MAVLink_mission_item_message if old else self._messages.MAVLink_mission_item_int_message
        current = int(item.seq == self.plan.current())
        self._send(
            make(heard.system, heard.component, item.seq, item.frame, item.command, current, item.autocontinue,
                 *item.params, x, y, item.z, MISSION), heard.sender,
        )  # fmt: skip

    # ---- writing: the station that controls ------------------------------------------------------------------------

    def count(self, heard: HeardMessage) -> None:
        """MISSION_COUNT: an upload begins; one that was under way is forgotten."""
        count, kind = heard.message.count, heard.message.mission_type
        if kind != MISSION:
            self._ack(heard, ACCEPTED if count == 0 and kind in (FENCE, RALLY) else UNSUPPORTED, kind)
            if count:
                self._tell("fences and rally points are not known here")
            return
        self._upload = self._last = None
        if count > MOST_ITEMS:
            self._tell(f"a mission of {count} items is too long; at most {MOST_ITEMS}")
            self._ack(heard, NO_SPACE, kind)
        elif count == 0:
            self.plan.put(())
            self._ack(heard, ACCEPTED, kind)
        else:
            self._upload = Upload(heard, count, self._clock())
            self._ask()

    def item(self, heard: HeardMessage) -> None:
        """MISSION_ITEM_INT or MISSION_ITEM."""
        upload, message = self._upload, heard.message
        if upload is None and message.mission_type == MISSION and self._last == (heard.sender, int(message.seq)):
            self._ack(heard, ACCEPTED, MISSION)
            return
        if upload is None or heard.sender != upload.sender or message.mission_type != MISSION:
            self._ack(heard, INVALID if message.mission_type == MISSION else UNSUPPORTED, message.mission_type)
            return
        if message.seq != len(upload.items):
            if message.seq >= upload.count:
                self._ack(heard, INVALID_SEQUENCE, MISSION)
            return  # one we have, or too early: the right one is being asked for
        try:
            item = Item.of(message)
            self._check(item)
        except ItemError as refusal:
            self._upload = None
            self._tell(str(refusal))
            self._ack(heard, refusal.result, MISSION)
            return
        upload.items.append(item)
        upload.asked, upload.asked_s = 0, self._clock()
        if len(upload.items) < upload.count:
            self._ask()
            return
        self._upload, self._last = None, (upload.sender, item.seq)
        self.plan.put(tuple(upload.items))
        self._ack(heard, ACCEPTED, MISSION)

    def clear(self, heard: HeardMessage) -> None:
        """MISSION_CLEAR_ALL."""
        kind = heard.message.mission_type
        if kind in (MISSION, ALL):
            self._upload = self._last = None
            self.plan.put(())
        self._ack(heard, ACCEPTED if kind in (MISSION, FENCE, RALLY, ALL) else UNSUPPORTED, kind)

    def partly(self, heard: HeardMessage) -> None:
        """MISSION_WRITE_PARTIAL_LIST, MISSION_REQUEST_PARTIAL_LIST: a mission goes as a whole here."""
        self._ack(heard, UNSUPPORTED, heard.message.mission_type)

    def ended(self, heard: HeardMessage) -> None:
        """MISSION_ACK of a station: the end of a download, or an upload that it gives up."""
        if self._upload is not None and heard.sender == self._upload.sender and heard.message.type != ACCEPTED:
            self._upload = None

    def refuse(self, heard: HeardMessage) -> None:
        """From a station that may only read."""
        self._ack(heard, DENIED, heard.message.mission_type)

    def turn(self) -> None:
        """Ask again for what has not come."""
        upload = self._upload
        if upload is None or self._clock() - upload.asked_s < AGAIN_S:
            return
        if upload.asked > MOST_AGAIN:
            self._upload = None
            self._tell(f"item {len(upload.items)} of the mission did not come; the upload is given up")
            make = self._messages.MAVLink_mission_ack_message
            self._send(make(upload.system, upload.component, CANCELLED, MISSION), upload.sender)
        else:
            self._ask()

    def _ask(self) -> None:
        upload = self._upload
        assert upload is not None
        upload.asked, upload.asked_s = upload.asked + 1, self._clock()
        make = self._messages.MAVLink_mission_request_int_message
        self._send(make(upload.system, upload.component, len(upload.items), MISSION), upload.sender)

    def _ack(self, heard: HeardMessage, result: int, kind: int) -> None:
        make = self._messages.MAVLink_mission_ack_message
        self._send(make(heard.system, heard.component, result, kind), heard.sender)
