"""The forces page: shares add up to one, and a spike is clipped."""

import numpy as np
import pytest

from pelagos.analysis.page import UNWRITTEN, styled
from pelagos.analysis.pages.forces import draw_forces, shares, term_colours
from pelagos.sim.log.log import Log
from tests.analysis.measured import measured_log

pytest.importorskip("matplotlib")


def pushed(n=2000):
    """Thrust 30 N against drag 10 N in surge: shares 3/4 and 1/4."""
    forces = {"thrusters": np.zeros((n, 6)), "drag": np.zeros((n, 6)), "idle": np.zeros((n, 6))}
    forces["thrusters"][:, 0] = 30.0 * np.where(np.arange(n) % 2, 1.0, -1.0)  # size, not sum
    forces["drag"][:, 0] = -10.0
    return Log({"time_s": np.arange(float(n))}, {}, forces)


def test_shares_are_of_the_mean_size():
    part = shares(pushed())
    assert (part["thrusters"][0], part["drag"][0], part["idle"][0]) == (0.75, 0.25, 0.0)
    np.testing.assert_array_equal(part["thrusters"][1:], 0.0)  # no force, no share
    np.testing.assert_allclose(np.sum(list(shares(measured_log()).values()), axis=0), 1.0, rtol=1e-12)


def test_only_terms_that_act_are_drawn_and_keep_their_colours():
    log = pushed()
    assert list(term_colours(log)) == ["thrusters", "drag"]
    with styled():
        bars, *panels = draw_forces(log, UNWRITTEN).axes
    assert [round(bar.get_width()) for bar in bars.patches[:2]] == [75, 0]  # surge and sway of the thrusters
    assert bars.get_title(loc="left").endswith("[%]")
    surge = {line.get_label(): line for line in panels[0].lines}
    np.testing.assert_array_equal(surge["drag"].get_ydata(), -10.0)
    np.testing.assert_array_equal(surge["sum"].get_ydata(), log.forces.total()[:, 0])
    assert surge["thrusters"].get_color() == term_colours(log)["thrusters"]


def test_a_spike_is_clipped_and_reported():
    log = pushed()
    log.forces["drag"][100, 0] = -900.0
    with styled():
        surge = draw_forces(log, UNWRITTEN).axes[1]
    assert surge.get_ylim()[0] > -100.0
    assert surge.get_title(loc="right") == "cut: 930 N at 100 s"  # with the 30 N of the thrusters
    with styled():
        whole = draw_forces(pushed(), UNWRITTEN).axes[1]
    assert whole.get_title(loc="right") == "" and whole.get_ylim()[1] > 30.0


def test_rounding_has_no_shares():
    """Sway of 1e-14 N beside 30 N, and pitch of 1e-9 N m beside a yaw of 1 N m, are nothing; 1e-3 N is something."""
    log = pushed()
    for term in ("thrusters", "drag"):
        log.forces[term][:, 1] = 1e-14
        log.forces[term][:, 2] = 1e-3
        log.forces[term][:, 4] = 1e-9
        log.forces[term][:, 5] = 1.0
    part = shares(log)
    np.testing.assert_allclose(part["drag"], [0.25, 0.0, 0.5, 0.0, 0.0, 0.5])
    with styled():
        bars, _, _, pitch, _ = draw_forces(log, UNWRITTEN).axes
    assert sorted(text.get_position()[1] for text in bars.texts if text.get_text() == "none") == [1.0, 3.0, 4.0]
    assert [text.get_text() for text in pitch.texts] == ["none"] and not pitch.lines
