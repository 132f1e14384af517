"""Commands of a robot while another link freezes time: they are queued, and each is answered."""

import pytest

from pelagos.scenario.read import scenario_from
from pelagos.session.lockstep import LockstepSession
from tests.links.robot.linked import TABLES
from tests.links.robot.tabled import Table


class Frozen:
    """A link that has time stand still, as a DIS exercise can."""

    name = "freezer"
    frozen = True

    def __getattr__(self, name):
        return lambda *_: {}


@pytest.fixture
def freezer():
    return Frozen()


@pytest.fixture
def table(freezer):
    frozen = Table()
    frozen.world.session.close()
    frozen.world.session = LockstepSession(scenario_from(TABLES), links=[freezer])
    frozen.world._begin()
    yield frozen
    frozen.world.close(True)


def test_while_another_link_has_time_stand_still_an_order_waits(table, freezer):
    robot, _ = table.join("robot")
    assert table.world.frozen
    assert table.say(robot, "order", seq=1) == []
    assert table.protocol.pending and table.world.ticks == 0
    assert table.say(robot, "order", seq=1) == []
    freezer.frozen = False
    table.protocol.exchange()
    assert not table.protocol.pending
    assert (robot.last["seq"], robot.last["tick"]) == (1, 1)


def test_an_answer_that_came_when_its_robot_was_gone_is_kept_for_it(table, freezer):
    robot, _ = table.join("robot", session="dive 8")
    assert table.say(robot, "order", seq=1) == []
    table.protocol.remove(robot)
    freezer.frozen = False
    table.protocol.exchange()
    again, hello = table.join("robot, another port", session="dive 8")
    assert (hello["last_seq"], hello["tick"]) == (1, 1)
    (state,) = table.say(again, "order", seq=1)
    assert (state["type"], state["seq"], state["tick"]) == ("state", 1, 1)
