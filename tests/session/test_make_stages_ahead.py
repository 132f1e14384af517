from dataclasses import fields

from pelagos.control.tuning.schedule import Schedule
from pelagos.session.make import make_stages, of_a_kind
from pelagos.vehicle.load.vehicle import load_vehicle


def made(schedule, monkeypatch):
    """Speeds at which a schedule works out stages from now on."""
    speeds: list[float] = []
    make = schedule._make
    monkeypatch.setattr(schedule, "_make", lambda speed: (speeds.append(speed), make(speed))[1])
    return speeds


def test_no_stage_is_left_to_be_made_in_flight(monkeypatch):
    schedule = Schedule(load_vehicle("seagrant1"), None, 0.02)
    make_stages(schedule)
    late = made(schedule, monkeypatch)
    for percent in range(-100, 160):
        schedule.stage(0.01 * percent * schedule.top_speed)
    assert late == []


def test_stages_made_ahead_are_those_that_would_be_made():
    vehicle = load_vehicle("seagrant1")
    ahead, alone = Schedule(vehicle, None, 0.02), Schedule(vehicle, None, 0.02)
    make_stages(ahead)
    for share in (1.5, 0.2, 0.77, 0.0):  # whatever the order
        one, other = ahead.stage(share * ahead.top_speed), alone.stage(share * ahead.top_speed)
        for item in fields(one):
            if item.name != "mix":  # an object without a text of its own
                assert repr(getattr(one, item.name)) == repr(getattr(other, item.name))


def test_another_flight_of_the_same_vehicle_takes_them_over_and_others_do_not(monkeypatch):
    vehicle = load_vehicle("seagrant1")
    first, second = Schedule(vehicle, None, 0.02), Schedule(vehicle, None, 0.02)
    make_stages(first)
    late = made(second, monkeypatch)
    make_stages(second, first)
    assert late == [] and second.stage(0.3) is first.stage(0.3)
    assert not of_a_kind(first, Schedule(vehicle, None, 0.1))
    slower = Schedule(vehicle, None, 0.1)
    make_stages(slower, first)
    assert slower.stage(0.3) is not first.stage(0.3)
