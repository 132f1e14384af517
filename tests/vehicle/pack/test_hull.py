"""The packed hull: sums, shift, contact forms, and the methods that a file may choose."""

from dataclasses import replace

import numpy as np
import pytest

from pelagos.engine.water import sea
from pelagos.engine.water.sea import FORM, HULL
from pelagos.engine.water.wet import RUNS
from pelagos.errors import PelagosError, VehicleFileError
from pelagos.files.library import VEHICLES
from pelagos.vehicle.describe import describe
from pelagos.vehicle.load.vehicle import load_vehicle, loads
from pelagos.vehicle.pack.hull import contact_form, hull_table
from pelagos.vehicle.spec import FreeSurfaceModel, Shape
from tests.vehicle.pack.test_sampling import box_mesh, write
from tests.vehicle.wet_hull import BARE, CYLINDER

TUBE = '[[shape]]\nkind = "cylinder"\nlength_m = 1.0\nradius_m = 0.1\n'


def header(table):
    """The named numbers at its start."""
    return table[: HULL.size].view(HULL.dtype)[0]


def runs(table):
    """Rows x, y, z, share, share times size, 1/size of all points."""
    head = header(table)
    n, at = int(head["n_points"]), int(head["points_at"])
    return table[at : at + RUNS * n].reshape(RUNS, n)


def forms(table):
    """The contact forms."""
    head = header(table)
    at = int(head["forms_at"])
    return table[at : at + int(head["n_forms"]) * FORM.size].view(FORM.dtype)


@pytest.mark.slow
@pytest.mark.parametrize("key", VEHICLES.names())
@pytest.mark.parametrize("method", ["quadrature", "monte_carlo"])
def test_mean_of_the_points_is_the_centre_of_buoyancy(key, method):
    """Errata H10; sums of 512 (20000) shares round by 1e-15."""
    vehicle = load_vehicle(key)
    table = hull_table(vehicle, method=method)
    if not vehicle.shapes:
        assert header(table)["n_points"] == 0
        return
    x, y, z, share, share_size, per_size = runs(table)
    assert np.sum(share) == pytest.approx(1.0, abs=1e-14)
    assert [share @ x, share @ y, share @ z] == pytest.approx(vehicle.body.cb_b, abs=1e-14)
    assert np.all(share > 0.0) and np.all(np.isfinite(table))
    assert share_size * per_size == pytest.approx(share, rel=1e-14)
    assert header(table)["reach"] >= np.max(np.sqrt(x * x + y * y + z * z))


def test_iver3_has_a_hull_and_a_mast():
    vehicle = load_vehicle("iver3")
    hull, mast = vehicle.shapes
    assert (hull.axis, mast.axis) == ("x", "z")
    records = forms(hull_table(vehicle))
    assert records["kind"].tolist() == [sea.CYLINDER, sea.CYLINDER]
    # the mast's own x points along the body's z
    assert records[1]["axes"].reshape(3, 3)[:, 0] == pytest.approx([0.0, 0.0, 1.0])
    assert records[1]["center"] == pytest.approx([-0.073, 0.0, -0.2119])
    # a mast of 1.2 % of the volume, errata part 2
    share = runs(hull_table(vehicle))[3]
    assert np.sum(share[runs(hull_table(vehicle))[2] < -0.111]) == pytest.approx(0.0122, abs=2e-4)


def test_submerged_has_no_points_but_can_touch():
    table = hull_table(loads(BARE + TUBE), method="submerged")
    head = header(table)
    assert head["n_points"] == 0 and head["n_pieces"] == 0
    assert head["n_forms"] == 1 and head["n_feelers"] > 5


def test_forms_of_the_shapes(tmp_path):
    mesh = write(box_mesh((1.0, 0.4, 0.2)), tmp_path / "box.obj")
    expected = {
        Shape("box", (0.1, 0.0, 0.0), (1.0, 0.4, 0.2)): ("box", (0.1, 0.0, 0.0), (0.5, 0.2, 0.1)),
        Shape("ellipsoid", size_m=(0.5, 0.2, 0.1)): ("ellipsoid", (0.0, 0.0, 0.0), (0.5, 0.2, 0.1)),
        Shape("capsule", size_m=(1.0, 0.2)): ("capsule", (0.0, 0.0, 0.0), (0.3, 0.2, 0.2)),
        Shape("mesh", (1.0, 0.0, 0.0), file=mesh): ("box", (1.0, 0.0, 0.0), (0.5, 0.2, 0.1)),
        Shape("mesh", file=mesh, scale=2.0): ("box", (0.0, 0.0, 0.0), (1.0, 0.4, 0.2)),
        Shape("stations", stations=((-0.2, 0.1, 0.1), (0.8, 0.2, 0.2))): ("capsule", (0.3, 0.0, 0.0), (0.4, 0.1, 0.1)),
        Shape("stations", stations=((-0.5, 0.1, 0.4), (0.5, 0.2, 0.4))): ("box", (0.0, 0.0, 0.0), (0.5, 0.2, 0.1)),
    }
    for shape, (kind, center, half) in expected.items():
        form = contact_form(shape)
        assert (form.kind, form.center_b) == (kind, pytest.approx(center))
        assert form.half_m == pytest.approx(half)


def test_forms_around_stations_hold_them():
    """Every corner of every section of the Phoenix lies in its form."""
    (shape,) = load_vehicle("phoenix").shapes
    form = contact_form(shape)
    for x, height, breadth in shape.stations:
        corner = np.array([x, 0.5 * breadth, 0.0]) + np.array(shape.center_b) - np.array(form.center_b)
        top = np.array([x, 0.0, 0.5 * height]) + np.array(shape.center_b) - np.array(form.center_b)
        assert np.all(np.abs(corner) <= np.array(form.box_m) + 1e-12)
        assert np.all(np.abs(top) <= np.array(form.box_m) + 1e-12)


