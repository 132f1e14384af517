"""The console on environment 0: the page receives the vehicle's position."""

import json

import numpy as np
import pytest

from pelagos.console.protocol import unpack_snapshot
from pelagos.learn.env import VectorEnvironment


@pytest.fixture
def envs():
    made = VectorEnvironment("StationKeeping", 2, render_mode="human")
    made.reset(seed=3)
    yield made
    made.close()


@pytest.mark.slow
def test_the_page_shows_the_position_of_the_vehicle(envs, capsys):
    import websockets.sync.client as client

    watch = envs._viewer
    assert envs.render() is None
    envs.step(np.ones((2, 8), np.float32))  # what must be compiled is, before a client waits for it
    address = watch.address.replace("http", "ws").replace("/?", "/ws?")
    with client.connect(address, origin=watch.address.partition("/?")[0]) as socket:
        hello = {}
        while hello.get("type") != "hello":
            text = socket.recv(timeout=60.0)
            hello = json.loads(text) if isinstance(text, str) else {}
        assert hello["source"]["vehicle"]["key"] == "bluerov2_heavy"
        assert hello["source"]["marks"][0]["points"] == [[0.0, 0.0, 10.0]]
        for _ in range(4):
            envs.step(np.ones((2, 8), np.float32))
        expected = dict(zip(("north_m", "east_m", "depth_m"), envs.motion.position_n[0], strict=True))
        shown = {}
        while not np.isclose(shown.get("time_s", 0.0), 0.5):
            data = socket.recv(timeout=60.0)
            if isinstance(data, bytes):
                snapshot = unpack_snapshot(data)
                shown = dict(zip(hello["columns"], snapshot.values.tolist(), strict=True)) | {"time_s": snapshot.time_s}
    assert {name: shown[name] for name in expected} == pytest.approx(expected, rel=1e-6)  # float32
    assert shown["cmd_thruster_front_port"] == 1.0
