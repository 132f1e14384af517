"""Orders to single actuators: by place or by name, in any unit of the right dimension, refused beyond the limits."""

import math

import numpy as np
import pytest

from pelagos.errors import CommandError
from pelagos.sim.commands import DirectControl
from pelagos.vehicle.load.vehicle import load_vehicle

LAUV, SLOCUM, PHOENIX = (load_vehicle(key) for key in ("lauv", "slocum", "phoenix"))


def test_it_starts_at_zero_with_the_ballast_of_the_file():
    held = DirectControl(SLOCUM).update(None, 0.1)  # type: ignore[arg-type]
    assert held.ballast.tolist() == [item.initial for item in SLOCUM.ballast]
    assert held.surfaces.size == 0


def test_names_take_any_unit_of_their_drive_and_plain_numbers_are_si():
    direct = DirectControl(PHOENIX)
    name = PHOENIX.thrusters[0].name
    direct.thrust(None, {f"{name}_rpm": 300.0})
    assert direct.thrusters[0] == pytest.approx(10.0 * math.pi, rel=1e-12)
    direct.thrust(None, {name: 5.0})
    assert direct.thrusters[0] == 5.0
    direct.deflect(None, {f"{PHOENIX.surfaces[1].name}_deg": 10.0})
    assert direct.surfaces.tolist() == pytest.approx([0.0, math.radians(10.0), 0.0, 0.0])


def test_all_at_once_in_the_order_of_the_file():
    direct = DirectControl(PHOENIX)
    direct.deflect([0.1, 0.0, -0.1, 0.2], {})
    assert direct.surfaces.tolist() == [0.1, 0.0, -0.1, 0.2]
    with pytest.raises(CommandError, match="has 4 surfaces, 2 values were given"):
        direct.deflect([0.1, 0.0], {})
    direct.reset()
    assert not direct.surfaces.any()


def test_what_is_handed_out_is_a_copy():
    direct = DirectControl(PHOENIX)
    direct.update(None, 0.1).surfaces[:] = 1.0  # type: ignore[arg-type]
    assert not direct.surfaces.any()


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ({"propellor_rpm": 100.0}, 'did you mean "propeller"'),
        ({"propeller_deg": 1.0}, "is a unit of angle"),
        ({"propeller_rpm": 1e6}, "is outside its limits"),
        ({"propeller_rpm": math.nan}, "finite number"),
        ({"propeller_rpm": 100.0, "propeller": 10.0}, "ordered twice"),
    ],
)
def test_a_bad_order_is_one_sentence_and_changes_nothing(order, said):
    direct = DirectControl(LAUV)
    with pytest.raises(CommandError) as error:
        direct.thrust(None, order)
    assert said in str(error.value) and "\n" not in str(error.value)
    assert not direct.thrusters.any()


def test_ballast_is_trimmed_by_name():
    direct = DirectControl(SLOCUM)
    engine = next(i for i, item in enumerate(SLOCUM.ballast) if item.kind == "engine")
    direct.set_ballast({f"{SLOCUM.ballast[engine].name}_cm3": 100.0})
    assert direct.ballast[engine] == pytest.approx(1e-4, rel=1e-12)
    with pytest.raises(CommandError, match="outside its limits"):
        direct.set_ballast({f"{SLOCUM.ballast[engine].name}_L": 10.0})
    assert np.isfinite(direct.ballast).all()