def test_mesh_feels_with_its_corners(tmp_path):
    mesh = box_mesh((1.0, 0.4, 0.2))
    shape = Shape("mesh", file=write(mesh, tmp_path / "box.obj"))
    vehicle = replace(loads(BARE), shapes=(shape,))
    table = hull_table(vehicle)
    head = header(table)
    at, n = int(head["feelers_at"]), int(head["n_feelers"])
    feelers = table[at : at + 3 * n].reshape(n, 3)
    assert sorted(map(tuple, feelers)) == sorted(map(tuple, mesh.vertices))


def test_vehicle_without_shape_takes_its_main_dimensions():
    plain = loads(BARE)
    assert header(hull_table(plain))["n_forms"] == 0
    round_one = loads(BARE.replace("length_m = 2.0", "length_m = 2.0\ndiameter_ft = 1.0"))
    (form,) = forms(hull_table(round_one))
    assert form["kind"] == sea.CAPSULE
    assert form["half"][:2] == pytest.approx([1.0 - 0.1524, 0.1524])
    flat = loads(BARE.replace("length_m = 2.0", "length_m = 2.0\nheight_m = 0.4\nbreadth_m = 0.6"))
    (form,) = forms(hull_table(flat))
    assert form["kind"] == sea.BOX and form["half"] == pytest.approx([1.0, 0.3, 0.2])


def test_the_file_chooses_the_method():
    assert loads(BARE).free_surface.method == "submerged"
    assert loads(BARE + TUBE).free_surface == FreeSurfaceModel("quadrature", 512, 0)
    random = loads(BARE + TUBE + '[free_surface]\nmethod = "monte_carlo"\nseed = 5\n')
    assert random.free_surface == FreeSurfaceModel("monte_carlo", 20000, 5)
    assert header(hull_table(random))["n_points"] == 20000
    few = loads(BARE + TUBE + "[free_surface]\npoints = 32\n")
    assert header(hull_table(few))["n_points"] == 32
    wet = loads(BARE + TUBE + '[free_surface]\nmethod = "submerged"\n')
    assert header(hull_table(wet))["n_points"] == 0


def test_description_says_how_the_surface_is_met():
    assert "always fully wet, for the file has no [[shape]]" in describe(loads(BARE))
    assert "512 sections of the hull's shape" in describe(loads(BARE + TUBE))
    text = BARE + TUBE + '[free_surface]\nmethod = "monte_carlo"\nseed = 5\n'
    assert "20000 random points, seed 5" in describe(loads(text))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('[free_surface]\nmethod = "quadrature"', "needs the hull as [[shape]]"),
        (TUBE + '[free_surface]\nmethod = "montecarlo"', 'did you mean "monte_carlo"'),
        (TUBE + "[free_surface]\npoints = 0", "free_surface.points"),
        (TUBE + "[free_surface]\npoints = 1.5", "free_surface.points"),
        (TUBE + "[free_surface]\nseed = -1", "free_surface.seed"),
        (TUBE + 'axis = "w"', "axis"),
        ('[[shape]]\nkind = "box"\nsize_m = [1, 1, 1]\naxis = "z"', "does not belong to a box"),
        ('[[control_surfaces]]\nsymbol = "dr"\nlimit_deg = 20\nspan_m = 0.1', "needs position_m beside it"),
    ],
)
def test_one_sentence_for_a_mistake(text, sentence):
    with pytest.raises(VehicleFileError) as caught:
        loads(BARE + text)
    assert sentence in str(caught.value)


def test_unknown_method_of_a_call():
    with pytest.raises(PelagosError, match=r"'sumberged'.*did you mean \"submerged"):
        hull_table(loads(BARE + TUBE), method="sumberged")


def test_sizes_of_actuators():
    text = """
[[control_surfaces]]
name = "rudder"
symbol = "dr"
limit_deg = 20
position_m = [-0.9, 0, 0.1]
span_cm = 15
[[control_surfaces]]
symbol = "ds"
limit_deg = 20
[[fins]]
position_m = [-0.9, 0, 0]
normal = [0, 1, 0]
area_m2 = 0.04
lift_slope_1_rad = 3.0
[[thrusters]]
position_m = [-1, 0, 0]
direction = [1, 0, 0]
maximum_N = 10
[[thrusters]]
position_m = [-1, 0, 0]
direction = [1, 0, 0]
maximum_N = 10
diameter_m = 0.2
"""
    vehicle = loads(BARE + text)
    assert vehicle.surfaces[0].position_b == (-0.9, 0.0, 0.1) and vehicle.surfaces[0].span_m == pytest.approx(0.15)
    assert vehicle.surfaces[1].position_b is None
    assert vehicle.fins[0].span_m == pytest.approx(0.2)
    assert [thruster.diameter_m for thruster in vehicle.thrusters] == [0.1, 0.2]
    assert any(fact.path.endswith(".diameter_m") and fact.how == "default" for fact in vehicle.facts)


def test_same_table_for_the_same_vehicle():
    """Cached inside, but the caller's copy is its own."""
    vehicle = replace(loads(BARE), shapes=(CYLINDER,), free_surface=FreeSurfaceModel("monte_carlo", 300, 1))
    first, second = hull_table(vehicle), hull_table(vehicle)
    assert np.array_equal(first, second)
    first[:] = 0.0
    assert np.array_equal(hull_table(vehicle), second)
