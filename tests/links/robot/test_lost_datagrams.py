"""Lost, doubled and late datagrams: the simulation is the same as over TCP, bit for bit."""

import json
import random
import socket

import pytest

from tests.links.robot.linked import Client, served, tank_host

ORDERS = 60


def order(n):
    return {
        "type": "order",
        "seq": n,
        "thrusters": {"port_screw_rpm": 10.0 * n},
        "surfaces": {"bow_rudders_deg": n / 6},
    }


def exchange(sock, chance, message, accepts):
    """Send until the answer is there; a third of all datagrams is lost on the way, either way, a third comes twice."""
    line = json.dumps(message).encode()
    for _ in range(1000):
        if chance.random() > 1 / 3:
            for _ in range(chance.choice((1, 1, 2))):
                sock.send(line)
        try:
            while True:
                answer = json.loads(sock.recv(65536))
                if chance.random() > 1 / 3 and accepts(answer):
                    return answer
        except TimeoutError:
            continue
    raise AssertionError("no answer")


@pytest.mark.slow
def test_what_is_lost_or_doubled_changes_nothing_of_the_voyage():
    with served(tank_host()) as server, Client(server) as robot:
        robot.hello()
        smooth = [
            robot.ask(**{"kind" if k == "type" else k: v for k, v in order(n).items()}) for n in range(1, ORDERS + 1)
        ]
    chance, rough = random.Random(7), []
    with served(tank_host(), udp=True) as server, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.connect(("127.0.0.1", server.port))
        sock.settimeout(0.02)  # then it is sent again; a longer stall only repeats
        exchange(sock, chance, {"type": "hello", "schema": 1, "session": "u"}, lambda a: a["type"] == "hello")
        for n in range(1, ORDERS + 1):
            rough.append(exchange(sock, chance, order(n), lambda a, n=n: a.get("seq") == n and a["type"] == "state"))
        assert server.counts["repeated"] > 0
        assert server.counts["exchanges"] == ORDERS
    assert rough == smooth


def test_an_answer_that_no_datagram_holds_is_said_and_its_client_dropped():
    world = tank_host()
    world.title = "x" * 70_000
    with served(world, udp=True) as server, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.connect(("127.0.0.1", server.port))
        sock.settimeout(60.0)
        sock.send(b'{"type": "hello", "schema": 1}')
        answer = json.loads(sock.recv(65536))
        assert answer["type"] == "bye" and "too many for a datagram; expected TCP" in answer["text"]
        with Client(server) as robot:  # which takes it, and has the controls
            assert robot.hello()["role"] == "controller"
        assert server.counts["dropped_long"] == 1
