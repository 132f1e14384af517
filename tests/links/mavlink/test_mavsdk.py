"""The same vehicle flown by MAVSDK, an independent implementation in C++.

MAVSDK knows no modes of submarines, so modes are set by plain commands through it.
"""

import json
import math
import time

import pymap3d
import pytest

from tests.links.mavlink.lab import PATIENCE_S, Lab

mavsdk = pytest.importorskip("mavsdk")
pytest.importorskip("mavsdk.cmavsdk_loader", reason="mavsdk before 4 speaks to a server of its own")

from mavsdk.plugins.action import Action  # noqa: E402
from mavsdk.plugins.manual_control import ManualControl  # noqa: E402
from mavsdk.plugins.mavlink_direct import MavlinkDirect, MavlinkMessage  # noqa: E402
from mavsdk.plugins.mission_raw import MissionItem, MissionRaw  # noqa: E402
from mavsdk.plugins.param import Param  # noqa: E402
from mavsdk.plugins.telemetry import Telemetry  # noqa: E402


@pytest.fixture(scope="module")
def lab():
    with Lab(world={"depth_m": 30.0}) as made:
        made.link.parameters.set("FS_GCS_ENABLE", 0)
        yield made


@pytest.fixture(scope="module")
def system(lab):
    sdk = mavsdk.Mavsdk(mavsdk.Configuration.create_manual(255, 190, True))
    try:
        sdk.add_any_connection(f"udpout://127.0.0.1:{lab.link.port}")
        autopilot = sdk.first_autopilot(PATIENCE_S)
        assert autopilot is not None
        yield autopilot
    finally:
        sdk.destroy()


def wait(fits, what):
    until = time.monotonic() + PATIENCE_S
    while not fits():
        assert time.monotonic() < until, what
        time.sleep(0.02)


def enter(system, lab, mode):
    """DO_SET_MODE by the C++ side, repeated until it is so."""
    fields = {f"param{i}": 0.0 for i in range(1, 8)} | {"param1": 1.0, "param2": float(mode)}
    fields |= {"command": 176, "confirmation": 0, "target_system": 1, "target_component": 1}
    message = MavlinkMessage("COMMAND_LONG", 255, 190, 1, 1, json.dumps(fields))
    direct = MavlinkDirect(system)

    def there():
        direct.send_message(message)
        time.sleep(0.2)
        return lab.link.modes.now(lab.flight) == mode

    wait(there, f"mode {mode}")


@pytest.mark.slow
def test_telemetry_says_where_it_is(lab, system):
    telemetry = Telemetry(system)
    wait(lambda: telemetry.position().relative_altitude_m < -1.0, "a position")
    here = telemetry.position()
    north, east, _ = pymap3d.geodetic2ned(here.latitude_deg, here.longitude_deg, 0.0, 36.8, -121.9, 0.0)
    assert (north, east) == pytest.approx(lab.flight.sim.plant.position_n[:2], abs=1.0)  # m: it drifts meanwhile
    assert here.relative_altitude_m == pytest.approx(-lab.depth_m, abs=1.0)
    attitude = telemetry.attitude_euler()
    assert abs(attitude.roll_deg) < 5.0 and abs(attitude.pitch_deg) < 5.0
    wait(lambda: telemetry.battery().voltage_v > 10.0, "a battery")
    wait(telemetry.armed, "a heartbeat that says armed")


@pytest.mark.slow
def test_parameters(lab, system):
    param = Param(system)
    assert param.get_param_int("SYSID_MYGCS") == 255
    param.set_param_float("WPNAV_RADIUS", 75.0)
    assert param.get_param_float("WPNAV_RADIUS") == 75.0 == lab.link.parameters["WPNAV_RADIUS"]
    listed = param.get_all_params()
    names = {parameter.name for parameter in listed.int_params} | {parameter.name for parameter in listed.float_params}
    assert names == set(lab.link.parameters.names)


def test_disarm_and_arm(lab, system):
    action = Action(system)
    action.disarm()
    assert not lab.flight.armed
    action.arm()
    assert lab.flight.armed


@pytest.mark.slow
def test_manual_control_brings_it_up(lab, system):
    enter(system, lab, 0)
    control, begun = ManualControl(system), lab.depth_m
    until = time.monotonic() + PATIENCE_S
    while lab.depth_m > begun - 1.0 and time.monotonic() < until:
        control.set_manual_control_input(0.0, 0.0, 0.9, 0.0)  # z: 0.5 in the middle
        time.sleep(0.05)
    assert lab.depth_m <= begun - 1.0
    wait(lambda: lab.flight.sticks.centred, "sticks to the middle")


@pytest.mark.slow
def test_depth_hold_holds(lab, system):
    enter(system, lab, 2)
    lab.flight.order("hold", {"hold": "depth", "on": True, "value": 6.0})
    telemetry = Telemetry(system)
    wait(lambda: abs(telemetry.position().relative_altitude_m + 6.0) < 0.05, "6 m of depth")


@pytest.mark.slow
def test_a_mission_goes_up_comes_down_and_is_flown(lab, system):
    north, east, _ = lab.flight.sim.plant.position_n
    points = ((0.0, 0.0, 0.0), (north + 3.0, east, -7.0), (north + 3.0, east + 3.0, -5.0))
    items = []
    for seq, (x, y, alt) in enumerate(points):
        lat, lon, _ = pymap3d.ned2geodetic(x, y, 0.0, 36.8, -121.9, 0.0)
        where = round(lat * 1e7), round(lon * 1e7), alt
        items.append(MissionItem(seq, 6, 16, int(seq == 0), 1, 0.0, 0.0, 0.0, math.nan, *where, 0))
    raw = MissionRaw(system)
    raw.upload_mission(items)
    down = raw.download_mission()
    assert [(waypoint.x, waypoint.y, waypoint.z) for waypoint in down] == [
        (waypoint.x, waypoint.y, waypoint.z) for waypoint in items
    ]
    enter(system, lab, 3)
    wait(lambda: lab.link.plan.state(lab.flight) == 5, "the end of the mission")
    wait(lambda: abs(lab.depth_m - 5.0) < 0.3, "the depth of the last place")
    reached = lab.flight.sim.plant.position_n
    assert math.hypot(reached[0] - points[2][0], reached[1] - points[2][1]) < 0.75 + 0.05  # WPNAV_RADIUS, and a step
    raw.clear_mission()
    assert len(lab.link.plan.items) <= 1  # it clears by a mission of home alone
