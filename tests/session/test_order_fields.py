"""Fields of orders: values in range, refused values, and roles."""

import pytest

from pelagos.checks import LINK
from pelagos.errors import MessageError
from pelagos.session.order_fields import OF_PAGES, ORDERS, checked_values, is_of_instructor

GOOD = [
    ("hold", {"hold": "heading", "on": True, "value": 90}),
    ("hold", {"hold": "position", "on": True, "value": [10.0, -5.0]}),
    ("hold", {"hold": "mission", "on": False}),
    ("trim", {"surge": 0.1, "yaw": -0.2}),
    ("camera", {"pan_deg": 30, "centre": False, "index": 1}),
    ("lights", {"level": 0.5}),
    ("tether", {"ratio": 1.1}),
    ("ship", {"north_m": 5, "east_m": -3}),
    ("ship", {"follow": True}),
    ("time_scale", {"factor": 20}),
    ("task", {"name": None}),
    ("task", {"name": "hover", "conditions": {"image_delay_s": 0.5, "top_view": False}}),
    ("fault", {"kind": "thruster_lost", "thruster": "T1", "seconds_s": 12.5}),
    ("conditions", {"current_m_s": 0.75}),
    ("seek", {"time_s": 12.0}),
    ("reset", {}),
    ("message", {"text": "x" * 500}),
    ("pilot_name", {"name": "x" * 80}),
]


@pytest.mark.parametrize(("name", "values"), GOOD)
def test_good_orders_pass_as_they_are(name, values):
    assert checked_values(name, values, OF_PAGES, context=LINK) == values


@pytest.mark.parametrize(
    ("name", "values", "sentence"),
    [
        ("fly", {}, "there is no order 'fly'"),
        ("ligths", {}, 'did you mean "lights'),
        ("hold", {"hold": "dept"}, 'did you mean "depth'),
        ("trim", {"surge": 1.01}, "from -1 to 1"),
        ("camera", {"tilt_deg": 1e9}, "from -180 to 180"),
        ("camera", {"zoom": 0}, "from 1 to 100"),
        ("tether", {"length": 5}, 'did you mean "length_m'),
        ("ship", {"north_m": "far"}, "expected a number"),
        ("time_scale", {"factor": 0}, "from 0.1 to 20"),
        ("pause", {"on": 1}, "true or false"),
        ("reset", {"hard": True}, "no key 'hard'"),
        ("seek", {"time_s": -1}, "from 0 to"),
        ("message", {"text": "x" * 501}, "at most 500"),
        ("message", {"text": "a\nb"}, "printable"),
        ("pilot_name", {"name": "x" * 81}, "at most 80"),
        ("hold", {"hold": "depth"}, "needs the key 'on'"),
        ("setpoint", {"depth_m": 1.0}, "no order 'setpoint'"),
        ("fault", {"a b": 1}, "letters, digits"),
        ("conditions", {"current_m_s": [1e99]}, "at most"),
    ],
)
def test_bad_ones_are_refused_in_a_sentence(name, values, sentence):
    with pytest.raises(MessageError, match=sentence):
        checked_values(name, values, OF_PAGES, context=LINK)


def test_roles():
    instructor = {"task", "message", "clear_faults", "fault", "conditions"}
    assert {name for name in ORDERS if is_of_instructor(name)} == instructor
    assert set(ORDERS) - set(OF_PAGES) == {"route", "setpoint", "actuators", "contact", "contact_gone"}
