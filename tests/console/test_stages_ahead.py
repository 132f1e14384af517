from dataclasses import fields

from pelagos.console.stages_ahead import StagesAhead
from pelagos.control.schedule import Schedule
from pelagos.vehicle.load import load_vehicle


def test_stages_made_ahead_are_those_that_would_be_made():
    vehicle = load_vehicle("seagrant1")
    served, alone = Schedule(vehicle, None, 0.02), Schedule(vehicle, None, 0.02)
    ahead = StagesAhead(served)
    ahead.wait()
    speeds = [share * served.top_speed for share in (0.0, 0.2, 0.5, 0.77, 1.0, 1.5)]
    for speed in speeds:
        one, other = served.stage(speed), alone.stage(speed)
        for item in fields(one):
            if item.name != "mix":  # an object without a text of its own
                assert repr(getattr(one, item.name)) == repr(getattr(other, item.name))


def test_another_schedule_of_the_same_vehicle_gets_them_and_others_do_not_fit():
    vehicle = load_vehicle("seagrant1")
    first = Schedule(vehicle, None, 0.02)
    ahead = StagesAhead(first)
    ahead.wait()
    second = Schedule(vehicle, None, 0.02)
    assert ahead.fits(second) and not ahead.fits(Schedule(vehicle, None, 0.1))
    assert not ahead.fits(Schedule(load_vehicle("seagrant1"), None, 0.02))
    ahead.serve([second])
    speed = 0.5 * first.top_speed
    assert second.stage(speed) is first.stage(speed)  # made once
    ahead.stop()


def test_it_stops_when_told():
    ahead = StagesAhead(Schedule(load_vehicle("phoenix"), None, 0.02))
    ahead.stop()
    ahead.wait()
    assert not ahead._thread.is_alive()
