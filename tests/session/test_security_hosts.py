"""Which addresses only this machine can reach."""

import ipaddress

from pelagos.session.security import is_address, is_everywhere, is_loopback, own_address


def test_which_addresses_are_of_this_machine_only():
    assert all(is_loopback(host) for host in ("127.0.0.1", "127.9.9.9", "::1", "localhost"))
    assert not any(is_loopback(host) for host in ("0.0.0.0", "::", "192.168.1.7", "example.org", ""))


def test_which_addresses_are_all_of_them():
    assert is_everywhere("0.0.0.0") and is_everywhere("::") and is_everywhere("")
    assert not is_everywhere("127.0.0.1") and not is_everywhere("example.org")


def test_digits_are_addresses_and_names_are_none():
    assert is_address("10.0.0.1") and is_address("fe80::1")
    assert not is_address("example.org") and not is_address("10.0.0.1:80") and not is_address("")


def test_the_own_address_is_one_or_none():
    found = own_address()
    assert found == "" or not ipaddress.ip_address(found).is_unspecified
