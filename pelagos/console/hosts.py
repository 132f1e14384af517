"""Addresses of this machine: which only it can reach, and by which others reach it."""

from __future__ import annotations

import contextlib
import ipaddress
import socket

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def is_address(name: str) -> bool:
    """Whether it is an address in digits."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Whether a name or address is this machine's own, seen from itself."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_everywhere(host: str) -> bool:
    """Whether binding to it means every address of the machine."""
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return host == ""


def own_address() -> str:
    """The address by which the network knows this machine; "" without a network. Nothing is sent."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.connect(("192.0.2.1", 9))  # an address of documentation: only the way there is looked up
        return str(line.getsockname()[0])
    return ""
