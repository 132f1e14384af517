"""The table of orders: values in range, roles, and refused orders, which change nothing."""

import numpy as np
import pytest

from pelagos.checks import LINK
from pelagos.control.pilot.helm import FRAMES, GAINS
from pelagos.control.pilot.holds import QUANTITIES
from pelagos.errors import CommandError, MessageError
from pelagos.session.orders.pilot import HOLDS
from pelagos.session.orders.program import SETPOINTS
from pelagos.session.orders.table import OF_PAGES, ORDERS, order_named
from tests.session.orders.flying import flight, flying

__all__ = ["flight", "flying"]

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
    assert order_named(name, OF_PAGES, context=LINK).checked(name, values, context=LINK) == values


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
        order_named(name, OF_PAGES, context=LINK).checked(name, values, context=LINK)


def test_roles():
    instructor = {"task", "message", "clear_faults", "fault", "conditions"}
    assert {name for name, order in ORDERS.items() if order.role == "instructor"} == instructor
    assert set(ORDERS) - set(OF_PAGES) == {
        "route",
        "setpoint",
        "actuators",
        "sticks",
        "rest",
        "contact",
        "contact_gone",
    }


def test_the_fields_have_the_names_and_limits_of_the_helm():
    assert {*QUANTITIES, "mission"} == set(HOLDS)
    assert {name for names in QUANTITIES.values() for name in names} == set(SETPOINTS)
    for frame in FRAMES:
        assert ORDERS["stick_frame"].checked("stick_frame", {"frame": frame}) == {"frame": frame}
    for gain in GAINS:
        assert ORDERS["gain"].checked("gain", {"factor": gain}) == {"factor": gain}
        with pytest.raises(CommandError, match="gain factor"):
            ORDERS["gain"].checked("gain", {"factor": gain * (1.1 if gain == max(GAINS) else 0.9)})


REFUSED = {
    "nix": [{}],
    "hold": [{"hold": "dept", "on": True}, {"hold": "depth"}, {"hold": "depth", "on": 1}, {"hold": None, "on": True},
             {"hold": "mission", "on": True}, {"hold": "depth", "on": True, "value": "deep"},
             {"hold": "depth", "on": True, "value": -5.0}, {"hold": "depth", "on": True, "valeu": 5.0}],
    "trim": [{"srge": 0.1}, {"surge": 2.0}],
    "stick_frame": [{"frame": "world"}, {}],
    "camera": [{"index": 9}, {"pan_deg": 10.0}, {"tlt_deg": 5.0}],
    "lights": [{"level": 1.5}, {}],
    "tether": [{}, {"ratio": 0.5}, {"ratio": 1.2, "rate_m_s": 1.0}, {"rate_m_s": "fast"}],
    "ship": [{}, {"north_m": 1.0}, {"follow": True, "stop": True}, {"north_m": "x", "east_m": 0.0}],
    "record": [{"on": False}, {}],
    "task_start": [{}],
    "task_abort": [{}],
    "pilot_name": [{"name": 7}, {"name": "x" * 81}],
    "fault": [{}, {"kind": "bang"}, {"kind": "leak"}, {"kind": "thruster_lost", "thruster": "front"},
              {"kind": "sensor_loss", "sensor": "imu"}, {"kind": "leak", "rate_kg_s": -1.0},
              {"kind": "leak", "rate_kg_s": 1.0, "at_s": 5.0}, {"kind": "leak", "rate_kg_s": 1.0, "colour": "red"}],
    "message": [{}, {"text": "  "}, {"text": "x" * 501}],
    "clear_faults": [{"name": "leak"}],
    "conditions": [{"curent_m_s": 1.0}, {"current_m_s": 50.0}, {"depth_control": "magic"}],
    "task": [{"name": "hoover"}, {"name": 3}, {"name": "hover", "conditions": {"cable": "long"}},
             {"name": "hover", "conditions": "calm"}, {"name": "hover", "condition": {"cable": True}}],
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("name", "values"), [(name, item) for name, many in REFUSED.items() for item in many])
def test_what_cannot_be_done_is_refused_in_a_sentence_and_changes_nothing(flight, name, values):
    before, entries = flight.state().copy(), len(flight.journal)
    with pytest.raises(CommandError) as refusal:
        flight.order(name, values)
    text = str(refusal.value)
    assert 10 < len(text) < 400 and "\n" not in text and "Traceback" not in text
    assert np.array_equal(flight.state(), before, equal_nan=True) and len(flight.journal) == entries
    assert flight.ticks == 0
