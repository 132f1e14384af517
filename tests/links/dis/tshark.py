"""Decode PDUs with tshark: write packets to a capture file and read its fields back."""

import shutil
import struct
import subprocess
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

needs_tshark = pytest.mark.skipif(shutil.which("tshark") is None, reason="tshark is not installed")
PORT = 3000
LOOPBACK = bytes((127, 0, 0, 1))


class Field(NamedTuple):
    """A field as tshark shows it; `start` and `size` in bytes of the PDU."""

    name: str
    show: str
    start: int
    size: int


def capture(payloads):
    """A capture file (raw IPv4) of UDP datagrams."""
    packets = [struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 101)]
    for payload in payloads:
        udp = struct.pack(">HHHH", PORT, PORT, 8 + len(payload), 0) + payload
        ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), 1, 0, 64, 17, 0, LOOPBACK, LOOPBACK)
        packets.append(struct.pack("<IIII", 0, 0, 20 + len(udp), 20 + len(udp)) + ip + udp)
    return b"".join(packets)


def dissect(payloads, folder):
    """For each datagram the fields of DIS without parts of their own, in order."""
    path = folder / "dis.pcap"
    path.write_bytes(capture(payloads))
    command = ["tshark", "-n", "-r", str(path), "-T", "pdml"]
    text = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout
    dissected = []
    for packet in ElementTree.fromstring(text).iter("packet"):
        fields = []
        for proto in packet.iter("proto"):
            if proto.get("name") == "_ws.malformed":
                fields.append(Field("malformed", "", 0, 0))
            if proto.get("name") == "dis":
                first = int(proto.get("pos"))
                fields += [
                    Field(f.get("name"), f.get("show"), int(f.get("pos")) - first, int(f.get("size")))
                    for f in proto.iter("field")
                    if f.get("name") and not f.get("name").startswith("dis.pdustatus.")
                ]
        dissected.append(fields)
    return dissected
