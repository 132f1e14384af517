"""The options of additional links: addresses, refused values, and the links that they open."""

import argparse
import socket

import pytest

from pelagos.cli.fly import add_fly
from pelagos.cli.options import (
    DIS,
    LINK_FLAGS,
    MAVLINK,
    add_links,
    open_links,
    print_counts,
    requested_links,
    resolve_links,
)
from pelagos.errors import CommandError
from pelagos.session.links import LinkSet
from tests.console.riding_along import Watcher


def words(*options):
    parser = argparse.ArgumentParser(exit_on_error=False)
    parser.add_argument("name", nargs="?")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--allow-remote", action="store_true")
    add_links(parser)
    return parser.parse_args(options)


@pytest.mark.parametrize(
    ("options", "name", "dis", "mavlink"),
    [
        ((), None, None, None),
        (("--dis",), None, DIS, None),
        (("--dis", "239.1.2.3:3000"), None, "239.1.2.3:3000", None),
        (("--dis", "127.0.0.1:3000/3001"), None, "127.0.0.1:3000/3001", None),
        (("--dis", "phoenix"), "phoenix", DIS, None),
        (("--mavlink", "rov-pipeline"), "rov-pipeline", None, MAVLINK),
        (("--mavlink", "mine.toml", "--dis"), "mine.toml", DIS, MAVLINK),
        (("phoenix", "--mavlink", "--dis"), "phoenix", DIS, MAVLINK),
        (("--mavlink", "udpin:127.0.0.1:14550", "phoenix"), "phoenix", None, "udpin:127.0.0.1:14550"),
        (("--mavlink", "localhost:14551"), None, None, "localhost:14551"),
    ],
)  # fmt: skip
def test_a_word_behind_a_link_that_is_no_address_is_the_vehicle(options, name, dis, mavlink):
    arguments = words(*options)
    resolve_links(arguments)
    assert (arguments.name, arguments.dis, arguments.mavlink) == (name, dis, mavlink)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("phoenix", "--dis", "remus100"), "--dis is 'remus100'; expected an address or a port, such as 127"),
        (("--dis", "phoenix", "--mavlink", "phoenix"), "--mavlink is 'phoenix'; expected an address"),
        (("--dis-rate", "5"), "--dis-rate: has no effect alone; expected --dis as well"),
        (("--mavlink-id", "5"), "--mavlink-id: has no effect alone; expected --mavlink as well"),
        (("--dis", "--dis-drm", "10"), "--dis-drm is 10; expected a number from 1 to 9"),
        (("--dis", "--dis-rate", "0"), "--dis-rate is 0"),
        (("--dis", "--dis-threshold-m", "nan"), "--dis-threshold-m is nan"),
        (("--dis", "--dis-exercise", "0"), "--dis-exercise is 0"),
        (("--mavlink", "--mavlink-id", "255"), "--mavlink-id is 255; expected a number from 1 to 254"),
    ],
)  # fmt: skip
def test_words_that_do_nothing_or_mean_nothing_are_sentences(options, sentence):
    with pytest.raises(CommandError, match=sentence.replace("(", r"\(")):
        resolve_links(words(*options))


@pytest.mark.parametrize("text", ["1:2", "1:2:3:4", "1:2:x", "1:2:65536", "-1:2:3"])
def test_an_identity_is_three_numbers(text):
    with pytest.raises(argparse.ArgumentError, match=r"expected three numbers from 0 to 65535|expected one argument"):
        words("--dis", "--dis-id", text)
    assert words("--dis-id", "7:1:2").dis_id == (7, 1, 2)


def test_links_are_opened_with_what_was_said_and_closed_again(capsys):
    arguments = words("--dis", "127.0.0.1:3000", "--dis-id", "7:8:9", "--dis-version", "6", "--dis-rate", "5")
    resolve_links(arguments)
    assert requested_links(arguments) == ("dis",)
    links = open_links(arguments)
    try:
        assert links.names == ("dis",)
        messages = []
        links.publish = messages.append
    finally:
        links.close()
    assert len(messages) == 1 and "has no authentication" in messages[0]
    print_counts(links)
    assert capsys.readouterr().err.startswith("dis: ")


def test_mavlink_says_where_it_listens_and_that_it_believes_everybody():
    pytest.importorskip("pymavlink")
    links = open_links(words("--mavlink", "udpin:127.0.0.1:0"))
    messages = []
    links.publish = messages.append
    links.close()
    assert len(messages) == 1 and "mavlink: listens on port" in messages[0] and "no authentication" in messages[0]


def test_one_link_that_cannot_be_closes_the_others():
    pytest.importorskip("pymavlink")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        with pytest.raises(CommandError, match="expected an address of this machine and a free port"):
            open_links(words("--dis", "--mavlink", f"udpin:127.0.0.1:{port}"))  # what stays open is a ResourceWarning


@pytest.mark.parametrize(
    "options",
    [("--dis", "192.168.1.255:3000"), ("--dis", "239.1.2.3:3000", "--dis-ttl", "1"), ("--mavlink", "192.0.2.1:14550")],
)
def test_what_reaches_other_machines_has_to_be_allowed(options):
    if "--mavlink" in options:
        pytest.importorskip("pymavlink")
    with pytest.raises(CommandError, match="allow-remote"):
        open_links(words(*options))


@pytest.mark.parametrize("link", ["foxglove", "rosbridge"])
def test_a_port_is_a_number(link):
    pytest.importorskip("foxglove" if link == "foxglove" else "websockets")
    with pytest.raises(CommandError, match=f'--{link} = "70000": expected a port'):
        open_links(words(f"--{link}", "70000"))


def test_pelagos_fly_has_every_word_and_a_replay_takes_none_of_them():
    parser = argparse.ArgumentParser()
    add_fly(lambda name, function, *rest: parser)
    arguments = parser.parse_args(["--dis", "--mavlink", "--replay", "x.csv"])
    assert set(LINK_FLAGS) <= set(vars(arguments))
    from pelagos.cli.options import flight_builder

    with pytest.raises(CommandError, match="expected no --dis with it"):
        flight_builder(arguments)


def test_counts_are_printed_a_line_a_link(capsys):
    print_counts(LinkSet([Watcher("one"), Watcher("two")]))
    assert capsys.readouterr().err == "one: calls 0\ntwo: calls 0\n"
