"""Legs with constant setpoints, and surfacing for a GPS fix."""

import numpy as np
import pytest

from pelagos.control import Autopilot
from pelagos.errors import ScenarioError
from pelagos.guidance import Mission, Steady, SurfaceFix
from pelagos.messages import Reading
from pelagos.sensors.gps import Gps
from pelagos.sim.simulation import Simulation
from tests.guidance.kinematic import fly, vehicle_state


def test_steady_holds_for_its_time():
    flight = fly(Steady(seconds_s=12.0, heading_deg=40.0, speed_m_s=1.0, depth_m=6.0), 60.0)
    assert flight.over and len(flight.setpoints) == 120  # ticks of 0.1 s, neither one more nor one less
    assert {(w.heading_deg, w.speed_m_s, w.depth_m, w.pitch_deg) for w in flight.setpoints} == {(40.0, 1.0, 6.0, None)}


def fix(k, north=0.0):
    return {"gps": Reading("gps", k, k, np.array([north, 0.0, 0.0]))}


def test_up_until_so_many_fixes_have_come():
    guide = SurfaceFix(fixes=3, wait_s=100.0).make(vehicle_state(depth=8.0, heading_deg=20.0))
    setpoint = guide.update(vehicle_state(depth=8.0, readings=fix(0)), 0.1)
    assert (setpoint.depth_m, setpoint.heading_deg) == (0.0, pytest.approx(20.0))
    silent = fix(1, np.nan)  # a reading without a position is no fix
    for k, readings in enumerate([fix(1), silent, {}, fix(2)]):
        assert guide.update(vehicle_state(depth=0.2, time_s=float(k), readings=readings), 0.1).depth_m == 0.0
    assert guide.update(vehicle_state(depth=0.2, time_s=5.0, readings=fix(5)), 0.1).depth_m == 8.0  # the depth before
    assert guide.update(vehicle_state(depth=7.0, time_s=6.0), 0.1).depth_m == 8.0
    assert guide.update(vehicle_state(depth=7.6, time_s=7.0), 0.1) is None
    assert [kind for kind, _ in guide.news] == ["surfaced", "fix"]
    assert guide.values()["target"] == 3.0


def test_without_fixes_it_waits_for_its_time():
    guide = SurfaceFix(wait_s=20.0, dive_again=False).make(vehicle_state(depth=3.0))
    assert guide.update(vehicle_state(depth=0.3, time_s=10.0), 0.1).depth_m == 0.0
    assert guide.update(vehicle_state(depth=0.3, time_s=29.0), 0.1) is not None
    assert guide.update(vehicle_state(depth=0.3, time_s=30.0), 0.1) is None


def test_down_again_to_an_altitude():
    guide = SurfaceFix(wait_s=0.0, altitude_m=5.0).make(vehicle_state(depth=3.0))
    setpoint = guide.update(vehicle_state(depth=0.3, altitude_m=40.0), 0.1)
    assert (setpoint.depth_m, setpoint.altitude_m) == (None, 5.0)
    assert guide.update(vehicle_state(depth=35.3, altitude_m=5.2, time_s=1.0), 0.1) is None


@pytest.mark.parametrize("keys", [{"fixes": 0}, {"surface_depth_m": -1.0}, {"wait_s": -1.0}])
def test_what_makes_no_sense_is_refused(keys):
    with pytest.raises(ScenarioError, match=next(iter(keys))):
        SurfaceFix(**keys)


@pytest.mark.slow
def test_remus_comes_up_for_its_fixes():
    gps = Gps(name="gps", rate_hz=1.0, position_m=(0.0, 0.0, -0.3))  # on a mast
    sim = Simulation("remus100", sensors=[gps], seed=2)
    sim.place(depth_m=6.0, surge_m_s=1.5)
    leg = SurfaceFix(fixes=5, wait_s=120.0, speed_m_s=1.5)
    mission = Mission(Autopilot(sim.vehicle, sim.water), [Steady(seconds_s=5.0, depth_m=6.0, speed_m_s=1.5), leg])
    sim.control(mission)
    log = sim.run(150)
    depth = np.asarray(log["depth_m"])
    times = {event.kind: event.time_s for event in mission.events}
    assert mission.done
    assert depth[np.searchsorted(log["time_s"], times["surfaced"])] == pytest.approx(0.5, abs=0.1)
    # five readings, one a second: at least 4 s, and the mast is dry a little later than half a metre
    assert 4.0 <= times["fix"] - times["surfaced"] < 60.0
    assert depth[-1] == pytest.approx(6.0, abs=0.5)
