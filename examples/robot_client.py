"""A robot's own program flies NPS Phoenix over the robot link: dive, waypoints, hover. Standard library only.

It starts `pelagos link` by itself, or goes to one that runs: `python robot_client.py . --port 9100`. With a log in
place of the scenario the same program is fed what was recorded: `python robot_client.py . robot_client.csv`.
"""

from __future__ import annotations

import json
import math
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

SCENARIO = Path(__file__).with_name("robot_client.toml")
WAYPOINTS = ((25.0, 0.0), (40.0, 15.0), (40.0, 30.0))  # north, east, m
DEPTH_M, HOVER_S = 4.0, 90.0


class Robot:
    """One end of the link. `exchange` sends an order and waits for the state after the next interval."""

    def __init__(self, port: int, host: str = "127.0.0.1", role: str = "controller") -> None:
        self._socket = socket.create_connection((host, port), timeout=60.0)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._lines = self._socket.makefile("rb")
        self.hello = self._take(self._send(type="hello", schema=1, role=role, name="robot_client.py"))
        self.seq = int(self.hello["last_seq"])
        self.vehicle = str(self.hello["fleet"][0]["name"])
        self.columns = {name: sensor["columns"] for name, sensor in self.hello["fleet"][0]["sensors"].items()}
        self.readings: dict[str, dict[str, float | None]] = {}
        self._keep(self.hello)

    def exchange(self, **order: Any) -> dict[str, float]:
        """Give an order (thrusters, surfaces, ballast, setpoint or sticks; nothing: as before); the new state."""
        self.seq += 1
        return self._keep(self._take(self._send(type="order", seq=self.seq, **order)))

    def close(self, end: bool = True) -> None:
        """Leave; `end` also ends the world, and its log is then complete."""
        self._take(self._send(type="bye", end=end))
        self._lines.close()
        self._socket.close()

    def _send(self, **message: Any) -> str:
        self._socket.sendall(json.dumps(message).encode() + b"\n")
        return message["type"]

    def _take(self, sent: str) -> dict[str, Any]:
        answer = json.loads(self._lines.readline() or '{"type": "bye", "text": "the connection is lost"}')
        if answer["type"] == "refused" or (answer["type"] == "bye" and sent != "bye"):
            raise RuntimeError(answer["text"])
        return answer

    def _keep(self, message: dict[str, Any]) -> dict[str, float]:
        mine = message["vehicles"][self.vehicle]
        self.time_s, self.done, self.state = message["time_s"], message["done"], mine["state"]
        for name, reading in mine["sensors"].items():
            self.readings[name] = dict(zip(self.columns[name], reading["values"], strict=True))
        return self.state


def clipped(value: float, most: float) -> float:
    """No more than the limit, either way."""
    return max(-most, min(most, value))


def turn(to_deg: float, from_deg: float) -> float:
    """The short way round, deg."""
    return (to_deg - from_deg + 180.0) % 360.0 - 180.0


def keep_depth(s: dict[str, float]) -> dict[str, float]:
    """Vertical tunnel thrusters, V: positive pushes down."""
    push = 24.0 * (DEPTH_M - s["depth_m"]) - 60.0 * s["heave_m_s"]
    tilt = 1.0 * s["pitch_deg"] + 2.0 * s["pitch_rate_deg_s"]
    return {"bow_vertical_V": clipped(push + tilt, 24.0), "stern_vertical_V": clipped(push - tilt, 24.0)}


def cruise(s: dict[str, float], north_m: float, east_m: float) -> dict[str, Any]:
    """Screws ahead; rudders turn the bow to the point: bow rudders one way, stern rudders the other."""
    course = math.degrees(math.atan2(east_m - s["east_m"], north_m - s["north_m"]))
    rudder = clipped(1.0 * turn(course, s["heading_deg"]) - 2.0 * s["yaw_rate_deg_s"], 20.0)
    screws = {"port_screw_rpm": 600.0, "starboard_screw_rpm": 600.0, "bow_lateral_V": 0.0, "stern_lateral_V": 0.0}
    rudders = {"bow_rudders_deg": rudder, "stern_rudders_deg": -rudder}
    return {"thrusters": screws | keep_depth(s), "surfaces": rudders}


def hover(s: dict[str, float], north_m: float, east_m: float, heading_deg: float) -> dict[str, Any]:
    """Screws along, lateral tunnel thrusters across and about: each a spring and a damper."""
    psi = math.radians(s["heading_deg"])
    n, e = north_m - s["north_m"], east_m - s["east_m"]
    ahead, right = n * math.cos(psi) + e * math.sin(psi), e * math.cos(psi) - n * math.sin(psi)
    rpm = clipped(600.0 * ahead - 4000.0 * s["surge_m_s"], 700.0)
    push = 20.0 * right - 200.0 * s["sway_m_s"]
    spin = 0.5 * turn(heading_deg, s["heading_deg"]) - 2.0 * s["yaw_rate_deg_s"]
    across = {"bow_lateral_V": clipped(push + spin, 24.0), "stern_lateral_V": clipped(push - spin, 24.0)}
    along = {"port_screw_rpm": rpm, "starboard_screw_rpm": rpm}
    rudders = {"bow_rudders_deg": 0.0, "stern_rudders_deg": 0.0}
    return {"thrusters": across | along | keep_depth(s), "surfaces": rudders}


def fly(robot: Robot) -> list[float]:
    """The mission; how far it was from the last point during the last half of the hover, m."""
    s, away, (north_m, east_m) = robot.state, [], WAYPOINTS[-1]
    while not robot.done and abs(s["depth_m"] - DEPTH_M) > 0.1:
        s = robot.exchange(**hover(s, 0.0, 0.0, 0.0))
    print(f"{robot.time_s:6.1f} s  at {s['depth_m']:.2f} m; the gauge says {robot.readings.get('depth')}")
    for point in WAYPOINTS:
        while not robot.done and math.dist(point, (s["north_m"], s["east_m"])) > 3.0:
            s = robot.exchange(**cruise(s, *point))
        print(f"{robot.time_s:6.1f} s  {point} is reached, {s['surge_water_m_s']:.2f} m/s through the water")
    until_s = robot.time_s + HOVER_S
    while not robot.done and robot.time_s < until_s - 1e-6:
        s = robot.exchange(**hover(s, north_m, east_m, 90.0))
        if robot.time_s > until_s - 0.5 * HOVER_S:
            away.append(math.dist((north_m, east_m), (s["north_m"], s["east_m"])))
    print(f"{robot.time_s:6.1f} s  hovered within {max(away, default=math.nan):.2f} m")
    return away


def main(folder: str | Path = ".", world: str | Path = SCENARIO, port: str = "") -> list[float]:
    """Fly; the log goes to robot_client.csv, or robot_client-2.csv if there is one, and so on."""
    if world == "--port":
        away = fly(robot := Robot(int(port)))
        robot.close()
        return away
    away: list[float] | None = None
    n, log = 1, Path(folder) / "robot_client.csv"
    while log.exists():
        n, log = n + 1, log.with_name(f"robot_client-{n + 1}.csv")
    command = [sys.executable, "-m", "pelagos", "link", str(world), "--port", "0"]
    command += ["--log", str(log)] if world == SCENARIO else []
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            for line in server.stderr or ():
                print(line, end="")
                if match := re.search(r"listens at [\d.]+:(\d+)", line):
                    away = main(folder, "--port", match[1])
        finally:
            server.terminate()
    return sys.exit("nothing was flown") if away is None else away


if __name__ == "__main__":
    main(*sys.argv[1:])
